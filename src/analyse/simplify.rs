//! A game made smaller: the same winner for the player to move, in an isotone game for both.
//!
//! Played colours are filled in, rows made prime where that is affordable, captured sets filled in round by round (see
//! [`fill`](super::fill)), and elements dropped on which nothing depends any more. Two dead elements cancel in any game, and in
//! an isotone one every dead element can be dropped (*Set Colouring Games* 5.4, 5.5); so at most one star is left, and only
//! in a game that is not isotone. A win of the smaller game is one of the larger for a player who answers in the sets that it
//! has captured; what it sees to there goes along, for the judge (`check::reduction`). Forced moves are not made: they would change the turn.

use super::fill::{Fill, Forms, fill};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Promise, Reduction, Var};
use gamesat_rows::normal;
use rustc_hash::{FxHashMap, FxHashSet};

/// A smaller game, and what was done.
#[derive(Clone, Debug)]
pub struct SimplifiedGame {
    /// The smaller game. Its elements are numbered anew and named as before, by their old numbers if they had no name.
    pub game: Game,
    /// Captured sets that were filled in, in the old numbers.
    pub fills: Vec<Fill>,
    /// Elements that were dropped, in the old numbers.
    pub dropped: Vec<Var>,
    /// Elements outside the formula that were dropped beside them.
    pub stars: usize,
    /// For each element of the smaller game the old one, `None` for a star.
    pub origin: Vec<Option<Var>>,
}

impl SimplifiedGame {
    /// What a judge needs to take a win of the smaller game for one of the larger.
    pub fn reduction(&self) -> Reduction {
        let promise = |fill: &Fill| Promise { captor: fill.captor, rows: fill.rows.clone() };
        let promises = self.fills.iter().map(promise).collect();
        Reduction { game: self.game.clone(), origin: self.origin.clone(), promises }
    }
}

/// Makes a game smaller, filling captured sets of at most so many elements.
///
/// # Errors
/// The reason to stop, or a circuit without an affordable normal form.
pub fn simplify_game(game: &Game, set_size: usize, control: &Control) -> Result<SimplifiedGame, StopReason> {
    let mut forms = Forms::new(game, control)?;
    if !forms.is_known() {
        forms = given(game, control)?;
    }
    let filled = fill(&forms, set_size, game.turn, game.uncoloured(), control)?;
    let conjunction = match game.matrix() {
        GameMatrix::Dnf(_) => filled.forms.dnf.is_none(),
        _ => filled.forms.cnf.is_some(),
    };
    let rows = if conjunction { &filled.forms.cnf } else { &filled.forms.dnf };
    let empty = ClauseArena::new();
    let rows = rows.as_ref().unwrap_or(&empty);

    // What is left, numbered anew.
    let left = rows.vars();
    let number: FxHashMap<Var, Var> = left.iter().enumerate().map(|(at, &var)| (var, Var::from_index(at))).collect();
    let renumbered: ClauseArena = rows
        .iter()
        .map(|row| row.iter().map(|lit| number[&lit.var()].lit(lit.is_positive())).collect::<Vec<Lit>>())
        .collect();
    let matrix = if conjunction { GameMatrix::Cnf(renumbered) } else { GameMatrix::Dnf(renumbered) };
    let undecided = filled.forms.decided().is_none();
    let star = undecided && !filled.forms.is_isotone() && left.len() % 2 != game.uncoloured() % 2;
    let elements = left.len() + usize::from(star);
    let mut smaller = Game::new(elements, matrix).map_err(|error| StopReason::Unsupported(error.to_string()))?;
    (smaller.rule, smaller.turn) = (game.rule, game.turn);
    for (at, &var) in left.iter().enumerate() {
        smaller.names.insert(Var::from_index(at), game.names.label(var));
    }
    if star {
        // A name that is taken is no reason to fail.
        smaller.names.insert(Var::from_index(left.len()), "*");
    }

    let mut origin: Vec<Option<Var>> = left.iter().copied().map(Some).collect();
    origin.resize(elements, None);

    // What is gone.
    let filled_in: FxHashSet<Var> = filled.fills.iter().flat_map(|fill| &fill.literals).map(|lit| lit.var()).collect();
    let played: FxHashSet<Var> = game.played().iter().map(|lit| lit.var()).collect();
    let mut dropped: Vec<Var> = match game.matrix() {
        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows.vars(),
        GameMatrix::Circuit(circuit) => (0..circuit.inputs()).map(Var::from_index).collect(),
    };
    let occurring = dropped.iter().filter(|var| !played.contains(var)).count();
    dropped.retain(|var| !played.contains(var) && !filled_in.contains(var) && !number.contains_key(var));
    let stars = game.uncoloured() - occurring;
    Ok(SimplifiedGame { game: smaller, fills: filled.fills, dropped, stars, origin })
}

/// The form that a game has, irredundant: where the prime ones are not affordable.
fn given(game: &Game, control: &Control) -> Result<Forms, StopReason> {
    let against: Vec<Lit> = game.played().iter().map(|&lit| !lit).collect();
    let forms = match game.matrix() {
        GameMatrix::Cnf(rows) => (Some(normal::irredundant(&normal::condition(rows, game.played()), control)?), None),
        GameMatrix::Dnf(rows) => (None, Some(normal::irredundant(&normal::condition(rows, &against), control)?)),
        GameMatrix::Circuit(_) => {
            return Err(StopReason::Unsupported("the circuit has no affordable normal form".to_owned()));
        }
    };
    Ok(Forms::from_rows(forms.0, forms.1, game.rule))
}
