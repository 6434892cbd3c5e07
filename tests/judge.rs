//! The judge against brute force: a proof of the question itself is accepted, and whatever is accepted is true, also when the
//! proof was made for a slightly different question: another turn, a star more, the other side as MAX, a bound, another
//! claimant, another stone, a literal the other way round, another quantifier.

#[path = "support/ask.rs"]
#[allow(dead_code)]
mod ask;
mod common;
mod game_support;
#[path = "support/random_qbf.rs"]
#[allow(dead_code)]
mod random_qbf;

use ask::ask;
use common::boards::random_positions;
use game_support::{Kind, random_game};
use gamesat::Problem;
use gamesat::check::{Judge, Judgement};
use gamesat::control::Control;
use gamesat::formula::{
    Circuit, CircuitBuilder, Game, GameMatrix, GateKind, Lit, Names, Prefix, Proof, Qbf, QuantifiedCircuit, Quantifier,
    Var,
};
use gamesat::rules::{Board, Schedule, Side};
use gamesat::solve::{Options, Question, Verdict, Wanted};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What plain evaluation says; `None` for a draw.
fn truth(problem: &Problem) -> Option<bool> {
    let mut naive = Options::default();
    naive.engine = Some("naive".to_owned());
    match ask::solve(problem, &naive).verdict {
        Verdict::True => Some(true),
        Verdict::False => Some(false),
        Verdict::Draw => None,
        other => panic!("{other:?}"),
    }
}

/// A proof of the problem's verdict, if there is an engine that gives one.
fn proof(problem: &Problem) -> Option<Proof> {
    let wanted = Wanted::default().and_proof();
    let mut options = Options::default();
    options.game.table = 1;
    let control = Control::default();
    let answer = gamesat::solve::ask(&Question { problem, wanted: &wanted }, &options, &control).ok()?;
    assert_eq!(answer.missing, None, "{problem:?}");
    Some(answer.proof.expect("it was asked for"))
}

/// How often proofs were accepted and rejected.
#[derive(Default, Debug)]
struct Tally {
    accepted: usize,
    rejected: usize,
}

/// Judges a proof of `other` as one of `problem`, with every judge of this build.
fn judge(problem: &Problem, other: &Problem, tally: &mut Tally) {
    let Some(proof) = proof(other) else { return };
    let expected = truth(problem);
    for &judge in Judge::ALL {
        match judge.verify(problem, &proof, &Control::default()).unwrap() {
            Judgement::Accepted(verdict) => {
                assert_eq!(
                    Some(verdict),
                    expected,
                    "{} accepts {proof:?}\nof {other:?}\nfor {problem:?}",
                    judge.name()
                );
                tally.accepted += 1;
            }
            Judgement::Rejected(why) => {
                assert!(problem != other, "{} rejects {proof:?}\nof {problem:?}: {why}", judge.name());
                tally.rejected += 1;
            }
        }
    }
}

fn random_circuit(random: &mut ChaCha8Rng, inputs: usize) -> Circuit {
    let mut b = CircuitBuilder::new(inputs);
    let mut signals: Vec<Lit> = (0..inputs).map(|input| b.input(input)).collect();
    for _ in 0..random.random_range(1..6) {
        let mut pick = |_: usize| {
            let signal = signals[random.random_range(0..signals.len())];
            if random.random() { signal } else { !signal }
        };
        let operands: Vec<Lit> = (0..3).map(&mut pick).collect();
        let gate = match random.random_range(0..4) {
            0 => b.gate(GateKind::And, &operands[..2]),
            1 => b.gate(GateKind::Or, &operands),
            2 => b.gate(GateKind::Xor, &operands[..2]),
            _ => b.gate(GateKind::Ite, &operands),
        };
        signals.push(gate);
    }
    let output = signals[signals.len() - 1];
    b.finish(output)
}

/// A game with a small difference.
fn other_game(random: &mut ChaCha8Rng, game: &Game) -> Game {
    let mut other = game.clone();
    match random.random_range(0..5) {
        0 => other.turn = !other.turn,
        1 => other.add_stars(1),
        2 => other.add_stars(2),
        3 => {
            let free = (0..game.elements()).map(Var::from_index);
            let mut free = free.filter(|&var| !game.played().iter().any(|lit| lit.var() == var));
            if let Some(var) = free.next() {
                other.play(&[var.lit(random.random())]).unwrap();
            }
        }
        _ => {
            let flip = |rows: &gamesat::formula::ClauseArena, random: &mut ChaCha8Rng| {
                let mut rows = rows.clone();
                let count = rows.num_lits();
                if count > 0 {
                    let lit = &mut rows.lits_mut()[random.random_range(0..count)];
                    *lit = !*lit;
                }
                rows
            };
            other = match game.matrix() {
                GameMatrix::Cnf(rows) => game.with_matrix(GameMatrix::Cnf(flip(rows, random))),
                GameMatrix::Dnf(rows) => game.with_matrix(GameMatrix::Dnf(flip(rows, random))),
                GameMatrix::Circuit(circuit) => {
                    game.with_matrix(GameMatrix::Circuit(random_circuit(random, circuit.inputs())))
                }
            };
        }
    }
    other
}

#[test]
fn games_with_stars_and_circuits() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut own, mut others) = (Tally::default(), Tally::default());
    for number in 0..1500 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed][number % 3];
        let mut game = random_game(&mut random, 5, kind);
        if number % 4 == 0 {
            let inputs = random.random_range(2..5);
            let mut circuit = Game::new(inputs, GameMatrix::Circuit(random_circuit(&mut random, inputs))).unwrap();
            circuit.add_stars(random.random_range(0..3));
            circuit.turn = game.turn;
            game = circuit;
        }
        let other = Problem::Game(other_game(&mut random, &game));
        let game = Problem::Game(game);
        judge(&game, &game, &mut own);
        judge(&game, &other, &mut others);
        judge(&other, &game, &mut others);
    }
    assert!(own.accepted > 2000 && others.rejected > 1000 && others.accepted > 200, "{own:?} {others:?}");
}

/// A board with a small difference.
fn other_board(random: &mut ChaCha8Rng, board: &Board) -> Board {
    let mut other = board.clone();
    match random.random_range(0..6) {
        0 if board.schedule.is_none() => other.turn = !other.turn,
        0 | 1 => other.max = !other.max,
        2 => other.schedule = None,
        3 => other = other.bounded(random.random_range(1..4)),
        4 => {
            let plies: Vec<Side> = other.plies();
            let claimant = if random.random() { Side::First } else { Side::Second };
            other.schedule = Some(Schedule { plies, claimant });
        }
        _ => {
            if let Some(element) = board.free().next() {
                other.place(element, if random.random() { Side::First } else { Side::Second }).unwrap();
            }
        }
    }
    other
}

#[test]
fn boards_with_bounds_and_sides() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let (mut own, mut others) = (Tally::default(), Tally::default());
    for _ in 0..60 {
        for board in random_positions(&mut random, 6) {
            let other = Problem::Board(other_board(&mut random, &board));
            let board = Problem::Board(board);
            judge(&board, &board, &mut own);
            judge(&board, &other, &mut others);
            judge(&other, &board, &mut others);
        }
    }
    assert!(own.accepted > 300 && others.rejected > 200 && others.accepted > 50, "{own:?} {others:?}");
}

/// The formula with one quantifier, or one literal, the other way round.
fn other_qbf(random: &mut ChaCha8Rng, qbf: &Qbf) -> Qbf {
    if random.random() {
        let mut matrix = qbf.matrix().clone();
        let count = matrix.num_lits();
        if count > 0 {
            let lit = &mut matrix.lits_mut()[random.random_range(0..count)];
            *lit = !*lit;
        }
        return qbf.with_matrix(matrix);
    }
    Qbf::new(&other_prefix(random, qbf.prefix()), qbf.matrix().clone()).unwrap()
}

fn other_prefix(random: &mut ChaCha8Rng, prefix: &Prefix) -> Prefix {
    let vars: Vec<(Quantifier, Var)> = prefix.quantified().collect();
    let changed = random.random_range(0..vars.len().max(1));
    let mut other = Prefix::new();
    for (index, &(quantifier, var)) in vars.iter().enumerate() {
        other.push_var(if index == changed { !quantifier } else { quantifier }, var);
    }
    other
}

#[test]
fn formulas_and_circuits() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let (mut own, mut others) = (Tally::default(), Tally::default());
    for seed in 0..1500 {
        let qbf = random_qbf::random_qbf(seed);
        let other = Problem::Qbf(other_qbf(&mut random, &qbf));
        let qbf = Problem::Qbf(qbf);
        judge(&qbf, &qbf, &mut own);
        judge(&qbf, &other, &mut others);
    }
    for _ in 0..1000 {
        let inputs = random.random_range(1..6);
        let mut prefix = Prefix::new();
        for input in 0..inputs {
            let quantifier = if random.random() { Quantifier::Exists } else { Quantifier::Forall };
            prefix.push_var(quantifier, Var::from_index(input));
        }
        let circuit = random_circuit(&mut random, inputs);
        let new = |prefix: &Prefix, circuit: Circuit| QuantifiedCircuit::new(prefix, circuit, Names::new()).unwrap();
        let formula = Problem::Circuit(new(&prefix, circuit.clone()));
        let other = if random.random() {
            new(&other_prefix(&mut random, &prefix), circuit)
        } else {
            new(&prefix, random_circuit(&mut random, inputs))
        };
        judge(&formula, &formula, &mut own);
        judge(&formula, &Problem::Circuit(other), &mut others);
    }
    assert!(own.accepted > 4000 && others.rejected > 300 && others.accepted > 500, "{own:?} {others:?}");
}

/// A proof of one kind says nothing about a problem of another kind.
#[test]
fn kinds_do_not_mix() {
    let game: Problem = "x | y".parse().unwrap();
    let formula: Problem = "exists x: x".parse().unwrap();
    let board: Problem = "bridgit 2".parse().unwrap();
    let problems = [&game, &formula, &board];
    for (i, problem) in problems.iter().enumerate() {
        for (j, other) in problems.iter().enumerate() {
            let proof = proof(other).unwrap();
            let found = Judge::usual().unwrap().verify(problem, &proof, &Control::default()).unwrap();
            assert_eq!(matches!(found, Judgement::Accepted(_)), i == j, "{problem:?} {proof:?}");
        }
    }
    let wanted = Wanted::default();
    assert_eq!(ask(&game, &wanted, &Options::default(), &Control::default()).proof, None);
}
