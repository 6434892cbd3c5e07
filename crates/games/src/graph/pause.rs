//! A search that stops for a while and goes on where it was.
//!
//! Whoever begins again at the root goes to the position that is the most promising one now, and the thresholds that let a search
//! stay for a while with what it has begun are lost: in slices of 100 expansions the opening g1 of 8x8 Hex took 243,999 instead of
//! 66,968. So the positions from the root to where the search is are kept with their thresholds. Meanwhile others may have told
//! something: what lies below a position that is solved by now is left.

use super::fill::State;
use super::mirror::Place;
use super::news::Fact;
use super::search::{Frame, Outcome, Search};
use gamesat_core::control::{Control, StopReason};
use gamesat_rows::mask::Mask;
use std::ops::ControlFlow;

/// A search that has stopped for a while.
#[derive(Clone)]
pub(super) struct Paused<const W: usize> {
    /// The stones of the position that was asked for, and what fill has captured there.
    own: [Mask<W>; 2],
    captured: [Mask<W>; 2],
    place: Place,
    turn: usize,
    frames: Vec<Frame<W>>,
    states: Vec<State<W>>,
}

impl<const W: usize> std::fmt::Debug for Paused<W> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "paused at depth {}", self.frames.len())
    }
}

impl<const W: usize> Search<W> {
    /// Goes on with a position, which need not be filled, for some expansions: with [`StopReason::Nodes`] the next call goes on
    /// where this one has stopped.
    ///
    /// # Errors
    /// The reason to stop before it is solved.
    pub(super) fn go_on(
        &mut self,
        root: &State<W>,
        turn: usize,
        expansions: u64,
        control: &Control,
    ) -> Result<Outcome<W>, StopReason> {
        let paused = self.paused.take_if(|paused| paused.own == root.own && paused.turn == turn);
        let (place, captured, mut frames) = match paused.map(|paused| *paused) {
            Some(Paused { place, captured, frames, states, .. }) => {
                self.states = states;
                (place, captured, frames)
            }
            None => {
                self.forget_way();
                let (place, captured) = match self.arrive(root, turn) {
                    ControlFlow::Continue(arrived) => arrived,
                    ControlFlow::Break(decided) => return Ok(decided),
                };
                (place, captured, vec![self.first_frame(place, turn)])
            }
        };
        let with = |outcome: Outcome<W>| Outcome { trace: outcome.trace | captured[outcome.winner], ..outcome };
        // What the others have solved.
        if let Some(solved) = frames.iter().position(|frame| self.table.verdict(frame.place.key).is_some()) {
            frames.drain(solved..).for_each(|frame| self.leave(frame));
            if frames.is_empty()
                && let Some(found) = self.table.verdict(place.key)
            {
                let (winner, trace) = (usize::from(found.winner), self.seen(place, found.trace));
                return Ok(with(Outcome { winner, trace, cell: None }));
            }
        }
        let result = self.within(expansions, |search| search.run(&mut frames, control));
        if matches!(result, Err(StopReason::Nodes)) {
            let states = std::mem::take(&mut self.states);
            self.paused = Some(Box::new(Paused { own: root.own, captured, place, turn, frames, states }));
        } else {
            frames.into_iter().for_each(|frame| self.leave(frame));
        }
        result.map(with)
    }

    /// Leaves the way on which the search has stopped, if it has; what is known of its positions is kept.
    pub(super) fn forget_way(&mut self) {
        if let Some(paused) = self.paused.take() {
            paused.frames.into_iter().for_each(|frame| self.leave(frame));
        }
    }

    /// The positions from the root to where the search has stopped, and what is known of each.
    pub(super) fn way(&self) -> Vec<Fact> {
        self.paused.as_ref().map_or(Vec::new(), |paused| paused.frames.iter().map(|frame| self.stands(frame)).collect())
    }
}
