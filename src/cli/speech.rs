//! How what was analysed is spoken of: moves on a board are stones, and its sides have names.

use gamesat::analyse::Speech;
use gamesat::formula::Names;
use gamesat::rules::Board;

/// How an analysis of this board, or of a formula with these names, is worded.
pub fn speech<'a>(names: &'a Names, board: Option<&Board>) -> Speech<'a> {
    match board {
        Some(board) => {
            Speech { names, players: [board.max, !board.max].map(|side| board.side_name(side)), stones: true }
        }
        None => Speech { names, players: ["max", "min"], stones: false },
    }
}
