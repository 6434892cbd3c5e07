//! Places for variables in which those of a clause are close to each other, as decision diagrams want it: every variable moves to the
//! middle of its clauses again and again (after Aloul, Markov and Sakallah, *FORCE: a fast and easy-to-implement
//! variable-ordering heuristic*, 2003). Only speed rests on it.

/// Rounds at most, and rounds without progress.
const ROUNDS: usize = 200;
const PATIENCE: usize = 30;
/// Parts of a place that middles are rounded to; whole numbers, so that every machine finds the same places.
const FINE: u64 = 1 << 10;

/// The place of each of `vars` variables, given the variables of every clause; and whether clauses are at most half as long as with
/// places at random.
pub(super) fn placement(vars: usize, clauses: &[Vec<u32>]) -> (Vec<u32>, bool) {
    let mut places: Vec<u32> = (0..vars as u32).collect();
    let mut order: Vec<u32> = places.clone();
    let mut best = (u64::MAX / (4 * FINE), places.clone());
    let mut wanted = vec![(0u64, 0u64); vars];
    let mut idle = 0;
    for _ in 0..ROUNDS {
        wanted.fill((0, 0));
        let mut length = 0;
        for clause in clauses.iter().filter(|clause| !clause.is_empty()) {
            let (mut first, mut last, mut sum) = (u32::MAX, 0, 0);
            for &var in clause {
                let place = places[var as usize];
                (first, last, sum) = (first.min(place), last.max(place), sum + u64::from(place));
            }
            length += u64::from(last - first);
            let middle = FINE * sum / clause.len() as u64;
            for &var in clause {
                let (sum, count) = &mut wanted[var as usize];
                (*sum, *count) = (*sum + middle, *count + 1);
            }
        }
        idle += 1;
        if length < best.0 {
            best = (length, places.clone());
            idle = 0;
        }
        if idle > PATIENCE {
            break;
        }
        // What no clause has stays where it is.
        let middle = |var: u32| match wanted[var as usize] {
            (_, 0) => FINE * u64::from(places[var as usize]),
            (sum, count) => sum / count,
        };
        order.sort_by_key(|&var| middle(var));
        for (place, &var) in (0..).zip(&order) {
            places[var as usize] = place;
        }
    }
    // The first and the last of k places at random are (k - 1) / (k + 1) of all places apart.
    let at_random = |clause: &Vec<u32>| FINE * vars as u64 * (clause.len() as u64 - 1) / (clause.len() as u64 + 1);
    let at_random: u64 = clauses.iter().filter(|clause| !clause.is_empty()).map(at_random).sum();
    (best.1, 2 * FINE * best.0 <= at_random)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_taken_once_and_chains_become_short() {
        // A chain of variables whose numbers say nothing about it.
        let clauses: Vec<Vec<u32>> = (0..100).map(|at| vec![at * 37 % 101, (at + 1) * 37 % 101]).collect();
        let (places, is_good) = placement(102, &clauses);
        assert!(is_good);
        let mut sorted = places.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..102).collect::<Vec<u32>>());
        let length = |places: &[u32]| -> u32 {
            clauses.iter().map(|clause| places[clause[0] as usize].abs_diff(places[clause[1] as usize])).sum()
        };
        assert!(2 * length(&places) < length(&(0..102).collect::<Vec<u32>>()));
    }
}
