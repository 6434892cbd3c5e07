//! Quantified blocked clause elimination, with hidden and covered literals.
//!
//! A clause `C` with an existential literal `l` is *blocked* if every clause with `-l` contains the negation `-k` of a
//! literal `k` of `C`, `k` other than `l` and its variable not to the right of `l`'s. Then `C` may go: should the other
//! literals of `C` that are chosen no later than `l` be false, `l` can be made true without harm (Biere, Lonsing, Seidl,
//! *Blocked clause elimination for QBF*, CADE 2011).
//!
//! Before the test the clause is extended, on paper only:
//! * by *hidden literals*: if a clause `l1 | .. | lk | -h` has all `li` in `C`, then `C` and `C | h` are equal in the
//!   presence of that clause. If this makes `C` a tautology it may go at once. On the way back the other clauses hold, so that
//!   hidden literals are false whenever the others are: where all of these are chosen no later than `l` they need not be asked;
//! * by *covered literals*: a literal `k`, not to the right of `l`, that is in every clause with `-l` whose resolvent with
//!   `C` on `l` is not such a tautology. Then `C` may be replaced by `C | k` (Heule, Järvisalo, Biere, *Covered clause
//!   elimination*, LPAR 2010; Heule, Seidl, Biere, *Blocked literals are universal*, NFM 2015). On the way back `l` is made
//!   true only if a covered literal is: should the literals of `C` chosen no later than `l` and the covered ones all be
//!   false, then `C` is satisfied by later choices, and the clauses of `-l` may need their literal.
//!
//! *Universal* literals have the mirror image, blocked literal elimination: if `u` is universal and blocks `C`, the literal
//! `u` is dropped from `C` (ibid.).

use super::store::{ClauseId, Halt, Simplifier};
use gamesat_core::formula::{Lit, Var};

/// Clauses longer than this are neither extended nor tested.
const MAX_LENGTH: usize = 150;
/// Literals whose negation occurs more often are not tried.
const MAX_OCCURRENCES: usize = 500;
/// The same for literals that hide or cover others.
const MAX_COVERING: usize = 60;
/// Longest clause that is looked at for hidden literals.
const MAX_HIDING: usize = 6;

/// Removes blocked clauses: first as they are, then after extension; again near what went, since that may block others.
pub(super) fn run(s: &mut Simplifier<'_>, since: u32) -> Result<(), Halt> {
    let mut since = since;
    loop {
        let begun = s.clock;
        remove_plain(s, since)?;
        if !s.options.covered_literals {
            return Ok(());
        }
        let mut any = false;
        for id in touched_clauses(s, since) {
            any |= s.is_live(id) && remove_extended(s, id)?;
        }
        s.propagate()?;
        s.clock += 1;
        if !any {
            return Ok(());
        }
        since = begun.max(since + 1);
    }
}

/// Removes clauses that are blocked as they are, to a fixpoint.
fn remove_plain(s: &mut Simplifier<'_>, since: u32) -> Result<(), Halt> {
    let mut queue = touched_clauses(s, since);
    while !queue.is_empty() {
        let mut freed: Vec<Lit> = Vec::new();
        for id in std::mem::take(&mut queue) {
            if s.is_live(id) && remove_if_blocked(s, id)? {
                freed.extend_from_slice(s.clause(id));
            }
        }
        s.propagate()?;
        // Clauses with the negation of a literal that went.
        freed.sort_unstable();
        freed.dedup();
        for lit in freed {
            if s.is_active(lit.var()) {
                queue.extend_from_slice(s.clauses_of(!lit));
            }
        }
        queue.sort_unstable();
        queue.dedup();
    }
    Ok(())
}

/// The clauses near which anything changed since the clock showed `since`.
fn touched_clauses(s: &Simplifier<'_>, since: u32) -> Vec<ClauseId> {
    let near = |id: &ClauseId| s.clause(*id).iter().any(|lit| s.touched_since(lit.var(), since));
    s.live_clause_ids().filter(near).collect()
}

/// Removes the clause if one of its literals blocks it.
fn remove_if_blocked(s: &mut Simplifier<'_>, id: ClauseId) -> Result<bool, Halt> {
    if s.clause(id).len() > MAX_LENGTH {
        return Ok(false);
    }
    s.mark_clause(id);
    for index in 0..s.clause(id).len() {
        let lit = s.clause(id)[index];
        if s.exists(lit.var()) && blocks(s, lit)? {
            let clause = s.clause(id).to_vec();
            s.record_unless(lit, &clause);
            s.remove_clause(id);
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the clause if it is blocked, or a tautology, after extension by hidden and covered literals.
fn remove_extended(s: &mut Simplifier<'_>, id: ClauseId) -> Result<bool, Halt> {
    if s.clause(id).len() > MAX_LENGTH {
        return Ok(false);
    }
    // Marks are the extended clause, `clause` the same as a list.
    s.mark_clause(id);
    let mut clause = s.clause(id).to_vec();
    // Steps on probation: they only count if the clause goes in the end. The literal, the clause's length before its step,
    // and where the literals end that it covered.
    let mut steps: Vec<(Lit, usize, usize)> = Vec::new();
    let mut is_hidden = vec![false; clause.len()];
    let mut place = 0;
    let gone = loop {
        if place == clause.len() || clause.len() > MAX_LENGTH {
            break false;
        }
        // 1. Hidden literals of everything so far.
        is_hidden.resize(clause.len(), false);
        let tautology = add_hidden(s, id, &mut clause, place)?;
        is_hidden.resize(clause.len(), true);
        if tautology {
            break true;
        }
        // 2. What the literal covers: everything, if it blocks.
        let lit = clause[place];
        place += 1;
        if !s.exists(lit.var()) {
            continue;
        }
        let length = clause.len();
        match add_covered(s, lit, &mut clause)? {
            Covered::Nothing => {}
            Covered::Some => steps.push((lit, length, clause.len())),
            Covered::All => {
                steps.push((lit, length, length));
                break true;
            }
        }
    };
    if gone {
        let (mut condition, mut extended) = (Vec::new(), Vec::new());
        for (lit, length, end) in steps {
            let closed = clause[..length].iter().all(|other| s.level(other.var()) <= s.level(lit.var()));
            let settled = clause[..length].iter().all(|&other| s.value(other).is_none());
            if closed && settled {
                condition.clear();
                condition.extend((0..length).filter(|&at| !is_hidden[at]).map(|at| clause[at]));
                s.record_unless(lit, &condition);
            } else if closed || length == end {
                s.record_unless(lit, &clause[..length]);
            } else {
                for &covered in &clause[length..end] {
                    condition.clear();
                    condition.extend_from_slice(&clause[..length]);
                    condition.push(!covered);
                    s.record_unless(lit, &condition);
                }
            }
            s.mention(true, &clause[..end]);
            extended.push(end);
        }
        s.remove_clause(id);
        extended.into_iter().for_each(|end| s.mention(false, &clause[..end]));
    }
    Ok(gone)
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

/// Extends the marked clause by the hidden literals of the literal at `place`. Returns whether it became a tautology.
fn add_hidden(s: &mut Simplifier<'_>, id: ClauseId, clause: &mut Vec<Lit>, place: usize) -> Result<bool, Halt> {
    let lit = clause[place];
    if s.count(lit) > MAX_COVERING {
        return Ok(false);
    }
    s.clean(lit);
    for index in 0..s.count(lit) {
        let Some(other) = s.occurrence(lit, index) else { break };
        if other == id || s.clause(other).len() > MAX_HIDING {
            continue;
        }
        s.effort += s.clause(other).len() as u64;
        // All but one literal of the other clause are marked?
        let mut unmarked = s.clause(other).iter().copied().filter(|&k| !s.is_marked(k));
        match (unmarked.next(), unmarked.next()) {
            // The other clause subsumes the extended one.
            (None, _) => return Ok(true),
            (Some(k), None) if s.set_mark(!k) => clause.push(!k),
            _ => {}
        }
    }
    s.work(0)?;
    Ok(false)
}

enum Covered {
    Nothing,
    Some,
    /// The literal blocks the clause, or the clause became a tautology.
    All,
}

/// Extends the marked clause by the literals that the existential literal `lit` of it covers.
fn add_covered(s: &mut Simplifier<'_>, lit: Lit, clause: &mut Vec<Lit>) -> Result<Covered, Halt> {
    if s.count(!lit) > MAX_COVERING {
        return Ok(Covered::Nothing);
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
    let Some(covered) = common else { return Ok(Covered::All) };
    if covered.is_empty() {
        return Ok(Covered::Nothing);
    }
    let mut tautology = false;
    for k in covered {
        tautology |= s.is_marked(!k);
        s.set_mark(k);
        clause.push(k);
    }
    Ok(if tautology { Covered::All } else { Covered::Some })
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
