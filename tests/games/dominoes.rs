//! Dominoes: the round against the definition, and the players. The vectors of the functions are in `domino_vectors.rs`.

use crate::support::switches::switches;
use gamesat::check::evaluate_sequential;
use gamesat::control::Control;
use gamesat::format::{Format, ReadError, ReadOptions, read, to_string};
use gamesat::play::players::{Setting, find, run};
use gamesat::rules::Side::{First as P1, Second as P2};
use gamesat::rules::sequential::dominoes::{Round, double_six};
use gamesat::rules::sequential::{Dominoes, Sequential};
use gamesat_games::sequential::Session;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// A round after some random moves from small hands.
fn round(random: &mut ChaCha8Rng) -> Dominoes {
    let mut set = double_six();
    set.shuffle(random);
    let scores = [random.random_range(0..20), random.random_range(0..20)];
    let (one, two) = (random.random_range(1..5), random.random_range(1..5));
    let hands = [set[..one].to_vec(), set[one..one + two].to_vec()];
    let turn = if random.random() { P1 } else { P2 };
    let row = if random.random() { vec![set[20]] } else { vec![] };
    Dominoes::round(hands, &row, scores, random.random_range(20..30), turn).unwrap()
}

#[test]
fn the_search_agrees_with_the_definition_under_every_subset_of_switches() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut seen = [0; 3];
    for number in 0..400 {
        let round = round(&mut random);
        if round.mover().is_none() {
            continue;
        }
        let right = evaluate_sequential(&Sequential::Dominoes(round.clone()), &Control::default()).unwrap();
        let options = switches(&mut random, number);
        let table = Round::new(&round, 0);
        let solved = Session::new(&table, &options, 1).solve(&table, None, true, &Control::default()).unwrap();
        let mut moves: Vec<(u16, i64)> = solved.moves.iter().map(|&(mv, value)| (mv, value.into())).collect();
        moves.sort_unstable();
        assert_eq!((i64::from(solved.value), moves), (right.value, right.moves), "{}", round.draw());
        seen[(right.value.signum() + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

/// The share of the first player, in percent.
fn share(one: &str, two: &str, games: usize) -> f64 {
    let game = Sequential::Dominoes(Dominoes::new(61));
    let setting = Setting { seed: 1, time: Duration::ZERO };
    let entries = [find(one).unwrap(), find(two).unwrap()];
    run(&game, entries, games, setting, 2, &Control::default()).unwrap().share()
}

#[test]
fn players_are_as_strong_as_they_should_be() {
    // Wide intervals: the right figures, from thousands of games, are in the benchmarks.
    assert!((40.0..60.0).contains(&share("random", "random", 200)));
    assert!(share("midway", "random", 150) > 90.0);
    assert!(share("smart", "random", 150) > 93.0);
    assert!(share("guesser", "random", 100) > 93.0);
}

#[test]
fn rounds_are_read_and_mistakes_refused() {
    let parse = |text: &str| match read(&mut text.as_bytes(), "t", &ReadOptions::default()) {
        Ok(parsed) => Ok(parsed.problem),
        Err(ReadError::Syntax(error)) => Err(error.to_string()),
        Err(error) => panic!("{error}"),
    };
    let text = "dominoes\ntarget 61\nscores 12 30\nturn B\nfirst 43 65\nsecond 21 66\nrow 34 44 45\n";
    let problem = parse("Dominoes\nrow 34 44 45\nsecond 66 12\nturn B\nfirst 65 43\nscores 12 30");
    // The tile 43 lies on the table already.
    assert!(problem.unwrap_err().contains("is there twice"));
    let text = text.replace("43 65", "42 65");
    let problem = parse(&text).unwrap();
    assert_eq!(to_string(&problem, Format::Dominoes).unwrap(), text);
    for (text, words) in [
        ("dominoes\nfirst 66 66", "the tile 66 is there twice"),
        ("dominoes\nfirst 71", "there is no tile 71"),
        ("dominoes\nfirst 6", "'6' is no tile"),
        ("dominoes\nrow 65 43", "the tile 43 does not match"),
        ("dominoes\nscores 61 0", "below the target"),
        ("dominoes\ntarget 0", "below the target"),
        ("dominoes\nturn A\nturn B", "turn is given twice"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.contains(words), "{error}: {words}");
    }
}
