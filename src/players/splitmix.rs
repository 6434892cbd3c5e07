//! Lots: a sequence of numbers that looks random and is a function of its seed (SplitMix64; G. Steele, D. Lea, C. Flood,
//! 2014), so that matches repeat.

/// A sequence of lots.
#[derive(Clone, Debug)]
pub struct Lots(u64);

impl Lots {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Lots(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number less than `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The upper half of a product: as good as even for bounds far below 2^64.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// One of these, if there is any.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() { None } else { Some(all[self.below(all.len())]) }
    }

    /// Puts these into random order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, self.below(at + 1));
        }
    }
}
