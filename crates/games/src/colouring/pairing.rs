//! Pairing strategies: disjoint pairs of literals such that every row of a player contains a pair.
//!
//! Theorem: such a player wins, whoever moves first. The player answers a move in one element of a pair by making the other
//! literal true, and with a move to spare makes any literal of an untouched pair true; so every pair, and with it every
//! row, gets a true literal. Neither monotony nor parity matters. Under the division rule only literals that the player
//! is allowed to make true count. The trace is the elements of the pairs.
//!
//! Whether a pairing exists is hard in general; this looks for one greedily. A row with two usable literals left is a pair
//! of necessity; if there is none, the shortest row gives the pair that serves the most rows.

use super::mask::Mask;
use super::position::Position;
use gamesat_core::formula::Player;

/// Rows beyond which no pairing is looked for: it would hardly exist.
const ROWS: usize = 256;

/// Room for the rows that no pair serves yet.
pub(super) struct Pairing<const W: usize> {
    rows: Vec<Mask<W>>,
}

impl<const W: usize> Pairing<W> {
    pub(super) fn new() -> Self {
        Pairing { rows: Vec::new() }
    }

    /// The elements of a pairing strategy of this player, if one is found.
    pub(super) fn find(&mut self, position: &Position<W>, player: Player) -> Option<Mask<W>> {
        let form = position.form(player)?;
        if form.len() > ROWS {
            return None;
        }
        self.rows.clear();
        self.rows.extend(form.rows().map(|row| position.allowed(player, row)));
        let mut used = Mask::default();
        while !self.rows.is_empty() {
            let pair = self.next_pair(position.literals(used))?;
            used |= position.elements(pair);
            self.rows.retain(|row| !pair.is_subset(row));
        }
        Some(used)
    }

    /// A pair that has to be chosen, or the best one of the shortest row, if every row can still be served.
    fn next_pair(&self, used: Mask<W>) -> Option<Mask<W>> {
        let mut shortest: Option<(usize, Mask<W>)> = None;
        for row in &self.rows {
            let usable = row.minus(used);
            let length = usable.len();
            if length <= 2 {
                return (length == 2).then_some(usable);
            }
            if shortest.is_none_or(|(least, _)| length < least) {
                shortest = Some((length, usable));
            }
        }
        let (_, usable) = shortest?;
        let pairs = usable.iter().flat_map(|a| usable.iter().filter(move |&b| b > a).map(move |b| (a, b)));
        let pairs = pairs.map(|(a, b)| Mask::single(a) | Mask::single(b));
        pairs.max_by_key(|pair| self.rows.iter().filter(|row| pair.is_subset(row)).count())
    }
}
