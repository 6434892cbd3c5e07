//! Taking traces apart (van Rijswijck, *Set colouring games*, 2006, section 14.2). A move was refuted inside a trace. The trace falls
//! into groups of neighbouring cells; those next to the move are *touched*, the others as a rule are connections that the
//! winner keeps up whatever happens elsewhere, and the same ones again and again. So the moves in them need not be tried.
//!
//! A group is a *link* if it touches exactly two of the winner's chains, terminals among them, and if the winner, who has the
//! rest of the trace, wins moving second in the group, the opponent having everything else, but would lose without the group:
//! then it is the two chains that are joined there, without anything outside the group.
//!
//! **Why a position is lost.** Let the links be the winner's, and the free cells beside them that are not in the trace the
//! loser's. If every move of the loser in the rest of the trace loses there, the position itself is lost: a move in a link is
//! answered in the link; a move in the rest as was found out; and a move outside the trace as the first move was, for in that
//! answer a link is worth what the joined chains are, no more. The trace is the union of all that. If one of the moves does not
//! lose, nothing is known, since the cells beside the links were given away.

use super::board::Network;
use super::fill::State;
use super::search::Search;
use crate::control::Control;
use crate::rows::mask::Mask;

/// Expansions for each of the smaller positions.
const FEW: u64 = 32;

impl<const W: usize> Search<W> {
    /// The trace of a position that the player to move has lost, if that follows from the parts of the trace in which one of
    /// its moves was refuted.
    pub(super) fn lost_by_parts(
        &mut self,
        state: &State<W>,
        turn: usize,
        cell: usize,
        trace: Mask<W>,
        control: &Control,
    ) -> Option<Mask<W>> {
        let winner = 1 - turn;
        let network = self.board.networks.get(winner).filter(|_| self.board.terminals == 2)?;
        let is_candidate = |group: &Mask<W>| {
            !group.intersects(&network.rows[cell]) && fastenings(network, state.own[winner], *group) == 2
        };
        let groups = parts(network, trace).into_iter().filter(is_candidate);
        let groups: Vec<_> = groups.map(|group| (group, around(network, group) & state.empty.minus(trace))).collect();
        let mut links = Mask::default();
        let mut beside = Mask::default();
        for (group, around) in groups {
            let with = |loser: Mask<W>| {
                let mut position = state.clone();
                (trace.minus(group)).iter().for_each(|cell| position.play(cell, winner));
                (state.empty.minus(trace) | loser).iter().for_each(|cell| position.play(cell, turn));
                position
            };
            let mut without = with(group);
            without.fill(&self.options);
            if without.winner == Some(turn) && self.is_lost(&with(Mask::default()), turn, control).is_some() {
                links |= group;
                beside |= around;
            }
        }
        if links.is_empty() {
            return None;
        }
        let mut found = trace;
        for cell in trace.minus(links).iter() {
            let mut position = state.clone();
            links.iter().for_each(|cell| position.play(cell, winner));
            beside.iter().for_each(|cell| position.play(cell, turn));
            position.play(cell, turn);
            found |= self.is_lost_after(&position, turn, control)?;
        }
        Some(found)
    }

    /// The opponent's trace, if the player to move is soon seen to lose.
    fn is_lost(&mut self, position: &State<W>, turn: usize, control: &Control) -> Option<Mask<W>> {
        self.small_win(position, turn, 1 - turn, control)
    }

    /// The same with the opponent to move.
    fn is_lost_after(&mut self, position: &State<W>, turn: usize, control: &Control) -> Option<Mask<W>> {
        self.small_win(position, 1 - turn, 1 - turn, control)
    }

    fn small_win(&mut self, position: &State<W>, turn: usize, winner: usize, control: &Control) -> Option<Mask<W>> {
        let helper = self.helper.get_or_insert_with(|| Box::new(Search::new(self.board.clone(), &self.options)));
        (helper.options.trace_parts, helper.options.graph_threads) = (false, 1);
        let outcome = helper.within(FEW, |search| search.solve(position, turn, control)).ok()?;
        (outcome.winner == winner).then_some(outcome.trace)
    }
}

/// The groups of neighbouring cells.
fn parts<const W: usize>(network: &Network<W>, mut cells: Mask<W>) -> Vec<Mask<W>> {
    let mut parts = Vec::new();
    while let Some(first) = cells.pop() {
        let (mut part, mut front) = (Mask::single(first), Mask::single(first));
        while let Some(cell) = front.pop() {
            let new = network.rows[cell] & cells;
            cells = cells.minus(new);
            part |= new;
            front |= new;
        }
        parts.push(part);
    }
    parts
}

fn around<const W: usize>(network: &Network<W>, cells: Mask<W>) -> Mask<W> {
    cells.iter().fold(Mask::default(), |around, cell| around | network.rows[cell]).minus(cells)
}

/// How many chains of the owner's a group touches; what is joined with a terminal is part of it.
fn fastenings<const W: usize>(network: &Network<W>, own: Mask<W>, group: Mask<W>) -> usize {
    let mut at = [false; 2];
    let mut count = 0;
    let touches = |cells: Mask<W>, at: &mut [bool; 2]| {
        let mut any = false;
        for (at, touching) in at.iter_mut().zip(&network.touching) {
            let touched = touching.intersects(&cells);
            any |= touched;
            *at |= touched;
        }
        any
    };
    touches(group, &mut at);
    let near = around(network, group) & own;
    for chain in parts(network, own).into_iter().filter(|chain| chain.intersects(&near)) {
        count += usize::from(!touches(chain, &mut at));
    }
    count + at.iter().filter(|&&at| at).count()
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::*;
    use crate::options::GraphOptions;

    /// What follows from parts is so: the player loses, inside the trace.
    #[test]
    fn what_is_lost_by_parts_is_lost() {
        let mut random = Random(61);
        let control = Control::default();
        let mut found = 0;
        for number in 0..2500 {
            let position = position(&mut random, number, 12);
            let board = position.board(true);
            let mut state = State::new(&board);
            if number % 2 == 0 {
                state.fill(&GraphOptions::default());
            }
            if state.winner.is_some() || board.terminals != 2 {
                continue;
            }
            let mut search = Search::new(board.clone(), &GraphOptions::default());
            let mut judge = position.judge();
            for turn in 0..2 {
                for cell in state.empty.iter() {
                    let mut after = state.clone();
                    after.forget_captures();
                    after.play(cell, turn);
                    let outcome = search.solve(&after, 1 - turn, &control).expect("there is no limit");
                    if outcome.winner == turn {
                        continue;
                    }
                    let trace = outcome.trace & state.empty;
                    let Some(trace) = search.lost_by_parts(&state, turn, cell, trace, &control) else { continue };
                    found += 1;
                    let mut own = [Mask::default(); 2];
                    own[turn] = board.free.minus(trace | state.captured[1 - turn]);
                    assert_ne!(judge.winner(own, turn), turn, "{trace:?} {position:?}");
                }
            }
        }
        assert!(found > 50, "{found}");
    }
}
