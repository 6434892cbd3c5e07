//! Canonical forms of set colouring games: what a game is worth inside a larger one.
//!
//! Read TRUE as the number +1 and FALSE as -1, and a game is a short combinatorial game in Conway's sense: MAX is Left.
//! Sixteen values make up the theory, eight for games with an even number of elements and eight for an odd number (*Set
//! Colouring Games* ch. 7): all there are under rule `own`, and all of games with up to six elements under rule `any`, where
//! some with seven have others. They say who wins, with and without a dead element beside, and they
//! multiply: the form of a conjunction of games on different elements is the product of their forms.
//!
//! - [`values`]: short games, compared and brought to their canonical form;
//! - [`form`]: the sixteen forms of each rule, their names, [`outcome`]s and order;
//! - [`table`]: the form of a game from the forms of its options, and products, both computed once from the definitions;
//! - [`function`]: the form of a Boolean function;
//! - [`census`]: all functions of a few elements.

mod census;
mod form;
mod function;
mod outcome;
mod table;
mod values;

pub use census::{Census, CensusError, census};
pub use form::CanonicalForm;
pub use function::{MOST_ELEMENTS, Tabulated, coloured};
pub use outcome::Outcome;
