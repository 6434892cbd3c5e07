//! Sets of small numbers (literals, elements, cells of a board) as a fixed number of machine words.
//!
//! A game whose formula is increasing in every element needs one bit an element; every other game needs two, the positive
//! literals in the lower half and the negative ones in the upper half, so that one shift by half the width turns a literal
//! into its negation. The number of words is chosen once per game, and a clause of a Hex board up to 8x8 is one word.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of literals (or of elements: then only the lower half is used if literals are signed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mask<const W: usize>(pub [u64; W]);

impl<const W: usize> Default for Mask<W> {
    #[inline]
    fn default() -> Self {
        Mask([0; W])
    }
}

impl<const W: usize> Mask<W> {
    /// Bits in a mask.
    pub const BITS: usize = 64 * W;

    /// The set with one member.
    #[inline]
    pub fn single(bit: usize) -> Self {
        let mut mask = Mask::default();
        mask.insert(bit);
        mask
    }

    /// The set `0..count`.
    pub fn first(count: usize) -> Self {
        (0..count).collect()
    }

    /// Makes it a member.
    #[inline]
    pub fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Makes it none.
    #[inline]
    pub fn remove(&mut self, bit: usize) {
        self.0[bit / 64] &= !(1 << (bit % 64));
    }

    /// Whether it is a member.
    #[inline]
    pub fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Whether it has no member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many members it has.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is exactly one member.
    #[inline]
    pub fn is_single(&self) -> bool {
        let mut words = self.0.iter().filter(|&&word| word != 0);
        words.next().is_some_and(|word| word & (word - 1) == 0) && words.next().is_none()
    }

    /// Whether all members are members of the other set.
    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Whether the sets have a member in common.
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// `self` without the members of `other`.
    #[inline]
    pub fn minus(self, other: Self) -> Self {
        self & !other
    }

    /// The least member.
    #[inline]
    pub fn lowest(&self) -> Option<usize> {
        self.0.iter().position(|&word| word != 0).map(|at| 64 * at + self.0[at].trailing_zeros() as usize)
    }

    /// Removes and returns the least member.
    #[inline]
    pub fn pop(&mut self) -> Option<usize> {
        let least = self.lowest()?;
        self.remove(least);
        Some(least)
    }

    /// The greatest member.
    #[inline]
    pub fn highest(&self) -> Option<usize> {
        self.0.iter().rposition(|&word| word != 0).map(|at| 64 * at + self.0[at].ilog2() as usize)
    }

    /// The members in increasing order.
    #[inline]
    pub fn iter(self) -> Bits<W> {
        Bits { mask: self, word: 0 }
    }

    /// Every literal of a signed mask turned into its negation: the halves change places.
    #[inline]
    pub fn negated(self) -> Self {
        if W == 1 {
            return Mask([self.0[0].rotate_left(32); W]);
        }
        let mut result = Mask::default();
        for at in 0..W {
            result.0[at] = self.0[(at + W / 2) % W];
        }
        result
    }

    /// The lower half of a signed mask.
    #[inline]
    pub fn lower(mut self) -> Self {
        if W == 1 {
            self.0[0] &= 0xFFFF_FFFF;
        } else {
            for word in &mut self.0[W / 2..] {
                *word = 0;
            }
        }
        self
    }
}

impl<const W: usize> BitAnd for Mask<W> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Mask<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a &= b;
        }
    }
}

impl<const W: usize> BitOr for Mask<W> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for Mask<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }
}

impl<const W: usize> Not for Mask<W> {
    type Output = Self;

    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl<const W: usize> FromIterator<usize> for Mask<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> Self {
        let mut mask = Mask::default();
        for member in members {
            mask.insert(member);
        }
        mask
    }
}

/// Iterator over the members of a [`Mask`].
#[derive(Clone)]
pub struct Bits<const W: usize> {
    mask: Mask<W>,
    word: usize,
}

impl<const W: usize> Iterator for Bits<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word < W {
            let word = &mut self.mask.0[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(64 * self.word + bit);
            }
            self.word += 1;
        }
        None
    }
}

/// The places of the bits of a word, in increasing order.
pub fn bits(word: u64) -> Bits<1> {
    Mask([word]).iter()
}

/// The members of a set of rows that is given as words, in increasing order.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> + Clone + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| bits(word).map(move |bit| 64 * at + bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order() {
        let mut mask = Mask::<2>::default();
        for bit in [3, 64, 127, 0] {
            mask.insert(bit);
        }
        mask.remove(3);
        assert_eq!(mask.iter().collect::<Vec<_>>(), [0, 64, 127]);
        assert_eq!((mask.len(), mask.lowest()), (3, Some(0)));
        assert!(!mask.is_single() && Mask::<2>::single(64).is_single() && !Mask::<2>::default().is_single());
        assert_eq!((mask.pop(), mask.pop(), mask.len()), (Some(0), Some(64), 1));
        assert_eq!(ones(&[1, 1 << 63]).collect::<Vec<_>>(), [0, 127]);
    }

    #[test]
    fn negation_changes_halves() {
        assert_eq!(Mask::<1>::single(5).negated(), Mask::single(37));
        assert_eq!(Mask::<4>::single(5).negated(), Mask::single(133));
        assert_eq!(Mask::<4>::single(133).negated(), Mask::single(5));
        assert_eq!((Mask::<1>::single(5) | Mask::single(37)).lower(), Mask::single(5));
        assert_eq!((Mask::<2>::single(5) | Mask::single(69)).lower(), Mask::single(5));
    }
}
