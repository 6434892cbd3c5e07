//! Set colouring games, solved from the formula alone.
//!
//! The theory is that of J. van Rijswijck, *Set Colouring Games* (University of Alberta, 2006): two players alternately
//! colour elements TRUE or FALSE until none is left; MAX wants the formula true, MIN false. One idea per file:
//!
//! - [`prepare`]: colours filled in, elements renumbered, both normal forms ([`dualise`]);
//! - [`position`], [`form`], [`frame`](gamesat_rows::frame), [`mask`]: rows as bit masks, changed in place, undone exactly; [`absorb`](gamesat_rows::absorb): rows
//!   inside others;
//! - [`reduce`]: [`units`], dead elements, [`capture`] and [`captured_sets`] ([`local`] games) to a fixpoint;
//!   [`domination`] of moves;
//! - [`entry`]: the way into a position; [`pairing`] strategies, [`decompose`] and [`factors`], which end a search early;
//! - [`alpha_beta`] or [`proof_number`]: the search; both keep traces and [`mustplay`], and share [`search`], [`order`] and
//!   what stays between questions, [`knowledge`]: [`history`], [`table`], [`symmetry`];
//! - [`circuit_search`] on [`gates`], where there is no affordable normal form;
//! - [`session`]: the handle for questions about a game; [`threads`] that answer them, by [`moves`] at the root and a
//!   [`variation`]; [`shrink`] for smaller traces; [`strategy`]: the win played out, for those who want to check it.

mod alpha_beta;
mod capture;
mod captured_sets;
mod circuit_search;
mod companions;
mod crew;
mod decompose;
mod domination;
mod entry;
mod factors;
mod gates;
mod history;
mod knowledge;
mod local;
mod moves;
mod mustplay;
mod order;
mod pairing;
pub mod position;
pub mod prepare;
mod proof_number;
mod reduce;
mod search;
mod session;
mod shrink;
mod strategy;
mod symmetry;
pub mod table;
mod threads;
mod units;
mod variation;

use gamesat_rows::{dualise, form, mask};

pub use session::{Answer, Question, Session, solve, solve_with_strategy};
pub use shrink::shrink_trace;
