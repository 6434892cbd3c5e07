//! Captured sets of more than two elements, by solving their [local games](super::local); pairs are in
//! [`capture`](super::capture), with the theorem.
//!
//! Where to look: a row that meets S in a single element lets the opponent spoil it at once, so a captured set meets every
//! row in two elements or none. A set is grown from its least element: as long as some row is met once, another element of
//! that row has to join. Rows are short first in a frame, so the choice is small, and long rows are not followed.

use super::capture::Captured;
use super::local::Local;
use super::mask::Mask;
use super::position::{Move, Occurrence, Position, index};
use gamesat_core::formula::Player;

/// Rows beyond which nothing is looked for: where there are many rows, hardly a set meets each twice.
const ROWS: usize = 512;
/// Longer rows are not followed.
const LENGTH: usize = 6;
/// Sets looked at in a position,
const SETS: usize = 100;
/// and local games solved.
const GAMES: usize = 16;

/// Room to work in.
pub(super) struct CapturedSets {
    local: Local,
    /// The elements of the set that grows.
    set: Vec<u16>,
    /// Sets that may still be looked at.
    left: usize,
    /// Local games that may still be solved.
    games: usize,
}

impl CapturedSets {
    pub(super) fn new() -> Self {
        CapturedSets { local: Local::new(), set: Vec::new(), left: 0, games: 0 }
    }

    /// A captured set of at most `size` elements.
    pub(super) fn find<const W: usize>(
        &mut self,
        position: &Position<W>,
        occurrence: &Occurrence<W>,
        size: usize,
    ) -> Option<Captured<W>> {
        (self.left, self.games) = (SETS, GAMES);
        let captors = [Player::Max, Player::Min].into_iter();
        // In a game that is not isotone the captor has to make the last move.
        let captors = captors.filter(|&player| occurrence.isotone || player == position.last_mover());
        for captor in captors {
            if position.form(captor).is_none_or(|form| form.len() > ROWS) {
                continue;
            }
            for element in position.live().iter() {
                self.set.clear();
                self.set.push(element as u16);
                if let Some(literals) = self.grow(position, captor, size) {
                    let mut captured = Captured { literals: [Mask::default(); 2], carriers: [Mask::default(); 2] };
                    captured.literals[index(captor)] = literals;
                    captured.carriers[index(captor)] = position.elements(literals);
                    return Some(captured);
                }
            }
        }
        None
    }

    /// The literals to fill in, if the set or one that it grows to is captured.
    fn grow<const W: usize>(&mut self, position: &Position<W>, captor: Player, size: usize) -> Option<Mask<W>> {
        self.left = self.left.checked_sub(1)?;
        let form = position.form(captor)?;
        let least = usize::from(self.set[0]);
        let elements = self.set.iter().fold(Mask::default(), |all, &e| all | Mask::single(usize::from(e)));
        let Some(row) = form.met_once(|element| position.literals(Mask::single(element)), elements) else {
            return self.solve(position, captor, elements);
        };
        if self.set.len() == size || row.len() > LENGTH {
            return None;
        }
        for element in position.elements(row).minus(elements).iter().filter(|&element| element > least) {
            self.set.push(element as u16);
            let found = self.grow(position, captor, size);
            if found.is_some() {
                return found;
            }
            self.set.pop();
        }
        None
    }

    /// The literals to fill in, if the set is captured.
    fn solve<const W: usize>(&mut self, position: &Position<W>, captor: Player, elements: Mask<W>) -> Option<Mask<W>> {
        self.games = self.games.checked_sub(1)?;
        let CapturedSets { local, set, .. } = self;
        local.clear(set.len(), position.rule(), captor);
        let inside = position.literals(elements);
        for row in position.form(captor)?.rows().map(|row| row & inside).filter(|row| !row.is_empty()) {
            local.push(row.iter().filter_map(|literal| {
                let Move::Colour(element, colour) = position.hit(captor, literal) else { return None };
                Some((set.iter().position(|&member| member == element)?, colour))
            }));
        }
        let colours = local.captured()?;
        let literals = set.iter().enumerate().map(|(number, &element)| {
            // Unsigned literals know only the captor's colour, which hits at least as much.
            position.literal(usize::from(element), colours >> number & 1 != 0)
        });
        Some(literals.fold(Mask::default(), |all, literal| all | Mask::single(literal)))
    }
}
