//! The judge against brute force: a proof of the question itself is accepted, and whatever is accepted is true, also when the
//! proof was made for a slightly different question.

use crate::support::ask::ask;
use crate::support::other_questions::{Tally, boards, circuits, formulas, games, judge_pair, proof};
use gamesat::check::{Judge, Judgement};
use gamesat::control::Control;
use gamesat::solve::{Options, Wanted};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[test]
fn games_with_stars_and_circuits() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut own, mut others) = (Tally::default(), Tally::default());
    for _ in 0..1500 {
        judge_pair(&games(&mut random), &mut own, &mut others);
    }
    assert!(own.accepted > 2000 && others.rejected > 1000 && others.accepted > 200, "{own:?} {others:?}");
}

#[test]
fn boards_with_bounds_and_sides() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let (mut own, mut others) = (Tally::default(), Tally::default());
    for _ in 0..60 {
        for pair in boards(&mut random) {
            judge_pair(&pair, &mut own, &mut others);
        }
    }
    assert!(own.accepted > 300 && others.rejected > 200 && others.accepted > 50, "{own:?} {others:?}");
}

#[test]
fn formulas_and_circuits() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let (mut own, mut others) = (Tally::default(), Tally::default());
    for _ in 0..1200 {
        judge_pair(&formulas(&mut random), &mut own, &mut others);
        judge_pair(&circuits(&mut random), &mut own, &mut others);
    }
    assert!(own.accepted > 4000 && others.rejected > 300 && others.accepted > 500, "{own:?} {others:?}");
}

/// A proof of one kind says nothing about a problem of another kind.
#[test]
fn kinds_do_not_mix() {
    let game = gamesat::parse("x | y").unwrap();
    let formula = gamesat::parse("exists x: x").unwrap();
    let board = gamesat::parse("bridgit 2").unwrap();
    let problems = [&game, &formula, &board];
    for (i, problem) in problems.iter().enumerate() {
        for (j, other) in problems.iter().enumerate() {
            let proof = proof(other).unwrap();
            let found = Judge::usual().unwrap().verify(problem, &proof, &Control::default()).unwrap();
            assert_eq!(matches!(found, Judgement::Accepted(_)), i == j, "{problem:?} {proof:?}");
        }
    }
    let wanted = Wanted::default();
    assert_eq!(ask(&game, &wanted, &Options::default(), &Control::default()).proof, None);
}
