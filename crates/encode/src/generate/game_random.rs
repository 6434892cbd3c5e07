//! Random games: rows of one length over different elements, chosen uniformly.
//!
//! With positive signs the game is isotone: a colour of one's own never hurts, and moving first is never a
//! disadvantage. With mixed signs neither holds, and an element that occurs nowhere can change the winner.

use super::random::Random;
use super::{Family, GenerateError, Made, Parameter, Settings, check_size};
use gamesat_core::Problem;
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Player, Rule, Var};

/// Who moves first, a parameter of every game family.
pub(super) const TURN: Parameter = Parameter::words("turn", "who moves first", &["max", "min"]);
/// Which colours are allowed, a parameter of every game family.
pub(super) const RULE: Parameter = Parameter::words("rule", "which colours a player may use", &["any", "own"]);

pub(super) const GAME_RANDOM: Family = Family {
    name: "game-random",
    about: "a random game, isotone (signs=positive) or not (signs=mixed); not known beforehand",
    source: "fixed clause length; games on positive formulas as in T. J. Schaefer: On the Complexity of Some \
             Two-person Perfect-information Games. JCSS 16, 1978",
    parameters: &[
        Parameter::number("elements", "number of elements", 20, 1, 1_000_000),
        Parameter::number("rows", "number of clauses or terms", 40, 0, 10_000_000),
        Parameter::number("size", "literals in a row", 3, 1, 100),
        Parameter::words("signs", "positive, or random signs", &["positive", "mixed"]),
        Parameter::words("form", "normal form", &["cnf", "dnf"]),
        TURN,
        RULE,
    ],
    seeded: true,
    build,
};

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let (elements, size) = (settings.number("elements"), settings.number("size"));
    check_size([settings.number("rows"), size])?;
    if size > elements {
        return Err(GenerateError::Impossible(format!("no row has {size} different elements of {elements}")));
    }
    let mixed = settings.word("signs") == "mixed";
    let mut random = Random::new(settings.seed);
    let mut rows = ClauseArena::new();
    let mut chosen = Vec::new();
    for _ in 0..settings.number("rows") {
        random.sample(elements, size, &mut chosen);
        chosen.iter().for_each(|&i| rows.push_lit(Var::from_index(i).lit(!mixed || random.coin())));
        rows.finish();
    }
    let matrix = if settings.word("form") == "cnf" { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
    Ok(Made { problem: Problem::Game(game(settings, elements, matrix)), answer: None })
}

/// The game with the turn and the rule of the settings.
pub(super) fn game(settings: &Settings, elements: usize, matrix: GameMatrix) -> Game {
    let mut game = Game::new(elements, matrix).expect("rows are made of the game's elements");
    game.turn = if settings.word("turn") == "max" { Player::Max } else { Player::Min };
    game.rule = if settings.word("rule") == "any" { Rule::Any } else { Rule::Own };
    game
}
