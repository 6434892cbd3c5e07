//! The outer existential player: a SAT solver over the outer block that has to survive every universal move seen so far.
//!
//! Each universal move `y` adds a copy of the matrix with `y` filled in and fresh innermost variables. Functions of the
//! outer block alone are shared by all copies.

use super::super::definitions::{Class, Definitions};
use super::instance::{Instance, Renaming};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{ClauseArena, Lit, Var};
use gamesat_sat::{Backend, SatBackend};

pub(super) struct Outer {
    solver: Box<dyn SatBackend>,
    renaming: Renaming,
    /// Clauses that are not about the outer block alone.
    copied: Vec<u32>,
    is_copied: Vec<bool>,
    literals: u64,
}

impl Outer {
    pub(super) fn new(backend: Backend, matrix: &ClauseArena, definitions: &Definitions) -> Self {
        let vars = definitions.class.len();
        let mut solver = backend.create();
        let mut renaming = Renaming::new(vars);
        for index in (0..vars).filter(|&var| definitions.class[var] == Class::Outer) {
            renaming.fix(Var::from_index(index), solver.new_var().positive());
        }
        let mut outer =
            Outer { solver, renaming, copied: Vec::new(), is_copied: vec![false; matrix.len()], literals: 0 };
        let mut images = Vec::new();
        for (index, clause) in matrix.iter().enumerate() {
            images.clear();
            images.extend(clause.iter().map_while(|&lit| outer.renaming.get(lit)));
            if images.len() == clause.len() {
                outer.solver.add_clause(&images);
            } else {
                outer.copied.push(index as u32);
                outer.is_copied[index] = true;
            }
        }
        outer
    }

    /// Conflicts of its solver so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.solver.effort().conflicts
    }

    /// Literals of all copies so far.
    pub(super) fn literals(&self) -> u64 {
        self.literals
    }

    /// A move that survives everything seen so far.
    pub(super) fn find(&mut self, control: &Control) -> Result<bool, StopReason> {
        self.solver.solve(&[], control)
    }

    /// The value of an outer variable in the move found.
    pub(super) fn value(&self, var: Var) -> Lit {
        let chosen = self.renaming.get(var.positive()).is_some_and(|image| self.solver.value(image));
        var.lit(chosen)
    }

    /// Rules out moves that contain all of these literals.
    pub(super) fn exclude(&mut self, lits: impl Iterator<Item = Lit>) {
        let clause: Vec<Lit> = lits.filter_map(|lit| self.renaming.get(!lit)).collect();
        self.solver.add_clause(&clause);
    }

    /// Demands an answer to a universal move.
    pub(super) fn survive(&mut self, universal: &[Lit], instance: &mut Instance<'_>, definitions: &Definitions) {
        for &lit in universal {
            instance.assign(lit);
        }
        let is_copied = &self.is_copied;
        instance.propagate(
            |clause| is_copied[clause as usize],
            |unit| definitions.class[unit.var().index()] != Class::Outer,
        );
        let (mut residual, mut images) = (Vec::new(), Vec::new());
        for &clause in &self.copied {
            if instance.residual(clause, &mut residual).is_none() {
                continue;
            }
            images.clear();
            for &lit in &residual {
                let solver = &mut self.solver;
                images.push(self.renaming.get_or(lit, || solver.new_var().positive()));
            }
            self.literals += images.len() as u64;
            self.solver.add_clause(&images);
        }
        self.renaming.end_copy();
        instance.reset();
    }
}
