//! Move ordering: the weight of a literal is the sum of 2^-|row| over the rows it is in, the probability view of random play.
//! A move is worth the own rows it hits and the opponent's rows it shrinks.

use super::form::Form;

/// Rows longer than this weigh as much as if they had this length.
const LONGEST: usize = 40;

/// The weight of a row without literals: 2^0.
const ONE: u64 = 1 << LONGEST;

/// Weights of literals, one list for each player's rows.
pub(super) struct Weights {
    sums: [Vec<u64>; 2],
    totals: [u64; 2],
}

impl Weights {
    pub(super) fn new(literals: usize) -> Self {
        Weights { sums: [vec![0; literals], vec![0; literals]], totals: [0; 2] }
    }

    pub(super) fn compute<const W: usize>(&mut self, forms: [Option<&Form<W>>; 2]) {
        for ((sums, total), form) in self.sums.iter_mut().zip(&mut self.totals).zip(forms) {
            sums.fill(0);
            *total = 0;
            for row in form.into_iter().flat_map(Form::rows) {
                let weight = 1 << (LONGEST - row.len().min(LONGEST));
                *total += weight;
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

    /// Whether a player of an isotone game can hit all rows just by taking the heaviest literal each time (Erdős and
    /// Selfridge 1973): no row is lost while the total weight stays below that of an empty row. `first` says whether the
    /// player is to move. Gives the heaviest literal.
    pub(super) fn suffices(&self, player: usize, first: bool) -> Option<usize> {
        let total = self.totals[player];
        let (literal, weight) = self.sums[player].iter().enumerate().max_by_key(|&(_, weight)| weight)?;
        (total < ONE && (first || total + weight < ONE)).then_some(literal)
    }
}
