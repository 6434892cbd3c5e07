//! What every engine answers through the façade, and the judge of its proofs.

#[path = "../support/mod.rs"]
mod support;

mod fuzz;
mod incremental;
mod judge;
mod models;
mod play;
mod solver;
mod split;
