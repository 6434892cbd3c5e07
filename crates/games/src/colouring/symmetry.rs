//! Symmetries: permutations of the elements that map the set of rows onto itself.
//!
//! An automorphism of the formula is a symmetry of the game (*Set Colouring Games* 5.6). A position and its images have one
//! winner, and the images of a trace and of a winning move are a trace and a winning move. They are found by backtracking over
//! images of elements, consistent with how often (weighted by the length of rows) any two elements occur together; a
//! permutation that passes is verified against the rows themselves. A budget bounds the work, and a limit the number of
//! permutations: a group may be huge, and any subset of it is sound.

use super::form::{Form, fold, hash_row};
use super::mask::Mask;
use rustc_hash::FxHashSet;

/// Automorphisms that are kept, without the identity.
const KEPT: usize = 15;
/// Consistency tests that may be made.
const BUDGET: usize = 200_000;
/// Pairs in rows that may be looked at, and elements.
const PAIRS: usize = 1 << 25;
const ELEMENTS: usize = 256;

/// A permutation of the elements and its inverse.
pub(super) struct Permutation {
    image: Vec<u16>,
    inverse: Vec<u16>,
}

impl Permutation {
    pub(super) fn apply<const W: usize>(&self, set: Mask<W>) -> Mask<W> {
        permute(&self.image, set)
    }

    pub(super) fn undo<const W: usize>(&self, set: Mask<W>) -> Mask<W> {
        permute(&self.inverse, set)
    }

    pub(super) fn image(&self, element: u16) -> u16 {
        self.image[usize::from(element)]
    }

    pub(super) fn preimage(&self, element: u16) -> u16 {
        self.inverse[usize::from(element)]
    }
}

fn permute<const W: usize>(image: &[u16], set: Mask<W>) -> Mask<W> {
    let mut result = Mask::default();
    for element in set.iter() {
        result.insert(usize::from(image[element]));
    }
    result
}

struct Backtracking<'a, const W: usize> {
    elements: usize,
    together: Vec<u64>,
    rows: &'a FxHashSet<Mask<W>>,
    image: Vec<u16>,
    used: Vec<bool>,
    budget: usize,
    found: Vec<Permutation>,
}

/// Some automorphisms of a form with unsigned literals `0..elements`.
pub(super) fn automorphisms<const W: usize>(form: &Form<W>, elements: usize) -> Vec<Permutation> {
    let rows: FxHashSet<Mask<W>> = form.rows().collect();
    let pairs: usize = rows.iter().map(|row| row.len() * row.len()).sum();
    if elements > ELEMENTS || pairs > PAIRS {
        return Vec::new();
    }
    let mut together = vec![0u64; elements * elements];
    for row in form.rows() {
        let weight = fold(row.len() as u64 ^ 0x9E37_79B9_7F4A_7C15, 0xE703_7ED1_A0B4_28DB);
        for a in row.iter() {
            for b in row.iter() {
                together[a * elements + b] = together[a * elements + b].wrapping_add(weight);
            }
        }
    }
    let mut search = Backtracking {
        elements,
        together,
        rows: &rows,
        image: Vec::with_capacity(elements),
        used: vec![false; elements],
        budget: BUDGET,
        found: Vec::new(),
    };
    search.extend();
    search.found
}

impl<const W: usize> Backtracking<'_, W> {
    /// Finds images for the elements from the first without one; false when it is time to end.
    fn extend(&mut self) -> bool {
        let element = self.image.len();
        if element == self.elements {
            return self.record();
        }
        for image in 0..self.elements {
            if self.used[image] {
                continue;
            }
            let Some(budget) = self.budget.checked_sub(1) else { return false };
            self.budget = budget;
            let weight = |a: usize, b: usize| self.together[a * self.elements + b];
            let fits = weight(element, element) == weight(image, image)
                && self.image.iter().enumerate().all(|(a, &b)| weight(element, a) == weight(image, usize::from(b)));
            if fits {
                self.used[image] = true;
                self.image.push(image as u16);
                let go_on = self.extend();
                self.image.pop();
                self.used[image] = false;
                if !go_on {
                    return false;
                }
            }
        }
        true
    }

    fn record(&mut self) -> bool {
        let identity = self.image.iter().enumerate().all(|(a, &b)| a == usize::from(b));
        if !identity && self.rows.iter().all(|&row| self.rows.contains(&permute(&self.image, row))) {
            let mut inverse = vec![0; self.elements];
            for (element, &image) in self.image.iter().enumerate() {
                inverse[usize::from(image)] = element as u16;
            }
            self.found.push(Permutation { image: self.image.clone(), inverse });
        }
        self.found.len() < KEPT
    }
}

/// The hashes of a form as [`Form::hash`] would give them after a permutation.
pub(super) fn hash_image<const W: usize>(form: &Form<W>, permutation: &Permutation) -> (u64, u64) {
    let mut sums = (0u64, 0u64);
    for row in form.rows() {
        let (a, b) = hash_row(&permutation.apply(row));
        sums = (sums.0.wrapping_add(a), sums.1.wrapping_add(b));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(list: &[&[usize]]) -> Vec<Mask<1>> {
        list.iter().map(|row| row.iter().fold(Mask::default(), |all, &e| all | Mask::single(e))).collect()
    }

    #[test]
    fn a_path_can_be_turned_round() {
        let found = automorphisms(&Form::new(&rows(&[&[0, 1], &[1, 2], &[2, 3]])), 4);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].image, [3, 2, 1, 0]);
        assert_eq!(found[0].undo(found[0].apply(Mask::<1>([0b0011]))), Mask([0b0011]));
    }

    #[test]
    fn a_square_has_seven_symmetries_and_a_spiral_none() {
        assert_eq!(automorphisms(&Form::new(&rows(&[&[0, 1], &[1, 2], &[2, 3], &[3, 0]])), 4).len(), 7);
        assert_eq!(automorphisms(&Form::new(&rows(&[&[0, 1], &[1, 2], &[1, 3, 4], &[2, 3]])), 5).len(), 0);
    }

    #[test]
    fn hashes_follow_the_permutation() {
        let form = Form::new(&rows(&[&[0, 1], &[1, 2, 3]]));
        let turned = Form::new(&rows(&[&[3, 2], &[2, 1, 0]]));
        let turn = Permutation { image: vec![3, 2, 1, 0], inverse: vec![3, 2, 1, 0] };
        assert_eq!(hash_image(&form, &turn), turned.hash());
    }
}
