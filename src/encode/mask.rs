//! Sets of cells as a few machine words: on a board with at most 64 free cells, one.

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mask<const W: usize>(pub(super) [u64; W]);

impl<const W: usize> Mask<W> {
    pub(super) const EMPTY: Self = Mask([0; W]);

    #[inline]
    pub(super) fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    #[inline]
    pub(super) fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub(super) fn and(&self, other: &Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    pub(super) fn or(&self, other: &Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline]
    pub(super) fn without(&self, other: &Self) -> Self {
        Mask(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Removes and returns the smallest member.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<usize> {
        for (i, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(64 * i + bit);
            }
        }
        None
    }

    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || rest.pop())
    }
}

impl<const W: usize> FromIterator<usize> for Mask<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> Self {
        let mut mask = Mask::EMPTY;
        for member in members {
            mask.insert(member);
        }
        mask
    }
}
