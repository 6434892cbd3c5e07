//! `--engine proof-number`: the set colouring engine under the control of proof numbers, see [`crate::engine::colouring`].

use super::{Control, Engine, Options, Outcome, alpha_beta};
use crate::problem::Problem;

pub(super) struct ProofNumber;

impl Engine for ProofNumber {
    fn name(&self) -> &'static str {
        "proof-number"
    }

    fn about(&self) -> &'static str {
        "games: depth-first proof-number search with the reductions and traces of alpha-beta"
    }

    fn handles(&self, problem: &Problem) -> bool {
        matches!(problem, Problem::Game(_))
    }

    fn solve(&self, problem: &Problem, options: &Options, control: &Control) -> Outcome {
        let mut options = options.clone();
        options.game.proof_number = true;
        alpha_beta::AlphaBeta.solve(problem, &options, control)
    }
}
