//! Prenex quantified Boolean formulas: simplification and engines.

pub mod abstraction;
pub mod certificate;
pub mod expansion;
mod matrix;
pub mod pipeline;
pub mod simplify;
