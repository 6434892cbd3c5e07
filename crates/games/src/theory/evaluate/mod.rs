//! Evaluation functions: numbers for positions and cells, for ordering, for play and for the curious. One file
//! each. They cost no search; they guess, and nothing is proved by them.
//!
//! - [`resistance`]: a board as a network of resistors;
//! - [`two_distance`]: how many moves to a side, the opponent taking the best way each time;
//! - [`y_reduction`]: Y boards contracted cell by cell, as probabilities;
//! - [`random_play`]: balanced colourings, exactly or by samples;
//! - [`coin_flip`]: the value of a game in which a coin says who moves, and which element matters most;
//! - [`row_weights`]: statistics of the winning sets.

mod coin_flip;
mod random_play;
pub mod resistance;
mod row_weights;
mod sample;
mod two_distance;
mod y_reduction;

/// Boards as games, for the tests of more than one file.
#[cfg(test)]
mod cases;

pub use coin_flip::{CoinFlip, coin_flip, coin_flip_on_board};
pub use random_play::{Playouts, random_play, random_play_on_board};
pub use row_weights::{RowStatistics, row_statistics};
pub use sample::{EXACT_ELEMENTS, Estimate};
pub use two_distance::{Potentials, potentials, two_distance};
pub use y_reduction::{YReduction, y_reduction};
