//! The transposition table: solved positions under two independent 64-bit hashes.
//!
//! One hash says where to look, the other must agree in full, so a false hit needs a collision of both. What is stored is
//! the winner, the trace and the winning move of the *reduced* position; carriers of this path's reductions are added by the
//! one who asks. Two places in a row form a bucket; the entry that took fewer nodes gives way.
//! Memory is asked for zeroed, so pages that are never touched cost nothing.

use super::mask::Mask;
use super::position::Move;
use crate::formula::Player;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value<const W: usize> {
    pub(super) winner: Player,
    /// Elements that suffice for the winner.
    pub(super) trace: Mask<W>,
    /// A winning move, if the player to move wins and one was singled out.
    pub(super) choice: Option<Move>,
}

/// Winner, move and effort in one word; 0 is a free place.
const FILLED: u64 = 1;

pub(super) struct Table<const W: usize> {
    checks: Vec<u64>,
    traces: Vec<u64>,
    notes: Vec<u64>,
    mask: usize,
    pub(super) hits: u64,
    pub(super) stores: u64,
}

impl<const W: usize> Table<W> {
    /// A table of at most this many MiB; 0 for one that never stores anything.
    pub(super) fn new(mebibytes: usize) -> Self {
        let entries = (mebibytes << 20) / (8 * (W + 2));
        // The largest power of two that fits.
        let entries = if entries < 2 { 0 } else { 1 << entries.ilog2() };
        Table {
            checks: vec![0; entries],
            traces: vec![0; entries * W],
            notes: vec![0; entries],
            mask: entries.saturating_sub(1),
            hits: 0,
            stores: 0,
        }
    }

    pub(super) fn probe(&mut self, (place, check): (u64, u64)) -> Option<Value<W>> {
        if self.notes.is_empty() {
            return None;
        }
        let first = place as usize & self.mask;
        let at = [first, first ^ 1].into_iter().find(|&at| self.notes[at] != 0 && self.checks[at] == check)?;
        self.hits += 1;
        let mut trace = Mask::default();
        trace.0.copy_from_slice(&self.traces[at * W..][..W]);
        let note = self.notes[at];
        let winner = if note & 2 != 0 { Player::Max } else { Player::Min };
        let choice = match note >> 2 & 3 {
            0 => None,
            1 => Some(Move::Pass),
            colour => Some(Move::Colour((note >> 16) as u16, colour == 3)),
        };
        Some(Value { winner, trace, choice })
    }

    /// Stores a value that took this many nodes.
    pub(super) fn store(&mut self, (place, check): (u64, u64), value: &Value<W>, nodes: u64) {
        if self.notes.is_empty() {
            return;
        }
        self.stores += 1;
        let first = place as usize & self.mask;
        let effort = |at: usize| if self.checks[at] == check { 0 } else { self.notes[at] >> 32 };
        let at = if effort(first) <= effort(first ^ 1) { first } else { first ^ 1 };
        let choice = match value.choice {
            None => 0,
            Some(Move::Pass) => 1 << 2,
            Some(Move::Colour(element, colour)) => u64::from(element) << 16 | if colour { 3 << 2 } else { 2 << 2 },
        };
        let winner = u64::from(value.winner == Player::Max) << 1;
        self.notes[at] = FILLED | winner | choice | nodes.min(u64::from(u32::MAX)) << 32;
        self.checks[at] = check;
        self.traces[at * W..][..W].copy_from_slice(&value.trace.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_stored() {
        let mut table = Table::<2>::new(1);
        let choices = [None, Some(Move::Pass), Some(Move::Colour(77, true)), Some(Move::Colour(65_000, false))];
        for (number, choice) in choices.into_iter().enumerate() {
            for winner in [Player::Max, Player::Min] {
                let value = Value { winner, trace: Mask([number as u64, 7]), choice };
                let key = (number as u64 * 8, winner as u64 + 10);
                assert_eq!(table.probe(key), None);
                table.store(key, &value, 5);
                assert_eq!(table.probe(key), Some(value));
            }
        }
        assert_eq!(table.hits, 8);
    }

    #[test]
    fn costly_entries_stay() {
        let mut table = Table::<1>::new(1);
        let value = |bit| Value { winner: Player::Max, trace: Mask::single(bit), choice: None };
        table.store((0, 1), &value(1), 1000);
        table.store((0, 2), &value(2), 10);
        table.store((0, 3), &value(3), 1);
        assert_eq!(table.probe((0, 1)), Some(value(1)));
        assert_eq!(table.probe((0, 2)), None);
        assert_eq!(table.probe((0, 3)), Some(value(3)));
    }

    #[test]
    fn no_table_is_a_table_that_forgets() {
        let mut table = Table::<1>::new(0);
        table.store((1, 1), &Value { winner: Player::Max, trace: Mask::default(), choice: None }, 1);
        assert_eq!(table.probe((1, 1)), None);
    }
}
