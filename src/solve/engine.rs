//! What an engine is to the rest of the house, and the list of them.
//!
//! An engine says how well it answers a question, whether directly or once the problem is [lowered](gamesat_encode::lower),
//! and answers it. A new engine is one file that implements [`Engine`] and one line in [`ENGINES`].

use super::{Answer, Control, Options, Question, Wanted};
use gamesat_core::formula::Lit;
use gamesat_core::problem::Problem;
use gamesat_encode::Target;

/// How well an engine answers a question: later is better, and the best is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// By the definition alone.
    Naive,
    /// Another engine is the better choice as a rule.
    Fair,
    /// What it was made for.
    Good,
    /// What it was made for, with more of the problem's structure than others see.
    Best,
    /// In polynomial time.
    Theorem,
}

/// How an engine would answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// How well.
    pub fit: Fit,
    /// What the problem must be lowered to first, if it must be.
    pub through: Option<Target>,
}

impl Offer {
    /// An answer from the problem as it is.
    pub fn direct(fit: Fit) -> Option<Self> {
        Some(Offer { fit, through: None })
    }

    /// An answer once the problem is lowered.
    pub fn through(target: Target, fit: Fit) -> Option<Self> {
        Some(Offer { fit, through: Some(target) })
    }
}

/// A way to answer some questions.
pub trait Engine: Sync {
    /// The name by which it can be asked for.
    fn name(&self) -> &'static str;

    /// One line about it, for help texts.
    fn about(&self) -> &'static str;

    /// Whether and how it answers this question. Nothing is solved here.
    fn offer(&self, question: &Question<'_>) -> Option<Offer>;

    /// Why it does not take a problem of a kind that it takes otherwise, in words that follow its name.
    fn refusal(&self, _problem: &Problem) -> Option<String> {
        None
    }

    /// Begins to work. The problem comes with each question, as the offer wants it.
    fn begin(&self, options: &Options) -> Box<dyn Run>;
}

/// An engine at work on a problem. It may keep what it learns from one question to the next.
pub trait Run: Send {
    /// Answers a question about the problem. If moves were played since the first question, a lowered problem is still the
    /// one of that question, and the position is what the run has followed.
    fn answer(&mut self, problem: &Problem, wanted: &Wanted, control: &Control) -> Answer;

    /// Colours an element for the player to move. False if the run cannot follow; it is of no use then.
    fn play(&mut self, _lit: Lit) -> bool {
        false
    }

    /// Takes the last move back. False if the run cannot follow; it is of no use then.
    fn undo(&mut self) -> bool {
        false
    }
}

/// A run that keeps nothing: every question is answered from scratch.
pub(super) struct Afresh {
    pub(super) options: Options,
    pub(super) answer: fn(&Problem, &Wanted, &Options, &Control) -> Answer,
}

impl Run for Afresh {
    fn answer(&mut self, problem: &Problem, wanted: &Wanted, control: &Control) -> Answer {
        (self.answer)(problem, wanted, &self.options, control)
    }
}

/// Every engine; the order means nothing.
static ENGINES: &[&dyn Engine] = &[
    &super::abstraction::Abstraction,
    &super::alpha_beta::AlphaBeta,
    &super::enumeration::Enumeration,
    &super::colours::Colours,
    &super::expansion::Expansion,
    &super::graph::Graph,
    &super::lehman::Lehman,
    &super::naive::Naive,
    &super::portfolio::Portfolio,
    &super::proof_number::ProofNumber,
    &super::qcdcl::Qcdcl,
    &super::reordered::Order,
    &super::sequential::Ordered,
    &super::theorem::Theorem,
    &super::sudoku::Filling,
];

/// Every engine.
pub fn engines() -> &'static [&'static dyn Engine] {
    ENGINES
}
