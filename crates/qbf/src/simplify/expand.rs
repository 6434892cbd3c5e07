//! Bounded expansion of universal variables.
//!
//! `forall u: F` is `F[u=0] & F[u=1]`. The existential variables that depend on `u` get a copy for the second part;
//! everything else is shared, so only the clauses with a dependent variable are doubled (Biere, *Resolve and expand*, SAT
//! 2004; the dependents by [resolution paths](super::depend), or, with that technique off, by plain connection over
//! variables to the right of `u`). The cheapest variable goes first, as long as the matrix stays within its bound.
//!
//! The reconstruction of an outermost existential block is not concerned, since nothing there depends on `u`. If `u` is
//! outermost itself, its value in a false formula is not known from the expanded one.

use super::depend::{Paths, universals};
use super::store::{ClauseId, Halt, Simplifier};
use gamesat_core::formula::{Lit, Var};

/// How many candidates are compared, inner and rare ones first.
const MAX_CANDIDATES: usize = 25;

/// Expands cheap variables until the matrix has `limit` literals.
pub(super) fn run(s: &mut Simplifier<'_>, limit: usize) -> Result<(), Halt> {
    let mut paths = Paths::new(s);
    loop {
        let mut candidates = universals(s);
        candidates.sort_by_key(|&u| (std::cmp::Reverse(s.level(u)), s.count(u.positive()) + s.count(u.negative()), u));
        candidates.truncate(MAX_CANDIDATES);
        // 1. The cheapest variable. Inner ones come first and win ties.
        let mut best: Option<(usize, Var, Vec<Var>)> = None;
        for u in candidates {
            let dependents = dependents(s, &mut paths, u)?;
            let bound = best.as_ref().map_or(usize::MAX, |&(cost, ..)| cost);
            let cost = doubled(s, &dependents, bound)?.1;
            if cost < bound {
                best = Some((cost, u, dependents));
            }
        }
        let Some((cost, u, dependents)) = best else { return Ok(()) };
        if s.num_lits() + cost > limit {
            return Ok(());
        }
        // 2. Replace it.
        expand(s, u, &dependents)?;
        s.propagate()?;
    }
}

/// What has to be copied when `u` is expanded.
fn dependents(s: &mut Simplifier<'_>, paths: &mut Paths, u: Var) -> Result<Vec<Var>, Halt> {
    if s.options.dependencies {
        return paths.dependents(s, u);
    }
    let level = s.level(u);
    s.clear_marks();
    let mut open = vec![u];
    let mut found = Vec::new();
    let mut effort = 0;
    while let Some(var) = open.pop() {
        for lit in [var.positive(), var.negative()] {
            s.clean(lit);
            for index in 0..s.count(lit) {
                let Some(id) = s.occurrence(lit, index) else { break };
                for place in 0..s.clause(id).len() {
                    let other = s.clause(id)[place].var();
                    effort += 1;
                    if s.exists(other) && s.level(other) > level && s.set_mark(other.positive()) {
                        found.push(other);
                        open.push(other);
                    }
                }
            }
        }
    }
    s.work(effort)?;
    Ok(found)
}

/// The clauses with one of these variables, and how many literals they have together; stops at `bound`.
fn doubled(s: &mut Simplifier<'_>, vars: &[Var], bound: usize) -> Result<(Vec<ClauseId>, usize), Halt> {
    let mut ids = Vec::new();
    let mut upper = 0;
    for &var in vars {
        for lit in [var.positive(), var.negative()] {
            upper += s.count(lit);
            ids.extend_from_slice(s.clauses_of(lit));
        }
        // A clause is listed at most once per literal, so a long list is a long list of different literals.
        if upper > bound.saturating_mul(2) {
            break;
        }
    }
    s.work(ids.len())?;
    ids.sort_unstable();
    ids.dedup();
    let lits = ids.iter().map(|&id| s.clause(id).len()).sum();
    Ok((ids, lits))
}

/// Replaces a universal variable by its two values.
fn expand(s: &mut Simplifier<'_>, u: Var, dependents: &[Var]) -> Result<(), Halt> {
    s.reconstruction.forget_universal(s.level(u) == 0);
    let (ids, _) = doubled(s, dependents, usize::MAX / 2)?;
    let mut copies: Vec<Option<Var>> = vec![None; s.num_vars()];
    for &var in dependents {
        let copy = s.copy_var(var);
        s.record_select(var, u, copy);
        copies[var.index()] = Some(copy);
    }
    let copy = |lit: Lit| match copies[lit.var().index()] {
        Some(var) => var.lit(lit.is_positive()),
        None => lit,
    };
    // 1. The part with `u` true lives on copies: every clause with a dependent variable and without `u`.
    let mut added: Vec<Vec<Lit>> = Vec::new();
    for &id in &ids {
        if s.clause(id).binary_search(&u.positive()).is_err() {
            added.push(s.clause(id).iter().filter(|&&lit| lit != u.negative()).map(|&lit| copy(lit)).collect());
        }
    }
    // Clauses with `-u` but without dependents belong to that part as well, as they are.
    // 2. The part with `u` false stays where it is: clauses with `-u` go, unless they were shared; `u` leaves the rest.
    for id in s.take_occurrences(u.negative()) {
        let clause: Vec<Lit> = s.clause(id).iter().copied().filter(|&lit| lit != u.negative()).collect();
        if !clause.iter().any(|lit| copies[lit.var().index()].is_some()) {
            added.push(clause);
        }
        s.effort += s.clause(id).len() as u64;
        s.remove_clause(id);
    }
    let shortened: Vec<(ClauseId, Vec<Lit>)> = s
        .take_occurrences(u.positive())
        .into_iter()
        .map(|id| (id, s.clause(id).iter().copied().filter(|&lit| lit != u.positive()).collect()))
        .collect();
    for (id, clause) in shortened {
        s.remove_clause(id);
        added.push(clause);
    }
    s.set_gone(u);
    for clause in &added {
        s.effort += clause.len() as u64;
        s.add_clause(clause)?;
    }
    Ok(())
}
