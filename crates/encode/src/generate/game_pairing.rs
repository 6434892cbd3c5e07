//! Random isotone games that one player wins by a hidden pairing strategy.
//!
//! The elements are paired at random, and every row contains some pair beside random other elements. As a CNF this is won
//! by MAX, who answers each move with the partner, even if MIN moves first; as a DNF it is won by MIN. Moving first is
//! never a disadvantage in an isotone game, so the turn does not matter.

use super::game_random::{RULE, TURN, game};
use super::random::Random;
use super::{Family, GenerateError, Made, Parameter, Settings, check_size};
use gamesat_core::Problem;
use gamesat_core::formula::{ClauseArena, GameMatrix, Var};

pub(super) const GAME_PAIRING: Family = Family {
    name: "game-pairing",
    about: "a random isotone game with a hidden pairing strategy; MAX wins a cnf, MIN a dnf, with either player to move",
    source: "pairing strategies as in A. W. Hales, R. I. Jewett: Regularity and Positional Games. Transactions of \
             the AMS 106, 1963",
    parameters: &[
        Parameter::number("pairs", "half the number of elements", 10, 1, 1_000_000),
        Parameter::number("rows", "number of clauses or terms", 40, 0, 10_000_000),
        Parameter::number("size", "literals in a row", 4, 2, 100),
        Parameter::words("form", "normal form", &["cnf", "dnf"]),
        TURN,
        RULE,
    ],
    seeded: true,
    build,
};

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let (pairs, size) = (settings.number("pairs"), settings.number("size"));
    check_size([settings.number("rows"), size])?;
    if size > 2 * pairs {
        return Err(GenerateError::Impossible(format!("no row has {size} different elements of {}", 2 * pairs)));
    }
    let mut random = Random::new(settings.seed);
    let mut order: Vec<Var> = (0..2 * pairs).map(Var::from_index).collect();
    random.shuffle(&mut order);
    let mut rows = ClauseArena::new();
    let (mut chosen, mut row) = (Vec::new(), Vec::new());
    for _ in 0..settings.number("rows") {
        // The pair at `pair`, and `size - 2` of the others, counted past the pair.
        let pair = 2 * random.below(pairs);
        random.sample(2 * pairs - 2, size - 2, &mut chosen);
        row.clear();
        row.extend([order[pair], order[pair + 1]]);
        row.extend(chosen.iter().map(|&i| order[if i < pair { i } else { i + 2 }]));
        row.sort_unstable();
        row.iter().for_each(|var| rows.push_lit(var.positive()));
        rows.finish();
    }
    let cnf = settings.word("form") == "cnf";
    let matrix = if cnf { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
    Ok(Made { problem: Problem::Game(game(settings, 2 * pairs, matrix)), answer: Some(cnf) })
}
