//! Independent parts: if the rows of a player fall into groups without common elements, the player has to win every group,
//! and the opponent one of them.
//!
//! Theorem (*Set Colouring Games* 6.5) for isotone games: the player who needs all parts wins with the opponent to move if
//! the opponent, moving first, wins none of them, and moving first also if there is exactly one such part and it is won with
//! the first move there. The part is what is left when everything else is filled in that player's favour.
//!
//! For games that are not isotone see [`factors`](super::factors).
//!
//! Trace: of the one who needs all parts the union of the traces; of the opponent the trace of the part that is won moving
//! second, or those of two parts that are won moving first.

use super::form::Form;
use super::mask::Mask;
use super::position::Position;
use gamesat_core::formula::Player;

/// The player who needs all parts, and the elements of each part, if there are at least two.
pub(super) fn parts<const W: usize>(position: &Position<W>) -> Option<(Player, Vec<Mask<W>>)> {
    [Player::Max, Player::Min].into_iter().find_map(|player| {
        let form = position.form(player)?;
        let parts = (!is_connected(position, form)).then(|| components(position, form))?;
        Some((player, parts))
    })
}

/// Whether all rows hang together; most do, so this comes first.
fn is_connected<const W: usize>(position: &Position<W>, form: &Form<W>) -> bool {
    let mut reached = Mask::default();
    loop {
        let (before, mut all) = (reached, Mask::default());
        for row in form.rows() {
            let row = position.elements(row);
            if reached.is_empty() || reached.intersects(&row) {
                reached |= row;
            }
            all |= row;
        }
        if reached == all {
            return true;
        }
        if reached == before {
            return false;
        }
    }
}

fn components<const W: usize>(position: &Position<W>, form: &Form<W>) -> Vec<Mask<W>> {
    let mut parts: Vec<Mask<W>> = Vec::new();
    for row in form.rows() {
        let mut joined = position.elements(row);
        parts.retain(|part| {
            let apart = !part.intersects(&joined);
            if !apart {
                joined |= *part;
            }
            apart
        });
        parts.push(joined);
    }
    // Small ones are quick to solve.
    parts.sort_by_key(Mask::len);
    parts
}
