//! The transposition table: proven bounds of positions, shared by all threads without locks.
//!
//! An entry is two words, the facts and the position's check word combined with them by exclusive or, so that an entry of
//! which another thread has written one half is recognised as foreign (Hyatt and Mann, *A lock-less transposition-table
//! implementation for parallel search*, 2002). Four entries stand together in a line of the processor's cache; what took the
//! least work of them makes room for what is new.
//!
//! Most positions are near the end of the game, where a search is shorter than the way to the main memory. They are met again
//! soon or never, so that a table of their own, which stays in the processor's cache, does for them. For the same reason the
//! table of all others begins small and is followed by larger ones, as more is remembered; what is not in the last one may
//! still be in the one before.

use gamesat_core::rules::sequential::{Key, Move, Place};
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

/// Four entries of two words each.
const LINE: usize = 8;

/// Lines of entries.
#[derive(Debug)]
struct Lines {
    words: Vec<AtomicU64>,
    /// The first word of the first line: none lies across two lines of the processor's cache.
    from: usize,
    count: usize,
}

impl Lines {
    fn new(count: usize) -> Self {
        let count = count.max(1);
        let words: Vec<AtomicU64> = (0..(count + 1) * LINE).map(|_| AtomicU64::new(0)).collect();
        Lines { from: words.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE), words, count }
    }

    #[inline]
    fn of(&self, key: Key) -> &[AtomicU64] {
        // The upper bits are the best mixed ones.
        let at = ((u128::from(key.place) * self.count as u128) >> 64) as usize;
        &self.words[self.from + at * LINE..][..LINE]
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    /// Positions that are far from the end of the game: tables, each so many times as large as the one before.
    far: Vec<OnceLock<Lines>>,
    sizes: Vec<usize>,
    /// Twice the number of the one in use, and one more once the one before it is of no use.
    last: AtomicUsize,
    /// How many positions were remembered.
    remembered: AtomicUsize,
    /// Positions that are near to the end.
    near: Lines,
}

/// Lines for positions near the end, and in the first table for others: a little less than a processor's second cache has.
const FIRST: usize = 1 << 12;
/// How often a line is written before a larger table follows.
const FILL: usize = 4;
/// How many times as large each table is as the one before.
const GROWTH: usize = 8;

impl Table {
    /// A table of at most so many MiB, and no larger than a game of so many plies can use. Tables before the last one are a
    /// seventh of it together.
    pub(super) fn new(mebibytes: usize, plies: usize) -> Self {
        let room = (mebibytes.max(1) << 20) / (LINE * size_of::<u64>());
        let most = (room - room / GROWTH).min(1 << plies.clamp(6, 40));
        let mut sizes = vec![most];
        while sizes[0] / GROWTH >= FIRST {
            sizes.insert(0, sizes[0] / GROWTH);
        }
        let far: Vec<OnceLock<Lines>> = sizes.iter().map(|_| OnceLock::new()).collect();
        let [last, remembered] = [const { AtomicUsize::new(0) }; 2];
        Table { far, sizes, last, remembered, near: Lines::new(most.min(FIRST)) }
    }

    /// Number of lines in use.
    pub(super) fn size(&self) -> usize {
        let far = self.far.iter().filter_map(OnceLock::get).map(|lines| lines.count);
        far.sum::<usize>() + self.near.count
    }

    /// So many more positions were remembered: if there are [`FILL`] times as many as lines, a larger table follows.
    pub(super) fn grow(&self, more: usize) {
        let remembered = self.remembered.fetch_add(more, Relaxed) + more;
        let last = self.sizes.iter().position(|&size| remembered < FILL * size).unwrap_or(self.sizes.len() - 1);
        let alone = last > 0 && remembered > 2 * FILL * self.sizes[last - 1];
        self.last.fetch_max(2 * last + usize::from(alone), Relaxed);
    }

    /// Begins with the small table again, for a question that may be an easy one. What the larger ones know stays there for the
    /// time when they are needed.
    pub(super) fn restart(&self) {
        self.remembered.store(0, Relaxed);
        self.last.store(0, Relaxed);
    }

    #[inline]
    fn far(&self, last: usize) -> &Lines {
        self.far[last].get_or_init(|| Lines::new(self.sizes[last]))
    }

    #[inline]
    fn read(entry: &[AtomicU64], key: Key) -> Option<Facts> {
        let facts = entry[1].load(Relaxed);
        (facts != 0 && entry[0].load(Relaxed) ^ facts == key.check).then(|| Facts::unpack(facts))
    }

    #[inline]
    fn look(lines: &Lines, key: Key) -> Option<Facts> {
        lines.of(key).chunks_exact(2).find_map(|entry| Self::read(entry, key))
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

    /// Brings what is there into the processor's cache: the ways to the main memory are gone at once and not one after the other.
    #[inline]
    pub(super) fn fetch(&self, places: &[Option<Place>]) {
        let last = self.last.load(Relaxed);
        let (lines, before) = (self.far(last / 2), last > 0 && last.is_multiple_of(2));
        let look = |lines: &Lines| {
            let far = places.iter().flatten().filter(|place| !place.near);
            let words = far.map(|place| lines.of(place.key)[0].load(Relaxed));
            std::hint::black_box(words.fold(0, |all, word| all ^ word));
        };
        look(lines);
        if before {
            look(self.far(last / 2 - 1));
        }
    }

    /// Remembers facts, perhaps at the cost of others.
    #[inline]
    pub(super) fn put(&self, Place { key, near }: Place, facts: Facts) {
        let line = if near { self.near.of(key) } else { self.far(self.last.load(Relaxed) / 2).of(key) };
        let (mut entry, mut least) = (&line[..2], u8::MAX);
        for other in line.chunks_exact(2) {
            let kept = other[1].load(Relaxed);
            if kept == 0 || other[0].load(Relaxed) ^ kept == key.check {
                entry = other;
                break;
            }
            let work = Facts::unpack(kept).work;
            if work < least {
                (entry, least) = (other, work);
            }
        }
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
        for (check, work) in [(1, 9), (2, 8), (3, 3), (4, 7), (5, 1), (6, 2)] {
            table.put(key(check), facts(work));
        }
        let kept = |check| table.get(key(check)).map(|facts| facts.work);
        assert_eq!([1, 2, 3, 4, 5, 6].map(kept), [Some(9), Some(8), None, Some(7), None, Some(2)]);
        // What is known of one and the same position is not written twice.
        table.put(key(1), facts(0));
        assert_eq!([1, 2, 4, 6].map(kept), [Some(0), Some(8), Some(7), Some(2)]);
        // Far from the end there is another table.
        assert_eq!(table.get(Place { near: false, ..key(1) }), None);
    }
}
