//! Undirected graphs, the goals that games on them have, and the sets of vertices that reach such a goal or cut it off.

mod goal;
#[allow(clippy::module_inception)]
mod graph;

pub use goal::Goal;
pub use graph::{Adjacency, Graph};
