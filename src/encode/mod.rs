//! Translators: circuits to clauses, boards to games, games to quantified formulas.

mod board;
mod contracted;
mod qbf;
mod tseitin;

pub use board::{DEFAULT_LITERALS, EncodeError, Form, board_game, natural_form, winning_sets};
pub(crate) use qbf::{BoardFormula, board_formula};
pub use qbf::{Encoding, board_qbf, game_qbf};
pub use tseitin::clausify;
