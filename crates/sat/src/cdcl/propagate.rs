//! Unit propagation with two watched literals per clause (Moskewicz et al. 2001), blockers, and binary clauses kept in
//! the watch lists alone.

use super::analyse::Conflict;
use super::clauses::{Reason, Watch};
use super::{Cdcl, FALSE, OPEN, TRUE};
use gamesat_core::formula::Lit;

impl Cdcl {
    /// Makes a literal true that has no value yet.
    #[inline]
    pub(super) fn enqueue(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.values[lit.code()], OPEN);
        self.values[lit.code()] = TRUE;
        self.values[(!lit).code()] = FALSE;
        self.levels[lit.var().index()] = self.trail_limits.len() as u32;
        self.reasons[lit.var().index()] = reason;
        self.trail.push(lit);
    }

    /// Draws every consequence of the literals on the trail, or finds a falsified clause.
    pub(super) fn propagate(&mut self) -> Option<Conflict> {
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            self.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[falsified.code()]);
            let conflict = self.visit(falsified, &mut watches);
            self.watches[falsified.code()] = watches;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Looks at every clause that watches the literal, which just became false. Clauses that find another literal to
    /// watch leave the list.
    fn visit(&mut self, falsified: Lit, watches: &mut Vec<Watch>) -> Option<Conflict> {
        let mut conflict = None;
        let (mut next, mut kept) = (0, 0);
        'watches: while next < watches.len() {
            let watch = watches[next];
            next += 1;
            watches[kept] = watch;
            kept += 1;
            let value = self.values[watch.blocker.code()];
            if value == TRUE {
                continue;
            }
            let Some(clause) = watch.clause() else {
                if value == FALSE {
                    conflict = Some(Conflict::Binary(falsified, watch.blocker));
                    break;
                }
                self.enqueue(watch.blocker, Reason::Binary(falsified));
                continue;
            };
            let lits = self.store.lits_mut(clause);
            if lits[0] == falsified {
                lits.swap(0, 1);
            }
            let first = lits[0];
            let value = self.values[first.code()];
            if value == TRUE {
                watches[kept - 1] = Watch::long(clause, first);
                continue;
            }
            for i in 2..lits.len() {
                if self.values[lits[i].code()] != FALSE {
                    lits.swap(1, i);
                    self.watches[lits[1].code()].push(Watch::long(clause, first));
                    kept -= 1;
                    continue 'watches;
                }
            }
            if value == FALSE {
                conflict = Some(Conflict::Clause(clause));
                break;
            }
            self.enqueue(first, Reason::Clause(clause));
        }
        self.visits += next as u64;
        watches.drain(kept..next);
        conflict
    }
}
