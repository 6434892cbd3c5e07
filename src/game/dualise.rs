//! Dualisation: the minimal hitting sets of a set family, which turn a CNF without negations into the DNF and back.
//!
//! Depth-first search after Murakami and Uno (*Efficient algorithms for dualizing large-scale hypergraphs*, 2014): a partial
//! hitting set grows by an element of some row it does not hit yet, and every element in it has to stay *critical*, the only
//! one to hit some row. Elements tried at a node are forbidden to later branches, which makes every set come up once.
//! Rows hit exactly once and rows not hit yet are bit sets over rows; whether an element is critical is an intersection test
//! that mostly ends at the first word.

use crate::control::{Control, Poller, StopReason};

struct Hitting<'a> {
    rows: &'a [Vec<usize>],
    columns: Vec<Vec<u64>>,
    limit: usize,
    found: Vec<Vec<usize>>,
    poller: Poller<'a>,
    nodes: u64,
}

/// A branch: the rows hit once and not at all, and the elements that may still be chosen.
struct Branch {
    once: Vec<u64>,
    open: Vec<u64>,
    /// Elements of the row that is branched on, still to be tried.
    choices: Vec<usize>,
    /// Elements of that row that would make a chosen one superfluous.
    barred: Vec<usize>,
}

/// The minimal hitting sets of rows over `elements` elements, or `None` if there are more than `limit`.
///
/// # Errors
/// The reason to stop.
pub(super) fn minimal_hitting_sets(
    rows: &[Vec<usize>],
    elements: usize,
    limit: usize,
    control: &Control,
) -> Result<Option<Vec<Vec<usize>>>, StopReason> {
    if rows.iter().any(Vec::is_empty) {
        return Ok(Some(Vec::new()));
    }
    let blocks = rows.len().div_ceil(64);
    let mut columns = vec![vec![0; blocks]; elements];
    // Short rows first: an open row is found from the front.
    let mut sorted: Vec<Vec<usize>> = rows.to_vec();
    sorted.sort_by_key(Vec::len);
    for (index, row) in sorted.iter().enumerate() {
        for &element in row {
            columns[element][index / 64] |= 1 << (index % 64);
        }
    }
    let hitting = Hitting { rows: &sorted, columns, limit, found: Vec::new(), poller: control.poller(), nodes: 0 };
    hitting.run(blocks)
}

impl Hitting<'_> {
    /// The search with an explicit stack: its depth is the size of a hitting set.
    fn run(mut self, blocks: usize) -> Result<Option<Vec<Vec<usize>>>, StopReason> {
        let mut open = vec![0; blocks];
        for index in 0..self.rows.len() {
            open[index / 64] |= 1 << (index % 64);
        }
        let mut candidates = vec![true; self.columns.len()];
        let mut chosen: Vec<usize> = Vec::new();
        let mut stack = vec![];
        let mut spare: Vec<Branch> = Vec::new();
        let root = Branch { once: vec![0; blocks], open, choices: Vec::new(), barred: Vec::new() };
        if !self.enter(root, &chosen, &mut candidates, &mut stack, &mut spare) {
            return Ok(None);
        }
        while let Some(branch) = stack.last_mut() {
            self.nodes += 1;
            self.poller.poll(self.nodes)?;
            let Some(element) = branch.choices.pop() else {
                let mut done = stack.pop().unwrap_or_else(|| unreachable!("the stack is not empty"));
                done.barred.drain(..).for_each(|element| candidates[element] = true);
                spare.push(done);
                if let Some(element) = chosen.pop() {
                    candidates[element] = true;
                }
                continue;
            };
            let column = &self.columns[element];
            let mut next = spare.pop().unwrap_or_else(|| Branch {
                once: vec![0; blocks],
                open: vec![0; blocks],
                choices: Vec::new(),
                barred: Vec::new(),
            });
            let hit = column.iter().zip(branch.once.iter().zip(&branch.open));
            for ((column, (once, open)), (next_once, next_open)) in
                hit.zip(next.once.iter_mut().zip(next.open.iter_mut()))
            {
                *next_once = once & !column | open & column;
                *next_open = open & !column;
            }
            let critical = |e: &usize| self.columns[*e].iter().zip(&next.once).any(|(c, o)| c & o != 0);
            if chosen.iter().all(critical) {
                chosen.push(element);
                if !self.enter(next, &chosen, &mut candidates, &mut stack, &mut spare) {
                    return Ok(None);
                }
                if stack.len() != chosen.len() + 1 {
                    // A complete set: nothing was entered.
                    chosen.pop();
                    candidates[element] = true;
                }
            } else {
                // No later branch of this row can contain the element, either.
                branch.barred.push(element);
                spare.push(next);
            }
        }
        eprintln!("dual nodes {}", self.nodes);
        Ok(Some(self.found))
    }

    /// Records a hitting set or opens a branch on a row that is not hit; false beyond the limit.
    fn enter(
        &mut self,
        mut branch: Branch,
        chosen: &[usize],
        candidates: &mut [bool],
        stack: &mut Vec<Branch>,
        spare: &mut Vec<Branch>,
    ) -> bool {
        let Some(at) = branch.open.iter().position(|&word| word != 0) else {
            self.found.push(chosen.to_vec());
            spare.push(branch);
            return self.found.len() <= self.limit;
        };
        // Among the next open rows the one with the fewest choices.
        let mut word = branch.open[at];
        let mut best: Option<(usize, usize)> = None;
        while word != 0 {
            let row = 64 * at + word.trailing_zeros() as usize;
            word &= word - 1;
            let choices = self.rows[row].iter().filter(|&&element| candidates[element]).count();
            if best.is_none_or(|(fewest, _)| choices < fewest) {
                best = Some((choices, row));
            }
        }
        branch.choices.clear();
        if let Some((_, row)) = best {
            for &element in &self.rows[row] {
                // Elements of this row are candidates of a later choice only once they were tried themselves.
                if candidates[element] {
                    candidates[element] = false;
                    branch.choices.push(element);
                }
            }
        }
        stack.push(branch);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{ClauseArena, Lit, Var, normal};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn agrees_with_multiplying_out() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..500 {
            let elements = random.random_range(1..10);
            let rows: Vec<Vec<usize>> = (0..random.random_range(0..12))
                .map(|_| {
                    let mut row: Vec<usize> =
                        (0..random.random_range(1..5)).map(|_| random.random_range(0..elements)).collect();
                    row.sort_unstable();
                    row.dedup();
                    row
                })
                .collect();
            let arena: ClauseArena =
                rows.iter().map(|row| row.iter().map(|&e| Var::from_index(e).positive()).collect::<Vec<_>>()).collect();
            let expected = normal::dual(&arena, 100_000).unwrap();
            let mut found = minimal_hitting_sets(&rows, elements, 100_000, &Control::default()).unwrap().unwrap();
            found.iter_mut().for_each(|row| row.sort_unstable());
            let mut expected: Vec<Vec<usize>> =
                expected.iter().map(|row| row.iter().map(|lit: &Lit| lit.var().index()).collect()).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn stops_beyond_the_limit() {
        let rows: Vec<Vec<usize>> = (0..10).map(|i| vec![2 * i, 2 * i + 1]).collect();
        assert_eq!(minimal_hitting_sets(&rows, 20, 1000, &Control::default()).unwrap(), None);
        assert_eq!(minimal_hitting_sets(&rows, 20, 1024, &Control::default()).unwrap().unwrap().len(), 1024);
    }
}
