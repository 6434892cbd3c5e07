//! Misère boards: whoever owns a winning set has lost.
//!
//! MAX wants every set of MAX's to be incomplete, that is: the board's formula false with colours as they are. Negating the
//! formula turns clauses into terms and terms into clauses; exchanging the roles of TRUE and FALSE on top of it keeps MAX the
//! one who colours TRUE. Both together negate every literal. Nobody may help the other to a stone, so each player has the
//! own colour only.

use super::{EncodeError, Rows, Target, lower};
use gamesat_core::control::Control;
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Rule};
use gamesat_core::problem::Problem;
use gamesat_core::rules::Board;

/// The game in which MAX must own no winning set of the board.
///
/// # Errors
/// The board is a race or bounded in plies, or has no rows within the limits; or the run was to stop.
pub fn misere(board: &Board, control: &Control) -> Result<Game, EncodeError> {
    if board.has_plies() {
        return Err(EncodeError::NotAGame("a race or a game of bounded length ends with the first goal"));
    }
    let Problem::Game(game) = lower(&Problem::Board(board.clone()), Target::Rows(Rows::default()), control)?.problem
    else {
        return Err(EncodeError::NoEncoding("a misère board"));
    };
    let negated = |rows: &ClauseArena| {
        let mut rows = rows.clone();
        rows.lits_mut().iter_mut().for_each(|lit| *lit = !*lit);
        rows
    };
    let matrix = match game.matrix() {
        GameMatrix::Cnf(rows) => GameMatrix::Dnf(negated(rows)),
        GameMatrix::Dnf(rows) => GameMatrix::Cnf(negated(rows)),
        GameMatrix::Circuit(_) => return Err(EncodeError::NoEncoding("a misère board without rows")),
    };
    let mut reversed = game.with_matrix(matrix);
    (reversed.rule, reversed.turn) = (Rule::Own, board.player(board.turn));
    reversed.names = board.names();
    Ok(reversed)
}
