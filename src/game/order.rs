//! Move ordering: the weight of a literal is the sum of 2^-|row| over the rows it is in, the probability view of random play.
//! A move is worth the own rows it hits and the opponent's rows it shrinks.

use super::form::Form;

/// Rows longer than this weigh as much as if they had this length.
const LONGEST: usize = 40;

/// Weights of literals, one list for each player's rows.
pub(super) struct Weights {
    sums: [Vec<u64>; 2],
}

impl Weights {
    pub(super) fn new(literals: usize) -> Self {
        Weights { sums: [vec![0; literals], vec![0; literals]] }
    }

    pub(super) fn compute<const W: usize>(&mut self, forms: [Option<&Form<W>>; 2]) {
        for (sums, form) in self.sums.iter_mut().zip(forms) {
            sums.fill(0);
            for row in form.into_iter().flat_map(Form::rows) {
                let weight = 1 << (LONGEST - row.len().min(LONGEST));
                for literal in row.iter() {
                    sums[literal] += weight;
                }
            }
        }
    }

    #[inline]
    pub(super) fn of(&self, player: usize, literal: usize) -> u64 {
        self.sums[player][literal]
    }
}
