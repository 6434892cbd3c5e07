//! Games with an order as quantified formulas: as true as the search says.

use gamesat::Problem;
use gamesat::control::Control;
use gamesat::encode::{EncodeError, Plies, Target, lower};
use gamesat::options::SequentialOptions;
use gamesat::rules::sequential::connect::Stones;
use gamesat::rules::sequential::strings::Strings;
use gamesat::rules::sequential::{Connect, Dots, Sequential};
use gamesat::solve::{Solver, Verdict};
use gamesat_games::sequential::Session;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn truth(game: &Sequential, plies: Plies) -> Verdict {
    let problem = Problem::Sequential(game.clone());
    let lowered = lower(&problem, Target::Clauses(plies), &Control::default()).unwrap();
    Solver::new(lowered.problem).solve().unwrap().verdict
}

fn within(depth: usize) -> Plies {
    Plies { depth: Some(depth), ..Plies::default() }
}

#[test]
fn connect_three_is_won_within_nine_plies_and_not_within_seven() {
    let game = Sequential::Connect(Connect::new(5, 3, 3).unwrap());
    assert_eq!(truth(&game, within(7)), Verdict::False);
    assert_eq!(truth(&game, within(9)), Verdict::True);
}

#[test]
fn connect_formulas_agree_with_the_search() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut seen = [0, 0];
    for _ in 0..60 {
        let (columns, rows) = (random.random_range(2..=4), random.random_range(2..=4));
        let mut board = Connect::new(columns, rows, random.random_range(2..=3)).unwrap();
        while columns * rows - board.count() > 6 && board.mover().is_some() {
            let moves = board.moves();
            board.play(moves[random.random_range(0..moves.len())]);
        }
        if board.mover().is_none() {
            continue;
        }
        let left = columns * rows - board.count();
        let depth = random.random_range(1..=left);
        let stones = Stones::<u64>::new(&board);
        let value =
            Session::new(&stones, &SequentialOptions::default(), 1).value(&stones, &Control::default()).unwrap().0;
        // A win with the last of n more stones counts half the cells that are left behind it, and one.
        let wins = value > 0 && (1..=depth).step_by(2).any(|n| (left - n) as i32 / 2 < value);
        assert_eq!(truth(&Sequential::Connect(board.clone()), within(depth)), Verdict::from(wins), "{}", board.draw());
        seen[usize::from(wins)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
}

#[test]
fn dots_formulas_agree_with_the_search() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut seen = [0, 0];
    for round in 0..40 {
        let mut dots = if round % 2 == 0 {
            Dots::board(1 + round % 4, 1).unwrap()
        } else {
            let ends = (0..5).map(|_| [Some(random.random_range(0..2)), None]).collect();
            Dots::graph(2, ends).unwrap()
        };
        while dots.moves().len() > 5 {
            let moves = dots.moves();
            dots.play(moves[random.random_range(0..moves.len())]);
        }
        let left = dots.coins() - dots.taken();
        if left == 0 {
            continue;
        }
        let threshold = random.random_range(1..=left);
        let strings = Strings::new(&dots);
        let value =
            Session::new(&strings, &SequentialOptions::default(), 1).value(&strings, &Control::default()).unwrap().0;
        let gets = (left as i32 + value) / 2 >= threshold as i32;
        let plies = Plies { threshold: Some(threshold), ..Plies::default() };
        assert_eq!(truth(&Sequential::Dots(dots.clone()), plies), Verdict::from(gets), "{dots:?} {threshold}");
        seen[usize::from(gets)] += 1;
        let beyond = Plies { threshold: Some(left + 1), ..Plies::default() };
        let problem = Problem::Sequential(Sequential::Dots(dots));
        let refused = lower(&problem, Target::Circuit(beyond), &Control::default());
        assert_eq!(refused.unwrap_err(), EncodeError::Threshold(left));
    }
    assert!(seen.iter().all(|&count| count > 4), "{seen:?}");
}
