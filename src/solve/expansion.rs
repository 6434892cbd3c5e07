//! Counterexample-guided expansion of QBFs with at most three blocks, see [`crate::engine::qbf`].

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Wanted, abstraction};
use crate::engine::qbf::expansion;
use crate::problem::Problem;
use crate::sat::Backend;
use crate::statistics::Statistics;

pub(super) struct Expansion;

impl Engine for Expansion {
    fn name(&self) -> &'static str {
        "expansion"
    }

    fn about(&self) -> &'static str {
        "counterexample-guided expansion of QBFs with at most three blocks"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let few = match question.problem {
            Problem::Qbf(qbf) => expansion::handles(qbf.prefix()),
            _ => false,
        };
        abstraction::offer(question, Fit::Fair).filter(|_| few && !question.wanted.proof)
    }

    fn begin(&self, problem: Problem, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { problem, options: options.clone(), answer })
    }
}

fn answer(problem: &Problem, wanted: &Wanted, _: &Options, control: &Control) -> Answer {
    let Problem::Qbf(qbf) = problem else {
        return Answer::stopped(StopReason::Unsupported("not a quantified formula in clauses".to_owned()));
    };
    let (dense, old) = qbf.compact();
    let mut statistics = Statistics::default();
    let mut answer = match expansion::solve(&dense, Backend::default(), control, &mut statistics) {
        Ok(found) => {
            let mut answer = Answer::new(found.value.into());
            let model = found.outer_model.iter().map(|lit| old[lit.var().index()].lit(lit.is_positive()));
            answer.outer_model = wanted.outer_model.then(|| model.collect());
            answer
        }
        Err(reason) => Answer::stopped(reason),
    };
    answer.statistics = statistics;
    answer
}
