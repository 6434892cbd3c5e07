//! Games with an order by alpha-beta over their rules, see [`gamesat_games::sequential`].

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Verdict, Wanted};
use gamesat_core::formula::{Lit, Var};
use gamesat_core::problem::Problem;
use gamesat_core::rules::Side;
use gamesat_core::rules::sequential::{Move, Rules, Sequential, Visitor};
use gamesat_games::sequential::Session;

pub(super) struct Ordered;

impl Engine for Ordered {
    fn name(&self) -> &'static str {
        "sequential"
    }

    fn about(&self) -> &'static str {
        "sequential games: alpha-beta with a table over the rules of the game"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let Wanted { trace, outer_model, proof, .. } = *question.wanted;
        match question.problem {
            Problem::Sequential(_) if trace == Trace::No && !outer_model && !proof => Offer::direct(Fit::Good),
            _ => None,
        }
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { options: options.clone(), answer })
    }
}

fn answer(problem: &Problem, wanted: &Wanted, options: &Options, control: &Control) -> Answer {
    match problem {
        Problem::Sequential(game) => match game.missing() {
            Some(missing) => Answer::stopped(StopReason::Unsupported(missing.to_owned())),
            None => game.visit(Answering { game, wanted, options, control }).unwrap_or_else(Answer::stopped),
        },
        _ => Answer::stopped(StopReason::Unsupported("not a sequential game".to_owned())),
    }
}

/// The question, for whatever rules the game has.
struct Answering<'a> {
    game: &'a Sequential,
    wanted: &'a Wanted,
    options: &'a Options,
    control: &'a Control,
}

impl Visitor for Answering<'_> {
    type Output = Result<Answer, StopReason>;

    fn visit<R: Rules>(self, rules: R) -> Self::Output {
        let session = Session::new(&rules, &self.options.sequential, self.options.threads);
        let depth = self.options.sequential.look_ahead;
        let solved = session.solve(&rules, depth, self.wanted.all_moves, self.control)?;
        let mut answer = Answer::new(Verdict::Value(self.game.told(match self.game.mover() {
            Some(_) => solved.value.into(),
            None => self.game.end(),
        })));
        // Who makes each move of the line.
        let mut game = self.game.clone();
        for &mv in &solved.line {
            let first = game.mover() == Some(Side::First);
            answer.variation.push(Var::from_index(mv.into()).lit(first));
            game.play(mv);
        }
        let first = self.game.mover() == Some(Side::First);
        let lit = |mv: Move| Var::from_index(mv.into()).lit(first);
        answer.moves = answer.variation.iter().copied().take(1).collect();
        if self.wanted.all_moves {
            answer.values = solved.moves.iter().map(|&(mv, value)| (lit(mv), self.game.told(value.into()))).collect();
            let best = solved.moves.iter().filter(|&&(_, value)| value == solved.value);
            let best: Vec<Lit> = best.map(|&(mv, _)| lit(mv)).collect();
            // A list that was cut short has perhaps not come to the move that is known to be best.
            if !best.is_empty() {
                answer.moves = best;
            }
            answer.missing = solved.unlisted;
        }
        if !solved.exact {
            let (least, most) = solved.bounds;
            answer.estimate = Some(solved.value.into());
            answer.bounds = Some((least.into(), most.into()));
            (answer.verdict, answer.stop) = (Verdict::Unknown, Some(StopReason::Depth));
            answer.moves.clear();
        }
        answer.statistics = solved.statistics;
        Ok(answer)
    }
}
