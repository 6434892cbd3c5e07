//! The [cases](crate::formula::Aig::cases) that a certificate names, each looked at by itself.
//!
//! Functions that are a long list of rules are right for two reasons: some rule always applies, and each of them is right where it is
//! the first to apply. Whoever looks at the clauses one after the other has to find both again for every clause. Whoever knows the
//! cases finds the first once, by one SAT call, and the second for each case by propagation from it. Nothing is believed: cases that
//! are not shown to be all there are count for nothing, and neither do those in which too much is left to show.

use super::encoded::{Encoded, Unsettled};
use super::network::Network;
use super::propagation::Propagation;
use crate::control::{Control, Poller, StopReason};
use crate::formula::Lit;

/// Looks at the control that may be needed to see that the cases are all there are.
const LOOKS: u64 = 200_000;

/// Whether one of the cases always holds.
pub(super) fn is_exhaustive(
    solver: &mut Encoded<'_>,
    cases: &[Lit],
    poller: &mut Poller<'_>,
    control: &Control,
) -> Result<bool, StopReason> {
    let mut signals = cases.to_vec();
    if Network::simplify(&mut signals).is_none() {
        return Ok(true);
    }
    for case in solver.encode(&signals, poller)? {
        solver.sat.add_clause(&[!case]);
    }
    Ok(within(LOOKS, control, |control| solver.sat.solve(&[], control))? == Some(false))
}

/// What is found within some looks at the control; `None` if they are not enough.
pub(super) fn within(
    looks: u64,
    control: &Control,
    ask: impl FnOnce(&Control) -> Result<bool, StopReason>,
) -> Result<Option<bool>, StopReason> {
    match ask(&control.with_looks(looks)) {
        Ok(found) => Ok(Some(found)),
        Err(StopReason::Nodes) if control.stop_reason(0).is_none() => Ok(None),
        Err(reason) => Err(reason),
    }
}

/// Steps of propagation from a case, from a clause that is false in it, and of all together.
const CASE_STEPS: usize = 10_000_000;
const CLAUSE_STEPS: usize = 1_000_000;
const ALL_STEPS: usize = 300_000_000;

/// Clauses that may be false in some case for all that propagation shows, with the negation of that case: if they hold, so do the
/// clauses that were given. `None` if that is no progress.
pub(super) fn split(
    propagation: &mut Propagation<'_>,
    cases: &[Lit],
    clauses: &[Unsettled],
    poller: &mut Poller<'_>,
) -> Result<Option<Vec<Unsettled>>, StopReason> {
    let (mut open, mut left) = (Vec::new(), ALL_STEPS);
    for &case in cases {
        poller.poll(open.len() as u64)?;
        let granted = CASE_STEPS.min(left);
        let mut steps = granted;
        let is_possible = propagation.enter(case, &mut steps);
        left -= granted - steps;
        if is_possible {
            for (last, clause) in clauses {
                poller.poll(open.len() as u64)?;
                let granted = CLAUSE_STEPS.min(left);
                let mut steps = granted;
                let refuted = propagation.refutes_by_cases(clause, &mut steps);
                left -= granted - steps;
                if !refuted {
                    let mut clause = clause.clone();
                    clause.push(!case);
                    open.push((*last, clause));
                }
            }
        }
        propagation.leave();
        if left == 0 || open.len() > 64 + 4 * clauses.len() {
            return Ok(None);
        }
    }
    Ok(Some(open))
}

#[cfg(test)]
mod tests {
    use super::super::judge::Judge;
    use super::super::network::random::random_network;
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Random networks, clauses and cases, which are seldom all there are: that is found out, and then the clauses hold if and only if
    /// those hold that are left.
    #[test]
    fn cases_change_nothing() {
        let Ok(judge) = Judge::usual() else { return };
        let control = Control::default();
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let mut counts = [0; 3];
        for round in 0..3000 {
            let (network, open, vars) = random_network(&mut rng);
            let mut poller = control.poller();
            let mut pick = |most: usize| -> Vec<Lit> {
                (0..rng.random_range(1..=most))
                    .map(|_| network.signal(rng.random_range(0..vars), rng.random()))
                    .collect()
            };
            let clauses: Vec<Vec<Lit>> = (0..4).map(|_| pick(3)).collect();
            let cases = pick(6);
            // Every assignment, as a value of each signal.
            let values: Vec<Vec<bool>> =
                (0..1usize << open).map(|bits| network.values(|node| bits >> (node.index() - 1) & 1 == 1)).collect();
            let is_true = |values: &[bool], lit: Lit| values[lit.var().index()] != lit.is_negative();
            let holds = |clause: &[Lit]| values.iter().all(|values| clause.iter().any(|&lit| is_true(values, lit)));
            let mut solver = Encoded::new(&network, judge);
            let exhaustive = is_exhaustive(&mut solver, &cases, &mut poller, &control).unwrap();
            assert_eq!(exhaustive, holds(&cases), "round {round}");
            let given: Vec<Unsettled> = clauses.iter().map(|clause| (clause[0], clause.clone())).collect();
            let left = split(&mut Propagation::new(&network), &cases, &given, &mut poller).unwrap().unwrap();
            let right = clauses.iter().all(|clause| holds(clause));
            if exhaustive {
                assert_eq!(left.iter().all(|(_, clause)| holds(clause)), right, "round {round}");
            }
            counts[usize::from(exhaustive) + usize::from(exhaustive && right)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
    }
}
