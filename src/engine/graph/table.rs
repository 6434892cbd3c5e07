//! What the search remembers of positions: verdicts with their traces, and open positions with their proof numbers.
//!
//! Two tiers, because they differ in size: a verdict is a few words, an open position has its list of moves. Both are
//! keyed by 128 bits of hash of the reduced graph. When the memory is used up, the entries that took least work are
//! forgotten, open ones first: what is forgotten can be found again, and positions on the way from the root are not here
//! but on the search's own stack.

use crate::rows::mask::Mask;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The hash of a position and of the player to move.
pub(super) type Key = u128;

/// A solved position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict<const W: usize> {
    pub(super) winner: u8,
    /// Expansions it took.
    work: u32,
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
    pub(super) key: Key,
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
    /// Cells that need not be tried, each with cells that are at least as good.
    pub(super) dropped: Box<[(u16, Mask<W>)]>,
    /// The opponent's currents, which order the moves of the next position.
    pub(super) currents: Box<[f32]>,
    /// Expansions so far.
    pub(super) work: u32,
}

impl<const W: usize> Node<W> {
    fn bytes(&self) -> usize {
        size_of::<(Key, Box<Self>)>()
            + size_of::<Self>()
            + self.edges.capacity() * size_of::<Edge<W>>()
            + size_of_val(&*self.dropped)
            + size_of_val(&*self.currents)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Table<const W: usize> {
    verdicts: HashMap<Key, Verdict<W>, FxBuildHasher>,
    open: HashMap<Key, Box<Node<W>>, FxBuildHasher>,
    /// Bytes in `open`.
    open_bytes: usize,
    /// The most bytes in both.
    limit: usize,
    /// How often entries were forgotten.
    pub(super) sweeps: u64,
}

impl<const W: usize> Table<W> {
    /// A table of some mebibytes.
    pub(super) fn new(mebibytes: usize) -> Self {
        Table {
            verdicts: HashMap::default(),
            open: HashMap::default(),
            open_bytes: 0,
            limit: mebibytes.max(1) << 20,
            sweeps: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.verdicts.len() + self.open.len()
    }

    #[inline]
    pub(super) fn verdict(&self, key: Key) -> Option<&Verdict<W>> {
        self.verdicts.get(&key)
    }

    /// Proof numbers of a position that is not solved; 1 and 1 if nothing is known.
    #[inline]
    pub(super) fn numbers(&self, key: Key) -> (u32, u32) {
        self.open.get(&key).map_or((1, 1), |node| (node.phi, node.delta))
    }

    /// Takes an open position out.
    pub(super) fn take(&mut self, key: Key) -> Option<Box<Node<W>>> {
        let node = self.open.remove(&key)?;
        self.open_bytes -= node.bytes();
        Some(node)
    }

    /// Puts an open position back.
    pub(super) fn put(&mut self, key: Key, node: Box<Node<W>>) {
        self.open_bytes += node.bytes();
        self.open.insert(key, node);
        self.make_room();
    }

    pub(super) fn solve(&mut self, key: Key, winner: usize, trace: Mask<W>, work: u32) {
        self.verdicts.insert(key, Verdict { winner: winner as u8, trace, work });
        self.make_room();
    }

    fn verdict_bytes(&self) -> usize {
        self.verdicts.len() * 2 * size_of::<(Key, Verdict<W>)>()
    }

    /// Forgets the cheapest entries if there are too many.
    fn make_room(&mut self) {
        if self.open_bytes + self.verdict_bytes() <= self.limit {
            return;
        }
        self.sweeps += 1;
        let mut least: u32 = 2;
        while self.open_bytes > self.limit / 4 {
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
        while self.verdict_bytes() > self.limit / 2 {
            self.verdicts.retain(|_, verdict| verdict.work >= least);
            least = least.saturating_mul(2);
        }
    }
}
