//! Vivification: clauses shortened by propagation.
//!
//! Assume the negations of a clause's literals one after the other, the clause itself left out. If the assumptions so far
//! lead to a conflict, or make a further literal true, the clause can be cut to these; a further literal that they make
//! false can be dropped (Piette, Hamadi, Saïs, *Vivifying propositional clausal formulae*, ECAI 2008). All of this is
//! implied by the matrix alone: every variable counts as existential here, so the prefix does not matter.

use super::propagator::Propagator;
use super::store::{Halt, Simplifier};
use gamesat_core::formula::Lit;

/// Longer clauses are left alone.
const MAX_LENGTH: usize = 100;

pub(super) fn run(s: &mut Simplifier<'_>, since: u32) -> Result<(), Halt> {
    // A false matrix would have been found by propagation with less.
    let Ok(mut propagator) = Propagator::new(s, u32::MAX) else { return Err(Halt::Decided(false)) };
    let mut clause: Vec<Lit> = Vec::new();
    for row in 0..propagator.num_rows() as u32 {
        let id = propagator.sources[row as usize];
        if !s.is_live(id) || s.clause(id).len() < 3 || s.clause(id).len() > MAX_LENGTH {
            continue;
        }
        if !s.clause(id).iter().any(|lit| s.touched_since(lit.var(), since)) {
            continue;
        }
        clause.clear();
        clause.extend_from_slice(s.clause(id));
        // Frequent literals first: their negations imply most.
        clause.sort_by_key(|&lit| (std::cmp::Reverse(s.count(lit)), lit));
        let root = propagator.trail().len();
        propagator.ignored = Some(row);
        let keep = shorten(&mut propagator, &clause);
        propagator.backtrack(root);
        propagator.ignored = None;
        if let Some(keep) = keep
            && keep.len() < clause.len()
        {
            clause.retain(|lit| !keep.contains(lit));
            s.strengthen_at_once(id, &clause)?;
        }
        let effort = std::mem::take(&mut propagator.effort);
        s.work(effort as usize)?;
    }
    s.propagate()
}

/// The literals that suffice, or `None` if the root already satisfies the clause.
fn shorten(propagator: &mut Propagator, clause: &[Lit]) -> Option<Vec<Lit>> {
    let mut keep = Vec::with_capacity(clause.len());
    if clause.iter().any(|&lit| propagator.value(lit) == Some(true)) {
        return None;
    }
    for &lit in clause {
        match propagator.value(lit) {
            Some(true) => {
                keep.push(lit);
                return Some(keep);
            }
            Some(false) => {}
            None => {
                keep.push(lit);
                if propagator.assume(!lit).is_err() || propagator.propagate().is_err() {
                    return Some(keep);
                }
            }
        }
    }
    Some(keep)
}
