//! A QBF made ready for an engine: variables numbered densely in prefix order, clauses sorted by level, without
//! tautologies and repetitions, universally reduced, and levels only where variables occur.

use gamesat_core::formula::{ClauseArena, Lit, Qbf, Quantifier, Var};

/// Quantifier levels with the variables that occur, outermost first, and the clauses over them.
#[derive(Debug)]
pub struct Matrix {
    /// Clauses in the dense numbering, each sorted (which is by level, since numbers follow the prefix).
    pub(super) clauses: ClauseArena,
    /// What universal reduction took from each clause. To make use of a falsified clause the universal player must
    /// falsify these, too, which is always possible since they come after the rest.
    pub(super) reduced: ClauseArena,
    /// Quantifiers of the levels; they alternate, and the last is existential.
    pub(super) quantifiers: Vec<Quantifier>,
    /// Level of each variable; of one that does not occur, [`Matrix::ABSENT`].
    pub(super) level_of: Vec<u32>,
    /// The prefix of the original formula: its variable of each dense number, and who owns it.
    pub(super) original: Vec<(Quantifier, Var)>,
    /// The first clause that reduced to nothing, if there is one: its index.
    empty_clause: Option<usize>,
    /// Variables of the formula's own outermost block.
    outer: usize,
}

/// The level of the innermost existential literal of a clause, if it has one. Universal literals at deeper levels, or all
/// of them if there is none, fall to universal reduction (Kleine Büning, Karpinski and Flögel 1995).
pub(super) fn existential_depth(clause: &[Lit], level_if_existential: impl Fn(Var) -> Option<u32>) -> Option<u32> {
    clause.iter().filter_map(|lit| level_if_existential(lit.var())).max()
}

impl Matrix {
    pub(super) const ABSENT: u32 = u32::MAX;

    /// Renumbers and reduces a formula.
    pub fn new(qbf: &Qbf) -> Self {
        let original: Vec<(Quantifier, Var)> = qbf.prefix().quantified().collect();
        let (dense, _) = qbf.compact();
        let mut empty_clause = None;
        let (mut clauses, mut reduced) = (ClauseArena::new(), ClauseArena::new());
        let mut occurs = vec![false; original.len()];
        let mut sorted = Vec::new();
        for clause in dense.matrix() {
            clauses.push(clause);
            let tautology = clauses.normalise_last();
            sorted.clear();
            sorted.extend_from_slice(&clauses[clauses.len() - 1]);
            clauses.pop();
            if tautology {
                continue;
            }
            // Numbers follow the prefix, so that they do as levels.
            let place = |var: Var| (original[var.index()].0 == Quantifier::Exists).then(|| var.index() as u32);
            let depth = existential_depth(&sorted, place);
            let kept = sorted.partition_point(|lit| depth.is_some_and(|depth| lit.var().index() as u32 <= depth));
            clauses.push(&sorted[..kept]);
            reduced.push(&sorted[kept..]);
            sorted[..kept].iter().for_each(|lit| occurs[lit.var().index()] = true);
            if kept == 0 {
                empty_clause.get_or_insert(clauses.len() - 1);
            }
        }
        let mut quantifiers: Vec<Quantifier> = Vec::new();
        let mut level_of = vec![Self::ABSENT; original.len()];
        for (var, &(quantifier, _)) in original.iter().enumerate().filter(|&(var, _)| occurs[var]) {
            if quantifiers.last() != Some(&quantifier) {
                quantifiers.push(quantifier);
            }
            level_of[var] = quantifiers.len() as u32 - 1;
        }
        let outer = dense.prefix().blocks().next().map_or(0, |block| block.vars.len());
        Matrix { clauses, reduced, quantifiers, level_of, original, empty_clause, outer }
    }

    /// One existential level without variables.
    pub(super) fn empty() -> Self {
        Matrix {
            clauses: ClauseArena::new(),
            reduced: ClauseArena::new(),
            quantifiers: vec![Quantifier::Exists],
            level_of: Vec::new(),
            original: Vec::new(),
            empty_clause: None,
            outer: 0,
        }
    }

    /// The same without the clauses that have no literals.
    pub(super) fn without_empty_clauses(&self) -> Self {
        let clauses: ClauseArena = self.clauses.iter().filter(|clause| !clause.is_empty()).collect();
        Matrix {
            reduced: clauses.iter().map(|_| Vec::<Lit>::new()).collect(),
            clauses,
            quantifiers: self.quantifiers.clone(),
            level_of: self.level_of.clone(),
            original: self.original.clone(),
            empty_clause: None,
            outer: 0,
        }
    }

    /// Quantifiers of the levels, outermost first; the last one is existential.
    pub fn quantifiers(&self) -> &[Quantifier] {
        &self.quantifiers
    }

    /// By variable: the value that makes more of its literals good for its owner.
    pub(super) fn good_values(&self) -> Vec<bool> {
        let mut balance = vec![0i32; self.level_of.len()];
        for lit in self.clauses.lits() {
            balance[lit.var().index()] += if lit.is_positive() { 1 } else { -1 };
        }
        let quantifier = |var: usize| self.quantifiers.get(self.level_of[var] as usize).copied();
        let good = |(var, &sum): (usize, &i32)| match quantifier(var) {
            Some(Quantifier::Exists) => sum > 0,
            Some(Quantifier::Forall) => sum < 0,
            None => false,
        };
        balance.iter().enumerate().map(good).collect()
    }

    /// If a clause reduced to nothing: dense values of all variables by which the universal player falsifies it.
    pub(super) fn refutation(&self) -> Option<Vec<bool>> {
        let mut values = vec![false; self.original.len()];
        for lit in &self.reduced[self.empty_clause?] {
            values[lit.var().index()] = lit.is_negative();
        }
        Some(values)
    }

    /// The same literals in the variables of the formula.
    pub(super) fn original_lits(&self, dense: &[Lit]) -> Vec<Lit> {
        dense.iter().map(|lit| self.original[lit.var().index()].1.lit(lit.is_positive())).collect()
    }

    /// The variable of the formula's outermost block that has this dense number.
    pub(super) fn outer_var(&self, dense: Var) -> Option<Var> {
        self.original[..self.outer].get(dense.index()).map(|&(_, var)| var)
    }

    /// The witness for the outermost block, given dense values of all variables: empty if the block belongs to the
    /// loser.
    pub(super) fn outer_model(&self, verdict: bool, values: &[bool]) -> Vec<Lit> {
        let outer = &self.original[..self.outer];
        if outer.first().is_none_or(|(quantifier, _)| verdict != (*quantifier == Quantifier::Exists)) {
            return Vec::new();
        }
        outer.iter().zip(values).map(|((_, var), &value)| var.lit(value)).collect()
    }
}
