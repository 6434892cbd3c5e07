//! The outcome of a board game by its rules: plain minimax over positions, remembered.
//!
//! Nothing is translated here. A position is judged by [`Board::ending`] alone, moves are made by [`Board::play`] and taken
//! back, so bounds, claimants, irregular turns, terminals, races and their draws are what the rules say. From one root the
//! number of stones tells how many plies were played, so the stones alone are the key under which a value is remembered.

use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::rules::{Board, Ending, Played, Side};
use rustc_hash::FxHashMap;

/// What minimax says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardValue {
    /// How the game ends under optimal play.
    pub ending: Ending,
    /// Every move of the side to move that reaches this ending, ascending, if it is a win or a draw for that side. Empty if
    /// the side to move loses, or may not move.
    pub best_moves: Vec<usize>,
}

/// Evaluates a board by minimax on its rules.
///
/// # Errors
/// The reason to stop before the value was known.
pub fn evaluate_board(board: &Board, control: &Control) -> Result<BoardValue, StopReason> {
    let mut board = board.clone();
    let mut minimax = Minimax { memory: FxHashMap::default(), poller: control.poller(), nodes: 0 };
    let ending = minimax.value(&mut board)?;
    let mut best_moves = Vec::new();
    if ending.value(board.turn) >= 0 {
        for element in 0..board.elements() {
            let Ok(played) = board.play(element) else { continue };
            if minimax.value(&mut board)? == ending {
                best_moves.push(element);
            }
            board.undo(played);
        }
    }
    Ok(BoardValue { ending, best_moves })
}

/// A position on the way from the root whose moves are being tried.
struct Frame {
    /// The first element that was not tried.
    next: usize,
    best: Option<Ending>,
    /// The move that is on the board.
    played: Option<Played>,
}

struct Minimax<'a> {
    memory: FxHashMap<Box<[Option<Side>]>, Ending>,
    poller: Poller<'a>,
    nodes: u64,
}

impl Minimax<'_> {
    /// The value of a position; the board comes back as it was. The recursion is written with a stack of its own.
    fn value(&mut self, board: &mut Board) -> Result<Ending, StopReason> {
        let mut stack: Vec<Frame> = Vec::new();
        let mut value = self.known(board)?;
        loop {
            match (value, stack.last_mut()) {
                (None, _) => stack.push(Frame { next: 0, best: None, played: None }),
                (Some(value), None) => return Ok(value),
                (Some(value), Some(frame)) => {
                    board.undo(frame.played.take().unwrap_or_else(|| unreachable!("a move led here")));
                    let better = |best: Ending| value.value(board.turn) > best.value(board.turn);
                    if frame.best.is_none_or(better) {
                        frame.best = Some(value);
                    }
                }
            }
            let frame = stack.last_mut().unwrap_or_else(|| unreachable!("a position is being searched"));
            let won = frame.best == Some(Ending::Win(board.turn));
            match (frame.next..board.elements()).find(|&element| !won && board.is_free(element)) {
                Some(element) => {
                    frame.next = element + 1;
                    let played = board.play(element).unwrap_or_else(|_| unreachable!("an open game has moves"));
                    frame.played = Some(played);
                    value = self.known(board)?;
                }
                None => {
                    let best = frame.best.unwrap_or_else(|| unreachable!("an open game has moves"));
                    self.memory.insert(board.stones().into(), best);
                    stack.pop();
                    value = Some(best);
                }
            }
        }
    }

    /// What the rules or the memory say without a move.
    fn known(&mut self, board: &Board) -> Result<Option<Ending>, StopReason> {
        if let Some(&known) = self.memory.get(board.stones()) {
            return Ok(Some(known));
        }
        self.nodes += 1;
        self.poller.poll(self.nodes)?;
        Ok(board.ending())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::control::{Interrupt, Limits};
    use gamesat_core::rules::{Goal, Grid, Hex, Positional, Schedule};

    fn value(board: &Board) -> BoardValue {
        evaluate_board(board, &Control::default()).unwrap()
    }

    fn positional(size: usize, black: Vec<Vec<usize>>, race: Option<Vec<Vec<usize>>>) -> Board {
        let names = (0..size).map(|i| format!("v{i}")).collect();
        Board::new(Positional { names, goal: Goal::Sets(black), race })
    }

    #[test]
    fn hex_is_won_by_its_openings() {
        let board = Board::new(Hex(Grid { columns: 3, rows: 3 }));
        let found = value(&board);
        assert_eq!(found.ending, Ending::Win(Side::First));
        let names: Vec<String> = found.best_moves.iter().map(|&element| board.name(element)).collect();
        assert_eq!(names, ["c1", "a2", "b2", "c2", "a3"]);
    }

    #[test]
    fn tic_tac_toe_is_a_draw() {
        let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        let lines: Vec<Vec<usize>> = lines.iter().map(|line| line.to_vec()).collect();
        let mut board = positional(9, lines.clone(), Some(lines.clone()));
        assert_eq!(value(&board), BoardValue { ending: Ending::Draw, best_moves: (0..9).collect() });
        // To the corner only the centre is an answer.
        board.play(0).unwrap();
        assert_eq!(value(&board), BoardValue { ending: Ending::Draw, best_moves: vec![4] });
        board.play(1).unwrap();
        assert_eq!(value(&board).ending, Ending::Win(Side::First));
        // As a game of Maker and Breaker it is won.
        assert_eq!(value(&positional(9, lines, None)).ending, Ending::Win(Side::First));
    }

    #[test]
    fn whoever_claims_must_have_won_in_time() {
        let mut board = positional(2, vec![vec![0, 1]], None);
        for max in [Side::First, Side::Second] {
            board.max = max;
            for (claimant, winner) in [(Side::First, Side::Second), (Side::Second, Side::First)] {
                board.schedule = Some(Schedule { plies: vec![Side::First], claimant });
                assert_eq!(value(&board).ending, Ending::Win(winner));
            }
        }
    }

    #[test]
    fn limits_are_kept() {
        let control = Control::new(Limits { nodes: Some(5), ..Limits::default() }, Interrupt::new());
        let board = Board::new(Hex(Grid { columns: 9, rows: 9 }));
        assert_eq!(evaluate_board(&board, &control).unwrap_err(), StopReason::Nodes);
    }
}
