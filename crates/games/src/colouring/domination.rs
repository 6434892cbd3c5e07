//! Dominated moves: of two elements one may be at least as good as the other, and the other need not be tried.
//!
//! Theorem (*Set Colouring Games* ch. 8): if a player, moving first, wins the game on the rows cut down to S (a dead element
//! added if |S| is even), then every winning first move there is at least as good for that player as every move in S.
//! In an isotone game the opponent, too, may skip the moves that lose the local game, because they are reversible.
//! For pairs: occ(b) ⊆ occ(a) in the rows of either player lets *both* players drop `b` in favour of `a`.
//!
//! A move is dropped only in favour of one that is not dropped yet, so that chains of reasons end at a move that is tried.
//!
//! Trace: if a dropped element lies in the trace of the lost position, a dominating one has to be in it, too: were it given
//! to the loser, the dropped one would no longer be dominated.

use super::companions::Companions;
use super::mask::Mask;
use super::position::Position;
use gamesat_core::formula::Player;

/// Dropped elements in the order in which they were dropped, each with those in whose favour it may have been.
pub(super) struct Dropped<const W: usize> {
    list: Vec<(u16, Mask<W>)>,
}

/// Where a position's entries begin.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl<const W: usize> Dropped<W> {
    pub(super) fn new() -> Self {
        Dropped { list: Vec::new() }
    }

    /// Where the next position's entries begin.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.list.len())
    }

    /// Forgets the entries since a mark.
    pub(super) fn release(&mut self, mark: Mark) {
        self.list.truncate(mark.0);
    }

    /// Drops dominated elements of an isotone position; returns the others.
    pub(super) fn drop_isotone(&mut self, position: &Position<W>, companions: &Companions<W>) -> Mask<W> {
        let mut kept = position.live();
        for b in position.live().iter() {
            let mut better = Mask::default();
            for player in [Player::Max, Player::Min] {
                if position.form(player).is_some() {
                    better |= companions.of(player, b);
                }
            }
            better &= kept;
            better.remove(b);
            if !better.is_empty() {
                kept.remove(b);
                self.list.push((b as u16, better));
            }
        }
        kept
    }

    /// Drops dominated elements of a position that is not isotone, if the player to move makes the last move; returns the
    /// others. A pair {a, b} is dominated by the literal of `a` that is in every row of the player with `a` or `b`.
    pub(super) fn drop_general(&mut self, position: &Position<W>) -> Mask<W> {
        let mut kept = position.live();
        let mover = position.turn();
        let Some(form) = position.form(mover) else { return kept };
        if position.last_mover() != mover {
            return kept;
        }
        let present = form.scan().present;
        let steady = position.allowed(mover, present.minus(present.negated()));
        for b in position.live().iter() {
            let mut better = steady;
            for literal in [position.literal(b, true), position.literal(b, false)] {
                for row in form.rows_with(literal) {
                    better &= row;
                }
            }
            let mut better = position.elements(better) & kept;
            better.remove(b);
            if !better.is_empty() {
                kept.remove(b);
                self.list.push((b as u16, better));
            }
        }
        kept
    }

    /// How many elements were dropped since a mark.
    pub(super) fn since(&self, mark: Mark) -> usize {
        self.list.len() - mark.0
    }

    /// Adds dominating elements to the trace of a lost position.
    pub(super) fn close(&self, mark: Mark, trace: &mut Mask<W>) {
        // Reasons were dropped later than what they are a reason for, so one pass in order is enough.
        for (element, better) in &self.list[mark.0..] {
            if trace.contains(usize::from(*element))
                && !trace.intersects(better)
                && let Some(one) = better.lowest()
            {
                trace.insert(one);
            }
        }
    }
}
