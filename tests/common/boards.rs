//! Small random boards and plain minimax on their rules, for the tests of the encoders.

use gamesat::graph::Graph;
use gamesat::rules::{Board, Grid, Shape, Side};
use rand::{Rng, RngExt};
use std::collections::HashMap;

pub fn random_graph(rng: &mut impl Rng, vertices: usize, edges: usize) -> Graph {
    let mut graph = Graph::new(vertices);
    for _ in 0..edges {
        let (u, v) = (rng.random_range(0..vertices), rng.random_range(0..vertices));
        if u != v {
            graph.add_edge(u, v);
        }
    }
    graph
}

/// Boards of every kind with few elements.
pub fn small_boards(rng: &mut impl Rng) -> Vec<Board> {
    let grid = |columns, rows| Grid { columns, rows };
    let mut shapes = vec![
        Shape::Hex(grid(3, 3)),
        Shape::Hex(grid(4, 2)),
        Shape::Hex(grid(2, 4)),
        Shape::Y(2),
        Shape::Y(3),
        Shape::Y(4),
        Shape::Bridgit(1),
        Shape::Bridgit(2),
        Shape::Line { grid: grid(3, 3), length: 3, torus: false },
        Shape::Line { grid: grid(3, 3), length: 3, torus: true },
        Shape::Harary { grid: grid(3, 3), animal: "V3", torus: false },
        Shape::Harary { grid: grid(3, 3), animal: "Z4", torus: true },
    ];
    for edges in [false, true] {
        for _ in 0..3 {
            let (vertices, count) = (rng.random_range(3..8), rng.random_range(2..11));
            let graph = random_graph(rng, vertices, count);
            shapes.push(Shape::Shannon { graph, terminals: [0, vertices - 1], edges });
        }
    }
    shapes.into_iter().map(Board::new).collect()
}

/// Puts random stones on a board, so that at most `free` elements stay free.
pub fn scatter(rng: &mut impl Rng, board: &mut Board, free: usize) {
    let percent = rng.random_range(0..70);
    let mut left = board.free().count();
    let elements: Vec<usize> = board.free().collect();
    for element in elements {
        if left > free || rng.random_range(0..100) < percent {
            board.place(element, if rng.random() { Side::First } else { Side::Second }).unwrap();
            left -= 1;
        }
    }
    board.turn = if rng.random() { Side::First } else { Side::Second };
    board.max = if rng.random() { Side::First } else { Side::Second };
}

type Memory = HashMap<(Vec<Option<Side>>, usize), bool>;

/// Whether MAX has won by the end of these plies, under best play.
pub fn max_wins(board: &Board, plies: &[Side]) -> bool {
    search(board, plies, &mut HashMap::new())
}

fn search(board: &Board, plies: &[Side], memory: &mut Memory) -> bool {
    if let Some(winner) = board.winner() {
        return winner == board.max;
    }
    let Some((&mover, rest)) = plies.split_first() else { return false };
    let key = ((0..board.elements()).map(|e| board.stone(e)).collect::<Vec<_>>(), plies.len());
    if let Some(&known) = memory.get(&key) {
        return known;
    }
    let wanted = mover == board.max;
    let free: Vec<usize> = board.free().collect();
    let reached = free.into_iter().any(|element| {
        let mut next = board.clone();
        next.place(element, mover).unwrap();
        search(&next, rest, memory) == wanted
    });
    let value = reached == wanted;
    memory.insert(key, value);
    value
}

/// The plies of a game that is played until the board is full, or for `depth` plies.
pub fn plies(board: &Board, depth: Option<usize>) -> Vec<Side> {
    let count = board.free().count().min(depth.unwrap_or(usize::MAX));
    (0..count).map(|ply| if ply % 2 == 0 { board.turn } else { !board.turn }).collect()
}
