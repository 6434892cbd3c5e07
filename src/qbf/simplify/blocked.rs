//! Quantified blocked clause elimination, with hidden and covered literals.
//!
//! A clause `C` with an existential literal `l` is *blocked* if every clause with `-l` contains the negation `-k` of a
//! literal `k` of `C`, `k` other than `l` and its variable not to the right of `l`'s. Then `C` may go: should the other
//! literals of `C` that are chosen no later than `l` be false, `l` can be made true without harm (Biere, Lonsing, Seidl,
//! *Blocked clause elimination for QBF*, CADE 2011).
//!
//! Before the test the clause is extended, on paper only:
//! * by *hidden literals*: if a clause `l1 | .. | lk | -h` has all `li` in `C`, then `C` and `C | h` are equal in the
//!   presence of that clause. If this makes `C` a tautology it may go at once;
//! * by *covered literals*: a literal `k`, not to the right of `l`, that is in every clause with `-l` whose resolvent with
//!   `C` on `l` is not such a tautology. Then `C` may be replaced by `C | k` (Heule, Järvisalo, Biere, *Covered clause
//!   elimination*, LPAR 2010; Heule, Seidl, Biere, *Blocked literals are universal*, NFM 2015). Each such step has its own
//!   entry in the reconstruction.
//!
//! *Universal* literals have the mirror image, blocked literal elimination: if `u` is universal and blocks `C`, the literal
//! `u` is dropped from `C` (ibid.).

use super::store::{ClauseId, Halt, Simplifier};
use crate::formula::{Lit, Var};

/// Clauses longer than this are neither extended nor tested.
const MAX_LENGTH: usize = 150;
/// Literals whose negation occurs more often are not tried.
const MAX_OCCURRENCES: usize = 500;
/// Longest clause that is looked at for hidden literals.
const MAX_HIDING: usize = 6;

/// Removes blocked clauses.
pub(super) fn run(s: &mut Simplifier<'_>, since: u32) -> Result<(), Halt> {
    let covered = s.options.covered_literals;
    let mut queue: Vec<ClauseId> = s.live_clause_ids().collect();
    // Removing a clause can block others: those with the negation of one of its literals.
    while !queue.is_empty() {
        let mut removed: Vec<Vec<Lit>> = Vec::new();
        for id in std::mem::take(&mut queue) {
            if !s.is_live(id) || !has_touched_neighbour(s, id, since) {
                continue;
            }
            let before = s.clause(id).to_vec();
            if try_remove(s, id, covered)? {
                removed.push(before);
            }
        }
        s.propagate()?;
        s.clock += 1;
        let mut queued = Vec::new();
        for &lit in removed.iter().flatten() {
            if s.is_active(lit.var()) {
                queued.extend_from_slice(s.clauses_of(!lit));
            }
        }
        queued.sort_unstable();
        queued.dedup();
        queue = queued;
    }
    Ok(())
}

/// Whether anything near the clause changed since the clock showed `since`.
fn has_touched_neighbour(s: &Simplifier<'_>, id: ClauseId, since: u32) -> bool {
    s.clause(id).iter().any(|lit| s.touched_since(lit.var(), since))
}

/// Removes the clause if it is blocked, maybe after extension.
fn try_remove(s: &mut Simplifier<'_>, id: ClauseId, extend: bool) -> Result<bool, Halt> {
    let original = s.clause(id).len();
    if original > MAX_LENGTH {
        return Ok(false);
    }
    // Marks are the extended clause, `clause` the same as a list.
    s.mark_clause(id);
    let mut clause = s.clause(id).to_vec();
    if let Some(lit) = blocking_literal(s, &clause, 0)? {
        s.record_unless(lit, &clause);
        s.remove_clause(id);
        return Ok(true);
    }
    if !extend {
        return Ok(false);
    }
    // Steps on probation: they only count if the clause goes in the end.
    let mut steps: Vec<(Lit, usize)> = Vec::new();
    let mut hidden_from = 0;
    loop {
        // 1. Hidden literals, to a fixpoint.
        let tautology = add_hidden(s, id, &mut clause, &mut hidden_from)?;
        // 2. Blocked now?
        let blocked = if tautology { None } else { blocking_literal(s, &clause, 0)? };
        if tautology || blocked.is_some() {
            for (lit, length) in steps {
                s.record_unless(lit, &clause[..length]);
            }
            if let Some(lit) = blocked {
                s.record_unless(lit, &clause);
            }
            s.remove_clause(id);
            return Ok(true);
        }
        // 3. Covered literals of the first literal that has some.
        if clause.len() > MAX_LENGTH {
            return Ok(false);
        }
        let before = clause.len();
        match add_covered(s, &mut clause)? {
            Covered::Nothing => return Ok(false),
            Covered::By(lit) => steps.push((lit, before)),
            Covered::Tautology(lit) => {
                steps.push((lit, before));
                for (lit, length) in steps {
                    s.record_unless(lit, &clause[..length]);
                }
                s.remove_clause(id);
                return Ok(true);
            }
        }
    }
}

/// An existential literal that blocks the marked clause, looking from `from` on.
fn blocking_literal(s: &mut Simplifier<'_>, clause: &[Lit], from: usize) -> Result<Option<Lit>, Halt> {
    for &lit in &clause[from..] {
        if s.exists(lit.var()) && blocks(s, lit)? {
            return Ok(Some(lit));
        }
    }
    Ok(None)
}

/// Whether every clause with `-lit` clashes with the marked clause in another variable that is not to the right.
fn blocks(s: &mut Simplifier<'_>, lit: Lit) -> Result<bool, Halt> {
    if s.count(!lit) > MAX_OCCURRENCES {
        return Ok(false);
    }
    s.clean(!lit);
    let mut effort = 0;
    let all = s.cleaned_clauses_of(!lit).iter().all(|&other| {
        effort += s.clause(other).len();
        clashes(s, other, lit)
    });
    s.work(effort)?;
    Ok(all)
}

/// Whether the clause contains the negation of a marked literal other than `lit`, not to the right of `lit`.
fn clashes(s: &Simplifier<'_>, other: ClauseId, lit: Lit) -> bool {
    let level = s.level(lit.var());
    s.clause(other).iter().any(|&k| k != !lit && s.is_marked(!k) && s.level(k.var()) <= level)
}

/// Extends the marked clause by hidden literals, from the literals at `from` on. Returns whether it became a tautology.
fn add_hidden(s: &mut Simplifier<'_>, id: ClauseId, clause: &mut Vec<Lit>, from: &mut usize) -> Result<bool, Halt> {
    while *from < clause.len() && clause.len() <= MAX_LENGTH {
        let lit = clause[*from];
        *from += 1;
        if s.count(lit) > MAX_OCCURRENCES {
            continue;
        }
        s.clean(lit);
        for index in 0..s.count(lit) {
            let Some(other) = s.occurrence(lit, index) else { break };
            if other == id || s.clause(other).len() > MAX_HIDING {
                continue;
            }
            // All but one literal of the other clause are marked.
            let mut missing = None;
            let mut fits = true;
            for &k in s.clause(other) {
                if !s.is_marked(k) {
                    fits &= missing.is_none();
                    missing = Some(k);
                }
            }
            s.effort += s.clause(other).len() as u64;
            match missing {
                // The other clause subsumes the extended one.
                None => return Ok(true),
                Some(k) if fits => {
                    if s.set_mark(!k) {
                        if s.is_marked(k) {
                            return Ok(true);
                        }
                        clause.push(!k);
                    }
                }
                Some(_) => {}
            }
        }
        s.work(0)?;
    }
    Ok(false)
}

enum Covered {
    Nothing,
    By(Lit),
    Tautology(Lit),
}

/// Extends the marked clause by the literals covered by one of its existential literals.
fn add_covered(s: &mut Simplifier<'_>, clause: &mut Vec<Lit>) -> Result<Covered, Halt> {
    for index in 0..clause.len() {
        let lit = clause[index];
        if !s.exists(lit.var()) || s.count(!lit) > MAX_OCCURRENCES {
            continue;
        }
        let level = s.level(lit.var());
        s.clean(!lit);
        let mut common: Option<Vec<Lit>> = None;
        let mut effort = 0;
        for &other in s.cleaned_clauses_of(!lit) {
            effort += s.clause(other).len();
            if clashes(s, other, lit) {
                continue;
            }
            match &mut common {
                None => {
                    let new = |&&k: &&Lit| k != !lit && s.level(k.var()) <= level && !s.is_marked(k);
                    common = Some(s.clause(other).iter().filter(new).copied().collect());
                }
                Some(common) => common.retain(|k| s.clause(other).binary_search(k).is_ok()),
            }
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        s.work(effort)?;
        let covered = common.unwrap_or_default();
        if covered.is_empty() {
            continue;
        }
        let mut tautology = false;
        for k in covered {
            tautology |= s.is_marked(!k);
            s.set_mark(k);
            clause.push(k);
        }
        return Ok(if tautology { Covered::Tautology(lit) } else { Covered::By(lit) });
    }
    Ok(Covered::Nothing)
}

/// Drops universal literals that block their clause.
pub(super) fn drop_literals(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    let universal: Vec<Var> = s.all_vars().filter(|&var| !s.exists(var) && s.occurs(var)).collect();
    for var in universal {
        for lit in [var.positive(), var.negative()] {
            for id in s.clauses_of(lit).to_vec() {
                if !s.is_live(id) || s.value(lit).is_some() || s.clause(id).len() > MAX_LENGTH {
                    continue;
                }
                // An earlier drop may have reduced or propagated this literal away.
                if s.clause(id).binary_search(&lit).is_err() {
                    continue;
                }
                s.mark_clause(id);
                if blocks(s, lit)? {
                    let clause = s.clause(id).to_vec();
                    s.record_unless(!lit, &clause);
                    s.strengthen(id, lit)?;
                }
            }
            s.propagate()?;
        }
    }
    Ok(())
}
