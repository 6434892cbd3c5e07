//! The engines: each one a room that knows nothing of the others.

pub mod colouring;
pub mod colours;
pub mod graph;
pub mod qbf;
pub mod reordered;
pub mod sequential;
