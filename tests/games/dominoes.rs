//! Dominoes: the 74 vectors of the functions, the round against the definition, and the players.

use End::{Left as L, Right as R};
use gamesat::check::evaluate_sequential;
use gamesat::control::Control;
use gamesat::format::{Format, ReadError, ReadOptions, read, to_string};
use gamesat::internals::sequential::Session;
use gamesat::options::SequentialOptions;
use gamesat::play::players::{Setting, find, run};
use gamesat::rules::Side::{self, First as P1, Second as P2};
use gamesat::rules::sequential::dominoes::{End, Laid, Round, Row, Tile, average_pip, double_six, oriented};
use gamesat::rules::sequential::{Dominoes, Sequential};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

fn s(left: Tile, right: Tile) -> Row {
    Row::ends(left, right)
}

fn state(left: Tile, right: Tile, history: &[Laid]) -> Row {
    Row::Tiles { left, right, history: history.to_vec() }
}

const HA: [Laid; 3] = [((1, 5), P1, 2), ((5, 4), P1, 0), ((4, 4), P2, 1)];
const HB: [Laid; 3] = [((5, 4), P1, 0), ((4, 4), P2, 1), ((4, 5), P1, 2)];
const HC: [Laid; 3] = [((0, 3), P1, 2), ((3, 1), P2, 1), ((1, 1), P1, 0)];
const HK: [Laid; 5] = [((0, 3), P1, 3), ((3, 4), P2, 2), ((4, 4), P1, 0), ((4, 5), P2, 1), ((5, 2), P1, 4)];

fn v1() -> (Row, Vec<Tile>) {
    let history = [((3, 5), P2, 3), ((5, 4), P1, 0), ((4, 4), P2, 1), ((4, 1), P1, 2)];
    (state((3, 5), (4, 1), &history), vec![(5, 0), (5, 1), (5, 2), (5, 5), (3, 0), (3, 1)])
}

fn v3() -> (Row, Vec<Tile>, Vec<Tile>) {
    let history = [((1, 0), P1, 0), ((0, 0), P2, 1)];
    let small = double_six().into_iter().filter(|tile| tile.0 <= 3).collect();
    (state((1, 0), (0, 0), &history), vec![(3, 1), (2, 1), (1, 0), (1, 1)], small)
}

#[test]
fn rows_are_scored() {
    for (row, last, points) in [
        (Row::Empty, false, 0),
        (s((2, 2), (2, 1)), true, 2),
        (s((6, 1), (1, 4)), true, 3),
        (s((5, 3), (3, 10)), false, 8),
        (s((2, 4), (4, 0)), false, 0),
        (s((0, 0), (0, 0)), false, 0),
        (s((6, 6), (2, 3)), false, 8),
        (s((3, 3), (3, 3)), false, 2),
    ] {
        assert_eq!(row.score(last), points, "{row:?}");
    }
}

#[test]
fn hands_are_blocked_and_tiles_fit() {
    for (hand, row, blocked) in [
        (vec![(1, 2), (7, 3), (8, 3)], Row::Empty, false),
        (vec![(0, 4), (3, 9), (8, 3)], s((6, 1), (1, 5)), true),
        (vec![], s((6, 1), (1, 5)), true),
        (vec![(0, 4), (3, 9), (8, 3)], s((3, 1), (1, 4)), false),
        (vec![(0, 4), (5, 9), (8, 3)], s((6, 1), (1, 5)), false),
        (vec![(6, 4), (5, 6), (8, 3)], s((6, 1), (1, 2)), false),
        (vec![(0, 4), (5, 2), (8, 3)], s((2, 1), (1, 2)), false),
    ] {
        assert_eq!(row.blocks(&hand), blocked, "{hand:?} {row:?}");
    }
    assert!(Row::Empty.fits((4, 2), L));
    let row = s((3, 3), (4, 5));
    assert_eq!([row.fits((5, 2), L), row.fits((5, 2), R), row.fits((2, 5), R)], [false, true, true]);
    let row = s((6, 1), (2, 3));
    assert_eq!([row.fits((2, 1), R), row.fits((2, 1), L)], [false, false]);
}

#[test]
fn tiles_are_turned_and_played() {
    assert_eq!(oriented(4, L, (4, 2)), Some((2, 4)));
    assert_eq!(oriented(4, R, (4, 2)), Some((4, 2)));
    assert_eq!(oriented(2, L, (4, 2)), Some((4, 2)));
    assert_eq!(oriented(2, R, (4, 2)), Some((2, 4)));
    assert_eq!(oriented(8, R, (4, 2)), None);
    assert_eq!(Row::Empty.play(P1, (5, 4), L), Some(state((5, 4), (5, 4), &[((5, 4), P1, 0)])));
    assert_eq!(s((3, 2), (2, 4)).play(P1, (5, 4), L), None);
    let history = [((2, 0), P1, 0), ((0, 1), P2, 1)];
    let row = state((2, 0), (0, 1), &history);
    let [one, two] = history;
    assert_eq!(row.play(P1, (2, 1), R), Some(state((2, 0), (1, 2), &[one, two, ((1, 2), P1, 2)])));
    assert_eq!(row.play(P1, (2, 1), L), Some(state((1, 2), (0, 1), &[((1, 2), P1, 2), one, two])));
}

#[test]
fn plays_are_listed_and_pips_are_averaged() {
    let both = vec![(1, 2), (3, 5)];
    assert_eq!(Row::Empty.plays(&both), [both.clone(), both]);
    let hand = [(1, 2), (3, 5), (4, 1)];
    assert_eq!(s((1, 6), (4, 3)).plays(&hand), [vec![(1, 2), (4, 1)], vec![(3, 5)]]);
    let hand = [(6, 4), (4, 5), (4, 1)];
    assert_eq!(s((6, 6), (4, 4)).plays(&hand), [vec![(6, 4)], hand.to_vec()]);
    assert_eq!(s((0, 6), (4, 0)).plays(&hand), [vec![], vec![]]);
    assert_eq!(s((0, 6), (3, 1)).plays(&hand), [vec![], vec![(4, 1)]]);
    assert_eq!(average_pip(&[(4, 4), (4, 4), (4, 4)]), 4.0);
    assert_eq!(average_pip(&[(6, 5), (5, 4), (6, 4)]), 5.0);
    assert_eq!(average_pip(&[(6, 5), (1, 1), (6, 2)]), 3.5);
}

#[test]
fn histories_are_put_in_order_and_replayed() {
    let order = |history: &[Laid]| {
        let row = state((0, 0), (0, 0), history);
        row.sequence().iter().map(|play| (play.0, play.1)).collect::<Vec<_>>()
    };
    assert_eq!(Row::Empty.sequence(), []);
    assert_eq!(order(&HA), [((5, 4), L), ((4, 4), R), ((1, 5), L)]);
    assert_eq!(order(&HB), [((5, 4), L), ((4, 4), R), ((4, 5), R)]);
    assert_eq!(order(&HC), [((1, 1), L), ((3, 1), L), ((0, 3), L)]);
    let players = state((1, 5), (4, 4), &HA).sequence();
    assert_eq!(players.iter().map(|play| (play.2, play.3)).collect::<Vec<_>>(), [(P1, 0), (P2, 1), (P1, 2)]);
    for (history, left, right) in [(HA, (1, 5), (4, 4)), (HB, (5, 4), (4, 5)), (HC, (0, 3), (1, 1))] {
        let row = state(left, right, &history);
        assert_eq!(Row::replayed(&row.sequence()), Some(row));
    }
}

#[test]
fn knocks_are_noticed() {
    let knocks = |history: &[Laid], me: Side| state((9, 9), (9, 9), history).knocks(me);
    let none = [((3, 4), P1, 2), ((4, 4), P1, 0), ((4, 5), P2, 1)];
    assert_eq!((knocks(&none, P1), knocks(&none, P2)), (vec![], vec![]));
    assert_eq!((knocks(&HK, P1), knocks(&HK, P2)), (vec![0, 5], vec![4, 5]));
    let other = [((3, 4), P2, 2), ((4, 4), P1, 0), ((4, 5), P2, 1)];
    assert_eq!((knocks(&other, P1), knocks(&other, P2)), (vec![], vec![4, 5]));
}

#[test]
fn the_other_hand_is_narrowed_down() {
    let set = double_six();
    let hand = [(1, 1), (1, 0), (0, 0), (2, 2)];
    assert_eq!(Row::Empty.unseen(&[], &set, P1, true), set);
    assert_eq!(Row::Empty.unseen(&hand, &set, P1, true).len(), 24);
    let mut quiet = HK;
    (quiet[0].1, quiet[1].1) = (P2, P1);
    let row = state((0, 3), (5, 2), &quiet);
    assert_eq!((row.unseen(&hand, &set, P1, false).len(), row.unseen(&hand, &set, P1, true).len()), (22, 19));
    let row = state((0, 3), (5, 2), &HK);
    assert!(row.unseen(&hand, &set, P1, false).len() < 22);
}

#[test]
fn ends_replies_and_wins_are_found() {
    assert_eq!(Row::Empty.best_end((2, 3)), Some((L, 1)));
    assert_eq!(s((3, 3), (1, 2)).best_end((2, 3)), Some((R, 3)));
    assert_eq!(s((3, 3), (0, 1)).best_end((2, 3)), Some((L, 1)));

    let set = double_six();
    let (row, hand) = v1();
    let replies = |turned| {
        let mut replies = row.responses(&row.unseen(&hand, &set, P1, turned));
        replies.sort_unstable();
        replies
    };
    let mut all = vec![
        ((1, 0), R, 1),
        ((1, 1), R, 1),
        ((2, 1), R, 1),
        ((3, 2), L, 1),
        ((3, 3), L, 0),
        ((4, 3), L, 1),
        ((5, 3), L, 2),
        ((6, 1), R, 3),
        ((6, 3), L, 0),
    ];
    assert_eq!(replies(false), all);
    all.retain(|reply| reply.0 != (5, 3));
    assert_eq!(replies(true), all);
    let history = [((0, 5), P1, 3), ((5, 4), P1, 0), ((4, 4), P2, 1), ((4, 0), P1, 2)];
    let two = state((0, 5), (4, 0), &history);
    let hand = [(3, 0), (2, 0), (1, 0), (0, 0), (6, 0), (3, 1)];
    assert_eq!(two.responses(&two.unseen(&hand, &set, P1, true)), []);
    let (row, hand, small) = v3();
    assert_eq!(row.responses(&row.unseen(&hand, &small, P1, true)), [((2, 0), R, 1), ((3, 0), R, 0)]);
    assert_eq!(row.best_response(&row.unseen(&hand, &small, P1, true)), Some(((2, 0), R, 1)));

    let row = s((0, 1), (5, 4));
    assert_eq!(row.winning(&[(3, 0)], 30, 33), None);
    assert_eq!(row.winning(&[(3, 0), (5, 0), (0, 0)], 30, 33), Some(((5, 0), L)));
    let row = s((0, 1), (5, 3));
    assert_eq!(row.winning(&[(3, 3), (5, 0), (0, 3)], 30, 32), Some(((0, 3), L)));
    assert_eq!(row.winning(&[(3, 3), (5, 0)], 30, 32), Some(((3, 3), R)));
}

#[test]
fn pips_are_shown_and_opponents_are_blocked() {
    assert_eq!(Row::Empty.shows(1, (1, 0)), [true, true]);
    assert_eq!(Row::Empty.shows(0, (1, 0)), [true, true]);
    let row = s((0, 3), (4, 0));
    assert_eq!((row.shows(0, (1, 0)), row.shows(1, (1, 0))), ([false, false], [true, true]));
    let row = s((0, 3), (4, 1));
    assert_eq!((row.shows(1, (1, 0)), row.shows(4, (1, 4))), ([true, false], [false, true]));

    let set = double_six();
    let (row, hand) = v1();
    for turned in [false, true] {
        assert_eq!(row.blocking(&hand, &set, P1, turned), Some(((5, 1), R)));
        let history = [((3, 5), P1, 3), ((5, 4), P1, 0), ((4, 4), P2, 1), ((4, 0), P1, 2)];
        assert_eq!(state((3, 5), (4, 0), &history).blocking(&hand, &set, P1, turned), Some(((3, 0), L)));
        let (row, hand, small) = v3();
        assert_eq!(row.blocking(&hand, &small, P1, turned), Some(((1, 0), R)));
        assert_eq!(row.play(P1, (1, 0), R).unwrap().pips(), Some([1, 1]));
    }
}

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
        let mut options = SequentialOptions::default();
        options.sequential_table = 1;
        if number % 2 == 1 {
            for technique in SequentialOptions::TECHNIQUES {
                options.set(technique.name, random.random());
            }
        }
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
