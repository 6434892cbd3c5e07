//! The matrix under a partial assignment: propagate, read what is left, undo.
//!
//! Both players' solvers receive copies of parts of the matrix with some variables fixed. Propagating first makes the copies
//! small: a gate whose input is fixed is often fixed itself.

use gamesat_core::formula::{ClauseArena, Lit};

/// Clauses with their occurrence lists and a trail of assigned literals.
pub(super) struct Instance<'a> {
    matrix: &'a ClauseArena,
    occurrences: Vec<Vec<u32>>,
    /// Value of each literal: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    trail: Vec<Lit>,
}

impl<'a> Instance<'a> {
    pub(super) fn new(matrix: &'a ClauseArena, vars: usize) -> Self {
        let mut occurrences = vec![Vec::new(); 2 * vars];
        for (index, clause) in matrix.iter().enumerate() {
            for lit in clause {
                occurrences[lit.code()].push(index as u32);
            }
        }
        Instance { matrix, occurrences, values: vec![0; 2 * vars], trail: Vec::new() }
    }

    /// Makes a literal true.
    pub(super) fn assign(&mut self, lit: Lit) {
        debug_assert_eq!(self.values[lit.code()], 0);
        self.values[lit.code()] = 1;
        self.values[(!lit).code()] = -1;
        self.trail.push(lit);
    }

    /// Propagates units in the clauses that `uses` admits, to variables that `may_fix` admits.
    pub(super) fn propagate(&mut self, uses: impl Fn(u32) -> bool, may_fix: impl Fn(Lit) -> bool) {
        let mut head = 0;
        while head < self.trail.len() {
            let falsified = !self.trail[head];
            head += 1;
            for at in 0..self.occurrences[falsified.code()].len() {
                let index = self.occurrences[falsified.code()][at];
                if uses(index)
                    && let Some(unit) = self.unit(index)
                    && may_fix(unit)
                {
                    self.assign(unit);
                }
            }
        }
    }

    /// The only open literal of a clause without a true one.
    fn unit(&self, index: u32) -> Option<Lit> {
        let mut unit = None;
        for &lit in &self.matrix[index as usize] {
            match self.values[lit.code()] {
                1 => return None,
                0 if unit.is_some() => return None,
                0 => unit = Some(lit),
                _ => {}
            }
        }
        unit
    }

    /// The open literals of a clause, or `None` if it has a true one.
    pub(super) fn residual(&self, index: u32, into: &mut Vec<Lit>) -> Option<()> {
        into.clear();
        for &lit in &self.matrix[index as usize] {
            match self.values[lit.code()] {
                1 => return None,
                0 => into.push(lit),
                _ => {}
            }
        }
        Some(())
    }

    /// Opens everything again.
    pub(super) fn reset(&mut self) {
        for lit in self.trail.drain(..) {
            self.values[lit.code()] = 0;
            self.values[(!lit).code()] = 0;
        }
    }
}

/// Variables of a solver that stand for variables of the matrix, some for good and some for one copy.
pub(super) struct Renaming {
    lits: Vec<Option<Lit>>,
    copied: Vec<usize>,
}

impl Renaming {
    pub(super) fn new(vars: usize) -> Self {
        Renaming { lits: vec![None; vars], copied: Vec::new() }
    }

    /// Lets `image` stand for the variable for good.
    pub(super) fn fix(&mut self, var: gamesat_core::formula::Var, image: Lit) {
        self.lits[var.index()] = Some(image);
    }

    /// What stands for the literal.
    pub(super) fn get(&self, lit: Lit) -> Option<Lit> {
        self.lits[lit.var().index()].map(|image| if lit.is_negative() { !image } else { image })
    }

    /// What stands for the literal, made now for this copy if nothing does.
    pub(super) fn get_or(&mut self, lit: Lit, fresh: impl FnOnce() -> Lit) -> Lit {
        if self.lits[lit.var().index()].is_none() {
            self.lits[lit.var().index()] = Some(fresh());
            self.copied.push(lit.var().index());
        }
        self.get(lit).unwrap_or(lit)
    }

    /// Ends the copy: what was made for it is forgotten.
    pub(super) fn end_copy(&mut self) {
        for index in self.copied.drain(..) {
            self.lits[index] = None;
        }
    }
}
