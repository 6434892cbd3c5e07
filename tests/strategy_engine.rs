//! Strategies that the game engine writes, held to the checker: all kinds of games, and what becomes of corrupted ones.

#[path = "../benchmarks/game_boards.rs"]
#[allow(dead_code)]
mod boards;
mod game_support;

use game_support::{Kind, random_game, tabulate};
use gamesat::Problem;
use gamesat::check::{StrategyError, check_strategy};
use gamesat::format::{read_strategy, write_strategy};
use gamesat::formula::{Game, GameMatrix, Player, Strategy, Var};
use gamesat::internals::colouring::solve_with_strategy;
use gamesat::options::GameOptions;
use gamesat::solve::{Control, Interrupt, Limits, Options, StopReason, Verdict, solve as solve_game};
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

/// Without the other normal form leaves are found by the rows that were filled.
#[test]
fn one_form_is_enough() {
    let mut random = ChaCha8Rng::seed_from_u64(14);
    let mut options = GameOptions::plain();
    options.rational = true;
    for number in 0..300 {
        let game = random_game(&mut random, 5, [Kind::Isotone, Kind::Mixed][number % 2]);
        let (_, strategy) = solve_with_strategy(&game, false, &options, &Control::default()).unwrap();
        check_strategy(&game, &strategy.unwrap(), &Control::default()).unwrap_or_else(|e| panic!("{e}\n{game:?}"));
    }
}

#[test]
fn a_limit_leaves_the_verdict() {
    let problem = Problem::Game(Game::new(25, GameMatrix::Dnf(boards::hex(5))).unwrap());
    let mut options = Options::default();
    options.strategy = true;
    let nodes = solve_game(&problem, &Options::default(), &Control::default()).statistics.get("nodes") as u64;
    let limits = Limits { nodes: Some(nodes + 1), ..Limits::default() };
    let outcome = solve_game(&problem, &options, &Control::new(limits, Interrupt::new()));
    assert_eq!(outcome.verdict, Verdict::True);
    assert_eq!((outcome.strategy, outcome.stop), (None, Some(StopReason::Nodes)));
}

#[test]
fn hex_is_won_on_paper() {
    for n in 2..=4 {
        for opening in 0..=n * n {
            let mut game = Game::new(n * n, GameMatrix::Dnf(boards::hex(n))).unwrap();
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
