//! The game on a few elements: rows cut down to a set S (the *punctuated* formula), solved by brute force.
//!
//! A player who, moving second, hits every row that meets S has captured S (see [`capture`](super::capture)). S has at most
//! six elements, so there are at most 3^6 colourings, times two for the dead element that is added to an odd number; each
//! is solved once.

use gamesat_core::formula::{Player, Rule};

/// Elements a local game has at most.
pub(super) const MOST: usize = 6;

/// Positions: colourings with and without the dead element.
const POSITIONS: usize = 2 * 3usize.pow(MOST as u32);

/// A local game: the captor has to hit every row.
pub(super) struct Local {
    elements: usize,
    rule: Rule,
    captor: Player,
    /// Bits 0.. are literals that TRUE hits, bits 8.. those that FALSE hits.
    rows: Vec<u16>,
    /// The literals that occur.
    present: u16,
    /// 0 not known, 1 lost, 2 won for the captor.
    values: Vec<u8>,
}

impl Local {
    pub(super) fn new() -> Self {
        Local {
            elements: 0,
            rule: Rule::Any,
            captor: Player::Max,
            rows: Vec::new(),
            present: 0,
            values: vec![0; POSITIONS],
        }
    }

    /// Starts a game on this many elements without rows.
    pub(super) fn clear(&mut self, elements: usize, rule: Rule, captor: Player) {
        debug_assert!(elements <= MOST);
        (self.elements, self.rule, self.captor) = (elements, rule, captor);
        self.rows.clear();
        self.present = 0;
    }

    /// Adds a row of literals `(element, colour)`.
    pub(super) fn push(&mut self, literals: impl Iterator<Item = (usize, bool)>) {
        let row = literals.fold(0, |row, (element, colour)| row | bit(element, colour));
        self.present |= row;
        if !self.rows.contains(&row) {
            self.rows.push(row);
        }
    }

    /// The colouring that hits every row, one bit an element, if the captor wins moving second.
    pub(super) fn captured(&mut self) -> Option<u16> {
        self.values.fill(0);
        let star = self.elements % 2 == 1;
        if !self.wins(0, 0, star, !self.captor) {
            return None;
        }
        (0..1 << self.elements).find(|&colours: &u16| {
            let hits = (0..self.elements).fold(0, |hits, e| hits | bit(e, colours >> e & 1 != 0));
            self.rows.iter().all(|row| row & hits != 0)
        })
    }

    /// Whether the captor wins. `hits` are the literals that are true, `coloured` the elements that have a colour.
    fn wins(&mut self, hits: u16, coloured: u16, star: bool, turn: Player) -> bool {
        let free = |e: usize| coloured >> e & 1 == 0;
        let open = (0..self.elements).filter(|&e| free(e)).fold(0, |all, e| all | bit(e, true) | bit(e, false));
        if self.rows.iter().all(|row| row & hits != 0) {
            return true;
        }
        if self.rows.iter().any(|row| row & (hits | open) == 0) {
            return false;
        }
        let place = (0..self.elements).fold(usize::from(star), |place, e| {
            3 * place + if free(e) { 0 } else { 1 + usize::from(hits & bit(e, true) != 0) }
        });
        if self.values[place] == 0 {
            let mut best = turn != self.captor;
            for e in (0..self.elements).filter(|&e| free(e)) {
                let colours = self.colours(e, turn);
                for colour in [true, false].into_iter().filter(|&colour| colours[usize::from(colour)]) {
                    if best != (turn == self.captor) {
                        best = self.wins(hits | bit(e, colour), coloured | 1 << e, star, !turn);
                    }
                }
            }
            if star && best != (turn == self.captor) {
                best = self.wins(hits, coloured, false, !turn);
            }
            self.values[place] = 1 + u8::from(best);
        }
        self.values[place] == 2
    }

    /// The colours worth trying: of an element that occurs in one sign only, the rational one.
    fn colours(&self, element: usize, turn: Player) -> [bool; 2] {
        let allowed = [false, true].map(|colour| self.rule.allows(turn, colour));
        let useful = [false, true].map(|colour| {
            allowed[usize::from(colour)] && self.present & bit(element, colour == (turn == self.captor)) != 0
        });
        if useful.contains(&true) { useful } else { allowed }
    }
}

#[inline]
fn bit(element: usize, colour: bool) -> u16 {
    1 << if colour { element } else { element + 8 }
}
