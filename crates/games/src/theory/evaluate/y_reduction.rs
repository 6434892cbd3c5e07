//! Y reduction as a probability (*Set Colouring Games* 4.6, 12.3).
//!
//! The winner of a full Y board does not change if the board is replaced by one with a side less, each cell the majority of
//! three that touch each other. With values between -1 and +1 for cells that are not decided, the majority of independent
//! cells is q = (p1 + p2 + p3 - p1 p2 p3) / 2, and going down to one cell gives a number that is exact on full boards. Its
//! derivative by a cell says how much the cell matters. Boards that are part of such a triangle say so themselves.

use gamesat_core::rules::{Board, Side, TriangleCell};

/// The value of a position and of its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct YReduction {
    /// Between -1 and 1: how good the position is for the side.
    pub value: f64,
    /// By element: how much the value rises with the cell.
    pub gradient: Vec<f64>,
}

/// Evaluates a board that is a triangle, or part of one, for a side; `None` for other boards.
pub fn y_reduction(board: &Board, side: Side) -> Option<YReduction> {
    let cells = board.rules().triangle(side)?;
    let value = |cell: &TriangleCell| {
        let owner = match *cell {
            TriangleCell::Element(element) => board.stone(element),
            TriangleCell::Of(owner) => Some(owner),
        };
        owner.map_or(0.0, |owner| if owner == side { 1.0 } else { -1.0 })
    };
    let (value, slopes) = reduced(cells.iter().map(value).collect());
    let mut gradient = vec![0.0; board.elements()];
    for (cell, slope) in cells.iter().zip(slopes) {
        if let TriangleCell::Element(element) = *cell {
            gradient[element] += slope;
        }
    }
    Some(YReduction { value, gradient })
}

/// The value of a triangle, cells row by row, and its derivative by each cell.
fn reduced(values: Vec<f64>) -> (f64, Vec<f64>) {
    let at = |column: usize, row: usize| row * (row + 1) / 2 + column;
    let size = (0..).take_while(|&row| at(0, row) < values.len()).count();
    let mut levels = vec![values];
    for side in (1..size).rev() {
        let above = &levels[levels.len() - 1];
        let cells = (0..side).flat_map(|row| (0..=row).map(move |column| (column, row)));
        let smaller = cells.map(|(column, row)| {
            let [a, b, c] = [at(column, row), at(column, row + 1), at(column + 1, row + 1)].map(|cell| above[cell]);
            (a + b + c - a * b * c) / 2.0
        });
        levels.push(smaller.collect());
    }
    let value = levels.last().and_then(|last| last.first()).copied().unwrap_or(0.0);
    let mut slopes = vec![1.0];
    for level in levels.iter().rev().skip(1) {
        let mut larger = vec![0.0; level.len()];
        let rows = (0..).take_while(|&row| at(0, row) < slopes.len());
        for (column, row) in rows.flat_map(|row| (0..=row).map(move |column| (column, row))) {
            let slope = slopes[at(column, row)];
            let cells = [at(column, row), at(column, row + 1), at(column + 1, row + 1)];
            for (one, others) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
                let product = level[cells[others[0]]] * level[cells[others[1]]];
                larger[cells[one]] += slope * (1.0 - product) / 2.0;
            }
        }
        slopes = larger;
    }
    (value, slopes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::rules::{Grid, Hex, Y};

    #[test]
    fn published_values() {
        let found = y_reduction(&Board::new(Y(3)), Side::First).unwrap();
        assert_eq!(found.value, 0.0);
        assert_eq!(found.gradient, [0.25, 0.5, 0.5, 0.25, 0.5, 0.25]);
        let mut board = Board::new(Y(4));
        board.place(4, Side::First).unwrap();
        assert_eq!(y_reduction(&board, Side::First).unwrap().value, 11.0 / 16.0);
        let hex = |cell: usize| {
            let mut board = Board::new(Hex(Grid { columns: 3, rows: 3 }));
            board.place(cell, Side::First).unwrap();
            y_reduction(&board, Side::First).unwrap().value
        };
        assert_eq!(hex(4), 25_870_165_735.0 / 34_359_738_368.0);
        assert_eq!(hex(0), 33.0 / 128.0);
        assert_eq!(hex(2), 14_861.0 / 32_768.0);
    }

    /// On full boards the value is the winner, for both sides of Hex.
    #[test]
    fn exact_on_full_boards() {
        for bits in 0u32..1 << 9 {
            let mut board = Board::new(Hex(Grid { columns: 3, rows: 3 }));
            for cell in 0..9 {
                board.place(cell, if bits >> cell & 1 != 0 { Side::First } else { Side::Second }).unwrap();
            }
            let winner = board.winner().unwrap();
            for side in [Side::First, Side::Second] {
                let expected = if winner == side { 1.0 } else { -1.0 };
                assert_eq!(y_reduction(&board, side).unwrap().value, expected, "{bits:b} {side:?}");
            }
        }
        for bits in 0u32..1 << 10 {
            let mut board = Board::new(Y(4));
            for cell in 0..10 {
                board.place(cell, if bits >> cell & 1 != 0 { Side::First } else { Side::Second }).unwrap();
            }
            let expected = if board.winner() == Some(Side::First) { 1.0 } else { -1.0 };
            assert_eq!(y_reduction(&board, Side::First).unwrap().value, expected, "{bits:b}");
        }
    }
}
