use gamesat_core::control::Control;
use gamesat_core::formula::Game;
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Grid, Hex, Side};
use gamesat_encode::{Rows, Target, lower};

/// A square Hex board with these stones of Black as a game.
pub(super) fn hex(side: usize, black: &[usize], rows: Rows) -> Game {
    let mut board = Board::new(Hex(Grid { columns: side, rows: side }));
    black.iter().for_each(|&cell| board.place(cell, Side::First).unwrap());
    match lower(&Problem::Board(board), Target::Rows(rows), &Control::default()).unwrap().problem {
        Problem::Game(game) => game,
        _ => unreachable!(),
    }
}
