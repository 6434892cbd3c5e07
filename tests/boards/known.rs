//! Boards with known answers: winning openings, puzzles, Shannon games, polyominoes; and Lehman's theorem against minimax.

use crate::support::ask::ask;
use crate::support::boards::{max_wins, random_graph};
use gamesat::Problem;
use gamesat::check::evaluate_game;
use gamesat::encode::Form;
use gamesat::formula::{Player, Var};
use gamesat::formula::{Proof, Reason};
use gamesat::graph::Graph;
use gamesat::rules::{Board, Bridgit, Goal, Grid, Harary, Hex, Shannon, Side, Y};
use gamesat::solve::{Answer, Control, Options, Verdict, Wanted};
use gamesat_check::steps::{EdgePosition, check_strategy};
use gamesat_encode::steps::{DEFAULT_LITERALS, board_game};
use gamesat_games::graph::{EdgeGame, Solution, solve_edge_game};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::PathBuf;

fn answer(board: &Board, all_moves: bool) -> Answer {
    let wanted = if all_moves { Wanted::default().and_all_moves() } else { Wanted::default() };
    let outcome = ask(&Problem::Board(board.clone()), &wanted, &Options::default(), &Control::default());
    assert_ne!(outcome.verdict, Verdict::Unknown, "{:?}", outcome.stop);
    outcome
}

/// The winning moves of the side to move, by name, in the order of elements.
fn winning_moves(board: &Board) -> Vec<String> {
    let mut moves: Vec<Var> = answer(board, true).moves.iter().map(|lit| lit.var()).collect();
    moves.sort_unstable();
    moves.iter().map(|var| board.name(var.index())).collect()
}

fn hex(size: usize) -> Board {
    Board::new(Hex(Grid { columns: size, rows: size }))
}

/// Names in the order of the board's elements.
fn sorted(board: &Board, names: &str) -> Vec<String> {
    let mut elements: Vec<usize> = names.split_whitespace().map(|name| board.find(name).unwrap()).collect();
    elements.sort_unstable();
    elements.into_iter().map(|element| board.name(element)).collect()
}

#[test]
fn winning_openings_of_hex() {
    for (size, openings) in [
        (1, "a1"),
        (2, "a2 b1"),
        (3, "a2 a3 b2 c1 c2"),
        (4, "a4 b3 c2 d1"),
        (5, "a4 a5 b2 b3 b4 c2 c3 c4 d2 d3 d4 e1 e2"),
    ] {
        let board = hex(size);
        assert_eq!(winning_moves(&board), sorted(&board, openings), "{size}");
        // The board is symmetric in the two sides: reflected, the same holds for White.
        let mut white = board.clone();
        white.turn = Side::Second;
        assert_eq!(answer(&white, false).verdict, Verdict::False);
        white.max = Side::Second;
        assert_eq!(answer(&white, false).verdict, Verdict::True);
    }
}

#[test]
fn numbers_of_winning_openings_of_y() {
    for (side, count) in [(1, 1), (2, 3), (3, 3), (4, 7)] {
        assert_eq!(winning_moves(&Board::new(Y(side))).len(), count, "{side}");
    }
}

#[test]
fn hex_puzzles_have_their_solutions() {
    for line in include_str!("../data/hex_puzzles.txt").lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('|').collect();
        let size = parts[0].split_whitespace().nth(1).unwrap().parse().unwrap();
        let mut board = hex(size);
        for (stones, side) in [(parts[1], Side::First), (parts[2], Side::Second)] {
            for name in stones.split_whitespace() {
                board.place(board.find(name).unwrap(), side).unwrap();
            }
        }
        assert_eq!(winning_moves(&board), sorted(&board, parts[3]), "{line}");
    }
}

#[test]
fn bridgit_is_won_by_the_first_player() {
    for size in 1..=9 {
        for turn in [Side::First, Side::Second] {
            let mut board = Board::new(Bridgit(size));
            board.turn = turn;
            let outcome = answer(&board, false);
            assert_eq!(outcome.verdict == Verdict::True, turn == Side::First, "{size}");
            assert_eq!(outcome.statistics.engine, "lehman");
            // And the move it names wins.
            board.play(outcome.moves[0].var().index()).unwrap();
            assert_eq!(answer(&board, false).verdict, outcome.verdict);
        }
    }
}

/// Animals on square boards: the smallest board on which Maker wins.
#[test]
fn polyominoes_on_small_boards() {
    for (animal, smallest) in
        [("domino", Some(2)), ("V3", Some(3)), ("I3", Some(4)), ("Z4", Some(3)), ("L4", Some(4)), ("O4", None)]
    {
        for side in 2..=4 {
            let board = Board::new(Harary { grid: Grid { columns: side, rows: side }, animal, torus: false });
            let wins = answer(&board, false).verdict == Verdict::True;
            assert_eq!(wins, smallest.is_some_and(|smallest| side >= smallest), "{animal} {side}");
        }
    }
}

/// A table in the literature has I4, L5 and Y5 on 7x7 and N5 on 6x6. As Maker-Breaker games, in which Breaker's own copies
/// do not count, all are won a size smaller: by a strategy that plain code verifies.
#[test]
fn polyominoes_on_smaller_boards_than_the_table_has() {
    for (animal, side, winner) in [
        ("I4", 6, Player::Max),
        ("I4", 5, Player::Min),
        ("N5", 5, Player::Max),
        ("L5", 6, Player::Max),
        ("L5", 5, Player::Min),
        ("Y5", 6, Player::Max),
        ("Y5", 5, Player::Min),
    ] {
        let board = Board::new(Harary { grid: Grid { columns: side, rows: side }, animal, torus: false });
        let wanted = Wanted::default().and_proof();
        let outcome = ask(&Problem::Board(board.clone()), &wanted, &Options::default(), &Control::default());
        let game = board_game(&board, Form::Dnf, DEFAULT_LITERALS, &Control::default()).unwrap();
        let Some(Proof::Strategy(strategy)) = outcome.proof else { panic!("a strategy") };
        assert_eq!(strategy.winner(), winner, "{animal} {side}");
        check_strategy(&game, &strategy, &Control::default()).unwrap();
    }
}

/// A Shannon board from edges.
fn shannon(edges: bool, vertices: usize, terminals: [usize; 2], ends: &[(usize, usize)]) -> Board {
    let mut graph = Graph::new(vertices);
    for &(u, v) in ends {
        graph.add_edge(u, v);
    }
    Board::new(Shannon { graph, terminals: terminals.to_vec(), edges })
}

fn check_shannon(mut board: Board, first: bool, second: bool, line: &str) {
    for (turn, short_wins) in [(Side::First, first), (Side::Second, second)] {
        board.turn = turn;
        assert_eq!(answer(&board, false).verdict == Verdict::True, short_wins, "{turn:?} {line}");
    }
}

#[test]
fn shannon_games_have_their_winners() {
    for line in include_str!("../data/shannon.txt").lines().filter(|line| !line.starts_with('#')) {
        let (head, edges) = line.split_once(':').unwrap();
        let head: Vec<&str> = head.split_whitespace().collect();
        let number = |text: &str| text.parse::<usize>().unwrap() - 1;
        let pair = |text: &str| text.split_once('-').map(|(u, v)| (number(u), number(v))).unwrap();
        let ends: Vec<(usize, usize)> = edges.split_whitespace().map(pair).collect();
        let terminals = [number(head[2]), number(head[3])];
        let vertices = ends.iter().map(|&(u, v)| u.max(v) + 1).chain(terminals.map(|t| t + 1)).max().unwrap();
        let board = shannon(head[0] == "e", vertices, terminals, &ends);
        check_shannon(board, head[1] != "C", head[1] == "S", line);
    }
}

/// The whole collection, where it is at hand.
#[test]
fn the_collection_of_shannon_games() {
    let root = std::env::var_os("GAMESAT_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(root.join("shannon_vectors.txt")) else {
        eprintln!("skipped: no collection in {}", root.display());
        return;
    };
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |text: &str| text.parse::<usize>().unwrap();
        let pair = |text: &str| text.split_once('-').map(|(u, v)| (number(u), number(v))).unwrap();
        let ends: Vec<(usize, usize)> = words[4].split(',').map(pair).collect();
        let board = shannon(words[0] == "edge", number(words[1]), [number(words[2]), number(words[3])], &ends);
        check_shannon(board, words[5] == "1", words[6] == "1", line);
        count += 1;
    }
    assert_eq!(count, 200);
}

/// Checks a solution's reason by the independent checker.
fn accepted(position: EdgePosition<'_>, solution: &Solution) -> bool {
    let (mut short, mut cut) = (position.short.to_vec(), position.cut.to_vec());
    if solution.short_wins { &mut short } else { &mut cut }.extend(solution.key);
    let after = EdgePosition { short: &short, cut: &cut, ..position };
    match &solution.reason {
        Reason::Joined => solution.short_wins && position.is_joined(),
        Reason::Trees(trees) => solution.short_wins && (after.is_joined() || after.accepts_trees(trees)),
        Reason::Forests(forests, inside) => !solution.short_wins && after.accepts_forests(forests, inside),
    }
}

/// All winning moves at once are those that win when they are played, on graphs far beyond minimax.
#[test]
fn all_moves_of_an_edge_game_are_those_that_win() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    let mut decided = 0;
    let mut graphs: Vec<(Graph, [usize; 2])> = Vec::new();
    for size in 2..6 {
        let board = Board::new(Bridgit(size));
        let Some(Goal::Edges { graph, terminals }) = board.goal(Side::First) else { unreachable!() };
        graphs.push((graph.clone(), *terminals));
    }
    for _ in 0..60 {
        let vertices = rng.random_range(8..30);
        let edges = rng.random_range(2 * vertices - 6..2 * vertices + 2);
        graphs.push((random_graph(&mut rng, vertices, edges), [0, vertices - 1]));
    }
    for (graph, terminals) in &graphs {
        let solve = |short: &[usize], cut: &[usize], short_moves, all| {
            let game = EdgeGame { graph, terminals: *terminals, short, cut };
            solve_edge_game(&game, short_moves, all, &Control::default()).unwrap()
        };
        for short_moves in [true, false] {
            let mut moves = solve(&[], &[], short_moves, true).moves;
            moves.sort_unstable();
            let wins = |edge: usize| match short_moves {
                true => solve(&[edge], &[], false, false).short_wins,
                false => !solve(&[], &[edge], true, false).short_wins,
            };
            let expected: Vec<usize> = (0..graph.edges().len()).filter(|&edge| wins(edge)).collect();
            decided += usize::from(!expected.is_empty() && expected.len() < graph.edges().len());
            assert_eq!(moves, expected, "{graph:?} {short_moves}");
        }
    }
    assert!(decided > 20, "{decided}");
}

#[test]
fn edge_games_agree_with_minimax() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let (mut trees, mut forests) = (0, 0);
    for _ in 0..400 {
        let vertices = rng.random_range(2..6);
        let count = rng.random_range(1..10);
        let graph = random_graph(&mut rng, vertices, count);
        let mut board = Board::new(Shannon { graph: graph.clone(), terminals: vec![0, vertices - 1], edges: true });
        for edge in 0..board.elements() {
            if rng.random_range(0..6) == 0 {
                board.place(edge, if rng.random() { Side::First } else { Side::Second }).unwrap();
            }
        }
        let of = |side: Side| (0..board.elements()).filter(|&e| board.stone(e) == Some(side)).collect::<Vec<_>>();
        let (short, cut) = (of(Side::First), of(Side::Second));
        for turn in [Side::First, Side::Second] {
            board.turn = turn;
            let game = EdgeGame { graph: &graph, terminals: [0, vertices - 1], short: &short, cut: &cut };
            let solution = solve_edge_game(&game, turn == Side::First, true, &Control::default()).unwrap();
            let formula = board_game(&board, Form::Dnf, DEFAULT_LITERALS, &Control::default()).unwrap();
            let value = evaluate_game(&formula, &Control::default()).unwrap();
            assert_eq!(solution.short_wins, value.winner == Player::Max, "{board:?}");
            assert_eq!(solution.short_wins, max_wins(&board));
            let winner_moves = (turn == Side::First) == solution.short_wins;
            let mut moves = solution.moves.clone();
            moves.sort_unstable();
            let colour = turn == Side::First;
            let expected: Vec<usize> = value
                .winning_moves
                .iter()
                .filter(|lit| lit.is_positive() == colour)
                .map(|lit| lit.var().index())
                .collect();
            assert_eq!(moves, expected, "{board:?}");
            let position = EdgePosition { graph: &graph, terminals: [0, vertices - 1], short: &short, cut: &cut };
            assert!(accepted(position, &solution), "{board:?} {solution:?}");
            assert!(solution.key.is_none_or(|key| winner_moves && moves.contains(&key)));
            match &solution.reason {
                Reason::Trees(sets) if solution.key.is_none() && !sets[0].is_empty() => {
                    trees += 1;
                    // Damaged, they are refused.
                    let mut bad = sets.clone();
                    bad[0].pop();
                    assert!(!position.accepts_trees(&bad));
                    assert!(!position.accepts_trees(&[sets[0].clone(), sets[0].clone()]));
                }
                Reason::Forests(sets, inside) if solution.key.is_none() && !sets[0].is_empty() => {
                    forests += 1;
                    let mut bad = sets.clone();
                    bad[0].pop();
                    assert!(!position.accepts_forests(&bad, inside));
                    assert!(!position.accepts_forests(&[sets[0].clone(), sets[0].clone()], inside));
                }
                _ => {}
            }
        }
    }
    assert!(trees > 20 && forests > 20, "{trees} {forests}");
}
