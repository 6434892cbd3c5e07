//! Set colouring games, solved from the formula alone.
//!
//! The theory is that of J. van Rijswijck, *Set Colouring Games* (University of Alberta, 2006): two players alternately
//! colour elements TRUE or FALSE until none is left; MAX wants the formula true, MIN false. One idea per file:
//!
//! - [`prepare`]: colours filled in, elements renumbered, both normal forms ([`dualise`]);
//! - [`position`], [`form`], [`frame`], [`mask`]: rows as bit masks, changed in place, undone exactly; [`absorb`]: rows
//!   inside others;
//! - [`reduce`]: [`units`], dead elements, [`capture`] and [`captured_sets`] ([`local`] games) to a fixpoint;
//!   [`domination`] of moves;
//! - [`alpha_beta`] or [`proof_number`]: the search with traces and mustplay; what they share is in [`search`], [`order`],
//!   [`history`], [`table`] and [`symmetry`];
//! - [`pairing`] strategies and [`decompose`], which end a search early;
//! - [`root`]: winner, moves and trace of a whole game; [`shrink`] for smaller traces;
//!   [`strategy`]: the win played out, for those who want to check it.

mod alpha_beta;
#[doc(hidden)]
pub mod bench;
mod capture;
mod captured_sets;
mod companions;
mod crew;
mod decompose;
mod domination;
mod history;
mod local;
mod order;
mod pairing;
mod position;
mod prepare;
mod proof_number;
mod reduce;
mod root;
mod search;
mod shrink;
mod strategy;
mod symmetry;
mod table;
mod units;

use crate::rows::{dualise, form, mask};

pub use root::{Answer, solve, solve_with_strategy};
pub use shrink::shrink_trace;
