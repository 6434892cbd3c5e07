//! Cubes: when every variable has a value and no clause fails, some true literals satisfy all clauses. Their conjunction
//! implies the matrix; its negation is a constraint that fails for the universal player.
//!
//! Which literals are chosen decides what is learnt. Existential literals deeper than all universal variables cost nothing,
//! for reduction drops them. Beyond that a literal that is there already is best, and then the outermost one: it leads
//! back furthest.

use super::{Search, TRUE};
use crate::formula::{Lit, Quantifier};

impl Search<'_> {
    /// The negation of true literals that satisfy every clause.
    pub(super) fn cover(&mut self) -> Vec<Lit> {
        // If there is but one block, its literals are the winner's first move and have to be named.
        let innermost = self.matrix.quantifiers.len() as u32 - 1;
        let is_free = |block: u32| block == innermost && innermost > 0;
        let mut cover = std::mem::take(&mut self.covering);
        cover.clear();
        'clauses: for clause in &self.matrix.clauses {
            let mut best: Option<(u32, Lit)> = None;
            for &lit in clause {
                if self.values[lit.code()] != TRUE {
                    continue;
                }
                let index = lit.var().index();
                if self.levels[index] == 0 || is_free(self.block[index]) || self.is_covering[index] {
                    continue 'clauses;
                }
                // A universal literal costs a little more than an existential one of the same place.
                let cost = 2 * self.block[index] + u32::from(self.owner[index] == Quantifier::Forall);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, lit));
                }
            }
            debug_assert!(best.is_some(), "a clause fails unnoticed");
            if let Some((_, lit)) = best {
                self.is_covering[lit.var().index()] = true;
                cover.push(!lit);
            }
        }
        cover.iter().for_each(|lit| self.is_covering[lit.var().index()] = false);
        cover
    }
}
