//! Clausal abstraction held to the naive evaluator: verdicts, outer models and certificates on random small formulas.

use crate::support::aiger;
use crate::support::ask;
use crate::support::random_circuit::random_circuit_qbf;
use crate::support::random_qbf::random_qbf;
use gamesat::check::evaluate_qbf;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::options::{AbstractionOptions, Functions};
use gamesat::problem::Problem;
use gamesat::solve::{Options, Wanted};
use gamesat::statistics::Statistics;
use gamesat_qbf::abstraction::Abstraction;
use gamesat_qbf::engine::{Answer, Missing, QbfEngine, Wish};
use gamesat_qbf::matrix::Matrix;
use gamesat_sat::Backend;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

fn solve(qbf: &Qbf, options: &AbstractionOptions, control: &Control) -> Result<Answer, StopReason> {
    solve_for(qbf, options, Functions::None, control)
}

fn solve_for(
    qbf: &Qbf,
    options: &AbstractionOptions,
    functions: Functions,
    control: &Control,
) -> Result<Answer, StopReason> {
    let mut wish = Wish::default();
    (wish.outer_model, wish.functions) = (true, functions);
    let engine = Abstraction { options: options.clone() };
    engine.solve(&Matrix::new(qbf), wish, control, &mut Statistics::default())
}

fn options(change: impl Fn(&mut AbstractionOptions)) -> AbstractionOptions {
    let mut options = AbstractionOptions::default();
    change(&mut options);
    options
}

fn differential(seeds: std::ops::Range<u64>, options: &AbstractionOptions) {
    differential_for(seeds, options, Functions::None);
}

fn differential_for(seeds: std::ops::Range<u64>, options: &AbstractionOptions, functions: Functions) {
    let control = Control::default();
    for seed in seeds {
        let qbf = random_qbf(seed);
        let (expected, witness) = evaluate_qbf(&qbf, &control).unwrap();
        let answer = solve_for(&qbf, options, functions, &control).unwrap();
        assert_eq!(answer.verdict, expected, "seed {seed}: {qbf:?}");
        // Another witness than the evaluator's will do, but there must be one for every variable, and it must win.
        assert_eq!(answer.outer_model.len(), witness.len(), "seed {seed}: {qbf:?}");
        let rest = qbf.substitute(&answer.outer_model);
        assert_eq!(evaluate_qbf(&rest, &control).unwrap().0, expected, "seed {seed}: outer model of {qbf:?}");
        match answer.functions {
            Ok(functions) => aiger::check_certificate(&qbf, expected, &aiger::text(&functions)),
            Err(missing) if functions == Functions::None => assert_eq!(missing, Missing::Unwanted),
            Err(missing) => assert!(!expected && functions == Functions::Skolem && missing == Missing::Lost),
        }
    }
}

#[test]
fn verdicts_and_outer_models() {
    differential(0..20_000, &AbstractionOptions::default());
}

#[test]
fn without_expansion_and_minimisation() {
    differential(20_000..24_000, &options(|o| o.copies = false));
    differential(24_000..28_000, &options(|o| o.reason_minimisation = false));
    differential(28_000..32_000, &options(|o| (o.copies, o.reason_minimisation) = (false, false)));
}

#[test]
fn certificates() {
    differential_for(32_000..36_000, &AbstractionOptions::default(), Functions::Skolem);
    differential_for(36_000..40_000, &AbstractionOptions::default(), Functions::Both);
}

#[test]
fn without_preferences() {
    differential(40_400..42_400, &options(|o| o.own_means = false));
    differential_for(42_400..44_400, &options(|o| o.own_means = false), Functions::Skolem);
}

/// Wins that rest on what is used of a circuit.
#[test]
fn circuits() {
    let with = options(|o| o.circuits = true);
    differential(50_400..56_400, &with);
    let control = Control::default();
    let mut counts = [0; 2];
    for seed in 0..6_000 {
        let qbf = random_circuit_qbf(&mut ChaCha8Rng::seed_from_u64(seed));
        let (expected, _) = evaluate_qbf(&qbf, &control).unwrap();
        assert_eq!(solve(&qbf, &with, &control).unwrap().verdict, expected, "seed {seed}: {qbf:?}");
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

/// The whole way: simplify, solve, and carry the outer model back.
#[test]
fn through_the_simplifier() {
    let control = Control::default();
    for seed in 44_400..50_400 {
        let qbf = random_qbf(seed);
        let (expected, witness) = evaluate_qbf(&qbf, &control).unwrap();
        let outcome =
            ask::ask(&Problem::Qbf(qbf.clone()), &Wanted::default().and_outer_model(), &Options::default(), &control);
        assert_eq!(outcome.statistics.engine, "portfolio");
        assert_eq!(outcome.verdict, expected.into(), "seed {seed}: {qbf:?}");
        let model = outcome.outer_model.unwrap();
        assert_eq!(model.len(), witness.len(), "seed {seed}: {qbf:?}");
        let rest = qbf.substitute(&model);
        assert_eq!(evaluate_qbf(&rest, &control).unwrap().0, expected, "seed {seed}: outer model of {qbf:?}");
    }
}

#[test]
fn other_backends() {
    for &backend in Backend::ALL {
        differential(40_000..40_400, &options(|o| o.backend = backend));
    }
}

fn chain(levels: usize) -> Qbf {
    // Each existential must equal the universal before it: true, and every level matters.
    let (mut prefix, mut clauses) = (Prefix::new(), ClauseArena::new());
    for i in 0..levels {
        let [a, e] = [2 * i, 2 * i + 1].map(Var::from_index);
        prefix.push_block(Quantifier::Forall, [a]);
        prefix.push_block(Quantifier::Exists, [e]);
        clauses.push(&[a.positive(), e.negative()]);
        clauses.push(&[a.negative(), e.positive()]);
    }
    Qbf::new(&prefix, clauses).unwrap()
}

#[test]
fn ten_thousand_alternations() {
    let answer = solve(&chain(5_000), &AbstractionOptions::default(), &Control::default()).unwrap();
    assert!(answer.verdict);
}

#[test]
fn stops_at_limits() {
    let qbf = chain(3_000);
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let stopped = solve(&qbf, &AbstractionOptions::default(), &Control::new(limits, Interrupt::new()));
    assert_eq!(stopped.unwrap_err(), StopReason::Nodes);
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let stopped = solve(&qbf, &AbstractionOptions::default(), &Control::new(limits, Interrupt::new()));
    assert_eq!(stopped.unwrap_err(), StopReason::Time);
}

#[test]
fn a_clause_that_skips_ten_thousand_levels() {
    // The chain, and one clause from the outermost to the innermost level.
    let long = chain(5_000);
    let mut clauses = long.matrix().clone();
    clauses.push(&[Lit::from_dimacs(1), Lit::from_dimacs(9_999), Lit::from_dimacs(10_000)]);
    let qbf = Qbf::new(long.prefix(), clauses).unwrap();
    let answer = solve(&qbf, &AbstractionOptions::default(), &Control::default()).unwrap();
    assert!(!answer.verdict);
    assert_eq!(answer.outer_model, [Lit::from_dimacs(-1)]);
}
