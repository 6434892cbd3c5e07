//! Alpha-beta search with traces: Algorithm 2 of *Set Colouring Games* with the corrected rules for moves in elements that
//! are not monotone.
//!
//! A *trace* of a won position is a set of uncoloured elements that suffices for the winner: with the elements outside it
//! quantified against the winner, and the same number of elements, the winner still wins. The rules:
//! 1. decided position: the empty trace;
//! 2. winning move on `v` with child trace P: P and `v`;
//! 3. a rational move that loses with child trace P: every move outside P loses, too, so P is a *mustplay*;
//! 4. a move in an element that is not monotone gives no mustplay, its element joins the trace of a lost position;
//! 5. when nothing is left to try, the trace is the union of the child traces (and of those elements).

use super::decompose::parts;
use super::mask::Mask;
use super::position::{Move, Occurrence, index};
use super::reduce::element;
use super::search::Search;
use super::table::Value;
use crate::control::StopReason;

impl<const W: usize> Search<'_, W> {
    /// Solves the position on top of the stack, which it may change in place.
    ///
    /// With `root` set, the move that is returned wins in the position as it was, before any reduction: in games
    /// that are not isotone nothing is captured and nothing dominated there.
    pub(super) fn alpha_beta(&mut self, root: bool) -> Result<Value<W>, StopReason> {
        self.count()?;
        let began = self.nodes;

        // 1. Reduce.
        let careful = root && !self.position.occurrence(&self.position.scan()).isotone;
        let initial = self.position.is_initial();
        let reduced = self.reduce(!careful);
        let with_carriers = |mut value: Value<W>| {
            value.trace |= reduced.carriers[index(value.winner)];
            value.choice = reduced.first.or(value.choice);
            value
        };
        if let Some(winner) = reduced.winner {
            return Ok(with_carriers(Value { winner, trace: Mask::default(), choice: None }));
        }
        let occurrence = reduced.occurrence;

        // 2. Known, or known how to be won?
        let key = self.key(&occurrence);
        if !careful {
            if let Some(value) = self.recall(key) {
                return Ok(with_carriers(value));
            }
            if let Some(value) = self.paired() {
                return Ok(with_carriers(value));
            }
        }

        // 3. Parts, or moves.
        let parts = if self.options.decompose && occurrence.isotone { parts(&self.position) } else { None };
        let value = match parts {
            Some((player, parts)) => self.solve_parts(player, &parts)?,
            None => {
                let symmetric = initial && reduced.first.is_none() && reduced.carriers.iter().all(Mask::is_empty);
                self.solve_moves(key.0.0, &occurrence, careful, symmetric)?
            }
        };

        // 4. Remember.
        self.remember(key, &value, self.nodes - began);
        Ok(with_carriers(value))
    }

    /// Tries moves until one wins or none is left. `hash` is the position's.
    fn solve_moves(
        &mut self,
        hash: u64,
        occurrence: &Occurrence<W>,
        careful: bool,
        symmetric: bool,
    ) -> Result<Value<W>, StopReason> {
        let mover = self.position.turn();

        // 1. What need not be tried.
        let dropped = self.dropped.mark();
        let kept = if careful { self.position.live() } else { self.undominated(occurrence) };

        // 2. The rest, best first.
        let first = self.moves.len();
        self.list_moves(kept, occurrence);
        if occurrence.isotone
            && let Some(value) = self.outweighed()
        {
            self.moves.truncate(first);
            self.dropped.release(dropped);
            return Ok(value);
        }

        // 3. Try them; each rational one that fails narrows the mustplay.
        let mut mustplay = self.position.live();
        let mut pass = true;
        let mut lost = Mask::default();
        let mut won = None;
        let end = self.moves.len();
        let mut at = first;
        while at < self.moves.len() {
            let choice = self.moves[at].1;
            at += 1;
            let inside = match choice {
                Move::Colour(element, _) => mustplay.contains(usize::from(element)),
                Move::Pass => pass,
            };
            if !inside {
                continue;
            }
            let name = self.crew.and_then(|crew| crew.name(hash, choice, self.position.depth()));
            if at <= end && self.is_busy(name) {
                self.moves.push(self.moves[at - 1]);
                continue;
            }
            let child = self.solve_marked(choice, name)?;
            if child.winner == mover {
                self.history.record(&self.position, choice);
                won = Some(Value { winner: mover, trace: child.trace | element(choice), choice: Some(choice) });
                break;
            }
            lost |= child.trace;
            if !self.is_rational(choice, occurrence) {
                lost |= element(choice);
            } else if self.options.mustplay {
                mustplay &= child.trace;
                pass = false;
                // The images of a refuted move are refuted by the images of its trace.
                for symmetry in self.symmetries.iter().filter(|_| symmetric) {
                    mustplay &= symmetry.apply(child.trace);
                    lost |= symmetry.apply(child.trace);
                }
            }
        }
        self.moves.truncate(first);
        let value = won.unwrap_or_else(|| {
            self.dropped.close(dropped, &mut lost);
            Value { winner: !mover, trace: lost, choice: None }
        });
        self.dropped.release(dropped);
        Ok(value)
    }
}
