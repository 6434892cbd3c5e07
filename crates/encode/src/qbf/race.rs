//! Races: one side, here MAX, wants one of its sets before the other has one of its own. Only a game with its plies can say
//! that.
//!
//! A pass never helps in a race where any free cell can be taken, so illegal moves have no effect there. Where stones fall
//! into columns it may help, so whoever makes an illegal move has lost. The verdict is a chain: after a move of MAX "its
//! goal is reached, or else", after one of MIN "MIN's is not, and then"; if nobody has anything at the end MAX has not won.
//! That MIN's goal is not reached is a target of MAX on the cells that MIN does not own: one of each set, or a separation.

use super::layout::{Formula, Layout, equals};
use super::target::Target;
use gamesat_core::formula::{CircuitBuilder, Lit, Player, Quantifier};

/// What a move says.
pub(super) enum Choices<'a> {
    /// A free cell.
    Cells,
    /// A column, whose free cells are listed from the bottom; the lowest one that is left is taken.
    Columns(&'a [Vec<usize>]),
}

/// The formula that is true exactly if MAX reaches its target within these plies, and before MIN spoils the other one,
/// `against`, which all cells but MIN's must reach. Both are over the free cells, and nothing is decided before the game
/// begins.
pub(super) fn race(
    names: &[String],
    choices: Choices<'_>,
    own: &Target<'_>,
    against: &Target<'_>,
    plies: &[Player],
) -> Formula {
    let size = names.len();
    let values = match choices {
        Choices::Cells => size,
        Choices::Columns(columns) => columns.len(),
    };
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
            (player, layout.number(kind, values, &format!("{name}{count}")))
        })
        .collect();
    // A witness for each moment at which somebody may have won.
    let mut number = 0;
    let witnesses: Vec<super::target::Witness> = moves
        .iter()
        .map(|(player, _)| match player {
            Player::Max => {
                number += 1;
                own.witness(&mut layout, number)
            }
            Player::Min => against.witness(&mut layout, size),
        })
        .collect();

    let mut b = CircuitBuilder::new(layout.size());
    let no = b.constant(false);
    let (mut mine, mut theirs) = (vec![no; size], vec![no; size]);
    let mut moments = Vec::new();
    for ((player, number), witness) in moves.iter().zip(&witnesses) {
        let (taken, other) = match player {
            Player::Max => (&mut mine, &theirs),
            Player::Min => (&mut theirs, &mine),
        };
        let mut legal = None;
        match choices {
            Choices::Cells => {
                for cell in 0..size {
                    let mut lits: Vec<Lit> = equals(number, cell).collect();
                    lits.push(!other[cell]);
                    let new = b.and(&lits);
                    taken[cell] = b.or(&[taken[cell], new]);
                }
            }
            Choices::Columns(columns) => {
                let mut possible = Vec::new();
                for (column, cells) in columns.iter().enumerate() {
                    let said: Vec<Lit> = equals(number, column).collect();
                    let said = b.and(&said);
                    let mut below = None;
                    for &cell in cells {
                        let full = b.or(&[taken[cell], other[cell]]);
                        let mut lits = vec![said, !full];
                        lits.extend(below);
                        let new = b.and(&lits);
                        taken[cell] = b.or(&[taken[cell], new]);
                        below = Some(full);
                    }
                    if let Some(top) = below {
                        possible.push(b.and(&[said, !top]));
                    }
                }
                legal = Some(b.or(&possible));
            }
        }
        let mut all = Vec::new();
        match player {
            Player::Max => own.constrain(&mut b, witness, &mine, &mut all),
            Player::Min => {
                let spared: Vec<Lit> = theirs.iter().map(|&lit| !lit).collect();
                against.constrain(&mut b, witness, &spared, &mut all);
            }
        }
        moments.push((*player, b.and(&all), legal));
    }
    let mut result = b.constant(false);
    for (player, holds, legal) in moments.into_iter().rev() {
        result = match player {
            Player::Max => b.or(&[holds, result]),
            Player::Min => b.and(&[holds, result]),
        };
        result = match (player, legal) {
            (_, None) => result,
            (Player::Max, Some(legal)) => b.and(&[legal, result]),
            (Player::Min, Some(legal)) => b.or(&[!legal, result]),
        };
    }
    layout.finish(b.finish(result))
}
