//! Minimal separators of two terminals: the clauses of Shannon's vertex game.
//!
//! The method of Berry, Bordat and Cogis (*Generating all the minimal separators of a graph*, 2000) for one pair of
//! terminals: push a separator away from the source past one of its vertices, and take what is left of it next to the
//! target's side. Every minimal separator is reached from the one closest to the source, and each has both of its sides
//! touching all of it, so nothing redundant is made.

use super::connectors::Masks;
use crate::mask::Mask;
use rustc_hash::FxHashSet;

impl<const W: usize> Masks<W> {
    /// Calls `found` for every minimal set of vertices that separates terminal 0 from terminal 1, until it gives an error.
    ///
    /// # Errors
    /// The error of `found`, and `full` if there are more than `limit` separators.
    pub fn separators<E: Clone>(
        &self,
        limit: usize,
        full: &E,
        found: &mut impl FnMut(&Mask<W>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut seen = FxHashSet::default();
        let first = self.far_side(self.touching[0]);
        seen.insert(first);
        let mut waiting = vec![first];
        while let Some(separator) = waiting.pop() {
            found(&separator)?;
            for vertex in separator.minus(self.touching[1]).iter() {
                let next = self.far_side(separator | self.neighbours[vertex]);
                if seen.insert(next) {
                    waiting.push(next);
                    if seen.len() > limit {
                        return Err(full.clone());
                    }
                }
            }
        }
        Ok(())
    }

    /// The members of `wall` that can be reached from terminal 1 without crossing `wall`.
    fn far_side(&self, wall: Mask<W>) -> Mask<W> {
        let mut reached = self.touching[1];
        let mut frontier = reached.minus(wall);
        while let Some(vertex) = frontier.pop() {
            let new = self.neighbours[vertex].minus(reached);
            reached |= new;
            frontier |= new.minus(wall);
        }
        reached & wall
    }
}
