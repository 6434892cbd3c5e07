//! Expansion refinement (Tentrup 2017) for the innermost pair of levels.
//!
//! When the last universal move refutes the play, the existential level before it is told the whole story instead of one
//! clause: a fresh copy of the innermost level's variables must satisfy all clauses under that very move. This is sound,
//! because the existential player must have an answer to that move; and it is what expansion solvers (RAReQS) live on.
//! The rules of the existential player stay true whatever made it choose its moves, so certificates of true formulas do
//! not mind. Those of false ones do: that no move survives several copies gives the universal player no rule.

use super::{Search, is_true};
use crate::formula::Lit;
use rustc_hash::FxHashMap;

/// Literals that all copies together may have; beyond that only clauses are learned.
const MAX_LITERALS: usize = 6_000_000;

impl Search<'_> {
    /// Adds to level `k` a copy of the innermost level (`k + 2`) for the current move of level `k + 1`.
    pub(super) fn expand(&mut self, k: usize) {
        if !self.options.copies || self.expanded_lits > MAX_LITERALS {
            return;
        }
        self.counters.expansions += 1;
        let mut copies: FxHashMap<usize, Lit> = FxHashMap::default();
        let mut clause = Vec::new();
        for index in 0..self.tree.at_level(k + 2).len() {
            let node = self.tree.at_level(k + 2)[index];
            let mut outer = self.tree.parent(node);
            if let Some(parent) = outer.filter(|&parent| self.tree.level(parent) == k + 1) {
                if is_true(self.tree.lits(parent), &self.values) {
                    continue;
                }
                outer = self.tree.parent(parent);
            }
            clause.clear();
            if let Some(outer) = outer {
                clause.push(self.favourable(k, outer));
            }
            let solver = &mut self.levels[k].solver;
            for &lit in self.tree.lits(node) {
                let copy = *copies.entry(lit.var().index()).or_insert_with(|| solver.new_var().positive());
                clause.push(if lit.is_positive() { copy } else { !copy });
            }
            self.expanded_lits += clause.len();
            solver.add_clause(&clause);
        }
    }
}
