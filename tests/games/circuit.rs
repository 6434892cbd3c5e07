//! Games that are searched as they stand, without normal forms: against exhaustive tabulation where they are small, and
//! by known results where they are wide.

use crate::support::games::{Kind, random_game, tabulate};
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{CircuitBuilder, ClauseArena, Game, GameMatrix, GateKind, Lit, Player, Rule, Var};
use gamesat::options::GameOptions;
use gamesat_check::steps::check_strategy;
use gamesat_games::colouring::{Question, Session, solve, solve_with_strategy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn few_nodes() -> Control {
    Control::new(Limits { nodes: Some(2_000), ..Limits::default() }, Interrupt::new())
}

#[test]
fn small_games_have_the_right_answers() {
    let mut random = ChaCha8Rng::seed_from_u64(41);
    for number in 0..6_000 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed, Kind::Mixed][number % 4];
        let mut game = random_game(&mut random, 6, kind);
        if game.elements() < 6 {
            game.add_stars(random.random_range(0..=6 - game.elements()));
        }
        let judge = tabulate(&game);
        let mut options = GameOptions::default();
        for name in ["rational", "mustplay", "order"] {
            options.set(name, random.random_range(0..3) > 0);
        }
        options.table = random.random_range(0..2);
        let mut session = Session::by_circuit(&game, &options).unwrap();
        let mut played = 0;
        for _ in 0..4 {
            let now = session.game().clone();
            let winner = judge.winner(now.played(), now.turn);
            let wins = |lit: Lit| {
                let mut after = now.clone();
                after.play(&[lit]).unwrap();
                judge.winner(after.played(), !now.turn) == now.turn
            };
            let all_moves = random.random();
            let answer = session.solve(Question { all_moves, ..Question::default() }, &Control::default()).unwrap();
            assert_eq!(answer.winner, winner, "{now:?}");
            assert!(answer.moves.iter().all(|&lit| wins(lit)), "{:?} {now:?}", answer.moves);
            if all_moves {
                let rational = judge.winning_moves(now.played(), now.turn);
                // Signs are those of the formula as it is written, so the colour may be another one.
                let listed = |lit: &Lit| answer.moves.iter().any(|other| other.var() == lit.var());
                assert!(rational.iter().all(listed), "{:?} {now:?}", answer.moves);
            } else {
                let expected = usize::from(winner == now.turn && now.uncoloured() > 0);
                assert_eq!(answer.moves.len(), expected, "{now:?}");
            }
            assert!(judge.is_trace(&answer.trace, now.played(), now.turn, winner), "{:?} {now:?}", answer.trace);
            if random.random_range(0..4) == 0 {
                assert_eq!(session.undo().is_some(), played > 0);
                played -= i32::from(played > 0);
            } else if now.uncoloured() > 0 {
                let free: Vec<Var> = (0..now.elements())
                    .map(Var::from_index)
                    .filter(|var| now.played().iter().all(|lit| lit.var() != *var))
                    .collect();
                let colour = if now.rule == Rule::Own { now.turn.colour() } else { random.random() };
                session.play(free[random.random_range(0..free.len())].lit(colour)).unwrap();
                played += 1;
            }
        }
    }
}

/// One gate over many inputs.
fn wide(kind: GateKind, inputs: usize, output: bool) -> Game {
    let mut builder = CircuitBuilder::new(inputs);
    let operands: Vec<Lit> = (0..inputs).map(|index| builder.input(index)).collect();
    let gate = builder.gate(kind, &operands);
    Game::new(inputs, GameMatrix::Circuit(builder.finish(if output { gate } else { !gate }))).unwrap()
}

/// A chain of equivalences, one after the other.
fn chain(inputs: usize) -> Game {
    let mut builder = CircuitBuilder::new(inputs);
    let mut equal = builder.input(0);
    for index in 1..inputs {
        equal = !builder.xor(equal, builder.input(index));
    }
    Game::new(inputs, GameMatrix::Circuit(builder.finish(equal))).unwrap()
}

#[test]
fn wide_gates_are_solved_at_once() {
    for inputs in [300, 5_000, 60_000, 60_001] {
        for turn in [Player::Max, Player::Min] {
            for (kind, winner) in [(GateKind::Or, Player::Max), (GateKind::And, Player::Min)] {
                let mut game = wide(kind, inputs, true);
                game.turn = turn;
                let answer = solve(&game, false, &GameOptions::default(), &few_nodes()).unwrap();
                assert_eq!((answer.winner, answer.moves.len()), (winner, usize::from(winner == turn)));
                assert!(answer.trace.len() <= 4 || inputs < 16_384, "{}", answer.trace.len());
            }
            // The last move decides a parity, whichever it is.
            for mut game in [wide(GateKind::Xor, inputs, true), wide(GateKind::Xor, inputs, false), chain(inputs)] {
                game.turn = turn;
                let answer = solve(&game, false, &GameOptions::default(), &few_nodes()).unwrap();
                assert_eq!(answer.winner, if inputs % 2 == 1 { turn } else { !turn });
            }
        }
    }
}

#[test]
fn clauses_in_a_circuit_are_rows() {
    // Two literals each: MAX answers in the same clause. Multiplied out there would be 2^200 terms.
    for clauses in [12, 200] {
        let mut builder = CircuitBuilder::new(2 * clauses);
        let rows: Vec<Lit> =
            (0..clauses).map(|i| builder.or(&[builder.input(2 * i), !builder.input(2 * i + 1)])).collect();
        let all = builder.and(&rows);
        let mut game = Game::new(2 * clauses, GameMatrix::Circuit(builder.finish(all))).unwrap();
        game.turn = Player::Min;
        let (answer, strategy) = solve_with_strategy(&game, false, &GameOptions::default(), &few_nodes()).unwrap();
        assert_eq!(answer.winner, Player::Max);
        assert_eq!(answer.statistics.get("cnf_rows"), clauses as f64);
        check_strategy(&game, &strategy.unwrap(), &Control::default()).unwrap();
    }
}

#[test]
fn limits_hold_where_there_is_no_normal_form() {
    // Parities of three, joined by "or", too many to be multiplied out and too hard to be searched.
    let mut builder = CircuitBuilder::new(90);
    let parts: Vec<Lit> = (0..30)
        .map(|i| {
            let operands = [3 * i, 3 * i + 1, (7 * i + 5) % 90].map(|index| builder.input(index));
            let odd = builder.gate(GateKind::Xor, &operands);
            builder.and(&[odd, builder.input((11 * i + 2) % 90)])
        })
        .collect();
    let all = builder.gate(GateKind::Xor, &parts);
    let game = Game::new(90, GameMatrix::Circuit(builder.finish(all))).unwrap();
    let stopped = solve(&game, false, &GameOptions::default(), &few_nodes());
    assert_eq!(stopped.unwrap_err(), StopReason::Nodes);
}

#[test]
fn moves_that_are_not_listed_are_counted() {
    let rows: ClauseArena = [[1, 2], [-1, -2]].map(|row| row.map(Lit::from_dimacs)).into_iter().collect();
    let elements = (1 << 31) - 1;
    let game = Game::new(elements, GameMatrix::Cnf(rows)).unwrap();
    // x1 != x2 with an odd number of elements: MAX passes.
    for mut session in [
        Session::new(&game, &GameOptions::default(), &Control::default()).unwrap(),
        Session::by_circuit(&game, &GameOptions::default()).unwrap(),
    ] {
        let all = Question { all_moves: true, ..Question::default() };
        let answer = session.solve(all, &Control::default()).unwrap();
        assert_eq!(answer.winner, Player::Max);
        assert_eq!(answer.moves.len() + answer.omitted, elements - 2);
        assert!(answer.omitted > 0);
    }
}
