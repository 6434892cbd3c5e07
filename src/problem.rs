//! What can be solved, from every kind of input.

use crate::formula::{Colouring, Game, Names, Qbf, QuantifiedCircuit, Var};
use crate::rules::sequential::Sequential;
use crate::rules::{Board, Sudoku};

/// Something to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// Is this quantified formula true?
    Qbf(Qbf),
    /// Is this quantified circuit true?
    Circuit(QuantifiedCircuit),
    /// Who wins this game?
    Game(Game),
    /// Who wins this game with more colours, restricted elements or a score?
    Colouring(Colouring),
    /// Who wins on this board?
    Board(Board),
    /// What does the player to move win in this game with an order?
    Sequential(Sequential),
    /// Can this grid be filled?
    Sudoku(Sudoku),
}

impl Problem {
    /// What its variables are called: a game's elements, a board's cells, the moves of a game with an order. Those without
    /// a name go by their number.
    pub fn names(&self) -> Names {
        match self {
            Problem::Qbf(qbf) => qbf.names.clone(),
            Problem::Circuit(circuit) => circuit.names.clone(),
            Problem::Game(game) => game.names.clone(),
            Problem::Colouring(game) => game.names.clone(),
            Problem::Board(board) => board.names(),
            Problem::Sequential(game) => {
                let mut names = Names::new();
                for mv in 0..game.move_count() {
                    names.insert(Var::from_index(mv), game.move_name(mv as u16));
                }
                names
            }
            Problem::Sudoku(_) => Names::new(),
        }
    }
}
