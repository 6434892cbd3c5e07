//! Games with an order by their definition: every move is made on a copy of the position as people write it.

use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::rules::sequential::{Move, Sequential};

/// A line of play that is longer is not followed: every move of it keeps a copy of the position.
const LONGEST: u64 = 1_024;

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequentialValue {
    /// What the player to move wins.
    pub value: i64,
    /// Every move with its value, in the order of their numbers.
    pub moves: Vec<(Move, i64)>,
}

/// The value of a position and of each of its moves, by trying everything.
///
/// # Errors
/// The reason to stop.
pub fn evaluate_sequential(game: &Sequential, control: &Control) -> Result<SequentialValue, StopReason> {
    let mut way = Way { poller: control.poller(), nodes: 0, length: 0 };
    if game.mover().is_none() {
        return Ok(SequentialValue { value: game.end(), moves: Vec::new() });
    }
    let mut moves = Vec::new();
    for mv in game.moves() {
        moves.push((mv, way.after(game, mv)?));
    }
    let value = moves.iter().map(|&(_, value)| value).max().unwrap_or(0);
    Ok(SequentialValue { value, moves })
}

/// From the position that was asked about to another one.
struct Way<'c> {
    poller: Poller<'c>,
    nodes: u64,
    length: u64,
}

impl Way<'_> {
    /// The mover's value of a move. The depth of the recursion is that of the game.
    fn after(&mut self, game: &Sequential, mv: Move) -> Result<i64, StopReason> {
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        if self.length == LONGEST {
            return Err(StopReason::Memory);
        }
        let mover = game.mover();
        let mut next = game.clone();
        let gain = next.play(mv);
        if next.mover().is_none() {
            // The end counts for who would move, had the game gone on.
            return Ok(gain - next.end());
        }
        self.length += 1;
        let mut best = i64::MIN;
        for reply in next.moves() {
            best = best.max(self.after(&next, reply)?);
        }
        self.length -= 1;
        Ok(gain + if next.mover() == mover { best } else { -best })
    }
}
