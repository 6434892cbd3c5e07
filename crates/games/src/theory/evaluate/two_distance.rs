//! Two-distance (*Set Colouring Games* 12.2): how far a cell is from a side if the opponent takes the best neighbour away each
//! time.
//!
//! A free cell that touches the goal, directly or through own stones, has distance 1; any other 1 + the *second* smallest
//! distance among its neighbours in the reduced view, in which own stones join what they touch and enemy stones are gone.
//! It never passes a bridge of the enemy. It is no bound: a won position may have infinite distance. For ordering only.

use gamesat_core::graph::Goal;
use gamesat_core::rules::{Board, Side};

/// The distances of all elements from the `which`th terminal of a side's goal; `None` for stones, for cells that cannot get
/// there, and for games in which the side joins no terminals.
pub fn two_distance(board: &Board, side: Side, which: usize) -> Vec<Option<u32>> {
    let elements = board.elements();
    let mut distances = vec![None; elements];
    let Some(Goal::Vertices { graph, terminals }) = board.goal(side) else { return distances };
    let Some(&terminal) = terminals.get(which) else { return distances };
    let adjacency = graph.adjacency();
    let own = |vertex: usize| vertex < elements && board.stone(vertex) == Some(side) || vertex == terminal;
    // 1. Neighbours in the reduced view.
    let free: Vec<usize> = board.free().collect();
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); elements];
    let mut touching = vec![false; elements];
    let mut seen = vec![usize::MAX; graph.vertices()];
    for &cell in &free {
        let mut stack = vec![cell];
        seen[cell] = cell;
        while let Some(vertex) = stack.pop() {
            for &(next, _) in adjacency.of(vertex) {
                let next = next as usize;
                if seen[next] == cell {
                    continue;
                }
                seen[next] = cell;
                if next == terminal {
                    touching[cell] = true;
                } else if own(next) {
                    stack.push(next);
                } else if next < elements && board.is_free(next) {
                    neighbours[cell].push(next);
                }
            }
        }
    }
    // 2. Down from infinity.
    for &cell in &free {
        distances[cell] = touching[cell].then_some(1);
    }
    loop {
        let mut changed = false;
        for &cell in free.iter().filter(|&&cell| !touching[cell]) {
            let mut least = [u32::MAX; 2];
            for distance in neighbours[cell].iter().filter_map(|&next| distances[next]) {
                if distance < least[0] {
                    least = [distance, least[0]];
                } else if distance < least[1] {
                    least[1] = distance;
                }
            }
            if least[1] != u32::MAX && distances[cell].is_none_or(|before| least[1] + 1 < before) {
                distances[cell] = Some(least[1] + 1);
                changed = true;
            }
        }
        if !changed {
            return distances;
        }
    }
}

/// The potential of every cell for both sides: the sum of its distances from both terminals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Potentials {
    /// By side and element.
    pub of: [Vec<Option<u32>>; 2],
}

impl Potentials {
    /// The sum of both sides' potentials: small is good for whoever moves.
    pub fn total(&self, element: usize) -> Option<u32> {
        Some(self.of[0][element]? + self.of[1][element]?)
    }
}

/// The potentials of a board on which both sides join two terminals.
pub fn potentials(board: &Board) -> Potentials {
    let of = [Side::First, Side::Second].map(|side| {
        let [one, other] = [0, 1].map(|which| two_distance(board, side, which));
        one.into_iter().zip(other).map(|(one, other)| Some(one? + other?)).collect()
    });
    Potentials { of }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::rules::{Grid, Hex};

    fn board(side: usize) -> Board {
        Board::new(Hex(Grid { columns: side, rows: side }))
    }

    fn digits(board: &Board, values: &[Option<u32>]) -> String {
        let cell = |&element: &usize| values[element].map_or("-".to_owned(), |value| value.to_string());
        let line = |(_, elements): (usize, Vec<usize>)| elements.iter().map(cell).collect::<String>();
        board.lines().into_iter().map(line).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn published_distances() {
        for (side, expected) in [(3, "111/223/345"), (4, "1111/2223/3345/4567"), (5, "11111/22223/33345/44567/56789")] {
            let board = board(side);
            assert_eq!(digits(&board, &two_distance(&board, Side::First, 0)), expected);
        }
        let board = board(4);
        let found = potentials(&board);
        assert_eq!(digits(&board, &found.of[0]), "8765/7656/6567/5678");
        assert!((0..16).all(|cell| found.total(cell) == found.of[0][cell].map(|own| 2 * own)));
    }

    #[test]
    fn stones_join_and_cut() {
        let mut board = board(3);
        board.place(4, Side::First).unwrap();
        let own = two_distance(&board, Side::First, 0);
        // Below the own stone both ways to the top go through it.
        assert_eq!(own[4], None);
        assert_eq!(own[7], Some(2));
        let enemy = two_distance(&board, Side::Second, 0);
        assert!(enemy[5].is_none_or(|distance| distance > 3));
    }
}
