//! Conflict-driven search for QBFs, see [`gamesat_qbf`].

use super::abstraction::{self, through_pipeline};
use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, Wanted};
use gamesat_core::problem::Problem;
use gamesat_qbf::qcdcl;

pub(super) struct Qcdcl;

impl Engine for Qcdcl {
    fn name(&self) -> &'static str {
        "qcdcl"
    }

    fn about(&self) -> &'static str {
        "QBF: simplification, then conflict-driven learning of clauses and cubes"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        abstraction::offer(question, Fit::Fair)
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { options: options.clone(), answer })
    }
}

fn answer(problem: &Problem, wanted: &Wanted, options: &Options, control: &Control) -> Answer {
    let engine = qcdcl::Qcdcl { options: options.qcdcl.clone() };
    through_pipeline(problem, &engine, Some(options.simplify.clone()), wanted, control)
}
