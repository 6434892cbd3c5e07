//! Undirected graphs, the goals that games on them have, and the sets of vertices that reach such a goal or cut it off.

pub(crate) mod connection;
pub(crate) mod connectors;
mod goal;
#[allow(clippy::module_inception)]
mod graph;
pub(crate) mod paths;
pub(crate) mod planar;
pub(crate) mod separators;

pub use goal::Goal;
pub use graph::{Adjacency, Graph};
