//! Plays that end early: before the next block is decided, it may be plain that the existential player wins the rest.
//!
//! That is so if all that a won play [needs](super::super::circuit) has true literals already: what is asserted, and what is used of
//! the rest. All other clauses are blocked one after the other on open variables, which then follow whatever the universal player
//! does. The idea to ask this during the search is that of dynamic blocked clause elimination (Lonsing, Bacchus, Biere, Egly and
//! Seidl, "Enhancing search-based QBF solving by dynamic blocked clause elimination", 2015); here the split into asserted and
//! blocked clauses is the one that [covers](super::cover) use in any case, made once.
//!
//! Before some blocks this never succeeds. While it does so less than once in [`RARE`] attempts, only one chance in
//! [`SKIPPED`] is taken there.

use super::Search;
use gamesat_core::formula::{Lit, Quantifier};

const RARE: u64 = 32;
const SKIPPED: u64 = 16;
/// Attempts before a block until it is judged.
const PATIENCE: u64 = 64;

/// By block: chances, attempts, and how many succeeded.
pub(super) type Luck = Vec<[u64; 3]>;

impl Search<'_> {
    /// The cover of a win, if the existential player wins the rest before anything of this block is decided; the blocks before
    /// it have no open variable.
    pub(super) fn cover_early(&mut self, block: u32) -> Option<Vec<Lit>> {
        if !self.options.early_wins || self.is_brief() {
            return None;
        }
        // The last universal level that was decided.
        let is_universal = |level: &usize| self.matrix.quantifiers[*level] == Quantifier::Forall;
        let level = (0..block as usize).rev().find(is_universal)?;
        let [chances, attempts, successes] = &mut self.luck[block as usize];
        *chances += 1;
        let is_rare = *attempts > PATIENCE && *successes * RARE < *attempts;
        if is_rare && !chances.is_multiple_of(SKIPPED) {
            return None;
        }
        *attempts += 1;
        let cover = self.cover_from(level)?;
        self.luck[block as usize][2] += 1;
        self.counters.early_wins += 1;
        Some(cover)
    }
}
