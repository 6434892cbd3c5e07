//! Axioms by SAT calls: a play may be lost for the existential player long before a clause fails.
//!
//! A SAT solver that treats all variables as existential is asked, before the first decision of a block, whether the matrix can be
//! satisfied under what has a value. If not, it says which of these literals cannot hold together. Some of them have to be
//! false, which is a clause: one that fails now, and to learn from (*generalised clause axioms*: Lonsing, Egly and Seidl,
//! "Q-resolution with generalized axioms", 2016). Why that is sound: every assignment that satisfies the matrix satisfies the
//! clause, so the formula with it has the same strategies as the formula without, and its literals may be reduced like
//! those of any other clause. For the same reason a universal player who makes the clause false has made the matrix false, so
//! that the [trace](super::trace) may begin with the clause and need not say how it follows.
//!
//! Existential literals are assumed first. What fails with these alone gives a clause without universal literals, which holds
//! for all plays of the other player; in the order of the trail, clauses were a third longer, and so was the time that one true
//! formula took. The solver keeps its trail as far as the assumptions are those of the call before.
//!
//! Calls have to be paid for. What one costs is what the solver has looked at, in units of the search's own work. A
//! clause ends a play, so that it is worth what ends of plays cost this search on average, times [`WORTH`]: it ends it at an
//! earlier decision. Every block has an account. One in the black may ask at each chance; all that are in the red
//! together may owe no more than a share (`axiom_share`) of the search's own work. So a formula where nothing is ever found
//! loses about that share; and a search that is over soon has not even filled the solver.

use super::{Counters, Search};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Quantifier};
use gamesat_sat::SatBackend;
use gamesat_sat::cdcl::Cdcl;

/// Average ends of plays that a clause is worth.
const WORTH: u64 = 4;
/// Average ends of plays that a block can have in its account: what paid long ago need not pay now.
const MOST: u64 = 64;
/// When a call is given up.
const CONFLICTS: u64 = 100;
const VISITS: u64 = 1 << 20;
/// What a literal and a conflict cost beside the clauses that are looked at: every literal leaves the order of decisions and comes
/// back, since a call that succeeds gives all variables values, and the next one takes most of them back.
const LITERAL: u64 = 20;
const CONFLICT: u64 = 64;

/// The SAT solver and what it has cost.
#[derive(Default)]
pub(super) struct Axioms {
    /// The matrix, once a question can be paid for.
    solver: Option<Cdcl>,
    /// Literals that are assumed.
    assumed: Vec<Lit>,
    /// The clause that was found last.
    clause: Vec<Lit>,
    /// By block: what its clauses were worth less what its calls have cost.
    accounts: Vec<i64>,
    /// What accounts in the red owe together.
    debt: u64,
    /// What all calls have cost.
    spent: u64,
    pub(super) calls: u64,
    pub(super) found: u64,
}

impl Axioms {
    pub(super) fn new(blocks: usize) -> Self {
        Axioms { accounts: vec![0; blocks], ..Axioms::default() }
    }

    /// Whether a call before this block can be paid for, if so much may be owed and filling the solver costs so much.
    fn can_pay(&self, block: usize, credit: u64, filling: u64) -> bool {
        match self.solver {
            Some(_) => self.accounts[block] > 0 || self.debt < credit,
            None => filling < credit,
        }
    }

    /// Books the cost of a call, and the worth of what it found.
    fn book(&mut self, block: usize, cost: u64, worth: u64, most: u64) {
        self.spent += cost;
        let account = &mut self.accounts[block];
        let owed = |account: i64| account.min(0).unsigned_abs();
        self.debt -= owed(*account);
        *account = account.saturating_sub_unsigned(cost).saturating_add_unsigned(worth);
        *account = (*account).min(i64::try_from(most).unwrap_or(i64::MAX));
        self.debt += owed(*account);
    }
}

/// What a solver has done so far, in units of the search's work.
fn work(solver: &Cdcl) -> u64 {
    LITERAL * solver.propagations() + 2 * solver.visits() + CONFLICT * solver.conflicts()
}

impl Search<'_> {
    /// Whether the matrix cannot be satisfied any more, as far as that is found out, before anything of this block is decided.
    /// The clause that says so is for [`learn_axiom`](Self::learn_axiom).
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn find_axiom(&mut self, block: u32, control: &Control) -> Result<bool, StopReason> {
        let Search { axioms, matrix, trail, owner, .. } = self;
        let block = block as usize;
        let own = self.work - axioms.spent;
        let credit = own.checked_div(self.options.axiom_share).unwrap_or(u64::MAX);
        let filling = 2 * matrix.clauses.num_lits() as u64;
        if !self.options.axioms || !axioms.can_pay(block, credit, filling) {
            return Ok(false);
        }
        let mut cost = trail.len() as u64;
        let solver = axioms.solver.get_or_insert_with(|| {
            cost += filling;
            let mut solver = Cdcl::new();
            owner.iter().for_each(|_| {
                solver.new_var();
            });
            matrix.clauses.iter().for_each(|clause| solver.add_clause(clause));
            solver.limit_visits(Some(VISITS));
            solver
        });
        axioms.assumed.clear();
        for player in [Quantifier::Exists, Quantifier::Forall] {
            axioms.assumed.extend(trail.iter().filter(|lit| owner[lit.var().index()] == player));
        }
        let before = work(solver);
        let found = solver.solve_limited(&axioms.assumed, Some(CONFLICTS), control)? == Some(false);
        cost += work(solver) - before;
        axioms.calls += 1;
        axioms.found += u64::from(found);
        if found {
            axioms.clause.clear();
            axioms.clause.extend(solver.failed().iter().map(|&lit| !lit));
        }
        let Counters { conflicts, solutions, .. } = self.counters;
        let average = own / (conflicts + solutions + 1);
        axioms.book(block, cost, if found { WORTH * average } else { 0 }, MOST * average);
        self.work += cost;
        Ok(found)
    }

    /// Learns from the clause that was just found. True if the existential player has lost.
    ///
    /// # Errors
    /// There is no room for what is learnt.
    pub(super) fn learn_axiom(&mut self) -> Result<bool, StopReason> {
        let clause = std::mem::take(&mut self.axioms.clause);
        self.trace.iter_mut().for_each(|trace| trace.begin_axiom(&clause));
        let lost = self.learn(Quantifier::Exists, &clause);
        self.axioms.clause = clause;
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_pays_costs_no_more_than_its_share() {
        let mut axioms = Axioms { solver: Some(Cdcl::new()), ..Axioms::new(3) };
        let (mut credit, cost) = (0, 50);
        for turn in 0..10_000 {
            credit += 7;
            if axioms.can_pay(turn % 3, credit, 0) {
                axioms.book(turn % 3, cost, 0, 1_000);
            }
        }
        assert_eq!(axioms.debt, axioms.spent);
        assert!((credit..credit + cost).contains(&axioms.spent), "{}", axioms.spent);
    }

    #[test]
    fn what_paid_once_is_asked_for_a_while() {
        let mut axioms = Axioms { solver: Some(Cdcl::new()), ..Axioms::new(2) };
        axioms.book(0, 10, 5_000, 1_000);
        axioms.book(1, 10, 0, 1_000);
        assert_eq!((axioms.debt, axioms.spent), (10, 20));
        let mut calls = 0;
        while axioms.can_pay(0, 0, 0) {
            axioms.book(0, 10, 0, 1_000);
            calls += 1;
        }
        assert_eq!(calls, 100);
        assert!(!axioms.can_pay(1, 0, 0));
        // What one block owes it pays back.
        axioms.book(1, 10, 30, 1_000);
        assert_eq!(axioms.debt, 0);
    }
}
