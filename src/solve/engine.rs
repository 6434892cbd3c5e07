//! The list of engines. A new engine is one file that implements [`Engine`] and one line in [`ENGINES`].

use super::{Control, Options, Outcome, abstraction, alpha_beta, expansion, lehman, naive, proof_number};
use crate::problem::Problem;

/// A way to solve some kinds of problem.
pub trait Engine: Sync {
    /// The name by which `--engine` selects it.
    fn name(&self) -> &'static str;

    /// One line about it, for help texts.
    fn about(&self) -> &'static str;

    /// Whether it treats this kind of problem at all.
    fn handles(&self, problem: &Problem) -> bool;

    /// Solves the problem or says why it stopped.
    fn solve(&self, problem: &Problem, options: &Options, control: &Control) -> Outcome;
}

/// Every engine, best first: without `--engine` the first that handles the problem is taken.
static ENGINES: &[&dyn Engine] = &[
    &lehman::Lehman,
    &alpha_beta::AlphaBeta,
    &proof_number::ProofNumber,
    &abstraction::Abstraction,
    &naive::Naive,
    &expansion::Expansion,
];

/// Every engine, best first.
pub fn engines() -> &'static [&'static dyn Engine] {
    ENGINES
}
