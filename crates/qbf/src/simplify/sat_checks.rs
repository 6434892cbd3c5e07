//! What a SAT solver can say about a QBF, under a conflict limit.
//!
//! 1. *The matrix alone.* If no assignment satisfies all clauses, the formula is false. If only existential variables
//!    are left, a model makes it true.
//! 2. *Constants.* If the clauses can be satisfied by their existential literals alone, constant functions win and the
//!    formula is true ("trivial truth": Cadoli, Giovanardi, Schaerf 1998).
//! 3. *Backbone.* A literal that is true in all models of the matrix may be assigned if it is existential; if it is
//!    universal the formula is false. Every model found on the way shortens the list of candidates.

use super::store::{Halt, LARGE, Simplifier};
use gamesat_core::formula::{Lit, Var};
use gamesat_sat::SatBackend;
use gamesat_sat::cdcl::Cdcl;

/// Conflicts for the first two questions.
const CONFLICTS: u64 = 2_000;
/// Conflicts when the answer decides a propositional formula.
const FINAL_CONFLICTS: u64 = 100_000;
/// Conflicts for one backbone literal, and for all together.
const BACKBONE_CONFLICTS: u64 = 20;
/// Larger matrices are not given to a SAT solver.
const MAX_LITERALS: usize = 3_000_000;
/// Least effort of a call, whatever it did.
const CALL_EFFORT: usize = 10_000;
/// A call that looks at more clauses is given up, whatever its conflicts.
const VISITS: u64 = 30_000_000;
/// The same for a call that decides the formula.
const FINAL_VISITS: u64 = 120_000_000;

pub(super) fn run(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    if s.num_lits() > MAX_LITERALS || s.num_clauses() == 0 {
        return Ok(());
    }
    constants(s)?;
    matrix(s)?;
    s.propagate()
}

/// A solver over the simplifier's variables, with every clause cut to the literals that `keep` accepts.
fn load(s: &mut Simplifier<'_>, keep: impl Fn(Lit) -> bool) -> Result<Cdcl, Halt> {
    let mut solver = Cdcl::new();
    for _ in 0..s.num_vars() {
        solver.new_var();
    }
    let mut clause = Vec::new();
    for id in s.clause_ids() {
        if s.is_live(id) {
            clause.clear();
            clause.extend(s.clause(id).iter().copied().filter(|&lit| keep(lit)));
            solver.add_clause(&clause);
            s.effort += clause.len() as u64;
        }
    }
    s.poll()?;
    Ok(solver)
}

/// One call under a conflict limit; the limits of the run count as usual.
fn ask(s: &mut Simplifier<'_>, solver: &mut Cdcl, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, Halt> {
    // A visit takes far longer where the clauses do not fit into a cache.
    let visits = if conflicts == FINAL_CONFLICTS { FINAL_VISITS } else { VISITS };
    solver.limit_visits(Some(visits * LARGE as u64 / LARGE.max(s.num_lits()) as u64));
    let before = solver.visits();
    let answer = solver.solve_limited(assumptions, Some(conflicts), s.control()).map_err(Halt::Stop)?;
    s.effort += (solver.visits() - before) / 4;
    Ok(answer)
}

/// Question 2.
fn constants(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    let exists: Vec<bool> = s.all_vars().map(|var| s.exists(var)).collect();
    let mut solver = load(s, |lit| exists[lit.var().index()])?;
    if ask(s, &mut solver, &[], CONFLICTS)? == Some(true) {
        let vars: Vec<Var> = s.all_vars().filter(|&var| s.exists(var) && s.occurs(var)).collect();
        for var in vars {
            s.record_assign(var.lit(solver.value(var.positive())));
        }
        return Err(Halt::Decided(true));
    }
    // The next question may decide a large formula, so that patience does not matter yet.
    s.effort += CALL_EFFORT as u64;
    s.poll()
}

/// Questions 1 and 3.
fn matrix(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    let vars: Vec<Var> = s.all_vars().filter(|&var| s.occurs(var)).collect();
    let propositional = vars.iter().all(|&var| s.exists(var));
    let mut solver = load(s, |_| true)?;
    match ask(s, &mut solver, &[], if propositional { FINAL_CONFLICTS } else { CONFLICTS })? {
        Some(false) => return Err(Halt::Decided(false)),
        Some(true) => {}
        None => return Ok(()),
    }
    let mut candidates: Vec<Lit> = vars.iter().map(|&var| var.lit(solver.value(var.positive()))).collect();
    if propositional {
        for &lit in &candidates {
            s.record_assign(lit);
        }
        return Err(Halt::Decided(true));
    }
    while let Some(lit) = candidates.pop() {
        match ask(s, &mut solver, &[!lit], BACKBONE_CONFLICTS)? {
            Some(true) => candidates.retain(|&other| solver.value(other)),
            Some(false) if s.exists(lit.var()) => {
                solver.add_clause(&[lit]);
                s.assign(lit)?;
            }
            Some(false) => {
                s.record_assign(!lit);
                return Err(Halt::Decided(false));
            }
            None => {}
        }
        s.work(CALL_EFFORT + s.num_vars() / 10)?;
    }
    Ok(())
}
