//! The value to decide a variable with: what the clauses that are still open say, if they all say the same.
//!
//! If one literal of a variable occurs in no clause that is still to be satisfied, it is useless to the existential player and
//! does no harm to the universal one. Both know then what to do (pure literals; Cadoli, Giovanardi and Schaerf 1998); it is a
//! decision all the same, so nothing rests on it. Otherwise the variable gets the value that it had last.

use super::super::matrix::Matrix;
use super::{Search, TRUE};
use gamesat_core::formula::{Lit, Quantifier, Var};

/// By literal: its clauses, one list behind the other.
#[derive(Default)]
pub(super) struct Occurrences {
    /// Where the list of each literal begins, and where the last one ends.
    begin: Vec<u32>,
    clauses: Vec<u32>,
}

impl Occurrences {
    pub(super) fn new(matrix: &Matrix) -> Self {
        let mut begin = vec![0u32; 2 * matrix.level_of.len() + 1];
        let codes = || matrix.clauses.iter().flatten().map(|lit| lit.code());
        codes().for_each(|code| begin[code] += 1);
        let mut sum = 0;
        for place in &mut begin {
            sum += *place;
            *place = sum;
        }
        // From the ends of the lists to their beginnings.
        let mut clauses = vec![0; sum as usize];
        for index in (0..matrix.clauses.len()).rev() {
            for lit in &matrix.clauses[index] {
                begin[lit.code()] -= 1;
                clauses[begin[lit.code()] as usize] = index as u32;
            }
        }
        Occurrences { begin, clauses }
    }

    fn of(&self, lit: Lit) -> &[u32] {
        &self.clauses[self.begin[lit.code()] as usize..self.begin[lit.code() + 1] as usize]
    }
}

impl Search<'_> {
    /// The literal of a variable that is to be decided.
    pub(super) fn lean(&mut self, var: Var) -> Lit {
        let last = var.lit(self.phases[var.index()]);
        if !self.options.active_values {
            return last;
        }
        match (self.is_active(var.positive()), self.is_active(var.negative())) {
            (true, false) => var.lit(self.owner[var.index()] == Quantifier::Exists),
            (false, true) => var.lit(self.owner[var.index()] == Quantifier::Forall),
            _ => last,
        }
    }

    /// Whether a clause with this literal is still to be satisfied.
    fn is_active(&mut self, lit: Lit) -> bool {
        let clauses = &self.matrix.clauses;
        let is_satisfied = |clause: &u32| clauses[*clause as usize].iter().any(|lit| self.values[lit.code()] == TRUE);
        let list = self.clauses_of.of(lit);
        let satisfied = list.iter().take_while(|clause| is_satisfied(clause)).count();
        self.work += 4 * satisfied as u64 + 1;
        satisfied < list.len()
    }
}
