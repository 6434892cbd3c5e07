//! Smaller reasons: drop one failed assumption after the other while the rest still fails.
//!
//! A smaller reason excludes more plays. Nodes that cost something further out are tried first: a node of the winner's
//! own last level with nothing outside it costs nothing. On many formulas the solver's failed assumptions are minimal as
//! they come, and attempts are a waste: while they do not pay, only one reason in sixteen is tried. With up to three levels
//! they pay if one attempt in twenty succeeds, because each play there costs many copies. With more levels an attempt costs
//! as much as a play, and reasons that lose less than a quarter of their nodes do not make up for it.

use super::Search;
use gamesat_core::control::StopReason;
use gamesat_core::formula::Lit;

/// Beyond this many nodes single attempts are not worth their number.
const MAX_ATTEMPTS: usize = 64;

impl Search<'_> {
    pub(super) fn minimise(&mut self, k: usize, core: &mut Vec<Lit>) -> Result<(), StopReason> {
        let budget = self.options.minimise_conflicts;
        if !self.options.reason_minimisation || core.len() < 2 || k == 0 {
            return Ok(());
        }
        let counters = &mut self.counters;
        counters.minimise_chances += 1;
        let pays = if self.levels.len() > 3 {
            4 * counters.minimise_lost >= counters.minimise_tried
        } else {
            20 * counters.minimise_dropped >= counters.minimise_calls
        };
        if counters.minimise_calls > 100 && !pays && !counters.minimise_chances.is_multiple_of(16) {
            return Ok(());
        }
        let tried = core.len() as u64;
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
                self.failed_step = solver.failed_clause();
                let failed = solver.failed();
                let before = core.len();
                core.retain(|lit| failed.contains(lit));
                self.counters.minimise_dropped += 1;
                // Those behind the index that stay were found necessary already.
                index = index.min(core.len());
                debug_assert!(core.len() < before);
            }
        }
        self.counters.minimise_tried += tried;
        self.counters.minimise_lost += tried - core.len() as u64;
        Ok(())
    }
}
