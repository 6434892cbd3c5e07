//! The program as a user meets it, and the library's public names.

#[path = "../support/mod.rs"]
mod support;

mod batch;
mod benchmark_scripts;
mod boards;
mod cli;
mod first;
mod house;
mod incomplete;
mod largest;
mod openings;
mod play;
mod public_names;
mod qdo;
mod split;
mod strategies;
mod web;
