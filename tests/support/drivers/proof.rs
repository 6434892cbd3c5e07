//! Proofs before every judge: of the question itself, and of one that is slightly different.

use super::Case;
use crate::support::other_questions::{Tally, boards, circuits, formulas, games, judge_pair};
use gamesat::solve::Options;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

pub fn other_questions(random: &mut ChaCha8Rng, case: &mut Case) {
    let pair = match random.random_range(0..4) {
        0 => games(random),
        1 => {
            let mut pairs = boards(random);
            pairs.swap_remove(random.random_range(0..pairs.len()))
        }
        2 => formulas(random),
        _ => circuits(random),
    };
    case.problem(&pair.0, &Options::default());
    let (mut own, mut others) = (Tally::default(), Tally::default());
    judge_pair(&pair, &mut own, &mut others);
    let seen =
        [(own.accepted, "own accepted"), (others.accepted, "other accepted"), (others.rejected, "other rejected")];
    for (count, what) in seen {
        (0..count).for_each(|_| case.count(what));
    }
}
