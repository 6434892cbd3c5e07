//! Random positions for the tests of single rules: Hex, planar graphs, graphs of any kind.

use super::VertexGame;
use super::board::{Board, Plan};
use gamesat_check::steps::VertexMinimax;
use gamesat_core::graph::Graph;
use gamesat_rows::mask::Mask;

/// A small generator of its own, so that cases repeat.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A position, the terminals being the last vertices.
#[derive(Debug)]
pub(super) struct Position {
    pub(super) graph: Graph,
    pub(super) terminals: Vec<usize>,
    pub(super) stones: [Vec<usize>; 2],
}

/// A random position with at most `most` free vertices; the kind goes round. One in six has three terminals.
pub(super) fn position(random: &mut Random, kind: usize, most: usize) -> Position {
    let three = random.below(6) == 0;
    let mut graph = match kind % 3 {
        0 => grid(4 + random.below(2), |_| (true, 1)),
        1 => grid(3 + random.below(3), |_| (random.below(6) > 0, random.below(3))),
        _ => {
            let vertices = 4 + random.below(9);
            let mut graph = Graph::new(vertices);
            for _ in 0..vertices + random.below(2 * vertices) {
                graph.add_edge(random.below(vertices), random.below(vertices));
            }
            graph
        }
    };
    let terminals: Vec<usize> = (graph.vertices() - 2 - usize::from(three)..graph.vertices()).collect();
    if three {
        graph = with_side(random, graph);
    }
    let mut free: Vec<usize> = (0..terminals[0]).collect();
    let mut stones = [Vec::new(), Vec::new()];
    let keep = 1 + random.below(most);
    while free.len() > keep {
        let stone = free.swap_remove(random.below(free.len()));
        stones[random.below(2)].push(stone);
    }
    Position { graph, terminals, stones }
}

/// The last cell becomes a third terminal: around it the board has a side, of which some cells are left out sometimes.
fn with_side(random: &mut Random, old: Graph) -> Graph {
    let third = old.vertices() - 3;
    let mut graph = Graph::new(old.vertices());
    old.edges().iter().for_each(|&(u, v)| {
        graph.add_edge(u as usize, v as usize);
    });
    // The right column of a square board.
    let side = (third + 1).isqrt();
    if side * side == third + 1 {
        (1..side).map(|row| row * side - 1).filter(|_| random.below(5) > 0).for_each(|cell| {
            graph.add_edge(cell, third);
        });
    }
    graph
}

/// A square of cells. For each cell: whether its edges are there, and which diagonal of the square below it, if any.
fn grid(side: usize, mut choose: impl FnMut(usize) -> (bool, usize)) -> Graph {
    let cells = side * side;
    let mut graph = Graph::new(cells + 2);
    for cell in 0..cells {
        let (row, column) = (cell / side, cell % side);
        let (is_there, diagonal) = choose(cell);
        let (right, down) = (column + 1 < side, row + 1 < side);
        let links = [
            (cell + 1, right && is_there),
            (cell + side, down && choose(cell).0),
            ((cell + side).saturating_sub(1), down && column > 0 && diagonal == 1),
            (cells, row == 0),
            (cells + 1, row + 1 == side),
        ];
        links.into_iter().filter(|&(_, is_there)| is_there).for_each(|(to, _)| {
            graph.add_edge(cell, to);
        });
    }
    graph
}

impl Position {
    pub(super) fn plan(&self, dual: bool) -> Plan {
        let [short, cut] = &self.stones;
        let terminals = &self.terminals;
        Plan::new(&VertexGame { graph: &self.graph, terminals, short, cut, short_to_move: true }, dual)
    }

    pub(super) fn board(&self, dual: bool) -> Board<1> {
        Board::new(&self.plan(dual))
    }

    pub(super) fn judge(&self) -> Judge {
        let [short, cut] = &self.stones;
        let minimax = VertexMinimax::new(&self.graph, &self.terminals, short, cut).expect("few vertices are free");
        Judge { minimax, vertices: self.plan(false).vertices }
    }
}

/// Plain minimax, in cells of the board.
pub(super) struct Judge {
    minimax: VertexMinimax,
    vertices: Vec<usize>,
}

impl Judge {
    /// Who wins once these free cells are the players' too.
    pub(super) fn winner(&mut self, own: [Mask<1>; 2], turn: usize) -> usize {
        let [short, cut] = own
            .map(|cells| -> Vec<usize> { cells.iter().filter_map(|cell| self.vertices.get(cell).copied()).collect() });
        usize::from(!self.minimax.short_wins(&short, &cut, turn == 0))
    }
}
