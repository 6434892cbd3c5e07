//! What `analyse` and `simplify` say, held to tabulation: moves that need not be tried, sets that are filled in, mustplay; and
//! the published examples on boards.

use crate::support::games::{Kind, random_game, tabulate};
use gamesat::Problem;
use gamesat::analyse::{Analysis, Scope, SetVerdict, analyse, look_at, simplify_game};
use gamesat::control::Control;
use gamesat::formula::{Game, Lit, Player, Var};
use gamesat::rules::{Board, Grid, Hex, Side};
use gamesat::solve::Options;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

fn options() -> Options {
    let mut options = Options::default();
    options.game.table = 1;
    options
}

fn statically(problem: &Problem, set_size: usize) -> Analysis {
    analyse(problem, Scope { only_static: true, set_size }, &options(), &Control::default()).unwrap()
}

fn kind(number: usize) -> Kind {
    [Kind::Isotone, Kind::Unate, Kind::Mixed, Kind::Mixed][number % 4]
}

/// The moves of a player whose colour the rule allows.
fn moves(game: &Game, player: Player) -> Vec<Lit> {
    let free =
        (0..game.elements()).map(Var::from_index).filter(|var| game.played().iter().all(|lit| lit.var() != *var));
    let both = free.flat_map(|var| [var.lit(true), var.lit(false)]);
    both.filter(|lit| game.rule.allows(player, lit.is_positive())).collect()
}

fn after(game: &Game, choice: Lit) -> Vec<Lit> {
    let mut played = game.played().to_vec();
    played.push(choice);
    played
}

/// Where nothing is filled in, leaving out every dominated and every locally losing move changes no winner.
#[test]
fn moves_that_need_not_be_tried() {
    let mut random = ChaCha8Rng::seed_from_u64(91);
    let (mut dominated, mut losing) = (0, 0);
    for number in 0..1500 {
        let game = random_game(&mut random, 6, kind(number));
        let found = statically(&Problem::Game(game.clone()), random.random_range(2..=4));
        if !found.fills.is_empty() {
            continue;
        }
        let judge = tabulate(&game);
        for player in [Player::Max, Player::Min] {
            let dropped = |lit: &Lit| {
                found.dominated.iter().any(|one| one.player == player && one.element == lit.var())
                    || found.losing.iter().any(|one| one.player == player && one.choice == *lit)
            };
            let wins = |lit: &Lit| judge.winner(&after(&game, *lit), !player) == player;
            let all = moves(&game, player);
            let (tried, left): (Vec<Lit>, Vec<Lit>) = all.iter().partition(|lit| !dropped(lit));
            if !left.is_empty() {
                assert_eq!(tried.iter().any(wins), all.iter().any(wins), "{player} {game:?}\n{found:?}");
            }
        }
        dominated += found.dominated.len();
        losing += found.losing.len();
    }
    assert!(dominated > 80 && losing > 100, "{dominated} {losing}");
}

/// The simplified game has the same winner, in an isotone game whoever moves.
#[test]
fn simplified_games_have_the_same_winner() {
    let mut random = ChaCha8Rng::seed_from_u64(92);
    let (mut filled, mut smaller) = (0, 0);
    for number in 0..2500 {
        let game = random_game(&mut random, 7, kind(number));
        let found = simplify_game(&game, random.random_range(2..=4), &Control::default()).unwrap();
        let (before, now) = (tabulate(&game), tabulate(&found.game));
        assert_eq!(before.winner(game.played(), game.turn), now.winner(&[], game.turn), "{game:?}\n{found:?}");
        if kind(number) == Kind::Isotone {
            assert_eq!(before.winner(game.played(), !game.turn), now.winner(&[], !game.turn), "{game:?}\n{found:?}");
        }
        filled += found.fills.len();
        smaller += usize::from(found.game.elements() < game.uncoloured());
    }
    assert!(filled > 300 && smaller > 1000, "{filled} {smaller}");
}

/// Every move outside the mustplay loses.
#[test]
fn mustplay_by_definition() {
    let mut random = ChaCha8Rng::seed_from_u64(93);
    let mut seen = 0;
    for number in 0..250 {
        let game = random_game(&mut random, 6, kind(number));
        let found = analyse(&Problem::Game(game.clone()), Scope::default(), &options(), &Control::default()).unwrap();
        let judge = tabulate(&game);
        for (at, player) in [Player::Max, Player::Min].into_iter().enumerate() {
            let side = found.sides[at].as_ref().unwrap();
            assert_eq!(side.winner, judge.winner(game.played(), player), "{game:?}");
            assert_eq!(side.moves, judge.winning_moves(game.played(), player), "{game:?}");
        }
        let Some(mustplay) = &found.mustplay else { continue };
        for choice in moves(&game, game.turn).into_iter().filter(|lit| !mustplay.contains(&lit.var())) {
            assert_ne!(judge.winner(&after(&game, choice), !game.turn), game.turn, "{choice} {game:?}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

fn hex(side: usize, black: &[&str]) -> Problem {
    let mut board = Board::new(Hex(Grid { columns: side, rows: side }));
    for name in black {
        board.place(board.find(name).unwrap(), Side::First).unwrap();
    }
    Problem::Board(board)
}

fn names(problem: &Problem, vars: impl Iterator<Item = Var>) -> BTreeSet<String> {
    let Problem::Board(board) = problem else { panic!() };
    vars.map(|var| board.name(var.index())).collect()
}

/// The elements of which somebody's moves need not be tried.
fn inferior(problem: &Problem) -> Vec<String> {
    let found = statically(problem, 2);
    let dominated = found.dominated.iter().map(|one| one.element);
    names(problem, dominated.chain(found.losing.iter().map(|one| one.choice.var()))).into_iter().collect()
}

#[test]
fn published_boards() {
    let empty = hex(3, &[]);
    assert!(statically(&empty, 2).fills.is_empty());
    assert_eq!(inferior(&empty), ["a1", "c3"]);
    assert_eq!(inferior(&hex(4, &[])), ["a1", "d4"]);
    assert_eq!(inferior(&hex(5, &[])), ["a1", "e5"]);
    assert_eq!(inferior(&hex(4, &["d1"])), ["a1", "c1", "d4"]);

    let one = hex(3, &["a2"]);
    let found = statically(&one, 2);
    assert_eq!(found.fills.len(), 1);
    assert_eq!(found.fills[0].captor, Player::Max);
    let set = |number: usize, problem: &Problem, found: &Analysis| {
        names(problem, found.fills[number].literals.iter().map(|lit| lit.var())).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(set(0, &one, &found), ["a1", "b1"]);
    assert_eq!(found.rows, [Some(4), Some(5)]);

    let centre = hex(3, &["b2"]);
    let found = statically(&centre, 2);
    assert_eq!(found.decided, Some(Player::Max));
    let mut filled: Vec<(Vec<String>, Player)> =
        (0..found.fills.len()).map(|number| (set(number, &centre, &found), found.fills[number].captor)).collect();
    filled.sort_by(|a, b| a.0.cmp(&b.0));
    let pair = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
    // Black's pairs decide; White's need not be reached before that.
    for (cells, captor) in [(pair("b1", "c1"), Player::Max), (pair("a3", "b3"), Player::Max)] {
        assert!(filled.contains(&(cells, captor)), "{filled:?}");
    }
    for (cells, captor) in &filled {
        let of_white = [pair("a1", "a2"), pair("c2", "c3")].contains(cells);
        assert_eq!(*captor == Player::Min, of_white, "{filled:?}");
    }
}

#[test]
fn published_sets() {
    let verdict = |problem: &Problem, names: &[&str]| {
        let Problem::Board(board) = problem else { panic!() };
        let set: Vec<Var> = names.iter().map(|name| Var::from_index(board.find(name).unwrap())).collect();
        look_at(problem, &set, &Control::default()).unwrap()
    };
    let found = verdict(&hex(3, &[]), &["a1", "b1"]);
    assert_eq!(found.verdict, SetVerdict::Dominated(Player::Max));
    assert_eq!(found.clauses.unwrap().len(), 1);
    let found = verdict(&hex(3, &["a2"]), &["a1", "b1"]);
    assert_eq!(found.verdict, SetVerdict::Captured(Player::Max));
    assert_eq!(found.clauses.unwrap().iter().map(<[Lit]>::len).collect::<Vec<_>>(), [2]);
    // Coloured or unknown elements are refused.
    let set = [Var::from_index(3)];
    assert!(look_at(&hex(3, &["a2"]), &set, &Control::default()).is_err());
    assert!(look_at(&hex(3, &[]), &[Var::from_index(9)], &Control::default()).is_err());
}
