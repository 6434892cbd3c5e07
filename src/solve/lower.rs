//! Translations into a simpler kind of problem, for engines that do not treat the original kind.

use super::{Control, Outcome, StopReason};
use crate::encode::{DEFAULT_LITERALS, EncodeError, board_game, clausify, natural_form};
use crate::problem::Problem;

/// The problem in the next simpler kind, if there is one: a circuit as clauses, a board as a game.
///
/// # Errors
/// The reason why the translation stopped.
pub(super) fn lower(problem: &Problem, control: &Control) -> Result<Option<Problem>, StopReason> {
    match problem {
        Problem::Circuit(circuit) => Ok(Some(Problem::Qbf(clausify(circuit)))),
        Problem::Board(board) => match board_game(board, natural_form(board), DEFAULT_LITERALS, control) {
            Ok(game) => Ok(Some(Problem::Game(game))),
            Err(EncodeError::Stopped(reason)) => Err(reason),
            Err(error) => Err(StopReason::Unsupported(error.to_string())),
        },
        Problem::Qbf(_) | Problem::Game(_) => Ok(None),
    }
}

/// The outcome of a lowered problem in terms of the original one.
pub(super) fn raise(problem: &Problem, mut outcome: Outcome) -> Outcome {
    if let (Problem::Circuit(circuit), Some(model)) = (problem, &mut outcome.outer_model) {
        model.retain(|lit| lit.var().index() < circuit.circuit().inputs());
    }
    outcome
}
