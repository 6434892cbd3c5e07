//! So many in a row: Maker wants a straight line of cells on a grid of squares, Breaker prevents it.

use super::squares::{self, placements};
use super::{Depths, Game, Goal, Grid, Instances, MAX_SIDE, Misfit, Rules, Side, Symmetry};
use std::sync::Arc;

pub(super) const GAME: Game = Game {
    instances: Some(Instances {
        about: "Maker begins and gets some cells in a row on an n by n board within some plies; true or false where that is \
                known; a circuit with two blocks per two plies",
        source: "after J. Beck: Combinatorial Games: Tic-Tac-Toe Theory. Cambridge, 2008",
        sizes: &[("n", "side of the board", 3, 30), ("length", "cells in a row", 3, 30)],
        board: |sizes| {
            let (n, length) = (sizes[0], sizes[1]);
            // A line of one cell is there at once; of the neighbours of a cell one is left after the answer; and three in a
            // row on the smallest board take one threat more than there are cells in the row.
            let enough = match (n, length) {
                (_, 1) => Some(1),
                (_, 2) => Some(3),
                (3, 3) => Some(7),
                _ => None,
            };
            let stones = (length <= n).then_some(length);
            let depths = Depths { stones, enough, exact: length <= 2 || n <= 3 };
            (Arc::new(Line { grid: Grid { columns: n, rows: n }, length, torus: false }), depths)
        },
    }),
    ..Game::new("line", "COLUMNSxROWS LENGTH [torus]", |header| {
        let grid = header.grid()?;
        let length = header.number(MAX_SIDE, "how many in a row")?;
        if length == 0 {
            return Err(Misfit::word("is no length", "how many in a row, at least 1"));
        }
        Ok(Arc::new(Line { grid, length, torus: header.torus()? }))
    })
};

/// Maker wants `length` cells in a row, straight or diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The board.
    pub grid: Grid,
    /// How many in a row.
    pub length: usize,
    /// Whether the board's edges are glued together.
    pub torus: bool,
}

/// The directions of a line of three or more in a row.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The lines of `length` cells in rows, columns and both diagonals.
fn lines(grid: Grid, torus: bool, length: usize) -> Vec<Vec<usize>> {
    let line = |(dx, dy)| (0..length as isize).map(|i| (i * dx, i * dy)).collect();
    placements(grid, torus, DIRECTIONS.map(line))
}

impl Rules for Line {
    fn word(&self) -> &'static str {
        GAME.word
    }

    fn elements(&self) -> usize {
        self.grid.cells()
    }

    fn goal(&self, side: Side) -> Option<Goal> {
        (side == Side::First).then(|| Goal::Sets(lines(self.grid, self.torus, self.length)))
    }

    fn grid(&self) -> Option<Grid> {
        Some(self.grid)
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["maker", "breaker"]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        squares::symmetries(self.grid, self.torus)
    }

    fn header(&self) -> Option<String> {
        let torus = if self.torus { " torus" } else { "" };
        Some(format!("{} {} {}{torus}", GAME.word, self.grid, self.length))
    }

    fn lines(&self) -> Vec<(usize, Vec<usize>)> {
        self.grid.lines(0)
    }

    fn symbols(&self) -> [char; 2] {
        ['X', 'O']
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_lines() {
        let grid = Grid { columns: 3, rows: 3 };
        assert_eq!(lines(grid, false, 3).len(), 8);
        assert_eq!(lines(Grid { columns: 4, rows: 4 }, false, 4).len(), 10);
        assert_eq!(lines(grid, true, 3).len(), 12);
    }
}
