//! What a solver answers.

use super::{Statistics, StopReason};
use crate::formula::{Lit, Player, Strategy, Var};

/// The answer: true or MAX, false or MIN, or not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The formula is true; MAX wins the game.
    True,
    /// The formula is false; MIN wins the game.
    False,
    /// Stopped before the answer was found.
    Unknown,
}

impl Verdict {
    /// The winner of a game with this verdict.
    pub fn winner(self) -> Option<Player> {
        match self {
            Verdict::True => Some(Player::Max),
            Verdict::False => Some(Player::Min),
            Verdict::Unknown => None,
        }
    }
}

impl From<bool> for Verdict {
    fn from(value: bool) -> Self {
        if value { Verdict::True } else { Verdict::False }
    }
}

impl From<Player> for Verdict {
    fn from(winner: Player) -> Self {
        Verdict::from(winner == Player::Max)
    }
}

/// A verdict with everything that was found on the way to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// Why there is no answer, if there is none, or why there is an answer but not the strategy,
    /// certificate or outer model that was asked for.
    pub stop: Option<StopReason>,
    /// Games: winning moves of the player to move, one or (if asked for) all of them.
    pub moves: Vec<Lit>,
    /// Games: the line of best play found, if the engine keeps one.
    pub variation: Vec<Lit>,
    /// Games: elements that suffice for the winner, if asked for.
    pub trace: Option<Vec<Var>>,
    /// QBF: values of the outermost block's variables, existential if true, universal if false, if asked for.
    pub outer_model: Option<Vec<Lit>>,
    /// Games: a winning strategy, if asked for.
    pub strategy: Option<Strategy>,
    /// QBF: a proof of the verdict as text, if asked for.
    pub certificate: Option<String>,
    /// The engine that answered and what it counted.
    pub statistics: Statistics,
}

impl Outcome {
    /// An outcome with this verdict and nothing else yet.
    pub fn new(verdict: Verdict) -> Self {
        Outcome {
            verdict,
            stop: None,
            moves: Vec::new(),
            variation: Vec::new(),
            trace: None,
            outer_model: None,
            strategy: None,
            certificate: None,
            statistics: Statistics::default(),
        }
    }

    /// An unknown outcome and the reason for it.
    pub fn stopped(reason: StopReason) -> Self {
        Outcome { stop: Some(reason), ..Outcome::new(Verdict::Unknown) }
    }
}
