//! Translators: circuits to clauses, boards to games, games to quantified formulas.

mod board;
mod contracted;
mod error;
pub mod generate;
mod lower;
mod misere;
mod qbf;
mod score;
mod sudoku;
mod tseitin;
mod two_colours;

pub use board::{Form, winning_sets};
pub use error::EncodeError;
pub use lower::{Lowered, Plies, Rows, Target, carries_strategies, lower, minimised, simpler};
pub use misere::misere;
pub use qbf::Encoding;
pub use score::threshold_game;

/// The single steps of [`lower`], for tests and benchmarks.
#[doc(hidden)]
pub mod steps {
    pub use super::board::{DEFAULT_LITERALS, board_game, natural_form};
    pub use super::qbf::{board_qbf, game_qbf};
    pub use super::tseitin::clausify;
}
