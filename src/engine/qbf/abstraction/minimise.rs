//! Smaller reasons: drop one failed assumption after the other while the rest still fails.
//!
//! A smaller reason excludes more plays. Nodes that cost something further out are tried first: a node of the winner's
//! own last level with nothing outside it costs nothing. On many formulas the solver's failed assumptions are minimal as
//! they come, and attempts are a waste: while fewer than one in twenty succeeds, only one reason in sixteen is tried.

use super::Search;
use crate::control::StopReason;
use crate::formula::Lit;

/// Beyond this many nodes single attempts are not worth their number.
const MAX_ATTEMPTS: usize = 64;

impl Search<'_> {
    pub(super) fn minimise(&mut self, k: usize, core: &mut Vec<Lit>) -> Result<(), StopReason> {
        let budget = self.options.minimise_conflicts;
        if !self.options.reason_minimisation || core.len() < 2 || k == 0 {
            return Ok(());
        }
        let (attempts, dropped) = (self.counters.minimise_calls, self.counters.minimise_dropped);
        self.counters.minimise_chances += 1;
        if attempts > 100 && 20 * dropped < attempts && !self.counters.minimise_chances.is_multiple_of(16) {
            return Ok(());
        }
        let cost = |search: &Self, lit: Lit| {
            let node = search.levels[k].node_of[&lit.var()];
            let free = search.tree.level(node) == k - 1 && search.tree.parent(node).is_none();
            (!free, search.tree.level(node))
        };
        // Cheap ones to the front: they stay, and the expensive ones behind them are tried first.
        core.sort_by_cached_key(|&lit| cost(self, lit));
        let mut attempts = 0;
        let mut index = core.len();
        let mut trial = Vec::with_capacity(core.len());
        while index > 0 && attempts < MAX_ATTEMPTS {
            index -= 1;
            attempts += 1;
            self.counters.minimise_calls += 1;
            trial.clear();
            trial.extend(core.iter().enumerate().filter(|&(i, _)| i != index).map(|(_, &lit)| lit));
            let solver = &mut self.levels[k].solver;
            if solver.solve_limited(&trial, Some(budget), self.control)? == Some(false) {
                let failed = solver.failed();
                let before = core.len();
                core.retain(|lit| failed.contains(lit));
                self.counters.minimise_dropped += 1;
                // Those behind the index that stay were found necessary already.
                index = index.min(core.len());
                debug_assert!(core.len() < before);
            }
        }
        Ok(())
    }
}
