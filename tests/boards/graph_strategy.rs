//! Strategies of the graph engine, held to the checker on the rows of the same game, in both normal forms.

use crate::support::graphs::{Case, Random, hex, random_case, random_options};
use gamesat::control::Control;
use gamesat::encode::Form;
use gamesat::formula::Player;
use gamesat::options::GraphOptions;
use gamesat::rules::{Board, Grid, Hex, Shannon, Side};
use gamesat_check::steps::check_strategy;
use gamesat_encode::steps::{DEFAULT_LITERALS, board_game};
use gamesat_games::graph::{Questions, solve_vertex_game};

fn board(case: &Case) -> Board {
    let shape = Shannon { graph: case.graph.clone(), terminals: case.terminals.clone(), edges: false };
    let mut board = Board::new(shape);
    for (side, stones) in [(Side::First, &case.short), (Side::Second, &case.cut)] {
        stones.iter().for_each(|&stone| board.place(stone, side).unwrap());
    }
    board.turn = if case.short_to_move { Side::First } else { Side::Second };
    board
}

fn is_accepted(case: &Case, board: &Board, options: &GraphOptions) -> usize {
    let questions = Questions { strategy: true, ..Questions::default() };
    let solution = solve_vertex_game(&case.game(), questions, options, &Control::default()).unwrap();
    let strategy = solution.strategy.expect("it was asked for");
    assert_eq!(strategy.winner() == Player::Max, solution.short_wins);
    for form in [Form::Dnf, Form::Cnf] {
        let game = board_game(board, form, DEFAULT_LITERALS, &Control::default()).unwrap();
        if let Err(error) = check_strategy(&game, &strategy, &Control::default()) {
            panic!("{error}: {strategy:?} of {case:?} with {options:?}");
        }
    }
    strategy.len()
}

#[test]
fn strategies_are_accepted() {
    let mut random = Random(3);
    for number in 0..600 {
        let case = random_case(&mut random, 10);
        let options = if number % 2 == 0 { GraphOptions::default() } else { random_options(&mut random) };
        is_accepted(&case, &board(&case), &options);
    }
}

#[test]
fn strategies_of_hex_are_accepted_on_its_own_rows() {
    for (columns, rows) in [(3, 3), (4, 4), (4, 3), (3, 4)] {
        for opening in 0..columns * rows {
            let graph = hex(columns, rows);
            let cells = columns * rows;
            let case = Case {
                graph,
                terminals: vec![cells, cells + 1],
                short: vec![opening],
                cut: vec![],
                short_to_move: false,
            };
            let mut board = Board::new(Hex(Grid { columns, rows }));
            board.place(opening, Side::First).unwrap();
            board.turn = Side::Second;
            assert!(is_accepted(&case, &board, &GraphOptions::default()) < 400);
        }
    }
}
