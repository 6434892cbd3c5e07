//! The game engine against exhaustive tabulation on random small games: verdict, every winning move, the move it would
//! play, and the exact definition of a trace; with everything on, each reduction alone, and random subsets.

use crate::support::ask::ask;
use crate::support::game_case::{SWITCHES, check, switch};
use crate::support::games::{Kind, random_game, tabulate};
use gamesat::Problem;
use gamesat::check::evaluate_game;
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Game, GameMatrix, Player, Rule, Var};
use gamesat::options::GameOptions;
use gamesat::solve::{Options, Trace, Wanted};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn check_many(seed: u64, games: usize, most: usize, mut options: impl FnMut(&mut ChaCha8Rng) -> GameOptions) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for number in 0..games {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed, Kind::Mixed][number % 4];
        let game = random_game(&mut random, most, kind);
        let judge = tabulate(&game);
        check(&game, &judge, &options(&mut random));
    }
}

#[test]
fn the_tabulation_agrees_with_plain_minimax() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for number in 0..1000 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed][number % 3];
        let game = random_game(&mut random, 5, kind);
        let judge = tabulate(&game);
        let value = evaluate_game(&game, &Control::default()).unwrap();
        assert_eq!(judge.winner(game.played(), game.turn), value.winner);
        let mut naive = Options::default();
        naive.engine = Some("naive".to_owned());
        let all = Wanted::default().and_all_moves();
        let outcome = ask(&Problem::Game(game.clone()), &all, &naive, &Control::default());
        assert_eq!(judge.winning_moves(game.played(), game.turn), outcome.moves, "{game:?}");
    }
}

#[test]
fn everything_on() {
    check_many(2, 9000, 7, |_| GameOptions::default());
}

#[test]
fn everything_on_under_proof_numbers() {
    check_many(4, 3000, 7, |_| {
        let mut options = GameOptions::default();
        options.proof_number = true;
        options
    });
}

#[test]
fn shrunk_traces_cannot_be_shrunk_further() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for number in 0..400 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed][number % 3];
        let game = random_game(&mut random, 6, kind);
        let judge = tabulate(&game);
        let winner = judge.winner(game.played(), game.turn);
        let mut options = Options::default();
        options.game.table = 1;
        let small = Wanted::default().and_trace(Trace::Small);
        let trace = ask(&Problem::Game(game.clone()), &small, &options, &Control::default()).trace.unwrap();
        assert!(judge.is_trace(&trace, game.played(), game.turn, winner), "{trace:?} {game:?}");
        for left_out in &trace {
            let smaller: Vec<_> = trace.iter().copied().filter(|var| var != left_out).collect();
            assert!(!judge.is_trace(&smaller, game.played(), game.turn, winner), "{trace:?} {game:?}");
        }
    }
}

#[test]
fn everything_off() {
    check_many(3, 500, 5, |_| GameOptions::plain());
}

#[test]
fn each_reduction_alone() {
    for number in 0..SWITCHES {
        check_many(10 + number as u64, 300, 6, |_| {
            let mut options = GameOptions::plain();
            options.both_forms = true;
            switch(&mut options, number, true);
            options
        });
    }
}

#[test]
fn each_reduction_off() {
    for number in 0..SWITCHES {
        check_many(30 + number as u64, 200, 6, |_| {
            let mut options = GameOptions::default();
            switch(&mut options, number, false);
            options
        });
    }
}

#[test]
fn random_subsets_of_the_reductions() {
    check_many(50, 4000, 6, |random| {
        let mut options = GameOptions::default();
        for number in 0..SWITCHES {
            switch(&mut options, number, random.random());
        }
        options.table = random.random_range(0..2);
        options.capture_size = random.random_range(2..=6);
        options
    });
}

/// A game in which four or five elements meet most rows twice or more, with a sign each; the others occur in any sign.
fn game_with_a_local_part(random: &mut ChaCha8Rng) -> Game {
    let (inner, outer) = (random.random_range(4..=5), 3);
    let signs: Vec<bool> = (0..inner).map(|_| random.random()).collect();
    let isotone: bool = random.random();
    let rows: ClauseArena = (0..random.random_range(4..9))
        .map(|_| {
            let mut row = Vec::new();
            if random.random_range(0..5) > 0 {
                // One of disjoint pairs, or three elements in a row.
                let pair: bool = random.random();
                let first = if pair { 2 * random.random_range(0..inner / 2) } else { random.random_range(0..inner) };
                let part = (first..if pair { first + 2 } else { first + 3 }).map(|e| e % inner);
                row.extend(part.map(|e| Var::from_index(e).lit(isotone || signs[e])));
            }
            for _ in 0..random.random_range(1..3) {
                row.push(Var::from_index(inner + random.random_range(0..outer)).lit(isotone || random.random()));
            }
            row
        })
        .collect();
    let matrix = if random.random() { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
    let mut game = Game::new(inner + outer, matrix).unwrap();
    game.rule = if random.random() { Rule::Any } else { Rule::Own };
    game.turn = if random.random() { Player::Max } else { Player::Min };
    game
}

#[test]
fn captured_sets_of_every_size() {
    let mut random = ChaCha8Rng::seed_from_u64(70);
    let mut found = 0;
    for number in 0..1000 {
        let game = game_with_a_local_part(&mut random);
        // Alone, so that sets are left to be found, or with everything else. Sets of dead elements do not count.
        let mut options = if number % 4 > 0 { GameOptions::plain() } else { GameOptions::default() };
        options.both_forms = true;
        options.capture = true;
        options.dead = true;
        options.capture_size = random.random_range(3..=6);
        found += check(&game, &tabulate(&game), &options);
    }
    assert!(found > 200, "{found}");
}
