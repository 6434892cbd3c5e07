//! Questions about the position that was asked for: the verdict, winning moves, all of them, a small trace, a line of play.

use super::connections::Until;
use super::fill::State;
use super::search::{Outcome, Search};
use super::symmetry::Symmetries;
use gamesat_core::control::{Control, StopReason};
use gamesat_rows::mask::Mask;

impl<const W: usize> Search<W> {
    /// Solves a position and names a winning move of the player to move, if that is the winner and a cell is empty.
    ///
    /// # Errors
    /// The reason to stop before it is known.
    pub(super) fn solve_with_move(
        &mut self,
        root: &State<W>,
        turn: usize,
        control: &Control,
    ) -> Result<Outcome<W>, StopReason> {
        let outcome = self.solve(root, turn, control)?;
        if outcome.winner != turn || outcome.cell.is_some() {
            return Ok(outcome);
        }
        // Fill or a connection decided. The first move of the connection is in its carrier, and after it the connection
        // is full; should limits have hidden that, the search finds it.
        // With an empty trace the game is over, and any move will do.
        if outcome.trace.is_empty() {
            return Ok(Outcome { cell: root.empty.lowest(), ..outcome });
        }
        let cells = outcome.trace;
        let with = |cell: usize| Outcome { trace: outcome.trace | Mask::single(cell), cell: Some(cell), ..outcome };
        let mut open = Vec::new();
        for cell in cells.iter() {
            let mut child = root.clone();
            child.play(cell, turn);
            child.fill(&self.options);
            if child.winner == Some(turn) || child.winner.is_none() && self.is_connected(&child, turn) {
                return Ok(with(cell));
            }
            if child.winner.is_none() {
                open.push(cell);
            }
        }
        for cell in open {
            let mut child = root.clone();
            child.play(cell, turn);
            let after = self.solve(&child, 1 - turn, control)?;
            if after.winner == turn {
                return Ok(Outcome { trace: after.trace | Mask::single(cell), cell: Some(cell), ..outcome });
            }
        }
        Ok(outcome)
    }

    /// Whether a player is fully connected in a filled position.
    fn is_connected(&mut self, state: &State<W>, player: usize) -> bool {
        if player >= self.board.networks.len() || !self.options.connections {
            return false;
        }
        self.build_until(state, player, Until::Full);
        !self.goals().fulls.is_empty()
    }

    /// All winning moves of the player to move.
    ///
    /// A move that loses is refuted inside a trace, and so is every other move outside it. If some were not looked at, the
    /// reason.
    pub(super) fn all_moves(
        &mut self,
        root: &State<W>,
        turn: usize,
        first: usize,
        control: &Control,
    ) -> (Vec<usize>, Option<StopReason>) {
        let mut undecided = root.empty;
        let mut winning: Mask<W> = Mask::single(first);
        undecided.remove(first);
        let total = root.empty.len() as u64;
        let symmetries = self.options.symmetric_moves.then(|| Symmetries::new(root));
        while let Some(cell) = undecided.pop() {
            control.progress().set_steps(total - undecided.len() as u64, total);
            let maps = |symmetries: &Symmetries| winning.iter().any(|other| symmetries.maps(cell, other));
            if symmetries.as_ref().is_some_and(maps) {
                winning.insert(cell);
                continue;
            }
            let mut child = root.clone();
            child.play(cell, turn);
            let after = match self.solve(&child, 1 - turn, control) {
                Ok(after) => after,
                Err(reason) => return (winning.iter().collect(), Some(reason)),
            };
            if after.winner == turn {
                winning.insert(cell);
            } else {
                undecided &= after.trace;
                if let Some(symmetries) = &symmetries {
                    undecided = undecided.iter().filter(|&other| !symmetries.maps(cell, other)).collect();
                }
            }
        }
        (winning.iter().collect(), None)
    }

    /// Leaves out cells of a trace, one after the other, as long as the winner wins without them. A cell that was needed once
    /// is needed in everything smaller too.
    ///
    /// # Errors
    /// The reason to stop before it is known.
    pub(super) fn shrink(
        &mut self,
        root: &State<W>,
        turn: usize,
        winner: usize,
        mut trace: Mask<W>,
        control: &Control,
    ) -> Result<Mask<W>, StopReason> {
        for cell in trace.iter() {
            if !trace.contains(cell) {
                continue;
            }
            let mut without = trace;
            without.remove(cell);
            let mut state = root.clone();
            root.empty.minus(without).iter().for_each(|given| state.play(given, 1 - winner));
            let outcome = self.solve(&state, turn, control)?;
            if outcome.winner == winner {
                trace = outcome.trace & without;
            }
        }
        Ok(trace)
    }

    /// A line of play from a solved position: the winner's moves, and of the loser's those that took most work to refute. It
    /// ends where fill decides, where nothing is known of the replies, or where the next move would take a search.
    pub(super) fn line(&mut self, root: &State<W>, turn: usize, outcome: &Outcome<W>, control: &Control) -> Vec<usize> {
        const MOST_EXPANSIONS: u64 = 256;
        let mut line = Vec::new();
        let (mut state, mut player, mut next) = (root.clone(), turn, outcome.cell);
        loop {
            let cell = match next.take() {
                Some(cell) => Some(cell),
                None if player == outcome.winner => {
                    let found = self.within(MOST_EXPANSIONS, |search| search.solve_with_move(&state, player, control));
                    found.ok().filter(|found| found.winner == player).and_then(|found| found.cell)
                }
                None => self.hardest_reply(&state, player),
            };
            let Some(cell) = cell else { return line };
            state.play(cell, player);
            line.push(cell);
            player = 1 - player;
            let mut filled = state.clone();
            filled.fill(&self.options);
            if filled.winner.is_some() {
                return line;
            }
        }
    }

    /// The lost move that took most work, of those the table knows.
    fn hardest_reply(&self, state: &State<W>, player: usize) -> Option<usize> {
        let work = |cell: usize| {
            let mut child = state.clone();
            child.play(cell, player);
            child.fill(&self.options);
            let verdict =
                child.winner.is_none().then(|| self.table.verdict(self.place(&child, 1 - player).key)).flatten()?;
            (usize::from(verdict.winner) != player).then_some((verdict.work, cell))
        };
        state.empty.iter().filter_map(work).max_by_key(|&(work, _)| work).map(|(_, cell)| cell)
    }
}
