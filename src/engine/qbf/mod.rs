//! Prenex quantified Boolean formulas: simplification and engines.

pub mod abstraction;
pub mod expansion;
pub mod lift;
mod matrix;
pub mod pipeline;
pub mod simplify;
