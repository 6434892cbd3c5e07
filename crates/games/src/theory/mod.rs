//! What games are worth, without a search: below the engines, which use it, and above the rows and boards it speaks of.
//!
//! - [`canonical`]: the exact value of a game inside a larger one;
//! - [`evaluate`]: numbers that guess who is ahead and where.

pub mod canonical;
pub mod evaluate;
