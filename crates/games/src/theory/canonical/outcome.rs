//! Who wins an empty game, whoever starts.

use gamesat_core::formula::Player;
use std::fmt;

/// The outcome class of a game: who wins with either player to start (*Set Colouring Games* 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// MAX wins.
    Positive,
    /// MIN wins.
    Negative,
    /// The first player wins.
    Regular,
    /// The second player wins.
    Misere,
}

impl Outcome {
    /// Every class.
    pub const ALL: [Outcome; 4] = [Outcome::Positive, Outcome::Negative, Outcome::Regular, Outcome::Misere];

    /// The class of a game with these winners when MAX, and when MIN starts.
    pub fn new(max_first: Player, min_first: Player) -> Self {
        match (max_first, min_first) {
            (Player::Max, Player::Max) => Outcome::Positive,
            (Player::Min, Player::Min) => Outcome::Negative,
            (Player::Max, Player::Min) => Outcome::Regular,
            (Player::Min, Player::Max) => Outcome::Misere,
        }
    }

    /// Who wins if this player starts.
    pub fn winner(self, first: Player) -> Player {
        match self {
            Outcome::Positive => Player::Max,
            Outcome::Negative => Player::Min,
            Outcome::Regular => first,
            Outcome::Misere => !first,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Positive => "positive",
            Outcome::Negative => "negative",
            Outcome::Regular => "regular",
            Outcome::Misere => "misère",
        })
    }
}
