//! The formula as it was before its definitions dissolved.
//!
//! Variable elimination makes formulas smaller, but engines that look for [circuits](super::super::circuit) want to see them.
//! So the formula is kept as it was when elimination first was due; whoever wants it has it simplified further without. It has
//! the same truth value as the original. The way back is that of the simplification so far, and what is simplified further.

use super::schedule::{self, Books, LastRun};
use super::store::{Halt, Simplifier};
use super::{Reconstruction, constant, extract};
use crate::control::{Control, StopReason};
use crate::formula::{Qbf, Var};
use crate::options::SimplifyOptions;
use std::sync::{Mutex, PoisonError};

/// A formula with its definitions.
pub(in crate::engine::qbf) struct Circuits<'a> {
    kept: Simplifier<'a>,
    names: Vec<Var>,
    last_runs: Vec<LastRun>,
    options: SimplifyOptions,
    way_back: Mutex<Option<Reconstruction>>,
}

impl<'a> Circuits<'a> {
    /// Keeps the state of a simplification, with the names of its variables.
    pub(super) fn new(simplifier: &Simplifier<'a>, last_runs: &[LastRun], names: &[Var]) -> Self {
        // SAT calls about a formula with all its definitions take longer than what they bring is worth.
        let options = simplifier.options.clone();
        let options = SimplifyOptions { elimination: false, expansion: false, sat_checks: false, ..options };
        let (names, last_runs) = (names.to_vec(), last_runs.to_vec());
        Circuits { kept: simplifier.clone(), names, last_runs, options, way_back: Mutex::new(None) }
    }

    /// Whether Herbrand functions come back from where it was kept.
    pub(in crate::engine::qbf) fn keeps_herbrand(&self) -> bool {
        self.kept.reconstruction.keeps_herbrand()
    }

    /// The way back from the formula, once that was asked for.
    pub(in crate::engine::qbf) fn way_back(&self) -> Option<Reconstruction> {
        self.way_back.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Blocks in which variables occur.
    pub(in crate::engine::qbf) fn blocks(&self) -> usize {
        self.kept.clone().renumber_levels()
    }

    /// Its size.
    pub(in crate::engine::qbf) fn literals(&self) -> usize {
        self.kept.num_lits()
    }

    /// Simplifies it further, without what dissolves definitions.
    ///
    /// # Errors
    /// The reason to stop.
    pub(in crate::engine::qbf) fn formula(&self, control: &Control) -> Result<Qbf, StopReason> {
        let mut simplifier = self.kept.under(&self.options, control);
        let halt = schedule::shrink(&mut simplifier, &mut self.last_runs.clone(), &mut Books::default());
        let formula = match halt {
            Ok(()) | Err(Halt::Budget) => extract(&mut simplifier, &self.names).0,
            Err(Halt::Decided(value)) => constant(value),
            Err(Halt::Stop(reason)) => return Err(reason),
        };
        let mut way_back = std::mem::take(&mut simplifier.reconstruction);
        way_back.rename(|var| self.names[var.index()]);
        *self.way_back.lock().unwrap_or_else(PoisonError::into_inner) = Some(way_back);
        Ok(formula)
    }
}
