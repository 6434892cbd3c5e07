//! Counterexample-guided expansion of QBFs with at most three blocks, see [`gamesat_qbf`].

use super::abstraction::{self, through_pipeline};
use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, Wanted};
use gamesat_core::formula::Quantifier;
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
        let few = blocks(question.problem).is_some_and(|blocks| blocks <= BLOCKS);
        abstraction::offer(question, Fit::Fair).filter(|_| few)
    }

    fn refusal(&self, problem: &Problem) -> Option<String> {
        let blocks = blocks(problem).filter(|&blocks| blocks > BLOCKS)?;
        Some(format!("takes at most three quantifier blocks; this formula has {blocks}"))
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { options: options.clone(), answer })
    }
}

/// How many blocks a formula has as clauses: those of a circuit have new variables, which are existential and innermost.
fn blocks(problem: &Problem) -> Option<usize> {
    match problem {
        Problem::Qbf(qbf) => Some(qbf.prefix().len()),
        Problem::Circuit(circuit) => {
            let last = circuit.prefix().blocks().next_back();
            let is_existential = last.is_some_and(|block| block.quantifier == Quantifier::Exists);
            Some(circuit.prefix().len() + usize::from(!is_existential))
        }
        _ => None,
    }
}

fn answer(problem: &Problem, wanted: &Wanted, _: &Options, control: &Control) -> Answer {
    through_pipeline(problem, &expansion::Expansion::default(), None, wanted, control)
}
