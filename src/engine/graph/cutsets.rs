//! Cells behind a clique: if the cells of a clique, one terminal perhaps among them, leave some cells in a part without
//! terminals, no induced path between the terminals goes through that part, since it would have to enter and to leave it by
//! neighbours. All such cells are dead, and all of them at once.
//!
//! How they are found (van Rijswijck, *Set colouring games*, 2006, algorithm 3, corrected): start with a shortest path, which is
//! induced. A part of what is left over that meets what is known in a clique is dead. Otherwise it meets it in two vertices
//! that are no neighbours, and of a shortest path through the part between these the first and the last cell are separated
//! from the terminals by no clique. Two terminals only.

use super::reduced::Reduced;
use crate::rows::mask::Mask;

/// A vertex of the graph with its terminals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vertex {
    Cell(usize),
    Terminal(usize),
}

/// The empty cells that a clique separates from the terminals; none if nothing joins the terminals.
pub(super) fn behind_cliques<const W: usize>(graph: &Reduced<W>, empty: Mask<W>) -> Mask<W> {
    let mut dead = Mask::default();
    if graph.terminals() != 2 {
        return dead;
    }
    let beside = |vertex: Vertex| match vertex {
        Vertex::Cell(cell) => graph.rows[cell],
        Vertex::Terminal(which) => empty.iter().filter(|&cell| graph.touch[cell] >> which & 1 != 0).collect(),
    };
    let ends = [0, 1].map(|which| beside(Vertex::Terminal(which)));
    let Some(mut known) = shortest(graph, empty, ends[0], ends[1]) else { return dead };
    let mut rest = empty.minus(known);
    while let Some(first) = rest.lowest() {
        let (mut part, mut near, mut touched, mut front) = (Mask::default(), Mask::default(), 0, Mask::single(first));
        while let Some(cell) = front.pop() {
            part.insert(cell);
            near |= graph.rows[cell];
            touched |= graph.touch[cell];
            front |= (graph.rows[cell] & rest).minus(part);
        }
        let apart = if graph.is_whole(touched) {
            Some([Vertex::Terminal(0), Vertex::Terminal(1)])
        } else {
            not_neighbours(graph, near & known, touched)
        };
        let Some([one, other]) = apart else {
            dead |= part;
            rest = rest.minus(part);
            continue;
        };
        let path = shortest(graph, part, beside(one) & part, beside(other) & part).unwrap_or(part);
        // The first and the last cell of the path.
        let found = path & (beside(one) | beside(other));
        known |= found;
        rest = rest.minus(found);
    }
    dead
}

/// Two of these cells and terminals that are no neighbours.
fn not_neighbours<const W: usize>(graph: &Reduced<W>, cells: Mask<W>, touched: u8) -> Option<[Vertex; 2]> {
    cells.iter().find_map(|cell| {
        let lacking = touched & !graph.touch[cell];
        if lacking != 0 {
            return Some([Vertex::Cell(cell), Vertex::Terminal(lacking.trailing_zeros() as usize)]);
        }
        let mut beyond = cells.minus(graph.rows[cell]);
        beyond.remove(cell);
        beyond.lowest().map(|other| [Vertex::Cell(cell), Vertex::Cell(other)])
    })
}

/// A shortest path through these cells from one set to another.
fn shortest<const W: usize>(graph: &Reduced<W>, cells: Mask<W>, from: Mask<W>, to: Mask<W>) -> Option<Mask<W>> {
    let mut layers = vec![from & cells];
    let mut seen = layers[0];
    while let Some(&last) = layers.last().filter(|layer| !layer.is_empty()) {
        if let Some(mut cell) = (last & to).lowest() {
            let mut path = Mask::single(cell);
            for layer in layers[..layers.len() - 1].iter().rev() {
                cell = (graph.rows[cell] & *layer).lowest()?;
                path.insert(cell);
            }
            return Some(path);
        }
        let around = last.iter().fold(Mask::default(), |around, cell| around | graph.rows[cell]);
        let next = (around & cells).minus(seen);
        seen |= next;
        layers.push(next);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::board::SHORT;
    use super::super::cases::{Random, position};
    use super::super::fill::State;
    use super::super::induced::off_induced_paths;
    use super::*;

    /// By the definition: some clique, a terminal perhaps in it, leaves the cell in a part without terminals.
    fn is_separated(graph: &Reduced<1>, empty: Mask<1>, cell: usize) -> bool {
        let cells: Vec<usize> = empty.iter().filter(|&other| other != cell).collect();
        (0..1usize << cells.len()).any(|choice| {
            let clique: Mask<1> =
                cells.iter().enumerate().filter(|&(at, _)| choice >> at & 1 != 0).map(|(_, &cell)| cell).collect();
            [0u8, 1, 2].iter().any(|&terminal| {
                if not_neighbours(graph, clique, terminal).is_some() {
                    return false;
                }
                let (mut seen, mut front) = (Mask::single(cell), Mask::single(cell));
                while let Some(cell) = front.pop() {
                    if graph.touch[cell] & !terminal != 0 {
                        return false;
                    }
                    let new = graph.rows[cell].minus(seen | clique);
                    seen |= new;
                    front |= new;
                }
                true
            })
        })
    }

    /// What is found is what the definition says, and lies on no induced path.
    #[test]
    fn cells_behind_cliques_are_those_of_the_definition() {
        let mut random = Random(23);
        let mut found = 0;
        for number in 0..1500 {
            let position = position(&mut random, number, 8);
            let state = State::new(&position.board(false));
            let graph = &state.graphs[SHORT];
            if state.winner.is_some() || graph.terminals() != 2 || !graph.can_join(state.empty) {
                continue;
            }
            let dead = behind_cliques(graph, state.empty);
            let off = off_induced_paths(graph, state.empty, usize::MAX).expect("there is no limit");
            assert!(dead.is_subset(&off), "{position:?}");
            for cell in state.empty.iter() {
                assert_eq!(dead.contains(cell), is_separated(graph, state.empty, cell), "{cell} {position:?}");
            }
            found += dead.len();
        }
        assert!(found > 300, "{found}");
    }
}
