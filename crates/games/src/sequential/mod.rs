//! Games with an order: one search over [`Rules`](gamesat_core::rules::sequential::Rules).

mod history;
mod search;
mod session;
mod table;

pub use session::{Session, Solved};
