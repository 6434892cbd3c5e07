//! Sets of cells as words of bits: one or two machine words where a board fits, rows of them where it does not.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A word of bits. Shifts by its width or more leave nothing.
pub trait Word:
    Copy
    + Eq
    + Ord
    + fmt::Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Number of bits.
    const BITS: u32;
    /// No bit.
    const ZERO: Self;
    /// The lowest bit.
    const ONE: Self;

    /// How many bits are set.
    fn count(self) -> u32;

    /// Whether no bit is set.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// Two words from which the bits can be told, up to chance if they are more than 64.
    fn digest(self) -> (u64, u64);
}

/// A step of SplitMix64, which mixes all bits of a word.
#[inline]
pub fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

impl Word for u64 {
    const BITS: u32 = u64::BITS;
    const ZERO: Self = 0;
    const ONE: Self = 1;

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn digest(self) -> (u64, u64) {
        (self.wrapping_mul(0x9e37_79b9_7f4a_7c15), self)
    }
}

impl Word for u128 {
    const BITS: u32 = u128::BITS;
    const ZERO: Self = 0;
    const ONE: Self = 1;

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn digest(self) -> (u64, u64) {
        let (low, high) = (self as u64, (self >> 64) as u64);
        (mixed(low ^ mixed(high)), mixed(mixed(low.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ high))
    }
}

/// Sixteen machine words: boards of nearly any size, slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wide([u64; 16]);

impl Wide {
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Wide(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl BitAnd for Wide {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Wide {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Wide {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Wide {
    type Output = Self;
    fn not(self) -> Self {
        Wide(self.0.map(|word| !word))
    }
}

impl BitAndAssign for Wide {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Wide {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl Shl<u32> for Wide {
    type Output = Self;
    fn shl(self, bits: u32) -> Self {
        let (words, bits) = ((bits / 64) as usize, bits % 64);
        Wide(std::array::from_fn(|i| {
            let at = |back: usize| i.checked_sub(words + back).map_or(0, |i| self.0[i]);
            if bits == 0 { at(0) } else { at(0) << bits | at(1) >> (64 - bits) }
        }))
    }
}

impl Shr<u32> for Wide {
    type Output = Self;
    fn shr(self, bits: u32) -> Self {
        let (words, bits) = ((bits / 64) as usize, bits % 64);
        Wide(std::array::from_fn(|i| {
            let at = |on: usize| self.0.get(i + words + on).copied().unwrap_or(0);
            if bits == 0 { at(0) } else { at(0) >> bits | at(1) << (64 - bits) }
        }))
    }
}

impl Word for Wide {
    const BITS: u32 = 1024;
    const ZERO: Self = Wide([0; 16]);
    const ONE: Self = Wide({
        let mut words = [0; 16];
        words[0] = 1;
        words
    });

    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn digest(self) -> (u64, u64) {
        self.0.iter().fold((0, 0x9e37_79b9_7f4a_7c15), |(one, two), &word| {
            (mixed(one.rotate_left(5) ^ word), mixed(two.wrapping_mul(3) ^ word))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_words_shift_like_narrow_ones() {
        let narrow = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978_u128;
        let wide = |n: u128| {
            let mut words = [0; 16];
            (words[0], words[1]) = (n as u64, (n >> 64) as u64);
            Wide(words)
        };
        for bits in 0..128 {
            assert_eq!(wide(narrow) >> bits, wide(narrow >> bits));
            assert_eq!((wide(narrow) << bits) >> bits, wide(narrow), "nothing falls off a wide word");
            assert_eq!((wide(narrow) << (bits + 700)) >> 700, wide(narrow) << bits);
        }
        assert_eq!(wide(narrow) << 1024, Wide::ZERO);
        assert_eq!(wide(narrow).count(), narrow.count());
    }
}
