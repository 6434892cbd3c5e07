//! Forgetting: the learned clauses of worst glue (Audemard & Simon 2009) go, and so do clauses that level 0 satisfies.

use super::clauses::{ClauseRef, Reason, Watch};
use super::{Cdcl, FALSE, TRUE};
use gamesat_core::formula::Lit;

/// Clauses up to this glue are kept for ever.
const KEEP_GLUE: u32 = 2;

impl Cdcl {
    pub(super) fn forgetting_is_due(&self) -> bool {
        self.learned_clauses >= self.learned_limit
    }

    /// Forgets half of the learned clauses and compacts the memory.
    pub(super) fn forget(&mut self) {
        let mut worst: Vec<ClauseRef> = self
            .store
            .refs()
            .into_iter()
            .filter(|&c| self.store.is_learned(c) && self.store.glue(c) > KEEP_GLUE && !self.is_reason(c))
            .collect();
        // Worst first; among equals the longer, then the older (the sort is stable).
        worst.sort_by_key(|&c| std::cmp::Reverse((self.store.glue(c), self.store.lits(c).len())));
        worst.truncate(worst.len() / 2);
        worst.sort_by_key(|&c| c.place());
        self.collect_garbage(&worst);
        self.learned_limit += self.learned_limit / 10;
    }

    fn is_reason(&self, clause: ClauseRef) -> bool {
        let first = self.store.lits(clause)[0];
        self.values[first.code()] == TRUE && self.reasons[first.var().index()] == Reason::Clause(clause)
    }

    /// Drops the clauses in `doomed` (in order of place) and those that are satisfied at level 0.
    fn collect_garbage(&mut self, doomed: &[ClauseRef]) {
        self.log_all_fixed();
        // Nobody asks for the reasons of level 0 any more; forget them, so that their clauses may go.
        let fixed = self.trail_limits.first().copied().unwrap_or(self.trail.len());
        for lit in &self.trail[..fixed] {
            self.reasons[lit.var().index()] = Reason::Decision;
        }
        let mut doomed = doomed.iter().copied().peekable();
        let (mut learned, mut values) = (0, std::mem::take(&mut self.values));
        let levels = &self.levels;
        let fixed_true = |lit: &Lit| values[lit.code()] == TRUE && levels[lit.var().index()] == 0;
        let new = self.store.collect(|store, clause| {
            if doomed.next_if_eq(&clause).is_some() || store.lits(clause).iter().any(fixed_true) {
                return false;
            }
            learned += usize::from(store.is_learned(clause));
            true
        });
        std::mem::swap(&mut self.values, &mut values);
        for list in &mut self.watches {
            list.retain_mut(|watch| match watch.clause() {
                None => true,
                Some(clause) => match self.store.moved_to(clause) {
                    None => false,
                    Some(to) => {
                        *watch = Watch::long(to, watch.blocker);
                        true
                    }
                },
            });
        }
        for lit in &self.trail[fixed..] {
            if let Reason::Clause(clause) = &mut self.reasons[lit.var().index()] {
                *clause = self.store.moved_to(*clause).expect("a reason is never forgotten");
            }
        }
        if let Some(log) = &mut self.log {
            let moved = self.store.refs().into_iter();
            log.relocate(moved.filter_map(|clause| Some((clause, self.store.moved_to(clause)?))));
        }
        self.learned_clauses = learned;
        self.store = new;
        debug_assert!(self.trail.iter().all(|lit| self.values[(!*lit).code()] == FALSE));
    }
}
