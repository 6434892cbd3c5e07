//! The evaluators of [`gamesat_check`], for anyone who wants the definition and nothing else.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Verdict, Wanted};
use gamesat_check::{
    evaluate_board, evaluate_circuit, evaluate_colouring, evaluate_game, evaluate_in_order, evaluate_qbf,
    evaluate_sequential, monotone_in,
};
use gamesat_core::formula::{Game, Lit, Player, Var};
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Ending, Side};

pub(super) struct Naive;

impl Engine for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn about(&self) -> &'static str {
        "plain recursion over values and moves; slow, and the judge of all others"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let Wanted { all_moves, trace, outer_model, proof, .. } = *question.wanted;
        let is_formula = matches!(question.problem, Problem::Qbf(_) | Problem::Circuit(_));
        let fits = if is_formula { !all_moves } else { !outer_model };
        let fits = fits && !matches!(question.problem, Problem::Sudoku(_));
        Offer::direct(Fit::Naive).filter(|_| fits && trace == Trace::No && !proof)
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        let answer = |problem: &Problem, wanted: &Wanted, _: &Options, control: &Control| {
            answer(problem, wanted, control).unwrap_or_else(Answer::stopped)
        };
        Box::new(Afresh { options: options.clone(), answer })
    }
}

pub(super) fn answer(problem: &Problem, wanted: &Wanted, control: &Control) -> Result<Answer, StopReason> {
    let mut answer = match problem {
        Problem::Qbf(qbf) => quantified(evaluate_qbf(qbf, control)?, wanted),
        Problem::Circuit(circuit) => quantified(evaluate_circuit(circuit, control)?, wanted),
        Problem::Game(game) => {
            let value = evaluate_game(game, control)?;
            let mut answer = Answer::new(value.winner.into());
            answer.moves = rational(game, game.turn, &value.winning_moves, control)?;
            answer.more_moves = value.omitted;
            answer
        }
        Problem::Colouring(game) => {
            let found = evaluate_colouring(game, control)?;
            let mover = game.mover().unwrap_or(game.turn);
            let mut answer = Answer::new(super::colours::verdict(game, found.value));
            // What loses is no winning move.
            let kept = game.weights().is_some() || answer.verdict.winner() == Some(mover);
            let best = found.moves.iter().filter(|&&(_, value)| kept && value == found.value);
            answer.moves = best.map(|&(atom, _)| atom).collect();
            answer
        }
        Problem::Board(board) => {
            let value = evaluate_board(board, control)?;
            let mut answer = Answer::new(match value.ending {
                Ending::Win(side) => Verdict::from(board.player(side)),
                Ending::Draw => Verdict::Draw,
            });
            let colour = board.player(board.turn) == Player::Max;
            answer.moves = value.best_moves.iter().map(|&element| Var::from_index(element).lit(colour)).collect();
            answer
        }
        Problem::Reordered(reordered) => {
            let found = evaluate_in_order(reordered, control)?;
            let mut answer = Answer::new(found.winner.into());
            answer.moves = match reordered.game() {
                Problem::Game(game) => {
                    let mover = reordered.order().mover(0).unwrap_or(game.turn);
                    rational(game, mover, &found.winning_moves, control)?
                }
                _ => found.winning_moves,
            };
            answer.more_moves = found.omitted;
            answer
        }
        Problem::Sudoku(_) => {
            return Err(StopReason::Unsupported("puzzles are filled by the engine 'filling'".to_owned()));
        }
        Problem::Sequential(game) => {
            if let Some(missing) = game.missing() {
                return Err(StopReason::Unsupported(missing.to_owned()));
            }
            let found = evaluate_sequential(game, control)?;
            let colour = game.mover() == Some(Side::First);
            let mut answer = Answer::new(Verdict::Value(game.told(found.value)));
            let lit = |mv: u16| Var::from_index(mv.into()).lit(colour);
            let best = found.moves.iter().filter(|&&(_, value)| value == found.value);
            answer.moves = best.map(|&(mv, _)| lit(mv)).collect();
            if wanted.all_moves {
                answer.values = found.moves.iter().map(|&(mv, value)| (lit(mv), game.told(value))).collect();
            }
            answer
        }
    };
    if !wanted.all_moves {
        answer.moves.truncate(1);
        answer.more_moves = 0;
    }
    Ok(answer)
}

fn quantified((value, model): (bool, Vec<Lit>), wanted: &Wanted) -> Answer {
    let mut answer = Answer::new(Verdict::from(value));
    answer.outer_model = wanted.outer_model.then_some(model);
    answer
}

/// Of an element in which the formula is monotone only the rational colour counts as a move; of a dead one only the mover's
/// own colour.
fn rational(game: &Game, mover: Player, moves: &[Lit], control: &Control) -> Result<Vec<Lit>, StopReason> {
    let own = mover.colour();
    let mut kept = Vec::with_capacity(moves.len());
    for &lit in moves {
        let counts = match monotone_in(game, lit.var(), control)? {
            (true, _) => lit.is_positive() == own,
            (false, true) => lit.is_positive() != own,
            (false, false) => true,
        };
        // Under the division rule there is no other colour to choose.
        if counts || !game.rule.allows(mover, !lit.is_positive()) {
            kept.push(lit);
        }
    }
    Ok(kept)
}
