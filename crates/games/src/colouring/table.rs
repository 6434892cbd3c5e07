//! The transposition table: solved positions under two independent 64-bit hashes.
//!
//! One hash says where to look, the other must agree in full, so a false hit needs a collision of both. What is stored is
//! the winner, the trace and the winning move of the *reduced* position; carriers of this path's reductions are added by the
//! one who asks. Two places in a row form a bucket; the entry that took fewer nodes gives way.
//! Memory is asked for zeroed, so pages that are never touched cost nothing.
//!
//! Threads share a table by handles. It is cut into shards with a lock each; a lock that nobody else wants takes some
//! nanoseconds, a node of the search microseconds.

use super::mask::Mask;
use super::position::Move;
use gamesat_core::formula::Player;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value<const W: usize> {
    /// Who wins.
    pub winner: Player,
    /// Elements that suffice for the winner.
    pub trace: Mask<W>,
    /// A winning move, if the player to move wins and one was singled out.
    pub choice: Option<Move>,
}

/// Winner, move and effort in one word; 0 is a free place.
const FILLED: u64 = 1;

/// Shards of a table that threads share; a power of two.
const SHARDS: usize = 64;

/// A handle on a table, with what was asked through it.
pub struct Table<const W: usize> {
    shards: Arc<[Mutex<Shard<W>>]>,
    pub(super) hits: u64,
    pub(super) stores: u64,
}

struct Shard<const W: usize> {
    /// Of each entry the note, the check and the trace, side by side: an entry that was never touched costs one miss.
    words: Vec<u64>,
    mask: usize,
}

impl<const W: usize> Table<W> {
    /// A table of at most this many MiB; 0 for one that never stores anything.
    pub fn new(mebibytes: usize) -> Self {
        Self::with_shards(mebibytes, 1)
    }

    /// A table that many threads can use at once.
    pub(super) fn for_threads(mebibytes: usize) -> Self {
        Self::with_shards(mebibytes, SHARDS)
    }

    fn with_shards(mebibytes: usize, shards: usize) -> Self {
        let entries = (mebibytes << 20) / (8 * (W + 2)) / shards;
        // The largest power of two that fits.
        let entries = if entries < 2 { 0 } else { 1 << entries.ilog2() };
        Table { shards: (0..shards).map(|_| Mutex::new(Shard::new(entries))).collect(), hits: 0, stores: 0 }
    }

    /// Another handle on the same table.
    pub(super) fn share(&self) -> Self {
        Table { shards: Arc::clone(&self.shards), hits: 0, stores: 0 }
    }

    /// The shard of a place. The low bits of a place say where in the shard.
    fn shard(&self, place: u64) -> MutexGuard<'_, Shard<W>> {
        let number = (place >> 32) as usize & (self.shards.len() - 1);
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known under these hashes.
    pub fn probe(&mut self, (place, check): (u64, u64)) -> Option<Value<W>> {
        let value = self.shard(place).probe(place, check);
        self.hits += u64::from(value.is_some());
        value
    }

    /// Stores a value that took this many nodes.
    pub fn store(&mut self, (place, check): (u64, u64), value: &Value<W>, nodes: u64) {
        let stored = self.shard(place).store(place, check, value, nodes);
        self.stores += u64::from(stored);
    }
}

impl<const W: usize> Shard<W> {
    fn new(entries: usize) -> Self {
        Shard { words: vec![0; entries * (W + 2)], mask: entries.saturating_sub(1) }
    }

    #[inline]
    fn note(&self, at: usize) -> u64 {
        self.words[at * (W + 2)]
    }

    #[inline]
    fn check(&self, at: usize) -> u64 {
        self.words[at * (W + 2) + 1]
    }

    fn probe(&self, place: u64, check: u64) -> Option<Value<W>> {
        if self.words.is_empty() {
            return None;
        }
        let first = place as usize & self.mask;
        let at = [first, first ^ 1].into_iter().find(|&at| self.note(at) != 0 && self.check(at) == check)?;
        let mut trace = Mask::default();
        trace.0.copy_from_slice(&self.words[at * (W + 2) + 2..][..W]);
        let note = self.note(at);
        let winner = if note & 2 != 0 { Player::Max } else { Player::Min };
        let choice = match note >> 2 & 3 {
            0 => None,
            1 => Some(Move::Pass),
            colour => Some(Move::Colour((note >> 16) as u16, colour == 3)),
        };
        Some(Value { winner, trace, choice })
    }

    /// Whether there is room for anything at all.
    fn store(&mut self, place: u64, check: u64, value: &Value<W>, nodes: u64) -> bool {
        if self.words.is_empty() {
            return false;
        }
        let first = place as usize & self.mask;
        let effort = |at: usize| if self.check(at) == check { 0 } else { self.note(at) >> 32 };
        let at = if effort(first) <= effort(first ^ 1) { first } else { first ^ 1 };
        let choice = match value.choice {
            None => 0,
            Some(Move::Pass) => 1 << 2,
            Some(Move::Colour(element, colour)) => u64::from(element) << 16 | if colour { 3 << 2 } else { 2 << 2 },
        };
        let winner = u64::from(value.winner == Player::Max) << 1;
        let entry = &mut self.words[at * (W + 2)..][..W + 2];
        entry[0] = FILLED | winner | choice | nodes.min(u64::from(u32::MAX)) << 32;
        entry[1] = check;
        entry[2..].copy_from_slice(&value.trace.0);
        true
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

    #[test]
    fn threads_see_what_others_stored() {
        let table = Table::<1>::for_threads(1);
        let value = |number: u64| Value { winner: Player::Min, trace: Mask([number]), choice: None };
        let key = |number: u64| ((number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15), !number);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let mut table = table.share();
                scope.spawn(move || (0..200).for_each(|n| table.store(key(4 * n + thread), &value(4 * n + thread), 1)));
            }
        });
        let mut table = table.share();
        let found = (0..800).filter(|&number| table.probe(key(number)) == Some(value(number))).count();
        assert!(found > 700, "{found}");
    }
}
