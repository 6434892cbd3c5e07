//! Resolution, followed step by step: clauses that are given, and chains of clauses each of which clashes in exactly one variable with what the
//! ones before it have left.

use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::Lit;

/// Clauses, numbered from 0; none is a tautology.
#[derive(Default)]
pub(super) struct Resolution {
    /// The literals of all clauses, one after the other, and where each ends.
    lits: Vec<Lit>,
    ends: Vec<usize>,
    /// By literal: whether it is in the clause that is being resolved; and its literals, among them some that are not in it any more.
    is_in: Vec<bool>,
    met: Vec<Lit>,
}

/// Why a chain of clauses is none.
pub(super) enum Broken {
    /// It has no clause.
    Nothing,
    /// This clause is not there yet.
    NotThere(u32),
    /// This clause clashes in so many variables with what the others have left.
    Clash(u32, usize),
}

impl Resolution {
    /// Number of clauses.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The literals of a clause.
    pub(super) fn clause(&self, number: usize) -> &[Lit] {
        &self.lits[number.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[number]]
    }

    /// Adds a clause. If it is a tautology the literal that is in it with its negation is returned.
    pub(super) fn add(&mut self, mut clause: Vec<Lit>) -> Result<(), Lit> {
        clause.sort_unstable();
        clause.dedup();
        if let Some(pair) = clause.windows(2).find(|pair| pair[0].var() == pair[1].var()) {
            return Err(pair[0]);
        }
        if let Some(last) = clause.last() {
            self.is_in.resize(self.is_in.len().max(last.code() | 1).saturating_add(1), false);
        }
        self.lits.append(&mut clause);
        self.ends.push(self.lits.len());
        Ok(())
    }

    /// Adds what is left of the first clause of a chain after resolution with the others. Of clauses that are no tautologies and clash in one
    /// variable the resolvent is none either.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn resolve(
        &mut self,
        chain: impl Iterator<Item = u32>,
        poller: &mut Poller<'_>,
    ) -> Result<Result<(), Broken>, StopReason> {
        let mut is_first = true;
        for with in chain {
            poller.poll(self.ends.len() as u64)?;
            if with as usize >= self.ends.len() {
                return Ok(Err(Broken::NotThere(with)));
            }
            let start = (with as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
            let clause = &self.lits[start..self.ends[with as usize]];
            poller.spend(clause.len())?;
            let clashes = clause.iter().filter(|lit| self.is_in[(!**lit).code()]).count();
            if !is_first && clashes != 1 {
                return Ok(Err(Broken::Clash(with, clashes)));
            }
            for &lit in clause {
                if !is_first && std::mem::replace(&mut self.is_in[(!lit).code()], false) {
                    continue;
                }
                if !std::mem::replace(&mut self.is_in[lit.code()], true) {
                    self.met.push(lit);
                }
            }
            is_first = false;
        }
        if is_first {
            return Ok(Err(Broken::Nothing));
        }
        for lit in self.met.drain(..) {
            if std::mem::replace(&mut self.is_in[lit.code()], false) {
                self.lits.push(lit);
            }
        }
        self.ends.push(self.lits.len());
        Ok(Ok(()))
    }
}
