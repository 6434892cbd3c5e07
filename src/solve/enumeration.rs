//! Every model of an outermost existential block, by [abstraction](crate::engine::qbf::abstraction), of formulas as they are:
//! simplification keeps some model, not all.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Verdict, Wanted};
use crate::encode::steps::clausify;
use crate::engine::qbf::abstraction::Abstraction;
use crate::engine::qbf::matrix::Matrix;
use crate::formula::{Qbf, Quantifier, Var};
use crate::problem::Problem;
use crate::statistics::Statistics;

pub(super) struct Enumeration;

impl Engine for Enumeration {
    fn name(&self) -> &'static str {
        "enumeration"
    }

    fn about(&self) -> &'static str {
        "QBF: every model of an outermost existential block, by abstraction"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let prefix = match question.problem {
            Problem::Qbf(qbf) => qbf.prefix(),
            Problem::Circuit(circuit) => circuit.prefix(),
            _ => return None,
        };
        let existential = prefix.blocks().next().is_none_or(|block| block.quantifier == Quantifier::Exists);
        Offer::direct(Fit::Good).filter(|_| existential && *question.wanted == Wanted::default().and_all_models())
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { options: options.clone(), answer })
    }
}

fn answer(problem: &Problem, _: &Wanted, options: &Options, control: &Control) -> Answer {
    match problem {
        Problem::Qbf(qbf) => models(qbf, |_| true, options, control),
        Problem::Circuit(circuit) => {
            let inputs = circuit.circuit().inputs();
            models(&clausify(circuit), |var| var.index() < inputs, options, control)
        }
        _ => Answer::stopped(StopReason::Unsupported("not a quantified formula".to_owned())),
    }
}

fn models(qbf: &Qbf, asked_for: impl Fn(Var) -> bool, options: &Options, control: &Control) -> Answer {
    let engine = Abstraction { options: options.abstraction.clone() };
    let mut statistics = Statistics::default();
    let mut cubes = Vec::new();
    let matrix = Matrix::new(qbf);
    let result = engine.outer_models(&matrix, asked_for, control, &mut statistics, |cube| cubes.push(cube));
    let mut answer = match result {
        Ok(verdict) => Answer::new(Verdict::from(verdict)),
        // One is enough for the verdict.
        Err(reason) if !cubes.is_empty() => Answer { missing: Some(reason), ..Answer::new(Verdict::True) },
        Err(reason) => Answer::stopped(reason),
    };
    answer.outer_models = Some(cubes);
    answer.statistics = statistics;
    answer
}
