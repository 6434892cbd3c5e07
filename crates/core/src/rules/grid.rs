//! Cells in columns and rows: their numbers and their names, column letter and row number, `a1` top left.

use std::fmt;

/// The longest side of a board: beyond it no formula would fit anywhere.
pub const MAX_SIDE: usize = 99;

/// A rectangle of cells, numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Number of columns.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
}

impl Grid {
    /// Number of cells.
    pub fn cells(self) -> usize {
        self.columns * self.rows
    }

    /// The cell in this column and row, if there is one.
    pub fn cell(self, column: isize, row: isize) -> Option<usize> {
        let inside = |at: isize, side: usize| usize::try_from(at).ok().filter(|&at| at < side);
        Some(inside(row, self.rows)? * self.columns + inside(column, self.columns)?)
    }

    /// The name of a cell.
    pub fn name(self, cell: usize) -> String {
        let (column, row) = self.place(cell);
        cell_name(column, row)
    }

    /// The cell of this name, if there is one.
    pub fn find(self, name: &str) -> Option<usize> {
        let (column, row) = parse_cell(name)?;
        self.cell(column as isize, row as isize)
    }

    /// Column and row of a cell.
    pub fn place(self, cell: usize) -> (usize, usize) {
        (cell % self.columns, cell / self.columns)
    }
}

impl Grid {
    /// The cells of each row, every row indented by `shift` half cells more than the one above.
    pub(super) fn lines(self, shift: usize) -> Vec<(usize, Vec<usize>)> {
        let row = |row: usize| (row * shift, (row * self.columns..(row + 1) * self.columns).collect());
        (0..self.rows).map(row).collect()
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

/// `a`, `b`, ..., `z`, `aa`, `ab`, ... and the row counted from 1.
pub fn cell_name(column: usize, row: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        letters.push(b'a' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    let mut name: String = letters.iter().rev().map(|&letter| char::from(letter)).collect();
    name.push_str(&(row + 1).to_string());
    name
}

/// The column and row that a name says, letters in either case.
pub fn parse_cell(name: &str) -> Option<(usize, usize)> {
    let digits = name.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, number) = name.split_at(digits);
    if letters.is_empty() || letters.len() > 4 || number.starts_with(['0', '+']) || number.len() > 5 {
        return None;
    }
    let column = letters.bytes().fold(0, |sum, letter| sum * 26 + usize::from(letter.to_ascii_lowercase() - b'a') + 1);
    Some((column - 1, number.parse::<usize>().ok()? - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for column in [0, 1, 25, 26, 27, 51, 52, 98] {
            for row in [0, 8, 9, 98] {
                assert_eq!(parse_cell(&cell_name(column, row)), Some((column, row)));
            }
        }
        assert_eq!(cell_name(0, 0), "a1");
        assert_eq!(cell_name(26, 9), "aa10");
        assert_eq!(parse_cell("C3"), Some((2, 2)));
        for bad in ["", "a", "3", "a0", "a-1", "a+1", "a1b", "é1", "a999999", "aaaaa1"] {
            assert_eq!(parse_cell(bad), None, "{bad}");
        }
    }
}
