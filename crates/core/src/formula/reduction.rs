//! A game made smaller, together with what it takes to win the larger one by winning the smaller one.

use super::{Game, Lit, Player, Var};

/// What a player sees to in a set of elements whenever the opponent moves there: every row gets a true literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Who.
    pub captor: Player,
    /// The rows, in literals of the larger game.
    pub rows: Vec<Vec<Lit>>,
}

/// A smaller game, where its elements come from, and what is played outside them.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The smaller game.
    pub game: Game,
    /// For each of its elements the element of the larger game, `None` for one that stands for nothing.
    pub origin: Vec<Option<Var>>,
    /// What either player sees to in sets that are not in the smaller game. Sets of one player have no element in common.
    pub promises: Vec<Promise>,
}
