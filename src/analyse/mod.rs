//! Why, not only who: what is known about a game beyond its winner.
//!
//! - [`classify`]: who wins whoever starts, with and without a dead element, and the [canonical form](crate::canonical);
//! - [`factor`]: the parts that a game falls into, and the form of the whole from theirs.

mod classify;
mod factor;

pub use classify::{Classification, classify};
pub use factor::{Found, canonical_form};
