//! What can be solved, from every kind of input.

use crate::formula::{Colouring, Game, Qbf, QuantifiedCircuit};
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
