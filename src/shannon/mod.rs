//! Games that come from a graph, solved on the graph.

mod lehman;

pub use lehman::{EdgeGame, Reason, Solution, solve_edge_game};
