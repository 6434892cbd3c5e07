//! Unit propagation for both players with two watched literals per constraint (Gent, Giunchiglia, Narizzano, Rowley and
//! Tacchella, "Watched data structures for QBF solvers", 2003).
//!
//! A constraint *forces* its owner's literal if that is the owner's only open one, no literal is true, and every open
//! literal of the other player is of a deeper block: the other player will make those false. It *fails* if no literal is
//! true and none of the owner's is open. Watched are two open literals: two of the owner, or one of the owner and one of
//! the other player from a block before it. While both are open the constraint neither forces nor fails.
//!
//! A false watched literal may stay if some literal is true that was so when the watched one became false: whatever opens
//! the true one again opens the false one, too. Where both watches have to move, the entry in the list of the second stays
//! behind and is dropped when it is next met.

use super::constraints::{Place, Watch};
use super::{FALSE, OPEN, Search, TRUE};
use gamesat_core::formula::{Lit, Quantifier};

impl Search<'_> {
    /// Makes an open literal true.
    #[inline]
    pub(super) fn enqueue(&mut self, lit: Lit, reason: Option<Place>) {
        debug_assert_eq!(self.values[lit.code()], OPEN);
        self.values[lit.code()] = TRUE;
        self.values[(!lit).code()] = FALSE;
        self.levels[lit.var().index()] = self.decisions.len() as u32;
        self.reasons[lit.var().index()] = reason;
        self.trail.push(lit);
    }

    /// Draws every consequence of the literals on the trail, or finds a constraint that fails.
    pub(super) fn propagate(&mut self) -> Option<Place> {
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            self.counters.propagations += 1;
            let mut watches = std::mem::take(&mut self.watches[falsified.code()]);
            let failed = self.visit(falsified, &mut watches);
            // While the list was out, constraints that moved both watches cannot have come back to this false literal.
            debug_assert!(self.watches[falsified.code()].is_empty());
            self.watches[falsified.code()] = watches;
            if failed.is_some() {
                self.head = self.trail.len();
                return failed;
            }
        }
        None
    }

    /// Looks at every constraint that watches the literal, which just became false.
    fn visit(&mut self, falsified: Lit, watches: &mut Vec<Watch>) -> Option<Place> {
        let mut failed = None;
        let (mut next, mut kept) = (0, 0);
        while next < watches.len() {
            let watch = watches[next];
            next += 1;
            if self.values[watch.blocker.code()] == TRUE {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            match self.look(falsified, watch.constraint) {
                Look::Left => {}
                Look::True(blocker) => {
                    watches[kept] = Watch { blocker, ..watch };
                    kept += 1;
                }
                Look::Forces(lit) => {
                    watches[kept] = Watch { blocker: lit, ..watch };
                    kept += 1;
                    self.enqueue(lit, Some(watch.constraint));
                }
                Look::Fails => {
                    watches[kept] = watch;
                    kept += 1;
                    failed = Some(watch.constraint);
                    break;
                }
            }
        }
        self.work += 1 + 2 * next as u64;
        watches.drain(kept..next);
        failed
    }

    #[inline]
    fn look(&mut self, falsified: Lit, constraint: Place) -> Look {
        let owner = self.constraints.owner(constraint);
        let lits = self.constraints.lits_mut(constraint);
        if lits[0] == falsified {
            lits.swap(0, 1);
        }
        if lits[1] != falsified {
            return Look::Left; // an entry that was left behind
        }
        let other = lits[0];
        match self.values[other.code()] {
            TRUE => return Look::True(other),
            OPEN if self.owner[other.var().index()] == owner => {}
            _ => return self.look_everywhere(falsified, constraint, owner),
        }
        // The usual case: one of the owner's is open. Any other open one of the owner will do beside it, and so will one
        // of the other player from a block before it.
        let block = self.block[other.var().index()];
        for i in 2..lits.len() {
            let lit = lits[i];
            match self.values[lit.code()] {
                TRUE => return Look::True(lit),
                OPEN if self.owner[lit.var().index()] == owner || self.block[lit.var().index()] < block => {
                    lits.swap(1, i);
                    self.watches[lit.code()].push(Watch { constraint, blocker: other });
                    return Look::Left;
                }
                _ => {}
            }
        }
        Look::Forces(other)
    }

    /// Finds two new literals to watch; `falsified` is the second of the watched, and the first is no open one of the
    /// owner.
    fn look_everywhere(&mut self, falsified: Lit, constraint: Place, owner: Quantifier) -> Look {
        let (values, block) = (&self.values, &self.block);
        let lits = self.constraints.lits_mut(constraint);
        let block_of = |lit: Lit| block[lit.var().index()];
        // Two open literals of the owner, and the other player's outermost open one.
        let (mut first, mut second, mut outermost): (Option<usize>, Option<usize>, Option<usize>) = (None, None, None);
        for (i, &lit) in lits.iter().enumerate() {
            match values[lit.code()] {
                TRUE => return Look::True(lit),
                OPEN if self.owner[lit.var().index()] == owner => {
                    if first.is_none() {
                        first = Some(i);
                    } else {
                        second = second.or(Some(i));
                    }
                }
                OPEN if outermost.is_none_or(|i: usize| block_of(lits[i]) > block_of(lit)) => outermost = Some(i),
                _ => {}
            }
        }
        let Some(first) = first else { return Look::Fails };
        let forced = lits[first];
        let second = second.or(outermost.filter(|&i| block_of(lits[i]) < block_of(forced)));
        let Some(second) = second else {
            // Beside the forced literal one that became false on this level stays watched: the one at hand, if the pair
            // would be a proper one, and otherwise the first, which is the owner's and has not been looked at yet - or
            // which is the other player's, and then the one at hand is the owner's.
            let at_hand = self.owner[falsified.var().index()] == owner || block_of(falsified) < block_of(forced);
            let (stays, leaves) = if at_hand { (1, 0) } else { (0, 1) };
            lits.swap(first, leaves);
            debug_assert!(self.owner[lits[stays].var().index()] == owner || at_hand);
            let blocker = lits[stays];
            self.watches[forced.code()].push(Watch { constraint, blocker });
            return if at_hand {
                Look::Forces(forced)
            } else {
                self.enqueue(forced, Some(constraint));
                Look::Left
            };
        };
        let (other, pair) = (lits[0], [lits[first], lits[second]]);
        for (place, lit) in pair.into_iter().enumerate() {
            let from = lits.iter().position(|&other| other == lit).unwrap_or(place);
            lits.swap(place, from);
        }
        for (lit, blocker) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            if lit != other {
                self.watches[lit.code()].push(Watch { constraint, blocker });
            }
        }
        Look::Left
    }
}

/// What a look at a constraint shows.
enum Look {
    /// It is not watched here any more.
    Left,
    /// A literal is true.
    True(Lit),
    /// Its owner has to make this literal true.
    Forces(Lit),
    /// Its owner has lost.
    Fails,
}
