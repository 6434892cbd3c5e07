//! SAT backends behind one trait.
//!
//! The engines above make tens of thousands of tiny incremental calls under assumptions, so the trait is small and
//! borrows: clauses go in as slices, the model is read where it lies, failed assumptions come out as a slice.
//! [`Backend`] names the implementations; one conformance suite (`tests/formulas/sat_conformance.rs`) holds all of them.

pub mod activity;
#[cfg(feature = "cadical")]
mod cadical;
pub mod cdcl;

use cdcl::{Proof, Step};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Var};

/// What a backend can do beyond solving under assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// [`SatBackend::solve_limited`] keeps its conflict limit.
    pub conflict_limit: bool,
    /// A call in progress ends soon after its control says so. If not, the call runs on in a thread of its own that is
    /// abandoned, and the backend refuses further work.
    pub interrupt: bool,
    /// [`SatBackend::set_phase`] has an effect.
    pub phases: bool,
    /// [`SatBackend::decide_first`] has an effect.
    pub preferences: bool,
}

/// What a backend has done so far, as far as it counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Conflicts.
    pub conflicts: u64,
    /// Restarts.
    pub restarts: u64,
}

impl Effort {
    /// Both together.
    pub fn plus(self, other: Effort) -> Effort {
        Effort { conflicts: self.conflicts + other.conflicts, restarts: self.restarts + other.restarts }
    }
}

/// An incremental SAT solver.
pub trait SatBackend {
    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// A fresh variable: 0, 1, 2 and so on.
    fn new_var(&mut self) -> Var;

    /// Adds a clause over variables made by [`new_var`](Self::new_var). Repeated literals and tautologies are allowed.
    /// Ends the validity of the model and of the failed assumptions.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Are the clauses satisfiable together with the assumptions? `None` if the conflict limit was reached first; a
    /// backend without conflict limits ignores it.
    ///
    /// # Errors
    /// The reason to stop before the answer was known.
    fn solve_limited(
        &mut self,
        assumptions: &[Lit],
        conflicts: Option<u64>,
        control: &Control,
    ) -> Result<Option<bool>, StopReason>;

    /// Are the clauses satisfiable together with the assumptions?
    ///
    /// # Errors
    /// The reason to stop before the answer was known.
    fn solve(&mut self, assumptions: &[Lit], control: &Control) -> Result<bool, StopReason> {
        loop {
            if let Some(answer) = self.solve_limited(assumptions, None, control)? {
                return Ok(answer);
            }
        }
    }

    /// Whether the literal is true in the model; to be asked only after a satisfiable call. Of a variable that the model
    /// leaves open both literals may be called false.
    fn value(&self, lit: Lit) -> bool;

    /// After an unsatisfiable call: some of its assumptions that cannot hold together.
    fn failed(&self) -> &[Lit];

    /// After an unsatisfiable call: the step of the clause that not all of the failed assumptions are true, if a proof is written down.
    fn failed_clause(&self) -> Option<Step> {
        None
    }

    /// The proof so far, if one is written down, and how many clauses were added; nothing is written down from then on.
    fn take_proof(&mut self) -> Option<(Proof, usize)> {
        None
    }

    /// What it has done so far.
    fn effort(&self) -> Effort {
        Effort::default()
    }

    /// Prefer this value when deciding the variable, until search finds a better one.
    fn set_phase(&mut self, _lit: Lit) {}

    /// From now on decide this literal, if it is open, before any that is not so marked. The models that are found then
    /// make a set of marked literals false that no other model (under the same assumptions) makes smaller.
    fn decide_first(&mut self, _lit: Lit) {}
}

/// The implementations that this build contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// [`cdcl::Cdcl`]: ours, made for refinement loops.
    #[default]
    Cdcl,
    /// CaDiCaL, in C++.
    #[cfg(feature = "cadical")]
    Cadical,
}

impl Backend {
    /// Every implementation in this build that can be asked again and again, the default first.
    pub const ALL: &'static [Backend] = &[
        Backend::Cdcl,
        #[cfg(feature = "cadical")]
        Backend::Cadical,
    ];

    /// The name by which users select it.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Cdcl => "cdcl",
            #[cfg(feature = "cadical")]
            Backend::Cadical => "cadical",
        }
    }

    /// The implementation with this name, if this build contains it.
    pub fn from_name(name: &str) -> Option<Backend> {
        Backend::ALL.iter().copied().find(|backend| backend.name() == name)
    }

    /// A solver without clauses that writes down a proof if it can, as long as that is not too long.
    pub fn create_with_proof(self) -> Box<dyn SatBackend> {
        match self {
            Backend::Cdcl => Box::new(cdcl::Cdcl::with_short_proof()),
            #[cfg(feature = "cadical")]
            other => other.create(),
        }
    }

    /// A solver without clauses.
    pub fn create(self) -> Box<dyn SatBackend> {
        match self {
            Backend::Cdcl => Box::new(cdcl::Cdcl::new()),
            #[cfg(feature = "cadical")]
            Backend::Cadical => Box::new(cadical::Cadical::new()),
        }
    }
}
