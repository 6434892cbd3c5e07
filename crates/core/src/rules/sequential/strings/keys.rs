//! Keys of quiet positions, and of those behind moves that offer nothing, without making the move.
//!
//! The value of a position depends on its graph alone, and the graph is known once it is known which rows of coins with two
//! strings each lead from where to where and how long they are, a string between two joints being a row without coins. So the
//! key is a sum over all rows of a random word that depends on both ends and the length; where the row runs on the board is no
//! part of it. Components that are apart have no end, so that only how many there are of each kind counts. A symmetry of
//! the board moves the ends, so there is a sum for each of them. The plain key beside it knows nothing of graphs: it is that of the
//! strings that are left.
//!
//! A string that is cut takes its row out of the sum. A joint that has two strings left then joins two rows, which leave the
//! sum, while the new one enters it. That is all that happens when a move offers nothing.

use super::super::Key;
use super::super::endgame::Component;
use super::super::word::mixed;
use super::{Move, Strings};

/// Two sums of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    place: u64,
    check: u64,
}

impl Sum {
    /// Two words that this one, which is random, is mixed to.
    #[inline]
    fn of(word: u64) -> Self {
        let mixed = |by: u64| {
            let product = u128::from(word) * u128::from(by);
            product as u64 ^ (product >> 64) as u64
        };
        Sum { place: mixed(0x9e37_79b9_7f4a_7c15), check: mixed(0xd6e8_feb8_6659_fd93) }
    }

    #[inline]
    fn add(&mut self, other: Sum) {
        self.place = self.place.wrapping_add(other.place);
        self.check = self.check.wrapping_add(other.check);
    }

    #[inline]
    fn subtract(&mut self, other: Sum) {
        self.place = self.place.wrapping_sub(other.place);
        self.check = self.check.wrapping_sub(other.check);
    }
}

/// A row from one end to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    Between(usize, usize, u16),
    Apart(Component),
}

/// A random word for the image of every coin and of the ground, for each symmetry.
pub(super) fn words<'a>(
    coins: usize,
    ends: &[[u16; 2]],
    images: &[Vec<Move>],
    strings: impl Fn(usize) -> &'a [u16],
) -> Vec<u64> {
    let word = |coin: usize| mixed((coin as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut words = Vec::with_capacity((coins + 1) * images.len());
    for coin in 0..=coins {
        for (at, image) in images.iter().enumerate() {
            // The coin at which the images of all its strings meet.
            let meet = |&other: &u16| {
                let there = |&string: &u16| ends[usize::from(image[usize::from(string)])].contains(&other);
                usize::from(other) < coins && strings(coin).iter().all(there)
            };
            let to = if at == 0 || coin == coins {
                Some(coin)
            } else {
                let first = strings(coin).first().map(|&string| ends[usize::from(image[usize::from(string)])]);
                first.into_iter().flatten().find(meet).map(usize::from)
            };
            words.push(word(to.expect("a symmetry maps coins to coins")));
        }
    }
    words
}

/// What every string counts that is a row by itself, for each symmetry.
pub(super) fn codes(ends: &[[u16; 2]], words: &[u64], images: usize) -> Vec<Sum> {
    let word = |end: u16, image: usize| words[usize::from(end) * images + image];
    let code = |[one, two]: [u16; 2]| (0..images).map(move |at| Sum::of(word(one, at).wrapping_add(word(two, at))));
    ends.iter().copied().flat_map(code).collect()
}

impl Strings {
    /// Adds what a row counts to the sums of all symmetries.
    #[inline]
    pub(super) fn add(&self, sums: &mut [Sum], row: Row) {
        self.each(sums, row, Sum::add);
    }

    /// Takes what a row counts from the sums of all symmetries.
    #[inline]
    pub(super) fn subtract(&self, sums: &mut [Sum], row: Row) {
        self.each(sums, row, Sum::subtract);
    }

    #[inline]
    fn each(&self, sums: &mut [Sum], row: Row, change: impl Fn(&mut Sum, Sum)) {
        match row {
            Row::Between(one, two, coins) => {
                let (words, images) = (&self.graph.words, self.graph.images.len());
                let (one, two) = (&words[one * images..], &words[two * images..]);
                let length = u64::from(coins).wrapping_mul(0xa076_1d64_78bd_642f);
                for ((sum, one), two) in sums.iter_mut().zip(one).zip(two) {
                    change(sum, Sum::of(one.wrapping_add(*two) ^ length));
                }
            }
            Row::Apart(component) => {
                let code = match component {
                    Component::Chain(coins) => u64::from(coins) << 1,
                    Component::Loop(coins) => u64::from(coins) << 1 | 1,
                };
                let word = Sum::of(mixed(code.wrapping_mul(0xd134_2543_de82_ef95)));
                sums.iter_mut().for_each(|sum| change(sum, word));
            }
        }
    }

    /// Takes what a string counts that is a row by itself.
    #[inline]
    pub(super) fn subtract_string(&self, sums: &mut [Sum], string: u16) {
        let codes = &self.graph.codes[usize::from(string) * self.graph.images.len()..];
        sums.iter_mut().zip(codes).for_each(|(sum, &code)| sum.subtract(code));
    }

    /// The key that these sums are, and of which symmetry.
    #[inline]
    pub(super) fn least(sums: &[Sum]) -> (Key, u8) {
        let image = (0..sums.len()).min_by_key(|&image| sums[image].place).unwrap_or(0);
        (Self::key_of(sums[image]), image as u8)
    }

    #[inline]
    fn key_of(Sum { place, check }: Sum) -> Key {
        Key { place, check }
    }

    /// The key of the strings that are left but one.
    pub(super) fn plain_key(&self, but: Option<Move>) -> Key {
        let mut sum = Sum::default();
        for string in (0..self.cut.len()).filter(|&string| !self.cut[string] && but.map(usize::from) != Some(string)) {
            sum.add(Sum::of(mixed((string as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95))));
        }
        Self::key_of(sum)
    }

    /// The key of the position behind a move that offers nothing and leaves a joint; `None` of others.
    pub(super) fn key_behind(&self, mv: Move, canonical: bool) -> Option<Key> {
        let ends = self.graph.ends.get(usize::from(mv))?.map(usize::from);
        let joins = ends.iter().filter(|&&end| self.degree[end] == 3).count() as u32;
        if ends.iter().any(|&end| self.degree[end] < 3) || joins == self.joints {
            return None;
        }
        if !canonical {
            return Some(self.plain_key(Some(mv)));
        }
        // As many symmetries as boards have, known beforehand.
        Some(match self.graph.images.len() {
            8 => self.key_among::<8>(mv, ends),
            4 => self.key_among::<4>(mv, ends),
            _ => self.key_among::<1>(mv, ends),
        })
    }

    fn key_among<const IMAGES: usize>(&self, mv: Move, ends: [usize; 2]) -> Key {
        let coins = self.graph.coins;
        let mut sums = [Sum::default(); IMAGES];
        sums.copy_from_slice(&self.sums[self.sums.len() - self.graph.images.len()..][..IMAGES]);
        let sums = &mut sums;
        self.subtract_string(sums, mv);
        for (side, end) in ends.into_iter().enumerate() {
            if self.degree[end] != 3 {
                continue;
            }
            // The coins that this string leaves with two others: this one, and the other one if it came before.
            let has_two = |coin: usize| {
                self.degree[coin] == 2 || coin == end || side == 1 && coin == ends[0] && self.degree[coin] == 3
            };
            let around = |coin: usize| self.around[coin] ^ if ends.contains(&coin) { mv } else { 0 };
            let walk = |first: u16| {
                let (mut coin, mut last, mut length) = (end, first, 0);
                loop {
                    let next = self.other_end(last, coin);
                    if next == coins || next == end || !has_two(next) {
                        return (next, length);
                    }
                    (coin, last, length) = (next, around(next) ^ last, length + 1);
                }
            };
            let first = self.other_string(end, mv);
            let (one, length) = walk(first);
            if length == 0 {
                self.subtract_string(sums, first);
            } else {
                self.subtract(sums, Row::Between(end, one, length));
            }
            if one == end {
                self.add(sums, Row::Apart(Component::Loop(length + 1)));
                continue;
            }
            let second = around(end) ^ first;
            let (two, more) = walk(second);
            if more == 0 {
                self.subtract_string(sums, second);
            } else {
                self.subtract(sums, Row::Between(end, two, more));
            }
            let length = length + more + 1;
            let row = if one == coins && two == coins {
                Row::Apart(Component::Chain(length))
            } else {
                Row::Between(one, two, length)
            };
            self.add(sums, row);
        }
        Self::least(sums).0
    }

    /// Any string that is left at a coin but this one.
    fn other_string(&self, coin: usize, but: u16) -> u16 {
        let strings = &self.graph.at[self.graph.begin[coin] as usize..self.graph.begin[coin + 1] as usize];
        strings.iter().copied().find(|&string| string != but && !self.cut[usize::from(string)]).unwrap_or(0)
    }
}
