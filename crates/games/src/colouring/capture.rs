//! Captured pairs: two elements that a player may regard as coloured in the own favour.
//!
//! Theorem (*Set Colouring Games* ch. 8): a set S is captured by a player who, moving second, hits every row that meets S,
//! with the rows cut down to S and a dead element added if |S| is odd. Then S may be filled with the colouring that hits
//! those rows (and a dead element be added if |S| is odd) without changing who wins:
//! always if the game is isotone; otherwise if the captor makes the last move of the game.
//!
//! For pairs the local game is solved by hand. Every row that meets {a, b} has to contain both, or the opponent spoils the
//! literal that stands alone. In an isotone game that is all: occ(a) = occ(b). In general the signs in which a and b
//! occur together have to be all the same, or one combination and its exact opposite: then the captor answers `a` true by `b`
//! false. Under the division rule each player ends up with one of the two, so only equal signs will do.
//!
//! Trace: what the winner has captured belongs to the winner's trace; what the loser has does not.

use super::companions::Companions;
use super::mask::Mask;
use super::position::{Occurrence, Position, index};
use gamesat_core::formula::{Player, Rule};

/// Captured literals of both players that may be filled in, and the elements they stand on.
pub(super) struct Captured<const W: usize> {
    /// Literals to make true in the rows of each player.
    pub(super) literals: [Mask<W>; 2],
    /// What joins the trace of each player, should that player win.
    pub(super) carriers: [Mask<W>; 2],
}

/// Captured pairs of an isotone position, whose companions are given.
pub(super) fn isotone_pairs<const W: usize>(
    position: &Position<W>,
    companions: &Companions<W>,
    occurrence: &Occurrence<W>,
) -> Option<Captured<W>> {
    let mut captured = Captured { literals: [Mask::default(); 2], carriers: [Mask::default(); 2] };
    let mut taken = Mask::<W>::default();
    for player in [Player::Max, Player::Min] {
        if position.form(player).is_none() {
            continue;
        }
        for a in position.live().iter() {
            let mates = companions.of(player, a);
            if taken.contains(a) || mates.is_single() {
                continue;
            }
            let mate = mates.iter().find(|&b| b != a && !taken.contains(b) && companions.of(player, b).contains(a));
            if let Some(b) = mate {
                for element in [a, b] {
                    taken.insert(element);
                    captured.carriers[index(player)].insert(element);
                    let literal = position.rational_literal(player, element, occurrence);
                    captured.literals[index(player)].insert(literal);
                }
            }
        }
    }
    (!taken.is_empty()).then_some(captured)
}

/// Captured pairs of a position that is not isotone: those of the player who makes the last move.
pub(super) fn pairs<const W: usize>(position: &Position<W>) -> Option<Captured<W>> {
    let captor = position.last_mover();
    let form = position.form(captor)?;
    // The elements that are in every row with a.
    let mates = |a: usize| {
        let mut common = position.live();
        for literal in [position.literal(a, true), position.literal(a, false)] {
            for row in form.rows_with(literal) {
                common &= position.elements(row);
            }
        }
        common
    };
    let mut captured = Captured { literals: [Mask::default(); 2], carriers: [Mask::default(); 2] };
    let mut taken = Mask::<W>::default();
    for a in position.live().iter() {
        if taken.contains(a) {
            continue;
        }
        for b in mates(a).iter().filter(|&b| b > a && !taken.contains(b)).collect::<Vec<_>>() {
            if !mates(b).contains(a) {
                continue;
            }
            // Which combinations of signs occur; a dead pair has none.
            let mut signs = [[false; 2]; 2];
            for a_true in [true, false] {
                for row in form.rows_with(position.literal(a, a_true)) {
                    for b_true in [true, false] {
                        signs[usize::from(a_true)][usize::from(b_true)] |= row.contains(position.literal(b, b_true));
                    }
                }
            }
            let Some((a_true, b_true)) = colouring(signs, position.rule()) else { continue };
            taken |= Mask::single(a) | Mask::single(b);
            captured.carriers[index(captor)] |= Mask::single(a) | Mask::single(b);
            captured.literals[index(captor)].insert(position.literal(a, a_true));
            captured.literals[index(captor)].insert(position.literal(b, b_true));
            break;
        }
    }
    (!taken.is_empty()).then_some(captured)
}

/// The colouring of a captured pair that hits all rows, from the combinations of signs in which it occurs.
fn colouring(signs: [[bool; 2]; 2], rule: Rule) -> Option<(bool, bool)> {
    let [[none, second], [first, both]] = signs;
    match (both, none, first, second) {
        (true, true, false, false) => Some((true, false)),
        (true, false, false, false) => Some((true, true)),
        (false, true, false, false) => Some((false, false)),
        (false, false, _, _) if rule == Rule::Own => None,
        (false, false, true, true) => Some((true, true)),
        (false, false, true, false) => Some((true, false)),
        (false, false, false, true) => Some((false, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: the captor moves second on the rows cut down to the pair.
    fn by_definition(rows: &[(bool, bool)], rule: Rule, captor: Player) -> bool {
        let hit = |a: bool, b: bool| rows.iter().all(|&(x, y)| a == x || b == y);
        let colours = |player: Player| [true, false].into_iter().filter(move |&c| rule.allows(player, c));
        colours(!captor).all(|c| colours(captor).any(|d| hit(c, d)) && colours(captor).any(|d| hit(d, c)))
    }

    #[test]
    fn pairs_follow_the_definition() {
        for bits in 1..16u32 {
            let signs = [[bits & 1 != 0, bits & 2 != 0], [bits & 4 != 0, bits & 8 != 0]];
            let rows: Vec<(bool, bool)> = [(false, false), (false, true), (true, false), (true, true)]
                .into_iter()
                .filter(|&(a, b)| signs[usize::from(a)][usize::from(b)])
                .collect();
            for rule in [Rule::Any, Rule::Own] {
                for captor in [Player::Max, Player::Min] {
                    let found = colouring(signs, rule);
                    assert_eq!(found.is_some(), by_definition(&rows, rule, captor), "{rows:?} {rule} {captor}");
                    if let Some((a, b)) = found {
                        assert!(rows.iter().all(|&(x, y)| a == x || b == y));
                    }
                }
            }
        }
    }
}
