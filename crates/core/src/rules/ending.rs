//! How games end: with a goal that is reached or out of reach, after a number of plies, or in a draw.

use super::Side;

/// The plies that are left of a game that ends before the board is full.
///
/// When they are over the claimant must have reached its goal (a side without a goal of its own: must have made the
/// other's impossible); otherwise the other side has won. So elements that nobody took help the claimant's opponent, whoever
/// is MAX. In a race nobody has to claim anything: without a complete set it is a draw, and the claimant only says which
/// side's victory a formula is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Who moves at each of the plies, the next one first. Plies for which nothing is free are not played.
    pub plies: Vec<Side>,
    /// Who must have won by then.
    pub claimant: Side,
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// This side wins.
    Win(Side),
    /// Nobody wins; only a race can end like this.
    Draw,
}

impl Ending {
    /// Who wins, if somebody does.
    pub fn winner(self) -> Option<Side> {
        match self {
            Ending::Win(side) => Some(side),
            Ending::Draw => None,
        }
    }

    /// What it is worth to a side: 1, 0 for a draw, or -1.
    pub fn value(self, side: Side) -> i8 {
        match self {
            Ending::Win(winner) if winner == side => 1,
            Ending::Win(_) => -1,
            Ending::Draw => 0,
        }
    }
}

/// A move that was played, and what it takes to undo it exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// What was taken.
    pub element: usize,
    /// Who took it.
    pub side: Side,
    /// Whether it used up a ply of the schedule.
    pub(super) scheduled: bool,
}
