//! Everything that is read and written: formats, grammars, generators.

#[path = "../support/mod.rs"]
mod support;

mod formats;
mod generators;
mod grammars;
mod tolerance;
