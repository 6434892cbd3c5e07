//! Sets of variables whose memory follows the number of members, not the largest index.
//!
//! A file may name variable 2,000,000,000 in its only clause; a bit vector up to it would be out of proportion. Dense
//! input gets bits, sparse input gets a hash set.

use super::Var;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

/// A set of variables.
#[derive(Clone, Debug)]
pub(crate) enum VarSet {
    Dense(FixedBitSet),
    Sparse(FxHashSet<Var>),
}

impl VarSet {
    /// A set for variables below `bound`, of which about `members` are expected.
    pub(crate) fn new(bound: usize, members: usize) -> Self {
        if bound / 64 <= members.saturating_add(64) {
            VarSet::Dense(FixedBitSet::with_capacity(bound))
        } else {
            VarSet::Sparse(FxHashSet::default())
        }
    }

    /// Adds a variable; false if it was there.
    pub(crate) fn insert(&mut self, var: Var) -> bool {
        match self {
            VarSet::Dense(bits) => {
                bits.grow(var.index() + 1);
                !bits.put(var.index())
            }
            VarSet::Sparse(set) => set.insert(var),
        }
    }

    pub(crate) fn contains(&self, var: Var) -> bool {
        match self {
            VarSet::Dense(bits) => bits.contains(var.index()),
            VarSet::Sparse(set) => set.contains(&var),
        }
    }
}
