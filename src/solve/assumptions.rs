//! Values that are assumed for variables of a formula's outermost block, for one question.
//!
//! Filling them in leaves the variables in the prefix, where they occur no more: so the outermost block of the formula stays the
//! outermost one, even if all of it is assumed, and what is asked about its choices is not answered about the next block's.

use super::{Answer, Verdict};
use gamesat_core::formula::{ClauseArena, Lit, Qbf, Quantifier};

/// Assumed literals, each once.
pub(super) struct Assumptions {
    lits: Vec<Lit>,
    is_contradictory: bool,
}

impl Assumptions {
    pub(super) fn new(mut lits: Vec<Lit>) -> Self {
        lits.sort_unstable();
        lits.dedup();
        let is_contradictory = lits.windows(2).any(|pair| pair[0].var() == pair[1].var());
        Assumptions { lits, is_contradictory }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lits.is_empty()
    }

    /// The literals, ascending.
    pub(super) fn lits(&self) -> &[Lit] {
        &self.lits
    }

    /// Whether a variable is assumed to be both true and false.
    pub(super) fn is_contradictory(&self) -> bool {
        self.is_contradictory
    }

    /// The formula with the assumptions filled in, behind its own prefix.
    pub(super) fn fill_in(&self, qbf: &Qbf) -> Qbf {
        let (vars, clauses) = qbf.header();
        let mut matrix = qbf.substitute(&self.lits).matrix().clone();
        if self.is_contradictory {
            matrix = ClauseArena::new();
            matrix.push(&[]);
        }
        qbf.with_matrix(matrix).with_header(vars, clauses)
    }

    /// The answer about the formula with the assumptions filled in, as one about the choices of the formula's outermost block
    /// that agree with them.
    pub(super) fn add_to(&self, mut answer: Answer, qbf: &Qbf) -> Answer {
        let owner = qbf.prefix().blocks().next().map_or(Quantifier::Exists, |block| block.quantifier);
        let is_won = answer.verdict == Verdict::from(owner == Quantifier::Exists);
        let complete = |choice: &mut Vec<Lit>| {
            choice.retain(|lit| !self.lits.iter().any(|assumed| assumed.var() == lit.var()));
            choice.extend_from_slice(&self.lits);
            choice.sort_unstable();
        };
        if self.is_contradictory {
            answer.outer_model.iter_mut().for_each(Vec::clear);
            answer.outer_models.iter_mut().for_each(Vec::clear);
        } else if is_won && !self.lits.is_empty() {
            answer.outer_model.iter_mut().for_each(complete);
        }
        answer.outer_models.iter_mut().flatten().for_each(complete);
        answer
    }
}
