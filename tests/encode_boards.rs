//! Boards as formulas: exact counts from the literature, both normal forms against the rules of the game, and plain
//! minimax on the board against the formula's game.

use gamesat::board::{Board, Grid, Shape, Side};
use gamesat::check::evaluate_game;
use gamesat::control::Control;
use gamesat::encode::{DEFAULT_LITERALS, Form, board_game, winning_sets};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Graph, Player};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

fn hex(columns: usize, rows: usize) -> Board {
    Board::new(Shape::Hex(Grid { columns, rows }))
}

fn sizes(board: &Board, side: Side) -> Vec<usize> {
    let mut sizes = Vec::new();
    winning_sets(board, side, &Control::default(), &mut |set| {
        sizes.push(set.len());
        Ok(())
    })
    .unwrap();
    sizes
}

#[test]
fn counts_of_induced_paths_in_hex() {
    for (n, count) in [(1, 1), (2, 3), (3, 11), (4, 54), (5, 365), (6, 3_848), (7, 68_914)] {
        assert_eq!(sizes(&hex(n, n), Side::First).len(), count, "{n}x{n}");
        assert_eq!(sizes(&hex(n, n), Side::Second).len(), count, "{n}x{n} White");
    }
    assert_eq!(sizes(&hex(7, 7), Side::First).iter().sum::<usize>(), 1_077_034);
    // Width x length as in the thesis: Black's paths run over the rows.
    assert_eq!(sizes(&hex(6, 7), Side::First).len(), 16_097);
    assert_eq!(sizes(&hex(7, 6), Side::First).len(), 12_097);
    assert_eq!(sizes(&hex(8, 7), Side::First).len(), 288_385);
}

#[test]
fn counts_of_shortest_paths_in_hex() {
    for m in 1..7 {
        for n in 2..=m + 1 {
            let shortest = sizes(&hex(m, n), Side::First).iter().filter(|&&length| length == n).count();
            assert_eq!(shortest, (2 * m - n + 1) << (n - 2), "{m}x{n}");
        }
    }
}

fn random_graph(rng: &mut impl Rng, vertices: usize, edges: usize) -> Graph {
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
fn small_boards(rng: &mut impl Rng) -> Vec<Board> {
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
            shapes.push(Shape::Shannon {
                graph: random_graph(rng, vertices, count),
                terminals: [0, vertices - 1],
                edges,
            });
        }
    }
    shapes.into_iter().map(Board::new).collect()
}

/// Puts random stones on a board.
fn scatter(rng: &mut impl Rng, board: &mut Board) {
    let percent = rng.random_range(0..70);
    let free: Vec<usize> = board.free().collect();
    for element in free {
        if rng.random_range(0..100) < percent {
            board.place(element, if rng.random() { Side::First } else { Side::Second }).unwrap();
        }
    }
    board.turn = if rng.random() { Side::First } else { Side::Second };
    board.max = if rng.random() { Side::First } else { Side::Second };
}

/// The value of a game's formula when MAX owns the elements of a mask.
fn value(game: &Game, owned: impl Fn(usize) -> bool) -> bool {
    match game.matrix() {
        GameMatrix::Cnf(rows) => rows.iter().all(|row| row.iter().any(|lit| owned(lit.var().index()))),
        GameMatrix::Dnf(rows) => rows.iter().any(|row| row.iter().all(|lit| owned(lit.var().index()))),
        GameMatrix::Circuit(_) => unreachable!("boards become normal forms"),
    }
}

fn is_irredundant(rows: &ClauseArena) -> bool {
    let contains = |large: &[_], small: &[_]| small.iter().all(|lit| large.contains(lit));
    (0..rows.len()).all(|i| (0..rows.len()).all(|j| i == j || !contains(&rows[i], &rows[j])))
}

#[test]
fn both_forms_say_who_has_won() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..25 {
        for mut board in small_boards(&mut rng) {
            scatter(&mut rng, &mut board);
            let games = [Form::Cnf, Form::Dnf]
                .map(|form| board_game(&board, form, DEFAULT_LITERALS, &Control::default()).unwrap());
            for game in &games {
                let (GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows)) = game.matrix() else { unreachable!() };
                assert!(is_irredundant(rows), "{board:?}");
                assert!(rows.lits().iter().all(|lit| board.is_free(lit.var().index())), "{board:?}");
            }
            let free: Vec<usize> = board.free().collect();
            let fillings = if free.len() <= 7 { 1 << free.len() } else { 128 };
            for filling in 0..fillings {
                let bits: u32 = if free.len() <= 7 { filling } else { rng.random() };
                let mut full = board.clone();
                for (i, &element) in free.iter().enumerate() {
                    full.place(element, if bits >> i & 1 != 0 { Side::First } else { Side::Second }).unwrap();
                }
                let max_wins = full.winner() == Some(board.max);
                for game in &games {
                    let owned = |element: usize| full.stone(element) == Some(board.max);
                    assert_eq!(value(game, owned), max_wins, "{full:?}\n{game:?}");
                }
            }
        }
    }
}

/// The winner by plain minimax on the board.
fn minimax(board: &Board, memory: &mut HashMap<(Vec<Option<Side>>, Side), Side>) -> Side {
    if let Some(winner) = board.winner() {
        return winner;
    }
    let key = ((0..board.elements()).map(|e| board.stone(e)).collect::<Vec<_>>(), board.turn);
    if let Some(&winner) = memory.get(&key) {
        return winner;
    }
    let free: Vec<usize> = board.free().collect();
    let wins = free.into_iter().any(|element| {
        let mut next = board.clone();
        next.play(element).unwrap();
        minimax(&next, memory) == board.turn
    });
    let winner = if wins { board.turn } else { !board.turn };
    memory.insert(key, winner);
    winner
}

#[test]
fn the_game_has_the_winner_of_the_board() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..6 {
        for mut board in small_boards(&mut rng) {
            scatter(&mut rng, &mut board);
            if board.free().count() > 8 {
                continue;
            }
            let expected = minimax(&board, &mut HashMap::new());
            for form in [Form::Cnf, Form::Dnf] {
                let game = board_game(&board, form, DEFAULT_LITERALS, &Control::default()).unwrap();
                let winner = evaluate_game(&game, &Control::default()).unwrap().winner;
                let side = if winner == Player::Max { board.max } else { !board.max };
                assert_eq!(side, expected, "{board:?}");
            }
        }
    }
}
