//! Playing: positions that two players change in turn, and a player that moves in them.
//!
//! [`Position`] is whatever can be played, seen alike: games on formulas, boards, games with an order, and quantified
//! formulas, where MAX is the existential player. [`Round`] remembers the moves. [`Chooser`] finds one: it is proven where
//! the solver finishes in time, and guessed where not. A [`referee`] lets two contestants play, inside or outside of this
//! program.
//!
//! ```
//! use gamesat::Problem;
//! use gamesat::play::{Chooser, Round};
//! use std::time::Duration;
//!
//! let mut round = Round::new(gamesat::parse("hex 3\n")?);
//! round.play("a1")?;
//! let choice = Chooser::default().choose(&round, Some(Duration::from_secs(1)), &Default::default())?;
//! round.play(&choice.name)?;
//! assert_eq!(round.moves().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chooser;
mod connected;
mod contestants;
mod guess;
pub mod players;
mod position;
mod program;
mod protocol;
mod referee;
mod round;
mod words;

pub use chooser::{Choice, Chooser, Prospect};
pub use contestants::{Named, named};
pub use position::{Outcome, PlayError, Position};
pub use program::{Program, Tongue};
pub use protocol::{Request, RequestError};
pub use referee::{Contestant, Record, referee};
pub use round::Round;
