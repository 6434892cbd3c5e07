//! Counterexample-guided expansion of QBFs with at most three blocks, see [`gamesat_qbf`].

use super::abstraction::{self, through_pipeline};
use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, Wanted};
use gamesat_core::problem::Problem;
use gamesat_qbf::expansion;

pub(super) struct Expansion;

/// The most blocks that expansion takes.
const BLOCKS: usize = 3;

impl Engine for Expansion {
    fn name(&self) -> &'static str {
        "expansion"
    }

    fn about(&self) -> &'static str {
        "counterexample-guided expansion of QBFs with at most three blocks"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        // A circuit becomes clauses with one more existential block inside.
        let few = match question.problem {
            Problem::Qbf(qbf) => qbf.prefix().len() <= BLOCKS,
            Problem::Circuit(circuit) => circuit.prefix().len() < BLOCKS,
            _ => false,
        };
        abstraction::offer(question, Fit::Fair).filter(|_| few)
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { options: options.clone(), answer })
    }
}

fn answer(problem: &Problem, wanted: &Wanted, _: &Options, control: &Control) -> Answer {
    through_pipeline(problem, &expansion::Expansion::default(), None, wanted, control)
}
