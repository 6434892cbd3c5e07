//! Engines that take turns or race: whoever answers, the answer is right, and with one thread it is always the same one.

use crate::support::random_circuit::random_circuit_qbf;
use crate::support::random_qbf::random_qbf;
use gamesat::check::evaluate_qbf;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{ClauseArena, Prefix, Qbf, Quantifier, Var};
use gamesat::options::SimplifyOptions;
use gamesat::statistics::Statistics;
use gamesat_qbf::engine::{Answer, Form, Forms, Gentler, QbfEngine, Wish};
use gamesat_qbf::matrix::Matrix;
use gamesat_qbf::pipeline::{self, QbfOptions};
use gamesat_qbf::portfolio::Portfolio;
use gamesat_qbf::simplify::Reconstruction;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// Everybody plays from the beginning, and turns are short.
fn hasty(threads: usize) -> Portfolio {
    Portfolio { threads, trial: 1, second: 1, since: 0, alone: 0, turn: 1, ..Portfolio::default() }
}

fn solve(engine: &Portfolio, qbf: &Qbf, control: &Control) -> (Result<Answer, StopReason>, Statistics) {
    let mut wish = Wish::default();
    wish.outer_model = true;
    let mut statistics = Statistics::default();
    let answer = engine.solve(&Matrix::new(qbf), wish, control, &mut statistics);
    (answer, statistics)
}

/// Clauses of three existential literals and one universal, of blocks of the same size.
fn large(seed: u64, blocks: usize, vars: usize, clauses: usize) -> Qbf {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut prefix = Prefix::new();
    let mut members: [Vec<Var>; 2] = Default::default();
    for block in 0..blocks {
        let own: Vec<Var> = (block * vars..(block + 1) * vars).map(Var::from_index).collect();
        let quantifier = if (blocks - block) % 2 == 1 { Quantifier::Exists } else { Quantifier::Forall };
        members[quantifier as usize].extend(&own);
        prefix.push_block(quantifier, own);
    }
    let mut matrix = ClauseArena::new();
    for _ in 0..clauses {
        let from = [Quantifier::Exists, Quantifier::Exists, Quantifier::Exists, Quantifier::Forall];
        let clause = from.map(|owner| {
            let all = &members[owner as usize];
            all[rng.random_range(0..all.len())].lit(rng.random())
        });
        matrix.push(&clause);
    }
    Qbf::new(&prefix, matrix).unwrap()
}

#[test]
fn answers_are_right_with_one_thread_and_with_several() {
    let control = Control::default();
    for seed in 0..1500 {
        let qbf = random_qbf(seed);
        let (expected, _) = evaluate_qbf(&qbf, &control).unwrap();
        let engine = hasty(1 + seed as usize % 3);
        let answer = solve(&engine, &qbf, &control).0.unwrap();
        assert_eq!(answer.verdict, expected, "seed {seed}: {qbf:?}");
        let outermost = qbf.prefix().blocks().next().map(|block| block.quantifier == Quantifier::Exists);
        if outermost == Some(expected) {
            let rest = qbf.substitute(&answer.outer_model);
            assert_eq!(evaluate_qbf(&rest, &control).unwrap().0, expected, "seed {seed}: outer model of {qbf:?}");
        }
    }
}

/// With a look at every step everybody hears the others at once.
#[test]
fn what_engines_tell_each_other_is_true() {
    let control = Control::default();
    let busy = Control::new(Limits { nodes: Some(1 << 40), ..Limits::default() }, Interrupt::new());
    let (mut heard, mut unheard) = (0.0, 0.0);
    for seed in 0..400 {
        let qbf = large(seed, 5, 5, 40 + seed as usize % 40);
        let (expected, _) = evaluate_qbf(&qbf, &control).unwrap();
        let mut engine = hasty(1 + seed as usize % 3);
        let (answer, statistics) = solve(&engine, &qbf, &busy);
        let answer = answer.unwrap();
        assert_eq!(answer.verdict, expected, "seed {seed}: {qbf:?}");
        if expected {
            let rest = qbf.substitute(&answer.outer_model);
            assert!(evaluate_qbf(&rest, &control).unwrap().0, "seed {seed}: outer model of {qbf:?}");
        }
        heard += statistics.get("heard_by_qcdcl") + statistics.get("heard_by_abstraction");
        engine.options.sharing = false;
        let (_, statistics) = solve(&engine, &qbf, &busy);
        unheard += statistics.get("heard_by_qcdcl") + statistics.get("heard_by_abstraction");
    }
    assert!(heard > 50.0 && unheard == 0.0, "{heard} and {unheard} messages were heard");
}

/// Engines at work on two forms of one formula.
#[test]
fn gentler_forms_give_the_same_answer() {
    let control = Control::default();
    let mut options = QbfOptions::default();
    for seed in 0..4_000 {
        // Every second one with a simplifier that does nothing but eliminate, so that more is left to decide.
        if seed % 2 == 0 {
            let mut simplify = SimplifyOptions::none();
            simplify.elimination = true;
            options.simplify = Some(simplify);
        } else {
            options.simplify = Some(SimplifyOptions::default());
        }
        let qbf =
            if seed % 4 < 2 { random_circuit_qbf(&mut ChaCha8Rng::seed_from_u64(seed)) } else { random_qbf(seed) };
        let (expected, _) = evaluate_qbf(&qbf, &control).unwrap();
        let mut engine = hasty(1 + seed as usize % 3);
        // Every fifth one is tried as it is, every third one is not tried before elimination.
        engine.options.trial_literals = if seed % 5 == 0 { 0 } else { usize::MAX };
        engine.options.circuits_trial = seed % 3 > 0;
        engine.options.symbolic_literals = if seed % 7 == 0 { 0 } else { usize::MAX };
        engine.qcdcl.gentle_trial = seed % 11 > 4;
        let mut statistics = Statistics::default();
        let solution = pipeline::solve(&qbf, &[&engine], &options, &control, &mut statistics).unwrap();
        assert_eq!(solution.answer.verdict, expected, "seed {seed}: {qbf:?}");
    }
}

/// Where the one form is far too hard, the other decides.
#[test]
fn gentler_forms_get_their_turn() {
    let hard = large(1, 5, 250, 3000);
    for seed in 0..20 {
        let easy = random_qbf(seed);
        let (expected, _) = evaluate_qbf(&easy, &Control::default()).unwrap();
        let mut statistics = Statistics::default();
        let make = |_: &Control| Ok(Form { matrix: Matrix::new(&easy), reconstruction: Reconstruction::default() });
        let gentler = Gentler { blocks: 0, variables: 0, literals: 0, make: Box::new(make) };
        let forms = Forms { original: &hard, gentler: Some(gentler) };
        let engine = hasty(1 + seed as usize % 3);
        let (answer, form) = engine
            .solve_either(&Matrix::new(&hard), &forms, Wish::default(), &Control::default(), &mut statistics)
            .unwrap();
        assert_eq!(answer.verdict, expected, "seed {seed}");
        assert!(form.is_some(), "seed {seed}");
        assert!(statistics.entries().any(|(name, _)| name.starts_with("decided_by_gentle_")), "seed {seed}");
    }
}

#[test]
fn the_formula_as_it_was_given_gets_its_turn() {
    let hard = Matrix::new(&large(1, 5, 250, 3000));
    let mut count = 0;
    for seed in 0..100 {
        let easy = random_qbf(seed);
        if !(2..=3).contains(&easy.prefix().len()) {
            continue;
        }
        count += 1;
        let (expected, _) = evaluate_qbf(&easy, &Control::default()).unwrap();
        let mut statistics = Statistics::default();
        let forms = Forms { original: &easy, gentler: None };
        let engine = hasty(1 + seed as usize % 3);
        let (answer, form) =
            engine.solve_either(&hard, &forms, Wish::default(), &Control::default(), &mut statistics).unwrap();
        assert_eq!(answer.verdict, expected, "seed {seed}");
        assert!(form.is_some(), "seed {seed}");
        assert!(statistics.entries().any(|(name, _)| name == "decided_by_first_expansion"), "seed {seed}");
    }
    assert!(count > 10);
}

#[test]
fn one_thread_does_the_same_every_time() {
    for (blocks, vars, clauses) in [(3, 40, 330), (5, 20, 250)] {
        let qbf = large(1, blocks, vars, clauses);
        let counts = || {
            let (answer, statistics) = solve(&hasty(1), &qbf, &Control::default());
            let entries: Vec<(String, f64)> = statistics.entries().map(|(name, n)| (name.to_owned(), n)).collect();
            (answer.unwrap().verdict, entries)
        };
        let first = counts();
        // More than one of them was at work.
        assert!(first.1.iter().any(|(name, count)| name == "sat_calls" && *count > 0.0), "{first:?}");
        assert!(first.1.iter().any(|(name, count)| name == "qcdcl_decisions" && *count > 0.0), "{first:?}");
        assert_eq!(first, counts());
    }
}

#[test]
fn limits_and_interrupts_stop_everybody() {
    // Far too hard for anybody.
    let qbf = large(1, 5, 250, 3000);
    for threads in [1, 3] {
        let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
        let (answer, _) = solve(&hasty(threads), &qbf, &Control::new(limits, Interrupt::new()));
        assert_eq!(answer.unwrap_err(), StopReason::Time);
        let interrupt = Interrupt::new();
        let control = Control::new(Limits::default(), interrupt.clone());
        let later = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            interrupt.trigger();
        });
        assert_eq!(solve(&hasty(threads), &qbf, &control).0.unwrap_err(), StopReason::Interrupted);
        later.join().unwrap();
    }
}
