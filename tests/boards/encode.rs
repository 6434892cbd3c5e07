//! Boards as formulas: exact counts from the literature, both normal forms against the rules of the game, and plain
//! minimax on the board against the formula's game.

use crate::support::boards::{max_wins, scatter, small_boards};
use gamesat::check::evaluate_game;
use gamesat::control::Control;
use gamesat::encode::{Form, winning_sets};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Player};
use gamesat::rules::{Board, Grid, Hex, Side};
use gamesat_encode::steps::{DEFAULT_LITERALS, board_game};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn hex(columns: usize, rows: usize) -> Board {
    Board::new(Hex(Grid { columns, rows }))
}

fn sizes(board: &Board, side: Side) -> Vec<usize> {
    let mut sizes = Vec::new();
    winning_sets(board, side, &Control::default(), &mut |set| {
        sizes.push(set.len());
        Ok(())
    })
    .unwrap();
    sizes
}

#[test]
fn counts_of_induced_paths_in_hex() {
    for (n, count) in [(1, 1), (2, 3), (3, 11), (4, 54), (5, 365), (6, 3_848), (7, 68_914)] {
        assert_eq!(sizes(&hex(n, n), Side::First).len(), count, "{n}x{n}");
        assert_eq!(sizes(&hex(n, n), Side::Second).len(), count, "{n}x{n} White");
    }
    assert_eq!(sizes(&hex(7, 7), Side::First).iter().sum::<usize>(), 1_077_034);
    // Width x length as in the thesis: Black's paths run over the rows.
    assert_eq!(sizes(&hex(6, 7), Side::First).len(), 16_097);
    assert_eq!(sizes(&hex(7, 6), Side::First).len(), 12_097);
    assert_eq!(sizes(&hex(8, 7), Side::First).len(), 288_385);
}

#[test]
fn counts_of_shortest_paths_in_hex() {
    for m in 1..7 {
        for n in 2..=m + 1 {
            let shortest = sizes(&hex(m, n), Side::First).iter().filter(|&&length| length == n).count();
            assert_eq!(shortest, (2 * m - n + 1) << (n - 2), "{m}x{n}");
        }
    }
}

/// The value of a game's formula when MAX owns the elements of a mask.
fn value(game: &Game, owned: impl Fn(usize) -> bool) -> bool {
    match game.matrix() {
        GameMatrix::Cnf(rows) => rows.iter().all(|row| row.iter().any(|lit| owned(lit.var().index()))),
        GameMatrix::Dnf(rows) => rows.iter().any(|row| row.iter().all(|lit| owned(lit.var().index()))),
        GameMatrix::Circuit(_) => unreachable!("boards become normal forms"),
    }
}

fn is_irredundant(rows: &ClauseArena) -> bool {
    let contains = |large: &[_], small: &[_]| small.iter().all(|lit| large.contains(lit));
    (0..rows.len()).all(|i| (0..rows.len()).all(|j| i == j || !contains(&rows[i], &rows[j])))
}

#[test]
fn both_forms_say_who_has_won() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..25 {
        for mut board in small_boards(&mut rng) {
            scatter(&mut rng, &mut board, 20);
            let games = [Form::Cnf, Form::Dnf]
                .map(|form| board_game(&board, form, DEFAULT_LITERALS, &Control::default()).unwrap());
            for game in &games {
                let (GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows)) = game.matrix() else { unreachable!() };
                assert!(is_irredundant(rows), "{board:?}");
                assert!(rows.lits().iter().all(|lit| board.is_free(lit.var().index())), "{board:?}");
            }
            let free: Vec<usize> = board.free().collect();
            let fillings = if free.len() <= 7 { 1 << free.len() } else { 128 };
            for filling in 0..fillings {
                let bits: u32 = if free.len() <= 7 { filling } else { rng.random() };
                let mut full = board.clone();
                for (i, &element) in free.iter().enumerate() {
                    full.place(element, if bits >> i & 1 != 0 { Side::First } else { Side::Second }).unwrap();
                }
                let max_wins = full.winner() == Some(board.max);
                for game in &games {
                    let owned = |element: usize| full.stone(element) == Some(board.max);
                    assert_eq!(value(game, owned), max_wins, "{full:?}\n{game:?}");
                }
            }
        }
    }
}

#[test]
fn the_game_has_the_winner_of_the_board() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..6 {
        for mut board in small_boards(&mut rng) {
            scatter(&mut rng, &mut board, 8);
            let expected = max_wins(&board);
            for form in [Form::Cnf, Form::Dnf] {
                let game = board_game(&board, form, DEFAULT_LITERALS, &Control::default()).unwrap();
                let winner = evaluate_game(&game, &Control::default()).unwrap().winner;
                assert_eq!(winner == Player::Max, expected, "{board:?}");
            }
        }
    }
}
