//! Connect-k: stones fall to the bottom of their column, and whoever has k in a row, a column or a diagonal first wins.
//!
//! [`Connect`] is a position as people write it; [`Stones`] is the same in words of bits for the search. Columns stand side
//! by side in the word, each with one more bit than it has cells, which is never set, so that no line runs from one column
//! into the next but one. The tricks are known from John Tromp's and Pascal Pons' solvers of Connect Four:
//!
//! - cells that would complete a line are found for all cells at once, by shifting;
//! - who can complete a line does; who cannot must stop an opponent who could, and two such threats are one too many;
//! - nobody plays below a cell where the opponent would complete a line then.
//!
//! The value is the public convention of Connect Four solvers: a win counts half the cells that are still empty when it is
//! there, rounded down, and one; a loss is the negative of that; a draw is 0.

use super::word::{Wide, Word};
use super::{Key, Move, Rules, Visitor};
use crate::rules::Side;

/// Most columns and most rows of a board.
pub const MAX_SIDE: usize = 31;

/// A position of Connect-k.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connect {
    columns: usize,
    rows: usize,
    length: usize,
    /// Each column from the bottom.
    stones: Vec<Vec<Side>>,
}

/// Why stones are no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    /// An empty board of 1 to [`MAX_SIDE`] columns and rows, with at least one in a line. `None` for another one.
    pub fn new(columns: usize, rows: usize, length: usize) -> Option<Self> {
        let possible = 1..=MAX_SIDE;
        (possible.contains(&columns) && possible.contains(&rows) && possible.contains(&length)).then(|| Connect {
            columns,
            rows,
            length,
            stones: vec![Vec::new(); columns],
        })
    }

    /// Puts a stone on top of a column; false if it is full. Whose it is does not matter until [`judge`](Self::judge).
    pub fn drop_stone(&mut self, column: usize, side: Side) -> bool {
        let fits = self.stones[column].len() < self.rows;
        if fits {
            self.stones[column].push(side);
        }
        fits
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
                let completes = |column: usize| {
                    let mut before = self.clone();
                    before.stones[column].pop() == Some(last) && !before.has_line(last)
                };
                if (0..self.columns).any(completes) { Ok(()) } else { Err(ConnectError::ManyLines(name(last))) }
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
        self.stones.iter().map(Vec::len).sum()
    }

    /// Whose stone is in a cell, rows counted from the bottom.
    pub fn stone(&self, column: usize, row: usize) -> Option<Side> {
        self.stones.get(column)?.get(row).copied()
    }

    /// Whether a side has a line.
    pub fn has_line(&self, side: Side) -> bool {
        let steps: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let owned = |column: isize, row: isize| {
            column >= 0 && row >= 0 && self.stone(column as usize, row as usize) == Some(side)
        };
        (0..self.columns as isize).any(|column| {
            (0..self.rows as isize).any(|row| {
                steps.iter().any(|(right, up)| {
                    (0..self.length as isize).all(|step| owned(column + right * step, row + up * step))
                })
            })
        })
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
            self.stones[usize::from(column)].push(side);
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

    /// The position in words of 64, 128 or 1024 bits, the least that hold it.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        let bits = (self.columns * (self.rows + 1)) as u32;
        if bits <= u64::BITS {
            visitor.visit(Stones::<u64>::new(self))
        } else if bits <= u128::BITS {
            visitor.visit(Stones::<u128>::new(self))
        } else {
            visitor.visit(Stones::<Wide>::new(self))
        }
    }
}

/// The board, without stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape<W> {
    /// Every cell.
    board: W,
    /// The lowest cell of every column.
    bottom: W,
    /// Every cell of the first column, and the bit above it.
    column: W,
    columns: u32,
    /// Bits of a column: one more than its cells.
    height: u32,
    length: u32,
    cells: i32,
}

/// A position in words of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stones<W> {
    /// Stones of the player to move.
    mine: W,
    /// All stones.
    all: W,
    count: i32,
    /// Whether the last stone completed a line.
    won: bool,
    shape: Shape<W>,
}

impl<W: Word> Stones<W> {
    /// The position, which must fit into the word.
    pub fn new(connect: &Connect) -> Self {
        let height = connect.rows as u32 + 1;
        let columns = connect.columns as u32;
        assert!(columns * height <= W::BITS, "the board fits into the word");
        let cells = |rows: u32| (0..rows).fold(W::ZERO, |cells, row| cells | W::ONE << row);
        let each = |cells: W| (0..columns).fold(W::ZERO, |all, column| all | cells << (column * height));
        let shape = Shape {
            board: each(cells(height - 1)),
            bottom: each(W::ONE),
            column: cells(height),
            columns,
            height,
            length: connect.length as u32,
            cells: (connect.columns * connect.rows) as i32,
        };
        let count = connect.count();
        let mover = if count.is_multiple_of(2) { Side::First } else { Side::Second };
        let (mut mine, mut all) = (W::ZERO, W::ZERO);
        for (column, stones) in connect.stones.iter().enumerate() {
            for (row, &side) in stones.iter().enumerate() {
                let cell = W::ONE << (column as u32 * height + row as u32);
                all |= cell;
                if side == mover {
                    mine |= cell;
                }
            }
        }
        let mut stones = Stones { mine, all, count: count as i32, won: false, shape };
        stones.won = stones.has_line(mine ^ all);
        stones
    }

    /// The lowest empty cell of every column that has one.
    #[inline]
    fn open(&self) -> W {
        (self.all << 1 | self.shape.bottom) & !self.all & self.shape.board
    }

    #[inline]
    fn column(&self, column: Move) -> W {
        self.shape.column << (u32::from(column) * self.shape.height)
    }

    #[inline]
    fn has_line(&self, stones: W) -> bool {
        let Shape { height, length, .. } = self.shape;
        [1, height - 1, height, height + 1].into_iter().any(|step| {
            // Runs of twice the length each time.
            let (mut runs, mut run) = (stones, 1);
            while run < length {
                let more = run.min(length - run);
                runs &= shr(runs, more * step);
                run += more;
            }
            !runs.is_empty()
        })
    }

    /// Empty cells that would complete a line of these stones.
    #[inline]
    fn completing(&self, stones: W) -> W {
        let Shape { height, length, .. } = self.shape;
        let found = match length {
            4 => four(stones, height),
            _ => any_length(stones, height, length),
        };
        found & self.shape.board & !self.all
    }

    /// Which columns these cells are in.
    #[inline]
    fn columns_of(&self, cells: W, moves: &mut Vec<Move>) {
        moves.extend((0..self.shape.columns as Move).filter(|&column| !(cells & self.column(column)).is_empty()));
    }

    /// A word that says it all: under each column's lowest empty bit the mover's stones.
    #[inline]
    fn text(&self) -> W {
        self.mine | ((self.all << 1 | self.shape.bottom) & !self.all)
    }

    /// The word of the mirror image.
    fn mirrored(&self, word: W) -> W {
        let Shape { columns, height, column, .. } = self.shape;
        let mut image = W::ZERO;
        for i in 0..columns {
            image |= ((word >> (i * height)) & column) << ((columns - 1 - i) * height);
        }
        image
    }

    #[inline]
    fn key_of(word: W) -> Key {
        let (place, check) = word.digest();
        Key { place, check }
    }
}

/// Shifts of whole boards, by any amount.
#[inline]
fn shl<W: Word>(word: W, bits: u32) -> W {
    if bits < W::BITS { word << bits } else { W::ZERO }
}

#[inline]
fn shr<W: Word>(word: W, bits: u32) -> W {
    if bits < W::BITS { word >> bits } else { W::ZERO }
}

/// Cells next to three in a line, or in the gap of four: every direction, upwards and downwards.
#[inline]
fn four<W: Word>(stones: W, height: u32) -> W {
    let mut found = stones << 1 & stones << 2 & stones << 3;
    for step in [height - 1, height, height + 1] {
        let (up, down) = (shl(stones, step), shr(stones, step));
        let (up2, down2) = (up & shl(stones, 2 * step), down & shr(stones, 2 * step));
        found |= up2 & (down | shl(stones, 3 * step)) | down2 & (up | shr(stones, 3 * step));
    }
    found
}

/// The same for lines of any length.
fn any_length<W: Word>(stones: W, height: u32, length: u32) -> W {
    if length == 1 {
        return !W::ZERO;
    }
    let mut found = (1..length).fold(!W::ZERO, |cells, back| cells & shl(stones, back));
    for step in [height - 1, height, height + 1] {
        // The cell is number `place` of its line.
        for place in 0..length {
            let below = (1..=place).fold(!W::ZERO, |cells, back| cells & shl(stones, back * step));
            let above = (1..length - place).fold(!W::ZERO, |cells, on| cells & shr(stones, on * step));
            found |= below & above;
        }
    }
    found
}

impl<W: Word> Rules for Stones<W> {
    /// The mover's stones and all stones before the move.
    type Undo = (W, W);
    /// Moves after which the opponent cannot complete a line at once.
    type Insight = W;

    #[inline]
    fn mover(&self) -> Option<Side> {
        if self.won || self.count == self.shape.cells {
            None
        } else if self.count % 2 == 0 {
            Some(Side::First)
        } else {
            Some(Side::Second)
        }
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        self.columns_of(self.open(), moves);
    }

    #[inline]
    fn make(&mut self, column: Move) -> (i32, (W, W)) {
        let undo = (self.mine, self.all);
        let cell = self.open() & self.column(column);
        self.won = self.has_line(self.mine | cell);
        self.mine = self.mine ^ self.all;
        self.all |= cell;
        self.count += 1;
        (0, undo)
    }

    #[inline]
    fn unmake(&mut self, _column: Move, (mine, all): (W, W)) {
        (self.mine, self.all) = (mine, all);
        self.count -= 1;
        self.won = false;
    }

    fn end(&self) -> i32 {
        let value = (self.shape.cells - self.count) / 2 + 1;
        match (self.won, self.count % 2) {
            (false, _) => 0,
            (true, 0) => -value,
            (true, _) => value,
        }
    }

    #[inline]
    fn plies(&self) -> usize {
        if self.won { 0 } else { (self.shape.cells - self.count) as usize }
    }

    #[inline]
    fn key(&self) -> Key {
        Self::key_of(self.text())
    }

    #[inline]
    fn canonical(&self) -> (Key, u8) {
        let text = self.text();
        let image = self.mirrored(text);
        if image < text { (Self::key_of(image), 1) } else { (Self::key_of(text), 0) }
    }

    #[inline]
    fn image_move(&self, column: Move, image: u8) -> Move {
        if image == 0 { column } else { self.shape.columns as Move - 1 - column }
    }

    #[inline]
    fn own_move(&self, column: Move, image: u8) -> Move {
        self.image_move(column, image)
    }

    #[inline]
    fn survey(&self) -> (i32, i32, W) {
        let (open, left) = (self.open(), self.shape.cells - self.count);
        if !(self.completing(self.mine) & open).is_empty() {
            let win = (left - 1) / 2 + 1;
            return (win, win, W::ZERO);
        }
        let theirs = self.completing(self.mine ^ self.all);
        let forced = open & theirs;
        let safe = if forced.is_empty() { open } else { forced } & !(theirs >> 1);
        if forced.count() > 1 || safe.is_empty() {
            let loss = -(left / 2);
            return (loss, loss, W::ZERO);
        }
        // The next line is completed by the stone after the next two, or later.
        (-((left - 2) / 2), (left - 1) / 2, safe)
    }

    #[inline]
    fn candidates(&self, safe: W, moves: &mut Vec<Move>) {
        self.columns_of(safe, moves);
    }

    /// How many cells would complete a line then.
    #[inline]
    fn worth(&self, column: Move) -> i32 {
        let cell = self.open() & self.column(column);
        let centre = (2 * i32::from(column) + 1 - self.shape.columns as i32).abs();
        self.completing(self.mine | cell).count() as i32 * 64 - centre
    }

    #[inline]
    fn slot(&self, column: Move) -> usize {
        let height = (self.all & self.column(column)).count();
        (u32::from(column) * self.shape.height + height) as usize
    }

    fn slots(&self) -> usize {
        (self.shape.columns * self.shape.height) as usize
    }
}
