//! The value to decide a variable with: what the clauses that are still open say, if they all say the same.
//!
//! If one literal of a variable occurs in no clause that is still to be satisfied, it is useless to the existential player and
//! does no harm to the universal one. Both know then what to do (pure literals; Cadoli, Giovanardi and Schaerf 1998); it is a
//! decision all the same, so nothing rests on it. Otherwise the variable gets the value that it had last.

use super::{Search, TRUE};
use crate::formula::{Lit, Quantifier, Var};

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
        let list = &self.clauses_of[lit.code()];
        let satisfied = list.iter().take_while(|clause| is_satisfied(clause)).count();
        self.work += 4 * satisfied as u64 + 1;
        satisfied < list.len()
    }
}
