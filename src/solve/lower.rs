//! Translations into a simpler kind of problem, for engines that do not treat the original kind.

use super::{Control, Options, Outcome, StopReason, Verdict};
use crate::encode::{DEFAULT_LITERALS, EncodeError, Encoding, board_game, board_qbf, clausify, natural_form};
use crate::formula::{Lit, Var};
use crate::problem::Problem;

/// The problem in the next simpler kind, if there is one: a circuit as clauses, a board as a game or, if its plies are
/// bounded or it is a race, as a quantified formula.
///
/// # Errors
/// The reason why the translation stopped.
pub(super) fn lower(problem: &Problem, control: &Control) -> Result<Option<Problem>, StopReason> {
    let stopped = |error: EncodeError| match error {
        EncodeError::Stopped(reason) => reason,
        error => StopReason::Unsupported(error.to_string()),
    };
    match problem {
        Problem::Circuit(circuit) => Ok(Some(Problem::Qbf(clausify(circuit)))),
        Problem::Board(board) if board.schedule.is_some() || board.race().is_some() => {
            let circuit = board_qbf(board, Encoding::Explicit, None).map_err(stopped)?;
            Ok(Some(Problem::Qbf(clausify(&circuit))))
        }
        Problem::Board(board) => {
            let game = board_game(board, natural_form(board), DEFAULT_LITERALS, control).map_err(stopped)?;
            Ok(Some(Problem::Game(game)))
        }
        Problem::Qbf(_) | Problem::Game(_) => Ok(None),
    }
}

/// What to ask about the lowered problem: the first move of a bounded game is in its outermost block.
pub(super) fn lowered_options(problem: &Problem, lowered: &Problem, options: &Options) -> Options {
    let mut options = options.clone();
    options.outer_model |= matches!((problem, lowered), (Problem::Board(_), Problem::Qbf(_)));
    options
}

/// The outcome of a lowered problem in terms of the original one.
pub(super) fn raise(problem: &Problem, lowered: &Problem, mut outcome: Outcome) -> Outcome {
    match (problem, lowered) {
        (Problem::Circuit(circuit), _) => {
            if let Some(model) = &mut outcome.outer_model {
                model.retain(|lit| lit.var().index() < circuit.circuit().inputs());
            }
        }
        (Problem::Board(board), Problem::Qbf(qbf)) => {
            // What MAX owns after its first move, if it moves first.
            let model = outcome.outer_model.take().unwrap_or_default();
            let owned = |lit: &Lit| qbf.names.get(lit.var()).filter(|_| lit.is_positive())?.strip_suffix("_1");
            let first = board.turn == board.max && outcome.verdict == Verdict::True;
            let cell = model.iter().filter(|_| first).filter_map(owned).find_map(|name| board.find(name));
            outcome.moves = cell.map(|element| Var::from_index(element).positive()).into_iter().collect();
        }
        _ => {}
    }
    outcome
}
