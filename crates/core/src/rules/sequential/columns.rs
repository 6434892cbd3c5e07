//! Connect-k on boards that no word of bits holds, column by column, for the search.
//!
//! Slower than [`Stones`](super::stones::Stones) by as much as the board is larger, but for the same game: a move looks along
//! the four lines through its cell, and no further. Who can complete a line does; who cannot must stop an opponent who could;
//! two such threats are one too many.

use super::connect::{Connect, STEPS};
use super::word::mixed;
use super::{Key, Move, Rules};
use crate::rules::Side;
use std::sync::Arc;

/// What does not change.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    columns: usize,
    rows: usize,
    length: usize,
}

/// A position column by column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    shape: Arc<Shape>,
    /// The cells from the bottom of the first column on: 0 is empty, 1 and 2 are the sides'.
    cells: Vec<u8>,
    /// How many stones each column has.
    heights: Vec<usize>,
    count: usize,
    /// Whether the last stone completed a line.
    won: bool,
    /// Two words of the position, and of its mirror image: exclusive or of those of its stones.
    codes: [(u64, u64); 2],
}

impl Columns {
    /// The position.
    pub fn new(connect: &Connect) -> Self {
        let shape = Shape { columns: connect.columns(), rows: connect.rows(), length: connect.length() };
        let mut position = Columns {
            cells: vec![0; shape.columns * shape.rows],
            heights: vec![0; shape.columns],
            count: 0,
            won: false,
            codes: [(0, 0); 2],
            shape: Arc::new(shape),
        };
        for column in 0..connect.columns() {
            for side in (0..connect.rows()).map_while(|row| connect.stone(column, row)) {
                position.put(column, side);
            }
        }
        position.won = connect.has_line(!position.side());
        position
    }

    /// Who would move.
    fn side(&self) -> Side {
        if self.count.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn left(&self) -> i32 {
        (self.cells.len() - self.count) as i32
    }

    /// Puts a stone into the codes, or out of them.
    fn toggle(&mut self, column: usize, row: usize, side: Side) {
        let Shape { columns, rows, .. } = *self.shape;
        for (code, column) in self.codes.iter_mut().zip([column, columns - 1 - column]) {
            let number = 2 * (column * rows + row) as u64 + side as u64 + 1;
            let word = mixed(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            code.0 ^= word;
            code.1 ^= mixed(word ^ 0x5851_f42d_4c95_7f2d);
        }
    }

    fn put(&mut self, column: usize, side: Side) {
        let row = self.heights[column];
        self.cells[column * self.shape.rows + row] = side as u8 + 1;
        self.toggle(column, row, side);
        self.heights[column] += 1;
        self.count += 1;
    }

    /// Whether a stone of a side in this cell would be part of a line.
    fn completes(&self, column: usize, row: usize, side: Side) -> bool {
        let Shape { columns, rows, length } = *self.shape;
        let owned = |column: isize, row: isize| {
            (0..columns as isize).contains(&column)
                && (0..rows as isize).contains(&row)
                && self.cells[column as usize * rows + row as usize] == side as u8 + 1
        };
        STEPS.iter().any(|(right, up)| {
            let mut stones = 1;
            for sign in [1, -1] {
                let (mut column, mut row) = (column as isize + sign * right, row as isize + sign * up);
                while stones < length && owned(column, row) {
                    (column, row, stones) = (column + sign * right, row + sign * up, stones + 1);
                }
            }
            stones >= length
        })
    }

    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.shape.columns).filter(|&column| self.heights[column] < self.shape.rows)
    }
}

impl Rules for Columns {
    /// Whether the game was won before, which it was not.
    type Undo = ();
    /// The only column that stops the opponent, if he must be stopped.
    type Insight = Option<Move>;

    fn mover(&self) -> Option<Side> {
        (!self.won && self.count < self.cells.len()).then(|| self.side())
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        moves.extend(self.open().map(|column| column as Move));
    }

    fn make(&mut self, column: Move) -> (i32, ()) {
        let (column, side) = (usize::from(column), self.side());
        self.won = self.completes(column, self.heights[column], side);
        self.put(column, side);
        (0, ())
    }

    fn unmake(&mut self, column: Move, (): ()) {
        let column = usize::from(column);
        self.heights[column] -= 1;
        self.count -= 1;
        self.won = false;
        let row = self.heights[column];
        self.cells[column * self.shape.rows + row] = 0;
        self.toggle(column, row, self.side());
    }

    fn end(&self) -> i32 {
        let value = self.left() / 2 + 1;
        match (self.won, self.side()) {
            (false, _) => 0,
            (true, Side::First) => -value,
            (true, Side::Second) => value,
        }
    }

    fn plies(&self) -> usize {
        if self.won { 0 } else { self.left() as usize }
    }

    fn key(&self) -> Key {
        let (place, check) = self.codes[0];
        Key { place, check }
    }

    fn canonical(&self) -> (Key, u8) {
        let [own, image] = self.codes;
        let least = u8::from(image < own);
        let (place, check) = self.codes[usize::from(least)];
        (Key { place, check }, least)
    }

    fn image_move(&self, column: Move, image: u8) -> Move {
        if image == 0 { column } else { (self.shape.columns - 1) as Move - column }
    }

    fn own_move(&self, column: Move, image: u8) -> Move {
        self.image_move(column, image)
    }

    fn survey(&self, _alpha: i32, _beta: i32) -> (i32, i32, Option<Move>) {
        let (left, side) = (self.left(), self.side());
        if self.open().any(|column| self.completes(column, self.heights[column], side)) {
            let win = (left - 1) / 2 + 1;
            return (win, win, None);
        }
        let mut threats = self.open().filter(|&column| self.completes(column, self.heights[column], !side));
        let (forced, another) = (threats.next(), threats.next());
        if another.is_some() {
            return (-(left / 2), -(left / 2), None);
        }
        // The opponent's next line is completed by the stone after this one, or later; ours by the one after that.
        (-(left / 2), (left - 1) / 2, forced.map(|column| column as Move))
    }

    fn candidates(&self, forced: Option<Move>, moves: &mut Vec<Move>) {
        match forced {
            Some(column) => moves.push(column),
            None => self.moves(moves),
        }
    }

    /// The middle first.
    fn worth(&self, column: Move) -> i32 {
        -(2 * i32::from(column) + 1 - self.shape.columns as i32).abs().min(30_000)
    }

    fn slot(&self, column: Move) -> usize {
        usize::from(column) * self.shape.rows + self.heights[usize::from(column)]
    }

    fn slots(&self) -> usize {
        // Columns that are full have a slot as well.
        self.shape.columns * self.shape.rows + 1
    }
}
