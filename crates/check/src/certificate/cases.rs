//! The [cases](gamesat_core::formula::Aig::cases) that a certificate names, each looked at by itself.
//!
//! Functions that are a long list of rules are right for two reasons: some rule always applies, and each of them is right where it is
//! the first to apply. Whoever looks at the clauses one after the other has to find both again for every clause. A certificate names
//! signals, the first of which says that the first rule applies, the second that one of the first two does, and so on. Where the
//! first of them that holds is the i-th, it is the i-th rule that counts, and there propagation shows most clauses. That one of
//! them holds is found once, by one [SAT call](super::cover).
//!
//! The i-th case is found by bisection: is it among the first half or not, and so on. Whatever follows from such a question is found
//! once for all cases behind it: that no rule of the other half is the first. From case to case that would be as much work again as there
//! are rules. And what can be shown for a half needs no look at its cases.
//!
//! Nothing is believed: whatever the signals are, each is true or false, so that the cases are all there are together with the one in which
//! no signal holds. What propagation does not show in that one is left to the SAT call.

use super::encoded::Unsettled;
use super::propagation::{Propagation, Reach};
use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::Lit;

/// Steps of propagation from the answer to a question, and if a quick look at a case is enough; from a clause that is false in a case, and
/// in a half of them or at a quick look.
const CASE_STEPS: usize = 10_000_000;
const QUICK_STEPS: usize = 4_000;
const CLAUSE_STEPS: usize = 1_000_000;
const BESIDE_STEPS: usize = 20_000;
const HALF_STEPS: usize = 300;
/// Halves of fewer cases are not worth a look of their own.
const LARGE_HALF: usize = 16;

/// How to look at cases.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// Only at what a case says itself. One clause that this does not show is the end.
    Quick,
    /// At that, and at what follows beside the cases: not at what it means for the other cases. One clause that this does not show is the
    /// end.
    Beside,
    /// At everything that follows, with case distinctions.
    Thorough,
}

/// What is left to show after a look at each case.
pub(super) struct Left {
    /// Clauses, by index, that may be false in some case for all that propagation shows; and what they are in that case.
    pub(super) open: Vec<(usize, Unsettled)>,
    /// Clauses, by index, of which nothing is known where no signal holds.
    pub(super) beyond: Vec<usize>,
}

/// Looks at clauses in each case, as long as there are steps: if what is left holds, so do the clauses that were given. `None` if that
/// is no progress.
pub(super) fn split(
    propagation: &mut Propagation<'_>,
    cases: &[Lit],
    clauses: &[Unsettled],
    manner: Manner,
    steps: &mut usize,
    poller: &mut Poller<'_>,
) -> Result<Option<Left>, StopReason> {
    if manner == Manner::Beside {
        propagation.stay_beside(cases);
    }
    let left = Left { open: Vec::new(), beyond: Vec::new() };
    let mut split = Split { propagation, cases, clauses, manner, left, steps };
    Ok(split.visit_all(poller)?.then_some(split.left))
}

/// Cases from the first number to before the second, of which the last is the one in which no signal holds.
type Range = (usize, usize);

struct Split<'s, 'a> {
    propagation: &'s mut Propagation<'a>,
    cases: &'s [Lit],
    clauses: &'s [Unsettled],
    manner: Manner,
    left: Left,
    steps: &'s mut usize,
}

impl Split<'_, '_> {
    /// Visits all cases, unless that is no progress.
    fn visit_all(&mut self, poller: &mut Poller<'_>) -> Result<bool, StopReason> {
        // Halves to be visited: how many questions are answered before, the answer that leads there, its cases.
        let mut halves: Vec<(usize, Option<Lit>, Range)> = vec![(0, None, (0, self.cases.len() + 1))];
        // The clauses that are open behind each answer.
        let mut open: Vec<Vec<usize>> = vec![(0..self.clauses.len()).collect()];
        let mut pays = true;
        while pays && let Some((depth, answer, (first, end))) = halves.pop() {
            poller.poll(self.left.open.len() as u64)?;
            while open.len() > depth + 1 {
                open.pop();
                self.propagation.leave();
            }
            let is_case = first + 1 == end && end <= self.cases.len();
            if let Some(answer) = answer {
                let (reach, most) = match self.manner {
                    Manner::Quick if is_case => (Reach::Near, QUICK_STEPS),
                    Manner::Quick => (Reach::Near, CASE_STEPS),
                    Manner::Beside => (Reach::Beside, CASE_STEPS),
                    Manner::Thorough => (Reach::Far, CASE_STEPS),
                };
                let possible = self.spend(most, |propagation, steps| propagation.enter(answer, reach, steps));
                let mut still = Vec::new();
                let is_worth_a_look = is_case || end - first >= LARGE_HALF;
                for &index in open[depth].iter().filter(|_| possible) {
                    if !is_worth_a_look {
                        still.push(index);
                        continue;
                    }
                    poller.poll(self.left.open.len() as u64)?;
                    let clause = &self.clauses[index].1;
                    let refuted = match self.manner {
                        Manner::Thorough if is_case => {
                            self.spend(CLAUSE_STEPS, |propagation, steps| propagation.refutes_by_cases(clause, steps))
                        }
                        Manner::Beside => {
                            let most = if is_case { BESIDE_STEPS } else { HALF_STEPS };
                            self.spend(most, |it, steps| it.refutes_within(clause, Reach::Beside, steps))
                        }
                        _ => self.spend(HALF_STEPS, |propagation, steps| propagation.refutes(clause, steps)),
                    };
                    still.extend((!refuted).then_some(index));
                }
                open.push(still);
            }
            let (depth, here) = (open.len() - 1, &open[open.len() - 1]);
            if first + 1 < end && !here.is_empty() {
                let middle = first.midpoint(end);
                let among = self.cases[middle - 1];
                halves.push((depth, Some(!among), (middle, end)));
                halves.push((depth, Some(among), (first, middle)));
            } else if is_case {
                for &index in here {
                    let (last, mut clause) = self.clauses[index].clone();
                    clause.push(!self.cases[first]);
                    clause.extend(first.checked_sub(1).map(|before| self.cases[before]));
                    self.left.open.push((index, (last, clause)));
                }
            } else {
                self.left.beyond.clone_from(here);
            }
            pays = *self.steps > 0
                && (self.manner == Manner::Thorough || self.left.open.is_empty())
                && self.left.open.len() <= 64 + 4 * self.clauses.len();
        }
        (1..open.len()).for_each(|_| self.propagation.leave());
        Ok(pays)
    }

    /// Does something with some of the steps that are left.
    fn spend(&mut self, most: usize, work: impl FnOnce(&mut Propagation<'_>, &mut usize) -> bool) -> bool {
        let granted = most.min(*self.steps);
        let mut steps = granted;
        let found = work(self.propagation, &mut steps);
        *self.steps -= granted - steps;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::judge::Judge;
    use super::super::cover;
    use super::super::network::random::{holds_always, random_network};
    use super::*;
    use gamesat_core::control::Control;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Random networks, clauses and cases, which are seldom all there are: the clauses hold if and only if those hold that are left.
    #[test]
    fn cases_change_nothing() {
        let Ok(judge) = Judge::usual() else { return };
        let control = Control::default();
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let (mut counts, mut shown) = ([0; 3], [0; 3]);
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
            let holds = holds_always(&network, open);
            let last = cases[cases.len() - 1];
            let covered = cover::is_valid(&network, judge, last, &mut poller, &control).unwrap();
            assert_eq!(covered, holds(&[last]), "round {round}");
            let given: Vec<Unsettled> = clauses.iter().map(|clause| (clause[0], clause.clone())).collect();
            let right = clauses.iter().all(|clause| holds(clause));
            counts[0] += usize::from(right);
            for manner in [Manner::Quick, Manner::Beside, Manner::Thorough] {
                let (mut propagation, mut steps) = (Propagation::new(&network), 1 << 20);
                let left = split(&mut propagation, &cases, &given, manner, &mut steps, &mut poller).unwrap();
                // Only whoever looks at everything always has something to say.
                let Some(left) = left else {
                    assert!(manner != Manner::Thorough, "round {round}");
                    continue;
                };
                counts[1] += usize::from(!left.open.is_empty());
                counts[2] += usize::from(!left.beyond.is_empty());
                shown[manner as usize] += 1;
                let mut rest: Vec<Vec<Lit>> = left.open.into_iter().map(|(_, (_, clause))| clause).collect();
                rest.extend(left.beyond.iter().map(|&clause| [&clauses[clause][..], &[last]].concat()));
                assert_eq!(rest.iter().all(|clause| holds(clause)), right, "round {round}");
            }
        }
        assert!(counts.iter().chain(&shown).all(|&count| count > 30), "{counts:?} {shown:?}");
    }
}
