//! A clause that follows from a handful of others, derived by resolution: propagation, and case distinctions where that is not
//! enough.

use gamesat_core::formula::{Lit, Refutation};

/// A clause and the step that it is.
pub(super) type Known = (u32, Vec<Lit>);

/// A clause, all of whose literals are among those of `target`. `None` if there is none that follows.
pub(super) fn derive(target: &[Lit], clauses: &[Known], steps: &mut Refutation) -> Option<Known> {
    let mut trail: Vec<(Lit, Option<usize>)> = target.iter().map(|&lit| (!lit, None)).collect();
    refuted(clauses, &mut trail, steps)
}

/// A clause that is false under the trail's decisions, given that propagation and further decisions make one false.
fn refuted(clauses: &[Known], trail: &mut Vec<(Lit, Option<usize>)>, steps: &mut Refutation) -> Option<Known> {
    let start = trail.len();
    let conflict = propagate(clauses, trail);
    let found = match conflict {
        Some(conflict) => explain(conflict, clauses, &trail[start..], steps),
        None => {
            let is_known = |lit: &Lit| trail.iter().any(|(known, _)| known.var() == lit.var());
            let holds = |clause: &&Known| trail.iter().any(|(known, _)| clause.1.contains(known));
            let open = clauses.iter().filter(|clause| !holds(clause));
            let decision = open.flat_map(|(_, lits)| lits).copied().find(|lit| !is_known(lit))?;
            trail.push((!decision, None));
            let mut one = refuted(clauses, trail, steps)?;
            trail.truncate(trail.len() - 1);
            if one.1.contains(&decision) {
                trail.push((decision, None));
                let other = refuted(clauses, trail, steps)?;
                trail.truncate(trail.len() - 1);
                one = if other.1.contains(&!decision) { resolved(one, &other, decision, steps) } else { other };
            }
            // What was propagated before the decision is explained, too.
            resolve_away(one, clauses, &trail[start..], steps)
        }
    };
    trail.truncate(start);
    Some(found)
}

/// Propagates until a clause is false, and says which.
fn propagate(clauses: &[Known], trail: &mut Vec<(Lit, Option<usize>)>) -> Option<usize> {
    loop {
        let before = trail.len();
        for (index, (_, lits)) in clauses.iter().enumerate() {
            if lits.iter().any(|lit| trail.iter().any(|(known, _)| known == lit)) {
                continue;
            }
            let mut open = lits.iter().filter(|lit| !trail.iter().any(|(known, _)| *known == !**lit));
            match (open.next(), open.next()) {
                (None, _) => return Some(index),
                (Some(&unit), None) => trail.push((unit, Some(index))),
                _ => {}
            }
        }
        if trail.len() == before {
            return None;
        }
    }
}

fn explain(conflict: usize, clauses: &[Known], trail: &[(Lit, Option<usize>)], steps: &mut Refutation) -> Known {
    resolve_away(clauses[conflict].clone(), clauses, trail, steps)
}

/// Resolves a clause with the reasons of what was propagated, the last first.
fn resolve_away(
    (step, mut lits): Known,
    clauses: &[Known],
    trail: &[(Lit, Option<usize>)],
    steps: &mut Refutation,
) -> Known {
    let mut chain = vec![step];
    for &(lit, reason) in trail.iter().rev() {
        let (Some(reason), true) = (reason, lits.contains(&!lit)) else { continue };
        let (step, others) = &clauses[reason];
        chain.push(*step);
        lits.retain(|&other| other != !lit);
        lits.extend(others.iter().filter(|&&other| other != lit));
        lits.sort_unstable();
        lits.dedup();
    }
    (if chain.len() == 1 { step } else { steps.resolve(chain) }, lits)
}

fn resolved(one: Known, other: &Known, pivot: Lit, steps: &mut Refutation) -> Known {
    let step = steps.resolve([one.0, other.0]);
    let mut lits = one.1;
    lits.retain(|&lit| lit != pivot);
    lits.extend(other.1.iter().filter(|&&lit| lit != !pivot));
    lits.sort_unstable();
    lits.dedup();
    (step, lits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::{RefutationStep, Var};
    use std::collections::BTreeSet;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&number| Lit::from_dimacs(number)).collect()
    }

    /// Two gates (8 and 9) of every kind over the same inputs: each implies the other, by resolutions that are some.
    #[test]
    fn gates_with_the_same_definition_are_equal() {
        let conjunction: &[&[i32]] = &[&[8, -1, -2, -3], &[-8, 1], &[-8, 2], &[-8, 3]];
        let exclusive: &[&[i32]] = &[&[-8, 1, 2], &[-8, -1, -2], &[8, -1, 2], &[8, 1, -2]];
        let multiplexer: &[&[i32]] = &[&[-8, -1, 2], &[8, -1, -2], &[-8, 1, 3], &[8, 1, -3]];
        for gate in [conjunction, exclusive, multiplexer] {
            let mut steps = Refutation::new();
            steps.play(Vec::new());
            let mut known: Vec<Known> = Vec::new();
            for output in [8, 9] {
                for clause in gate {
                    let own: Vec<i32> =
                        clause.iter().map(|&lit| if lit.abs() == 8 { lit.signum() * output } else { lit }).collect();
                    known.push((steps.take(known.len() as u32, 0), lits(&own)));
                }
            }
            for target in [lits(&[-8, 9]), lits(&[8, -9])] {
                let (step, derived) = derive(&target, &known, &mut steps).expect("it follows");
                assert_eq!(derived.iter().collect::<BTreeSet<_>>(), target.iter().collect::<BTreeSet<_>>());
                assert_eq!(resolvents(&steps, &known)[step as usize], derived.into_iter().collect());
            }
            // What does not follow is not derived.
            assert_eq!(derive(&[Var::from_dimacs(8).positive()], &known, &mut steps), None);
        }
    }

    /// The clause of every step, which clashes in one variable only wherever it is resolved.
    fn resolvents(steps: &Refutation, known: &[Known]) -> Vec<BTreeSet<Lit>> {
        let mut clauses: Vec<BTreeSet<Lit>> = Vec::new();
        for step in steps.steps() {
            clauses.push(match step {
                RefutationStep::Clause { clause, .. } => known[clause as usize].1.iter().copied().collect(),
                RefutationStep::Resolvent(chain) => {
                    let mut left = clauses[chain[0] as usize].clone();
                    for &other in &chain[1..] {
                        let other = &clauses[other as usize];
                        let clashes: Vec<Lit> = other.iter().copied().filter(|&lit| left.contains(&!lit)).collect();
                        let &[pivot] = &clashes[..] else { panic!("{clashes:?}") };
                        left.remove(&!pivot);
                        left.extend(other.iter().filter(|&&lit| lit != pivot));
                    }
                    left
                }
            });
        }
        clauses
    }
}
