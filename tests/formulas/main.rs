//! Quantified formulas: simplifier, engines, certificates and the SAT backends below them.

#[path = "../support/mod.rs"]
mod support;

mod abstraction;
mod certificate_checker;
mod certificates;
mod confirmations;
mod expansion;
mod ground;
mod portfolio;
mod qcdcl;
mod refutations;
mod sat_conformance;
mod selection;
mod signature;
mod simplify_functions;
mod simplify_limits;
mod simplify_random;
#[cfg(feature = "symbolic")]
mod symbolic;
