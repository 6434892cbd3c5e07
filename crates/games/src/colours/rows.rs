//! A position as rows that one player, the *hitter*, has to hit: MAX the clauses of a CNF, MIN the terms of a DNF, where a term
//! is hit once it is false. A row says for each of its elements which colours hit it. The hitter wins if every row is hit in the
//! end, and the other player, the *breaker*, if one is not.
//!
//! What follows from the rows alone, and is sound whether they are prime or not:
//! - colour c is as good as d in an element for the hitter if every open row that d hits is hit by c; for the breaker the other
//!   way round. A colour as good as all others is *rational*, and no other need be tried (5.2);
//! - an element of which all colours hit the same rows is dead;
//! - a row is implied by another one that has fewer ways to be hit.

use gamesat_core::formula::{Colouring, Player, Var};
use gamesat_rows::mask::bits;
use rustc_hash::FxHashMap;

/// Rows beyond which implied ones are not looked for.
const ABSORBED: usize = 400;

/// A row: its elements, as bits, and for each of them in order the colours that hit it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Row {
    pub(super) elements: u64,
    pub(super) hits: Vec<u64>,
}

impl Row {
    /// The colours of an element that hit the row.
    pub(super) fn mask(&self, element: usize) -> u64 {
        if self.elements >> element & 1 == 0 {
            return 0;
        }
        self.hits[(self.elements & ((1 << element) - 1)).count_ones() as usize]
    }

    /// Whether whatever hits `other` hits this row.
    fn is_implied_by(&self, other: &Row) -> bool {
        other.elements & !self.elements == 0
            && bits(other.elements).zip(&other.hits).all(|(element, &mask)| mask & !self.mask(element) == 0)
    }

    /// The row without an element; `None` if it has not got it.
    pub(super) fn struck(&self, element: usize) -> Option<Row> {
        let mut row = self.clone();
        if self.elements >> element & 1 == 0 {
            return None;
        }
        row.hits.remove((self.elements & ((1 << element) - 1)).count_ones() as usize);
        row.elements &= !(1 << element);
        Some(row)
    }

    /// The row that is hit by what hits either; `None` if an element hits it in each of its colours.
    pub(super) fn united(&self, other: &Row, domains: &[u64]) -> Option<Row> {
        let elements = self.elements | other.elements;
        let hits: Vec<u64> = bits(elements).map(|element| self.mask(element) | other.mask(element)).collect();
        let always = bits(elements).zip(&hits).any(|(element, &mask)| mask == domains[element]);
        (!always).then_some(Row { elements, hits })
    }

    /// The row after an element got a colour; `None` if that hits it.
    fn after(&self, element: usize, colour: usize) -> Option<Row> {
        let mask = self.mask(element);
        if mask >> colour & 1 != 0 {
            return None;
        }
        Some(self.struck(element).unwrap_or_else(|| self.clone()))
    }
}

/// A game as the search sees it.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// The elements that occur in open rows, by their number in the rows.
    pub(super) elements: Vec<Var>,
    /// Their colours.
    pub(super) domains: Vec<u64>,
    pub(super) hitter: Player,
    /// The open rows at the beginning, irredundant.
    pub(super) rows: Vec<Row>,
}

impl Board {
    /// The rows of a game; `None` if there are too many elements in them.
    pub(super) fn new(game: &Colouring) -> Option<Self> {
        let played: FxHashMap<Var, usize> = game.played().iter().map(|&a| (game.element(a), game.colour(a))).collect();
        let mut numbers: FxHashMap<Var, usize> = FxHashMap::default();
        let (mut elements, mut domains, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        'rows: for row in game.rows() {
            // Colours that hit the row, by element: of a clause any literal's, of a term those that some literal forbids.
            let mut masks: FxHashMap<Var, u64> = FxHashMap::default();
            for &lit in row {
                let mask = if game.is_conjunction() { game.mask(lit) } else { !game.mask(lit) };
                *masks.entry(game.element(lit)).or_default() |= mask;
            }
            let mut open: Vec<(usize, u64)> = Vec::new();
            for (var, mask) in masks {
                let domain = game.domain(var);
                match played.get(&var) {
                    Some(&colour) if mask >> colour & 1 != 0 => continue 'rows,
                    Some(_) => {}
                    None if mask & domain == domain => continue 'rows,
                    None if mask & domain == 0 => {}
                    None => {
                        let number = *numbers.entry(var).or_insert_with(|| {
                            elements.push(var);
                            domains.push(domain);
                            elements.len() - 1
                        });
                        if number >= 64 {
                            return None;
                        }
                        open.push((number, mask & domain));
                    }
                }
            }
            open.sort_unstable();
            let bits = open.iter().fold(0, |bits, &(number, _)| bits | 1 << number);
            rows.push(Row { elements: bits, hits: open.into_iter().map(|(_, mask)| mask).collect() });
        }
        let hitter = if game.is_conjunction() { Player::Max } else { Player::Min };
        Some(Board { elements, domains, hitter, rows: irredundant(rows) })
    }

    /// The winner, if the open rows say so.
    pub(super) fn decided(&self, rows: &[Row]) -> Option<Player> {
        if rows.is_empty() {
            return Some(self.hitter);
        }
        rows.iter().any(|row| row.elements == 0).then_some(!self.hitter)
    }

    /// The rows after a move.
    pub(super) fn after(&self, rows: &[Row], element: usize, colour: usize) -> Vec<Row> {
        irredundant(rows.iter().filter_map(|row| row.after(element, colour)).collect())
    }

    /// What an element is to both players: `None` if it is dead.
    pub(super) fn outlook(&self, rows: &[Row], element: usize) -> Option<Outlook> {
        let domain = self.domains[element];
        let masks: Vec<u64> = rows.iter().map(|row| row.mask(element)).filter(|mask| mask & domain != 0).collect();
        // Never less good than d, for the hitter.
        let covers = |c: usize, d: usize| masks.iter().all(|mask| mask >> d & 1 == 0 || mask >> c & 1 != 0);
        if bits(domain).all(|c| bits(domain).all(|d| covers(c, d))) {
            return None;
        }
        let of = |better: &dyn Fn(usize, usize) -> bool| {
            let rational = bits(domain).find(|&c| bits(domain).all(|d| better(c, d)));
            let worth = |&c: &usize| {
                // Of equals the first one; what is worse than another one is dropped.
                !bits(domain).any(|d| d != c && better(d, c) && (!better(c, d) || d < c))
            };
            let colours = bits(domain).filter(worth).fold(0, |mask, c| mask | 1 << c);
            (rational, colours)
        };
        let hitter = of(&covers);
        let breaker = of(&|c, d| covers(d, c));
        let by_player = if self.hitter == Player::Max { [hitter, breaker] } else { [breaker, hitter] };
        Some(Outlook {
            rational: by_player.map(|(rational, _)| rational),
            colours: by_player.map(|(_, colours)| colours),
        })
    }
}

/// What an element that is not dead is to MAX and to MIN.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// The colour that is as good as all others.
    pub(super) rational: [Option<usize>; 2],
    /// The colours that no other one makes superfluous.
    pub(super) colours: [u64; 2],
}

/// Rows sorted, each once, without those that another one implies.
pub(super) fn irredundant(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_unstable();
    rows.dedup();
    if rows.len() <= ABSORBED {
        let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            if !rows.iter().enumerate().any(|(other, by)| other != at && row.is_implied_by(by)) {
                kept.push(row.clone());
            }
        }
        return kept;
    }
    rows
}
