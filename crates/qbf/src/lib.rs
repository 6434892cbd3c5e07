//! Prenex quantified Boolean formulas: simplification and engines.

pub mod abstraction;
mod choice;
mod circuit;
mod confirm;
mod definitions;
pub mod engine;
pub mod exchange;
pub mod expansion;
pub mod ground;
mod interpolate;
mod lift;
pub mod matrix;
pub mod options;
pub mod pipeline;
pub mod portfolio;
pub mod qcdcl;
mod redefine;
mod refute;
mod signals;
pub mod simplify;
#[cfg(feature = "symbolic")]
pub mod symbolic;
mod trial;
