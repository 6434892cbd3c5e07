//! Unit propagation from gates to their operands: what is assumed of signals of a graph, and what follows for the signals they rest on.
//! It shows most clauses, those of definitions among them, and looks at nothing but the gates that it draws conclusions about.

use gamesat_core::formula::{Aig, Lit};

pub(super) struct Propagation<'a> {
    graph: &'a Aig,
    /// By literal: whether it is true. A literal that has no node in the graph may have a number beyond.
    is_true: Vec<bool>,
    trail: Vec<Lit>,
}

/// Looks at all gates that are false. What takes more is left to the SAT solver.
const ROUNDS: usize = 8;

/// Something is true and false.
struct Conflict;

impl<'a> Propagation<'a> {
    /// For signals of a graph, and so many others.
    pub(super) fn new(graph: &'a Aig, others: usize) -> Self {
        let mut is_true = vec![false; 2 * (graph.num_nodes() + others)];
        is_true[Aig::TRUE.code()] = true;
        Propagation { graph, is_true, trail: Vec::new() }
    }

    /// Whether it is seen that these signals are never false together.
    pub(super) fn shows_one_of(&mut self, signals: impl Iterator<Item = Lit>) -> bool {
        let refuted = self.assume_false(signals).is_err();
        for lit in self.trail.drain(..) {
            self.is_true[lit.code()] = false;
        }
        refuted
    }

    fn assume_false(&mut self, mut signals: impl Iterator<Item = Lit>) -> Result<(), Conflict> {
        signals.try_for_each(|signal| self.set(!signal))?;
        let mut looked_at = 0;
        for _ in 0..ROUNDS {
            // 1. What gates say that are true: both operands are.
            while let Some(&lit) = self.trail.get(looked_at) {
                looked_at += 1;
                if let Some(operands) = self.graph.operands(lit.var()).filter(|_| lit.is_positive()) {
                    operands.into_iter().try_for_each(|operand| self.set(operand))?;
                }
            }
            // 2. What gates say that are false: if one operand is true, the other is not.
            for index in 0..looked_at {
                let lit = self.trail[index];
                if let Some([left, right]) = self.graph.operands(lit.var()).filter(|_| lit.is_negative()) {
                    if self.is_true[left.code()] {
                        self.set(!right)?;
                    }
                    if self.is_true[right.code()] {
                        self.set(!left)?;
                    }
                }
            }
            if looked_at == self.trail.len() {
                break;
            }
        }
        Ok(())
    }

    fn set(&mut self, lit: Lit) -> Result<(), Conflict> {
        if self.is_true[(!lit).code()] {
            return Err(Conflict);
        }
        if !std::mem::replace(&mut self.is_true[lit.code()], true) {
            // The constant is never forgotten.
            self.trail.push(lit);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::Var;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// What is shown of random signals holds for all values of the inputs, and nothing is left over for the next question.
    #[test]
    fn what_is_shown_holds() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let [mut shown, mut hidden, mut wrong] = [0; 3];
        for round in 0..3_000 {
            let inputs = rng.random_range(1..6);
            let mut graph = Aig::new((0..inputs).map(Var::from_index).collect());
            let pick = |graph: &Aig, rng: &mut ChaCha8Rng| {
                Var::from_index(rng.random_range(0..graph.num_nodes())).lit(rng.random())
            };
            for _ in 0..rng.random_range(2..20) {
                let (left, right) = (pick(&graph, &mut rng), pick(&graph, &mut rng));
                graph.push_and(left, right);
            }
            let beyond = Var::from_index(graph.num_nodes()).positive();
            let mut propagation = Propagation::new(&graph, 1);
            for _ in 0..8 {
                let signals: Vec<Lit> = (0..rng.random_range(0..4)).map(|_| pick(&graph, &mut rng)).collect();
                let mut all = graph.clone();
                signals.iter().for_each(|&signal| all.output(Var::FIRST, signal));
                let is_true = |bits: usize| all.evaluate(|var| bits >> var.index() & 1 == 1).contains(&true);
                let holds = (0..1usize << inputs).all(is_true);
                let found = propagation.shows_one_of(signals.iter().copied());
                assert!(holds || !found, "round {round}: {signals:?} {graph:?}");
                *if found {
                    &mut shown
                } else if holds {
                    &mut hidden
                } else {
                    &mut wrong
                } += 1;
                assert_eq!(propagation.shows_one_of(signals.iter().copied().chain([beyond])), found, "round {round}");
                assert!(propagation.shows_one_of([beyond, !beyond].into_iter()), "round {round}");
            }
        }
        assert!(shown > 3_000 && hidden > 100 && wrong > 3_000, "{shown} {hidden} {wrong}");
    }
}
