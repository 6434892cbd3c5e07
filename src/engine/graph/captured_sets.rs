//! Captured sets of three and four cells, by the local game on them.
//!
//! The cells around a set are terminals of a little game on it: the captor, who deletes cells in the opponent's graph, has won
//! a full colouring of the set if the opponent's cells in it join no two terminals that were not neighbours before. If the
//! captor wins that moving second (with a cell that means nothing on top, should the number of cells be odd), the whole set
//! can be given to it: whatever the opponent does there, the captor answers there, and in the end the opponent's stones in
//! the set are worth nothing. Pairs are found by mutual killing in [fill](super::fill).
//!
//! Sets are grown from a cell. The opponent may begin with any cell of the set, and may be left with it alone: so the
//! neighbours of each cell outside the set have to form a clique, and of two that are not neighbours one belongs to the set.
//! In the middle of a board no four cells are like that, which makes the search short.

use super::reduced::Reduced;
use crate::rows::mask::Mask;

/// The most cells of a set.
const MOST_CELLS: usize = 4;

/// A set of three or four cells with this one in it that the player who deletes in this graph has captured.
pub(super) fn captured_set<const W: usize>(graph: &Reduced<W>, cell: usize) -> Option<Mask<W>> {
    grow(graph, Mask::single(cell))
}

fn grow<const W: usize>(graph: &Reduced<W>, set: Mask<W>) -> Option<Mask<W>> {
    let room = set.len() < MOST_CELLS;
    let with = |cell: usize| set | Mask::single(cell);
    for cell in set.iter() {
        if graph.is_whole(graph.touch[cell]) {
            return None;
        }
        if let Some((one, other)) = graph.apart(graph.rows[cell].minus(set), graph.touch[cell]) {
            return if room { grow(graph, with(one)).or_else(|| grow(graph, with(other?))) } else { None };
        }
    }
    if set.len() > 2 && is_captured(graph, set) {
        return Some(set);
    }
    if !room || set.len() < 2 {
        return None;
    }
    let around = set.iter().fold(Mask::default(), |around, cell| around | graph.rows[cell]).minus(set);
    around.iter().find_map(|cell| grow(graph, with(cell)))
}

/// Whether the captor wins the local game, moving second.
pub(super) fn is_captured<const W: usize>(graph: &Reduced<W>, set: Mask<W>) -> bool {
    let cells: Vec<usize> = set.iter().collect();
    let mut harmless = 0u32;
    for colouring in 0..1u32 << cells.len() {
        if is_harmless(graph, set, &cells, colouring) {
            harmless |= 1 << colouring;
        }
    }
    holds(harmless, (1 << cells.len()) - 1, 0, cells.len() % 2 == 1)
}

/// Whether the opponent, who has these cells of the set and not the others, joins nothing with them.
fn is_harmless<const W: usize>(graph: &Reduced<W>, set: Mask<W>, cells: &[usize], colouring: u32) -> bool {
    let chosen = cells.iter().enumerate().filter(|&(at, _)| colouring >> at & 1 != 0).map(|(_, &cell)| cell);
    let mut left: Mask<W> = chosen.collect();
    while let Some(first) = left.pop() {
        let (mut near, mut touched, mut front) = (Mask::default(), 0, Mask::single(first));
        while let Some(cell) = front.pop() {
            near |= graph.rows[cell];
            touched |= graph.touch[cell];
            let new = graph.rows[cell] & left;
            left = left.minus(new);
            front |= new;
        }
        if graph.is_whole(touched) || graph.apart(near.minus(set), touched).is_some() {
            return false;
        }
    }
    true
}

/// Whether the captor gets to a harmless colouring, the opponent being to move; `spare` is a cell that means nothing.
fn holds(harmless: u32, left: u32, taken: u32, spare: bool) -> bool {
    if left == 0 && !spare {
        return harmless >> taken & 1 != 0;
    }
    let answered = |left: u32, taken: u32, spare: bool| {
        if left == 0 && !spare {
            return harmless >> taken & 1 != 0;
        }
        bits(left).any(|cell| holds(harmless, left & !cell, taken, spare))
            || spare && holds(harmless, left, taken, false)
    };
    bits(left).all(|cell| answered(left & !cell, taken | cell, spare)) && (!spare || answered(left, taken, false))
}

fn bits(mask: u32) -> impl Iterator<Item = u32> {
    (0..MOST_CELLS as u32).map(|at| 1 << at).filter(move |bit| mask & bit != 0)
}

#[cfg(test)]
mod tests {
    use super::super::board::Network;
    use super::super::cases::{Random, position};
    use super::super::fill::State;
    use super::*;
    use crate::options::GraphOptions;

    /// Filling a captured set in changes no winner, whoever is to move.
    #[test]
    fn captured_sets_can_be_filled() {
        let mut random = Random(41);
        let mut found = [0; MOST_CELLS + 1];
        for number in 0..6000 {
            let position = position(&mut random, number, 10);
            let board = position.board(number % 4 != 3);
            let mut state = State::new(&board);
            state.fill(&GraphOptions::default());
            if state.winner.is_some() {
                continue;
            }
            let mut judge = position.judge();
            for (owner, graph) in state.graphs.iter().enumerate() {
                for cell in state.empty.iter() {
                    let Some(set) = captured_set(graph, cell) else { continue };
                    found[set.len()] += 1;
                    let mut own = state.own;
                    own[1 - owner] |= set;
                    for turn in 0..2 {
                        assert_eq!(judge.winner(own, turn), judge.winner(state.own, turn), "{set:?} {position:?}");
                    }
                }
            }
        }
        assert!(found[3] > 20 && found[4] > 20, "{found:?}");
    }

    /// Hex around some cells: every cell of the boundary is empty, the captor's or the opponent's. How many of these
    /// patterns are captured is known (dead sets are captured by both).
    #[test]
    fn patterns_of_hex_are_as_many_as_known() {
        let shapes: [(&[(i32, i32)], usize); 5] = [
            (&[(0, 0)], 122),
            (&[(0, 0), (1, 0)], 226 + 397),
            (&[(0, 0), (1, 0), (2, 0)], 362 + 1718),
            (&[(0, 0), (1, 0), (1, 1)], 362 + 1682),
            (&[(0, 0), (1, 0), (0, 1)], 290 + 240),
        ];
        for (cells, known) in shapes {
            assert_eq!(captured_patterns(cells), known, "{cells:?}");
        }
    }

    fn captured_patterns(shape: &[(i32, i32)]) -> usize {
        let around = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
        let mut places: Vec<(i32, i32)> = shape.to_vec();
        for &(x, y) in shape {
            for (dx, dy) in around {
                if !places.contains(&(x + dx, y + dy)) {
                    places.push((x + dx, y + dy));
                }
            }
        }
        let ring = places.len() - shape.len();
        // Every cell of the boundary has a neighbour of its own outside: a stone there still joins something.
        let mut rows = vec![Mask::<1>::default(); places.len() + ring];
        let mut link = |a: usize, b: usize| {
            rows[a].insert(b);
            rows[b].insert(a);
        };
        for (a, &(x, y)) in places.iter().enumerate() {
            for (b, _) in places.iter().enumerate().filter(|&(_, &(u, v))| around.contains(&(u - x, v - y))) {
                link(a, b);
            }
            if a >= shape.len() {
                link(a, a + ring);
            }
        }
        let network = Network { rows, touching: vec![Mask::default(); 2] };
        let set = Mask::first(shape.len());
        let captured = (0..3usize.pow(ring as u32)).filter(|&pattern| {
            let mut graph = Reduced::new(&network);
            for at in 0..ring {
                match pattern / 3usize.pow(at as u32) % 3 {
                    0 => {}
                    1 => drop(graph.delete(shape.len() + at)),
                    _ => drop(graph.contract(shape.len() + at)),
                }
            }
            is_captured(&graph, set)
        });
        captured.count()
    }
}
