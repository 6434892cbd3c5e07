//! Positions that a symmetry of the board maps onto each other are one position to the table.
//!
//! If renaming the cells maps Short's graph onto itself, the terminals changing places perhaps, then a position and its image
//! have the same value, and traces, moves and whatever else is known of the one are images of those of the other. Of both the
//! one with the smaller key is remembered; whoever comes with the other one sees the entry in the mirror. Only symmetries that
//! undo themselves are used, and one of them: a half turn of Hex.

use super::board::{Board, SHORT};
use super::fill::State;
use super::table::{Key, Node};
use super::theorem::{Coloured, orders, refine, renaming};
use gamesat_rows::mask::Mask;

/// Pairs of cells that are tried as each other's images, should the terminals stay where they are.
const MOST_PAIRS: usize = 8;

/// A symmetry that undoes itself.
#[derive(Clone, Debug)]
pub(super) struct Mirror {
    image: Box<[u16]>,
    /// Whether the last cell is the image of the first, and so on.
    reverses: bool,
    /// Where the terminals go.
    order: [usize; 3],
}

/// Where a position is found in the table: its key, and whether the entry is that of its image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) key: Key,
    pub(super) mirrored: bool,
}

impl Mirror {
    /// A symmetry of a board without chains, if one is found.
    pub(super) fn new<const W: usize>(board: &Board<W>) -> Option<Self> {
        if !(board.own[0] | board.own[1]).is_empty() || board.winner.is_some() {
            return None;
        }
        let network = &board.networks[SHORT];
        let lists: Vec<Vec<u32>> =
            network.rows.iter().map(|row| row.iter().map(|cell| cell as u32).collect()).collect();
        let touched = |cell: usize| {
            network.touching.iter().enumerate().map(move |(at, cells)| u8::from(cells.contains(cell)) << at).sum()
        };
        let graph = Coloured { lists, kinds: (0..board.cells).map(touched).collect() };
        let with = |cell: Option<usize>| {
            let mut graph = graph.clone();
            if let Some(cell) = cell {
                graph.kinds[cell] |= 16;
            }
            graph
        };
        let mut tries = 64;
        let mut find = |[one, other]: [Option<usize>; 2], order: [usize; 3]| {
            let image = renaming(&with(one), &with(other), order, &mut tries)?;
            let undone = image.iter().enumerate().all(|(cell, &to)| image[to] == cell);
            let moves = image.iter().enumerate().any(|(cell, &to)| cell != to);
            // The terminals must come back too.
            let order_undone = (0..3).all(|at| order[order[at]] == at);
            let reverses = image.iter().enumerate().all(|(cell, &to)| cell + to + 1 == image.len());
            let image = image.into_iter().map(|cell| cell as u16).collect();
            (undone && moves && order_undone).then_some(Mirror { image, reverses, order })
        };
        let orders = orders(board.terminals);
        if let Some(found) = orders[1..].iter().find_map(|&order| find([None; 2], order)) {
            return Some(found);
        }
        let mut colours: Vec<u32> = graph.kinds.iter().map(|&kind| u32::from(kind)).collect();
        refine(&mut colours, |vertex| (&graph.lists[vertex], 0));
        let pairs = (0..board.cells).flat_map(|a| (a + 1..board.cells).map(move |b| [a, b]));
        let mut alike = pairs.filter(|&[a, b]| colours[a] == colours[b]).take(MOST_PAIRS);
        alike.find_map(|pair| find(pair.map(Some), orders[0]))
    }

    pub(super) fn cell(&self, cell: usize) -> usize {
        usize::from(self.image[cell])
    }

    pub(super) fn mask<const W: usize>(&self, cells: Mask<W>) -> Mask<W> {
        if self.reverses && W == 1 {
            return Mask(cells.0.map(|word| word.reverse_bits() >> (64 - self.image.len())));
        }
        cells.iter().map(|cell| self.cell(cell)).collect()
    }

    /// Where a position is found.
    pub(super) fn place<const W: usize>(&self, state: &State<W>, turn: usize) -> Place {
        let graph = &state.graphs[SHORT];
        let touched = |touch: u8| (0..3).fold(0, |sum, which| sum | (touch >> which & 1) << self.order[which]);
        let rows = self.mask(state.empty).iter().map(|cell| {
            let from = self.cell(cell);
            (cell, touched(graph.touch[from]), self.mask(graph.rows[from]))
        });
        let (key, image) = (state.key(turn), State::key_of(turn, rows));
        if image < key { Place { key: image, mirrored: true } } else { Place { key, mirrored: false } }
    }

    /// An open position as its image.
    pub(super) fn turn<const W: usize>(&self, node: &mut Node<W>) {
        for edge in &mut node.edges {
            edge.cell = self.image[usize::from(edge.cell)];
            edge.captured = edge.captured.map(|cells| self.mask(cells));
            edge.place.mirrored = !edge.place.mirrored;
        }
        for (cell, better) in &mut node.dropped {
            *cell = self.image[usize::from(*cell)];
            *better = self.mask(*better);
        }
        for mask in [&mut node.mustplay, &mut node.trace, &mut node.part] {
            *mask = self.mask(*mask);
        }
        if !node.currents.is_empty() {
            let currents = self.image.iter().map(|&cell| node.currents[usize::from(cell)]);
            node.currents = currents.collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::*;

    /// A position and its image have the same value and the same place, seen from both sides.
    #[test]
    fn images_have_one_value_and_one_place() {
        let mut random = Random(29);
        let (mut found, mut mirrored) = (0, 0);
        for number in 0..3000 {
            let mut position = position(&mut random, number, 40);
            if number % 3 != 2 {
                position.stones = [Vec::new(), Vec::new()];
            }
            let board = position.board(false);
            if board.cells > 25 {
                continue;
            }
            let Some(mirror) = Mirror::new(&board) else { continue };
            found += 1;
            let [mut state, mut image] = [State::new(&board), State::new(&board)];
            while state.empty.len() > 9 {
                let cells: Vec<usize> = state.empty.iter().collect();
                let (cell, player) = (cells[random.below(cells.len())], random.below(2));
                state.play(cell, player);
                image.play(mirror.cell(cell), player);
            }
            let turn = random.below(2);
            let [one, other] = [&state, &image].map(|state| mirror.place(state, turn));
            assert_eq!(one.key, other.key, "{position:?}");
            assert!(one.mirrored != other.mirrored || state.key(turn) == image.key(turn), "{position:?}");
            mirrored += usize::from(one.mirrored);
            let [short, cut] = state.own;
            let vertices = position.plan(false).vertices;
            let named = |cells: Mask<1>| cells.iter().map(|cell| vertices[cell]).collect::<Vec<usize>>();
            let judged = |own: [Mask<1>; 2]| {
                let mut filled = position.stones.clone();
                filled[0].extend(named(own[0]));
                filled[1].extend(named(own[1]));
                let graph = &position.graph;
                let mut judge =
                    gamesat_check::steps::VertexMinimax::new(graph, &position.terminals, &filled[0], &filled[1])
                        .expect("few vertices are free");
                judge.short_wins(&[], &[], turn == 0)
            };
            assert_eq!(judged([short, cut]), judged(image.own), "{position:?}");
        }
        assert!(found > 100 && mirrored > 20, "{found} {mirrored}");
    }
}
