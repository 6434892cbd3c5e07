//! Cubes: when every variable has a value and no clause fails, some true literals satisfy all clauses. Their conjunction
//! implies the matrix; its negation is a constraint that fails for the universal player.
//!
//! Which literals are chosen decides what is learnt. Existential literals deeper than all universal ones of the cube cost
//! nothing, for reduction drops them. What is more, clauses that only define what nobody uses need no literal at all: see
//! [`circuit`](super::super::circuit). So first the innermost variables are set free, then all existential ones beyond the
//! universal level before the last that the cube needs, and so on while the play would still be won.
//!
//! Of the clauses that other literals have to satisfy, first come those that only universal literals do; then, as far as
//! possible, existential literals deeper than these; and for the rest a literal that is there already, or else the
//! outermost one: it leads back furthest.

use super::super::circuit::Circuit;
use super::{Search, TRUE};
use gamesat_core::formula::{Lit, Quantifier};

/// Levels from the innermost one that are set free.
const MOST_LEVELS: usize = 32;

impl Search<'_> {
    /// The negation of true literals that satisfy every clause that needs it.
    pub(super) fn cover(&mut self) -> Vec<Lit> {
        let mut cover = std::mem::take(&mut self.covering);
        let levels = self.matrix.quantifiers.len();
        self.rest = None;
        // If there is but one level, its literals are the winner's first move and have to be named.
        if levels == 1 || self.is_brief() {
            self.to_cover.clear();
            self.to_cover.extend(0..self.matrix.clauses.len() as u32);
            self.cover_outer(&mut cover);
            return cover;
        }
        self.covering = cover;
        self.cover_from(levels - 2).unwrap_or_default()
    }

    /// The same by literals up to a universal level, if they suffice; the fewer levels the better.
    pub(super) fn cover_from(&mut self, mut level: usize) -> Option<Vec<Lit>> {
        let levels = self.matrix.quantifiers.len();
        if !self.find_what_to_cover(level) {
            return None;
        }
        let mut cover = std::mem::take(&mut self.covering);
        loop {
            let deepest = self.cover_outer(&mut cover);
            self.note_rest(level);
            // The universal level before the deepest that is needed, if there is one.
            match deepest {
                Some(deepest) if deepest >= 2 && deepest + MOST_LEVELS > levels => level = deepest - 2,
                _ => return Some(cover),
            }
            if !self.find_what_to_cover(level) {
                return Some(cover);
            }
        }
    }

    /// Finds the clauses that literals up to this universal level have to satisfy. False if they cannot.
    fn find_what_to_cover(&mut self, level: usize) -> bool {
        let (matrix, values, levels, block) = (self.matrix, &self.values, &self.levels, &self.block);
        let circuit = self.circuits[level].get_or_insert_with(|| Circuit::beyond(level, matrix));
        let clauses = &matrix.clauses;
        let is_outer = |lit: &Lit| values[lit.code()] == TRUE && block[lit.var().index()] as usize <= level;
        let is_fixed = |lit: &Lit| is_outer(lit) && levels[lit.var().index()] == 0;
        self.to_cover.clear();
        let mut needed = Needed { clauses: &mut self.to_cover, fails: false };
        for &clause in circuit.others() {
            needed.add(clause, clauses[clause as usize].iter().any(is_outer));
        }
        self.work += circuit.others().len() as u64;
        self.work += self.needs.justify(
            circuit,
            clauses,
            |lit| values[lit.code()] == TRUE,
            &mut needed,
            |needed, clause| needed.fails || clauses[clause as usize].iter().any(is_fixed),
            |needed, clause| needed.add(clause, clauses[clause as usize].iter().any(is_outer)),
        );
        !needed.fails
    }

    /// Covers the clauses by their outer literals, and says which is the deepest level of the universal ones.
    fn cover_outer(&mut self, cover: &mut Vec<Lit>) -> Option<usize> {
        cover.clear();
        // Clauses without a true existential literal.
        let mut deepest = None;
        let matrix = self.matrix;
        self.uncovered.clear();
        let to_cover = std::mem::take(&mut self.to_cover);
        let innermost = matrix.quantifiers.len() as u32 - 1;
        let is_last = innermost > 0 && matrix.quantifiers.last() == Some(&Quantifier::Exists);
        for &index in &to_cover {
            let clause = &matrix.clauses[index as usize];
            self.work += clause.len() as u64;
            // Reduction drops what is innermost; clauses are in the order of the prefix.
            let is_dropped = |lit: &&Lit| is_last && self.block[lit.var().index()] == innermost;
            if clause.iter().rev().take_while(is_dropped).any(|lit| self.values[lit.code()] == TRUE) {
                continue;
            }
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
                    deepest = deepest.max(Some(self.block[lit.var().index()]));
                    cover.push(!lit);
                }
                (Some(block), _) => self.uncovered.push((index, block)),
                (None, None) => debug_assert!(false, "a clause fails unnoticed"),
            }
        }
        self.to_cover = to_cover;
        // The others. If there is but one block, its literals are the winner's first move and have to be named.
        let uncovered = std::mem::take(&mut self.uncovered);
        for &(index, block) in uncovered.iter().filter(|&&(_, block)| block <= deepest.unwrap_or(0)) {
            let mut candidates = matrix.clauses[index as usize].iter().filter(|lit| self.values[lit.code()] == TRUE);
            debug_assert!(block == 0 || Some(block) < deepest);
            let first = candidates.next();
            let is_covered = |lit: &Lit| self.is_covering[lit.var().index()];
            if let Some(&lit) = first.filter(|lit| !is_covered(lit) && !candidates.any(is_covered)) {
                self.is_covering[lit.var().index()] = true;
                cover.push(!lit);
            }
        }
        self.uncovered = uncovered;
        cover.iter().for_each(|lit| self.is_covering[lit.var().index()] = false);
        deepest.map(|level| level as usize)
    }
}

/// Clauses that outer literals have to satisfy.
struct Needed<'a> {
    clauses: &'a mut Vec<u32>,
    /// For some clause they do not.
    fails: bool,
}

impl Needed<'_> {
    fn add(&mut self, clause: u32, is_satisfied: bool) {
        self.clauses.push(clause);
        self.fails |= !is_satisfied;
    }
}
