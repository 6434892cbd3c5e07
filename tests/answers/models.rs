//! Every winning choice of the outermost block: each in exactly one cube, and nothing else in any.

use crate::support::cubes::{assignments, compare};
use crate::support::random_qbf::random_qbf;
use gamesat::check::evaluate_qbf;
use gamesat::control::Control;
use gamesat::formula::{Lit, Quantifier, Var};
use gamesat::solve::{Limits, Refusal, Solver, SolverError, StopReason, Verdict, Wanted};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn of_random_formulas() {
    let (mut models, mut cubes) = ([0, 0], [0, 0]);
    for seed in 0..6000 {
        let qbf = random_qbf(seed);
        let mut solver = Solver::from(qbf.clone());
        let outer = qbf.prefix().blocks().next();
        let found = solver.outer_models().unwrap();
        let is_existential = outer.as_ref().is_none_or(|block| block.quantifier == Quantifier::Exists);
        let vars = outer.map_or(Vec::new(), |block| block.vars.to_vec());
        let wins =
            |model: &[Lit]| evaluate_qbf(&qbf.substitute(model), &Control::default()).unwrap().0 == is_existential;
        models[usize::from(is_existential)] += compare(&vars, &found, wins, &format!("seed {seed}: {qbf:?}"));
        cubes[usize::from(is_existential)] += found.len();
        let answer = solver.ask(&Wanted::default().and_all_models()).unwrap();
        assert_eq!(answer.verdict == Verdict::from(is_existential), !found.is_empty());
    }
    for (models, cubes) in models.into_iter().zip(cubes) {
        assert!(cubes > 1000 && models > cubes, "{models} models in {cubes} cubes");
    }
}

/// What is assumed, some or all of the block, is part of every model, and the next block is not asked about.
#[test]
fn under_assumptions() {
    let (mut models, mut whole) = ([0, 0], 0);
    for seed in 0..2000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let qbf = random_qbf(seed);
        let Some(block) = qbf.prefix().blocks().next() else { continue };
        let is_existential = block.quantifier == Quantifier::Exists;
        let vars = block.vars.to_vec();
        let share = [0.3, 0.7, 1.0][rng.random_range(0..3)];
        let mut assumed: Vec<Lit> = vars.iter().map(|var| var.lit(rng.random())).collect();
        assumed.retain(|_| rng.random_bool(share));
        whole += usize::from(assumed.len() == vars.len());
        if rng.random_range(0..8) == 0 {
            // The same again, or the contrary, with which no choice agrees.
            assumed.extend(assumed.first().map(|&lit| if rng.random() { lit } else { !lit }));
        }
        let agrees = |model: &[Lit]| assumed.iter().all(|lit| model.contains(lit));
        let wins = |model: &[Lit]| {
            agrees(model) && evaluate_qbf(&qbf.substitute(model), &Control::default()).unwrap().0 == is_existential
        };
        let mut solver = Solver::from(qbf.clone());
        solver.assume(&assumed).unwrap();
        let found = solver.outer_models().unwrap();
        assert!(found.iter().all(|cube| agrees(cube)), "seed {seed}: {found:?} under {assumed:?}");
        let what = format!("seed {seed}: {qbf:?} under {assumed:?}");
        models[usize::from(is_existential)] += compare(&vars, &found, wins, &what);
        // One model, which is one of these.
        solver.assume(&assumed).unwrap();
        let model = solver.ask(&Wanted::default().and_outer_model()).unwrap().outer_model.unwrap();
        let has_one = assignments(&vars).any(|model| wins(&model));
        assert_eq!(!model.is_empty(), has_one, "{what}: {model:?}");
        assert!(!has_one || agrees(&model), "{what}: {model:?}");
        assert!(model.iter().all(|lit| vars.contains(&lit.var())), "{what}: {model:?}");
    }
    assert!(models.iter().all(|&count| count > 200) && whole > 400, "{models:?} {whole}");
}

/// A formula may have the variable with the largest number there is, and clauses that get a new one on the way.
#[test]
fn with_the_largest_variable() {
    let text = format!("p cnf 3 1\na 1 2 0\ne 3 {} 0\n1 2 0\n", i32::MAX);
    let found = Solver::new(gamesat::parse(&text).unwrap()).outer_models().unwrap();
    assert_eq!(found, [[-1, -2].map(Lit::from_dimacs)]);
}

/// Only quantified formulas have an outermost block.
#[test]
fn of_a_game_there_are_none() {
    let mut solver = Solver::new(gamesat::parse("p gamesat cnf 2 1\n1 2 0\n").unwrap());
    assert!(matches!(solver.outer_models(), Err(SolverError::Refused(Refusal::Wish { .. }))));
}

/// The gates of a circuit are no part of its models, also where they share the only block.
#[test]
fn of_random_circuits() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut count = 0;
    for round in 0..400 {
        let names = ["a", "b", "c", "d", "e"];
        let mut parts: Vec<String> = names.map(str::to_owned).to_vec();
        for _ in 0..rng.random_range(2..8) {
            let pick = |rng: &mut ChaCha8Rng, parts: &[String]| parts[rng.random_range(0..parts.len())].clone();
            let (left, right) = (pick(&mut rng, &parts), pick(&mut rng, &parts));
            let operator = ["&", "|", "==", "^"][rng.random_range(0..4)];
            let sign = if rng.random() { "!" } else { "" };
            parts.push(format!("{sign}({left} {operator} {right})"));
        }
        let body = parts.last().unwrap();
        let prefix = ["exists a b c d e", "exists a b c forall d exists e"][round % 2];
        let outer: Vec<Var> = (0..if round % 2 == 0 { 5 } else { 3 }).map(Var::from_index).collect();
        let read =
            |body: &str| Solver::new(gamesat::parse(&format!("{prefix}: {body} & (a|!a) & (b|!b) & (c|!c)")).unwrap());
        let found = read(body).outer_models().unwrap();
        let is_model = |model: &[Lit]| {
            let fixed = model.iter().map(|lit| {
                let sign = if lit.is_positive() { "" } else { "!" };
                format!(" & {sign}{}", names[lit.var().index()])
            });
            let body = format!("({body}){}", fixed.collect::<String>());
            read(&body).solve().unwrap().verdict == Verdict::True
        };
        count += compare(&outer, &found, is_model, body);
    }
    assert!(count > 500, "{count}");
}

#[test]
fn what_was_found_before_a_limit_is_kept() {
    let text = format!("p cnf 24 1\ne {} 0\n1 2 0\n", (1..=24).map(|n| n.to_string()).collect::<Vec<_>>().join(" "));
    let mut solver = Solver::new(gamesat::parse(&text).unwrap());
    assert_eq!(solver.outer_models().unwrap().len(), 2);
    // Parities have nothing to leave out: so many models, so many cubes.
    let mut clauses = String::new();
    (1..=60).step_by(2).for_each(|n| clauses += &format!("{n} {} 0\n-{n} -{} 0\n", n + 1, n + 1));
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let mut solver = Solver::new(gamesat::parse(&format!("p cnf 60 60\n{clauses}")).unwrap()).with_limits(limits);
    let answer = solver.ask(&Wanted::default().and_all_models()).unwrap();
    assert_eq!((answer.verdict, answer.missing), (Verdict::True, Some(StopReason::Nodes)));
    assert!(answer.outer_models.unwrap().len() > 100);
}
