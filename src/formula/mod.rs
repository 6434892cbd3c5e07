//! The data every other module speaks: literals, clauses, prefixes, formulas, games and circuits.

mod arena;
mod circuit;
mod game;
mod literal;
mod names;
pub mod normal;
mod prefix;
mod qbf;
mod varset;

pub use arena::{ClauseArena, Clauses};
pub use circuit::{Circuit, CircuitBuilder, Gate, GateKind, QuantifiedCircuit};
pub use game::{Game, GameError, GameMatrix, Player, Rule};
pub use literal::{Lit, Var};
pub use names::Names;
pub use prefix::{Block, Prefix, Quantifier};
pub use qbf::{PrefixError, Qbf};

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
}
