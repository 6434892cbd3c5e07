//! A [refutation by expansion](Refutation) of the formula as it was given, from universal moves that are known to be enough.
//!
//! Whoever finds a formula false has met universal moves, its *plays*, to which together the existential player has no answer. They were met on some simplified
//! form of the formula, and why they are enough may rest on that form. But that they are enough can be shown anew, on
//! [copies](copies) of the original clauses, by a SAT solver that writes down its proof: no way back through the simplifications is
//! needed, and no functions. Their judge searches for nothing, it follows the resolutions.

mod copies;
mod derive;
mod eliminate;

use super::engine::Answer;
use super::expansion::Expansion;
use super::interpolate::SMALL_GATES;
use super::matrix::Matrix;
use crate::options::Certificate;
use copies::{Added, Copies};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Qbf, Refutation};
use gamesat_sat::SatBackend;
use gamesat_sat::cdcl::{Cdcl, Origin, Proof};

/// Whether a refutation is to be looked for.
pub(super) fn is_due(answer: &Answer, certificate: Option<Certificate>) -> bool {
    let is_large = |functions: &Aig| functions.ands().len() > SMALL_GATES;
    match certificate {
        _ if answer.verdict => false,
        None | Some(Certificate::Functions) => false,
        Some(Certificate::Steps) => true,
        Some(Certificate::Any) => answer.functions.as_ref().map_or(true, is_large),
    }
}

/// Literals of all copies that are too many.
const MOST_LITERALS: usize = 100_000_000;
/// Looks at the control for a refutation with given plays, of formulas with three blocks, where they are hardly ever in vain, and of others;
/// and for completing them.
const LOOKS_OF_THREE: u64 = 40_000;
const LOOKS_OF_MORE: u64 = 4_000;
const COMPLETING_LOOKS: u64 = 1_000;
/// So many times as much if nothing else will do.
const PATIENCE: u64 = 100;

/// A refutation of a formula that is false; `None` if none was found within reason. The plays are a hint; of three blocks they are
/// completed if they are not enough. Whoever insists has more patience.
///
/// # Errors
/// The reason to stop.
pub(super) fn find(
    qbf: &Qbf,
    plays: &[Vec<Lit>],
    insists: bool,
    control: &Control,
) -> Result<Option<Refutation>, StopReason> {
    let matrix = Matrix::new(qbf);
    let is_of_three = matrix.quantifiers().len() <= 3;
    let with_looks = |looks: u64| control.with_looks(if insists { PATIENCE * looks } else { looks });
    // 1. With the plays that were met.
    if !plays.is_empty() {
        let trial = with_looks(if is_of_three { LOOKS_OF_THREE } else { LOOKS_OF_MORE });
        if let Some(found) = within(&trial, refute(qbf, plays, &trial))?.flatten() {
            return Ok(Some(found));
        }
    }
    if !is_of_three {
        return Ok(None);
    }
    // 2. With more of them.
    let trial = with_looks(COMPLETING_LOOKS);
    let Some(mut plays) = within(&trial, Expansion::default().complete(&matrix, plays, &trial))? else {
        return Ok(None);
    };
    if plays.is_empty() {
        // What is quantified before all universal variables is contradictory already: any play will do.
        plays.push(Vec::new());
    }
    let trial = with_looks(LOOKS_OF_THREE);
    Ok(within(&trial, refute(qbf, &plays, &trial))?.flatten())
}

/// `None` if the trial was over before.
fn within<T>(trial: &Control, found: Result<T, StopReason>) -> Result<Option<T>, StopReason> {
    match found {
        Err(StopReason::Nodes) if trial.looks_left() == Some(0) => Ok(None),
        found => found.map(Some),
    }
}

/// A refutation with these plays; `None` if somebody survives them. What a play does not mention is false in it.
///
/// # Errors
/// The reason to stop.
pub(super) fn refute(qbf: &Qbf, plays: &[Vec<Lit>], control: &Control) -> Result<Option<Refutation>, StopReason> {
    control.log(|| format!("trying a refutation from {} universal assignments", plays.len()));
    if plays.len().saturating_mul(qbf.matrix().num_lits()) > MOST_LITERALS {
        return Ok(None);
    }
    let mut copies = Copies::new(qbf);
    // What it takes to make the copies is known; looks are for the search.
    let unlimited = control.without_looks();
    let mut poller = unlimited.poller();
    for play in plays {
        poller.poll(0)?;
        if let Added::Refuted(last) = copies.add(play, &mut poller)? {
            return Ok(Some(copies.steps.restricted_to(last)));
        }
    }
    let vars = copies.num_vars();
    let Copies { told, mut steps, .. } = copies;
    let left = eliminate::eliminate(told, vars, &mut steps, &mut poller)?;
    let mut solver = Cdcl::with_proof();
    (0..vars).for_each(|_| {
        solver.new_var();
    });
    left.iter().for_each(|(clause, _)| solver.add_clause(clause));
    if solver.solve(&[], control)? {
        return Ok(None);
    }
    let Some(proof) = solver.proof() else { return Ok(None) };
    let added: Vec<u32> = left.iter().map(|(_, step)| step).collect();
    Ok(append(proof, &added, &mut steps).map(|last| steps.restricted_to(last)))
}

/// Appends what the empty clause rests on, given the steps of the clauses that the solver was told; returns its step.
fn append(proof: &Proof, added: &[u32], steps: &mut Refutation) -> Option<u32> {
    let last = proof.empty_clause()?;
    let mut used = vec![false; last as usize + 1];
    used[last as usize] = true;
    for step in (0..=last).rev() {
        if let (true, Origin::Resolved(first, links)) = (used[step as usize], proof.origin(step)) {
            used[first as usize] = true;
            links.iter().for_each(|&(other, _)| used[other as usize] = true);
        }
    }
    let mut here = vec![0; used.len()];
    for step in (0..=last).filter(|&step| used[step as usize]) {
        here[step as usize] = match proof.origin(step) {
            Origin::Added(number) => added[number],
            Origin::Resolved(first, []) => here[first as usize],
            Origin::Resolved(first, links) => {
                let others = links.iter().map(|&(other, _)| other);
                steps.resolve([first].into_iter().chain(others).map(|step| here[step as usize]))
            }
        };
    }
    Some(here[last as usize])
}
