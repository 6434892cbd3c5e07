//! Fill: colouring cells that no longer matter, or that belong to a player already, until nothing changes.
//!
//! - A cell is *dead* if its neighbours, terminals included, form a clique in either graph, or all touch the one of two
//!   terminals that it touches: no induced path uses it, so it may have any colour. It takes the same colour in both graphs; contraction can undo another cell's death, so cells are
//!   filled one at a time.
//! - *`a` kills `b` for `p`*: once `p` has `a`, `b` is dead. With Cut's graph at hand it is enough to look at deletions,
//!   each player's in the opponent's graph; without it Short's kills are contractions in the one graph there is.
//! - Two cells that kill each other for `p` are *captured*: whenever the opponent takes one, `p` takes the other, which
//!   kills it. Filling them in for `p` changes no verdict. The pair belongs to `p`'s trace, dead cells to nobody's.
//! - *Domination*: if `a` kills `b`, for either player, nobody needs to play `b` as long as `a` is kept: a stone of that
//!   player on `a` makes `b` worthless, and a stone on `a` is worth at least as much to the other one, since it spoils
//!   that.
//!
//! Everything is local: only cells whose neighbourhood has changed are looked at again.

use super::board::{Board, CUT, SHORT};
use super::reduced::Reduced;
use crate::options::GraphOptions;
use gamesat_rows::mask::Mask;

/// A position with its reduced graphs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State<const W: usize> {
    /// Stones of each player.
    pub(super) own: [Mask<W>; 2],
    /// The cells without stones.
    pub(super) empty: Mask<W>,
    /// Short's and Cut's reduced graphs; only Short's if the board has no dual.
    pub(super) graphs: Vec<Reduced<W>>,
    /// `kills[p][b]`: the cells that kill `b` for `p`.
    pub(super) kills: [Vec<Mask<W>>; 2],
    /// The cells that were captured since the last call of [`State::forget_captures`].
    pub(super) captured: [Mask<W>; 2],
    /// Who has won.
    pub(super) winner: Option<usize>,
    /// Cells to look at again, in each graph.
    changed: [Mask<W>; 2],
}

impl<const W: usize> State<W> {
    /// The board's position.
    pub(super) fn new(board: &Board<W>) -> Self {
        let all = board.free | board.own[SHORT] | board.own[CUT];
        let mut state = State {
            own: [Mask::default(); 2],
            empty: all,
            graphs: board.networks.iter().map(Reduced::new).collect(),
            kills: [0, 1].map(|_| vec![Mask::default(); board.cells]),
            captured: [Mask::default(); 2],
            winner: board.winner,
            changed: [all; 2],
        };
        for player in [SHORT, CUT] {
            board.own[player].iter().for_each(|stone| state.play(stone, player));
        }
        state
    }

    /// Makes this position equal to another one, without asking for memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.own = other.own;
        self.empty = other.empty;
        self.graphs.truncate(other.graphs.len());
        for (at, graph) in other.graphs.iter().enumerate() {
            match self.graphs.get_mut(at) {
                Some(mine) => mine.copy_from(graph),
                None => self.graphs.push(graph.clone()),
            }
        }
        for (mine, kills) in self.kills.iter_mut().zip(&other.kills) {
            mine.clone_from(kills);
        }
        self.captured = other.captured;
        self.winner = other.winner;
        self.changed = other.changed;
    }

    /// Places a stone, without filling anything.
    #[inline]
    pub(super) fn play(&mut self, cell: usize, player: usize) {
        self.own[player].insert(cell);
        self.empty.remove(cell);
        for (owner, graph) in self.graphs.iter_mut().enumerate() {
            self.changed[owner] |= if owner == player { graph.contract(cell) } else { graph.delete(cell) };
        }
    }

    /// From now on captured cells are counted anew.
    #[inline]
    pub(super) fn forget_captures(&mut self) {
        self.captured = [Mask::default(); 2];
    }

    /// Fills until nothing changes and finds out who has won.
    pub(super) fn fill(&mut self, options: &GraphOptions) {
        let mut stale = [Mask::default(); 2];
        while self.winner.is_none() {
            if self.is_decided() {
                return;
            }
            for (stale, changed) in stale.iter_mut().zip(self.changed) {
                *stale |= changed;
            }
            if options.dead_cells && self.fill_dead() {
                continue;
            }
            self.changed = [Mask::default(); 2];
            if options.captured_pairs || options.killed_cells {
                self.refresh_kills(&mut stale);
            }
            if !(options.captured_pairs && self.fill_captured(stale)) {
                return;
            }
        }
    }

    fn is_decided(&mut self) -> bool {
        self.winner = self.graphs.iter().position(|graph| graph.joined);
        if self.winner.is_none() && self.graphs.len() == 1 && !self.graphs[SHORT].can_join(self.empty) {
            self.winner = Some(CUT);
        }
        self.winner.is_some()
    }

    /// Fills one dead cell, if there is one. It goes to the player in whose opponent's graph its death was seen: deleting
    /// it there costs nothing.
    fn fill_dead(&mut self) -> bool {
        for owner in 0..self.graphs.len() {
            while let Some(cell) = (self.changed[owner] & self.empty).lowest() {
                self.changed[owner].remove(cell);
                if self.graphs[owner].is_simplicial(cell, Mask::default()) {
                    self.play(cell, 1 - owner);
                    return true;
                }
            }
        }
        false
    }

    fn refresh_kills(&mut self, stale: &mut [Mask<W>; 2]) {
        for ((owner, graph), stale) in self.graphs.iter().enumerate().zip(&mut *stale) {
            *stale &= self.empty;
            for cell in stale.iter() {
                self.kills[1 - owner][cell] = graph.deletion_killers(cell);
            }
        }
        if self.graphs.len() == 1 {
            // Contraction reaches further than the neighbourhoods that have changed.
            stale[CUT] = self.empty;
            let graph = &self.graphs[SHORT];
            for cell in self.empty.iter() {
                let mut reach = graph.rows[cell];
                for other in graph.rows[cell].iter() {
                    reach |= graph.rows[other];
                }
                reach.remove(cell);
                self.kills[SHORT][cell] =
                    reach.iter().filter(|&taken| graph.dies_by_contraction(cell, taken)).collect();
            }
        }
    }

    /// Fills one captured pair of which one cell at least is fresh: `fresh[o]` is about deletions in the graph of `o`, or
    /// for Cut without a graph about contractions in Short's.
    fn fill_captured(&mut self, fresh: [Mask<W>; 2]) -> bool {
        for player in [SHORT, CUT] {
            let kills = &self.kills[player];
            for cell in (fresh[1 - player] & self.empty).iter() {
                let mut partners = kills[cell] & self.empty;
                while let Some(other) = partners.pop() {
                    if kills[other].contains(cell) {
                        self.captured[player].insert(cell);
                        self.captured[player].insert(other);
                        self.play(cell, player);
                        self.play(other, player);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Which cells a player has captured once one of these cells is taken; pairs only, and none without the opponent's
    /// graph.
    pub(super) fn captured_by(&self, player: usize, cells: Mask<W>, sets: &mut [Mask<W>]) {
        sets.fill(Mask::default());
        let Some(graph) = self.graphs.get(1 - player) else { return };
        for cell in cells.iter() {
            let near = graph.rows[cell];
            let mut set = Mask::default();
            for a in near.iter() {
                if set.contains(a) {
                    continue;
                }
                let mut without_b = Mask::single(cell);
                without_b.insert(a);
                for b in (graph.rows[a] & near).minus(set).iter().filter(|&b| b > a) {
                    let mut without_a = Mask::single(cell);
                    without_a.insert(b);
                    if graph.is_simplicial(a, without_a) && graph.is_simplicial(b, without_b) {
                        set.insert(a);
                        set.insert(b);
                        break;
                    }
                }
            }
            sets[cell] = set;
        }
    }

    /// Two hashes of what decides the future but for the turn: Short's reduced graph.
    pub(super) fn key(&self, turn: usize) -> u128 {
        let graph = &self.graphs[SHORT];
        State::key_of(turn, self.empty.iter().map(|cell| (cell, graph.touch[cell], graph.rows[cell])))
    }

    /// The hashes of a reduced graph: its cells in order, each with what it touches and with its neighbours.
    #[inline]
    pub(super) fn key_of(turn: usize, rows: impl Iterator<Item = (usize, u8, Mask<W>)>) -> u128 {
        #[inline]
        fn mix(a: u64, b: u64) -> u64 {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        }
        let (mut one, mut two) = (0x1234_5678_9ABC_DEF1 ^ turn as u64, 0x0FED_CBA9_8765_4321 ^ turn as u64);
        for (cell, touch, row) in rows {
            let place = u64::from(touch) + 8 * cell as u64 + 1;
            let (p, q) = (place.wrapping_mul(0xD6E8_FEB8_6659_FD93), place.wrapping_mul(0xA24B_AED4_963E_E407));
            for word in row.0 {
                one = mix(one ^ word, 0x9E37_79B9_7F4A_7C15 ^ p);
                two = mix(two ^ word.rotate_left(29), 0xC2B2_AE3D_27D4_EB4F ^ q);
            }
        }
        u128::from(one) << 64 | u128::from(two)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::super::induced::off_induced_paths;
    use super::*;

    /// Every rule of fill alone, and all of them: who wins does not change, whoever is to move; and the two graphs stay each
    /// other's dual, so on every full board exactly one player has joined its terminals.
    #[test]
    fn fill_changes_no_winner() {
        let rules = ["", "dead_cells", "captured_pairs", "killed_cells", "dead_cells captured_pairs"];
        let mut random = Random(3);
        let (mut filled, mut decided) = (0, 0);
        for number in 0..2700 {
            let position = position(&mut random, number, 10);
            let board = position.board(number % 4 != 3);
            let mut options = GraphOptions::none();
            rules[number % rules.len()].split_whitespace().for_each(|rule| assert!(options.set(rule, true)));
            let mut state = State::new(&board);
            state.fill(&options);
            let mut judge = position.judge();
            for turn in [SHORT, CUT] {
                let truth = judge.winner([Mask::default(); 2], turn);
                match state.winner {
                    Some(winner) => assert_eq!(winner, truth, "{position:?} {options:?}"),
                    None => assert_eq!(judge.winner(state.own, turn), truth, "{position:?} {options:?}"),
                }
            }
            filled += usize::from(!state.captured[SHORT].is_empty() || !state.captured[CUT].is_empty());
            decided += usize::from(state.winner.is_some());
            if board.has_dual() && state.winner.is_none() {
                for _ in 0..4 {
                    let mut full = state.clone();
                    state.empty.iter().for_each(|cell| full.play(cell, random.below(2)));
                    assert_ne!(full.graphs[SHORT].joined, full.graphs[CUT].joined, "{position:?} {options:?}");
                }
            }
        }
        assert!(filled > 100 && decided > 100, "{filled} {decided}");
    }

    /// What counts as dead because its neighbours form a clique lies on no induced path between the terminals.
    #[test]
    fn dead_cells_lie_on_no_induced_path() {
        let mut random = Random(5);
        let mut dead = 0;
        for number in 0..1200 {
            let board = position(&mut random, number, 10).board(number % 4 != 3);
            let state = State::new(&board);
            for graph in state.graphs.iter().filter(|graph| graph.terminals() == 2 && !graph.joined) {
                let off = off_induced_paths(graph, state.empty);
                for cell in state.empty.iter().filter(|&cell| graph.is_simplicial(cell, Mask::default())) {
                    assert!(off.contains(cell), "{cell} of {graph:?}");
                    dead += 1;
                }
            }
        }
        assert!(dead > 100, "{dead}");
    }

    /// A player who wins can do so without the cells that others kill, as long as those are kept; and what a move captures
    /// may be filled in after it.
    #[test]
    fn killed_cells_are_not_needed_and_captured_ones_can_be_filled() {
        let mut random = Random(8);
        let (mut dropped, mut captured) = (0, 0);
        for number in 0..1200 {
            let position = position(&mut random, number, 9);
            let board = position.board(number % 4 != 3);
            let mut state = State::new(&board);
            state.fill(&GraphOptions::default());
            if state.winner.is_some() {
                continue;
            }
            let mut judge = position.judge();
            let mut kept = state.empty;
            for cell in state.empty.iter() {
                let mut better = (state.kills[SHORT][cell] | state.kills[CUT][cell]) & kept;
                better.remove(cell);
                if !better.is_empty() {
                    kept.remove(cell);
                    dropped += 1;
                }
            }
            let mut sets = vec![Mask::default(); board.cells];
            for turn in [SHORT, CUT] {
                let with = |cells: Mask<1>| {
                    let mut own = state.own;
                    own[turn] |= cells;
                    own
                };
                let mut wins = |cell: usize| judge.winner(with(Mask::single(cell)), 1 - turn) == turn;
                let any = state.empty.iter().any(&mut wins);
                assert_eq!(kept.iter().any(wins), any, "{position:?}");
                state.captured_by(turn, state.empty, &mut sets);
                for cell in state.empty.iter().filter(|&cell| !sets[cell].is_empty()) {
                    captured += 1;
                    for next in [SHORT, CUT] {
                        let plain = judge.winner(with(Mask::single(cell)), next);
                        assert_eq!(judge.winner(with(sets[cell] | Mask::single(cell)), next), plain, "{position:?}");
                    }
                }
            }
        }
        assert!(dropped > 100 && captured > 100, "{dropped} {captured}");
    }
}
