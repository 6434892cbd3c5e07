//! Games that come from a graph, solved on the graph.
//!
//! [`solve_edge_game`] is Lehman's polynomial algorithm for the switching game on edges. [`solve_vertex_game`] and
//! [`Session`] solve the game on vertices, Hex among them: `board` (what does not change) → `reduced` and `fill` (what
//! stones leave) → `connections` (what needs no search) → `order`, `table`, `search`, `threads` → `root` and `strategy` (answers).
//! `news` is what a session tells others about the same board.
//! `regions` shows the search parts of boards that are too large for it. `theorem` knows what needs none of it.

mod autotree;
mod board;
#[cfg(test)]
mod cases;
mod connections;
mod cut_stones;
mod derivations;
mod fill;
#[cfg(test)]
mod induced;
mod lehman;
mod mirror;
mod near_misses;
mod news;
mod order;
mod pairs;
mod pause;
mod reduced;
mod regions;
mod repairs;
mod root;
mod search;
mod session;
mod strategy;
mod symmetry;
mod table;
mod theorem;
mod threads;

pub use lehman::{EdgeGame, Solution, solve_edge_game};
pub use news::{Fact, News, Told};
pub use search::Stand;
pub use session::{Questions, Session, VertexGame, VertexSolution, solve_vertex_game};
pub use theorem::{are_renamed, is_self_dual};
