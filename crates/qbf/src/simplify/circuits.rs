//! The formula as it was before its definitions dissolved.
//!
//! Variable elimination makes formulas smaller, but engines that look for [circuits](super::super::circuit) want to see them.
//! So the formula is kept as it was when elimination first was due; whoever wants it has it simplified further without. It has
//! the same truth value as the original, and comes with its own way back.

use super::schedule::{self, Books, LastRun};
use super::store::{Halt, Simplifier};
use super::{Reconstruction, constant, extract};
use crate::options::SimplifyOptions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Qbf, Var};

/// A formula with its definitions.
pub(crate) struct Circuits<'a> {
    kept: Simplifier<'a>,
    names: Vec<Var>,
    last_runs: Vec<LastRun>,
    options: SimplifyOptions,
}

impl<'a> Circuits<'a> {
    /// Keeps the state of a simplification, with the names of its variables.
    pub(super) fn new(simplifier: &Simplifier<'a>, last_runs: &[LastRun], names: &[Var]) -> Self {
        // SAT calls about a formula with all its definitions take longer than what they bring is worth.
        let options = simplifier.options.clone();
        let options = SimplifyOptions { elimination: false, expansion: false, sat_checks: false, ..options };
        Circuits { kept: simplifier.clone(), names: names.to_vec(), last_runs: last_runs.to_vec(), options }
    }

    /// Blocks in which variables occur.
    pub(crate) fn blocks(&self) -> usize {
        self.kept.clone().renumber_levels()
    }

    /// Variables that occur.
    pub(crate) fn variables(&self) -> usize {
        self.kept.all_vars().filter(|&var| self.kept.occurs(var)).count()
    }

    /// Its size.
    pub(crate) fn literals(&self) -> usize {
        self.kept.num_lits()
    }

    /// Simplifies it further, without what dissolves definitions.
    ///
    /// # Errors
    /// The reason to stop.
    pub(crate) fn formula(&self, control: &Control) -> Result<(Qbf, Reconstruction), StopReason> {
        let mut simplifier = self.kept.under(&self.options, control);
        let halt = schedule::shrink(&mut simplifier, &mut self.last_runs.clone(), &mut Books::default());
        let formula = match halt {
            Ok(()) | Err(Halt::Budget) => extract(&mut simplifier, &self.names).0,
            Err(Halt::Decided(value)) => constant(value),
            Err(Halt::Stop(reason)) => return Err(reason),
        };
        let mut reconstruction = std::mem::take(&mut simplifier.reconstruction);
        reconstruction.rename(|var| self.names[var.index()]);
        Ok((formula, reconstruction))
    }
}
