//! One suite for every SAT backend: answers, models and failed assumptions are held to a truth table.

use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{Lit, Var};
use gamesat_sat::{Backend, SatBackend};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// Whether an assignment (bit per variable) satisfies all clauses.
fn satisfies(assignment: u32, clauses: &[Vec<Lit>]) -> bool {
    let holds = |lit: &Lit| (assignment >> lit.var().index() & 1 == 1) == lit.is_positive();
    clauses.iter().all(|clause| clause.iter().any(holds))
}

fn satisfiable(vars: usize, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    let units: Vec<Vec<Lit>> = assumptions.iter().map(|&lit| vec![lit]).collect();
    (0..1u32 << vars).any(|assignment| satisfies(assignment, clauses) && satisfies(assignment, &units))
}

fn random_lits(rng: &mut ChaCha8Rng, vars: usize, count: usize) -> Vec<Lit> {
    (0..count).map(|_| Var::from_index(rng.random_range(0..vars)).lit(rng.random())).collect()
}

/// Grows a random formula and asks after every few clauses, under random assumptions that often repeat a prefix of the
/// last ones (backends may keep state for that).
fn random_dialogue(backend: Backend, seed: u64, calls: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let control = Control::default();
    let mut solver = backend.create();
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    let mut vars = 0;
    let mut assumptions: Vec<Lit> = Vec::new();
    for _ in 0..calls {
        while vars < 3 || (vars < 11 && rng.random_ratio(1, 6)) {
            assert_eq!(solver.new_var().index(), vars);
            vars += 1;
        }
        for _ in 0..rng.random_range(0..4) {
            let length = if rng.random_ratio(1, 30) { 1 } else { [2, 2, 3, 3, 3, 4, 5][rng.random_range(0..7)] };
            let clause = random_lits(&mut rng, vars, length);
            if satisfiable(vars, &clauses, &[]) || rng.random_ratio(1, 10) {
                solver.add_clause(&clause);
                clauses.push(clause);
            }
        }
        let kept = rng.random_range(0..=assumptions.len());
        assumptions.truncate(kept);
        let count = rng.random_range(0..5);
        assumptions.extend(random_lits(&mut rng, vars, count));
        if rng.random_ratio(1, 3) {
            solver.set_phase(random_lits(&mut rng, vars, 1)[0]);
        }
        let limit = rng.random_ratio(1, 4).then_some(1);
        let Some(answer) = solver.solve_limited(&assumptions, limit, &control).unwrap() else {
            assert!(limit.is_some() && solver.capabilities().conflict_limit);
            continue;
        };
        assert_eq!(answer, satisfiable(vars, &clauses, &assumptions), "{} seed {seed}", backend.name());
        if answer {
            let model = (0..vars).fold(0, |set, v| set | u32::from(solver.value(Var::from_index(v).positive())) << v);
            assert!(satisfies(model, &clauses), "{} seed {seed}: not a model", backend.name());
            assert!(assumptions.iter().all(|&lit| (model >> lit.var().index() & 1 == 1) == lit.is_positive()));
        } else {
            let failed = solver.failed();
            let name = backend.name();
            assert!(failed.iter().all(|lit| assumptions.contains(lit)), "{name}: {failed:?} not in {assumptions:?}");
            assert!(
                !satisfiable(vars, &clauses, failed),
                "{} seed {seed}: {failed:?} of {assumptions:?} is not a core",
                backend.name()
            );
        }
    }
}

#[test]
fn random_dialogues() {
    for &backend in Backend::ALL {
        for seed in 0..300 {
            random_dialogue(backend, seed, 40);
        }
    }
}

#[test]
fn preferred_literals_are_false_only_where_they_must_be() {
    let control = Control::default();
    for (&backend, seed) in Backend::ALL.iter().flat_map(|backend| (0..300).map(move |seed| (backend, seed))) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut solver = backend.create();
        if !solver.capabilities().preferences {
            continue;
        }
        let vars = 9;
        (0..vars).for_each(|index| assert_eq!(solver.new_var().index(), index));
        let preferred: Vec<Lit> = (0..5).map(|v| Var::from_index(v).lit(rng.random())).collect();
        preferred.iter().for_each(|&lit| solver.decide_first(lit));
        let mut clauses = Vec::new();
        loop {
            let clause = random_lits(&mut rng, vars, 3);
            solver.add_clause(&clause);
            clauses.push(clause);
            let assumptions = random_lits(&mut rng, vars, 2);
            if solver.solve(&assumptions, &control).unwrap() {
                let (kept, lost): (Vec<Lit>, Vec<Lit>) = preferred.iter().partition(|&&lit| solver.value(lit));
                let other = |&lit: &Lit| satisfiable(vars, &clauses, &[&assumptions[..], &kept, &[lit]].concat());
                assert!(!lost.iter().any(other), "{} seed {seed}: {lost:?} need not be lost", backend.name());
            } else if !satisfiable(vars, &clauses, &[]) {
                break;
            }
        }
    }
}

#[test]
fn odd_clauses_and_assumptions() {
    let control = Control::default();
    for &backend in Backend::ALL {
        let mut solver = backend.create();
        assert!(solver.solve(&[], &control).unwrap(), "no clauses, no variables");
        let [a, b, c] = [0; 3].map(|_| solver.new_var().positive());
        solver.add_clause(&[a, !a]);
        solver.add_clause(&[b, b, c, b]);
        assert!(solver.solve(&[!b, !b, a, a], &control).unwrap());
        assert!(solver.value(c) && solver.value(a));
        assert!(!solver.solve(&[c, !b, b], &control).unwrap(), "contradictory assumptions");
        assert!(solver.failed().iter().all(|lit| [b, !b].contains(lit)));
        assert!(solver.solve(&[], &control).unwrap(), "assumptions hold for one call only");
        solver.add_clause(&[]);
        assert!(!solver.solve(&[], &control).unwrap());
        assert!(solver.failed().is_empty());
        assert!(!solver.solve(&[a], &control).unwrap(), "a contradiction stays");
    }
}

/// More pigeons than holes: exponential for resolution.
fn pigeons(solver: &mut dyn SatBackend, holes: usize) {
    let at: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| solver.new_var().positive()).collect()).collect();
    at.iter().for_each(|pigeon| solver.add_clause(pigeon));
    for (i, pigeon) in at.iter().enumerate() {
        for other in &at[..i] {
            pigeon.iter().zip(other).for_each(|(&here, &there)| solver.add_clause(&[!here, !there]));
        }
    }
}

#[test]
fn pigeons_do_not_fit() {
    for &backend in Backend::ALL {
        let mut solver = backend.create();
        pigeons(&mut *solver, 6);
        assert!(!solver.solve(&[], &Control::default()).unwrap(), "{}", backend.name());
    }
}

#[test]
fn a_long_call_stops_when_told() {
    for &backend in Backend::ALL {
        let mut solver = backend.create();
        pigeons(&mut *solver, 12);
        let started = Instant::now();
        let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
        let answer = solver.solve(&[], &Control::new(limits, Interrupt::new()));
        assert_eq!(answer, Err(StopReason::Time), "{}", backend.name());
        assert!(started.elapsed() < Duration::from_secs(2), "{}", backend.name());

        let interrupt = Interrupt::new();
        let control = Control::new(Limits::default(), interrupt.clone());
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            interrupt.trigger();
        });
        assert_eq!(solver.solve(&[], &control), Err(StopReason::Interrupted), "{}", backend.name());
        other.join().unwrap();
    }
}

#[test]
fn conflict_limits_are_kept_where_promised() {
    for &backend in Backend::ALL {
        let mut solver = backend.create();
        if solver.capabilities().conflict_limit {
            pigeons(&mut *solver, 10);
            assert_eq!(solver.solve_limited(&[], Some(50), &Control::default()), Ok(None), "{}", backend.name());
        }
    }
}

#[test]
fn backends_have_names() {
    assert!(Backend::ALL.iter().all(|&backend| Backend::from_name(backend.name()) == Some(backend)));
    assert_eq!(Backend::from_name("none"), None);
    assert_eq!(Backend::ALL[0], Backend::default());
}
