//! Which elements occur wherever a given one does: the one question behind capture and domination in isotone games.
//!
//! The companions of `b` in a player's rows are the elements `a` with occ(b) ⊆ occ(a). They are found by intersecting
//! the rows that contain `b` until nothing but `b` is left, which takes a handful of rows for most elements.

use super::mask::Mask;
use super::position::{Occurrence, Position, index};
use gamesat_core::formula::Player;

/// For each player's rows and each element its companions, itself included. Only live elements are filled in.
pub(super) struct Companions<const W: usize> {
    sets: [Vec<Mask<W>>; 2],
}

impl<const W: usize> Companions<W> {
    pub(super) fn new(elements: usize) -> Self {
        Companions { sets: [vec![Mask::default(); elements], vec![Mask::default(); elements]] }
    }

    /// Looks at an isotone position.
    pub(super) fn compute(&mut self, position: &Position<W>, occurrence: &Occurrence<W>) {
        let live = position.live();
        for player in [Player::Max, Player::Min] {
            let Some(form) = position.form(player) else { continue };
            for element in live.iter() {
                let literal = position.rational_literal(player, element, occurrence);
                self.sets[index(player)][element] = position.elements(form.companions(literal)) & live;
            }
        }
    }

    /// The companions of an element in a player's rows.
    #[inline]
    pub(super) fn of(&self, player: Player, element: usize) -> Mask<W> {
        self.sets[index(player)][element]
    }
}
