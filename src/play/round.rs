//! A game under way: the position it began with, and every move since.

use super::{PlayError, Position};
use gamesat_core::formula::Lit;
use gamesat_core::problem::Problem;

/// A game under way.
#[derive(Clone, Debug)]
pub struct Round {
    /// Before the first move, after the first, and so on.
    positions: Vec<Position>,
    moves: Vec<(Lit, String)>,
    /// Moves that were taken back, the last one first to come again.
    undone: Vec<Lit>,
}

impl Round {
    /// A game that begins here.
    pub fn new(problem: Problem) -> Self {
        Round { positions: vec![Position::new(problem)], moves: Vec::new(), undone: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The names of the moves so far.
    pub fn moves(&self) -> Vec<&str> {
        self.moves.iter().map(|(_, name)| name.as_str()).collect()
    }

    /// The moves so far.
    pub(super) fn literals(&self) -> impl ExactSizeIterator<Item = Lit> + '_ {
        self.moves.iter().map(|&(lit, _)| lit)
    }

    /// Plays a move by its name; gives the name back as the game writes it.
    ///
    /// # Errors
    /// It is no move, not a legal one, or the game is over.
    pub fn play(&mut self, text: &str) -> Result<&str, PlayError> {
        let lit = self.position().parse(text)?;
        self.make(lit)?;
        self.undone.clear();
        Ok(&self.moves[self.moves.len() - 1].1)
    }

    fn make(&mut self, lit: Lit) -> Result<(), PlayError> {
        let mut next = self.position().clone();
        let name = next.name(lit);
        next.play(lit)?;
        self.positions.push(next);
        self.moves.push((lit, name));
        Ok(())
    }

    /// Takes the last move back. False if there is none.
    pub fn undo(&mut self) -> bool {
        let Some((lit, _)) = self.moves.pop() else { return false };
        self.positions.pop();
        self.undone.push(lit);
        true
    }

    /// Plays the move again that was taken back last. False if there is none.
    pub fn redo(&mut self) -> bool {
        self.undone.pop().is_some_and(|lit| self.make(lit).is_ok())
    }
}
