//! Alpha-beta search with traces: Algorithm 2 of *Set Colouring Games*, by the rules in [`mustplay`](super::mustplay).

use super::domination::Mark;
use super::entry::{Entry, Open};
use super::mustplay::Mustplay;
use super::reduce::element;
use super::search::Search;
use super::table::Value;
use gamesat_core::control::StopReason;

impl<const W: usize> Search<'_, W> {
    /// Solves the position on top of the stack, which it may change in place. See [`Search::arrive`] on `root`.
    pub(super) fn alpha_beta(&mut self, root: bool) -> Result<Value<W>, StopReason> {
        // 1. Reduce; known, or known how to be won?
        let open = match self.enter(root)? {
            Entry::Solved(value) => return Ok(value),
            Entry::Open(open) => open,
        };

        // 2. Parts, or moves.
        let value = match self.parts(&open) {
            Some((player, parts)) => self.solve_parts(player, &parts)?,
            None => match self.solve_factors(&open)? {
                Some(value) => value,
                None => self.solve_moves(&open)?,
            },
        };

        // 3. Remember.
        Ok(self.leave(&open, &value))
    }

    /// Tries moves until one wins or none is left.
    fn solve_moves(&mut self, open: &Open<W>) -> Result<Value<W>, StopReason> {
        let mover = self.position.turn();
        let occurrence = &open.reduced.occurrence;

        // 1. What need not be tried.
        let dropped = self.dropped.mark();
        let kept = if open.careful { self.position.live() } else { self.undominated(occurrence) };

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
        let mut mustplay = Mustplay::new(self.position.live(), self.options.mustplay);
        let mut won = None;
        let end = self.moves.len();
        let mut at = first;
        while at < self.moves.len() {
            let choice = self.moves[at].1;
            at += 1;
            if !mustplay.allows(choice) {
                continue;
            }
            let name = self.crew.and_then(|crew| crew.name(open.key.0.0, choice, self.position.depth()));
            if at <= end && self.is_busy(name) {
                self.moves.push(self.moves[at - 1]);
                continue;
            }
            let child = self.solve_marked(choice, name)?;
            if child.winner == mover {
                self.known.history.record(self.position, choice);
                won = Some(Value { winner: mover, trace: child.trace | element(choice), choice: Some(choice) });
                break;
            }
            if mustplay.refute(choice, self.is_rational(choice, occurrence), child.trace) && open.symmetric {
                self.known.symmetries.iter().for_each(|symmetry| mustplay.refute_image(symmetry.apply(child.trace)));
            }
        }
        self.moves.truncate(first);
        let value = won.unwrap_or_else(|| self.lost(&mustplay, dropped));
        self.dropped.release(dropped);
        Ok(value)
    }

    /// The value of a position in which every move is refuted, with the moves that were dropped since a mark.
    pub(super) fn lost(&self, mustplay: &Mustplay<W>, dropped: Mark) -> Value<W> {
        let mut trace = mustplay.lost();
        self.dropped.close(dropped, &mut trace);
        Value { winner: !self.position.turn(), trace, choice: None }
    }
}
