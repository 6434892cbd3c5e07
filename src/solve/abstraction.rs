//! `--engine abstraction`: simplification, then clausal abstraction.

use super::{Control, Engine, Options, Outcome, Verdict};
use crate::engine::qbf::pipeline::{QbfOptions, solve};
use crate::engine::qbf::simplify::SimplifyOptions;
use crate::format::{AigerForm, write_aiger};
use crate::formula::Aig;
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
        let mut wanted = QbfOptions {
            simplify: Some(SimplifyOptions::default()),
            outer_model: options.outer_model,
            ..QbfOptions::default()
        };
        wanted.abstraction.certificate = options.certificate;
        let mut statistics = Statistics::default();
        let mut outcome = match solve(qbf, &wanted, control, &mut statistics) {
            Ok(answer) => {
                let mut outcome = Outcome::new(Verdict::from(answer.verdict));
                outcome.stop = answer.missing;
                outcome.outer_model = options.outer_model.then_some(answer.outer_model);
                outcome.certificate = answer.certificate.map(|certificate| aiger(&certificate));
                outcome
            }
            Err(reason) => Outcome::stopped(reason),
        };
        outcome.statistics = statistics;
        outcome
    }
}

fn aiger(functions: &Aig) -> String {
    let mut text = Vec::new();
    write_aiger(functions, AigerForm::Ascii, &mut text).expect("writing to memory");
    String::from_utf8_lossy(&text).into_owned()
}
