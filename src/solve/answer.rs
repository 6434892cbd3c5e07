//! What a solver answers.

use super::{Statistics, StopReason};
use gamesat_core::formula::{Lit, Player, Proof, Var};

/// The outcome under optimal play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// The formula is true; MAX wins the game.
    True,
    /// The formula is false; MIN wins the game.
    False,
    /// Neither player wins, which only some games allow.
    Draw,
    /// A game with a score: by how much the player to move wins, or, if negative, loses.
    Value(i64),
    /// Stopped before the answer was found.
    Unknown,
}

impl Verdict {
    /// The winner of a game of MAX against MIN with this verdict.
    pub fn winner(self) -> Option<Player> {
        match self {
            Verdict::True => Some(Player::Max),
            Verdict::False => Some(Player::Min),
            Verdict::Draw | Verdict::Value(_) | Verdict::Unknown => None,
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
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// Why there is no verdict, if there is none.
    pub stop: Option<StopReason>,
    /// Why there is a verdict but not everything else that was asked for.
    pub missing: Option<StopReason>,
    /// Games: winning moves of the player to move, one or (if asked for) all of them; in a drawn game moves that keep
    /// the draw.
    pub moves: Vec<Lit>,
    /// Games: how many more moves win, beside those listed: elements outside the formula, all alike.
    pub more_moves: usize,
    /// Games with a score: every move with its value, if every move was asked for.
    pub values: Vec<(Lit, i64)>,
    /// Games with an order of which only so many plies were looked ahead, too few for the value: what it looks like.
    pub estimate: Option<i64>,
    /// The same: what is proven of the value, the least and the greatest that it can be.
    pub bounds: Option<(i64, i64)>,
    /// Games: the line of best play found, if the engine keeps one.
    pub variation: Vec<Lit>,
    /// Games: elements that suffice for the winner, if asked for.
    pub trace: Option<Vec<Var>>,
    /// QBF: values of the outermost block's variables, existential if true, universal if false, if asked for.
    pub outer_model: Option<Vec<Lit>>,
    /// QBF: every model of the outermost block, if asked for, as cubes: all completions of one are models, and no two cubes
    /// share a model. If that block is universal, its countermodels.
    pub outer_models: Option<Vec<Vec<Lit>>>,
    /// A proof of the verdict, if asked for.
    pub proof: Option<Proof>,
    /// The theorem by which the verdict holds, where no search was needed.
    pub theorem: Option<&'static str>,
    /// The engine that answered and what it counted.
    pub statistics: Statistics,
}

impl Answer {
    /// An answer with this verdict and nothing else yet.
    pub fn new(verdict: Verdict) -> Self {
        Answer {
            verdict,
            stop: None,
            missing: None,
            moves: Vec::new(),
            more_moves: 0,
            values: Vec::new(),
            estimate: None,
            bounds: None,
            variation: Vec::new(),
            trace: None,
            outer_model: None,
            outer_models: None,
            proof: None,
            theorem: None,
            statistics: Statistics::default(),
        }
    }

    /// An unknown answer and the reason for it.
    pub fn stopped(reason: StopReason) -> Self {
        Answer { stop: Some(reason), ..Answer::new(Verdict::Unknown) }
    }
}
