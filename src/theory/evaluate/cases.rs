use crate::control::Control;
use crate::encode::{Rows, Target, lower};
use crate::formula::Game;
use crate::problem::Problem;
use crate::rules::{Board, Grid, Hex, Side};

/// A square Hex board with these stones of Black as a game.
pub(super) fn hex(side: usize, black: &[usize], rows: Rows) -> Game {
    let mut board = Board::new(Hex(Grid { columns: side, rows: side }));
    black.iter().for_each(|&cell| board.place(cell, Side::First).unwrap());
    match lower(&Problem::Board(board), Target::Rows(rows), &Control::default()).unwrap().problem {
        Problem::Game(game) => game,
        _ => unreachable!(),
    }
}
