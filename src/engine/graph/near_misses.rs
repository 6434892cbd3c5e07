//! What the closure of connections misses by one move. If the opponent's connections of the goals have few cells in common, the
//! player to move can only try those: after each of them the opponent's connections are looked for again, in the position as
//! it is then. If there is one every time, the player has lost, and the trace is the union of the carriers.
//!
//! That is the search itself, one move deep and without proof numbers, where it may end at once.

use super::connections::Until;
use super::fill::State;
use super::search::{Search, decisive};
use crate::rows::mask::Mask;

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
        let opponent = 1 - turn;
        for cell in mustplay.iter() {
            let mut child = state.clone();
            child.forget_captures();
            child.play(cell, turn);
            child.fill(&self.options);
            trace |= child.captured[opponent];
            match child.winner {
                Some(winner) if winner == opponent => continue,
                Some(_) => return None,
                None => {}
            }
            self.build_until(&child, opponent, Until::Semi);
            trace |= decisive(&self.goals(), true)?;
        }
        Some(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::*;
    use crate::options::GraphOptions;

    /// Whoever is found to win wins, inside the trace.
    #[test]
    fn near_misses_are_wins() {
        let mut random = Random(31);
        let mut found = 0;
        // With all techniques little is missed by one move.
        let options = GraphOptions { connections: true, ..GraphOptions::none() };
        for number in 0..3000 {
            let position = position(&mut random, number, 12);
            let options = if number % 8 == 0 { &GraphOptions::default() } else { &options };
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
        assert!(found > 20, "{found}");
    }
}
