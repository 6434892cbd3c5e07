//! Rows in both directions: as masks of literals and, per literal, as a column of bits over rows.
//!
//! A frame never changes once it is built, so positions can share it; which rows count is kept elsewhere as a bit set.

use super::mask::Mask;
use std::cmp::Reverse;

/// Columns are a multiple of this many words long, so that loops over them need no remainder.
pub const LANES: usize = 4;

/// Rows in both directions.
#[derive(Clone, Debug, Default)]
pub struct Frame<const W: usize> {
    /// Short rows first: they tell most about their literals.
    pub rows: Vec<Mask<W>>,
    /// The rows with their literals replaced by ranks, see [`rank`](Self::rank).
    pub ranked: Vec<Mask<W>>,
    /// The column of literal `l` is `columns[l * blocks..][..blocks]`.
    columns: Vec<u64>,
    /// Words in a column.
    pub blocks: usize,
    /// How many rows each literal is in.
    counts: Vec<u32>,
    /// The rank of each literal,
    ranks: Vec<u16>,
    /// and the literal of each rank.
    by_rank: Vec<u16>,
    /// For sorting.
    places: Vec<u32>,
}

impl<const W: usize> Frame<W> {
    /// Takes these rows, whose literals are less than `literals`.
    pub fn build(&mut self, rows: impl Iterator<Item = Mask<W>> + Clone, literals: usize) {
        // 1. Rows, by a counting sort.
        self.places.clear();
        self.places.resize(literals + 2, 0);
        let mut count = 0;
        for row in rows.clone() {
            self.places[row.len() + 1] += 1;
            count += 1;
        }
        for length in 1..self.places.len() {
            self.places[length] += self.places[length - 1];
        }
        self.rows.clear();
        self.rows.resize(count, Mask::default());
        for row in rows {
            let place = &mut self.places[row.len()];
            self.rows[*place as usize] = row;
            *place += 1;
        }

        // 2. Columns.
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

        // 3. Ranks.
        self.by_rank.clear();
        self.by_rank.extend(0..literals as u16);
        self.by_rank.sort_by_key(|&literal| Reverse(self.counts[usize::from(literal)]));
        self.ranks.clear();
        self.ranks.resize(literals, 0);
        for (rank, &literal) in self.by_rank.iter().enumerate() {
            self.ranks[usize::from(literal)] = rank as u16;
        }
        let mut ranked = std::mem::take(&mut self.ranked);
        ranked.clear();
        ranked.extend(self.rows.iter().map(|&row| self.rank(row)));
        self.ranked = ranked;
    }

    /// The rows that contain a literal, as bits.
    #[inline]
    pub fn column(&self, literal: usize) -> &[u64] {
        self.columns.get(literal * self.blocks..).and_then(|rest| rest.get(..self.blocks)).unwrap_or(&[])
    }

    /// The rows that contain the literal of a rank, as bits.
    #[inline]
    pub fn column_of_rank(&self, rank: usize) -> &[u64] {
        self.column(usize::from(self.by_rank[rank]))
    }

    /// Literals as ranks: numbered by how many rows they are in, the rarest one last.
    pub fn rank(&self, literals: Mask<W>) -> Mask<W> {
        let mut ranked = Mask::default();
        for literal in literals.iter().take_while(|&literal| literal < self.ranks.len()) {
            ranked.insert(usize::from(self.ranks[literal]));
        }
        ranked
    }
}
