//! Set colouring games, solved from the formula alone.
//!
//! The theory is that of J. van Rijswijck, *Set Colouring Games* (University of Alberta, 2006): two players alternately
//! colour elements TRUE or FALSE until none is left; MAX wants the formula true, MIN false. One idea per file:
//!
//! - [`prepare`]: colours filled in, elements renumbered, both normal forms ([`dualise`]);
//! - [`position`], [`form`], [`mask`]: rows as bit masks, changed in place, undone exactly;
//! - [`reduce`]: [`units`], dead elements and [`capture`] to a fixpoint; [`domination`] of moves;
//! - [`alpha_beta`]: the search with traces and mustplay; [`order`], [`table`];
//! - [`root`]: winner, moves and trace of a whole game; [`strategy`]: the win played out, for those who want to check it.

mod alpha_beta;
mod capture;
mod companions;
mod domination;
mod dualise;
mod form;
mod mask;
mod options;
mod order;
mod position;
mod prepare;
mod reduce;
mod root;
mod strategy;
mod table;
mod units;

pub use options::GameOptions;
pub use root::{Answer, solve, solve_with_strategy};
