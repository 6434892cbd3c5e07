//! Every opening of a board: verdicts, symmetric images, results from an earlier run, limits.

use gamesat::Problem;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::rules::{Board, Grid, Hex, Side, Y};
use gamesat::solve::{Opening, Openings, Options, Solver, Unfinished, Verdict};

fn finish(openings: &mut Openings) {
    while openings.advance(&Control::default()).unwrap().is_some() {}
}

/// The winner after each opening, by asking for each on its own.
fn one_by_one(board: &Board) -> Vec<Option<Side>> {
    (0..board.elements())
        .map(|element| {
            let mut after = board.clone();
            after.play(element).ok()?;
            let verdict = Solver::new(Problem::Board(after)).solve().unwrap().verdict;
            Some(if verdict == Verdict::True { board.max } else { !board.max })
        })
        .collect()
}

#[test]
fn openings_are_solved_one_by_one() {
    let grid = |columns, rows| Grid { columns, rows };
    let mut with_stones = Board::new(Hex(grid(4, 4)));
    with_stones.place(5, Side::Second).unwrap();
    with_stones.turn = Side::Second;
    with_stones.max = Side::Second;
    for board in [Board::new(Hex(grid(4, 4))), Board::new(Hex(grid(3, 4))), Board::new(Y(4)), with_stones] {
        let mut openings = Openings::new(&board, &Options::default());
        finish(&mut openings);
        let found: Vec<Option<Side>> = openings.known().iter().map(|known| known.map(|known| known.winner)).collect();
        assert_eq!(found, one_by_one(&board), "{board:?}");
        assert_eq!(openings.count(), (board.free().count(), board.free().count()));
    }
}

#[test]
fn symmetric_images_cost_nothing_and_results_are_taken_over() {
    let board = Board::new(Hex(Grid { columns: 5, rows: 5 }));
    let mut openings = Openings::new(&board, &Options::default());
    let first = openings.advance(&Control::default()).unwrap().unwrap();
    assert_eq!(openings.known()[24 - first].unwrap().winner, openings.known()[first].unwrap().winner);
    finish(&mut openings);
    assert!((13..25).all(|cell| openings.known()[cell].unwrap().nodes == 0));
    // Another run that knows all but one.
    let mut again = Openings::new(&board, &Options::default());
    for cell in (0..25).filter(|&cell| cell != 7 && cell != 17) {
        assert!(again.learn(cell, openings.known()[cell].unwrap()));
    }
    assert!(!again.learn(25, Opening { winner: Side::First, nodes: 1 }), "there is no such cell");
    assert_eq!(again.advance(&Control::default()), Ok(Some(7)));
    assert_eq!(again.advance(&Control::default()), Ok(None));
}

#[test]
fn limits_leave_what_is_known() {
    let board = Board::new(Hex(Grid { columns: 8, rows: 8 }));
    let mut openings = Openings::new(&board, &Options::default());
    let control = Control::new(Limits { nodes: Some(3), ..Limits::default() }, Interrupt::new());
    let stopped = loop {
        match openings.advance(&control) {
            Ok(found) => assert!(found.is_some()),
            Err(stopped) => break stopped,
        }
    };
    assert_eq!(stopped, Unfinished::Stopped(StopReason::Nodes));
    assert!(openings.count().0 < 64);
}
