//! Expansion refinement (Tentrup 2017) for the innermost pair of levels.
//!
//! When the last universal move refutes the play, the existential level before it is told the whole story instead of one
//! clause: a fresh copy of the innermost level's variables must satisfy all clauses under that very move. This is sound,
//! because the existential player must have an answer to that move; and it is what expansion solvers (RAReQS) live on.
//! The rules of the existential player stay true whatever made it choose its moves, so certificates of true formulas do
//! not mind. Those of false ones do: that no move survives several copies gives the universal player no rule. If it was the
//! outermost level that had no move left, a [refutation](super::super::interpolate) of its copies says which move to make, or it
//! begins anew without copies, with all clauses that it was taught; inner levels have drawn conclusions that cannot be told
//! apart.

use super::super::engine::Wish;
use super::super::interpolate::{self, Refuting};
use super::decisive::Decisive;
use super::level::Level;
use super::tree::Node;
use super::{Search, is_true};
use gamesat_core::control::StopReason;
use gamesat_core::formula::{Aig, Lit, Quantifier, Var};
use rustc_hash::FxHashMap;

/// Literals that all copies together may have; beyond that only clauses are learned.
const MAX_LITERALS: usize = 6_000_000;

impl Search<'_> {
    /// Adds to level `k` a copy of the innermost level (`k + 2`) for the current move of level `k + 1`.
    pub(super) fn expand(&mut self, k: usize) {
        let refuses = !self.copies || self.expanded_lits > MAX_LITERALS;
        if self.strategy.is_some() {
            let levels = self.matrix.level_of.iter().enumerate().filter(|&(_, &level)| level as usize == k + 1);
            let moves = levels.map(|(var, _)| Var::from_index(var).lit(self.values[var])).collect();
            self.copied_moves.push(if refuses { Vec::new() } else { moves });
        }
        if refuses {
            return;
        }
        self.counters.expansions += 1;
        let levels = self.matrix.level_of.iter().enumerate().filter(|&(_, &level)| level as usize <= k + 1);
        let universal = |level: u32| self.matrix.quantifiers[level as usize] == Quantifier::Forall;
        let play =
            levels.filter(|&(_, &level)| universal(level)).map(|(var, _)| Var::from_index(var).lit(self.values[var]));
        self.plays.push(self.matrix.original_lits(&play.collect::<Vec<Lit>>()));
        self.copied = true;
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

    /// The universal player's functions where the outermost level had no move left that survives its copies; `None` if they would be
    /// larger than what is wished for.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn functions_of_copies(&mut self, wish: Wish) -> Result<Option<Aig>, StopReason> {
        let Some(strategy) = &self.strategy else { return Ok(None) };
        let tree = &self.tree;
        let mut decisive = Decisive::new(self.values.len());
        let moves = strategy.conditions(1).zip(&self.copied_moves).enumerate().map(|(rule, (nodes, copied))| {
            let mut plays = copied.clone();
            if copied.is_empty() {
                strategy.moves(1, rule, tree, &mut decisive, &mut plays);
            }
            let clause = nodes.iter().flat_map(|&node| tree.lits(node)).copied().collect();
            Refuting { plays, clause, copy: !copied.is_empty() }
        });
        let moves: Vec<Refuting> = moves.collect();
        // The verdict is known: what was granted for that is not the measure any more.
        if let Some(functions) = interpolate::herbrand(self.matrix, &moves, wish, &self.control.without_looks())? {
            return Ok(Some(functions));
        }
        if wish.small {
            return Ok(None);
        }
        self.forget_copies();
        if self.run()? {
            return Err(StopReason::Contradiction("abstraction found another verdict without copies".to_owned()));
        }
        let strategy = self.strategy.as_ref().map(|rules| rules.functions(self.matrix, &self.tree, None, false));
        Ok(strategy)
    }

    /// Lets the outermost level forget its copies.
    fn forget_copies(&mut self) {
        self.control.log(|| "once more, without copies".to_owned());
        let conditions = self.strategy.iter().flat_map(|strategy| strategy.conditions(1));
        let taught: Vec<Vec<Node>> = conditions.map(<[Node]>::to_vec).collect();
        self.levels[0] = Level::new(self.levels[0].quantifier, self.options.backend, false);
        let tree = &self.tree;
        for &node in tree.at_level(0) {
            self.literals.of_node[node.index()] = None;
            tree.lits(node).iter().for_each(|lit| self.literals.of_var[lit.var().index()] = None);
        }
        (self.copies, self.copied) = (false, false);
        self.add_ends(0..1);
        taught.iter().for_each(|nodes| self.refine(0, nodes));
    }
}
