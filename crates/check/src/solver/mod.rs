//! The SAT solvers that judges ask. No engine uses them, so that a mistake of the engines' solver cannot hide behind the same
//! mistake here.

#[cfg(feature = "batsat")]
pub(crate) mod batsat;
#[cfg(feature = "varisat")]
pub(crate) mod varisat;

use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Var};

/// A SAT solver that is asked again and again, with more clauses and other assumptions each time.
pub(crate) trait SatSolver {
    /// A fresh variable: 0, 1, 2 and so on.
    fn new_var(&mut self) -> Var;

    /// Adds a clause over variables made by [`new_var`](Self::new_var). Repeated literals and tautologies are allowed.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Are the clauses satisfiable together with the assumptions?
    ///
    /// # Errors
    /// The reason to stop before the answer was known.
    fn solve(&mut self, assumptions: &[Lit], control: &Control) -> Result<bool, StopReason>;

    /// Whether the literal is true in the model; to be asked only after a satisfiable call. Of a variable that the model
    /// leaves open both literals may be called false.
    fn value(&self, lit: Lit) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Judge;
    use gamesat_core::control::{Interrupt, Limits};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::time::Duration;

    /// Every solver that a judge may ask, with its name.
    fn solvers() -> Vec<(&'static str, Box<dyn SatSolver>)> {
        Judge::ALL.iter().map(|judge| (judge.name(), judge.incremental())).collect()
    }

    fn satisfies(assignment: u32, clauses: &[Vec<Lit>]) -> bool {
        let holds = |lit: &Lit| (assignment >> lit.var().index() & 1 == 1) == lit.is_positive();
        clauses.iter().all(|clause| clause.iter().any(holds))
    }

    fn satisfiable(vars: usize, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
        let units: Vec<Vec<Lit>> = assumptions.iter().map(|&lit| vec![lit]).collect();
        (0..1u32 << vars).any(|assignment| satisfies(assignment, clauses) && satisfies(assignment, &units))
    }

    #[test]
    fn answers_and_models_are_those_of_truth_tables() {
        let control = Control::default();
        for seed in 0..200 {
            for (name, mut solver) in solvers() {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                let vars = 9;
                (0..vars).for_each(|index| assert_eq!(solver.new_var().index(), index));
                let mut lits = |count: usize| -> Vec<Lit> {
                    (0..count).map(|_| Var::from_index(random.random_range(0..vars)).lit(random.random())).collect()
                };
                let mut clauses = Vec::new();
                for call in 0..40 {
                    let clause = lits(3 - usize::from(call % 7 == 0));
                    solver.add_clause(&clause);
                    clauses.push(clause);
                    let assumptions = lits(call % 4);
                    let answer = solver.solve(&assumptions, &control).unwrap();
                    assert_eq!(answer, satisfiable(vars, &clauses, &assumptions), "{name} seed {seed}");
                    if answer {
                        let value = |v: usize| u32::from(solver.value(Var::from_index(v).positive()));
                        let model = (0..vars).fold(0, |set, v| set | value(v) << v);
                        let units: Vec<Vec<Lit>> = assumptions.iter().map(|&lit| vec![lit]).collect();
                        assert!(satisfies(model, &clauses) && satisfies(model, &units), "{name} seed {seed}");
                    }
                }
            }
        }
    }

    #[test]
    fn odd_clauses_and_assumptions() {
        let control = Control::default();
        for (name, mut solver) in solvers() {
            assert!(solver.solve(&[], &control).unwrap(), "{name}: no clauses, no variables");
            let [a, b, c] = [0; 3].map(|_| solver.new_var().positive());
            solver.add_clause(&[a, !a]);
            solver.add_clause(&[b, b, c, b]);
            assert!(solver.solve(&[!b, !b, a, a], &control).unwrap(), "{name}");
            assert!(solver.value(c) && solver.value(a), "{name}");
            assert!(!solver.solve(&[c, !b, b], &control).unwrap(), "{name}: contradictory assumptions");
            assert!(solver.solve(&[], &control).unwrap(), "{name}: assumptions hold for one call only");
            solver.add_clause(&[]);
            assert!(!solver.solve(&[], &control).unwrap(), "{name}");
            assert!(!solver.solve(&[a], &control).unwrap(), "{name}: a contradiction stays");
        }
    }

    /// More pigeons than holes take exponentially long by resolution.
    #[test]
    fn a_long_call_stops_when_told() {
        for (name, mut solver) in solvers() {
            let holes = 12;
            let at: Vec<Vec<Lit>> =
                (0..=holes).map(|_| (0..holes).map(|_| solver.new_var().positive()).collect()).collect();
            at.iter().for_each(|pigeon| solver.add_clause(pigeon));
            for (i, pigeon) in at.iter().enumerate() {
                for other in &at[..i] {
                    pigeon.iter().zip(other).for_each(|(&here, &there)| solver.add_clause(&[!here, !there]));
                }
            }
            let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
            let answer = solver.solve(&[], &Control::new(limits, Interrupt::new()));
            assert_eq!(answer, Err(StopReason::Time), "{name}");
        }
    }
}
