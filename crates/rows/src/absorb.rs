//! Absorption: when rows lose a literal, every row that now contains another one has to go.
//!
//! Only rows that shrank can have come to lie inside others. In a small frame the columns of a row's literals are
//! intersected, rarest first, until nothing is left. In a large one there are many such rows and many candidates, and both
//! sides are divided at once: the shrunk rows are sorted so that those with the same rarest literals stand together, and
//! the rows that may contain them are listed once for each group, each list picked from the one before. Lists are short
//! after two or three literals, and a group ends where no candidate is left.

use super::frame::{Frame, LANES};
use super::mask::Mask;

/// Words in a column of a small frame.
const SMALL: usize = 8;

/// With so few comparisons to make a group is not divided.
const FEW: usize = 1024;

/// A row as ranks of literals, without those that no longer matter, and its place in the frame.
#[derive(Clone, Copy, Debug)]
struct Entry<const W: usize> {
    row: Mask<W>,
    index: u32,
}

/// Room to work in.
#[derive(Clone, Debug, Default)]
pub struct Absorption<const W: usize> {
    /// The rows that shrank.
    shrunk: Vec<Entry<W>>,
    /// Lists of rows that may contain them, each picked from the one below.
    lists: Vec<Entry<W>>,
}

impl<const W: usize> Absorption<W> {
    /// Removes rows that contain another one from those that are alive, after the literals of `shrink` have left their
    /// rows and `live` are left. Says whether a row is empty.
    pub fn run(&mut self, frame: &Frame<W>, alive: &mut [u64], shrink: Mask<W>, live: Mask<W>) -> bool {
        let live = frame.rank(live);
        let small = frame.blocks <= SMALL;
        let mut broken = false;

        // 1. The rows that shrank.
        self.shrunk.clear();
        for block in 0..frame.blocks {
            let columns = shrink.iter().filter_map(|literal| frame.column(literal).get(block));
            let mut left = columns.fold(0, |all, word| all | word) & alive[block];
            while left != 0 {
                let index = 64 * block + left.trailing_zeros() as usize;
                let row = frame.ranked[index] & live;
                broken |= row.is_empty();
                left &= left - 1;
                if small {
                    drop_supersets(frame, row, index, alive);
                    left &= alive[block];
                } else {
                    self.shrunk.push(Entry { row, index: index as u32 });
                }
            }
        }

        // 2. Groups of them with the same rarest literal. With a single literal gone, no row that had it can contain
        // another one that had it.
        let gone = if shrink.is_single() { shrink.lowest().map_or(&[][..], |s| frame.column(s)) } else { &[] };
        self.shrunk.sort_unstable_by(|a, b| b.row.0.iter().rev().cmp(a.row.0.iter().rev()));
        let mut first = 0;
        while let Some((rank, count)) = group(&mut self.shrunk[first..]) {
            self.lists.clear();
            for (block, column) in frame.column_of_rank(rank).iter().enumerate() {
                let candidates = column & alive[block] & !gone.get(block).unwrap_or(&0);
                for bit in Mask([candidates]).iter() {
                    let index = 64 * block + bit;
                    self.lists.push(Entry { row: frame.ranked[index], index: index as u32 });
                }
            }
            divide(&mut self.shrunk[first..first + count], &mut self.lists, 0, alive);
            first += count;
        }
        // An empty row comes last, and lies inside all others.
        if let Some(empty) = self.shrunk.get(first) {
            let own = empty.index as usize;
            alive.fill(0);
            alive[own / 64] |= 1 << (own % 64);
        }
        broken
    }
}

/// How many rows from the first one on have the same rarest literal, which is taken out of them.
#[inline]
fn group<const W: usize>(rows: &mut [Entry<W>]) -> Option<(usize, usize)> {
    let rank = rows.first()?.row.highest()?;
    let mut count = 0;
    for entry in rows.iter_mut().take_while(|entry| entry.row.contains(rank)) {
        entry.row.remove(rank);
        count += 1;
    }
    Some((rank, count))
}

/// Removes the rows of the list from `start` on that contain what is left of a row of the group.
fn divide<const W: usize>(rows: &mut [Entry<W>], lists: &mut Vec<Entry<W>>, start: usize, alive: &mut [u64]) {
    let end = lists.len();
    if rows.len() <= 2 || rows.len() * (end - start) <= FEW {
        rows.iter().for_each(|entry| remove_supersets(entry, &lists[start..], alive));
        return;
    }
    let mut first = 0;
    while let Some((rank, count)) = group(&mut rows[first..]) {
        for at in start..end {
            if lists[at].row.contains(rank) {
                lists.push(lists[at]);
            }
        }
        if lists.len() > end {
            divide(&mut rows[first..first + count], lists, end, alive);
            lists.truncate(end);
        }
        first += count;
    }
    // Nothing is left of these.
    rows[first..].iter().for_each(|entry| remove_supersets(entry, &lists[start..], alive));
}

/// Removes the rows of a list that contain what is left of a row.
#[inline]
fn remove_supersets<const W: usize>(entry: &Entry<W>, list: &[Entry<W>], alive: &mut [u64]) {
    let own = entry.index as usize;
    // One of two equal rows has to stay.
    if alive[own / 64] >> (own % 64) & 1 == 0 {
        return;
    }
    for candidate in list {
        if entry.row.is_subset(&candidate.row) && candidate.index != entry.index {
            let index = candidate.index as usize;
            alive[index / 64] &= !(1 << (index % 64));
        }
    }
}

/// Removes the rows that contain `row`, but for the one at `own`.
#[inline]
fn drop_supersets<const W: usize>(frame: &Frame<W>, row: Mask<W>, own: usize, alive: &mut [u64]) {
    for start in (0..frame.blocks).step_by(LANES) {
        let mut inside = [0; LANES];
        inside.copy_from_slice(&alive[start..start + LANES]);
        let mut rest = row;
        while let Some(rank) = rest.highest() {
            rest.remove(rank);
            let mut any = 0;
            for (word, column) in inside.iter_mut().zip(&frame.column_of_rank(rank)[start..start + LANES]) {
                *word &= column;
                any |= *word;
            }
            if any == 0 {
                break;
            }
        }
        if own / (64 * LANES) == start / LANES {
            inside[own / 64 % LANES] &= !(1 << (own % 64));
        }
        for (word, gone) in alive[start..start + LANES].iter_mut().zip(inside) {
            *word &= !gone;
        }
    }
}
