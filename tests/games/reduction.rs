//! Strategies of reduced games, judged as strategies of the games that they came from: always accepted, through the text of
//! the reduced game; and whatever a slightly different reduction makes the judge accept is true.

use crate::support::boards::{max_wins, random_positions};
use crate::support::games::{Kind, random_game, tabulate};
use crate::support::other_questions::proof;
use gamesat::Problem;
use gamesat::analyse::{SimplifiedGame, simplify_game};
use gamesat::check::{Judge, Judgement};
use gamesat::control::Control;
use gamesat::encode::{Rows, Target, lower};
use gamesat::format::{self, Format, read_reduction, write_promises};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Proof, Reduction, Var};
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

/// Another reduction: a row or a literal of the game or of a promise changed, another element, player or number of stars.
fn other(random: &mut ChaCha8Rng, reduction: &Reduction) -> Reduction {
    let mut other = reduction.clone();
    let (cnf, mut rows) = match reduction.game.matrix() {
        GameMatrix::Cnf(rows) => (true, rows.iter().map(<[Lit]>::to_vec).collect::<Vec<_>>()),
        GameMatrix::Dnf(rows) => (false, rows.iter().map(<[Lit]>::to_vec).collect()),
        GameMatrix::Circuit(_) => unreachable!(),
    };
    let mut stars = 0;
    match random.random_range(0..7) {
        0 if !rows.is_empty() => drop(rows.swap_remove(random.random_range(0..rows.len()))),
        1 if rows.iter().any(|row| !row.is_empty()) => loop {
            let at = random.random_range(0..rows.len());
            if !rows[at].is_empty() {
                let lit = random.random_range(0..rows[at].len());
                rows[at][lit] = !rows[at][lit];
                break;
            }
        },
        2 if other.promises.iter().any(|promise| !promise.rows.is_empty()) => {
            let at = random.random_range(0..other.promises.len());
            let row = random.random_range(0..other.promises[at].rows.len());
            let lit = random.random_range(0..other.promises[at].rows[row].len());
            if random.random() {
                other.promises[at].rows[row].swap_remove(lit);
            } else {
                other.promises[at].rows[row][lit] = !other.promises[at].rows[row][lit];
            }
        }
        3 if !other.promises.is_empty() => {
            let at = random.random_range(0..other.promises.len());
            if random.random() {
                other.promises.swap_remove(at);
            } else {
                other.promises[at].captor = !other.promises[at].captor;
            }
        }
        4 if !other.origin.is_empty() => {
            let at = random.random_range(0..other.origin.len());
            other.origin[at] = Some(Var::from_index(random.random_range(0..8)));
        }
        5 => stars = 1,
        _ => other.game.turn = !other.game.turn,
    }
    let rows: ClauseArena = rows.into_iter().collect();
    let matrix = if cnf { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
    other.game = other.game.with_matrix(matrix);
    other.game.add_stars(stars);
    other.origin.resize(other.game.elements(), None);
    other
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
            let other = other(&mut random, &reduction);
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
            let other = other(&mut random, &reduction);
            let Some(strategy) = proof(&Problem::Game(other.game.clone())) else { continue };
            match judge(&problem, &other, &strategy) {
                Judgement::Accepted(found) => assert_eq!(found, verdict, "{board:?}\n{other:?}"),
                Judgement::Rejected(_) => rejected += 1,
            }
        }
    }
    assert!(lifted > 120 && promised > 30 && rejected > 100, "{lifted} {promised} {rejected}");
}
