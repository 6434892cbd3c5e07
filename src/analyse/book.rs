//! Opening tables (*Set Colouring Games* 4.2, 14.1): every position of a board after up to so many moves, up to symmetry, with
//! its winner and winning moves, found once and looked up later.
//!
//! Positions are filed by the least of their images under the symmetries of the board that leave each side its stones. Moves
//! that are looked up come back through the same symmetry.

use crate::solve::{Options, Question, Refusal, Trace, Verdict, Wanted, ask};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Side};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// What a book says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who wins.
    pub winner: Side,
    /// Every winning move of the side to move.
    pub moves: Vec<usize>,
    /// Nodes that it took.
    pub nodes: u64,
    /// Elements that suffice for the winner.
    pub trace: usize,
}

/// A position of a book: the moves that lead to it, and what is known of it.
#[derive(Clone, Debug)]
pub struct Place {
    /// Moves from the book's board on.
    pub path: Vec<usize>,
    /// The position.
    pub board: Board,
    /// What is known.
    pub entry: Option<Entry>,
}

/// Why a book cannot be made or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// Positions of such a game are no sets of stones.
    #[error("a book is for boards on which the players take turns until they are full")]
    NotABoard,
    /// There are too many positions.
    #[error("there are more than {0} positions after so many moves: fewer plies")]
    TooMany(usize),
    /// A limit was reached, or someone interrupted.
    #[error("{0}")]
    Stopped(StopReason),
    /// The record is about another position.
    #[error("this is a book of another position")]
    Other,
    /// A line that cannot be read.
    #[error("line {0}: this is no position with its mover, winner, nodes, trace and winning moves")]
    Line(usize),
    /// A position that a line says twice, and not alike.
    #[error("line {0}: the winner was another one before")]
    Contradiction(usize),
}

/// The most positions of a book.
const MOST_POSITIONS: usize = 100_000;

type Key = (Vec<Option<Side>>, Side);

/// Positions of a board near its beginning.
#[derive(Clone, Debug)]
pub struct Book {
    root: Board,
    places: Vec<Place>,
    index: FxHashMap<Key, usize>,
}

impl Book {
    /// Every position of a board after up to so many moves, nothing known yet.
    ///
    /// # Errors
    /// The board is none for a book, there are too many positions, or the reason to stop.
    pub fn new(root: &Board, plies: usize, control: &Control) -> Result<Self, BookError> {
        if root.has_plies() || root.is_race() {
            return Err(BookError::NotABoard);
        }
        let mut book = Book { root: root.clone(), places: Vec::new(), index: FxHashMap::default() };
        book.insert(Place { path: Vec::new(), board: root.clone(), entry: None });
        let mut next = 0;
        while next < book.places.len() {
            if let Some(reason) = control.stop_reason(0) {
                return Err(BookError::Stopped(reason));
            }
            let Place { path, board, .. } = book.places[next].clone();
            next += 1;
            if path.len() == plies || board.ending().is_some() {
                continue;
            }
            for element in board.free().collect::<Vec<_>>() {
                let mut after = board.clone();
                if after.play(element).is_ok() && after.ending().is_none() {
                    let mut path = path.clone();
                    path.push(element);
                    book.insert(Place { path, board: after, entry: None });
                }
            }
            if book.places.len() > MOST_POSITIONS {
                return Err(BookError::TooMany(MOST_POSITIONS));
            }
        }
        Ok(book)
    }

    fn insert(&mut self, place: Place) {
        let (key, _) = canonical(&place.board);
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.index.entry(key) {
            vacant.insert(self.places.len());
            self.places.push(place);
        }
    }

    /// The positions, those after fewer moves first.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Solves the next position of which nothing is known, within a time for each. Says which was solved; `None` if every one
    /// was tried.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn advance(
        &mut self,
        tried: &mut FxHashSet<usize>,
        each: Option<Duration>,
        options: &Options,
        control: &Control,
    ) -> Result<Option<usize>, StopReason> {
        for at in 0..self.places.len() {
            if self.places[at].entry.is_some() || !tried.insert(at) {
                continue;
            }
            let limited = each.map(|each| control.with_budget(each));
            let entry = solve(&self.places[at].board, options, limited.as_ref().unwrap_or(control));
            if let Some(reason) = control.stop_reason(0) {
                return Err(reason);
            }
            match entry {
                Ok(entry) => {
                    self.places[at].entry = Some(entry);
                    return Ok(Some(at));
                }
                Err(StopReason::Time | StopReason::Interrupted) if each.is_some() => {}
                Err(reason) => return Err(reason),
            }
        }
        Ok(None)
    }

    /// What is known of a position, its moves as they are there.
    pub fn find(&self, board: &Board) -> Option<Entry> {
        let (key, to_key) = canonical(board);
        let place = &self.places[*self.index.get(&key)?];
        let (_, place_to_key) = canonical(&place.board);
        let mut entry = place.entry.clone()?;
        let mut back = vec![0; to_key.len()];
        to_key.iter().enumerate().for_each(|(from, &to)| back[to] = from);
        entry.moves.iter_mut().for_each(|element| *element = back[place_to_key[*element]]);
        entry.moves.sort_unstable();
        Some(entry)
    }

    /// Takes over what a line of a record says: moves, mover, winner, nodes, trace, winning moves.
    ///
    /// # Errors
    /// The line says something else, or something else than was known.
    pub fn learn(&mut self, number: usize, words: &[&str]) -> Result<(), BookError> {
        let wrong = || BookError::Line(number);
        let [path, mover, winner, nodes, trace, moves @ ..] = words else { return Err(wrong()) };
        let mut board = self.root.clone();
        for name in path.split(',').filter(|&name| name != "-") {
            let element = board.find(name).ok_or_else(wrong)?;
            board.play(element).map_err(|_| wrong())?;
        }
        let side = |name: &str| board.find_side(name).ok_or_else(wrong);
        if side(mover)? != board.turn {
            return Err(wrong());
        }
        let winner = side(winner)?;
        let found: Option<Vec<usize>> =
            moves.iter().map(|name| board.find(name).filter(|&element| board.is_free(element))).collect();
        let moves = found.ok_or_else(wrong)?;
        // Whoever moves and wins has a move, and whoever loses has none.
        if (winner == board.turn) == moves.is_empty() {
            return Err(wrong());
        }
        let entry = Entry {
            winner,
            moves,
            nodes: nodes.parse().map_err(|_| wrong())?,
            trace: trace.parse().map_err(|_| wrong())?,
        };
        // A position beyond the plies that are asked for is kept, too.
        self.insert(Place { path: Vec::new(), board: board.clone(), entry: None });
        let (key, to_key) = canonical(&board);
        let place = &mut self.places[self.index[&key]];
        match &place.entry {
            Some(known) if known.winner != entry.winner => return Err(BookError::Contradiction(number)),
            Some(_) => {}
            None => {
                let (_, place_to_key) = canonical(&place.board);
                let mut back = vec![0; to_key.len()];
                place_to_key.iter().enumerate().for_each(|(from, &to)| back[to] = from);
                let moves = entry.moves.iter().map(|&element| back[to_key[element]]).collect();
                place.entry = Some(Entry { moves, ..entry });
            }
        }
        Ok(())
    }
}

/// The least image of a position, and where its elements go there.
fn canonical(board: &Board) -> (Key, Vec<usize>) {
    let stones = board.stones();
    let mut best: (Vec<Option<Side>>, Vec<usize>) = (stones.to_vec(), (0..stones.len()).collect());
    let rank = |stones: &[Option<Side>]| -> Vec<usize> {
        stones.iter().map(|stone| stone.map_or(0, |side| 1 + side as usize)).collect()
    };
    for symmetry in board.symmetries().iter().filter(|symmetry| !symmetry.exchanges) {
        let mut image = vec![None; stones.len()];
        symmetry.map.iter().enumerate().for_each(|(from, &to)| image[to] = stones[from]);
        if rank(&image) < rank(&best.0) {
            best = (image, symmetry.map.clone());
        }
    }
    ((best.0, board.turn), best.1)
}

/// The winner of a board and every winning move.
fn solve(board: &Board, options: &Options, control: &Control) -> Result<Entry, StopReason> {
    let problem = Problem::Board(board.clone());
    let refused = |refusal: Refusal| StopReason::Unsupported(refusal.to_string());
    let answer = |wanted: &Wanted| ask(&Question { problem: &problem, wanted }, options, control).map_err(refused);
    let traced = answer(&Wanted::default().and_trace(Trace::Any))?;
    let all = answer(&Wanted::default().and_all_moves())?;
    let winner = match all.verdict {
        Verdict::True => board.max,
        Verdict::False => !board.max,
        _ => return Err(all.stop.unwrap_or(StopReason::Interrupted)),
    };
    let trace = traced.trace.ok_or_else(|| traced.stop.clone().unwrap_or(StopReason::Interrupted))?.len();
    let moves = all.moves.iter().map(|lit| lit.var().index()).collect();
    Ok(Entry { winner, moves, nodes: traced.statistics.get("nodes") as u64, trace })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        match gamesat_format::parse(text) {
            Ok(Problem::Board(board)) => board,
            _ => panic!("{text}"),
        }
    }

    #[test]
    fn positions_up_to_symmetry() {
        // Half a turn maps 3x3 Hex onto itself: five openings; without symmetry there are 9 · 8 positions after two moves.
        assert_eq!(Book::new(&board("hex 3"), 1, &Control::default()).unwrap().places().len(), 1 + 5);
        assert_eq!(Book::new(&board("hex 3"), 2, &Control::default()).unwrap().places().len(), 1 + 5 + 36);
        assert!(matches!(Book::new(&board("hex 19"), 4, &Control::default()), Err(BookError::TooMany(_))));
    }

    #[test]
    fn what_is_looked_up_is_what_would_be_solved() {
        let root = board("hex 3");
        let mut book = Book::new(&root, 2, &Control::default()).unwrap();
        let (control, options, mut tried) = (Control::default(), Options::default(), FxHashSet::default());
        while book.advance(&mut tried, None, &options, &control).unwrap().is_some() {}
        for first in 0..9 {
            for second in (0..9).filter(|&second| second != first) {
                let mut after = root.clone();
                after.play(first).unwrap();
                assert_eq!(book.find(&after).unwrap().moves, sorted(solve(&after, &options, &control).unwrap().moves));
                after.play(second).unwrap();
                let (found, expected) = (book.find(&after).unwrap(), solve(&after, &options, &control).unwrap());
                assert_eq!((found.winner, found.moves), (expected.winner, sorted(expected.moves)));
            }
        }
        let mut beyond = root;
        for element in [4, 0, 1] {
            beyond.play(element).unwrap();
        }
        assert_eq!(book.find(&beyond), None);
    }

    fn sorted(mut list: Vec<usize>) -> Vec<usize> {
        list.sort_unstable();
        list
    }

    #[test]
    fn lines_are_learnt() {
        let mut book = Book::new(&board("hex 3"), 1, &Control::default()).unwrap();
        let learn = |book: &mut Book, line: &str| book.learn(7, &line.split(' ').collect::<Vec<_>>());
        learn(&mut book, "a1 white white 3 4 b2").unwrap();
        let mut turned = board("hex 3");
        turned.play(8).unwrap();
        assert_eq!(book.find(&turned).unwrap().moves, [4]);
        assert_eq!(learn(&mut book, "c3 white black 1 1").unwrap_err(), BookError::Contradiction(7));
        for wrong in
            ["a1", "z9 white white 1 1 b2", "a1 black black 1 1 b2", "a1 white white 1 1", "a1 white white x 1 b2"]
        {
            assert_eq!(learn(&mut book, wrong).unwrap_err(), BookError::Line(7), "{wrong}");
        }
    }
}
