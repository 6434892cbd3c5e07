//! Formulas that change between questions: clauses, blocks and levels that come and go, and assumptions, in random order. Every
//! answer is compared with the definition applied to the formula as it is, or with a solver that begins afresh.

use crate::support::random_qbf::random_qbf;
use gamesat::Problem;
use gamesat::check::evaluate_qbf;
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::solve::{Solver, Verdict, Wanted};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A formula by its parts, changed as a solver's is.
struct Mirror {
    prefix: Prefix,
    clauses: Vec<Vec<Lit>>,
    levels: Vec<usize>,
}

impl Mirror {
    fn new(qbf: &Qbf) -> Self {
        let clauses = qbf.matrix().iter().map(<[Lit]>::to_vec).collect();
        Mirror { prefix: qbf.prefix().clone(), clauses, levels: Vec::new() }
    }

    fn formula(&self) -> Qbf {
        let clauses: ClauseArena = self.clauses.iter().collect();
        Qbf::new(&self.prefix, clauses).unwrap()
    }

    fn vars(&self) -> Vec<Var> {
        self.formula().prefix().vars().to_vec()
    }

    /// Binds what the clauses have and the prefix has not, as the solver does at once.
    fn close(&mut self) {
        self.prefix = self.formula().prefix().clone();
    }
}

fn clause(rng: &mut ChaCha8Rng, vars: &[Var]) -> Vec<Lit> {
    (0..rng.random_range(1..=3)).map(|_| vars[rng.random_range(0..vars.len())].lit(rng.random())).collect()
}

#[test]
fn random_sequences_against_the_definition() {
    let mut kept = 0;
    for seed in 0..1500 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let qbf = random_qbf(seed);
        let mut mirror = Mirror::new(&qbf);
        let mut solver = Solver::from(qbf).with_memory();
        let mut next = Var::from_index(40);
        for step in 0..rng.random_range(4..14) {
            match rng.random_range(0..10) {
                0 | 1 => {
                    let mut vars = mirror.vars();
                    if rng.random_ratio(1, 6) || vars.is_empty() {
                        vars.push(next);
                        next = Var::from_index(next.index() + 1);
                    }
                    let clauses: Vec<Vec<Lit>> = (0..rng.random_range(1..3)).map(|_| clause(&mut rng, &vars)).collect();
                    solver.add_clauses(clauses.iter().map(Vec::as_slice)).unwrap();
                    mirror.clauses.extend(clauses);
                    mirror.close();
                }
                2 | 3 => {
                    solver.push().unwrap();
                    mirror.levels.push(mirror.clauses.len());
                }
                4 => {
                    let level = mirror.levels.pop();
                    assert_eq!(solver.pop(), level.is_some());
                    level.into_iter().for_each(|clauses| mirror.clauses.truncate(clauses));
                }
                5 if mirror.vars().len() < 12 => {
                    let quantifier = if rng.random() { Quantifier::Exists } else { Quantifier::Forall };
                    solver.add_block(quantifier, &[next]).unwrap();
                    assert!(solver.add_block(quantifier, &[next]).is_err());
                    mirror.prefix.push_var(quantifier, next);
                    next = Var::from_index(next.index() + 1);
                }
                _ => {}
            }
            let formula = mirror.formula();
            let Problem::Qbf(theirs) = solver.problem() else { panic!() };
            assert_eq!(
                (theirs.prefix(), theirs.matrix()),
                (formula.prefix(), formula.matrix()),
                "seed {seed} step {step}"
            );
            let outer = formula.prefix().blocks().next().map_or(Vec::new(), |block| block.vars.to_vec());
            let mut assumed: Vec<Lit> = outer.iter().map(|var| var.lit(rng.random())).collect();
            let share = [0.0, 0.3, 0.8][rng.random_range(0..3)];
            assumed.retain(|_| rng.random_bool(share));
            solver.assume(&assumed).unwrap();
            let rest = formula.substitute(&assumed);
            let expected = evaluate_qbf(&rest, &Control::default()).unwrap().0;
            let wanted = if rng.random() { Wanted::default().and_outer_model() } else { Wanted::default() };
            let answer = solver.ask(&wanted).unwrap();
            assert_eq!(answer.verdict, Verdict::from(expected), "seed {seed} step {step}: {assumed:?} {formula:?}");
            kept += u32::from(answer.statistics.engine == "qcdcl");
            if let Some(model) = answer.outer_model {
                let under = evaluate_qbf(&rest.substitute(&model), &Control::default()).unwrap().0;
                assert_eq!(
                    under, expected,
                    "seed {seed} step {step}: model {model:?} under {assumed:?} of {formula:?}"
                );
                assert!(model.iter().all(|lit| outer.contains(&lit.var())), "seed {seed} step {step}");
                let lacks = |lit: &Lit| !model.contains(lit);
                assert!(
                    model.is_empty() || !assumed.iter().any(lacks),
                    "seed {seed} step {step}: {model:?} {assumed:?}"
                );
            }
        }
    }
    assert!(kept > 5_000, "only {kept} answers came from what was kept");
}

/// Larger formulas, where much is learnt between questions.
#[test]
fn longer_sequences_against_solvers_that_begin_afresh() {
    let mut verdicts = [0; 2];
    for seed in 0..12 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut prefix = Prefix::new();
        let var = Var::from_index;
        prefix.push_block(Quantifier::Exists, (0..12).map(var));
        prefix.push_block(Quantifier::Forall, (12..18).map(var));
        prefix.push_block(Quantifier::Exists, (18..36).map(var));
        let existential: Vec<Var> = (0..12).chain(18..36).map(var).collect();
        let random_clause = |rng: &mut ChaCha8Rng| {
            let mut lits: Vec<Lit> =
                (0..3).map(|_| existential[rng.random_range(0..existential.len())].lit(rng.random())).collect();
            lits.push(var(rng.random_range(12..18)).lit(rng.random()));
            lits
        };
        let clauses: ClauseArena = (0..140).map(|_| random_clause(&mut rng)).collect();
        let mut solver = Solver::from(Qbf::new(&prefix, clauses).unwrap()).with_memory();
        for _ in 0..25 {
            match rng.random_range(0..3) {
                0 => solver.add_clause(&random_clause(&mut rng)).unwrap(),
                1 => {
                    solver.push().unwrap();
                    (0..3).for_each(|_| solver.add_clause(&random_clause(&mut rng)).unwrap());
                }
                _ => {
                    solver.pop();
                }
            }
            let assumed: Vec<Lit> = (0..rng.random_range(0..6)).map(|index| var(2 * index).lit(rng.random())).collect();
            solver.assume(&assumed).unwrap();
            let mut fresh = Solver::new(solver.problem().clone());
            fresh.assume(&assumed).unwrap();
            let (answer, expected) = (solver.solve().unwrap().verdict, fresh.solve().unwrap().verdict);
            assert_eq!(answer, expected, "seed {seed}");
            verdicts[usize::from(expected == Verdict::True)] += 1;
        }
    }
    assert!(verdicts.iter().all(|&count| count > 20), "{verdicts:?}");
}
