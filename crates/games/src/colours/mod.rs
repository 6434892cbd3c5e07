//! Set colouring games with any number of colours: search over colours where nothing better is known (*Set Colouring Games*
//! 2.3, 5.2, 9.2). Games in which every element has a best colour for each player do not come here: they are two-coloured
//! games in disguise, see [`gamesat_encode`].
//!
//! - [`rows`]: a position as rows that one player has to hit;
//! - [`search`]: who wins, and with which elements alone, when both players may colour everything;
//! - [`strategy`]: what was found, as a proof;
//! - [`plain`]: games with elements for one player alone, and scores: whether MAX gets so much.

mod plain;
mod rows;
mod search;
mod shrink;
mod strategy;

pub use plain::Plain;
pub use search::Search;
