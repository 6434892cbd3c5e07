//! Decomposition at cut stones. If all paths of a player between its terminals lead through one of its chains, the game falls
//! into two: from the one terminal to the chain, and from the chain to the other terminal, with no cell in common. The player
//! has to win both; so the opponent, to move, wins iff it wins one of them moving first.
//!
//! For the search that means: after a move of the opponent in one part, the other part may be given to the player. The
//! opponent wins the whole game exactly if it wins one of these smaller ones. A move's refutation is about its own part only.

use super::board::Board;
use super::fill::State;
use gamesat_rows::mask::Mask;

/// The empty cells between the player's first terminal and a chain that all its paths lead through, if there is such a chain
/// and something on either side of it.
pub(super) fn first_part<const W: usize>(board: &Board<W>, state: &State<W>, player: usize) -> Option<Mask<W>> {
    let network = board.networks.get(player).filter(|_| board.terminals == 2)?;
    let [first, last] = [network.touching[0], network.touching[1]];
    let passable = state.own[player] | state.empty;
    let reach = |from: Mask<W>, among: Mask<W>| {
        let (mut seen, mut front) = (from & among, from & among);
        while let Some(cell) = front.pop() {
            let new = (network.rows[cell] & among).minus(seen);
            seen |= new;
            front |= new;
        }
        seen
    };
    let mut left = state.own[player];
    while let Some(stone) = left.lowest() {
        let chain = reach(Mask::single(stone), state.own[player]);
        left = left.minus(chain);
        if chain.intersects(&first) || chain.intersects(&last) {
            continue;
        }
        let side = reach(first, passable.minus(chain));
        if side.intersects(&last) {
            continue;
        }
        let part = side & state.empty;
        let other = state.empty.minus(part);
        if !part.is_empty() && !other.is_empty() {
            return Some(part);
        }
    }
    None
}

/// The cells of the part that a cell is in; all cells if there are no parts.
#[inline]
pub(super) fn same_part<const W: usize>(part: Mask<W>, cell: usize) -> Mask<W> {
    match part.is_empty() {
        true => !Mask::default(),
        false if part.contains(cell) => part,
        false => !part,
    }
}

impl<const W: usize> State<W> {
    /// Places a stone, and gives the cells of the other part, if there are parts, to the opponent.
    pub(super) fn play_in_part(&mut self, cell: usize, player: usize, part: Mask<W>) {
        self.play(cell, player);
        if !part.is_empty() {
            self.empty.minus(same_part(part, cell)).iter().for_each(|other| self.play(other, 1 - player));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::*;

    /// Whoever is to move against a player with a cut stone wins iff it wins one part, the other being given away.
    #[test]
    fn parts_decide_the_whole() {
        let mut random = Random(77);
        let mut found = 0;
        for number in 0..6000 {
            let position = position(&mut random, number, 10);
            let board = position.board(number % 4 != 3);
            let state = State::new(&board);
            if state.winner.is_some() {
                continue;
            }
            for player in 0..2 {
                let Some(part) = first_part(&board, &state, player) else { continue };
                found += 1;
                let mut judge = position.judge();
                let mut wins = |given: Mask<1>| {
                    let mut own = [Mask::default(); 2];
                    own[player] = given;
                    judge.winner(own, 1 - player) != player
                };
                let whole = wins(Mask::default());
                assert_eq!(whole, wins(part) || wins(state.empty.minus(part)), "{part:?} {position:?}");
            }
        }
        assert!(found > 100, "{found}");
    }
}
