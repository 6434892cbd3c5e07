//! Bounded games, races and ordinary boards of every kind: what `solve` says against plain minimax on the rules, with both
//! sides as MAX and both as claimants.

use crate::support::ask;
use crate::support::boards::{random_positions, value};
use gamesat::Problem;
use gamesat::format::{Format, ReadOptions, read, write};
use gamesat::rules::{Board, Ending, Side};
use gamesat::solve::{Answer, Control, Options, Verdict, Wanted};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn answer(board: &Board, all_moves: bool) -> Answer {
    let wanted = if all_moves { Wanted::default().and_all_moves() } else { Wanted::default() };
    ask::ask(&Problem::Board(board.clone()), &wanted, &Options::default(), &Control::default())
}

/// Verdicts and moves of all that is no race.
#[test]
fn every_position_has_the_winner_of_its_rules() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    // By claimant, MAX and verdict.
    let mut seen = [0; 8];
    for _ in 0..80 {
        for board in random_positions(&mut rng, 6).into_iter().filter(|board| !board.is_race()) {
            let expected = value(&board);
            let verdict = Verdict::from(expected.ending == Ending::Win(board.max));
            let outcome = answer(&board, true);
            assert_eq!(outcome.verdict, verdict, "{board:?}");
            let bounded = board.schedule.is_some();
            if bounded {
                let moves: Vec<usize> = outcome.moves.iter().map(|lit| lit.var().index()).collect();
                assert_eq!(moves, expected.best_moves, "{board:?}");
                let which =
                    usize::from(board.claimant() == Side::First) * 4 + usize::from(board.max == Side::First) * 2;
                seen[which + usize::from(verdict == Verdict::True)] += 1;
            }
            let outcome = answer(&board, false);
            assert_eq!(outcome.verdict, verdict, "{board:?}");
            assert!(outcome.moves.iter().all(|lit| expected.best_moves.contains(&lit.var().index())), "{board:?}");
            assert!(!bounded || outcome.moves.is_empty() == expected.best_moves.is_empty(), "{board:?}");
            let colour = board.turn == board.max;
            assert!(outcome.moves.iter().all(|lit| lit.is_positive() == colour), "{board:?}");
        }
    }
    assert!(seen.iter().all(|&count| count > 30), "{seen:?}");
}

/// A race is decided by two questions: does this side win, does that one.
#[test]
fn races_are_won_drawn_and_lost() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    let mut seen = [0; 3];
    for _ in 0..150 {
        for board in random_positions(&mut rng, 5).into_iter().filter(|board| board.is_race()) {
            let expected = value(&board);
            let verdict = match expected.ending {
                Ending::Win(side) => Verdict::from(board.player(side)),
                Ending::Draw => Verdict::Draw,
            };
            for side in [Side::First, Side::Second] {
                let claim = board.clone().claim(side);
                assert_eq!(value(&claim), expected, "a claim changes nothing in a race");
                let outcome = answer(&claim, true);
                assert_eq!(outcome.verdict, verdict, "{claim:?}");
                let moves: Vec<usize> = outcome.moves.iter().map(|lit| lit.var().index()).collect();
                assert_eq!(moves, expected.best_moves, "{claim:?}");
                let first = answer(&claim, false).moves;
                assert_eq!(first.is_empty(), moves.is_empty(), "{claim:?}");
                assert!(first.iter().all(|lit| moves.contains(&lit.var().index())), "{claim:?}");
            }
            seen[(expected.ending.value(Side::First) + 1) as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

fn parse(text: &str) -> Board {
    match read(&mut text.as_bytes(), "f", &ReadOptions::default()).unwrap().problem {
        Problem::Board(board) => board,
        other => panic!("{other:?}"),
    }
}

/// Black has one move and needs two cells, whoever is MAX.
#[test]
fn cells_left_at_the_end_help_nobody_but_blacks_opponent() {
    let text = "#positions\na b\n#times\nt1\n#blackturns\nt1\n#blackwins\na b\n";
    let mut board = parse(text);
    assert_eq!(answer(&board, false).verdict, Verdict::False);
    board.max = Side::Second;
    assert_eq!(answer(&board, false).verdict, Verdict::True);
    // A file cannot say that White must have won in time, and is not written as if it could.
    let bounded = board.clone().claim(Side::Second);
    assert!(write(&Problem::Board(bounded), Format::Positional, &mut Vec::new()).is_err());
}

/// Moves are taken back exactly.
#[test]
fn every_move_can_be_undone() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    for _ in 0..10 {
        for mut board in random_positions(&mut rng, 7) {
            let mut line = Vec::new();
            for element in 0..board.elements() {
                let before = board.clone();
                match board.play(element) {
                    Ok(played) => line.push((before, played)),
                    Err(_) => assert_eq!(board, before),
                }
            }
            for (before, played) in line.into_iter().rev() {
                board.undo(played);
                assert_eq!(board, before);
            }
        }
    }
}
