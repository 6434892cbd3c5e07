//! Variables that occur in few clauses go before the search: all resolvents take the place of their clauses (Davis and Putnam 1960; Eén and Biere,
//! "Effective preprocessing in SAT through variable and clause elimination", 2005). A resolvent is one step of the refutation, and clauses that are not
//! used any more cost nothing, so that this is free for whoever judges it.

use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::{Lit, Refutation, Var};

/// Clauses, each with the step that it is.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    lits: Vec<Lit>,
    /// Where each clause ends, and its step.
    ends: Vec<(u32, u32)>,
}

impl Clauses {
    pub(super) fn push(&mut self, lits: &[Lit], step: u32) {
        self.lits.extend_from_slice(lits);
        self.ends.push((self.lits.len() as u32, step));
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, index: usize) -> (&[Lit], u32) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, step) = self.ends[index];
        (&self.lits[start as usize..end as usize], step)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&[Lit], u32)> {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// Clauses with one literal of a variable that are too many, and resolvents that are too long.
const MANY: usize = 10;
const LONG: usize = 16;
/// Rounds over all variables.
const ROUNDS: usize = 3;

/// Clauses that cannot be satisfied if and only if these cannot, with fewer variables.
///
/// # Errors
/// The reason to stop.
pub(super) fn eliminate(
    clauses: Clauses,
    vars: usize,
    steps: &mut Refutation,
    poller: &mut Poller<'_>,
) -> Result<Clauses, StopReason> {
    let mut work = Work {
        is_there: vec![true; clauses.len()],
        occurrences: vec![Vec::new(); 2 * vars],
        clauses,
        mark: vec![false; 2 * vars],
    };
    for index in 0..work.clauses.len() {
        work.clauses.get(index).0.iter().for_each(|lit| work.occurrences[lit.code()].push(index as u32));
    }
    for _ in 0..ROUNDS {
        let mut candidates: Vec<(usize, Var)> =
            (0..vars).map(|var| (work.cost(Var::from_index(var)), Var::from_index(var))).collect();
        candidates.retain(|&(cost, _)| cost <= MANY * MANY);
        candidates.sort_unstable();
        let mut gone = 0;
        for (count, (_, var)) in candidates.into_iter().enumerate() {
            poller.poll(count as u64)?;
            gone += usize::from(work.eliminate(var, steps));
        }
        if gone == 0 {
            break;
        }
    }
    let mut rest = Clauses::default();
    for (index, (lits, step)) in work.clauses.iter().enumerate() {
        if work.is_there[index] {
            rest.push(lits, step);
        }
    }
    Ok(rest)
}

struct Work {
    clauses: Clauses,
    is_there: Vec<bool>,
    /// By literal: clauses with it, some of which are gone.
    occurrences: Vec<Vec<u32>>,
    /// Scratch, by literal.
    mark: Vec<bool>,
}

impl Work {
    fn cost(&self, var: Var) -> usize {
        let [positive, negative] = [var.positive(), var.negative()].map(|lit| self.occurrences[lit.code()].len());
        positive * negative
    }

    /// Replaces the clauses of a variable by their resolvents, unless that makes them more or longer. Whether it did.
    fn eliminate(&mut self, var: Var, steps: &mut Refutation) -> bool {
        for lit in [var.positive(), var.negative()] {
            let is_there = &self.is_there;
            self.occurrences[lit.code()].retain(|&index| is_there[index as usize]);
        }
        let [positive, negative] =
            [var.positive(), var.negative()].map(|lit| std::mem::take(&mut self.occurrences[lit.code()]));
        let found = self.resolvents(var, &positive, &negative);
        let Some(found) = found.filter(|_| !positive.is_empty() || !negative.is_empty()) else {
            self.occurrences[var.positive().code()] = positive;
            self.occurrences[var.negative().code()] = negative;
            return false;
        };
        for index in positive.into_iter().chain(negative) {
            self.is_there[index as usize] = false;
        }
        let mut start = 0;
        for (end, parents) in found.ends {
            let step = steps.resolve(parents);
            let (lits, number) = (&found.lits[start..end], self.clauses.len() as u32);
            self.clauses.push(lits, step);
            self.is_there.push(true);
            lits.iter().for_each(|lit| self.occurrences[lit.code()].push(number));
            start = end;
        }
        true
    }

    /// The resolvents; `None` if there are more than clauses, or if one is too long.
    fn resolvents(&mut self, var: Var, positive: &[u32], negative: &[u32]) -> Option<Resolvents> {
        if positive.len().min(negative.len()) > MANY || positive.len() + negative.len() > 2 * MANY {
            return None;
        }
        let most = positive.len() + negative.len();
        let mut found = Resolvents::default();
        for &one in positive {
            let (one, first) = self.clauses.get(one as usize);
            one.iter().for_each(|lit| self.mark[lit.code()] = true);
            let mut fits = true;
            for &other in negative {
                let (other, second) = self.clauses.get(other as usize);
                if other.iter().any(|&lit| lit != var.negative() && self.mark[(!lit).code()]) {
                    continue;
                }
                let start = found.lits.len();
                found.lits.extend(one.iter().filter(|&&lit| lit != var.positive()));
                found.lits.extend(other.iter().filter(|&&lit| lit != var.negative() && !self.mark[lit.code()]));
                let length = found.lits.len() - start;
                if length == 0 || length > LONG || found.ends.len() == most {
                    fits = false;
                    break;
                }
                found.ends.push((found.lits.len(), [first, second]));
            }
            one.iter().for_each(|lit| self.mark[lit.code()] = false);
            if !fits {
                return None;
            }
        }
        Some(found)
    }
}

#[derive(Default)]
struct Resolvents {
    lits: Vec<Lit>,
    /// Where each ends, and what it is made of.
    ends: Vec<(usize, [u32; 2])>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::control::Control;
    use gamesat_core::formula::RefutationStep;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeSet;

    fn is_satisfiable(clauses: &[BTreeSet<Lit>], vars: usize) -> bool {
        let is_true = |bits: usize, lit: &Lit| (bits >> lit.var().index() & 1 == 1) == lit.is_positive();
        (0..1usize << vars).any(|bits| clauses.iter().all(|clause| clause.iter().any(|lit| is_true(bits, lit))))
    }

    /// What is left can be satisfied if and only if what was there can, and each clause of it is the resolvent that its step says.
    #[test]
    fn resolvents_take_the_place_of_clauses() {
        let control = Control::default();
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let (mut counts, mut eliminated, mut resolved) = ([0; 2], 0, 0);
        for round in 0..3_000 {
            let vars: usize = rng.random_range(1..9);
            let (mut clauses, mut steps) = (Clauses::default(), Refutation::new());
            let play = steps.play(Vec::new());
            let mut known: Vec<BTreeSet<Lit>> = Vec::new();
            for number in 0..rng.random_range(0..5 * vars as u32) {
                let length = rng.random_range(1..5);
                let lits = (0..length).map(|_| Var::from_index(rng.random_range(0..vars)).lit(rng.random()));
                let lits: BTreeSet<Lit> = lits.collect();
                // Tautologies are nobody's clauses, but have a step.
                let step = steps.take(number, play);
                if !lits.iter().any(|&lit| lits.contains(&!lit)) {
                    clauses.push(&lits.iter().copied().collect::<Vec<Lit>>(), step);
                }
                known.push(lits);
            }
            let given: Vec<BTreeSet<Lit>> = clauses.iter().map(|(lits, _)| lits.iter().copied().collect()).collect();
            let left = eliminate(clauses, vars, &mut steps, &mut control.poller()).unwrap();
            for index in known.len()..steps.len() {
                let RefutationStep::Resolvent(&[one, other]) = steps.step(index) else { panic!("round {round}") };
                let (one, other) = (known[one as usize].clone(), known[other as usize].clone());
                let pivots: Vec<Lit> = one.iter().copied().filter(|&lit| other.contains(&!lit)).collect();
                let &[pivot] = &pivots[..] else { panic!("round {round}: {one:?} {other:?}") };
                known.push(one.union(&other).copied().filter(|lit| lit.var() != pivot.var()).collect());
                resolved += 1;
            }
            let rest: Vec<BTreeSet<Lit>> = left.iter().map(|(lits, _)| lits.iter().copied().collect()).collect();
            left.iter()
                .zip(&rest)
                .for_each(|((_, step), lits)| assert_eq!(known[step as usize], *lits, "round {round}"));
            let expected = is_satisfiable(&given, vars);
            assert_eq!(is_satisfiable(&rest, vars), expected, "round {round}");
            counts[usize::from(expected)] += 1;
            let occurring =
                |clauses: &[BTreeSet<Lit>]| clauses.iter().flatten().map(|lit| lit.var()).collect::<BTreeSet<_>>();
            eliminated += occurring(&given).len() - occurring(&rest).len();
        }
        assert!(
            counts.iter().all(|&count| count > 300) && eliminated > 3_000 && resolved > 3_000,
            "{counts:?} {eliminated} {resolved}"
        );
    }
}
