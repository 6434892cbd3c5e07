//! Boards of every kind, bounded, claimed and raced, against minimax on their rules: every engine, both sides as MAX.

use super::formula::engines_of;
use super::{Case, random_options};
use crate::support::boards::{random_positions, value};
use gamesat::Problem;
use gamesat::check::{Judge, Judgement};
use gamesat::control::Control;
use gamesat::rules::{Board, Ending};
use gamesat::solve::{Answer, Question, Trace, Verdict, Wanted, ask};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

pub fn verdict(board: &Board, ending: Ending) -> Verdict {
    match ending {
        Ending::Win(side) => Verdict::from(board.player(side)),
        Ending::Draw => Verdict::Draw,
    }
}

/// Whether the winner still wins with every free element outside the trace in the loser's hands.
fn is_trace(board: &Board, answer: &Answer, winner: Ending) -> bool {
    let Ending::Win(side) = winner else { return true };
    let trace = answer.trace.as_deref().unwrap_or_default();
    let mut given = board.clone();
    for element in board.free() {
        if !trace.iter().any(|var| var.index() == element) {
            given.place(element, !side).unwrap();
        }
    }
    value(&given).ending == winner
}

pub fn answers(random: &mut ChaCha8Rng, case: &mut Case) {
    let mut boards = random_positions(random, 6);
    let mut board = boards.swap_remove(random.random_range(0..boards.len()));
    let mut options = random_options(random);
    options.threads = if random.random_range(0..8) == 0 { 2 } else { 1 };
    let expected = value(&board);
    let is_open = board.ending().is_none();
    for _ in 0..2 {
        board.max = !board.max;
        let problem = Problem::Board(board.clone());
        let verdict = verdict(&board, expected.ending);
        let wishes = [
            Wanted::default(),
            Wanted::default().and_all_moves(),
            Wanted::default().and_trace(Trace::Any),
            Wanted::default().and_proof(),
        ];
        for wanted in wishes {
            for engine in engines_of(&problem, &wanted) {
                options.engine = Some(engine.to_owned());
                case.problem(&problem, &options);
                let context = || format!("{engine}: {board:?}\n{wanted:?} {options:?}");
                let answer = ask(&Question { problem: &problem, wanted: &wanted }, &options, &Control::default());
                let answer = answer.unwrap();
                assert_eq!(answer.verdict, verdict, "{}", context());
                assert_eq!(answer.missing, None, "{}", context());
                let found: Vec<usize> = answer.moves.iter().map(|lit| lit.var().index()).collect();
                if is_open {
                    let best = &expected.best_moves;
                    assert!(found.iter().all(|element| best.contains(element)), "{found:?} of {best:?}: {}", context());
                    assert!(!wanted.all_moves || found == *best, "{found:?}, not {best:?}: {}", context());
                    // That a position is the same to both sides says who wins, not how.
                    let says_how = engine != "theorem" || !found.is_empty();
                    assert!(!says_how || found.is_empty() == best.is_empty(), "{}", context());
                }
                assert!(wanted.trace == Trace::No || is_trace(&board, &answer, expected.ending), "{}", context());
                let Some(proof) = answer.proof else {
                    assert!(!wanted.proof, "{}", context());
                    continue;
                };
                for &judge in Judge::ALL {
                    let judgement = judge.verify(&problem, &proof, &Control::default()).unwrap();
                    let accepted = Judgement::Accepted(verdict == Verdict::True);
                    assert_eq!(judgement, accepted, "{} {}", judge.name(), context());
                }
            }
        }
        case.count(match verdict {
            Verdict::True => "max",
            Verdict::False => "min",
            _ => "draw",
        });
    }
}
