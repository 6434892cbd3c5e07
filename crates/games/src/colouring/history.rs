//! History: moves that won elsewhere in the search tend to win here.
//!
//! Every win of a move is worth as much as elements were left, so that wins near the root, which are rare and dear, count for
//! more than those among the last few moves. The best record among the moves at hand adds an eighth of the best weight
//! (see [`order`](super::order)): the formula speaks first, experience decides between moves that it deems similar. With
//! a killer move in front instead, the empty 7x7 Hex board takes dozens of times as many nodes.

use super::position::{Move, Position, index};
use gamesat_core::formula::Player;

/// What the best record adds to a weight, as a share of the greatest weight.
const SHARE: u128 = 8;

/// How moves have fared, by player and literal.
pub(super) struct History {
    wins: [Vec<u64>; 2],
}

impl History {
    pub(super) fn new(literals: usize) -> Self {
        History { wins: [vec![0; literals], vec![0; literals]] }
    }

    /// Notes that a move of the player to move won.
    pub(super) fn record<const W: usize>(&mut self, position: &Position<W>, choice: Move) {
        if let Move::Colour(element, colour) = choice {
            let literal = position.literal(usize::from(element), colour);
            self.wins[index(position.turn())][literal] += 1 + position.live().len() as u64;
        }
    }

    /// Adds experience to the weights of moves.
    pub(super) fn adjust<const W: usize>(&self, position: &Position<W>, player: Player, moves: &mut [(u64, Move)]) {
        let wins = |choice: Move| match choice {
            Move::Colour(element, colour) => {
                u128::from(self.wins[index(player)][position.literal(usize::from(element), colour)])
            }
            Move::Pass => 0,
        };
        let most = moves.iter().map(|&(_, choice)| wins(choice)).max().unwrap_or(0);
        let greatest = moves.iter().map(|&(weight, _)| weight).max().unwrap_or(0);
        if most == 0 {
            return;
        }
        for (weight, choice) in moves {
            let bonus = u128::from(greatest) * wins(*choice) / (SHARE * most);
            *weight = weight.saturating_add(u64::try_from(bonus).unwrap_or(u64::MAX));
        }
    }
}
