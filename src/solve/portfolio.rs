//! QBFs by simplification and then several engines in turn, see [`gamesat_qbf`].

use super::abstraction::{self, through_pipeline};
use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, Wanted};
use gamesat_core::problem::Problem;
use gamesat_qbf::portfolio;

pub(super) struct Portfolio;

impl Engine for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn about(&self) -> &'static str {
        "QBF: simplification, then abstraction, expansion and qcdcl in turn, or at once with several threads"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        abstraction::offer(question, Fit::Good)
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { options: options.clone(), answer })
    }
}

fn answer(problem: &Problem, wanted: &Wanted, options: &Options, control: &Control) -> Answer {
    let engine = portfolio::Portfolio {
        abstraction: options.abstraction.clone(),
        qcdcl: options.qcdcl.clone(),
        options: options.portfolio.clone(),
        threads: options.threads,
        ..portfolio::Portfolio::default()
    };
    through_pipeline(problem, &engine, Some(options.simplify.clone()), wanted, control)
}
