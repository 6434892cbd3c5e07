//! Games in another order of turns: isotone ones by the [search with traces](gamesat_games::reordered), all others by trying
//! every move, since nothing better is known about them.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Verdict, Wanted, naive};
use gamesat_core::problem::Problem;
use gamesat_encode::{Rows, Target};
use gamesat_games::reordered;

pub(super) struct Order;

impl Engine for Order {
    fn name(&self) -> &'static str {
        "order"
    }

    fn about(&self) -> &'static str {
        "games in which the players do not take turns"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let Wanted { trace, outer_model, proof, .. } = *question.wanted;
        let fits = matches!(question.problem, Problem::Reordered(_)) && trace != Trace::Small && !outer_model && !proof;
        Offer::through(Target::Rows(Rows::default()), Fit::Good).filter(|_| fits)
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        let answer = |problem: &Problem, wanted: &Wanted, _: &Options, control: &Control| {
            answer(problem, wanted, control).unwrap_or_else(Answer::stopped)
        };
        Box::new(Afresh { options: options.clone(), answer })
    }
}

fn answer(problem: &Problem, wanted: &Wanted, control: &Control) -> Result<Answer, StopReason> {
    let Problem::Reordered(reordered) = problem else {
        return Err(StopReason::Unsupported("not a game in another order".to_owned()));
    };
    let Problem::Game(game) = reordered.game() else {
        return Err(StopReason::Unsupported("not a game with rows".to_owned()));
    };
    let Some(found) = reordered::solve(game, reordered.order(), wanted.all_moves, control)? else {
        let mut answer = naive::answer(problem, wanted, control)?;
        if wanted.trace != Trace::No {
            answer.missing = Some(StopReason::Unsupported("moves may hurt here, so there are no traces".to_owned()));
        }
        return Ok(answer);
    };
    let mut answer = Answer::new(Verdict::from(found.winner));
    (answer.moves, answer.more_moves, answer.missing) = (found.moves, found.omitted, found.unlisted);
    answer.trace = (wanted.trace != Trace::No).then_some(found.trace);
    answer.statistics.add("nodes", found.nodes);
    Ok(answer)
}
