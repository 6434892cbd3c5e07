//! Games that fall into independent parts and are not isotone: verdict, every winning move, the move that is played, traces and
//! strategies, with parts tabulated and with parts solved; and canonical forms against plain minimax.

use crate::support::game_case::check;
use crate::support::games::{Kind, random_rows, tabulate};
use gamesat::Problem;
use gamesat::analyse::{Found, canonical_form, classify};
use gamesat::check::evaluate_game;
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Rule, Var};
use gamesat::options::GameOptions;
use gamesat::solve::Options;
use gamesat::theory::canonical::Outcome;
use gamesat_check::steps::check_strategy;
use gamesat_games::colouring::solve_with_strategy;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows on two or three groups of elements.
fn game_of_parts(random: &mut ChaCha8Rng, sizes: &[usize]) -> Game {
    let mut rows = ClauseArena::new();
    let mut first = 0;
    for &size in sizes {
        let count = random.random_range(1..=size + 1);
        for row in &random_rows(random, size, count, 3, Kind::Mixed) {
            rows.push(
                &row.iter()
                    .map(|lit| Var::from_index(first + lit.var().index()).lit(lit.is_positive()))
                    .collect::<Vec<_>>(),
            );
        }
        first += size;
    }
    let matrix = if random.random() { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
    let mut game = Game::new(first + random.random_range(0..2), matrix).unwrap();
    game.rule = if random.random() { Rule::Any } else { Rule::Own };
    game.turn = if random.random() { Player::Max } else { Player::Min };
    game
}

fn sizes(random: &mut ChaCha8Rng) -> Vec<usize> {
    let all: [&[usize]; 6] = [&[2, 2], &[3, 3], &[2, 2, 2], &[4, 3], &[2, 3, 2], &[1, 3, 3]];
    all[random.random_range(0..all.len())].to_vec()
}

/// Only what makes parts: everything else is off, so that they are met often.
fn options(part_size: usize, proof_number: bool) -> GameOptions {
    let mut options = GameOptions::none();
    (options.decompose, options.both_forms, options.dead) = (true, true, true);
    (options.part_size, options.proof_number) = (part_size, proof_number);
    options
}

#[test]
fn parts_decide() {
    let mut random = ChaCha8Rng::seed_from_u64(81);
    for number in 0..1200 {
        let sizes = sizes(&mut random);
        let game = game_of_parts(&mut random, &sizes);
        let mut options = options([0, 3, 10][number % 3], number % 7 == 0);
        options.mustplay = number % 2 == 0;
        check(&game, &tabulate(&game), &options);
    }
}

#[test]
fn strategies_of_games_of_parts_are_accepted() {
    let mut random = ChaCha8Rng::seed_from_u64(82);
    for number in 0..400 {
        let sizes = sizes(&mut random);
        let game = game_of_parts(&mut random, &sizes);
        let mut options = options([0, 10][number % 2], false);
        options.table = 1;
        let (answer, strategy) = solve_with_strategy(&game, false, &options, &Control::default()).unwrap();
        let claim = check_strategy(&game, &strategy.unwrap(), &Control::default());
        assert!(claim.is_ok(), "{game:?}");
        assert_eq!(answer.winner, tabulate(&game).winner(game.played(), game.turn), "{game:?}");
    }
}

/// The class that a form says is the class by definition.
#[test]
fn forms_say_who_wins() {
    let mut random = ChaCha8Rng::seed_from_u64(83);
    let winner = |game: &Game, stars: usize, turn: Player| {
        let mut game = game.clone();
        game.add_stars(stars);
        game.turn = turn;
        evaluate_game(&game, &Control::default()).unwrap().winner
    };
    for _ in 0..60 {
        let sizes = sizes(&mut random);
        let game = game_of_parts(&mut random, &sizes);
        let Found::Form(form) = canonical_form(&game, &Control::default()).unwrap() else { panic!("{game:?}") };
        for stars in [0, 1] {
            let expected = Outcome::new(winner(&game, stars, Player::Max), winner(&game, stars, Player::Min));
            let form = if stars == 0 { form } else { form.with_star() };
            assert_eq!(form.outcome(), expected, "{form} {game:?}");
        }
    }
}

/// Too many elements to be tabulated at once: the forms of the parts, and the same winners by search.
#[test]
fn products_of_many_parts() {
    let mut random = ChaCha8Rng::seed_from_u64(84);
    for number in 0..30 {
        let mut game = game_of_parts(&mut random, &[5, 5, 5]);
        game.add_stars(number % 2);
        let found = classify(&Problem::Game(game.clone()), &Options::default(), &Control::default()).unwrap();
        for turn in [Player::Max, Player::Min] {
            game.turn = turn;
            let mut plain = GameOptions::default();
            (plain.decompose, plain.table) = (false, 1);
            let answer = gamesat_games::colouring::solve(&game, false, &plain, &Control::default()).unwrap();
            assert_eq!(found.outcome.clone().unwrap().winner(turn), answer.winner, "{game:?}");
        }
    }
}

#[test]
fn published_combinations() {
    let rows = |list: &[&[i32]]| -> ClauseArena {
        list.iter().map(|row| row.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect()
    };
    let solve = |game: &Game| {
        let mut options = GameOptions::default();
        options.table = 1;
        gamesat_games::colouring::solve(game, true, &options, &Control::default()).unwrap()
    };
    // (x | y | z) & (u == v), MIN to move: a star changes the winner.
    let mixed = rows(&[&[1, 2, 3], &[4, -5], &[-4, 5]]);
    let mut game = Game::new(5, GameMatrix::Cnf(mixed)).unwrap();
    game.turn = Player::Min;
    assert_eq!(solve(&game).winner, Player::Min);
    game.add_stars(1);
    assert_eq!(solve(&game).winner, Player::Max);
    // (!w | x) & (!y | z) under rule own: MAX wins by x or z, although whoever moves first wins each part.
    let mut game = Game::new(4, GameMatrix::Cnf(rows(&[&[-1, 2], &[-3, 4]]))).unwrap();
    game.rule = Rule::Own;
    assert_eq!(solve(&game).moves, [2, 4].map(Lit::from_dimacs));
}
