//! Statistics of winning sets (*Set Colouring Games* 10.6, 12.4): how many, how long, and what each is worth.
//!
//! A set of l elements is completed by chance with probability 2^-l; the sum over the sets through an element is its
//! weight. A decay of one half is the right one: with 1 long sets drown the others, with 0 only the shortest count.

use gamesat_core::formula::{ClauseArena, Var};
use rustc_hash::FxHashMap;

/// What can be counted about rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowStatistics {
    /// Rows.
    pub rows: usize,
    /// Literals in all rows.
    pub literals: usize,
    /// How many rows have each length.
    pub histogram: Vec<usize>,
    /// Each row counted 2^-length.
    pub weight: f64,
    /// The same for the rows through each element, in order of elements.
    pub weights: Vec<(Var, f64)>,
}

impl RowStatistics {
    /// The mean length.
    pub fn mean(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { self.literals as f64 / self.rows as f64 }
    }

    /// The longest row.
    pub fn longest(&self) -> usize {
        self.histogram.len().saturating_sub(1)
    }
}

/// Counts rows.
pub fn row_statistics(rows: &ClauseArena) -> RowStatistics {
    let mut found = RowStatistics { rows: rows.len(), literals: rows.num_lits(), ..RowStatistics::default() };
    let mut weights: FxHashMap<Var, f64> = FxHashMap::default();
    for row in rows {
        if found.histogram.len() <= row.len() {
            found.histogram.resize(row.len() + 1, 0);
        }
        found.histogram[row.len()] += 1;
        let weight = 0.5f64.powi(i32::try_from(row.len()).unwrap_or(i32::MAX));
        found.weight += weight;
        row.iter().for_each(|lit| *weights.entry(lit.var()).or_default() += weight);
    }
    found.weights = weights.into_iter().collect();
    found.weights.sort_by_key(|&(var, _)| var);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::evaluate::cases::hex;
    use gamesat_core::formula::GameMatrix;
    use gamesat_encode::{Form, Rows};

    /// Black's paths on an empty board.
    fn paths(side: usize) -> RowStatistics {
        let rows = Rows { form: Some(Form::Dnf), ..Rows::default() };
        match hex(side, &[], rows).matrix() {
            GameMatrix::Dnf(rows) => row_statistics(rows),
            _ => unreachable!(),
        }
    }

    #[test]
    fn published_statistics() {
        assert_eq!([2, 3, 4].map(|side| paths(side).weight), [3.0 / 4.0, 37.0 / 32.0, 61.0 / 32.0]);
        let three: Vec<f64> = paths(3).weights.iter().map(|&(_, weight)| weight * 32.0).collect();
        assert_eq!(three[..5], [7.0, 14.0, 16.0, 11.0, 21.0]);
        let six = paths(6);
        assert_eq!((six.rows, six.longest()), (3848, 16));
        assert_eq!((six.mean() * 100.0).round(), 1126.0);
    }
}
