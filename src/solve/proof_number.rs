//! The set colouring engine under the control of proof numbers, see [`gamesat_games::colouring`].

use super::engine::{Engine, Fit, Offer, Run};
use super::{Options, Question, alpha_beta};

pub(super) struct ProofNumber;

impl Engine for ProofNumber {
    fn name(&self) -> &'static str {
        "proof-number"
    }

    fn about(&self) -> &'static str {
        "games: depth-first proof-number search with the reductions and traces of alpha-beta"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        alpha_beta::offer(question, Fit::Fair)
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        alpha_beta::begin(options, true)
    }
}
