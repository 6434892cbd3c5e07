//! Games with an order by their definition: every move is made on a copy of the position as people write it.

use crate::control::{Control, Poller, StopReason};
use crate::rules::sequential::{Move, Sequential};

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
    let (mut poller, mut nodes) = (control.poller(), 0);
    if game.mover().is_none() {
        return Ok(SequentialValue { value: game.end(), moves: Vec::new() });
    }
    let mut moves = Vec::new();
    for mv in game.moves() {
        moves.push((mv, after(game, mv, &mut poller, &mut nodes)?));
    }
    let value = moves.iter().map(|&(_, value)| value).max().unwrap_or(0);
    Ok(SequentialValue { value, moves })
}

/// The mover's value of a move. The depth of the recursion is that of the game.
fn after(game: &Sequential, mv: Move, poller: &mut Poller<'_>, nodes: &mut u64) -> Result<i64, StopReason> {
    *nodes += 1;
    poller.poll(*nodes)?;
    let mover = game.mover();
    let mut next = game.clone();
    let gain = next.play(mv);
    if next.mover().is_none() {
        // The end counts for who would move, had the game gone on.
        return Ok(gain - next.end());
    }
    let mut best = i64::MIN;
    for reply in next.moves() {
        best = best.max(after(&next, reply, poller, nodes)?);
    }
    Ok(gain + if next.mover() == mover { best } else { -best })
}
