//! Decision diagrams against the naive evaluator, and their functions against truth tables.

use crate::support::certified::{any_qbf, certifying, hold_to_truth_table};
use gamesat::check::evaluate_qbf;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::statistics::Statistics;
use gamesat_qbf::engine::{QbfEngine, Wish};
use gamesat_qbf::matrix::Matrix;
use gamesat_qbf::symbolic::Symbolic;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn solve(qbf: &Qbf, control: &Control) -> Result<bool, StopReason> {
    let answer = Symbolic.solve(&Matrix::new(qbf), Wish::default(), control, &mut Statistics::default());
    answer.map(|answer| answer.verdict)
}

#[test]
fn verdicts_agree_with_the_definition() {
    let control = Control::default();
    let mut counts = [0; 2];
    for seed in 0..6_000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let qbf = any_qbf(&mut rng);
        let (expected, _) = evaluate_qbf(&qbf, &control).unwrap();
        assert_eq!(solve(&qbf, &control), Ok(expected), "seed {seed}: {qbf:?}");
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1_000), "{counts:?}");
}

#[test]
fn functions_win_every_play() {
    let mut counts = [0; 2];
    for seed in 10_000..13_000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let qbf = any_qbf(&mut rng);
        let (verdict, _) = hold_to_truth_table(&qbf, &Symbolic, &certifying(None));
        counts[usize::from(verdict)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

/// Clauses of five literals over one block.
fn scattered(vars: usize, clauses: usize) -> Qbf {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut prefix = Prefix::new();
    prefix.push_block(Quantifier::Exists, (0..vars).map(Var::from_index));
    let mut matrix = ClauseArena::new();
    for _ in 0..clauses {
        let clause: Vec<Lit> = (0..5).map(|_| Var::from_index(rng.random_range(0..vars)).lit(rng.random())).collect();
        matrix.push(&clause);
    }
    Qbf::new(&prefix, matrix).unwrap()
}

#[test]
fn what_grows_too_large_ends() {
    let control = Control::default();
    assert!(matches!(solve(&scattered(200, 1_500), &control), Err(StopReason::Unsupported(_))));
    let large = Matrix::new(&scattered(1_500, 6_000));
    assert!(!Symbolic.answers(&large, Wish::default()));
    let interrupt = Interrupt::new();
    interrupt.trigger();
    let stopped = solve(&scattered(200, 1_500), &Control::new(Limits::default(), interrupt));
    assert_eq!(stopped, Err(StopReason::Interrupted));
}
