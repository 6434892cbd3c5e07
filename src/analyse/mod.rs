//! Why, not only who: what is known about a game beyond its winner.
//!
//! - [`book`]: positions of a board near its beginning, solved once and looked up later;
//! - [`strong`]: who wins every position of a small game, as a table of bits;
//! - [`classify`]: who wins whoever starts, with and without a dead element, and the [canonical form](gamesat_games::theory::canonical);
//! - [`compose`]: games made of games;
//! - [`factor`]: the parts that a game falls into, and the form of the whole from theirs;
//! - [`local`]: one set of elements, its optimal colourings and its local game;
//! - [`fill`]: what need not be played, with reasons;
//! - [`pairing`]: a pairing strategy that can be shown;
//! - [`simplify`]: a smaller game with the same winner;
//! - [`report`]: all of it about one position; [`words`] and [`picture`] say and draw it.

mod book;
mod classify;
mod compose;
mod factor;
mod fill;
mod local;
mod pairing;
mod picture;
mod report;
mod simplify;
mod strong;
mod words;

pub use book::{Book, BookError, Entry, Place};
pub use classify::{Classification, classify};
pub use compose::{Composition, CompositionError, compose};
pub use factor::{Found, canonical_form};
pub use fill::{Dominated, Fill, Losing, Sign};
pub use local::LocalResult;
pub use picture::{headline, page, svg};
pub use report::{Analysis, ElementReport, Scope, SetReport, SetVerdict, Side, analyse, look_at};
pub use simplify::{SimplifiedGame, simplify_game};
pub use strong::{Strong, StrongError};
pub use words::{Speech, reasons};
