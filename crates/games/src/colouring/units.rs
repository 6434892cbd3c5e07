//! Rows of one element. If the opponent has to hit such a row, the player to move breaks it and wins. If the player to
//! move has to, nothing but that one move is left; two such rows on different elements are lost.
//!
//! Theorem: a player with an empty row has lost, and every move elsewhere lets the opponent empty the row. The argument
//! needs no monotony. Under the division rule it needs that the opponent can give the element the wrong colour, so there
//! only TRUE literals of MAX's rows and FALSE ones of MIN's rows count. The trace is the elements of the rows named.

use super::form::Scan;
use super::mask::Mask;
use super::position::{Move, Position, index};

/// What rows of one element say.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict<const W: usize> {
    /// Nothing.
    Silent,
    /// The player to move wins by this move.
    Win(Move),
    /// The player to move loses; these elements suffice for the opponent.
    Loss(Mask<W>),
    /// Every other move loses.
    Forced(Move),
}

pub(super) fn judge<const W: usize>(position: &Position<W>, scans: &[Option<Scan<W>>; 2]) -> Verdict<W> {
    let (mover, other) = (position.turn(), !position.turn());
    let units = |player| scans[index(player)].map_or(Mask::default(), |scan| scan.units);
    if let Some(literal) = position.breakable(mover, units(other)).lowest() {
        return Verdict::Win(position.break_row(mover, literal));
    }
    let own = position.breakable(other, units(mover));
    let mut literals = own.iter();
    match (literals.next(), literals.next()) {
        (None, _) => Verdict::Silent,
        (Some(literal), None) => Verdict::Forced(position.hit(mover, literal)),
        (Some(one), Some(two)) => {
            Verdict::Loss(Mask::single(position.element(one)) | Mask::single(position.element(two)))
        }
    }
}
