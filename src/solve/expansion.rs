//! `--engine expansion`: counterexample-guided expansion of formulas with at most three blocks.

use super::{Control, Engine, Options, Outcome, StopReason};
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

    fn handles(&self, problem: &Problem) -> bool {
        matches!(problem, Problem::Qbf(_))
    }

    fn solve(&self, problem: &Problem, options: &Options, control: &Control) -> Outcome {
        let Problem::Qbf(qbf) = problem else {
            return Outcome::stopped(StopReason::Unsupported("expansion is for QBFs".into()));
        };
        if !expansion::handles(qbf.prefix()) {
            return Outcome::stopped(StopReason::Unsupported("expansion is for QBFs of at most three blocks".into()));
        }
        let (dense, old) = qbf.compact();
        let mut statistics = Statistics::default();
        let mut outcome = match expansion::solve(&dense, Backend::default(), control, &mut statistics) {
            Ok(answer) => {
                let mut outcome = Outcome::new(answer.value.into());
                let model = answer.outer_model.iter().map(|lit| old[lit.var().index()].lit(lit.is_positive()));
                outcome.outer_model = options.outer_model.then(|| model.collect());
                outcome
            }
            Err(reason) => Outcome::stopped(reason),
        };
        outcome.statistics = statistics;
        outcome
    }
}
