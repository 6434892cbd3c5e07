//! The universal player: a SAT solver that looks for a move against which every answer seen so far fails.
//!
//! It knows the outer block (given as assumptions), the universals and everything they define. An answer is a choice of the
//! *free* innermost variables; for each one, the innermost definitions are copied with the choice filled in, and some
//! clause must be false. `false_base[c]` implies that the part of clause `c` over outer and universal variables is false;
//! it is shared by all answers.

use super::super::definitions::{Class, Definitions};
use super::instance::{Instance, Renaming};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{ClauseArena, Lit, Var};
use gamesat_sat::{Backend, SatBackend};

pub(super) struct Universal {
    solver: Box<dyn SatBackend>,
    renaming: Renaming,
    false_base: Vec<Option<Lit>>,
    /// Clauses that say something about innermost variables beyond defining them, or about universals.
    asserted: Vec<u32>,
    literals: u64,
}

impl Universal {
    pub(super) fn new(backend: Backend, matrix: &ClauseArena, definitions: &Definitions) -> Self {
        let vars = definitions.class.len();
        let mut solver = backend.create();
        let mut renaming = Renaming::new(vars);
        for index in (0..vars).filter(|&var| definitions.class[var] != Class::Inner) {
            renaming.fix(Var::from_index(index), solver.new_var().positive());
        }
        let mut asserted = Vec::new();
        for (index, clause) in matrix.iter().enumerate() {
            if definitions.is_defining[index] {
                let images: Vec<Lit> = clause.iter().map_while(|&lit| renaming.get(lit)).collect();
                if images.len() == clause.len() {
                    solver.add_clause(&images);
                }
            } else if clause.iter().any(|lit| definitions.class[lit.var().index()] != Class::Outer) {
                // The outer player satisfies clauses about outer variables alone.
                asserted.push(index as u32);
            }
        }
        Universal { solver, renaming, false_base: vec![None; matrix.len()], asserted, literals: 0 }
    }

    /// Conflicts of its solver so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.solver.effort().conflicts
    }

    /// Literals of all copies so far.
    pub(super) fn literals(&self) -> u64 {
        self.literals
    }

    /// A move against this outer move that refutes every answer seen so far.
    pub(super) fn find(&mut self, outer: &[Lit], control: &Control) -> Result<bool, StopReason> {
        self.find_with(outer, &[], control)
    }

    /// A new literal for [`refute`](Self::refute).
    pub(super) fn new_switch(&mut self) -> Lit {
        self.solver.new_var().positive()
    }

    /// The same with these switches on.
    pub(super) fn find_with(&mut self, outer: &[Lit], switches: &[Lit], control: &Control) -> Result<bool, StopReason> {
        let outer = outer.iter().filter_map(|&lit| self.renaming.get(lit));
        let assumptions: Vec<Lit> = outer.chain(switches.iter().copied()).collect();
        self.solver.solve(&assumptions, control)
    }

    /// The assumptions, switches among them, because of which there was no move.
    pub(super) fn failed(&self) -> &[Lit] {
        self.solver.failed()
    }

    /// The value of a universal variable in the move found.
    pub(super) fn value(&self, var: Var) -> Lit {
        let chosen = self.renaming.get(var.positive()).is_some_and(|image| self.solver.value(image));
        var.lit(chosen)
    }

    /// Demands that an answer, given by its free innermost variables, fails; with a switch only while that is on.
    pub(super) fn refute(
        &mut self,
        answer: &[Lit],
        switch: Option<Lit>,
        matrix: &ClauseArena,
        instance: &mut Instance<'_>,
        definitions: &Definitions,
    ) {
        let class = |lit: Lit| definitions.class[lit.var().index()];
        for &lit in answer {
            instance.assign(lit);
        }
        instance.propagate(
            |clause| definitions.is_defining[clause as usize],
            |unit| class(unit) == Class::Inner && definitions.is_defined(unit.var()),
        );
        let mut failures = Vec::new();
        let mut residual = Vec::new();
        // Innermost variables whose definitions have to be copied.
        let mut needed: Vec<Var> = Vec::new();
        for at in 0..self.asserted.len() {
            let clause = self.asserted[at];
            if instance.residual(clause, &mut residual).is_none() {
                continue;
            }
            let base = self.base(clause, matrix, definitions);
            if residual.iter().all(|&lit| class(lit) != Class::Inner) {
                failures.push(base);
                continue;
            }
            let failure = self.solver.new_var().positive();
            self.clause(&[!failure, base]);
            for &lit in residual.iter().filter(|&&lit| class(lit) == Class::Inner) {
                let image = self.image(lit, &mut needed);
                self.clause(&[!failure, !image]);
            }
            failures.push(failure);
        }
        let mut images = Vec::new();
        while let Some(var) = needed.pop() {
            for &clause in &definitions.defining[var.index()] {
                if instance.residual(clause, &mut residual).is_some() {
                    images.clear();
                    for &lit in &residual {
                        images.push(self.image(lit, &mut needed));
                    }
                    self.literals += images.len() as u64;
                    self.solver.add_clause(&images);
                }
            }
        }
        failures.extend(switch.map(|lit| !lit));
        self.clause(&failures);
        self.renaming.end_copy();
        instance.reset();
    }

    fn clause(&mut self, clause: &[Lit]) {
        self.literals += clause.len() as u64;
        self.solver.add_clause(clause);
    }

    /// What stands for a literal in this copy; a variable met for the first time is noted as needed.
    fn image(&mut self, lit: Lit, needed: &mut Vec<Var>) -> Lit {
        let solver = &mut self.solver;
        self.renaming.get_or(lit, || {
            needed.push(lit.var());
            solver.new_var().positive()
        })
    }

    /// The literal that implies that the clause's outer and universal part is false.
    fn base(&mut self, clause: u32, matrix: &ClauseArena, definitions: &Definitions) -> Lit {
        if let Some(known) = self.false_base[clause as usize] {
            return known;
        }
        let base = self.solver.new_var().positive();
        for &lit in &matrix[clause as usize] {
            if definitions.class[lit.var().index()] != Class::Inner
                && let Some(image) = self.renaming.get(lit)
            {
                self.clause(&[!base, !image]);
            }
        }
        self.false_base[clause as usize] = Some(base);
        base
    }
}
