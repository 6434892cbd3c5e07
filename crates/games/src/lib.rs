//! Engines for games: each one a room that knows nothing of the others.
//!
//! - [`colouring`]: set colouring games from their rows; [`colours`]: more colours, restricted elements, a score; [`reordered`]:
//!   another order of turns;
//! - [`graph`]: Shannon's games from their graph;
//! - [`sequential`]: games in which the players move in turn until one cannot;
//! - [`theory`]: what games are worth without a search; [`selection`]: selection functions.

pub mod colouring;
pub mod colours;
pub mod graph;
pub mod options;
pub mod reordered;
pub mod selection;
pub mod sequential;
pub mod theory;
