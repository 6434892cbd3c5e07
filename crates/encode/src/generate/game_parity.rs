//! The parity game: MAX wants an odd number of elements TRUE. Whoever moves last decides it, if both colours may be used.
//!
//! As far from isotone as a game can be: no element is ever dead, captured or dominated, and the smallest CNF has
//! `2^(n-1)` clauses of length `n`. With only one's own colour there is nothing to decide: the number of TRUE elements is
//! the number of moves that MAX makes.

use super::game_random::{RULE, TURN, game};
use super::{Family, GenerateError, Made, Parameter, Settings};
use gamesat_core::Problem;
use gamesat_core::formula::{ClauseArena, GameMatrix, Var};

pub(super) const GAME_PARITY: Family = Family {
    name: "game-parity",
    about: "MAX wants an odd number of TRUE elements; the last to move wins, or with rule=own counting decides",
    source: "folklore",
    parameters: &[Parameter::number("n", "number of elements", 8, 1, 20), TURN, RULE],
    seeded: false,
    build,
};

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let n = settings.number("n");
    let mut rows = ClauseArena::new();
    // One clause against every even colouring: it has the opposite sign everywhere.
    for colours in (0..1u32 << n).filter(|colours| colours.count_ones() % 2 == 0) {
        (0..n).for_each(|i| rows.push_lit(Var::from_index(i).lit(colours >> i & 1 == 0)));
        rows.finish();
    }
    let max_starts = settings.word("turn") == "max";
    let max_wins = if settings.word("rule") == "any" {
        max_starts == (n % 2 == 1)
    } else {
        let moves_of_max = if max_starts { n.div_ceil(2) } else { n / 2 };
        moves_of_max % 2 == 1
    };
    Ok(Made { problem: Problem::Game(game(settings, n, GameMatrix::Cnf(rows))), answer: Some(max_wins) })
}
