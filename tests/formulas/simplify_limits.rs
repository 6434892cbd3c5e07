//! Large and deep inputs: the simplifier keeps to its limits and to its stack.

use gamesat::Problem;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{ClauseArena, Prefix, Qbf, Quantifier, Var};
use gamesat::generate::generate;
use gamesat::options::SimplifyOptions;
use gamesat_qbf::simplify::simplify;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

#[test]
fn ten_thousand_alternations_need_no_call_stack() {
    // exists x0 forall u0 exists x1 forall u1 ..: each x can answer the u before it.
    const PAIRS: usize = 5_000;
    let mut prefix = Prefix::new();
    let mut matrix = ClauseArena::new();
    let (x, u) = (|i: usize| Var::from_index(2 * i), |i: usize| Var::from_index(2 * i + 1));
    for i in 0..PAIRS {
        prefix.push_block(Quantifier::Exists, [x(i)]);
        prefix.push_block(Quantifier::Forall, [u(i)]);
        if i > 0 {
            matrix.push(&[x(i).positive(), u(i - 1).negative(), x(i - 1).positive()]);
            matrix.push(&[x(i).negative(), u(i - 1).positive(), x(i - 1).negative()]);
        }
    }
    let qbf = Qbf::new(&prefix, matrix).unwrap();
    assert_eq!(qbf.prefix().len(), 2 * PAIRS);
    // The last existential variable can be resolved away, then the one before it, and so on outwards.
    assert_eq!(simplify(&qbf, &SimplifyOptions::default(), &Control::default()).verdict, Some(true));
}

#[test]
fn a_long_cycle_of_implications_is_one_literal() {
    const LENGTH: usize = 100_000;
    let lit = |i: usize| Var::from_index(i % LENGTH).positive();
    let mut matrix: ClauseArena = (0..LENGTH).map(|i| [!lit(i), lit(i + 1)]).collect();
    matrix.push(&[lit(0), lit(1), lit(2)]);
    matrix.push(&[!lit(0), !lit(LENGTH / 2), !lit(7)]);
    let qbf = Qbf::new(&Prefix::new(), matrix).unwrap();
    assert_eq!(simplify(&qbf, &SimplifyOptions::default(), &Control::default()).verdict, Some(false));
}

fn large(clauses: usize) -> Qbf {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let vars = clauses / 4;
    let mut prefix = Prefix::new();
    prefix.push_block(Quantifier::Exists, (0..vars / 2).map(Var::from_index));
    prefix.push_block(Quantifier::Forall, (vars / 2..vars / 2 + vars / 10).map(Var::from_index));
    prefix.push_block(Quantifier::Exists, (vars / 2 + vars / 10..vars).map(Var::from_index));
    let mut matrix = ClauseArena::new();
    for _ in 0..clauses {
        for _ in 0..3 {
            matrix.push_lit(Var::from_index(rng.random_range(0..vars)).lit(rng.random_bool(0.5)));
        }
        matrix.finish();
    }
    Qbf::new(&prefix, matrix).unwrap()
}

#[test]
fn a_time_limit_ends_a_large_run_within_a_second() {
    let qbf = large(200_000);
    let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
    let started = Instant::now();
    let simplified = simplify(&qbf, &SimplifyOptions::default(), &Control::new(limits, Interrupt::new()));
    // What is left to do after the limit: getting the formula out. Generous, because test machines are busy.
    assert!(started.elapsed() < Duration::from_secs(5), "took {:?}", started.elapsed());
    assert!(simplified.verdict.is_some() || simplified.stop == Some(StopReason::Time));
}

#[test]
fn an_interrupt_leaves_the_formula_as_it_was_read() {
    let qbf = large(2_000);
    let interrupt = Interrupt::new();
    interrupt.trigger();
    let simplified = simplify(&qbf, &SimplifyOptions::default(), &Control::new(Limits::default(), interrupt));
    assert_eq!(simplified.stop, Some(StopReason::Interrupted));
    assert_eq!(simplified.verdict, None);
    assert_eq!(simplified.formula, qbf);
}

#[test]
fn too_large_a_formula_is_returned_as_it_is() {
    let qbf = large(1_000);
    let mut options = SimplifyOptions::default();
    options.max_literals = 100;
    assert_eq!(simplify(&qbf, &options, &Control::default()).formula, qbf);
}

/// Effort is counted, not timed: two runs agree in every counter, whatever else the machine does.
#[test]
fn runs_repeat_exactly() {
    let mut options = SimplifyOptions::default();
    options.effort = 3_000_000; // ends in the middle
    for seed in 0..3 {
        let parameters = ["4000", "blocks=3", "vars=700", "exists=2", "forall=1"];
        let Problem::Qbf(qbf) = generate("random", &parameters, seed).unwrap().problem else { panic!() };
        let run = || {
            let simplified = simplify(&qbf, &options, &Control::default());
            let counters = simplified.statistics.entries().filter(|(name, _)| !name.ends_with("_seconds"));
            let counters: Vec<(String, f64)> = counters.map(|(name, value)| (name.to_owned(), value)).collect();
            (simplified.formula, simplified.verdict, counters)
        };
        assert_eq!(run(), run());
    }
}
