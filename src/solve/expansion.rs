//! `--engine expansion`: counterexample-guided expansion of formulas with at most three blocks.

use super::abstraction::through_pipeline;
use super::{Control, Engine, Options, Outcome, StopReason};
use crate::engine::qbf::expansion;
use crate::problem::Problem;

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
        through_pipeline(qbf, &expansion::Expansion::default(), None, options, control)
    }
}
