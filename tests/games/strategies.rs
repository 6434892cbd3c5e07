//! Strategies that the game engine writes, held to the checker: all kinds of games, and what becomes of corrupted ones.

use crate::support::ask;
use crate::support::ask::ask;
use crate::support::games::{Kind, random_game, tabulate};
use crate::support::known_boards;
use gamesat::Problem;
use gamesat::check::{StrategyError, evaluate_game};
use gamesat::format::{read_strategy, write_strategy};
use gamesat::formula::{Game, GameMatrix, Lit, Player, Strategy, Var};
use gamesat::options::GameOptions;
use gamesat::solve::{Control, Interrupt, Limits, Options, StopReason, Verdict, Wanted};
use gamesat_check::steps::check_strategy;
use gamesat_games::colouring::solve_with_strategy;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn strategy(game: &Game) -> Strategy {
    let mut options = GameOptions::default();
    options.table = 1;
    solve_with_strategy(game, false, &options, &Control::default()).unwrap().1.unwrap()
}

fn text(strategy: &Strategy) -> String {
    let mut text = Vec::new();
    write_strategy(strategy, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn strategies_of_random_games_are_accepted() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for number in 0..3_000 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed, Kind::Mixed][number % 4];
        let game = random_game(&mut random, 7, kind);
        let strategy = strategy(&game);
        if let Err(error) = check_strategy(&game, &strategy, &Control::default()) {
            panic!("{error}\n{game:?}\n{}", text(&strategy));
        }
        assert_eq!(strategy.winner(), tabulate(&game).winner(game.played(), game.turn), "{game:?}");
    }
}

/// A number of the file becomes another one: rejected, or still a strategy of the right winner.
#[test]
fn corrupted_strategies_are_rejected_or_still_right() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let (mut unreadable, mut rejected, mut accepted) = (0, 0, 0);
    for number in 0..400 {
        let kind = [Kind::Isotone, Kind::Mixed][number % 2];
        let game = random_game(&mut random, 7, kind);
        let written = text(&strategy(&game));
        for _ in 0..8 {
            let mut words: Vec<String> = written.split_inclusive([' ', '\n']).map(str::to_owned).collect();
            let at = random.random_range(3..words.len());
            let end = words[at].pop().unwrap();
            let other = match random.random_range(0..4) {
                0 => words[at].strip_prefix('-').map_or_else(|| format!("-{}", words[at]), str::to_owned),
                1 => random.random_range(0..8).to_string(),
                2 => String::new(),
                _ => ["l", "m", "s", "r"][random.random_range(0..4)].to_owned(),
            };
            words[at] = other + &end.to_string();
            let Ok(mutant) = read_strategy(&mut words.concat().as_bytes(), "mutant") else {
                unreadable += 1;
                continue;
            };
            match check_strategy(&game, &mutant, &Control::default()) {
                Err(StrategyError::Rejected(_)) => rejected += 1,
                Err(StrategyError::Stopped(reason)) => panic!("stopped: {reason}"),
                Ok(_) => {
                    accepted += 1;
                    let winner = tabulate(&game).winner(game.played(), game.turn);
                    assert_eq!(mutant.winner(), winner, "{game:?}\n{}", words.concat());
                }
            }
        }
    }
    assert!(unreadable > 300 && rejected > 100 && accepted > 30, "{unreadable} {rejected} {accepted}");
}

/// Far more dead elements than could be played out one by one.
#[test]
fn billions_of_stars_are_no_trouble() {
    let mut random = ChaCha8Rng::seed_from_u64(13);
    for _ in 0..100 {
        let mut game = random_game(&mut random, 6, Kind::Mixed);
        let stars = 2_000_000_000 + random.random_range(0..2);
        let winner = {
            let mut few = game.clone();
            few.add_stars(stars % 2);
            tabulate(&few).winner(few.played(), few.turn)
        };
        game.add_stars(stars);
        let strategy = strategy(&game);
        assert_eq!(strategy.winner(), winner);
        check_strategy(&game, &strategy, &Control::default()).unwrap();
    }
}

/// With one form, and every other subset of the switches: the strategy ends, is accepted and has the right winner.
#[test]
fn every_subset_of_the_switches_gives_a_strategy() {
    let mut random = ChaCha8Rng::seed_from_u64(14);
    for number in 0..20_000 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed, Kind::Mixed][number % 4];
        let mut game = random_game(&mut random, 5, kind);
        game.add_stars(random.random_range(0..4));
        let mut options = GameOptions::default();
        for technique in GameOptions::TECHNIQUES {
            assert!(options.set(technique.name, random.random()));
        }
        options.table = random.random_range(0..2);
        options.proof_number = random.random_range(0..4) == 0;
        options.capture_size = random.random_range(2..=6);
        // A strategy that does not end is cut off here, and is an error.
        let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
        let (answer, strategy) =
            solve_with_strategy(&game, false, &options, &Control::new(limits, Interrupt::new())).unwrap();
        let strategy = strategy.unwrap_or_else(|reason| panic!("{reason}\n{game:?}\n{options:?}"));
        check_strategy(&game, &strategy, &Control::default())
            .unwrap_or_else(|error| panic!("{error}\n{game:?}\n{options:?}"));
        let value = evaluate_game(&game, &Control::default()).unwrap();
        assert_eq!((answer.winner, strategy.winner()), (value.winner, value.winner), "{game:?}\n{options:?}");
    }
}

/// Regression: the table gave a move in an element that was dead where the move was found, and coloured where it was
/// asked for; the strategy never ended.
#[test]
fn moves_in_dead_elements_are_not_mixed_up() {
    for last in [&[-2, -1, 3][..], &[-1, 3]] {
        let rows = [&[-4][..], &[2, 6], &[5, -6], last];
        let rows = rows.iter().map(|row| row.iter().map(|&number| Lit::from_dimacs(number)).collect::<Vec<_>>());
        let mut game = Game::new(9, GameMatrix::Dnf(rows.collect())).unwrap();
        game.turn = Player::Min;
        let mut options = GameOptions::default();
        for name in ["units", "dead", "domination", "decompose", "order", "both_forms"] {
            assert!(options.set(name, false));
        }
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let control = Control::new(limits, Interrupt::new());
        let (_, strategy) = solve_with_strategy(&game, false, &options, &control).unwrap();
        check_strategy(&game, &strategy.unwrap(), &Control::default()).unwrap();
    }
}

#[test]
fn a_limit_leaves_the_verdict() {
    let problem = Problem::Game(Game::new(25, GameMatrix::Dnf(known_boards::hex(5))).unwrap());
    let nodes = ask::solve(&problem, &Options::default()).statistics.get("nodes") as u64;
    let limits = Limits { nodes: Some(nodes + 1), ..Limits::default() };
    let outcome =
        ask(&problem, &Wanted::default().and_proof(), &Options::default(), &Control::new(limits, Interrupt::new()));
    assert_eq!(outcome.verdict, Verdict::True);
    assert_eq!((outcome.proof, outcome.missing), (None, Some(StopReason::Nodes)));
}

#[test]
fn hex_is_won_on_paper() {
    for n in 2..=4 {
        for opening in 0..=n * n {
            let mut game = Game::new(n * n, GameMatrix::Dnf(known_boards::hex(n))).unwrap();
            if opening < n * n {
                game.play(&[Var::from_index(opening).positive()]).unwrap();
                game.turn = Player::Min;
            }
            let strategy = strategy(&game);
            check_strategy(&game, &strategy, &Control::default()).unwrap();
            assert!(strategy.len() < 40, "{} nodes", strategy.len());
        }
    }
}
