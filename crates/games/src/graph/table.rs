//! What the search remembers of positions: verdicts with their traces, and open positions with their proof numbers.
//!
//! Two tiers, because they differ in size: a verdict is a few words, an open position has its list of moves. Both are
//! keyed by 128 bits of hash of the reduced graph. When the memory is used up, the entries that took least work are
//! forgotten, open ones first: what is forgotten can be found again, and positions on the way from the root are on the
//! search's own stack.
//!
//! Several searches may share a table. It is divided into parts with a lock each; whoever works on an open position has a
//! copy of it and says so, that the others look elsewhere (see `threads`). What other tables tell is in `news`.

use super::mirror::Place;
use super::news::Abroad;
use gamesat_rows::mask::Mask;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The hash of a position and of the player to move.
pub(super) type Key = u128;

/// A solved position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict<const W: usize> {
    pub(super) winner: u8,
    /// Expansions it took.
    pub(super) work: u32,
    /// Empty cells inside which the winner wins.
    pub(super) trace: Mask<W>,
}

/// A move of an open position.
#[derive(Clone, Debug)]
pub(super) struct Edge<const W: usize> {
    pub(super) cell: u16,
    /// Who wins by fill alone.
    pub(super) winner: Option<u8>,
    /// The position after the move and fill.
    pub(super) place: Place,
    /// What either player captures by fill.
    pub(super) captured: [Mask<W>; 2],
}

/// A position that is not solved.
#[derive(Clone, Debug)]
pub(super) struct Node<const W: usize> {
    /// Proof number of a win for the player to move.
    pub(super) phi: u32,
    /// Proof number of a loss.
    pub(super) delta: u32,
    /// Moves that are left.
    pub(super) edges: Vec<Edge<W>>,
    /// Every move outside loses.
    pub(super) mustplay: Mask<W>,
    /// The trace so far, should the position be lost.
    pub(super) trace: Mask<W>,
    /// The cells of one of two parts, if the position falls into two: see `cut_stones`.
    pub(super) part: Mask<W>,
    /// Cells that need not be tried, each with cells that are at least as good.
    pub(super) dropped: Box<[(u16, Mask<W>)]>,
    /// The opponent's currents, which order the moves of the next position.
    pub(super) currents: Box<[f32]>,
    /// Expansions so far.
    pub(super) work: u32,
}

impl<const W: usize> Node<W> {
    pub(super) fn bytes(&self) -> usize {
        size_of::<(Key, Box<Self>)>()
            + size_of::<Self>()
            + self.edges.capacity() * size_of::<Edge<W>>()
            + size_of_val(&*self.dropped)
            + size_of_val(&*self.currents)
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known<const W: usize> {
    Solved(Verdict<W>),
    /// Proof numbers of a win and of a loss, and how many searches are at work on it.
    Open(u32, u32, u32),
}

#[derive(Debug)]
pub(super) struct Table<const W: usize> {
    parts: Box<[Mutex<Part<W>>]>,
    /// The most bytes of one part.
    pub(super) limit: AtomicUsize,
}

#[derive(Debug, Default)]
pub(super) struct Part<const W: usize> {
    pub(super) verdicts: HashMap<Key, Verdict<W>, FxBuildHasher>,
    pub(super) open: HashMap<Key, Box<Node<W>>, FxBuildHasher>,
    /// Bytes in `open`.
    pub(super) open_bytes: usize,
    /// How many searches are at work on a position, if several share the table.
    busy: HashMap<Key, u32, FxBuildHasher>,
    /// What other tables have told, and what they are to be told, if there are any.
    pub(super) abroad: Option<Box<Abroad>>,
    /// How often entries were forgotten.
    sweeps: u64,
}

impl<const W: usize> Table<W> {
    /// A table of some mebibytes, for one search or for several.
    pub(super) fn new(mebibytes: usize, shared: bool) -> Self {
        let count = if shared { 64 } else { 1 };
        let table = Table {
            parts: (0..count).map(|_| Mutex::new(Part::default())).collect(),
            limit: AtomicUsize::new(usize::MAX),
        };
        table.restrict(mebibytes.max(1) << 20);
        table
    }

    /// Lets the table have at most so many bytes, and no more than before.
    pub(super) fn restrict(&self, bytes: usize) {
        self.limit.fetch_min(bytes / self.parts.len(), Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn part(&self, key: Key) -> MutexGuard<'_, Part<W>> {
        let at = (key >> 64) as usize & (self.parts.len() - 1);
        self.parts[at].lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn each(&self) -> impl Iterator<Item = MutexGuard<'_, Part<W>>> {
        self.parts.iter().map(|part| part.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn len(&self) -> usize {
        self.each().map(|part| part.verdicts.len() + part.open.len()).sum()
    }

    pub(super) fn sweeps(&self) -> u64 {
        self.each().map(|part| part.sweeps).sum()
    }

    pub(super) fn verdict(&self, key: Key) -> Option<Verdict<W>> {
        self.part(key).verdicts.get(&key).copied()
    }

    /// The verdict of a position, or its proof numbers: 1 and 1 if nothing is known.
    #[inline]
    pub(super) fn known(&self, key: Key) -> Known<W> {
        let part = self.part(key);
        if let Some(&verdict) = part.verdicts.get(&key) {
            return Known::Solved(verdict);
        }
        let numbers = part.open.get(&key).map(|node| (node.phi, node.delta));
        let busy = if part.busy.is_empty() { 0 } else { part.busy.get(&key).copied().unwrap_or(0) };
        match &part.abroad {
            None => {
                let (phi, delta) = numbers.unwrap_or((1, 1));
                Known::Open(phi, delta, busy)
            }
            Some(abroad) => {
                let (phi, delta) = numbers.unwrap_or_else(|| abroad.numbers(key));
                Known::Open(phi, delta, busy + abroad.loss(key, delta))
            }
        }
    }

    /// Whoever asks for an open position works on it from now on.
    pub(super) fn take(&self, key: Key) -> Option<Box<Node<W>>> {
        let mut part = self.part(key);
        if self.parts.len() > 1 {
            *part.busy.entry(key).or_insert(0) += 1;
            return part.open.get(&key).cloned();
        }
        let node = part.open.remove(&key)?;
        part.open_bytes -= node.bytes();
        Some(node)
    }

    /// Leaves an open position with what was found out, if anything.
    pub(super) fn put(&self, key: Key, node: Option<Box<Node<W>>>) {
        let mut part = self.part(key);
        part.leave(key);
        let Some(node) = node else { return };
        if let Some(abroad) = &mut part.abroad {
            abroad.note(key, node.work);
        }
        part.open_bytes += node.bytes();
        if let Some(before) = part.open.insert(key, node) {
            part.open_bytes -= before.bytes();
        }
        part.make_room(self.limit.load(Ordering::Relaxed));
    }

    /// Whether several searches share the table.
    pub(super) fn is_shared(&self) -> bool {
        self.parts.len() > 1
    }

    /// Lets the others know of an open position on which one goes on working.
    pub(super) fn publish(&self, key: Key, node: Box<Node<W>>) {
        let mut part = self.part(key);
        if !part.verdicts.contains_key(&key) {
            part.open_bytes += node.bytes();
            if let Some(before) = part.open.insert(key, node) {
                part.open_bytes -= before.bytes();
            }
        }
    }

    /// Lets the others know the proof numbers of an open position on which one goes on working.
    pub(super) fn tell(&self, key: Key, phi: u32, delta: u32) {
        if let Some(node) = self.part(key).open.get_mut(&key) {
            (node.phi, node.delta) = (phi, delta);
        }
    }

    /// Leaves a position that is solved.
    pub(super) fn solve(&self, key: Key, winner: usize, trace: Mask<W>, work: u32) {
        let mut part = self.part(key);
        part.leave(key);
        if let Some(before) = part.open.remove(&key) {
            part.open_bytes -= before.bytes();
        }
        part.verdicts.insert(key, Verdict { winner: winner as u8, trace, work });
        if let Some(abroad) = &mut part.abroad {
            abroad.note(key, work);
        }
        part.make_room(self.limit.load(Ordering::Relaxed));
    }
}

impl<const W: usize> Part<W> {
    fn leave(&mut self, key: Key) {
        if let Some(busy) = self.busy.get_mut(&key) {
            *busy -= 1;
            if *busy == 0 {
                self.busy.remove(&key);
            }
        }
    }

    fn verdict_bytes(&self) -> usize {
        self.verdicts.len() * 2 * size_of::<(Key, Verdict<W>)>()
    }

    /// Forgets the cheapest entries if there are too many.
    pub(super) fn make_room(&mut self, limit: usize) {
        if self.open_bytes + self.verdict_bytes() <= limit {
            return;
        }
        self.sweeps += 1;
        let mut least: u32 = 2;
        while self.open_bytes > limit / 4 {
            let bytes = &mut self.open_bytes;
            self.open.retain(|_, node| {
                let keep = node.work >= least;
                if !keep {
                    *bytes -= node.bytes();
                }
                keep
            });
            least = least.saturating_mul(2);
        }
        let mut least: u32 = 2;
        while self.verdict_bytes() > limit / 2 {
            self.verdicts.retain(|_, verdict| verdict.work >= least);
            least = least.saturating_mul(2);
        }
    }
}
