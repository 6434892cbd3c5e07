//! Several threads on one position: each runs the whole search, all share the table.
//!
//! What keeps them apart is a *virtual loss* (Kaneko, *Parallel depth first proof number search*, 2010, in a simpler form): a
//! position at which others are at work counts as harder by one than its proof numbers say, so the next thread prefers another one
//! of about the same promise. An open position is copied when it is entered, its proof numbers are told to the others whenever
//! they change, and whoever leaves it writes its copy back;
//! moves, mustplay and trace of a copy belong together, so whichever is written last is right, and what another copy knew is
//! found again in the verdicts of its children. The first that solves the position calls the others back.
//!
//! A greater loss keeps the threads further apart, and they waste more: half the proof number instead of one made 71,516 nodes of
//! 43,090 on the empty 8x8 board, an eighth 62,734, one thread needs 39,007.

use super::mirror::Place;
use super::search::{Outcome, Search, Tally};
use gamesat_core::control::{Control, Interrupt, StopReason};
use std::thread;

impl<const W: usize> Search<W> {
    /// Searches from the first state, which is filled and has this key, with all threads.
    ///
    /// # Errors
    /// The reason to stop before it is solved.
    pub(super) fn together(&mut self, place: Place, turn: usize, control: &Control) -> Result<Outcome<W>, StopReason> {
        let mut crew = std::mem::take(&mut self.crew);
        while crew.len() + 1 < self.options.graph_threads {
            let mut member = self.clone();
            member.paused = None;
            crew.push(member);
        }
        let done = Interrupt::new();
        let shared = control.with_interrupt(done.clone());
        for member in &mut crew {
            member.tally = Tally::default();
            member.before = Tally::default();
            if member.states.is_empty() {
                member.states.push(Default::default());
            }
            member.states[0].copy_from(&self.states[0]);
        }
        let finish = |result: Result<Outcome<W>, StopReason>| {
            if result.is_ok() {
                done.trigger();
            }
            result
        };
        let result = thread::scope(|scope| {
            let others: Vec<_> =
                crew.iter_mut().map(|member| scope.spawn(|| finish(member.alone(place, turn, &shared)))).collect();
            let mut result = finish(self.alone(place, turn, &shared));
            for other in others {
                match other.join() {
                    Ok(found) => result = result.or(found),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            result
        });
        for member in &crew {
            self.tally.expansions += member.tally.expansions;
            self.tally.by_connection += member.tally.by_connection;
            self.tally.hits += member.tally.hits;
        }
        self.crew = crew;
        result
    }
}
