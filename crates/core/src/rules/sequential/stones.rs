//! Connect-k in words of bits, for the search.
//!
//! Columns stand side by side in the word, each with one more bit than it has cells, which is never set, so that no line runs
//! from one column into the next but one. Much of it is known from John Tromp's and Pascal Pons' solvers of Connect Four:
//!
//! - cells that would complete a line, *threats*, are found for all cells at once, by shifting; a position keeps those of both
//!   sides, so that a move looks for new ones of its player only;
//! - who can complete a line does; who cannot must stop an opponent who could, and two such threats are one too many;
//! - nobody plays below a cell where the opponent would complete a line then.
//!
//! And a bound by pairs of cells. If an even number of cells is empty, the opponent of the mover can always answer: in a column
//! with an even number of empty cells he plays on top of the mover's stone; the lowest empty cells of the columns with an odd
//! number, of which there are evenly many, are answered by each other, and then all columns are even. So the mover gets no
//! other cells than every second one from below the top, and lowest ones; if these and his stones contain no line, he does not
//! win. If the rest and the opponent's stones contain one, he loses. If an odd number is empty, the mover takes the lowest cell
//! of an odd column and is the one who answers. (After V. Allis' *claimeven*, *A knowledge-based approach of Connect-Four*,
//! 1988.)

use super::connect::Connect;
use super::word::Word;
use super::{Key, Move, Place, Rules};
use crate::rules::Side;

/// A position with no more empty cells is near the end of its game.
const NEAR: i32 = 18;

/// The board, without stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape<W> {
    /// Every cell.
    board: W,
    /// The lowest cell of every column.
    bottom: W,
    /// Every second cell from the top of its column on.
    answers: W,
    /// Every cell of the first column, and the bit above it.
    column: W,
    columns: u32,
    /// Bits of a column: one more than its cells.
    height: u32,
    length: u32,
    cells: i32,
}

/// A position in words of bits. A height of columns, of one more than their cells, and a length of lines that are known when
/// this is compiled make it faster; 0 stands for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stones<W, const HEIGHT: u32 = 0, const LENGTH: u32 = 0> {
    now: Now<W>,
    shape: Shape<W>,
}

/// What changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now<W> {
    /// Stones of the player to move.
    mine: W,
    /// All stones.
    all: W,
    /// Empty cells that would complete a line of the player to move, and of the other one.
    threats: [W; 2],
    count: i32,
    /// Whether the last stone completed a line.
    won: bool,
    /// Whether some cell and its mirror image belong to different sides: then no position behind this one is the image of
    /// another.
    lopsided: bool,
}

impl<W: Word> Stones<W> {
    /// The position, which must fit into the word.
    pub fn new(connect: &Connect) -> Self {
        Self::of_size(connect)
    }
}

impl<W: Word, const HEIGHT: u32, const LENGTH: u32> Stones<W, HEIGHT, LENGTH> {
    /// The position, which must fit into the word and have the height and the length that are known.
    pub fn of_size(connect: &Connect) -> Self {
        let height = connect.rows() as u32 + 1;
        let (columns, length) = (connect.columns() as u32, connect.length() as u32);
        assert!(columns * height <= W::BITS, "the board fits into the word");
        assert!(HEIGHT == 0 || HEIGHT == height && LENGTH == length, "the board is as high as it should be");
        let cells = |rows: &mut dyn Iterator<Item = u32>| rows.fold(W::ZERO, |cells, row| cells | W::ONE << row);
        let each = |cells: W| (0..columns).fold(W::ZERO, |all, column| all | cells << (column * height));
        let shape = Shape {
            board: each(cells(&mut (0..height - 1))),
            bottom: each(W::ONE),
            answers: each(cells(&mut (0..height - 1).rev().step_by(2))),
            column: cells(&mut (0..height)),
            columns,
            height,
            length,
            cells: (connect.columns() * connect.rows()) as i32,
        };
        let count = connect.count();
        let mover = if count.is_multiple_of(2) { Side::First } else { Side::Second };
        let (mut mine, mut all) = (W::ZERO, W::ZERO);
        for column in 0..connect.columns() {
            for (row, side) in (0..connect.rows()).map_while(|row| Some((row, connect.stone(column, row)?))) {
                let cell = W::ONE << (column as u32 * height + row as u32);
                all |= cell;
                if side == mover {
                    mine |= cell;
                }
            }
        }
        let threats = [W::ZERO; 2];
        let now = Now { mine, all, threats, count: count as i32, won: false, lopsided: false };
        let mut stones = Stones { now, shape };
        let theirs = mine ^ all;
        stones.now.threats = [stones.completing(mine, all), stones.completing(theirs, all)];
        stones.now.won = stones.has_line(theirs);
        stones.now.lopsided = !(stones.mirrored(mine) & theirs).is_empty();
        stones
    }

    #[inline]
    fn height(&self) -> u32 {
        if HEIGHT == 0 { self.shape.height } else { HEIGHT }
    }

    #[inline]
    fn length(&self) -> u32 {
        if LENGTH == 0 { self.shape.length } else { LENGTH }
    }

    /// Number of empty cells.
    #[inline]
    fn left(&self) -> i32 {
        self.shape.cells - self.now.count
    }

    /// The lowest empty cell of every column that has one.
    #[inline]
    fn open(&self) -> W {
        (self.now.all << 1 | self.shape.bottom) & !self.now.all & self.shape.board
    }

    #[inline]
    fn column(&self, column: Move) -> W {
        self.shape.column << (u32::from(column) * self.height())
    }

    /// Whether these cells contain a line.
    #[inline]
    fn has_line(&self, cells: W) -> bool {
        let (height, length) = (self.height(), self.length());
        let runs = [1, height - 1, height, height + 1].map(|step| {
            // Runs of twice the length each time.
            let (mut runs, mut run) = (cells, 1);
            while run < length {
                let more = run.min(length - run);
                runs &= shr(runs, more * step);
                run += more;
            }
            runs
        });
        !(runs[0] | runs[1] | runs[2] | runs[3]).is_empty()
    }

    /// Cells that are not among `all` and would complete a line of these stones.
    #[inline]
    fn completing(&self, stones: W, all: W) -> W {
        let found = match self.length() {
            4 => four(stones, self.height()),
            length => any_length(stones, self.height(), length),
        };
        found & self.shape.board & !all
    }

    /// Which columns these cells are in.
    #[inline]
    fn columns_of(&self, cells: W, moves: &mut Vec<Move>) {
        moves.extend((0..self.shape.columns as Move).filter(|&column| !(cells & self.column(column)).is_empty()));
    }

    /// A word that says it all: under each column's lowest empty bit the mover's stones.
    #[inline]
    fn text(&self) -> W {
        self.now.mine | ((self.now.all << 1 | self.shape.bottom) & !self.now.all)
    }

    /// The word of the mirror image.
    fn mirrored(&self, word: W) -> W {
        let (columns, height) = (self.shape.columns, self.height());
        (0..columns).fold(W::ZERO, |image, i| {
            image | ((word >> (i * height)) & self.shape.column) << ((columns - 1 - i) * height)
        })
    }

    /// The mirror image of a cell of a column.
    #[inline]
    fn image(&self, cell: W, column: Move) -> W {
        let (columns, height, twice) = (self.shape.columns, self.height(), 2 * u32::from(column) + 1);
        if twice < columns { cell << ((columns - twice) * height) } else { cell >> ((twice - columns) * height) }
    }

    #[inline]
    fn key_of(word: W) -> Key {
        let (place, check) = word.digest();
        Key { place, check }
    }

    /// Bounds by pairs of cells, as far as they are of use to a window. The lowest empty cells are known.
    #[inline]
    fn paired(&self, open: W, alpha: i32, beta: i32) -> (i32, i32) {
        let Now { mine, all, .. } = self.now;
        let (empty, theirs) = (self.shape.board & !all, mine ^ all);
        let loose = empty & !self.shape.answers | open;
        let even = self.left() % 2 == 0;
        if even && alpha >= -1 && !self.has_line(mine | loose) {
            let lost = alpha < 0 && self.has_line(theirs | (empty & !loose));
            return (i32::MIN, if lost { -1 } else { 0 });
        }
        if !even && beta <= 1 && !self.has_line(theirs | loose) {
            // The lowest cells of odd columns are his or not, but for the one that he takes now.
            let won = beta > 0 && self.has_line(mine | (empty & !loose));
            return (if won { 1 } else { 0 }, i32::MAX);
        }
        (i32::MIN, i32::MAX)
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

impl<W: Word, const HEIGHT: u32, const LENGTH: u32> Rules for Stones<W, HEIGHT, LENGTH> {
    /// All that changes, as it was before the move.
    type Undo = Now<W>;
    /// Moves after which the opponent cannot complete a line at once.
    type Insight = W;

    #[inline]
    fn mover(&self) -> Option<Side> {
        if self.now.won || self.now.count == self.shape.cells {
            None
        } else if self.now.count % 2 == 0 {
            Some(Side::First)
        } else {
            Some(Side::Second)
        }
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        self.columns_of(self.open(), moves);
    }

    #[inline]
    fn make(&mut self, column: Move) -> (i32, Now<W>) {
        let undo = self.now;
        let Now { mine, all, threats: [own, other], count, lopsided, .. } = undo;
        let cell = self.open() & self.column(column);
        let after = all | cell;
        self.now = Now {
            mine: mine ^ all,
            all: after,
            threats: [other & !cell, self.completing(mine | cell, after)],
            count: count + 1,
            won: !(own & cell).is_empty(),
            lopsided: lopsided || !(self.image(cell, column) & (mine ^ all)).is_empty(),
        };
        (0, undo)
    }

    #[inline]
    fn unmake(&mut self, _column: Move, undo: Now<W>) {
        self.now = undo;
    }

    fn end(&self) -> i32 {
        let value = self.left() / 2 + 1;
        match (self.now.won, self.now.count % 2) {
            (false, _) => 0,
            (true, 0) => -value,
            (true, _) => value,
        }
    }

    #[inline]
    fn plies(&self) -> usize {
        if self.now.won { 0 } else { self.left() as usize }
    }

    #[inline]
    fn key(&self) -> Key {
        Self::key_of(self.text())
    }

    #[inline]
    fn is_near(&self) -> bool {
        self.left() <= NEAR
    }

    #[inline]
    fn canonical(&self) -> (Key, u8) {
        let text = self.text();
        if self.now.lopsided {
            return (Self::key_of(text), 0);
        }
        let image = self.mirrored(text);
        if image < text { (Self::key_of(image), 1) } else { (Self::key_of(text), 0) }
    }

    #[inline]
    fn place_behind(&self, column: Move, canonical: bool) -> Option<Place> {
        let Now { mine, all, .. } = self.now;
        let cell = self.open() & self.column(column);
        let lopsided = self.now.lopsided || !(self.image(cell, column) & (mine ^ all)).is_empty();
        // Who completes a line ends the game.
        if !(cell & self.now.threats[0]).is_empty() {
            return None;
        }
        let after = all | cell;
        let text = mine ^ all | ((after << 1 | self.shape.bottom) & !after);
        let key = Self::key_of(if canonical && !lopsided { text.min(self.mirrored(text)) } else { text });
        Some(Place { key, near: self.left() - 1 <= NEAR })
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
    fn survey(&self, alpha: i32, beta: i32) -> (i32, i32, W) {
        let (open, left) = (self.open(), self.left());
        let [own, other] = self.now.threats;
        if !(own & open).is_empty() {
            let win = (left - 1) / 2 + 1;
            return (win, win, W::ZERO);
        }
        let forced = open & other;
        let safe = if forced.is_empty() { open } else { forced } & !(other >> 1);
        if forced.count() > 1 || safe.is_empty() {
            let loss = -(left / 2);
            return (loss, loss, W::ZERO);
        }
        // The next line is completed by the stone after the next two, or later.
        let (low, high) = (-((left - 2) / 2), (left - 1) / 2);
        if low >= beta || high <= alpha {
            return (low, high, safe);
        }
        let (least, most) = self.paired(open, alpha, beta);
        (low.max(least), high.min(most), safe)
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
        self.completing(self.now.mine | cell, self.now.all).count() as i32 * 64 - centre
    }

    #[inline]
    fn slot(&self, column: Move) -> usize {
        let height = (self.now.all & self.column(column)).count();
        (u32::from(column) * self.shape.height + height) as usize
    }

    fn slots(&self) -> usize {
        (self.shape.columns * self.shape.height) as usize
    }
}
