//! Connect-k: stones fall to the bottom of their column, and whoever has k in a row, a column or a diagonal first wins.
//!
//! [`Connect`] is a position as people write it; [`Stones`] is the same in words of bits for the search.
//!
//! The value is the public convention of Connect Four solvers: a win counts half the cells that are still empty when it is
//! there, rounded down, and one; a loss is the negative of that; a draw is 0.

use super::{Move, Visitor};
use crate::rules::Side;

pub use super::columns::Columns;
pub use super::stones::Stones;

/// Most cells of a board: values and lines of play of more would be too long for the search.
pub const MAX_CELLS: usize = 40_000;

/// A position of Connect-k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connect {
    columns: usize,
    rows: usize,
    length: usize,
    /// Each column from the bottom.
    stones: Vec<Vec<Side>>,
    /// How many there are in all.
    count: usize,
    /// Whether the first side has a line, and the second.
    lines: [bool; 2],
}

/// One step of a line, to the right and upwards: a column, a row, and both diagonals.
pub(super) const STEPS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Stones of one side that follow each other in one direction.
struct Run {
    from: (isize, isize),
    step: (isize, isize),
    stones: usize,
}

impl Run {
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let ((column, row), (right, up)) = (self.from, self.step);
        (0..self.stones as isize).map(move |step| ((column + right * step) as usize, (row + up * step) as usize))
    }

    /// Whether nothing as long is left without this stone.
    fn breaks(&self, column: usize, row: usize, length: usize) -> bool {
        let before = self.cells().position(|cell| cell == (column, row));
        before.is_some_and(|before| before < length && self.stones - before - 1 < length)
    }
}

/// Why stones are no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// Nobody can move so often before the other one has.
    #[error("there are {0} stones of X and {1} of O: the players do not take turns")]
    Counts(usize, usize),
    /// Both sides have a line.
    #[error("both X and O have a line")]
    TwoWinners,
    /// Who has a line would not be the last to have moved.
    #[error("{0} has a line, but the other side moved after that")]
    LateWinner(&'static str),
    /// No single stone was the last to complete the lines.
    #[error("no last stone completes all lines of {0}")]
    ManyLines(&'static str),
}

impl Connect {
    /// An empty board of at most [`MAX_CELLS`] cells, with at least one in a line. `None` for another one.
    pub fn new(columns: usize, rows: usize, length: usize) -> Option<Self> {
        let possible = 1..=MAX_CELLS;
        let cells = columns.checked_mul(rows)?;
        (possible.contains(&cells) && possible.contains(&length)).then(|| Connect {
            columns,
            rows,
            length,
            stones: vec![Vec::new(); columns],
            count: 0,
            lines: [false; 2],
        })
    }

    /// Puts a stone on top of a column; false if it is full. Whose it is does not matter until [`judge`](Self::judge).
    pub fn drop_stone(&mut self, column: usize, side: Side) -> bool {
        let row = self.stones[column].len();
        let fits = row < self.rows;
        if fits {
            self.stones[column].push(side);
            self.count += 1;
            self.lines[side as usize] |= self.completes(column, row, side);
        }
        fits
    }

    /// Whether a stone of a side in this cell is part of a line.
    fn completes(&self, column: usize, row: usize, side: Side) -> bool {
        let owned = |column: isize, row: isize| {
            column >= 0 && row >= 0 && self.stone(column as usize, row as usize) == Some(side)
        };
        let (column, row) = (column as isize, row as isize);
        STEPS.iter().any(|(right, up)| {
            let run = |sign: isize| {
                let at = |step: isize| owned(column + sign * right * step, row + sign * up * step);
                (1..self.length as isize).take_while(|&step| at(step)).count()
            };
            run(1) + run(-1) + 1 >= self.length
        })
    }

    /// Whether the stones are a position that play can lead to, as far as counting and looking at lines can tell.
    ///
    /// # Errors
    /// What is wrong.
    pub fn judge(&self) -> Result<(), ConnectError> {
        let count = |side| self.stones.iter().flatten().filter(|&&stone| stone == side).count();
        let (first, second) = (count(Side::First), count(Side::Second));
        if first != second && first != second + 1 {
            return Err(ConnectError::Counts(first, second));
        }
        let last = if first == second { Side::Second } else { Side::First };
        let name = |side| if side == Side::First { "X" } else { "O" };
        match (self.has_line(last), self.has_line(!last)) {
            (true, true) => Err(ConnectError::TwoWinners),
            (false, true) => Err(ConnectError::LateWinner(name(!last))),
            (false, false) => Ok(()),
            (true, false) => {
                let lines = self.runs(last);
                let is_last = |column: usize, row: usize| {
                    let on_top = row + 1 == self.stones[column].len();
                    on_top && lines.iter().all(|run| run.breaks(column, row, self.length))
                };
                // It belongs to every line, so to the first one; and no more than one line a direction leads through it.
                let found = lines.len() <= STEPS.len()
                    && lines.first().is_some_and(|run| run.cells().any(|(column, row)| is_last(column, row)));
                if found { Ok(()) } else { Err(ConnectError::ManyLines(name(last))) }
            }
        }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many in a line win.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Number of stones.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whose stone is in a cell, rows counted from the bottom.
    pub fn stone(&self, column: usize, row: usize) -> Option<Side> {
        self.stones.get(column)?.get(row).copied()
    }

    /// Whether a side has a line.
    pub fn has_line(&self, side: Side) -> bool {
        self.lines[side as usize]
    }

    /// All stones of a side in one direction, as far as they are a line: the longest runs, each once.
    fn runs(&self, side: Side) -> Vec<Run> {
        let owned = |column: isize, row: isize| {
            column >= 0 && row >= 0 && self.stone(column as usize, row as usize) == Some(side)
        };
        let mut runs = Vec::new();
        for step @ (right, up) in STEPS {
            for column in 0..self.columns as isize {
                for row in 0..self.stones[column as usize].len() as isize {
                    if owned(column, row) && !owned(column - right, row - up) {
                        let at = |step: isize| owned(column + right * step, row + up * step);
                        let stones = (1..).take_while(|&step| at(step)).count() + 1;
                        if stones >= self.length {
                            runs.push(Run { from: (column, row), step, stones });
                        }
                    }
                }
            }
        }
        runs
    }

    /// Who moves; `None` when the game is over.
    pub fn mover(&self) -> Option<Side> {
        let count = self.count();
        let side = if count.is_multiple_of(2) { Side::First } else { Side::Second };
        (count < self.columns * self.rows && !self.has_line(!side)).then_some(side)
    }

    /// Columns that are not full, if the game is not over.
    pub fn moves(&self) -> Vec<Move> {
        let open = |&column: &usize| self.stones[column].len() < self.rows;
        if self.mover().is_none() {
            return Vec::new();
        }
        (0..self.columns).filter(open).map(|column| column as Move).collect()
    }

    /// Lets the player to move drop a stone into a column that is not full.
    pub fn play(&mut self, column: Move) {
        if let Some(side) = self.mover() {
            self.drop_stone(column.into(), side);
        }
    }

    /// What the player who would move, were the game not over, has from its end.
    pub fn end(&self) -> i32 {
        let last = if self.count().is_multiple_of(2) { Side::Second } else { Side::First };
        if self.has_line(last) { -(((self.columns * self.rows - self.count()) / 2 + 1) as i32) } else { 0 }
    }

    /// The rows from the top.
    pub fn draw(&self) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            text.extend((0..self.columns).map(|column| match self.stone(column, row) {
                None => '.',
                Some(Side::First) => 'X',
                Some(Side::Second) => 'O',
            }));
            text.push('\n');
        }
        text
    }

    /// What a value means.
    pub fn in_words(&self, value: i64) -> String {
        let count = self.count();
        let mover = if count.is_multiple_of(2) { "X" } else { "O" };
        let other = if count.is_multiple_of(2) { "O" } else { "X" };
        if value == 0 {
            return format!("a draw, {mover} to move");
        }
        // Of the two numbers of stones that have this value one has the winner's parity.
        let cells = self.columns * self.rows;
        let winner_is_mover = value > 0;
        let most = cells.saturating_sub(2 * (value.unsigned_abs() as usize - 1));
        let parity = (count + usize::from(winner_is_mover)) % 2;
        let stones = if most % 2 == parity { most } else { most - 1 };
        let winner = if winner_is_mover { mover } else { other };
        match stones.saturating_sub(count) {
            0 => format!("{winner} has won"),
            1 => format!("{winner} wins with this stone, number {stones}"),
            plies => format!("{winner} wins in {plies} plies, with stone {stones}, {mover} to move"),
        }
    }

    /// The position in words of 64 or 128 bits, if they hold it, or column by column.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        let bits = (self.columns * (self.rows + 1)) as u32;
        if bits <= u64::BITS && (self.rows, self.length) == (6, 4) {
            visitor.visit(Stones::<u64, 7, 4>::of_size(self))
        } else if bits <= u64::BITS {
            visitor.visit(Stones::<u64>::new(self))
        } else if bits <= u128::BITS {
            visitor.visit(Stones::<u128>::new(self))
        } else {
            visitor.visit(Columns::new(self))
        }
    }
}
