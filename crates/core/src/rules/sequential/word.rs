//! Sets of cells as words of bits: one or two machine words.

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
