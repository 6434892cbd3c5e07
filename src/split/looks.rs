//! What a short search of the graph engine knows of the positions of a board.
//!
//! One session looks at all of them, so that each look goes on from what the others have found; the first one, of the whole
//! board, gets most. Which moves are worth a cube is read off its proof numbers: a search that is divided like this begins
//! with what the undivided one would look at next.

use super::cut::Settled;
use crate::solve::vertex_session;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Var};
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Side};
use gamesat_games::graph::{Questions, Session};
use gamesat_games::options::GraphOptions;

/// Expansions of the first look.
const FIRST: u64 = 200;

pub(super) struct Looks<'p> {
    board: &'p Board,
    session: Session,
    /// Expansions of every other look.
    expansions: u64,
}

impl<'p> Looks<'p> {
    /// Looks at a board that the graph engine knows.
    ///
    /// # Errors
    /// A reason to stop.
    pub(super) fn new(problem: &'p Problem, expansions: u64, control: &Control) -> Result<Option<Self>, StopReason> {
        let Problem::Board(board) = problem else { return Ok(None) };
        let session = match vertex_session(board, &GraphOptions::default()) {
            Some(Ok(session)) => session,
            Some(Err(StopReason::Unsupported(_))) | None => return Ok(None),
            Some(Err(reason)) => return Err(reason),
        };
        let mut looks = Looks { board, session, expansions };
        looks.search(FIRST, control)?;
        Ok(Some(looks))
    }

    /// The winner after some moves and the cells that it takes, if a short search finds out.
    ///
    /// # Errors
    /// A reason to stop.
    pub(super) fn settle(&mut self, path: &[Lit], control: &Control) -> Result<Option<Settled>, StopReason> {
        self.after(path, |looks| looks.search(looks.expansions, control))
    }

    /// Moves that are worth a thought after some moves, the most promising first; none where one look decides.
    pub(super) fn promising(&mut self, path: &[Lit]) -> Vec<usize> {
        self.after(path, |looks| looks.session.promising())
    }

    fn search(&mut self, expansions: u64, control: &Control) -> Result<Option<Settled>, StopReason> {
        match self.session.solve(Questions { expansions: Some(expansions), ..Questions::default() }, control) {
            Ok(found) => {
                let winner = self.board.player(if found.short_wins { Side::First } else { Side::Second });
                Ok(Some((winner, Some(found.trace.into_iter().map(Var::from_index).collect()))))
            }
            Err(StopReason::Nodes) => Ok(None),
            Err(reason) => Err(reason),
        }
    }

    fn after<T>(&mut self, path: &[Lit], doing: impl FnOnce(&mut Self) -> T) -> T {
        let played = path.iter().filter(|lit| self.session.play(lit.var().index())).count();
        let done = doing(self);
        for _ in 0..played {
            self.session.undo();
        }
        done
    }
}
