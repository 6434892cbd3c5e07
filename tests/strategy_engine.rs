//! Strategies that the game engine writes, held to the checker: all kinds of games, and what becomes of corrupted ones.

#[path = "../benchmarks/game_boards.rs"]
#[allow(dead_code)]
mod boards;
mod game_support;

use game_support::{Kind, random_game, tabulate};
use gamesat::check::{StrategyError, check_strategy, evaluate_game};
use gamesat::format::{read_strategy, write_strategy};
use gamesat::formula::{Game, GameMatrix, Lit, Player, Strategy, Var};
use gamesat::game::{GameOptions, solve};
use gamesat::solve::Control;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn strategy(game: &Game) -> Strategy {
    let mut options = GameOptions::default();
    options.table = 1;
    options.strategy = true;
    solve(game, false, &options, &Control::default()).unwrap().strategy.unwrap()
}

#[test]
fn strategies_of_random_games_are_accepted() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for _ in 0..4_000 {
        let kind = [Kind::Isotone, Kind::Mixed][random.random_range(0..2)];
        let game = random_game(&mut random, 7, kind);
        eprintln!("{game:?}");
        let strategy = strategy(&game);
        if let Err(error) = check_strategy(&game, &strategy, &Control::default()) {
            let mut text = Vec::new();
            write_strategy(&strategy, &mut text).unwrap();
            panic!("{error}\n{game:?}\n{}", String::from_utf8(text).unwrap());
        }
        assert_eq!(strategy.winner(), evaluate_game(&game, &Control::default()).unwrap().winner);
    }
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
            eprintln!("hex {n} opening {opening}: {} {} nodes", strategy.winner(), strategy.len());
        }
    }
}
