//! Unit propagation and pure literals, to a common fixpoint.
//!
//! *Unit*: an existential literal that is alone in a clause after universal reduction is true; universal reduction itself
//! (Kleine Büning, Karpinski, Flögel 1995) happens in the [store](super::store) whenever a clause appears or shrinks.
//! *Pure*: if the negation of an existential literal occurs nowhere, the literal is made true; if the negation of a
//! universal literal occurs nowhere, the universal player makes it false, so it is dropped from its clauses. A variable
//! that occurs nowhere leaves the prefix.
//!
//! Every other technique calls [`Simplifier::propagate`] after its changes, so that there is one place where assignments
//! reach the clauses.

use super::store::{Halt, Simplifier};
use gamesat_core::formula::Var;

impl Simplifier<'_> {
    /// Carries pending assignments into the clauses, and pure literals after them, until nothing is left to do.
    ///
    /// # Errors
    /// The formula is decided or the run is to stop; never the budget, so that a technique that calls this at its end
    /// leaves nothing half done.
    pub(super) fn propagate(&mut self) -> Result<(), Halt> {
        loop {
            if let Some(lit) = self.pending.pop() {
                for id in self.take_occurrences(lit) {
                    self.effort += self.clause(id).len() as u64;
                    self.remove_clause(id);
                }
                let shortened = self.take_occurrences(!lit);
                for (index, &id) in shortened.iter().enumerate() {
                    self.effort += self.clause(id).len() as u64;
                    if let Err(halt) = self.strengthen_taken(id, !lit) {
                        // The clauses that still contain the literal stay listed.
                        for &later in &shortened[index + 1..] {
                            self.relist(later, !lit);
                        }
                        return Err(halt);
                    }
                }
            } else if let Some(var) = self.thinned.pop() {
                self.check_pure(var)?;
            } else {
                return Ok(());
            }
            self.poll()?;
        }
    }

    fn check_pure(&mut self, var: Var) -> Result<(), Halt> {
        if !self.options.pure_literals || !self.is_active(var) {
            return Ok(());
        }
        let (positive, negative) = (self.count(var.positive()), self.count(var.negative()));
        if positive == 0 && negative == 0 {
            self.set_gone(var);
        } else if positive == 0 || negative == 0 {
            let occurring = var.lit(positive > 0);
            self.assign(if self.exists(var) { occurring } else { !occurring })?;
        }
        Ok(())
    }

    /// Looks at every variable for purity, not only at those that lost an occurrence: for the start.
    pub(super) fn check_all_pure(&mut self) -> Result<(), Halt> {
        for var in self.all_vars() {
            self.check_pure(var)?;
        }
        self.propagate()
    }
}
