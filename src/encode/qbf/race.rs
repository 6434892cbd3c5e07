//! Races: Black wants one of its sets before White has one of White's. Only a bounded game, with its plies, can say that.
//!
//! A pass never helps in a race either, so illegal moves have no effect. The verdict is a chain: after a move of Black "its
//! goal is reached, or else", after one of White "White has no set, and then"; whoever has nothing at the end has not won.

use super::layout::{Formula, Layout, equals};
use super::target::Target;
use crate::formula::{CircuitBuilder, Lit, Player, Quantifier};

/// The formula that is true exactly if MAX (Black) wins within these plies. Both families are over the free cells; a
/// white set that is complete before the game begins must not be there.
pub(super) fn race(names: &[String], black: &Target<'_>, white: &[Vec<usize>], plies: &[Player]) -> Formula {
    let size = names.len();
    let mut layout = Layout::default();
    let mut counts = [0, 0];
    let moves: Vec<(Player, Vec<Lit>)> = plies
        .iter()
        .map(|&player| {
            let (kind, name, count) = match player {
                Player::Max => (Quantifier::Exists, "max", &mut counts[0]),
                Player::Min => (Quantifier::Forall, "min", &mut counts[1]),
            };
            *count += 1;
            (player, layout.number(kind, size, &format!("{name}{count}")))
        })
        .collect();
    // A witness for each moment at which Black may have won.
    let mut number = 0;
    let witnesses: Vec<Option<super::target::Witness>> = moves
        .iter()
        .map(|(player, _)| {
            (*player == Player::Max).then(|| {
                number += 1;
                black.witness(&mut layout, number)
            })
        })
        .collect();

    let mut b = CircuitBuilder::new(layout.size());
    let no = b.constant(false);
    let (mut mine, mut theirs) = (vec![no; size], vec![no; size]);
    let mut moments = Vec::new();
    for ((player, number), witness) in moves.iter().zip(&witnesses) {
        let (own, other) = match player {
            Player::Max => (&mut mine, &theirs),
            Player::Min => (&mut theirs, &mine),
        };
        for cell in 0..size {
            let mut lits: Vec<Lit> = equals(number, cell).collect();
            lits.push(!other[cell]);
            let new = b.and(&lits);
            own[cell] = b.or(&[own[cell], new]);
        }
        let complete = match witness {
            Some(witness) => {
                let mut all = Vec::new();
                black.constrain(&mut b, witness, &mine, &mut all);
                b.and(&all)
            }
            None => {
                let sets: Vec<Lit> =
                    white.iter().map(|set| b.and(&set.iter().map(|&e| theirs[e]).collect::<Vec<_>>())).collect();
                b.or(&sets)
            }
        };
        moments.push((*player, complete));
    }
    let mut result = b.constant(false);
    for (player, complete) in moments.into_iter().rev() {
        result = match player {
            Player::Max => b.or(&[complete, result]),
            Player::Min => b.and(&[!complete, result]),
        };
    }
    layout.finish(b.finish(result))
}
