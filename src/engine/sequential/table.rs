//! The transposition table: proven bounds of positions, shared by all threads without locks.
//!
//! An entry is two words, the facts and the position's check word combined with them by exclusive or, so that an entry of
//! which another thread has written one half is recognised as foreign (Hyatt and Mann, *A lock-less transposition-table
//! implementation for parallel search*, 2002). Entries stand in pairs: one keeps what took the most work, the other
//! whatever came last.
//!
//! Most positions are near the end of the game, where a search is shorter than the way to the main memory. They are met again
//! soon or never, so that a table of their own, which stays in the processor's cache, does for them. For the same reason the
//! table of all others begins small and is followed by larger ones, as more is remembered; what is not in the last one may
//! still be in the one before.

use crate::rules::sequential::{Key, Move, Place};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

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

/// Two entries of two words each.
const PAIR: usize = 4;

/// A power of two of pairs.
#[derive(Debug)]
struct Pairs {
    words: Vec<AtomicU64>,
    /// The first word of the first pair: no pair lies across two lines of the processor's cache.
    from: usize,
    /// Number of pairs less one.
    mask: usize,
}

impl Pairs {
    fn new(most: usize) -> Self {
        let pairs = 1usize << most.max(1).ilog2();
        let words: Vec<AtomicU64> = (0..(pairs + 1) * PAIR).map(|_| AtomicU64::new(0)).collect();
        Pairs { from: words.as_ptr().align_offset(PAIR * size_of::<u64>()).min(PAIR), words, mask: pairs - 1 }
    }

    #[inline]
    fn of(&self, key: Key) -> &[AtomicU64] {
        // The upper bits are the best mixed ones.
        let at = (key.place >> 24) ^ key.place >> 52 & 0xfff;
        &self.words[self.from + (at as usize & self.mask) * PAIR..][..PAIR]
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    /// Positions that are far from the end of the game: tables, each so many times as large as the one before.
    far: Vec<OnceLock<Pairs>>,
    sizes: Vec<usize>,
    /// Twice the number of the one in use, and one more once the one before it is of no use.
    last: AtomicUsize,
    /// How many positions were remembered.
    remembered: AtomicUsize,
    /// Positions that are near to the end.
    near: Pairs,
}

/// Pairs for positions near the end, and in the first table for others: a little less than a processor's second cache has.
const FIRST: usize = 1 << 14;
/// How many times as large each table is as the one before.
const GROWTH: usize = 8;

impl Table {
    /// A table of at most so many MiB, and no larger than a game of so many plies can use. Tables before the last one are a
    /// seventh of it together.
    pub(super) fn new(mebibytes: usize, plies: usize) -> Self {
        let most = ((mebibytes.max(1) << 20) / (PAIR * size_of::<u64>())).min(1 << plies.clamp(6, 40));
        let mut sizes = vec![most];
        while sizes[0] / GROWTH >= FIRST {
            sizes.insert(0, sizes[0] / GROWTH);
        }
        let far: Vec<OnceLock<Pairs>> = sizes.iter().map(|_| OnceLock::new()).collect();
        let [last, remembered] = [const { AtomicUsize::new(0) }; 2];
        Table { far, sizes, last, remembered, near: Pairs::new(most.min(FIRST)) }
    }

    /// Number of pairs in use.
    pub(super) fn size(&self) -> usize {
        let far = self.far.iter().filter_map(OnceLock::get).map(|pairs| pairs.mask + 1);
        far.sum::<usize>() + self.near.mask + 1
    }

    /// So many more positions were remembered: if there are as many as pairs, a larger table follows.
    pub(super) fn grow(&self, more: usize) {
        let remembered = self.remembered.fetch_add(more, Relaxed) + more;
        let last = self.sizes.iter().position(|&size| remembered < size).unwrap_or(self.sizes.len() - 1);
        let alone = last > 0 && remembered > 2 * self.sizes[last - 1];
        self.last.fetch_max(2 * last + usize::from(alone), Relaxed);
    }

    #[inline]
    fn far(&self, last: usize) -> &Pairs {
        self.far[last].get_or_init(|| Pairs::new(self.sizes[last]))
    }

    #[inline]
    fn read(entry: &[AtomicU64], key: Key) -> Option<Facts> {
        let facts = entry[1].load(Relaxed);
        (facts != 0 && entry[0].load(Relaxed) ^ facts == key.check).then(|| Facts::unpack(facts))
    }

    #[inline]
    fn look(pairs: &Pairs, key: Key) -> Option<Facts> {
        let pair = pairs.of(key);
        Self::read(&pair[..2], key).or_else(|| Self::read(&pair[2..], key))
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, Place { key, near }: Place) -> Option<Facts> {
        if near {
            return Self::look(&self.near, key);
        }
        let last = self.last.load(Relaxed);
        let found = Self::look(self.far(last / 2), key);
        if found.is_none() && last > 0 && last.is_multiple_of(2) {
            Self::look(self.far(last / 2 - 1), key)
        } else {
            found
        }
    }

    /// Remembers facts, perhaps at the cost of others.
    #[inline]
    pub(super) fn put(&self, Place { key, near }: Place, facts: Facts) {
        let pair = if near { self.near.of(key) } else { self.far(self.last.load(Relaxed) / 2).of(key) };
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
        let key = |check| Place { key: Key { place: 5, check }, near: true };
        let facts = |work| Facts { least: -1, greatest: 1, best: None, depth: COMPLETE, work };
        table.put(key(1), facts(9));
        table.put(key(2), facts(3));
        table.put(key(3), facts(2));
        assert_eq!(table.get(key(1)), Some(facts(9)));
        assert_eq!(table.get(key(2)), None);
        assert_eq!(table.get(key(3)), Some(facts(2)));
        // Far from the end there is another table.
        assert_eq!(table.get(Place { near: false, ..key(1) }), None);
    }
}
