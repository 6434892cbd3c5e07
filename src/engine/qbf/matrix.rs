//! A QBF made ready for an engine: variables numbered densely in prefix order, clauses sorted by level, without
//! tautologies and repetitions, universally reduced, and levels only where variables occur.

use crate::formula::{ClauseArena, Lit, Qbf, Quantifier, Var};

/// Quantifier levels with the variables that occur, outermost first, and the clauses over them.
pub(crate) struct Matrix {
    /// Clauses in the dense numbering, each sorted (which is by level, since numbers follow the prefix).
    pub(crate) clauses: ClauseArena,
    /// What universal reduction took from each clause. To make use of a falsified clause the universal player must
    /// falsify these, too, which is always possible since they come after the rest.
    pub(crate) reduced: ClauseArena,
    /// Quantifiers of the levels; they alternate, and the last is existential.
    pub(crate) quantifiers: Vec<Quantifier>,
    /// Level of each variable; of one that does not occur, [`Matrix::ABSENT`].
    pub(crate) level_of: Vec<u32>,
    /// The variable of the original formula, for each dense number.
    pub(crate) original: Vec<Var>,
    /// The first clause that reduced to nothing, if there is one: its index.
    pub(crate) empty_clause: Option<usize>,
    /// Variables of the formula's own outermost block.
    outer: usize,
    outer_quantifier: Quantifier,
}

impl Matrix {
    pub(crate) const ABSENT: u32 = u32::MAX;

    pub(crate) fn new(qbf: &Qbf) -> Self {
        let (dense, original) = qbf.compact();
        let quantifier_of: Vec<Quantifier> = dense.prefix().quantified().map(|(quantifier, _)| quantifier).collect();
        let mut empty_clause = None;
        let (mut clauses, mut reduced) = (ClauseArena::new(), ClauseArena::new());
        let mut occurs = vec![false; original.len()];
        for clause in dense.matrix() {
            clauses.push(clause);
            if clauses.normalise_last() {
                clauses.pop();
                continue;
            }
            // Universal reduction: what follows the last existential literal goes.
            let sorted = &clauses[clauses.len() - 1];
            let is_existential = |lit: &Lit| quantifier_of[lit.var().index()] == Quantifier::Exists;
            let kept = sorted.iter().rposition(is_existential).map_or(0, |last| last + 1);
            let sorted = sorted.to_vec();
            clauses.pop();
            clauses.push(&sorted[..kept]);
            reduced.push(&sorted[kept..]);
            sorted[..kept].iter().for_each(|lit| occurs[lit.var().index()] = true);
            if kept == 0 {
                empty_clause.get_or_insert(clauses.len() - 1);
            }
        }
        let mut quantifiers: Vec<Quantifier> = Vec::new();
        let mut level_of = vec![Self::ABSENT; original.len()];
        for (var, &quantifier) in quantifier_of.iter().enumerate().filter(|&(var, _)| occurs[var]) {
            if quantifiers.last() != Some(&quantifier) {
                quantifiers.push(quantifier);
            }
            level_of[var] = quantifiers.len() as u32 - 1;
        }
        let outer = dense.prefix().blocks().next();
        let outer_quantifier = outer.map_or(Quantifier::Exists, |block| block.quantifier);
        let outer = outer.map_or(0, |block| block.vars.len());
        Matrix { clauses, reduced, quantifiers, level_of, original, empty_clause, outer, outer_quantifier }
    }

    /// The witness for the outermost block, given dense values of all variables: empty if the block belongs to the
    /// loser.
    pub(crate) fn outer_model(&self, verdict: bool, values: &[bool]) -> Vec<Lit> {
        if verdict != (self.outer_quantifier == Quantifier::Exists) {
            return Vec::new();
        }
        (0..self.outer).map(|var| self.original[var].lit(values[var])).collect()
    }
}
