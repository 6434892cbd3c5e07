//! Misère boards as games: whoever would have won the full board has lost it.

use crate::support::boards::{scatter, small_boards};
use gamesat::Problem;
use gamesat::control::Control;
use gamesat::encode::{EncodeError, misere};
use gamesat::rules::{Board, Side};
use gamesat::solve::{Options, Question, Verdict, Wanted, ask};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Whether MAX wins the misère game, by minimax on full boards.
fn max_wins(board: &Board) -> bool {
    if board.free().next().is_none() {
        let first = board.goal(Side::First).unwrap().is_reached(|e| board.stone(e) == Some(Side::First));
        return (if first { Side::First } else { Side::Second }) != board.max;
    }
    let mut moves = board.free().map(|element| {
        let mut next = board.clone();
        next.place(element, board.turn).unwrap();
        next.turn = !board.turn;
        max_wins(&next)
    });
    if board.turn == board.max { moves.any(|won| won) } else { moves.all(|won| won) }
}

#[test]
fn misere_is_minimax_on_full_boards() {
    let random = &mut ChaCha8Rng::seed_from_u64(5);
    let (mut winners, mut changed) = ([0, 0], 0);
    for _ in 0..25 {
        for mut board in small_boards(random) {
            scatter(random, &mut board, 5);
            let truth = max_wins(&board);
            let answer = |problem: &Problem| {
                let question = Question { problem, wanted: &Wanted::default() };
                ask(&question, &Options::default(), &Control::default()).unwrap().verdict
            };
            let game = Problem::Game(misere(&board, &Control::default()).unwrap());
            assert_eq!(answer(&game), if truth { Verdict::True } else { Verdict::False }, "{board:?}");
            winners[usize::from(truth)] += 1;
            changed += usize::from(answer(&Problem::Board(board)) == answer(&game));
        }
    }
    assert!(winners[0] > 50 && winners[1] > 50 && changed > 20, "{winners:?} {changed}");
}

#[test]
fn bounded_boards_have_no_misere_game() {
    let board = small_boards(&mut ChaCha8Rng::seed_from_u64(6)).swap_remove(0).bounded(3);
    assert!(matches!(misere(&board, &Control::default()), Err(EncodeError::NotAGame(_))));
}
