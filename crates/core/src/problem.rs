//! What can be solved, from every kind of input.

use crate::formula::{Colouring, Game, Names, Qbf, QuantifiedCircuit, TurnOrder, TurnOrderError, Var};
use crate::rules::sequential::Sequential;
use crate::rules::{Board, Sudoku};

/// Something to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Who wins this game or on this board if the players do not take turns?
    Reordered(Reordered),
    /// What does the player to move win in this game with an order?
    Sequential(Sequential),
    /// Can this grid be filled?
    Sudoku(Sudoku),
}

/// A game or a board with another order of turns. Made by [`Problem::in_order`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reordered {
    game: Box<Problem>,
    order: TurnOrder,
}

impl Reordered {
    /// The game or the board.
    pub fn game(&self) -> &Problem {
        &self.game
    }

    /// Who moves when, from here on.
    pub fn order(&self) -> &TurnOrder {
        &self.order
    }

    /// The same order for another form of the same game.
    pub fn of(&self, game: Problem) -> Self {
        Reordered { game: Box::new(game), order: self.order.clone() }
    }
}

/// Why a problem has no other order of turns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReorderError {
    /// The text is no order.
    #[error("{0}")]
    Order(#[from] TurnOrderError),
    /// It is no set colouring game and no board.
    #[error("an order of turns is for games and boards")]
    NotAGame,
    /// The board's own plies say who moves when.
    #[error("a race or a game of bounded length ends with the first goal: it has no other order of turns")]
    HasPlies,
    /// The order ends too early.
    #[error("the order ends after {0} of {1} moves")]
    TooShort(usize, usize),
}

impl Problem {
    /// The same game or board in another order of turns, which [`TurnOrder::parse`] reads; numbers of moves begin with the
    /// player to move.
    ///
    /// # Errors
    /// The text is no order, or too short for this game; or the problem's turns have their own order.
    pub fn in_order(self, order: &str) -> Result<Problem, ReorderError> {
        let (turn, moves) = match &self {
            Problem::Game(game) => (game.turn, game.uncoloured()),
            Problem::Board(board) if board.has_plies() => return Err(ReorderError::HasPlies),
            Problem::Board(board) => (board.player(board.turn), board.free().count()),
            _ => return Err(ReorderError::NotAGame),
        };
        let order = TurnOrder::parse(order, turn)?;
        match order.moves() {
            Some(length) if length < moves => Err(ReorderError::TooShort(length, moves)),
            _ => Ok(Problem::Reordered(Reordered { game: Box::new(self), order })),
        }
    }

    /// What its variables are called: a game's elements, a board's cells, the moves of a game with an order. Those without
    /// a name go by their number.
    pub fn names(&self) -> Names {
        match self {
            Problem::Qbf(qbf) => qbf.names.clone(),
            Problem::Circuit(circuit) => circuit.names.clone(),
            Problem::Game(game) => game.names.clone(),
            Problem::Colouring(game) => game.names.clone(),
            Problem::Board(board) => board.names(),
            Problem::Reordered(reordered) => reordered.game.names(),
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
