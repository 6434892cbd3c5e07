//! An order of the diagrams' variables in which those of a clause are close to each other (FORCE: Aloul, Markov and Sakallah, *FORCE: a
//! fast and easy-to-implement variable-ordering heuristic*, 2003).

use super::super::matrix::Matrix;
use gamesat_core::formula::Lit;

/// Rounds that look for a good order of the variables.
const ROUNDS: usize = 200;
/// Parts of a place that middles are rounded to.
const FINE: usize = 1 << 10;

/// The variables that occur, those of a clause close to each other: in each round all move to the middle of their clauses' middles,
/// and the round after which clauses are shortest counts. The length of all clauses comes first.
pub(super) fn order(matrix: &Matrix) -> (usize, Vec<usize>) {
    let mut order: Vec<usize> =
        (0..matrix.level_of.len()).filter(|&var| matrix.level_of[var] != Matrix::ABSENT).collect();
    let mut best = (usize::MAX, order.clone());
    let mut places = vec![0; matrix.level_of.len()];
    // Sums of whole numbers, so that every machine finds the same order.
    for _ in 0..ROUNDS {
        for (place, &var) in order.iter().enumerate() {
            places[var] = place;
        }
        let mut sums = vec![(0, 0); matrix.level_of.len()];
        let mut length = 0;
        for clause in matrix.clauses.iter().filter(|clause| !clause.is_empty()) {
            let place = |lit: &Lit| places[lit.var().index()];
            let (first, last) = clause.iter().map(place).fold((usize::MAX, 0), |(a, b), p| (a.min(p), b.max(p)));
            length += last - first;
            let middle = FINE * clause.iter().map(place).sum::<usize>() / clause.len();
            for lit in clause {
                let (sum, count) = &mut sums[lit.var().index()];
                *sum += middle;
                *count += 1;
            }
        }
        if length < best.0 {
            best = (length, order.clone());
        }
        order.sort_by_key(|&var| sums[var].0 / sums[var].1.max(1));
    }
    best
}
