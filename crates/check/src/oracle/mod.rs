//! Evaluators: slow, and right by their definition. Engines and techniques are compared with them; no judge rests on them.

mod board;
mod colouring;
mod game;
mod qbf;
mod sequential;
mod vertex_game;

pub use board::{BoardValue, evaluate_board};
pub use colouring::{ColouringValue, evaluate_colouring};
pub use game::{GameValue, evaluate_game, evaluate_in_order, monotone_in};
pub use qbf::{Witnessed, evaluate_circuit, evaluate_qbf};
pub use sequential::{SequentialValue, evaluate_sequential};
pub use vertex_game::VertexMinimax;
