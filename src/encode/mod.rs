//! Translators: circuits to clauses, boards to games, games to quantified formulas.

mod tseitin;

pub use tseitin::clausify;
