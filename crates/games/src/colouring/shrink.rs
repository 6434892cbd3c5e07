//! Smaller traces: elements are given away one by one, and the game is solved again.
//!
//! A trace is a set P such that the winner still wins with every element outside P quantified against the winner: for all
//! colours if MAX won, for some colour if MIN did. In a CNF "for all" just strikes the element's literals from the clauses,
//! in a DNF "for some" does so from the terms.

use super::session::{Answer, solve};
use crate::options::GameOptions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Player, Var};
use gamesat_rows::normal;
use rustc_hash::FxHashSet;

/// Rows up to which the other normal form is computed for this purpose.
const LIMIT: usize = 1 << 14;

/// Makes the trace of an answer smaller, until no element of it can be given away. Where the normal form that it takes is
/// not affordable, the trace stays.
///
/// # Errors
/// The reason to stop.
pub fn shrink_trace(
    game: &Game,
    answer: &mut Answer,
    options: &GameOptions,
    control: &Control,
) -> Result<(), StopReason> {
    let rows = match (answer.winner, game.matrix()) {
        (Player::Max, GameMatrix::Cnf(rows)) | (Player::Min, GameMatrix::Dnf(rows)) => {
            Some(normal::irredundant(rows, control)?)
        }
        (Player::Max, _) => normal::game_cnf(game, LIMIT, control)?,
        (Player::Min, _) => normal::game_dnf(game, LIMIT, control)?,
    };
    let Some(rows) = rows else { return Ok(()) };
    let played: FxHashSet<Var> = game.played().iter().map(|lit| lit.var()).collect();
    let mut needed: Vec<Var> = Vec::new();
    while let Some(&candidate) = answer.trace.iter().find(|var| !needed.contains(var)) {
        let kept: FxHashSet<Var> = answer.trace.iter().copied().filter(|&var| var != candidate).collect();
        let quantified: ClauseArena = rows
            .iter()
            .map(|row| {
                let stays = |var: Var| kept.contains(&var) || played.contains(&var);
                row.iter().copied().filter(|lit| stays(lit.var())).collect::<Vec<_>>()
            })
            .collect();
        let matrix = match answer.winner {
            Player::Max => GameMatrix::Cnf(quantified),
            Player::Min => GameMatrix::Dnf(quantified),
        };
        let Ok(mut smaller) = Game::new(game.elements(), matrix) else { return Ok(()) };
        if smaller.play(game.played()).is_err() {
            return Ok(());
        }
        (smaller.rule, smaller.turn) = (game.rule, game.turn);
        let again = solve(&smaller, false, options, control)?;
        if again.winner == answer.winner {
            answer.trace = again.trace;
        } else {
            needed.push(candidate);
        }
    }
    Ok(())
}
