//! Bounded variable elimination.
//!
//! The clauses of an existential variable `x` are replaced by their resolvents on `x` if that does not let the formula
//! grow much (Eén and Biere, SAT 2005; for QBF Biere, *Resolve and expand*, SAT 2004). For a variable in the innermost
//! block this is `exists x` carried out. Elsewhere it needs one of two reasons:
//!
//! * One side, say the clauses `x | A1 .. x | Ak`, contains nothing to the right of `x`. Then `x` is best chosen as
//!   `not (A1 & .. & Ak)`: if some `Ai` is false `x` has to be true, and if none is, `x` false satisfies the clauses of
//!   both sides. Putting that into the clauses `-x | B` gives the resolvents `Ai | B`.
//! * Some of the clauses are a [gate](super::super::definitions) that defines `x` by variables not to its right. Then `x` may be
//!   replaced by its definition everywhere, which gives the resolvents of gate clauses with other clauses; those of other
//!   clauses among themselves are not needed.

use super::super::definitions::{self, Gate, Occurrences};
use super::store::{ClauseId, Halt, Simplifier};
use crate::options::Functions;
use gamesat_core::formula::{Lit, Var};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Variables with more occurrences on both sides are left alone.
const MAX_OCCURRENCES: usize = 60;
/// A resolvent longer than this stops the elimination of its variable.
const MAX_LENGTH: usize = 60;

pub(super) fn run(s: &mut Simplifier<'_>, since: u32) -> Result<(), Halt> {
    let growth = s.options.elimination_growth;
    // First what costs nothing, then what may grow.
    eliminate_all(s, since, 0)?;
    if growth > 0 { eliminate_all(s, since, growth) } else { Ok(()) }
}

fn eliminate_all(s: &mut Simplifier<'_>, since: u32, growth: usize) -> Result<(), Halt> {
    let mut heap: BinaryHeap<Reverse<(usize, Var)>> = s
        .all_vars()
        .filter(|&var| s.exists(var) && s.occurs(var) && s.touched_since(var, since))
        .map(|var| Reverse((cost(s, var), var)))
        .collect();
    while let Some(Reverse((old_cost, var))) = heap.pop() {
        if !s.is_active(var) || !s.exists(var) {
            continue;
        }
        let now = cost(s, var);
        if now > old_cost {
            // Neighbours were eliminated in the meantime; wait for the turn that the new cost gives.
            heap.push(Reverse((now, var)));
            continue;
        }
        let neighbours = try_eliminate(s, var, growth)?;
        s.propagate()?;
        s.poll()?;
        for neighbour in neighbours {
            if s.is_active(neighbour) && s.exists(neighbour) && s.occurs(neighbour) {
                let now = cost(s, neighbour);
                heap.push(Reverse((now, neighbour)));
            }
        }
    }
    Ok(())
}

/// Number of pairs of clauses to resolve.
fn cost(s: &Simplifier<'_>, var: Var) -> usize {
    s.count(var.positive()) * s.count(var.negative())
}

/// Eliminates the variable if that is allowed and cheap. Returns the variables of its clauses if it was.
fn try_eliminate(s: &mut Simplifier<'_>, var: Var, growth: usize) -> Result<Vec<Var>, Halt> {
    let counts = (s.count(var.positive()), s.count(var.negative()));
    if counts.0.min(counts.1) > MAX_OCCURRENCES || counts.0 * counts.1 > MAX_OCCURRENCES * MAX_OCCURRENCES {
        return Ok(Vec::new());
    }
    s.clean(var.positive());
    s.clean(var.negative());
    let gate = find_gate(s, var);
    s.work(counts.0 + counts.1)?;
    let side = closed_side(s, var);
    if gate.is_none() && side.is_none() {
        return Ok(Vec::new());
    }
    let limit = counts.0 + counts.1 + growth;
    let Some(resolvents) = resolvents(s, var, gate.as_ref(), limit)? else { return Ok(Vec::new()) };

    // The point of no return: record, remove, add.
    let defined = match (&gate, side) {
        (Some(_), _) => var.positive(),
        (None, Some(side)) => side,
        (None, None) => return Ok(Vec::new()),
    };
    if s.records(var) {
        let definition = match &gate {
            Some(gate) => gate.side(true).to_vec(),
            None => s.clauses_of(defined).to_vec(),
        };
        for id in definition {
            let clause = s.clause(id).to_vec();
            s.record_unless(defined, &clause);
        }
        s.record_assign(!defined);
    }
    let mut neighbours = Vec::new();
    for lit in [var.positive(), var.negative()] {
        for id in s.take_occurrences(lit) {
            neighbours.extend(s.clause(id).iter().map(|lit| lit.var()));
            if let Some(gate) = gate.as_ref().filter(|_| s.options.functions != Functions::None) {
                s.reconstruction.defined(gate.side(lit.is_positive()).contains(&id));
            }
            s.remove_clause(id);
        }
    }
    s.set_gone(var);
    neighbours.sort_unstable();
    neighbours.dedup();
    let mut start = 0;
    for &end in &resolvents.ends {
        s.add_clause(&resolvents.lits[start..end])?;
        start = end;
    }
    Ok(neighbours)
}

impl Occurrences for Simplifier<'_> {
    type Id = ClauseId;

    fn with(&self, lit: Lit) -> &[ClauseId] {
        self.cleaned_clauses_of(lit)
    }

    fn clause(&self, id: ClauseId) -> &[Lit] {
        Simplifier::clause(self, id)
    }
}

/// A definition of the variable by others that are not to its right: otherwise it could not be computed when its turn
/// comes. Its occurrence lists must be clean.
fn find_gate(s: &Simplifier<'_>, var: Var) -> Option<Gate<ClauseId>> {
    let mut first = None;
    let is_input = |lit: Lit| s.level(lit.var()) <= s.level(var);
    let _ = definitions::gates(s, var, is_input, |gate| {
        first = Some(gate);
        ControlFlow::Break(())
    });
    first
}

/// A literal of the variable all of whose clauses contain nothing to the right of it; if both do, the one with fewer literals in
/// its clauses, which become the variable's function on the way back.
fn closed_side(s: &Simplifier<'_>, var: Var) -> Option<Lit> {
    let level = s.level(var);
    let closed = |&lit: &Lit| {
        let clauses = s.cleaned_clauses_of(lit).iter();
        clauses.flat_map(|&id| s.clause(id)).all(|other| s.level(other.var()) <= level)
    };
    let literals = |&lit: &Lit| s.cleaned_clauses_of(lit).iter().map(|&id| s.clause(id).len()).sum::<usize>();
    [var.positive(), var.negative()].into_iter().filter(closed).min_by_key(literals)
}

#[derive(Default)]
struct Resolvents {
    lits: Vec<Lit>,
    ends: Vec<usize>,
}

/// The resolvents that replace the variable's clauses, unless there are more than `limit` or one is too long.
fn resolvents(
    s: &mut Simplifier<'_>,
    var: Var,
    gate: Option<&Gate<ClauseId>>,
    limit: usize,
) -> Result<Option<Resolvents>, Halt> {
    let positive = s.cleaned_clauses_of(var.positive()).to_vec();
    let negative = s.cleaned_clauses_of(var.negative()).to_vec();
    let mut found = Resolvents::default();
    let in_gate = |id: &ClauseId, side| gate.is_some_and(|gate| gate.side(side).contains(id));
    for &p in &positive {
        s.mark_clause(p);
        let p_in_gate = in_gate(&p, true);
        for &n in &negative {
            if gate.is_some() && p_in_gate == in_gate(&n, false) {
                continue;
            }
            s.effort += s.clause(n).len() as u64;
            if s.clause(n).iter().any(|&lit| lit != var.negative() && s.is_marked(!lit)) {
                continue;
            }
            let start = found.lits.len();
            found.lits.extend(s.clause(p).iter().filter(|&&lit| lit != var.positive()));
            found.lits.extend(s.clause(n).iter().filter(|&&lit| lit != var.negative() && !s.is_marked(lit)));
            if found.ends.len() == limit || found.lits.len() - start > MAX_LENGTH {
                return Ok(None);
            }
            found.ends.push(found.lits.len());
        }
        s.work(s.clause(p).len())?;
    }
    Ok(Some(found))
}
