//! Moves that need not be tried because of sets of more than two elements; pairs are in [`domination`](super::domination).
//!
//! P is to move, Q the opponent, S a set (*Set Colouring Games* 8.5, 8.8; the conditions on parity by computation):
//! - *dominated*: if after P's move m in S, with Q to move on S-m padded to an even number, P hits every row of P that meets
//!   S, then m is as good as every move in S. Condition: the game is isotone, or P makes its last move;
//! - *locally losing*: if after m, with Q to move on S-m padded to an odd number, Q hits every row of Q that meets S, then m
//!   may be dropped as long as a move in S stays that is not so. Condition: isotone, or Q makes the last move. Without isotony
//!   "may be dropped" is all: the moves that stay need not be as good.
//!
//! Where to look: rows of three or four elements, and two rows of two or three that share one. An element is dropped with
//! all its moves or not at all, and what stays in favour of others is never dropped later.
//!
//! Trace: a dropped element in the trace of a lost position brings all of S with it: whatever is given away outside S leaves
//! the optimal colourings of S as they are.

use super::local::{Local, MOST};
use super::mask::Mask;
use super::position::{Move, Occurrence, Position};
use super::search::Search;
use crate::formula::Player;

/// Rows beyond which nothing is looked for.
const ROWS: usize = 256;
/// Elements of a set.
const SIZE: usize = 4;
/// Sets looked at in a position.
const SETS: usize = 24;

impl<const W: usize> Search<'_, W> {
    /// Drops elements because of larger sets; returns those that are left of the ones kept so far.
    pub(super) fn drop_by_sets(&mut self, occurrence: &Occurrence<W>, mut kept: Mask<W>) -> Mask<W> {
        let mover = self.position.turn();
        let last = self.position.last_mover();
        let mut needed = Mask::<W>::default();
        for set in candidates(self.position) {
            if (set & kept).len() < 2 {
                continue;
            }
            for (player, first) in [(mover, true), (!mover, false)] {
                if !(occurrence.isotone || last == player) {
                    continue;
                }
                let Some(verdicts) = self.local_verdicts(player, set, occurrence) else { continue };
                // Dominating moves of P, or moves of P that Q does not refute.
                let good = verdicts.iter().filter(|&&(_, hit)| hit == first).map(|&(choice, _)| choice);
                let Some(keeper) = good.map(element).find(|&element| kept.contains(element)) else { continue };
                let drop = set.iter().filter(|&e| e != keeper && kept.contains(e) && !needed.contains(e));
                let bad = |e: usize| {
                    let mut moves = verdicts.iter().filter(|&&(choice, _)| element(choice) == e);
                    // Of a dominated set everything else goes; of the other kind what is refuted.
                    first || moves.all(|&(_, refuted)| refuted)
                };
                let drop: Vec<usize> = drop.filter(|&e| bad(e)).collect();
                if drop.is_empty() {
                    continue;
                }
                needed.insert(keeper);
                for e in drop {
                    kept.remove(e);
                    self.dropped.note_set(e, set);
                    self.counters.dominated += 1;
                }
            }
        }
        kept
    }

    /// For each worthwhile move of the player to move in a set: whether `player` hits every own row afterwards, the
    /// opponent of the mover being next, the set padded as the rule for that player asks.
    fn local_verdicts(
        &mut self,
        player: Player,
        set: Mask<W>,
        occurrence: &Occurrence<W>,
    ) -> Option<Vec<(Move, bool)>> {
        let mover = self.position.turn();
        let form = self.position.form(player)?;
        let elements: Vec<usize> = set.iter().collect();
        let local: &mut Local = &mut self.local;
        local.clear(elements.len(), self.position.rule(), player);
        let inside = self.position.literals(set);
        for row in form.rows().map(|row| row & inside).filter(|row| !row.is_empty()) {
            local.push(row.iter().filter_map(|literal| {
                let Move::Colour(element, colour) = self.position.hit(player, literal) else { return None };
                Some((elements.iter().position(|&member| member == usize::from(element))?, colour))
            }));
        }
        // After the move an odd number of others is padded for P to even, for Q to odd.
        let others_odd = elements.len().is_multiple_of(2);
        let star = others_odd == (player == mover);
        let mut verdicts = Vec::new();
        for (at, &e) in elements.iter().enumerate() {
            for colour in [true, false].into_iter().filter(|&colour| self.position.rule().allows(mover, colour)) {
                let choice = Move::Colour(e as u16, colour);
                let monotone = !(occurrence.rising.contains(e) && occurrence.falling.contains(e));
                let irrational = match (occurrence.rising.contains(e), self.position.is_signed()) {
                    (_, false) => colour != mover.colour(),
                    (rising, true) => (colour == mover.colour()) != rising,
                };
                if monotone && irrational && self.position.rule().allows(mover, !colour) {
                    continue;
                }
                verdicts.push((choice, self.local.wins_after(at, colour, star, !mover)));
            }
        }
        Some(verdicts)
    }
}

fn element(choice: Move) -> usize {
    match choice {
        Move::Colour(element, _) => usize::from(element),
        Move::Pass => usize::MAX,
    }
}

/// Sets worth looking at.
fn candidates<const W: usize>(position: &Position<W>) -> Vec<Mask<W>> {
    let mut sets: Vec<Mask<W>> = Vec::new();
    for player in [Player::Max, Player::Min] {
        let Some(form) = position.form(player).filter(|form| form.len() <= ROWS) else { continue };
        let short: Vec<Mask<W>> =
            form.rows().map(|row| position.elements(row)).filter(|row| (2..=SIZE).contains(&row.len())).collect();
        let pairs = short.iter().enumerate().flat_map(|(at, &one)| short[at + 1..].iter().map(move |&two| (one, two)));
        let joined = pairs.filter(|(one, two)| one.intersects(two)).map(|(one, two)| one | two);
        for set in short.iter().copied().chain(joined).filter(|set| (3..=SIZE.min(MOST)).contains(&set.len())) {
            if sets.len() == SETS {
                return sets;
            }
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
    }
    sets
}
