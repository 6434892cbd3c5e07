//! The data everybody speaks: formulas, games, boards and their rules, proofs; limits, turns and statistics.

pub mod control;
pub mod formula;
pub mod graph;
pub mod options;
pub mod problem;
pub mod rules;
pub mod statistics;
pub mod turns;

pub use problem::Problem;
