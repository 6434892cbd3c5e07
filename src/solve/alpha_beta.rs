//! `--engine alpha-beta`: the set colouring engine, see [`crate::engine::colouring`].

use super::{Control, Engine, Options, Outcome, StopReason};
use crate::engine::colouring;
use crate::formula::Game;
use crate::options::GameOptions;
use crate::problem::Problem;

pub(super) struct AlphaBeta;

impl Engine for AlphaBeta {
    fn name(&self) -> &'static str {
        "alpha-beta"
    }

    fn about(&self) -> &'static str {
        "games: alpha-beta search with traces, capture and domination on the normal forms"
    }

    fn handles(&self, problem: &Problem) -> bool {
        matches!(problem, Problem::Game(_))
    }

    fn solve(&self, problem: &Problem, options: &Options, control: &Control) -> Outcome {
        let Problem::Game(game) = problem else {
            return Outcome::stopped(StopReason::Unsupported("not a game".to_owned()));
        };
        answer(game, options, control).unwrap_or_else(Outcome::stopped)
    }
}

fn answer(game: &Game, options: &Options, control: &Control) -> Result<Outcome, StopReason> {
    let switches = GameOptions { threads: options.threads, ..options.game.clone() };
    let (mut answer, strategy) = if options.strategy {
        let (answer, strategy) = colouring::solve_with_strategy(game, options.all_moves, &switches, control)?;
        (answer, Some(strategy))
    } else {
        (colouring::solve(game, options.all_moves, &switches, control)?, None)
    };
    let mut outcome = Outcome::new(answer.winner.into());
    if options.shrink_trace {
        // Out of time for that is no reason to forget the verdict.
        outcome.stop = colouring::shrink_trace(game, &mut answer, &switches, control).err();
    }
    match strategy {
        Some(Ok(strategy)) => outcome.strategy = Some(strategy),
        Some(Err(reason)) => outcome.stop = Some(reason),
        None => {}
    }
    outcome.moves = answer.moves;
    outcome.variation = answer.variation;
    outcome.trace = (options.trace || options.shrink_trace).then_some(answer.trace);
    outcome.statistics = answer.statistics;
    Ok(outcome)
}
