//! Sets of variables whose memory follows the number of members, not the largest index.
//!
//! A file may name variable 2,000,000,000 in its only clause; a bit vector up to it would be out of proportion. So a
//! variable goes into the bits only if the members so far pay for the bits up to it, and into a hash set otherwise.

use super::Var;
use bitvec::vec::BitVec;
use rustc_hash::FxHashSet;

/// A set of variables.
#[derive(Clone, Debug, Default)]
pub struct VarSet {
    dense: BitVec,
    sparse: FxHashSet<Var>,
    members: usize,
}

impl VarSet {
    /// Every member pays for so many bits.
    const BITS_PER_MEMBER: usize = 64;

    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a variable; false if it was there.
    #[inline]
    pub fn insert(&mut self, var: Var) -> bool {
        if self.is_dense(var) {
            return false;
        }
        self.insert_new(var)
    }

    fn insert_new(&mut self, var: Var) -> bool {
        if self.sparse.contains(&var) {
            return false;
        }
        self.members += 1;
        if var.index() >= self.dense.len() {
            let paid = (self.members + 64) * Self::BITS_PER_MEMBER;
            if var.index() >= paid {
                return self.sparse.insert(var);
            }
            self.dense.resize((2 * var.index()).clamp(64, paid), false);
        }
        self.dense.set(var.index(), true);
        true
    }

    /// Whether a variable is in the set.
    #[inline]
    pub fn contains(&self, var: Var) -> bool {
        self.is_dense(var) || self.sparse.contains(&var)
    }

    #[inline]
    fn is_dense(&self, var: Var) -> bool {
        self.dense.get(var.index()).is_some_and(|bit| *bit)
    }
}

impl FromIterator<Var> for VarSet {
    fn from_iter<I: IntoIterator<Item = Var>>(vars: I) -> Self {
        let mut set = VarSet::new();
        vars.into_iter().for_each(|var| {
            set.insert(var);
        });
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_members_are_found() {
        let mut set = VarSet::new();
        let vars: Vec<Var> =
            (0..3000).map(|i| Var::from_index(if i % 3 == 0 { 2_000_000_000 - i } else { 5000 - i })).collect();
        for &var in &vars {
            assert!(!set.contains(var));
            assert!(set.insert(var));
            assert!(set.contains(var));
        }
        assert!(vars.iter().all(|&var| set.contains(var) && !set.insert(var)));
        assert!(!set.contains(Var::from_index(7_000)));
        assert!(set.dense.len() < 1 << 20);
    }
}
