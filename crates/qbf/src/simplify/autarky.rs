//! Autarkies: constants for some existential variables that satisfy every clause they touch.
//!
//! Such an assignment can be made at every prefix level, because it only removes clauses: whoever wins without these
//! clauses gives the variables these constants. A pure literal is an autarky of one variable, the trivial truth of
//! [`sat_checks`](super::sat_checks) one of all existential variables. In the language of set colouring games: the clauses
//! that contain a variable of the set, cut to the set, have a satisfying colouring (the *punctuated* formula).
//!
//! The largest autarky is found by a SAT solver on an encoding with one variable per literal (Liffiton and Sakallah,
//! *Searching for autarkies to trim unsatisfiable clause sets*, SAT 2008): `p(l)` says that the autarky makes `l` true;
//! not both `p(l)` and `p(-l)`; and if `p(-l)`, then in every clause with `l` some existential `k` has `p(k)`. Autarkies
//! compose, so they are collected one after the other, each asked to contain something new.

use super::store::{Halt, Simplifier};
use crate::options::SimplifyOptions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Qbf, Var};
use gamesat_sat::Backend;

/// Conflicts for one question.
const CONFLICTS: u64 = 2_000;
/// Bound on the size of the encoding, in literals.
const MAX_ENCODING: usize = 2_000_000;
/// Questions in one run.
const MAX_QUESTIONS: usize = 50;

pub(super) fn run(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    let found = find(s, u32::MAX)?;
    // First all clauses that are satisfied, then the values, which touch nothing any more. Literal by literal a clause
    // might lose one before another satisfies it, and what is reduced from it in between would be recorded as if the
    // formula had said so.
    for &lit in &found {
        for id in s.take_occurrences(lit) {
            s.remove_clause(id);
        }
    }
    for lit in found {
        s.assign(lit)?;
    }
    s.propagate()
}

/// The largest autarky of existential variables that could be found in a formula as it stands, for studies. Pure
/// existential literals are autarkies too; simplify first if those are not of interest.
///
/// # Errors
/// The reason to stop.
pub fn largest_autarky(qbf: &Qbf, control: &Control) -> Result<Vec<Lit>, StopReason> {
    let options = SimplifyOptions::none();
    let (dense, names) = qbf.compact();
    let mut s = Simplifier::new(&dense, &options, control);
    s.allot(u64::MAX);
    let mut attempt = || {
        for clause in dense.matrix() {
            s.add_clause(clause)?;
        }
        find(&mut s, u32::MAX)
    };
    match attempt() {
        Ok(found) => Ok(found.into_iter().map(|lit| names[lit.var().index()].lit(lit.is_positive())).collect()),
        Err(Halt::Stop(reason)) => Err(reason),
        // Without clauses or with an empty one there is nothing to find.
        Err(Halt::Decided(_) | Halt::Budget) => Ok(Vec::new()),
    }
}

/// An autarky over existential variables of levels up to `deepest`, as large as could be found.
pub(super) fn find(s: &mut Simplifier<'_>, deepest: u32) -> Result<Vec<Lit>, Halt> {
    let allowed = |s: &Simplifier<'_>, var: Var| s.exists(var) && s.level(var) <= deepest;
    let size: usize = s.live_clause_ids().map(|id| s.clause(id).len().pow(2)).sum();
    if size > MAX_ENCODING {
        return Ok(Vec::new());
    }
    s.work(size)?;
    let mut solver = Backend::default().create();
    // p(l) has the number of l's code.
    for _ in 0..2 * s.num_vars() {
        let var = solver.new_var();
        solver.set_phase(var.positive());
    }
    let says = |lit: Lit| Var::from_index(lit.code()).positive();
    for var in s.all_vars() {
        let pair = [!says(var.positive()), !says(var.negative())];
        if s.occurs(var) && allowed(s, var) {
            solver.add_clause(&pair);
        } else {
            solver.add_clause(&pair[..1]);
            solver.add_clause(&pair[1..]);
        }
    }
    let mut clause = Vec::new();
    for id in s.live_clause_ids() {
        let lits: Vec<Lit> = s.clause(id).iter().copied().filter(|&lit| allowed(s, lit.var())).collect();
        for &lit in &lits {
            clause.clear();
            clause.push(!says(!lit));
            clause.extend(lits.iter().filter(|&&other| other != lit).map(|&other| says(other)));
            solver.add_clause(&clause);
        }
    }
    let mut open: Vec<Lit> = s
        .all_vars()
        .filter(|&var| s.occurs(var) && allowed(s, var))
        .flat_map(|var| [var.positive(), var.negative()])
        .collect();
    let mut found: Vec<Lit> = Vec::new();
    for _ in 0..MAX_QUESTIONS {
        clause.clear();
        clause.extend(open.iter().map(|&lit| says(lit)));
        solver.add_clause(&clause);
        let kept: Vec<Lit> = found.iter().map(|&lit| says(lit)).collect();
        if solver.solve_limited(&kept, Some(CONFLICTS), s.control()).map_err(Halt::Stop)? != Some(true) {
            break;
        }
        found.extend(open.iter().copied().filter(|&lit| solver.value(says(lit))));
        // What has a value is asked for no more: both literals of every variable in the autarky.
        open.retain(|&lit| !solver.value(says(lit)) && !solver.value(says(!lit)));
        s.work(size / 10 + 1000)?;
        if open.is_empty() {
            break;
        }
    }
    Ok(found)
}
