//! Small random boards of every kind, for the tests of rules, encoders and engines.

use gamesat::check::{BoardValue, evaluate_board};
use gamesat::control::Control;
use gamesat::graph::Graph;
use gamesat::rules::{Board, Bridgit, Ending, Goal, Grid, Harary, Hex, Line, Positional, Schedule, Shannon, Side, Y};
use rand::{Rng, RngExt};

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
    let mut boards = vec![
        Board::new(Hex(grid(3, 3))),
        Board::new(Hex(grid(4, 2))),
        Board::new(Hex(grid(2, 4))),
        Board::new(Y(2)),
        Board::new(Y(3)),
        Board::new(Y(4)),
        Board::new(Bridgit(1)),
        Board::new(Bridgit(2)),
        Board::new(Line { grid: grid(3, 3), length: 3, torus: false }),
        Board::new(Line { grid: grid(3, 3), length: 3, torus: true }),
        Board::new(Harary { grid: grid(3, 3), animal: "V3", torus: false }),
        Board::new(Harary { grid: grid(3, 3), animal: "Z4", torus: true }),
    ];
    for edges in [false, true] {
        for _ in 0..3 {
            let (vertices, count) = (rng.random_range(3..8), rng.random_range(2..11));
            let graph = random_graph(rng, vertices, count);
            boards.push(Board::new(Shannon { graph, terminals: vec![0, vertices - 1], edges }));
        }
    }
    boards
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

/// How the game ends under best play, and the moves that lead there, by minimax on the rules.
pub fn value(board: &Board) -> BoardValue {
    evaluate_board(board, &Control::default()).unwrap()
}

/// Whether MAX wins under best play.
pub fn max_wins(board: &Board) -> bool {
    value(board).ending == Ending::Win(board.max)
}

fn side(rng: &mut impl Rng) -> Side {
    if rng.random() { Side::First } else { Side::Second }
}

/// Sets of up to three of these elements.
pub fn random_sets(rng: &mut impl Rng, size: usize, most: usize) -> Vec<Vec<usize>> {
    (0..rng.random_range(1..=most))
        .map(|_| (0..rng.random_range(1..4)).map(|_| rng.random_range(0..size)).collect())
        .collect()
}

/// An empty positional game: Black wants sets or a connection, and White may race for sets.
pub fn random_positional(rng: &mut impl Rng, race: bool) -> Board {
    let size = rng.random_range(3..7);
    let goal = if rng.random_range(0..3) == 0 {
        let graph = random_graph(rng, size + 2, 2 * size);
        Goal::Vertices { graph, terminals: vec![size, size + 1] }
    } else {
        Goal::Sets(random_sets(rng, size, 4))
    };
    let race = race.then(|| random_sets(rng, size, 3));
    let names = (0..size).map(|i| format!("max{i}")).collect();
    Board::new(Positional { names, goal, race })
}

/// Positions of every kind with at most `free` free elements: of the drawn boards and graphs, of positional games and of
/// races; unbounded, bounded, and with turns in no order.
pub fn random_positions(rng: &mut impl Rng, free: usize) -> Vec<Board> {
    let mut boards = small_boards(rng);
    for round in 0..8 {
        boards.push(random_positional(rng, round % 2 == 0));
    }
    for board in &mut boards {
        scatter(rng, board, free);
        let is_race = board.is_race();
        let has = |side: Side| board.goal(side).is_some_and(|goal| goal.is_reached(|e| board.stone(e) == Some(side)));
        if is_race && has(Side::First) && has(Side::Second) {
            *board = board.cleared(); // no play leads there
            board.max = side(rng);
        }
        match rng.random_range(0..4) {
            0 => {}
            1 => *board = board.clone().bounded(rng.random_range(0..6)),
            _ => {
                let plies: Vec<Side> = (0..rng.random_range(0..7)).map(|_| side(rng)).collect();
                board.turn = plies.first().copied().unwrap_or(board.turn);
                board.schedule = Some(Schedule { plies, claimant: side(rng) });
            }
        }
    }
    boards
}
