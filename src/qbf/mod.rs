//! Prenex quantified Boolean formulas: simplification.

pub mod simplify;
