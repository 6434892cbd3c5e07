//! What is asked: a problem, and what is wanted beside its verdict.

use gamesat_core::problem::Problem;
use gamesat_qbf::options::Certificate;

/// What is wanted beside the verdict. [`Wanted::default`] is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wanted {
    /// Games: every winning move, not just one.
    pub all_moves: bool,
    /// Games: elements that suffice for the winner.
    pub trace: Trace,
    /// QBF: values of the outermost block.
    pub outer_model: bool,
    /// QBF: every winning choice of the outermost block.
    pub all_models: bool,
    /// A proof of the verdict.
    pub proof: bool,
    /// QBF: what kind of proof.
    pub certificate: Certificate,
    /// That a proof which is a strategy be a tree for people, if the engine can write one; else it may be any strategy.
    pub tree: bool,
}

/// Whether elements that suffice for the winner are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trace {
    /// They are not.
    #[default]
    No,
    /// Any that the search comes upon.
    Any,
    /// As few as giving elements away one by one can leave.
    Small,
}

impl Wanted {
    /// Nothing but the verdict.
    pub fn verdict() -> Self {
        Self::default()
    }

    /// And every winning move.
    pub fn and_all_moves(mut self) -> Self {
        self.all_moves = true;
        self
    }

    /// And elements that suffice for the winner.
    pub fn and_trace(mut self, trace: Trace) -> Self {
        self.trace = trace;
        self
    }

    /// And values of the outermost block.
    pub fn and_outer_model(mut self) -> Self {
        self.outer_model = true;
        self
    }

    /// And every model of an outermost existential block.
    pub fn and_all_models(mut self) -> Self {
        self.all_models = true;
        self
    }

    /// And a proof.
    pub fn and_proof(mut self) -> Self {
        self.proof = true;
        self
    }

    /// And a proof; of a quantified formula, of this kind.
    pub fn and_certificate(mut self, certificate: Certificate) -> Self {
        (self.proof, self.certificate) = (true, certificate);
        self
    }

    /// And a proof, as a tree for people if the engine can write one.
    pub fn and_tree(mut self) -> Self {
        (self.proof, self.tree) = (true, true);
        self
    }

    /// Each thing that is wanted beside the verdict: what it is called, and the same wishes without it.
    pub(super) fn wishes(&self) -> Vec<(&'static str, Wanted)> {
        let mut wishes = Vec::new();
        let mut list = |is: bool, what, without: fn(&mut Wanted)| {
            if is {
                let mut rest = self.clone();
                without(&mut rest);
                wishes.push((what, rest));
            }
        };
        list(self.all_moves, "lists of all winning moves", |rest| rest.all_moves = false);
        list(self.trace != Trace::No, "traces", |rest| rest.trace = Trace::No);
        list(self.outer_model, "values of the outermost block", |rest| rest.outer_model = false);
        list(self.all_models, "lists of all models", |rest| rest.all_models = false);
        list(self.proof, "proofs", |rest| rest.proof = false);
        wishes
    }
}

/// A problem and what is wanted of it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// What is wanted beside the verdict.
    pub wanted: &'a Wanted,
}
