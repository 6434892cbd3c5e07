//! The transposition table: proven bounds of positions, shared by all threads without locks.
//!
//! An entry is two words, the facts and the position's check word combined with them by exclusive or, so that an entry of
//! which another thread has written one half is recognised as foreign (Hyatt and Mann, *A lock-less transposition-table
//! implementation for parallel search*, 2002). Entries stand in pairs: one keeps what took the most work, the other
//! whatever came last.

use crate::rules::sequential::{Key, Move};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Depth of facts about the whole game.
pub(super) const COMPLETE: u8 = u8::MAX;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) least: i16,
    pub(super) greatest: i16,
    /// The best move, if it is known.
    pub(super) best: Option<Move>,
    /// To which depth this is true.
    pub(super) depth: u8,
    /// Binary logarithm of the nodes it took.
    pub(super) work: u8,
}

impl Facts {
    fn pack(self) -> u64 {
        let best = self.best.map_or(0, |mv| mv + 1);
        u64::from(self.least as u16)
            | u64::from(self.greatest as u16) << 16
            | u64::from(best) << 32
            | u64::from(self.depth) << 48
            // Never 0, which is an empty entry.
            | u64::from(self.work + 1) << 56
    }

    fn unpack(word: u64) -> Self {
        let best = (word >> 32) as u16;
        Facts {
            least: word as u16 as i16,
            greatest: (word >> 16) as u16 as i16,
            best: best.checked_sub(1),
            depth: (word >> 48) as u8,
            work: ((word >> 56) as u8).wrapping_sub(1),
        }
    }
}

/// Pairs of entries.
#[derive(Debug)]
pub(super) struct Table {
    words: Vec<AtomicU64>,
    /// Number of pairs less one, a mask.
    mask: u64,
}

const PAIR: usize = 4;

impl Table {
    /// A table of at most so many MiB, and no larger than a game of so many plies can use.
    pub(super) fn new(mebibytes: usize, plies: usize) -> Self {
        let most = (mebibytes.max(1) << 20) / (PAIR * 8);
        let useful = 1usize << plies.clamp(6, 40);
        let pairs = 1usize << most.min(useful).ilog2();
        let words = (0..pairs * PAIR).map(|_| AtomicU64::new(0)).collect();
        Table { words, mask: pairs as u64 - 1 }
    }

    /// Number of pairs.
    pub(super) fn size(&self) -> usize {
        self.words.len() / PAIR
    }

    #[inline]
    fn pair(&self, key: Key) -> &[AtomicU64] {
        // The upper bits are the best mixed ones.
        let at = ((key.place >> 24) ^ key.place >> 52 & 0xfff) & self.mask;
        &self.words[at as usize * PAIR..][..PAIR]
    }

    #[inline]
    fn read(entry: &[AtomicU64], key: Key) -> Option<Facts> {
        let facts = entry[1].load(Relaxed);
        (facts != 0 && entry[0].load(Relaxed) ^ facts == key.check).then(|| Facts::unpack(facts))
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Facts> {
        let pair = self.pair(key);
        Self::read(&pair[..2], key).or_else(|| Self::read(&pair[2..], key))
    }

    /// Remembers facts, perhaps at the cost of others.
    #[inline]
    pub(super) fn put(&self, key: Key, facts: Facts) {
        let pair = self.pair(key);
        let kept = pair[1].load(Relaxed);
        let own = kept == 0 || pair[0].load(Relaxed) ^ kept == key.check;
        let entry = if own || Facts::unpack(kept).work <= facts.work { &pair[..2] } else { &pair[2..] };
        let word = facts.pack();
        entry[0].store(word ^ key.check, Relaxed);
        entry[1].store(word, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_survive_packing() {
        for (least, greatest) in [(-21, 21), (-30_000, 30_000), (0, 0)] {
            for best in [None, Some(0), Some(4095)] {
                let facts = Facts { least, greatest, best, depth: 7, work: 33 };
                assert_eq!(Facts::unpack(facts.pack()), facts);
            }
        }
    }

    #[test]
    fn the_greater_work_stays_and_the_last_one_too() {
        let table = Table::new(1, 6);
        let key = |check| Key { place: 5, check };
        let facts = |work| Facts { least: -1, greatest: 1, best: None, depth: COMPLETE, work };
        table.put(key(1), facts(9));
        table.put(key(2), facts(3));
        table.put(key(3), facts(2));
        assert_eq!(table.get(key(1)), Some(facts(9)));
        assert_eq!(table.get(key(2)), None);
        assert_eq!(table.get(key(3)), Some(facts(2)));
    }
}
