//! Subsumption and self-subsuming resolution, forwards and backwards at once.
//!
//! A clause that contains another one is redundant. If `C | l` and `D | -l` are clauses and `C` is part of `D`, their
//! resolvent is `D`, which replaces `D | -l` (Eén and Biere, *Effective preprocessing in SAT*, SAT 2005). Both are
//! propositional equivalences of the matrix, so the prefix does not matter and `l` may be universal.
//!
//! Every clause that is new or was shortened passes through a queue once. Backwards, it is compared with the clauses that
//! share its rarest variable, which it may subsume or strengthen; forwards, with those that may do so to it. At the
//! first run all clauses are in the queue, so that looking backwards is enough.

use super::store::{ClauseId, Halt, Simplifier};
use gamesat_core::formula::Lit;

/// Longer clauses are not tried as subsuming ones.
const MAX_LENGTH: usize = 200;

pub(super) fn run(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    // Short clauses first: they subsume most. The queue is a stack, so the shortest go on top.
    let mut order = std::mem::take(&mut s.fresh);
    order.retain(|&id| s.is_live(id));
    order.sort_by_key(|&id| std::cmp::Reverse(s.clause(id).len()));
    s.fresh = order;
    let first_run = s.fresh.len() == s.num_clauses();
    while let Some(id) = s.dequeue() {
        if !first_run && forward(s, id)? {
            s.propagate()?;
            continue;
        }
        if let Err(halt) = backward(s, id) {
            if s.is_live(id) {
                s.enqueue(id);
            }
            return Err(halt);
        }
        s.propagate()?;
    }
    Ok(())
}

/// Removes and shortens the clauses that `id` subsumes or strengthens.
fn backward(s: &mut Simplifier<'_>, id: ClauseId) -> Result<(), Halt> {
    let length = s.clause(id).len();
    if length > MAX_LENGTH {
        return Ok(());
    }
    let rarest = s.clause(id).iter().copied().min_by_key(|&lit| s.count(lit) + s.count(!lit));
    let Some(rarest) = rarest else { return Ok(()) };
    s.mark_clause(id);
    // The bits of the variables: both signs may occur in a clause that is to be strengthened.
    let wanted = s.clause(id).to_vec();
    for side in [rarest, !rarest] {
        s.clean(side);
        let mut index = 0;
        while let Some(other) = s.occurrence(side, index) {
            index += 1;
            if other == id || !s.is_live(other) || s.clause(other).len() < length {
                continue;
            }
            match compare(s, &wanted, id, other) {
                Relation::None => {}
                Relation::Subsumes => s.remove_clause(other),
                Relation::Strengthens(lit) => {
                    let before = s.pending.len();
                    s.strengthen(other, lit)?;
                    if lit == side {
                        index -= 1;
                    }
                    if s.pending.len() > before {
                        // Values changed: the caller propagates, and the clause comes again if it still matters.
                        s.enqueue(id);
                        return Ok(());
                    }
                }
            }
            s.work(length)?;
        }
    }
    Ok(())
}

/// Longer occurrence lists are not searched for clauses that subsume a new one.
const MAX_FORWARD: usize = 400;

/// Removes the clause if another one subsumes it, or takes out literals that another one makes useless. Returns whether
/// anything happened; a clause that lost a literal is in the queue again.
fn forward(s: &mut Simplifier<'_>, id: ClauseId) -> Result<bool, Halt> {
    s.mark_clause(id);
    let length = s.clause(id).len();
    for index in 0..length {
        let lit = s.clause(id)[index];
        for (side, flipped) in [(lit, false), (!lit, true)] {
            if s.count(side) > MAX_FORWARD {
                continue;
            }
            s.clean(side);
            let mut effort = 0;
            let found = s.cleaned_clauses_of(side).iter().copied().find(|&other| {
                let clause = s.clause(other);
                // A subsuming clause is looked at once, from its first literal.
                if other == id || clause.len() > length || (!flipped && clause[0] != lit) {
                    return false;
                }
                effort += clause.len();
                clause.iter().all(|&l| s.is_marked(l) || (flipped && l == side))
            });
            s.effort += effort as u64;
            if found.is_some() {
                if flipped {
                    s.strengthen(id, lit)?;
                } else {
                    s.remove_clause(id);
                }
                return Ok(true);
            }
        }
    }
    s.work(length)?;
    Ok(false)
}

enum Relation {
    None,
    Subsumes,
    /// The other clause can lose this literal.
    Strengthens(Lit),
}

/// Compares the marked clause `id`, whose literals are `wanted`, with a clause that is at least as long.
fn compare(s: &mut Simplifier<'_>, wanted: &[Lit], id: ClauseId, other: ClauseId) -> Relation {
    // At most one literal may be missing, and then its negation must be there.
    if (s.signature(id) & !s.signature(other)).count_ones() > 1 {
        return Relation::None;
    }
    s.effort += s.clause(other).len() as u64;
    let (mut same, mut opposite, mut flipped) = (0, 0, None);
    for &lit in s.clause(other) {
        if s.is_marked(lit) {
            same += 1;
        } else if s.is_marked(!lit) {
            opposite += 1;
            flipped = Some(lit);
        }
    }
    match (wanted.len() - same, opposite, flipped) {
        (0, _, _) => Relation::Subsumes,
        (1, 1, Some(lit)) => Relation::Strengthens(lit),
        _ => Relation::None,
    }
}
