//! A hard question cut into sub-questions, and their answers joined again.
//!
//! [`cut`] plays the first moves: a [`Tree`] whose inner nodes belong to the player who moves there and whose leaves are
//! *cubes*, the questions that are left. MAX needs one child that is won, MIN one that is lost; who wins is known as soon as
//! the cubes that are solved decide it, and which cubes still matter follows from the same tree. [`assemble`] makes one proof
//! of the proofs of the cubes. A [`Worker`] searches a board that was cut, and tells others
//! what it finds by [`bulletin`]s.

mod assemble;
pub mod bulletin;
mod cut;
mod looks;
mod tree;
mod worker;

pub use assemble::{assemble, leaves};
pub use cut::{CutError, Cutting, cut};
pub use tree::{Node, Tree, Won};
pub use worker::Worker;
