//! One normal form of a position: rows that are never copied, and which of them still count.
//!
//! A row is a clause of the CNF or a term of the DNF. A move makes some literals *drop* every row they are in (a clause
//! with a true literal) and others *shrink* every row they are in (a clause loses a false literal). Rows lie in a frame
//! in both directions, as masks of literals and, per literal, as a column of bits over rows; a position on top of a frame is
//! a bit set of rows that are alive and a mask of the literals that are left. So dropping is one pass of and-not over the
//! bit set, undoing is forgetting it, and the rows that contain a given row are an intersection of columns.
//!
//! *Absorption* keeps the rows irredundant: after a move only a row that shrank can have come to lie inside another one,
//! so only those are looked at. When half of the rows of a frame are gone, the rest moves to a new frame.

use super::mask::{Mask, ones};

/// Columns are a multiple of this many words long, so that loops over them need no remainder.
const LANES: usize = 4;

/// Rows in both directions.
#[derive(Clone, Debug, Default)]
struct Frame<const W: usize> {
    /// Short rows first.
    rows: Vec<Mask<W>>,
    /// `longer[n]` rows are shorter than `n`; a row can only lie inside longer ones.
    longer: Vec<u32>,
    /// The column of literal `l` is `columns[l * blocks..][..blocks]`.
    columns: Vec<u64>,
    /// How many rows each literal is in.
    counts: Vec<u32>,
    blocks: usize,
}

impl<const W: usize> Frame<W> {
    fn build(&mut self, rows: impl Iterator<Item = Mask<W>> + Clone, literals: usize) {
        // Counting sort by length.
        self.longer.clear();
        self.longer.resize(literals + 2, 0);
        let mut count = 0;
        for row in rows.clone() {
            self.longer[row.len() + 1] += 1;
            count += 1;
        }
        for length in 1..self.longer.len() {
            self.longer[length] += self.longer[length - 1];
        }
        self.rows.clear();
        self.rows.resize(count, Mask::default());
        for row in rows {
            let place = &mut self.longer[row.len()];
            self.rows[*place as usize] = row;
            *place += 1;
        }
        // Every entry moved on to where the next length begins.
        self.longer.pop();
        self.longer.insert(0, 0);

        self.blocks = count.div_ceil(64 * LANES).max(1) * LANES;
        self.columns.clear();
        self.columns.resize(literals * self.blocks, 0);
        self.counts.clear();
        self.counts.resize(literals, 0);
        for (index, row) in self.rows.iter().enumerate() {
            for literal in row.iter() {
                self.columns[literal * self.blocks + index / 64] |= 1 << (index % 64);
                self.counts[literal] += 1;
            }
        }
    }

    #[inline]
    fn column(&self, literal: usize) -> &[u64] {
        &self.columns[literal * self.blocks..][..self.blocks]
    }
}

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
pub(super) struct Scan<const W: usize> {
    /// The literals that occur.
    pub(super) present: Mask<W>,
    /// The literals that are a row of their own.
    pub(super) units: Mask<W>,
}

/// A normal form, with a stack of positions.
#[derive(Clone, Debug)]
pub(super) struct Form<const W: usize> {
    literals: usize,
    frames: Vec<Frame<W>>,
    alive: Vec<u64>,
    levels: Vec<Level<W>>,
    /// Rows to look at, and the column intersection of [`Form::assign`].
    shrunk: Vec<u64>,
}

impl<const W: usize> Form<W> {
    /// A form with these rows, which must be irredundant.
    pub(super) fn new(rows: &[Mask<W>]) -> Self {
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
        Form { literals, shrunk: vec![0; frame.blocks], frames: vec![frame], alive, levels: vec![level] }
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
    pub(super) fn len(&self) -> usize {
        self.level().rows
    }

    /// Whether some row is empty.
    #[inline]
    pub(super) fn is_broken(&self) -> bool {
        self.level().broken
    }

    /// The rows.
    #[inline]
    pub(super) fn rows(&self) -> impl Iterator<Item = Mask<W>> + '_ {
        let (frame, live) = (self.frame(), self.level().live);
        ones(self.alive()).map(move |index| frame.rows[index] & live)
    }

    /// The literals that occur, and those that are a row of their own.
    pub(super) fn scan(&self) -> Scan<W> {
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
    pub(super) fn rows_with(&self, literal: usize) -> impl Iterator<Item = Mask<W>> + '_ {
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
    pub(super) fn companions(&self, literal: usize) -> Mask<W> {
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

    /// Two independent hashes of the set of rows.
    pub(super) fn hash(&self) -> (u64, u64) {
        let mut sums = (0u64, 0u64);
        for row in self.rows() {
            let (a, b) = hash_row(&row);
            sums = (sums.0.wrapping_add(a), sums.1.wrapping_add(b));
        }
        sums
    }

    /// Opens a position that starts as a copy of the present one.
    pub(super) fn push(&mut self) {
        let level = *self.level();
        let start = self.alive.len();
        self.alive.extend_from_within(level.start..level.start + self.frames[level.frame].blocks);
        self.levels.push(Level { start, ..level });
    }

    /// Goes back to the position before [`push`](Self::push).
    pub(super) fn pop(&mut self) {
        self.levels.pop();
        let level = *self.level();
        self.alive.truncate(level.start + self.frames[level.frame].blocks);
    }

    /// Fills in colours: rows with a literal of `drop` go, literals of `shrink` leave their rows.
    pub(super) fn assign(&mut self, drop: Mask<W>, shrink: Mask<W>) {
        let level = self.levels.last_mut().expect("a form has a level");
        let frame = &self.frames[level.frame];
        level.live = level.live.minus(drop | shrink);
        let alive = &mut self.alive[level.start..level.start + frame.blocks];
        for literal in drop.iter().take_while(|&literal| literal < self.literals) {
            for (word, column) in alive.iter_mut().zip(frame.column(literal)) {
                *word &= !column;
            }
        }
        let shrunk = &mut self.shrunk[..frame.blocks];
        shrunk.fill(0);
        for literal in shrink.iter().take_while(|&literal| literal < self.literals) {
            for (word, column) in shrunk.iter_mut().zip(frame.column(literal)) {
                *word |= column;
            }
        }
        for block in 0..shrunk.len() {
            // Rows may go while their block is worked on.
            let mut left = shrunk[block] & alive[block];
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                let row = frame.rows[64 * block + bit] & level.live;
                level.broken |= row.is_empty();
                drop_supersets(frame, alive, row, 64 * block + bit);
                left &= left - 1;
                left &= alive[block];
            }
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
    pub(super) fn fingerprint(&self) -> (usize, usize, bool, (u64, u64)) {
        (self.levels.len(), self.len(), self.is_broken(), self.hash())
    }
}

/// Removes the rows that contain `row`, but for the one at `own`.
#[inline]
fn drop_supersets<const W: usize>(frame: &Frame<W>, alive: &mut [u64], mut row: Mask<W>, own: usize) {
    // Rows were at least as long when the frame was built as they are now.
    let first = frame.longer[row.len() + 1] as usize / (64 * LANES) * LANES;
    // The two rarest literals leave next to nothing for the others to do.
    let mut rare = [(u32::MAX, usize::MAX); 2];
    for literal in row.iter() {
        let count = frame.counts[literal];
        if count < rare[0].0 {
            rare = [(count, literal), rare[0]];
        } else if count < rare[1].0 {
            rare[1] = (count, literal);
        }
    }
    let rare = rare.map(|(_, literal)| literal);
    for literal in rare.into_iter().filter(|&literal| literal != usize::MAX) {
        row.remove(literal);
    }
    for start in (first..frame.blocks).step_by(LANES) {
        let mut inside = [0; LANES];
        inside.copy_from_slice(&alive[start..start + LANES]);
        for literal in rare.into_iter().filter(|&literal| literal != usize::MAX).chain(row.iter()) {
            let column = &frame.columns[literal * frame.blocks + start..][..LANES];
            let mut any = 0;
            for (word, column) in inside.iter_mut().zip(column) {
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

/// Two hashes of a row; they are added up over rows, so each must be far from linear in the row.
#[inline]
pub(super) fn hash_row<const W: usize>(row: &Mask<W>) -> (u64, u64) {
    let (mut a, mut b) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F);
    for &word in &row.0 {
        a = fold(word ^ a, word.rotate_left(32) ^ 0xA076_1D64_78BD_642F);
        b = fold(word.rotate_left(17) ^ b, word ^ 0xE703_7ED1_A0B4_28DB);
    }
    (a, b)
}

/// Multiplies to twice the width and folds the halves onto each other.
#[inline]
pub(super) fn fold(a: u64, b: u64) -> u64 {
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
        for _ in 0..200 {
            let count = random.random_range(1..700);
            let mut rows = vec![Small::default(); count];
            for row in &mut rows {
                for _ in 0..random.random_range(2..7) {
                    row.insert(random.random_range(0..16));
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
                form.assign(Small::single(drop), Small::single(shrink));
                plain.retain(|row| !row.contains(drop));
                plain.iter_mut().for_each(|row| row.remove(shrink));
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
