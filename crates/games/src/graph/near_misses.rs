//! What the closure of connections misses by one move. If the opponent's connections of the goals have few cells in common, the
//! player to move can only try those: after each of them the opponent's connections are looked for again, in the position as
//! it is then. If there is one every time, the player has lost, and the trace is the union of the carriers.
//!
//! That is the search itself, one move deep and without proof numbers, where it may end at once.

use super::connections::Until;
use super::fill::State;
use super::search::{Search, decisive};
use gamesat_rows::mask::Mask;

/// The most cells that are tried.
const MOST_CELLS: usize = 2;

impl<const W: usize> Search<W> {
    /// The opponent's trace, if it is connected after every move inside the mustplay of a filled position; `trace` is one for
    /// the moves outside. The opponent must have a graph.
    pub(super) fn near_miss(
        &mut self,
        state: &State<W>,
        turn: usize,
        mustplay: Mask<W>,
        mut trace: Mask<W>,
    ) -> Option<Mask<W>> {
        if mustplay.len() > MOST_CELLS {
            return None;
        }
        let mut child = std::mem::take(&mut self.child);
        let connected = mustplay.iter().all(|cell| {
            child.copy_from(state);
            child.forget_captures();
            child.play(cell, turn);
            child.fill(&self.options);
            self.is_connected_after(&child, 1 - turn).map(|more| trace |= more).is_some()
        });
        self.child = child;
        connected.then_some(trace)
    }

    /// The trace of a player who is to move in a filled position, if it has won or is connected there.
    fn is_connected_after(&mut self, state: &State<W>, player: usize) -> Option<Mask<W>> {
        let captured = state.captured[player];
        if let Some(winner) = state.winner {
            return (winner == player).then_some(captured);
        }
        self.build_until(state, player, Until::Semi);
        Some(decisive(&self.goals(), true)? | captured)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::*;
    use crate::options::GraphOptions;

    /// Whoever is found to win wins, inside the trace. On boards that minimax can judge little is missed by one move.
    #[test]
    fn near_misses_are_wins() {
        let mut random = Random(31);
        let mut found = 0;
        let options = &GraphOptions::default();
        for number in 0..6_000 {
            let position = position(&mut random, 3 * number, 17);
            let board = position.board(true);
            let mut state = State::new(&board);
            state.fill(options);
            if state.winner.is_some() {
                continue;
            }
            let mut search = Search::new(board.clone(), options);
            let mut judge = position.judge();
            for opponent in 0..board.networks.len() {
                search.build_until(&state, opponent, Until::Full);
                let goals = search.goals();
                if !goals.fulls.is_empty() || goals.semis.is_empty() {
                    continue;
                }
                let (mustplay, trace) = goals.mustplay();
                let Some(trace) = search.near_miss(&state, 1 - opponent, mustplay & state.empty, trace) else {
                    continue;
                };
                found += 1;
                let mut own = [Mask::default(); 2];
                own[1 - opponent] = board.free.minus(trace | state.captured[opponent]);
                assert_eq!(judge.winner(own, 1 - opponent), opponent, "{trace:?} {position:?}");
            }
        }
        assert!(found > 2, "{found}");
    }
}
