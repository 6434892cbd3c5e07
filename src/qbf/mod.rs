//! Prenex quantified Boolean formulas: simplification and engines.

pub mod expansion;
pub mod simplify;
