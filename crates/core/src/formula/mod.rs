//! The data every other module speaks: literals, clauses, prefixes, formulas, games and circuits.

mod aig;
mod arena;
mod autotree;
mod circuit;
mod colouring;
mod confirmation;
pub mod digits;
mod game;
mod literal;
mod names;
mod prefix;
mod proof;
mod qbf;
mod reduction;
mod refutation;
mod strategy;
mod turn_order;
mod varset;

pub use aig::Aig;
pub use arena::{ClauseArena, Clauses};
pub use autotree::{Autotree, AutotreePart};
pub use circuit::{Circuit, CircuitBuilder, Gate, GateKind, QuantifiedCircuit};
pub use colouring::{Colouring, ColouringError};
pub use confirmation::{Confirmation, ConfirmationRow};
pub use game::{Game, GameError, GameMatrix, Player, Rule};
pub use literal::{Lit, Var};
pub use names::Names;
pub use prefix::{Block, Prefix, Quantifier};
pub use proof::{Proof, Reason, Trees};
pub use qbf::{PrefixError, Qbf};
pub use reduction::{Promise, Reduction};
pub use refutation::{Refutation, RefutationStep};
pub use strategy::{Strategy, StrategyNode};
pub use turn_order::{TurnOrder, TurnOrderError};
pub use varset::VarSet;
