//! `--engine naive`: the evaluators of [`crate::check`], for anyone who wants the definition and nothing else.

use super::{Control, Engine, Options, Outcome, StopReason, Verdict};
use crate::check::{evaluate_circuit, evaluate_game, evaluate_qbf, monotone_in};
use crate::formula::{Game, Lit};
use crate::problem::Problem;

pub(super) struct Naive;

impl Engine for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn about(&self) -> &'static str {
        "plain recursion over values and moves; slow, and the judge of all others"
    }

    fn handles(&self, problem: &Problem) -> bool {
        !matches!(problem, Problem::Board(_))
    }

    fn solve(&self, problem: &Problem, options: &Options, control: &Control) -> Outcome {
        answer(problem, options, control).unwrap_or_else(Outcome::stopped)
    }
}

fn answer(problem: &Problem, options: &Options, control: &Control) -> Result<Outcome, StopReason> {
    match problem {
        Problem::Qbf(qbf) => Ok(quantified(evaluate_qbf(qbf, control)?, options)),
        Problem::Circuit(circuit) => Ok(quantified(evaluate_circuit(circuit, control)?, options)),
        Problem::Game(game) => {
            let value = evaluate_game(game, control)?;
            let mut outcome = Outcome::new(value.winner.into());
            outcome.moves = rational(game, &value.winning_moves, control)?;
            if !options.all_moves {
                outcome.moves.truncate(1);
            }
            Ok(outcome)
        }
        Problem::Board(_) => Err(StopReason::Unsupported("boards are solved as games".into())),
    }
}

fn quantified((value, model): (bool, Vec<Lit>), options: &Options) -> Outcome {
    let mut outcome = Outcome::new(Verdict::from(value));
    outcome.outer_model = options.outer_model.then_some(model);
    outcome
}

/// Of an element in which the formula is monotone only the rational colour counts as a move; of a dead one only the mover's
/// own colour.
fn rational(game: &Game, moves: &[Lit], control: &Control) -> Result<Vec<Lit>, StopReason> {
    let own = game.turn.colour();
    let mut kept = Vec::with_capacity(moves.len());
    for &lit in moves {
        let counts = match monotone_in(game, lit.var(), control)? {
            (true, _) => lit.is_positive() == own,
            (false, true) => lit.is_positive() != own,
            (false, false) => true,
        };
        // Under the division rule there is no other colour to choose.
        if counts || !game.rule.allows(game.turn, !lit.is_positive()) {
            kept.push(lit);
        }
    }
    Ok(kept)
}
