//! Cubes: when every variable has a value and no clause fails, some true literals satisfy all clauses. Their conjunction
//! implies the matrix; its negation is a constraint that fails for the universal player.
//!
//! Which literals are chosen decides what is learnt. Existential literals deeper than all universal ones of the cube cost
//! nothing, for reduction drops them. So first come the clauses that only universal literals satisfy; then, as far as
//! possible, existential literals deeper than these; and for the rest a literal that is there already, or else the outermost
//! one: it leads back furthest.

use super::{Search, TRUE};
use crate::formula::{Lit, Quantifier};

impl Search<'_> {
    /// The negation of true literals that satisfy every clause.
    pub(super) fn cover(&mut self) -> Vec<Lit> {
        let mut cover = std::mem::take(&mut self.covering);
        cover.clear();
        // Clauses without a true existential literal.
        let mut deepest = 0;
        let matrix = self.matrix;
        self.uncovered.clear();
        for (index, clause) in matrix.clauses.iter().enumerate() {
            let mut existential = None;
            let mut universal: Option<Lit> = None;
            let mut is_covered = false;
            for &lit in clause {
                let var = lit.var().index();
                if self.values[lit.code()] != TRUE {
                    continue;
                }
                if self.levels[var] == 0 || self.is_covering[var] {
                    is_covered = true;
                    break;
                }
                if self.owner[var] == Quantifier::Exists {
                    existential = Some(self.block[var]);
                } else {
                    // Clauses are in the order of the prefix.
                    universal = universal.or(Some(lit));
                }
            }
            match (existential, universal) {
                _ if is_covered => {}
                (None, Some(lit)) => {
                    self.is_covering[lit.var().index()] = true;
                    deepest = deepest.max(self.block[lit.var().index()]);
                    cover.push(!lit);
                }
                (Some(block), _) => self.uncovered.push((index as u32, block)),
                (None, None) => debug_assert!(false, "a clause fails unnoticed"),
            }
        }
        // The others. If there is but one block, its literals are the winner's first move and have to be named.
        let uncovered = std::mem::take(&mut self.uncovered);
        for &(index, block) in uncovered.iter().filter(|&&(_, block)| block <= deepest) {
            let mut candidates = matrix.clauses[index as usize].iter().filter(|lit| self.values[lit.code()] == TRUE);
            debug_assert!(block == 0 || block < deepest);
            let first = candidates.next();
            let is_covered = |lit: &Lit| self.is_covering[lit.var().index()];
            if let Some(&lit) = first.filter(|lit| !is_covered(lit) && !candidates.any(is_covered)) {
                self.is_covering[lit.var().index()] = true;
                cover.push(!lit);
            }
        }
        self.uncovered = uncovered;
        cover.iter().for_each(|lit| self.is_covering[lit.var().index()] = false);
        cover
    }
}
