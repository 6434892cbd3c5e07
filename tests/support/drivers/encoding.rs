//! Boards and games in every simpler form: rows, circuits and clauses, both encodings, bounded or not, claimed or not, both
//! sides as MAX.

use super::Case;
use crate::support::boards::{random_positions, value};
use crate::support::games::{Kind, random_game};
use crate::support::{ask, quantified};
use gamesat::Problem;
use gamesat::check::{evaluate_circuit, evaluate_game};
use gamesat::control::Control;
use gamesat::encode::{Encoding, Form, Lowered, Plies, Rows, Target, lower};
use gamesat::formula::Player;
use gamesat::rules::{Board, Ending};
use gamesat::solve::{Options, Verdict};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The most variables for which plain evaluation of a formula is quick.
const FEW: usize = 12;

/// Whether MAX wins, by what a lowered problem says.
fn max_wins(lowered: &Lowered, case: &mut Case) -> bool {
    let problem = &lowered.problem;
    case.problem(problem, &Options::default());
    let found = ask::solve(problem, &Options::default()).verdict == Verdict::True;
    match problem {
        Problem::Game(game) => {
            assert_eq!(found, evaluate_game(game, &Control::default()).unwrap().winner == Player::Max, "{game:?}");
        }
        Problem::Circuit(circuit) if circuit.prefix().vars().len() <= FEW => {
            assert_eq!(found, evaluate_circuit(circuit, &Control::default()).unwrap().0, "{circuit:?}");
        }
        // Definitions follow by propagation, so that only the moves are guessed.
        Problem::Qbf(qbf) if qbf.prefix().vars().len() <= 10 * FEW => {
            assert_eq!(found, quantified::is_true(qbf), "{qbf:?}");
        }
        _ => {}
    }
    lowered.verdict(found)
}

fn plies(random: &mut ChaCha8Rng) -> Plies {
    let encoding = if random.random() { Encoding::Explicit } else { Encoding::Lifted };
    let depth = random.random::<bool>().then(|| random.random_range(0..5));
    Plies { encoding, depth, as_claimed: random.random(), ..Plies::default() }
}

fn board(random: &mut ChaCha8Rng, board: &Board, case: &mut Case) {
    let target = match random.random_range(0..3) {
        0 if !board.has_plies() => {
            let form = if random.random() { Form::Cnf } else { Form::Dnf };
            Target::Rows(Rows { form: Some(form), ..Rows::default() })
        }
        1 => Target::Circuit(plies(random)),
        _ => Target::Clauses(plies(random)),
    };
    let bounded = match target {
        Target::Circuit(Plies { depth: Some(depth), .. }) | Target::Clauses(Plies { depth: Some(depth), .. }) => {
            board.clone().bounded(depth)
        }
        _ => board.clone(),
    };
    case.problem(&Problem::Board(board.clone()), &Options::default());
    // Of a race a formula says whether the claimant wins.
    let claimant_wins = value(&bounded).ending == Ending::Win(bounded.claimant());
    let expected = claimant_wins == (bounded.claimant() == bounded.max);
    match lower(&Problem::Board(board.clone()), target, &Control::default()) {
        Ok(lowered) => {
            assert_eq!(max_wins(&lowered, case), expected, "{target:?} of {board:?}");
            case.count(if expected { "max" } else { "min" });
        }
        Err(error) => {
            let is_lifted = matches!(
                target,
                Target::Circuit(Plies { encoding: Encoding::Lifted, .. })
                    | Target::Clauses(Plies { encoding: Encoding::Lifted, .. })
            );
            assert!(board.is_race() && is_lifted, "{error}: {target:?} of {board:?}");
            case.count("refused");
        }
    }
}

pub fn all(random: &mut ChaCha8Rng, case: &mut Case) {
    if random.random_range(0..3) == 0 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed][random.random_range(0..3)];
        let mut game = random_game(random, 4, kind);
        game.add_stars(random.random_range(0..2));
        let plies = Plies { depth: None, as_claimed: false, ..plies(random) };
        let forms = [None, Some(Form::Cnf), Some(Form::Dnf)];
        let rows = Rows { form: forms[random.random_range(0..3)], minimise: random.random(), ..Rows::default() };
        let expected = evaluate_game(&game, &Control::default()).unwrap().winner == Player::Max;
        let problem = Problem::Game(game);
        for target in [Target::Rows(rows), Target::Circuit(plies), Target::Clauses(plies)] {
            let lowered = lower(&problem, target, &Control::default()).unwrap();
            assert_eq!(max_wins(&lowered, case), expected, "{target:?} of {problem:?}");
        }
        case.count(if expected { "max" } else { "min" });
        return;
    }
    let mut boards = random_positions(random, 4);
    let mut position = boards.swap_remove(random.random_range(0..boards.len()));
    for _ in 0..2 {
        position.max = !position.max;
        board(random, &position, case);
    }
}
