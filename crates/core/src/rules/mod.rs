//! Boards: what a position is, who has won, what its cells are called.
//!
//! Every game here has two sides: [`Side::First`] (Black, Short, Maker) wants to reach a [`Goal`], [`Side::Second`] (White,
//! Cut, Breaker) wants to make that impossible, so that there are no draws. Only a race is different: there both sides
//! have sets, whoever completes one first wins, and if nobody does it is a draw. A game may end before the board is full
//! ([`Schedule`]). Nothing here searches; `encode` makes formulas of boards and the engines solve those.
//!
//! ```
//! use gamesat_core::rules::{Board, Grid, Hex, Side};
//!
//! let mut board = Board::new(Hex(Grid { columns: 2, rows: 2 }));
//! for name in ["b1", "a1", "b2"] {
//!     board.play(board.find(name).unwrap())?;
//! }
//! assert_eq!(board.winner(), Some(Side::First));
//! # Ok::<(), gamesat_core::rules::BoardError>(())
//! ```

mod board;
mod bridgit;
mod ending;
mod game;
mod grid;
mod harary;
mod header;
mod hex;
mod line;
mod positional;
pub mod sequential;
mod shannon;
mod squares;
mod sudoku;
mod y;

pub use crate::graph::Goal;
pub use board::{Board, BoardError};
pub use bridgit::Bridgit;
pub use ending::{Ending, Played, Schedule};
pub use game::{Depths, Game, Instances, Rules, Symmetry, TriangleCell};
pub use grid::{Grid, MAX_SIDE, cell_name, parse_cell};
pub use harary::{Harary, animal, animals};
pub use header::{Header, Misfit};
pub use header::{digits, sides};
pub use hex::Hex;
pub use line::Line;
pub use positional::Positional;
pub use shannon::SIDES as SHANNON_SIDES;
pub use shannon::Shannon;
pub use sudoku::Sudoku;
pub use y::Y;

use std::ops::Not;

/// The games that are drawn in rows of symbols. A new one is a file and a line here.
pub fn games() -> &'static [Game] {
    static GAMES: &[Game] = &[hex::GAME, y::GAME, bridgit::GAME, line::GAME, harary::GAME];
    GAMES
}

/// The empty board of this size in the game that the Hex Text Protocol is about.
pub fn protocol_board(size: Grid) -> Option<Board> {
    let make = games().iter().find_map(|game| game.protocol_board)?;
    Some(Board::of(make(size)))
}

/// One of the two sides of a board game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Black, Short or Maker: wants to reach the goal.
    First,
    /// White, Cut or Breaker: wants to prevent it.
    Second,
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}
