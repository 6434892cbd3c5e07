//! What a session tells another one about the same board, and what it does with what it is told.
//!
//! Threads share a table; whoever works elsewhere has one of its own. What was found out since the last time can be handed over: who
//! wins in which reduced position, inside which cells, and how far positions are that are not solved. Positions are named by the
//! 128 bits of hash that the table itself goes by, which depend on nothing but the position and the player to move, so that what
//! is true of an entry here is true there. A verdict goes into the table as if it had been found there. Proof numbers are advice:
//! they stand in for the 1 and 1 of a position that was never met, and are forgotten when the position is looked at, as numbers
//! follow from those of its children. What took little work is not worth the telling: it is found again as quickly.
//!
//! Who is told about the others' ways looks elsewhere: a position on the way of another session counts as harder, for each of
//! them (the *virtual loss* of `threads`). As the others have gone on since they told their way, they are kept apart further up
//! than threads are, where ways change less: by a 32nd of the proof number, and one.

use super::board::SHORT;
use super::fill::State;
use super::search::{INFINITE, Search};
use super::table::{Key, Table, Verdict};
use gamesat_rows::mask::Mask;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::sync::atomic::Ordering;

/// The part of its proof number by which a position seems harder for each session that is at work on it.
const LOSS: u32 = 32;

/// Something that a session has found out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name of the position.
    pub key: u128,
    /// Expansions that it took.
    pub work: u32,
    /// What was found out.
    pub told: Told,
}

/// What is told about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Who wins, and cells inside which it does.
    Solved {
        /// Whether it is Short.
        short_wins: bool,
        /// A set of cells, one bit each.
        trace: [u64; 4],
    },
    /// Proof numbers of a win of the player to move, and of a loss.
    Open {
        /// Of a win.
        phi: u32,
        /// Of a loss.
        delta: u32,
    },
}

/// What a session has found out since the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// Positions.
    pub facts: Vec<Fact>,
    /// Those from the root to where it is now.
    pub path: Vec<u128>,
}

/// Proof numbers from elsewhere.
#[derive(Clone, Copy, Debug)]
struct Hint {
    phi: u32,
    delta: u32,
    work: u32,
}

/// What a part of the table knows of other tables.
#[derive(Debug, Default)]
pub(super) struct Abroad {
    hints: HashMap<Key, Hint, FxBuildHasher>,
    /// How many others are at work on a position.
    busy: HashMap<Key, u32, FxBuildHasher>,
    /// What is to be told: whatever took so much work, or more.
    touched: HashSet<Key, FxBuildHasher>,
    least: u32,
}

impl Abroad {
    /// The proof numbers of a position that this table has not met.
    pub(super) fn numbers(&self, key: Key) -> (u32, u32) {
        self.hints.get(&key).map_or((1, 1), |hint| (hint.phi, hint.delta))
    }

    /// How much harder than its number a position seems, as others are at work on it.
    pub(super) fn loss(&self, key: Key, number: u32) -> u32 {
        let busy = if self.busy.is_empty() { 0 } else { self.busy.get(&key).copied().unwrap_or(0) };
        busy.saturating_mul(1 + number / LOSS)
    }

    /// Something was found out about a position.
    pub(super) fn note(&mut self, key: Key, work: u32) {
        if work >= self.least {
            self.touched.insert(key);
        }
    }

    /// Keeps the most laborious hints if there are too many.
    fn make_room(&mut self, limit: usize) {
        let mut least: u32 = 2;
        while self.hints.len() * 2 * size_of::<(Key, Hint)>() > limit / 8 {
            self.hints.retain(|_, hint| hint.work >= least);
            least = least.saturating_mul(2);
        }
    }
}

impl<const W: usize> Table<W> {
    /// From now on it is noted what others are to be told: whatever took so many expansions, or more.
    pub(super) fn exchange(&self, least: u32) {
        for mut part in self.each() {
            part.abroad.get_or_insert_default().least = least;
        }
    }

    /// What took less work is not told.
    fn least(&self) -> u32 {
        self.each().find_map(|part| part.abroad.as_ref().map(|abroad| abroad.least)).unwrap_or(u32::MAX)
    }

    /// What was noted since the last time.
    fn news(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        for mut part in self.each() {
            let Some(touched) = part.abroad.as_mut().map(|abroad| std::mem::take(&mut abroad.touched)) else {
                continue;
            };
            for key in touched {
                if let Some(verdict) = part.verdicts.get(&key) {
                    let mut trace = [0; 4];
                    trace[..W].copy_from_slice(&verdict.trace.0);
                    let short_wins = usize::from(verdict.winner) == SHORT;
                    facts.push(Fact { key, work: verdict.work, told: Told::Solved { short_wins, trace } });
                } else if let Some(node) = part.open.get(&key) {
                    let told = Told::Open { phi: node.phi, delta: node.delta };
                    facts.push(Fact { key, work: node.work, told });
                }
            }
        }
        facts
    }

    /// Takes in what another table has told. False if it says the opposite of what is known.
    fn learn(&self, fact: &Fact) -> bool {
        let mut part = self.part(fact.key);
        if let Some(known) = part.verdicts.get(&fact.key) {
            return match fact.told {
                Told::Solved { short_wins, .. } => (usize::from(known.winner) == SHORT) == short_wins,
                Told::Open { .. } => true,
            };
        }
        let limit = self.limit.load(Ordering::Relaxed);
        match fact.told {
            Told::Solved { short_wins, trace } => {
                let mut words = [0; W];
                words.copy_from_slice(&trace[..W]);
                let verdict = Verdict { winner: u8::from(!short_wins), work: fact.work, trace: Mask(words) };
                part.verdicts.insert(fact.key, verdict);
                if let Some(before) = part.open.remove(&fact.key) {
                    part.open_bytes -= before.bytes();
                }
                if let Some(abroad) = &mut part.abroad {
                    abroad.hints.remove(&fact.key);
                }
                part.make_room(limit);
            }
            Told::Open { phi, delta } => {
                let (phi, delta, work) = (phi.clamp(1, INFINITE - 1), delta.clamp(1, INFINITE - 1), fact.work);
                if let Some(node) = part.open.get_mut(&fact.key) {
                    if work > node.work {
                        (node.phi, node.delta) = (phi, delta);
                    }
                } else if let Some(abroad) = &mut part.abroad {
                    let hint = abroad.hints.entry(fact.key).or_insert(Hint { phi, delta, work });
                    if work >= hint.work {
                        *hint = Hint { phi, delta, work };
                    }
                    abroad.make_room(limit);
                }
            }
        }
        true
    }

    /// Somebody comes to some positions, or leaves them.
    fn mark(&self, path: &[Key], comes: bool) {
        for &key in path {
            let mut part = self.part(key);
            let Some(abroad) = &mut part.abroad else { continue };
            let busy = abroad.busy.entry(key).or_insert(0);
            *busy = if comes { busy.saturating_add(1) } else { busy.saturating_sub(1) };
            if *busy == 0 {
                abroad.busy.remove(&key);
            }
        }
    }
}

impl<const W: usize> Search<W> {
    /// What was found out since the last time.
    pub(super) fn news(&self) -> News {
        let way = self.way();
        let path = way.iter().map(|fact| fact.key).collect();
        let mut facts = self.table.news();
        facts.extend(way.into_iter().filter(|fact| fact.work >= self.table.least()));
        News { facts, path }
    }

    /// Takes in what another search has told. False if some of it cannot be, or says the opposite of what is known: what
    /// comes behind that is not taken in.
    pub(super) fn learn(&self, facts: &[Fact]) -> bool {
        let all = Mask::<W>::first(self.board.cells);
        let is_possible = |fact: &Fact| match fact.told {
            Told::Solved { trace, .. } => {
                let inside = |(at, &word): (usize, &u64)| word & !all.0.get(at).copied().unwrap_or(0) == 0;
                trace.iter().enumerate().all(inside)
            }
            Told::Open { .. } => true,
        };
        facts.iter().all(|fact| is_possible(fact) && self.table.learn(fact))
    }

    /// What the table knows of a position: who wins inside which cells.
    pub(super) fn settled(&mut self, root: &State<W>, turn: usize) -> Option<(usize, Mask<W>)> {
        self.enter(0, root, None, turn);
        let filled = &self.states[0];
        let captured = filled.captured;
        let (winner, trace) = match filled.winner {
            Some(winner) => (winner, Mask::default()),
            None => {
                let place = self.place(filled, turn);
                let verdict = self.table.verdict(place.key)?;
                (usize::from(verdict.winner), self.seen(place, verdict.trace))
            }
        };
        Some((winner, (trace | captured[winner]) & root.empty))
    }

    /// Takes in who wins a position, inside some of its cells. False if the table says otherwise.
    ///
    /// What the winner captures it has after fill, so the rest of the cells will do; and what the loser captures is the
    /// loser's whatever the winner does there, so it wins without them.
    pub(super) fn settle(&mut self, root: &State<W>, turn: usize, winner: usize, trace: Mask<W>) -> bool {
        self.enter(0, root, None, turn);
        let filled = &self.states[0];
        if let Some(known) = filled.winner {
            return known == winner;
        }
        let (place, inside) = (self.place(filled, turn), trace & filled.empty);
        let mut words = [0; 4];
        words[..W].copy_from_slice(&self.seen(place, inside).0);
        let told = Told::Solved { short_wins: winner == SHORT, trace: words };
        self.table.learn(&Fact { key: place.key, work: 1, told })
    }

    /// Another search has left one way from its root and is on another one.
    pub(super) fn move_other(&self, from: &[Key], to: &[Key]) {
        self.table.mark(from, false);
        self.table.mark(to, true);
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::super::search::Outcome;
    use super::*;
    use crate::options::GraphOptions;
    use gamesat_core::control::{Control, StopReason};

    /// Searches that tell each other what they find, in any order and not always: each comes to the true winner, and the winner
    /// wins inside the trace; a search that is told no more than that knows as much.
    #[test]
    fn what_is_told_is_so() {
        let mut random = Random(83);
        let control = Control::default();
        let (mut told, mut settled) = (0, 0);
        for number in 0..1500 {
            let position = position(&mut random, number, 12);
            let board = position.board(true);
            let mut judge = position.judge();
            // Without connections there is something to search for.
            let options = GraphOptions { connections: number % 3 == 0, ..GraphOptions::default() };
            let root = State::new(&board);
            for turn in 0..2 {
                let mut crew: Vec<Search<1>> = (0..3).map(|_| Search::new(board.clone(), &options)).collect();
                crew.iter().for_each(|search| search.table.exchange(1 + random.below(3) as u32));
                let mut ways: Vec<Vec<Key>> = vec![Vec::new(); crew.len()];
                let outcome = loop {
                    let at = random.below(crew.len());
                    let expansions = 1 + random.below(6) as u64;
                    match crew[at].go_on(&root, turn, expansions, &control) {
                        Ok(outcome) => break outcome,
                        Err(reason) => assert_eq!(reason, StopReason::Nodes),
                    }
                    let news = crew[at].news();
                    for (_, other) in crew.iter().enumerate().filter(|&(other, _)| other != at && random.below(4) > 0) {
                        assert!(other.learn(&news.facts), "{position:?}");
                        other.move_other(&ways[at], &news.path);
                        told += news.facts.iter().filter(|fact| matches!(fact.told, Told::Solved { .. })).count();
                    }
                    ways[at] = news.path;
                };
                let mut is_right = |outcome: &Outcome<1>| {
                    let mut own = [Mask::default(); 2];
                    own[1 - outcome.winner] = board.free.minus(outcome.trace);
                    judge.winner(own, turn) == outcome.winner
                };
                assert!(is_right(&outcome), "{position:?} {outcome:?}");
                let mut fresh = Search::new(board.clone(), &options);
                assert!(fresh.settle(&root, turn, outcome.winner, outcome.trace & root.empty));
                let (winner, trace) = fresh.settled(&root, turn).expect("it was told");
                assert!(is_right(&Outcome { winner, trace, cell: None }), "{position:?} {trace:?}");
                assert!(!fresh.settle(&root, turn, 1 - winner, root.empty), "the opposite is noticed");
                settled += usize::from(fresh.table.len() > 0);
            }
        }
        assert!(told > 50 && settled > 300, "{told} {settled}");
    }

    /// Cells that are not on the board, and the opposite of what is known.
    #[test]
    fn what_cannot_be_is_refused() {
        let mut random = Random(84);
        let board = position(&mut random, 1, 12).board(true);
        let search = Search::new(board, &GraphOptions::default());
        let solved =
            |short_wins: bool, trace: [u64; 4]| Fact { key: 5, work: 1, told: Told::Solved { short_wins, trace } };
        assert!(!search.learn(&[solved(true, [0, 1, 0, 0])]));
        assert!(!search.learn(&[solved(true, [u64::MAX, 0, 0, 0])]));
        assert!(search.learn(&[solved(true, [0; 4]), solved(true, [1, 0, 0, 0])]));
        assert!(!search.learn(&[solved(false, [0; 4])]));
    }
}
