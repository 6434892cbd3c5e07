//! Several threads on one game: every one runs the whole search, and they share the transposition table.
//!
//! They would all do the same, were it not for one rule, T. Kerrigan's simplification of ABDADA (J.-C. Weill, 1996): a
//! move that another thread is searching at this moment is put off until the other moves of the position are done. By
//! then its result is mostly in the table, or a mustplay has ruled it out. The first thread that knows the answer stops
//! the others. Which thread that is depends on chance, and so do the move and the trace; the verdict does not.

use super::position::Move;
use super::search::Search;
use super::table::Value;
use gamesat_core::control::{Interrupt, StopReason};
use std::sync::atomic::{AtomicU64, Ordering};

/// Moves that can be marked at once; a power of two, and far more than are.
const PLACES: usize = 1 << 12;
/// Beyond this depth the table alone keeps threads from doing the same: a move there is soon searched.
const DEEPEST: usize = 24;

/// What threads on one game know of each other.
pub(super) struct Crew {
    busy: Vec<AtomicU64>,
    /// Set by the first thread that knows the answer.
    pub(super) done: Interrupt,
}

impl Crew {
    pub(super) fn new() -> Self {
        Crew { busy: (0..PLACES).map(|_| AtomicU64::new(0)).collect(), done: Interrupt::new() }
    }

    /// The name of a move in a position with this hash, or `None` where it is too deep to care.
    pub(super) fn name(&self, position: u64, choice: Move, depth: usize) -> Option<u64> {
        let number = match choice {
            Move::Colour(element, colour) => 4 * u64::from(element) + 2 * u64::from(colour) + 1,
            Move::Pass => 2,
        };
        let name = (position ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (depth <= DEEPEST).then_some(name | 1)
    }

    fn place(&self, name: u64) -> &AtomicU64 {
        &self.busy[(name >> 40) as usize & (PLACES - 1)]
    }

    /// Whether another thread is searching the move.
    pub(super) fn is_busy(&self, name: u64) -> bool {
        self.place(name).load(Ordering::Relaxed) == name
    }

    /// Marks a move as being searched. False if its place is taken; then nothing is to be unmarked.
    pub(super) fn begin(&self, name: u64) -> bool {
        self.place(name).compare_exchange(0, name, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Takes the mark away.
    pub(super) fn end(&self, name: u64) {
        self.place(name).store(0, Ordering::Relaxed);
    }
}

impl<const W: usize> Search<'_, W> {
    /// Whether another thread is searching the move of this name.
    #[inline]
    pub(super) fn is_busy(&self, name: Option<u64>) -> bool {
        self.crew.zip(name).is_some_and(|(crew, name)| crew.is_busy(name))
    }

    /// Solves the position after a move, and lets the other threads know.
    #[inline]
    pub(super) fn solve_marked(&mut self, choice: Move, name: Option<u64>) -> Result<Value<W>, StopReason> {
        let marked = self.crew.zip(name).filter(|(crew, name)| crew.begin(*name));
        let value = self.solve_child(choice);
        if let Some((crew, name)) = marked {
            crew.end(name);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_between_its_marks() {
        let crew = Crew::new();
        let name = crew.name(77, Move::Colour(3, true), 0).unwrap();
        assert!(!crew.is_busy(name));
        assert!(crew.begin(name));
        assert!(crew.is_busy(name) && !crew.begin(name));
        assert!(!crew.is_busy(crew.name(77, Move::Colour(3, false), 0).unwrap()));
        crew.end(name);
        assert!(!crew.is_busy(name));
        assert_eq!(crew.name(77, Move::Pass, DEEPEST + 1), None);
    }
}
