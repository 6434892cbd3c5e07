//! Translations into a simpler kind of problem, for engines that do not treat the original kind.

use super::{Control, Engine, Options, Outcome, StopReason, Verdict, run};
use crate::encode::{
    BoardFormula, DEFAULT_LITERALS, EncodeError, Encoding, board_formula, board_game, clausify, natural_form,
};
use crate::formula::{Lit, Player, Var};
use crate::problem::Problem;
use crate::rules::Board;

/// A problem in the next simpler kind, and what it takes to understand its outcome.
pub(super) struct Lowered {
    pub(super) problem: Problem,
    /// The formula that a board became.
    formula: Option<BoardFormula>,
}

/// The problem in the next simpler kind, if there is one: a circuit as clauses, a board as a game or, if its plies are
/// bounded or it is a race, as a quantified formula.
///
/// # Errors
/// The reason why the translation stopped.
pub(super) fn lower(problem: &Problem, control: &Control) -> Result<Option<Lowered>, StopReason> {
    let stopped = |error: EncodeError| match error {
        EncodeError::Stopped(reason) => reason,
        error => StopReason::Unsupported(error.to_string()),
    };
    Ok(match problem {
        Problem::Circuit(circuit) => Some(Lowered { problem: Problem::Qbf(clausify(circuit)), formula: None }),
        Problem::Board(board) if is_bounded(board) => {
            let formula = board_formula(board, Encoding::Explicit).map_err(stopped)?;
            Some(Lowered { problem: Problem::Qbf(clausify(&formula.circuit)), formula: Some(formula) })
        }
        Problem::Board(board) => {
            let game = board_game(board, natural_form(board), DEFAULT_LITERALS, control).map_err(stopped)?;
            Some(Lowered { problem: Problem::Game(game), formula: None })
        }
        Problem::Qbf(_) | Problem::Game(_) => None,
    })
}

/// Whether only a quantified formula says what the game is.
fn is_bounded(board: &Board) -> bool {
    board.schedule.is_some() || board.is_race()
}

impl Lowered {
    /// What to ask about the lowered problem: the first move of a bounded game is in its outermost block.
    pub(super) fn options(&self, options: &Options) -> Options {
        let mut options = options.clone();
        options.outer_model |= self.formula.is_some();
        options
    }

    /// The verdict of the lowered problem in terms of the original one.
    fn verdict(&self, lowered: Verdict) -> Verdict {
        match (&self.formula, lowered.winner()) {
            (Some(formula), Some(winner)) if formula.claimant == Player::Min => Verdict::from(!winner),
            _ => lowered,
        }
    }

    /// The outcome of the lowered problem in terms of the original one.
    pub(super) fn raise(
        &self,
        original: &Problem,
        mut outcome: Outcome,
        engine: &dyn Engine,
        options: &Options,
        control: &Control,
    ) -> Outcome {
        outcome.verdict = self.verdict(outcome.verdict);
        match (original, &self.formula) {
            (Problem::Circuit(circuit), _) => {
                if let Some(model) = &mut outcome.outer_model {
                    model.retain(|lit| lit.var().index() < circuit.circuit().inputs());
                }
            }
            (Problem::Board(board), Some(formula)) => {
                let model = outcome.outer_model.take();
                let race_is_won = board.is_race() && board.winner().is_some();
                if race_is_won || board.plies().is_empty() || outcome.verdict.winner() != Some(board.player(board.turn))
                {
                    return outcome;
                }
                if options.all_moves {
                    winning_moves(board, engine, options, control, &mut outcome);
                } else if let Some(element) = model.and_then(|model| formula.first_move(board, &model)) {
                    outcome.moves = vec![coloured(board, element)];
                }
            }
            _ => {}
        }
        outcome
    }
}

/// An element in the colour of the player to move.
fn coloured(board: &Board, element: usize) -> Lit {
    Var::from_index(element).lit(board.turn == board.max)
}

/// Every winning move of a bounded game: each is tried.
fn winning_moves(board: &Board, engine: &dyn Engine, options: &Options, control: &Control, outcome: &mut Outcome) {
    let options = Options { all_moves: false, outer_model: false, ..options.clone() };
    let verdict = outcome.verdict;
    for element in board.free() {
        let mut next = board.clone();
        if next.play(element).is_err() {
            continue;
        }
        let tried = match lower(&Problem::Board(next), control) {
            Ok(Some(lowered)) => {
                let mut tried = run(engine, &lowered.problem, &options, control);
                tried.verdict = lowered.verdict(tried.verdict);
                tried
            }
            Ok(None) => continue,
            Err(reason) => Outcome::stopped(reason),
        };
        if tried.verdict == verdict {
            outcome.moves.push(coloured(board, element));
        } else if tried.verdict == Verdict::Unknown {
            // Some moves may be missing: say why.
            outcome.stop = tried.stop;
            return;
        }
    }
}
