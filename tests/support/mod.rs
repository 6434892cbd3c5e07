//! What test files share: random problems, slow answers to compare with, and the drivers that compare them.
#![allow(dead_code)] // each binary uses its part

pub mod aiger;
pub mod ask;
pub mod boards;
pub mod certified;
pub mod colourings;
pub mod cubes;
pub mod drivers;
pub mod game_case;
pub mod games;
pub mod graphs;
#[path = "../../benchmarks/game_boards.rs"]
pub mod known_boards;
pub mod other_questions;
pub mod parse;
pub mod quantified;
pub mod random_circuit;
pub mod random_qbf;
pub mod reductions;
pub mod simplified;
pub mod switches;
