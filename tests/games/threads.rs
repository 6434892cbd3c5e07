//! Several threads on one game: the verdict, the set of winning moves and the strategy are as good as with one.

use crate::support::games::{Kind, random_game, tabulate};
use crate::support::known_boards;
use gamesat::formula::{Game, GameMatrix, Player};
use gamesat::options::GameOptions;
use gamesat::solve::{Control, Interrupt, Limits, StopReason};
use gamesat_check::steps::check_strategy;
use gamesat_games::colouring::{solve, solve_with_strategy};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn options(threads: usize) -> GameOptions {
    let mut options = GameOptions::default();
    options.table = 1;
    options.threads = threads;
    options
}

#[test]
fn random_games_have_the_same_answers() {
    let mut random = ChaCha8Rng::seed_from_u64(21);
    for number in 0..400 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed][number % 3];
        let game = random_game(&mut random, 8, kind);
        let judge = tabulate(&game);
        let winner = judge.winner(game.played(), game.turn);
        let one = solve(&game, false, &options(3), &Control::default()).unwrap();
        assert_eq!(one.winner, winner, "{game:?}");
        assert!(judge.is_trace(&one.trace, game.played(), game.turn, winner), "{game:?} {:?}", one.trace);
        let all = solve(&game, true, &options(2), &Control::default()).unwrap();
        assert_eq!(all.winner, winner, "{game:?}");
        assert_eq!(all.moves, solve(&game, true, &options(1), &Control::default()).unwrap().moves, "{game:?}");
    }
}

#[test]
fn hex_with_threads() {
    let game = Game::new(25, GameMatrix::Dnf(known_boards::hex(5))).unwrap();
    let alone = solve(&game, true, &options(1), &Control::default()).unwrap();
    for threads in [2, 5] {
        let (answer, strategy) = solve_with_strategy(&game, true, &options(threads), &Control::default()).unwrap();
        assert_eq!((answer.winner, &answer.moves), (Player::Max, &alone.moves));
        check_strategy(&game, &strategy.unwrap(), &Control::default()).unwrap();
    }
}

#[test]
fn limits_stop_every_thread() {
    let game = Game::new(36, GameMatrix::Dnf(known_boards::hex(6))).unwrap();
    let limits = Limits { nodes: Some(20), ..Limits::default() };
    let stopped = solve(&game, false, &options(4), &Control::new(limits, Interrupt::new()));
    assert_eq!(stopped.unwrap_err(), StopReason::Nodes);
}
