//! One normal form of a position: rows that are never copied, and which of them still count.
//!
//! A row is a clause of the CNF or a term of the DNF. A move makes some literals *drop* every row they are in (a clause
//! with a true literal) and others *shrink* every row they are in (a clause loses a false literal), which may call for
//! [absorption](super::absorb). A position on top of a [`Frame`] is a bit set of rows that are alive and a mask of the
//! literals that are left: dropping is one pass of and-not over the bit set, and undoing is forgetting it. When half
//! of the rows of a frame are gone, the rest moves to a new frame.

use super::absorb::Absorption;
use super::frame::{Frame, LANES};
use super::mask::{Mask, ones};

/// A position's view of a frame.
#[derive(Clone, Copy, Debug)]
struct Level<const W: usize> {
    frame: usize,
    /// Where the bit set of alive rows begins in `Form::alive`.
    start: usize,
    /// Alive rows.
    rows: usize,
    /// The literals of uncoloured elements.
    live: Mask<W>,
    /// A row lost its last literal: the form is decided.
    broken: bool,
}

/// What one pass over the rows shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scan<const W: usize> {
    /// The literals that occur.
    pub present: Mask<W>,
    /// The literals that are a row of their own.
    pub units: Mask<W>,
}

/// A normal form, with a stack of positions.
#[derive(Clone, Debug)]
pub struct Form<const W: usize> {
    literals: usize,
    frames: Vec<Frame<W>>,
    alive: Vec<u64>,
    levels: Vec<Level<W>>,
    absorption: Absorption<W>,
}

impl<const W: usize> Form<W> {
    /// A form with these rows, which must be irredundant.
    pub fn new(rows: &[Mask<W>]) -> Self {
        let present = rows.iter().fold(Mask::default(), |all, &row| all | row);
        let literals = present.iter().last().map_or(0, |last| last + 1);
        let mut frame = Frame::default();
        frame.build(rows.iter().copied(), literals);
        let mut alive = vec![0; frame.blocks];
        for index in 0..rows.len() {
            alive[index / 64] |= 1 << (index % 64);
        }
        let broken = rows.iter().any(Mask::is_empty);
        let level = Level { frame: 0, start: 0, rows: rows.len(), live: !Mask::default(), broken };
        Form { literals, absorption: Absorption::default(), frames: vec![frame], alive, levels: vec![level] }
    }

    #[inline]
    fn level(&self) -> &Level<W> {
        self.levels.last().expect("a form has a level")
    }

    #[inline]
    fn frame(&self) -> &Frame<W> {
        &self.frames[self.level().frame]
    }

    #[inline]
    fn alive(&self) -> &[u64] {
        let level = self.level();
        &self.alive[level.start..level.start + self.frames[level.frame].blocks]
    }

    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.level().rows
    }

    /// Whether there is no row.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether some row is empty.
    #[inline]
    pub fn is_broken(&self) -> bool {
        self.level().broken
    }

    /// The rows.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = Mask<W>> + '_ {
        let (frame, live) = (self.frame(), self.level().live);
        ones(self.alive()).map(move |index| frame.rows[index] & live)
    }

    /// The literals that occur, and those that are a row of their own.
    pub fn scan(&self) -> Scan<W> {
        let mut scan = Scan::default();
        for row in self.rows() {
            scan.present |= row;
            if row.is_single() {
                scan.units |= row;
            }
        }
        scan
    }

    /// The rows that contain a literal.
    #[inline]
    pub fn rows_with(&self, literal: usize) -> impl Iterator<Item = Mask<W>> + '_ {
        let (frame, live) = (self.frame(), self.level().live);
        let column = if literal < self.literals { frame.column(literal) } else { &[] };
        let alive = self.alive();
        column
            .iter()
            .zip(alive)
            .enumerate()
            .flat_map(move |(block, (c, a))| Mask([c & a]).iter().map(move |bit| frame.rows[64 * block + bit] & live))
    }

    /// The literals that are in every row that contains this one (itself included), all literals if none does.
    #[inline]
    pub fn companions(&self, literal: usize) -> Mask<W> {
        let mut common = !Mask::default();
        let alone = Mask::single(literal);
        for row in self.rows_with(literal) {
            common &= row;
            if common == alone {
                break;
            }
        }
        common
    }

    /// A row that contains literals of exactly one of some elements, a short one if there are several; `literals` says
    /// which belong to an element.
    pub fn met_once(&self, literals: impl Fn(usize) -> Mask<W>, elements: Mask<W>) -> Option<Mask<W>> {
        let frame = self.frame();
        let live = self.level().live;
        self.alive().iter().enumerate().find_map(|(block, alive)| {
            let (mut once, mut twice) = (0, 0);
            for element in elements.iter() {
                let column = literals(element).iter().fold(0, |all, l| all | frame.column(l).get(block).unwrap_or(&0));
                twice |= once & column;
                once |= column;
            }
            let bits = alive & once & !twice;
            (bits != 0).then(|| frame.rows[64 * block + bits.trailing_zeros() as usize] & live)
        })
    }

    /// Two independent hashes of the set of rows.
    pub fn hash(&self) -> (u64, u64) {
        let mut sums = (0u64, 0u64);
        for row in self.rows() {
            let (a, b) = hash_row(&row);
            sums = (sums.0.wrapping_add(a), sums.1.wrapping_add(b));
        }
        sums
    }

    /// Opens a position that starts as a copy of the present one.
    pub fn push(&mut self) {
        let level = *self.level();
        let start = self.alive.len();
        self.alive.extend_from_within(level.start..level.start + self.frames[level.frame].blocks);
        self.levels.push(Level { start, ..level });
    }

    /// Goes back to the position before [`push`](Self::push).
    pub fn pop(&mut self) {
        self.levels.pop();
        let level = *self.level();
        self.alive.truncate(level.start + self.frames[level.frame].blocks);
    }

    /// Fills in colours: rows with a literal of `drop` go, literals of `shrink` leave their rows.
    pub fn assign(&mut self, drop: Mask<W>, shrink: Mask<W>) {
        let level = self.levels.last_mut().expect("a form has a level");
        let frame = &self.frames[level.frame];
        level.live = level.live.minus(drop | shrink);
        let alive = &mut self.alive[level.start..level.start + frame.blocks];
        for literal in drop.iter().take_while(|&literal| literal < self.literals) {
            for (word, column) in alive.iter_mut().zip(frame.column(literal)) {
                *word &= !column;
            }
        }
        if !shrink.is_empty() {
            level.broken |= self.absorption.run(frame, alive, shrink, level.live);
        }
        level.rows = alive.iter().map(|word| word.count_ones() as usize).sum();
        if frame.blocks > LANES && 2 * level.rows <= frame.rows.len() {
            self.compact();
        }
    }

    /// Moves the rows that are alive to a frame of their own.
    fn compact(&mut self) {
        let level = *self.level();
        let next = level.frame + 1;
        if self.frames.len() == next {
            self.frames.push(Frame::default());
        }
        let (below, above) = self.frames.split_at_mut(next);
        let (old, new) = (&below[level.frame], &mut above[0]);
        let alive = &self.alive[level.start..level.start + old.blocks];
        new.build(ones(alive).map(|index| old.rows[index] & level.live), self.literals);
        self.alive.truncate(level.start);
        self.alive.resize(level.start + new.blocks, 0);
        for index in 0..new.rows.len() {
            self.alive[level.start + index / 64] |= 1 << (index % 64);
        }
        self.levels.last_mut().expect("a form has a level").frame = next;
    }

    /// Everything that a position consists of, for the assertion that undoing restores it.
    #[cfg(debug_assertions)]
    pub fn fingerprint(&self) -> (usize, usize, bool, (u64, u64)) {
        (self.levels.len(), self.len(), self.is_broken(), self.hash())
    }
}

/// Two hashes of a row; they are added up over rows, so each must be far from linear in the row.
#[inline]
pub fn hash_row<const W: usize>(row: &Mask<W>) -> (u64, u64) {
    let (mut a, mut b) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F);
    for &word in &row.0 {
        a = fold(word ^ a, word.rotate_left(32) ^ 0xA076_1D64_78BD_642F);
        b = fold(word.rotate_left(17) ^ b, word ^ 0xE703_7ED1_A0B4_28DB);
    }
    (a, b)
}

/// Multiplies to twice the width and folds the halves onto each other.
#[inline]
pub fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    type Small = Mask<1>;

    fn minimal(rows: &[Small]) -> Vec<Small> {
        let mut kept: Vec<Small> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let absorbed = |(other, r): (usize, &Small)| r.is_subset(row) && (r != row || other < index);
            if !rows.iter().enumerate().any(absorbed) {
                kept.push(*row);
            }
        }
        kept.sort_by_key(|row| row.0);
        kept
    }

    #[test]
    fn assigning_is_dropping_shrinking_and_absorbing() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for case in 0..208 {
            // Many small forms, and some large enough to be absorbed in groups.
            let (count, literals, lengths) =
                if case < 200 { (random.random_range(1..700), 16, 2..7) } else { (2500, 28, 4..10) };
            let mut rows = vec![Small::default(); count];
            for row in &mut rows {
                for _ in 0..random.random_range(lengths.clone()) {
                    row.insert(random.random_range(0..literals));
                }
            }
            let mut plain = minimal(&rows);
            let mut form = Form::new(&plain);
            let mut history = Vec::new();
            for step in 0..6 {
                // No literal is assigned twice.
                let (drop, shrink) = (2 * step + random.random_range(0..2), 12 + step % 4);
                let shrink = if step < 4 { shrink } else { 2 * step + 1 - drop % 2 };
                history.push(plain.clone());
                form.push();
                // Literals from 20 on are in large forms only: there two leave at once.
                let shrink = Small::single(shrink) | Small::single(20 + step);
                form.assign(Small::single(drop), shrink);
                plain.retain(|row| !row.contains(drop));
                plain.iter_mut().for_each(|row| *row = row.minus(shrink));
                plain = minimal(&plain);
                let mut got: Vec<Small> = form.rows().collect();
                got.sort_by_key(|row| row.0);
                assert_eq!(got, plain);
                assert_eq!(form.len(), plain.len());
                assert_eq!(form.is_broken(), plain.contains(&Small::default()));
            }
            while let Some(before) = history.pop() {
                form.pop();
                let mut got: Vec<Small> = form.rows().collect();
                got.sort_by_key(|row| row.0);
                assert_eq!(got, before);
            }
        }
    }
}
