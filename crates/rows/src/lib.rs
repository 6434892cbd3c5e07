//! Families of sets as rows of bits: masks of fixed width, normal forms, absorption, dualisation.
//!
//! A row is a clause of a CNF or a term of a DNF. Everything here is about rows alone: who plays on them, and by which
//! rules, is for the engines to know.

pub mod absorb;
pub mod connection;
pub mod connectors;
pub mod dualise;
pub mod form;
pub mod frame;
pub mod mask;
pub mod normal;
pub mod paths;
pub mod planar;
pub mod recognise;
pub mod separators;
mod terms;
