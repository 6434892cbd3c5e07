//! Proofs, and proofs of slightly different questions: another turn, a star more, the other side as MAX, a bound, another
//! claimant, another stone, a literal the other way round, another quantifier. A proof of the question itself must be
//! accepted, and whatever is accepted must be true.

use crate::support::ask;
use crate::support::boards::random_positions;
use crate::support::games::{Kind, random_game};
use crate::support::random_qbf::random_qbf;
use gamesat::Problem;
use gamesat::check::{Judge, Judgement};
use gamesat::control::Control;
use gamesat::formula::{
    Circuit, CircuitBuilder, ClauseArena, Game, GameMatrix, GateKind, Lit, Names, Prefix, Proof, Qbf,
    QuantifiedCircuit, Quantifier, Var,
};
use gamesat::options::Certificate;
use gamesat::rules::{Board, Schedule, Side};
use gamesat::solve::{Options, Question, Verdict, Wanted};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A problem and one that is nearly the same.
pub type Pair = (Problem, Problem);

/// Judges proofs of both problems as proofs of either.
pub fn judge_pair((problem, other): &Pair, own: &mut Tally, others: &mut Tally) {
    judge(problem, problem, own);
    judge(problem, other, others);
    judge(other, problem, others);
}

/// What plain evaluation says; `None` for a draw.
pub fn truth(problem: &Problem) -> Option<bool> {
    let mut naive = Options::default();
    naive.engine = Some("naive".to_owned());
    match ask::solve(problem, &naive).verdict {
        Verdict::True => Some(true),
        Verdict::False => Some(false),
        Verdict::Draw => None,
        other => panic!("{other:?}"),
    }
}

/// Proofs of the problem's verdict, of every kind, if there is an engine that gives them.
pub fn proofs(problem: &Problem) -> Vec<Proof> {
    let kinds: &[Certificate] = match problem {
        Problem::Qbf(_) => &[Certificate::Functions, Certificate::Steps],
        _ => &[Certificate::Any],
    };
    kinds.iter().filter_map(|&kind| proof_of_kind(problem, kind)).collect()
}

/// One of them.
pub fn proof(problem: &Problem) -> Option<Proof> {
    proofs(problem).pop()
}

fn proof_of_kind(problem: &Problem, kind: Certificate) -> Option<Proof> {
    let wanted = Wanted::default().and_certificate(kind);
    let mut options = Options::default();
    options.game.table = 1;
    let control = Control::default();
    let answer = gamesat::solve::ask(&Question { problem, wanted: &wanted }, &options, &control).ok()?;
    assert_eq!(answer.missing, None, "{problem:?}");
    Some(answer.proof.expect("it was asked for"))
}

/// How often proofs were accepted and rejected.
#[derive(Default, Debug)]
pub struct Tally {
    pub accepted: usize,
    pub rejected: usize,
}

/// Judges a proof of `other` as one of `problem`, with every judge of this build.
pub fn judge(problem: &Problem, other: &Problem, tally: &mut Tally) {
    let expected = truth(problem);
    for (proof, &judge) in proofs(other).iter().flat_map(|proof| Judge::ALL.iter().map(move |judge| (proof, judge))) {
        match judge.verify(problem, proof, &Control::default()).unwrap() {
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

/// A circuit of a few gates.
pub fn random_circuit(random: &mut ChaCha8Rng, inputs: usize) -> Circuit {
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
pub fn other_game(random: &mut ChaCha8Rng, game: &Game) -> Game {
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
            let flip = |rows: &ClauseArena, random: &mut ChaCha8Rng| {
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

/// Two games.
pub fn games(random: &mut ChaCha8Rng) -> Pair {
    let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed][random.random_range(0..3)];
    let mut game = random_game(random, 5, kind);
    if random.random_range(0..4) == 0 {
        let inputs = random.random_range(2..5);
        let mut circuit = Game::new(inputs, GameMatrix::Circuit(random_circuit(random, inputs))).unwrap();
        circuit.add_stars(random.random_range(0..3));
        circuit.turn = game.turn;
        game = circuit;
    }
    let other = Problem::Game(other_game(random, &game));
    (Problem::Game(game), other)
}

/// Two boards of every kind.
pub fn boards(random: &mut ChaCha8Rng) -> Vec<Pair> {
    let boards = random_positions(random, 6);
    boards
        .into_iter()
        .map(|board| {
            let other = Problem::Board(other_board(random, &board));
            (Problem::Board(board), other)
        })
        .collect()
}

/// Two formulas in clauses.
pub fn formulas(random: &mut ChaCha8Rng) -> Pair {
    let qbf = random_qbf(random.random());
    let other = Problem::Qbf(other_qbf(random, &qbf));
    (Problem::Qbf(qbf), other)
}

/// A quantified circuit.
pub fn random_quantified_circuit(random: &mut ChaCha8Rng) -> QuantifiedCircuit {
    let inputs = random.random_range(1..6);
    let mut prefix = Prefix::new();
    for input in 0..inputs {
        let quantifier = if random.random() { Quantifier::Exists } else { Quantifier::Forall };
        prefix.push_var(quantifier, Var::from_index(input));
    }
    QuantifiedCircuit::new(&prefix, random_circuit(random, inputs), Names::new()).unwrap()
}

/// Two quantified circuits.
pub fn circuits(random: &mut ChaCha8Rng) -> Pair {
    let formula = random_quantified_circuit(random);
    let (prefix, circuit) = (formula.prefix(), formula.circuit());
    let other = if random.random() {
        QuantifiedCircuit::new(&other_prefix(random, prefix), circuit.clone(), Names::new()).unwrap()
    } else {
        QuantifiedCircuit::new(prefix, random_circuit(random, circuit.inputs()), Names::new()).unwrap()
    };
    (Problem::Circuit(formula), Problem::Circuit(other))
}
