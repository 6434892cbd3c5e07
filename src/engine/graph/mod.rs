//! Games that come from a graph, solved on the graph.

mod lehman;
mod repairs;

pub use lehman::{EdgeGame, Solution, solve_edge_game};
