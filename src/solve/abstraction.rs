//! `--engine abstraction`: simplification, then clausal abstraction.

use super::{Control, Engine, Options, Outcome, Verdict};
use crate::engine::qbf::abstraction as engine;
use crate::engine::qbf::engine::QbfEngine;
use crate::engine::qbf::pipeline::{QbfOptions, solve};
use crate::format::{AigerForm, write_aiger};
use crate::formula::{Aig, Qbf};
use crate::options::SimplifyOptions;
use crate::problem::Problem;
use crate::statistics::Statistics;

pub(super) struct Abstraction;

impl Engine for Abstraction {
    fn name(&self) -> &'static str {
        "abstraction"
    }

    fn about(&self) -> &'static str {
        "QBF: simplification, then one SAT solver per quantifier block (clausal abstraction)"
    }

    fn handles(&self, problem: &Problem) -> bool {
        matches!(problem, Problem::Qbf(_))
    }

    fn solve(&self, problem: &Problem, options: &Options, control: &Control) -> Outcome {
        let Problem::Qbf(qbf) = problem else { unreachable!("only asked about QBFs") };
        through_pipeline(qbf, &engine::Abstraction::default(), Some(SimplifyOptions::default()), options, control)
    }
}

/// Simplification, an engine, and the way back.
pub(super) fn through_pipeline(
    qbf: &Qbf,
    engine: &dyn QbfEngine,
    simplify: Option<SimplifyOptions>,
    options: &Options,
    control: &Control,
) -> Outcome {
    let wanted = QbfOptions { simplify, outer_model: options.outer_model, functions: options.certificate };
    let mut statistics = Statistics::default();
    let mut outcome = match solve(qbf, &[engine], &wanted, control, &mut statistics) {
        Ok(solution) => {
            let mut outcome = Outcome::new(Verdict::from(solution.answer.verdict));
            outcome.stop = solution.missing();
            outcome.outer_model = options.outer_model.then_some(solution.answer.outer_model);
            outcome.certificate = solution.answer.functions.ok().map(|functions| aiger(&functions));
            outcome
        }
        Err(reason) => Outcome::stopped(reason),
    };
    outcome.statistics = statistics;
    outcome
}

fn aiger(functions: &Aig) -> String {
    let mut text = Vec::new();
    write_aiger(functions, AigerForm::Ascii, &mut text).expect("writing to memory");
    String::from_utf8_lossy(&text).into_owned()
}
