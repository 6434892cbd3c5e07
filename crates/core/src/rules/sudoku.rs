//! Sudoku: fill a square of boxes so that every row, column and box has every digit once. Boxes are 2x2, 3x3 or 4x4.

/// A grid, filled or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sudoku {
    /// Cells of the side of a box.
    order: usize,
    /// Row by row; 0 is a gap, digits count from 1.
    cells: Vec<u8>,
}

/// Digits, by their values less one: those beyond 9 are letters.
const DIGITS: &[u8; 16] = b"123456789ABCDEFG";

impl Sudoku {
    /// A grid from its cells row by row, 0 being a gap. `None` if they are not 16, 81 or 256, or one is too large.
    pub fn new(cells: Vec<u8>) -> Option<Self> {
        let order = (2..=4).find(|order: &usize| order.pow(4) == cells.len())?;
        cells.iter().all(|&cell| usize::from(cell) <= order * order).then_some(Sudoku { order, cells })
    }

    /// Cells of the side of a box.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Cells of the side of the grid, which is the number of digits.
    pub fn side(&self) -> usize {
        self.order * self.order
    }

    /// The cells row by row; 0 is a gap.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The digit that a character stands for, 0 for a gap; `None` for another character, or a digit too large for the side.
    pub fn digit(symbol: char, side: usize) -> Option<u8> {
        if matches!(symbol, '.' | '0') {
            return Some(0);
        }
        let value = DIGITS[..side].iter().position(|&digit| char::from(digit) == symbol.to_ascii_uppercase())?;
        Some(value as u8 + 1)
    }

    /// Rows, columns and boxes, each as its cells.
    pub fn units(&self) -> Vec<Vec<usize>> {
        let (order, side) = (self.order, self.side());
        let mut units = Vec::with_capacity(3 * side);
        for at in 0..side {
            units.push((0..side).map(|column| at * side + column).collect());
            units.push((0..side).map(|row| row * side + at).collect());
            let (top, left) = (at / order * order, at % order * order);
            units.push((0..side).map(|cell| (top + cell / order) * side + left + cell % order).collect());
        }
        units
    }

    /// Whether every unit has every digit once.
    pub fn is_solved(&self) -> bool {
        self.units().iter().all(|unit| {
            let mut seen = 0u32;
            unit.iter().for_each(|&cell| seen |= 1 << self.cells[cell]);
            seen == ((1u32 << self.side()) - 1) << 1
        })
    }

    /// The rows.
    pub fn draw(&self) -> String {
        let symbol = |&cell: &u8| match cell {
            0 => '.',
            digit => char::from(DIGITS[usize::from(digit) - 1]),
        };
        let rows = self.cells.chunks(self.side());
        rows.map(|row| row.iter().map(symbol).collect::<String>() + "\n").collect()
    }
}
