//! Strategies of reduced games, judged as strategies of the games that they came from: always accepted, through the text of
//! the reduced game; and whatever a slightly different reduction makes the judge accept is true.

use crate::support::boards::{max_wins, random_positions};
use crate::support::games::{Kind, random_game, tabulate};
use crate::support::other_questions::proof;
use crate::support::reductions::other_reduction;
use gamesat::Problem;
use gamesat::analyse::{SimplifiedGame, simplify_game};
use gamesat::check::{Judge, Judgement};
use gamesat::control::Control;
use gamesat::encode::{Rows, Target, lower};
use gamesat::format::{self, Format, read_reduction, write_promises};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Promise, Proof, Reduction, Var};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The reduction as its file says it.
fn through_text(game: &Game, found: &SimplifiedGame) -> Reduction {
    let mut text = Vec::new();
    write_promises(&found.reduction().promises, |var| game.names.label(var), &mut text).unwrap();
    format::write(&Problem::Game(found.game.clone()), Format::Gamesat, &mut text).unwrap();
    read_reduction(&mut text.as_slice(), "reduced", |name| game.names.find_label(name)).unwrap()
}

fn judge(problem: &Problem, reduction: &Reduction, proof: &Proof) -> Judgement {
    Judge::usual().unwrap().verify_reduced(problem, reduction, proof, &Control::default()).unwrap()
}

#[test]
fn strategies_of_reduced_games_lift() {
    let mut random = ChaCha8Rng::seed_from_u64(94);
    let (mut promised, mut rejected, mut accepted) = (0, 0, 0);
    for number in 0..1500 {
        let kind = [Kind::Isotone, Kind::Unate, Kind::Mixed, Kind::Mixed][number % 4];
        let mut game = random_game(&mut random, 8, kind);
        if number % 3 == 0 {
            // Names that look like other elements' numbers.
            game.names.insert(Var::from_index(0), "2");
            game.names.insert(Var::from_index(2), "*");
        }
        let winner = tabulate(&game).winner(game.played(), game.turn);
        let verdict = winner == Player::Max;
        let problem = Problem::Game(game.clone());
        let found = simplify_game(&game, random.random_range(2..=4), &Control::default()).unwrap();
        let reduction = through_text(&game, &found);
        let strategy = proof(&Problem::Game(reduction.game.clone())).expect("games have strategies");
        assert_eq!(judge(&problem, &reduction, &strategy), Judgement::Accepted(verdict), "{game:?}\n{reduction:?}");
        let own = reduction.promises.iter().filter(|promise| promise.captor == winner).count();
        promised += own;
        for _ in 0..3 {
            let other = other_reduction(&mut random, &reduction);
            let Some(strategy) = proof(&Problem::Game(other.game.clone())) else { continue };
            match judge(&problem, &other, &strategy) {
                Judgement::Accepted(found) => {
                    assert_eq!(found, verdict, "{game:?}\n{other:?}");
                    accepted += 1;
                }
                Judgement::Rejected(_) => rejected += 1,
            }
        }
    }
    assert!(promised > 150 && rejected > 1000 && accepted > 300, "{promised} {rejected} {accepted}");
}

#[test]
fn strategies_of_reduced_boards_lift() {
    let mut random = ChaCha8Rng::seed_from_u64(95);
    let (mut promised, mut lifted, mut rejected) = (0, 0, 0);
    for _ in 0..30 {
        for board in random_positions(&mut random, 7) {
            let problem = Problem::Board(board.clone());
            if board.has_plies() {
                continue;
            }
            let Problem::Game(game) =
                lower(&problem, Target::Rows(Rows::default()), &Control::default()).unwrap().problem
            else {
                panic!("{board:?}")
            };
            let found = simplify_game(&game, random.random_range(2..=4), &Control::default()).unwrap();
            let reduction = found.reduction();
            let strategy = proof(&Problem::Game(reduction.game.clone())).expect("games have strategies");
            let verdict = max_wins(&board);
            assert_eq!(
                judge(&problem, &reduction, &strategy),
                Judgement::Accepted(verdict),
                "{board:?}\n{reduction:?}"
            );
            lifted += 1;
            promised += reduction.promises.iter().filter(|promise| (promise.captor == Player::Max) == verdict).count();
            let other = other_reduction(&mut random, &reduction);
            let Some(strategy) = proof(&Problem::Game(other.game.clone())) else { continue };
            match judge(&problem, &other, &strategy) {
                Judgement::Accepted(found) => assert_eq!(found, verdict, "{board:?}\n{other:?}"),
                Judgement::Rejected(_) => rejected += 1,
            }
        }
    }
    assert!(lifted > 120 && promised > 30 && rejected > 100, "{lifted} {promised} {rejected}");
}

/// MIN, moving second, makes two elements equal. With a third element MAX moves there last, and MIN has to open the pair: no
/// promise of MIN's holds for that game, whatever stars the smaller one has.
#[test]
fn a_promise_is_not_for_a_player_who_may_have_to_move_first() {
    let lits = |row: [i32; 2]| row.map(Lit::from_dimacs).to_vec();
    let unequal = || GameMatrix::Cnf([lits([1, 2]), lits([-1, -2])].into_iter().collect::<ClauseArena>());
    let equal = Promise { captor: Player::Min, rows: vec![lits([1, -2]), lits([-1, 2])] };
    let lost = |stars: usize| {
        let nothing = GameMatrix::Cnf([Vec::<Lit>::new()].into_iter().collect());
        let game = Game::new(stars, nothing).unwrap();
        Reduction { game, origin: vec![None; stars], promises: vec![equal.clone()] }
    };
    let pair = Problem::Game(Game::new(2, unequal()).unwrap());
    let triple = Problem::Game(Game::new(3, unequal()).unwrap());
    for stars in 0..3 {
        let reduction = lost(stars);
        let strategy = proof(&Problem::Game(reduction.game.clone())).unwrap();
        assert_eq!(judge(&pair, &reduction, &strategy), Judgement::Accepted(false));
        assert!(matches!(judge(&triple, &reduction, &strategy), Judgement::Rejected(_)), "{stars} stars");
    }
}
