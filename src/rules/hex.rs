//! Hex: Black joins top and bottom, White joins left and right, and exactly one of them does when the board is full.

use super::{Game, Goal, Grid, Rules, Side, Symmetry};
use crate::graph::Graph;
use std::sync::Arc;

pub(super) const GAME: Game =
    Game { word: "hex", words: "COLUMNSxROWS", read: |header| Ok(Arc::new(Hex(header.grid()?))) };

/// Hex on a board of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex(pub Grid);

/// Steps to the six neighbours of a cell, as (column, row).
const NEIGHBOURS: [(isize, isize); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];

impl Rules for Hex {
    fn word(&self) -> &'static str {
        GAME.word
    }

    fn elements(&self) -> usize {
        self.0.cells()
    }

    /// A chain of cells from one edge of the board to the opposite one.
    fn goal(&self, side: Side) -> Option<Goal> {
        let grid = self.0;
        let cells = grid.cells();
        let mut graph = Graph::new(cells + 2);
        for cell in 0..cells {
            let (column, row) = grid.place(cell);
            for (dx, dy) in NEIGHBOURS {
                if let Some(other) = grid.cell(column as isize + dx, row as isize + dy)
                    && cell < other
                {
                    graph.add_edge(cell, other);
                }
            }
            let (at, last) = match side {
                Side::First => (row, grid.rows - 1),
                Side::Second => (column, grid.columns - 1),
            };
            if at == 0 {
                graph.add_edge(cell, cells);
            }
            if at == last {
                graph.add_edge(cell, cells + 1);
            }
        }
        Some(Goal::Vertices { graph, terminals: vec![cells, cells + 1] })
    }

    fn name(&self, element: usize) -> String {
        self.0.name(element)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.0.find(name)
    }

    /// Half a turn, and on a square board the reflection that exchanges rows and columns, and with them the sides.
    fn symmetries(&self) -> Vec<Symmetry> {
        let (grid, cells) = (self.0, self.0.cells());
        let mut found = vec![Symmetry::new(cells, false, |cell| cells - 1 - cell)];
        if grid.columns == grid.rows {
            found.push(Symmetry::new(cells, true, |cell| {
                let (column, row) = grid.place(cell);
                column * grid.columns + row
            }));
        }
        found
    }

    /// With more columns than rows, whoever joins the rows wins even moving second (Gardner 1959): on the first `r + 1`
    /// columns cell `(x, y)` goes with `(y + 1, x)` if `x <= y`, else with `(y, x - 1)`. Every path of the opponent across
    /// these columns contains a pair. With fewer columns the picture is mirrored at the diagonal.
    fn pairing(&self) -> Option<(Side, Vec<[usize; 2]>)> {
        let Grid { columns, rows } = self.0;
        if columns == rows {
            return None;
        }
        let cell = |x: usize, y: usize| if columns > rows { y * columns + x } else { x * columns + y };
        let pairs = (0..columns.min(rows)).flat_map(|y| (0..=y).map(move |x| [cell(x, y), cell(y + 1, x)])).collect();
        Some((if columns > rows { Side::First } else { Side::Second }, pairs))
    }

    fn misere_theorem(&self) -> Option<&'static str> {
        let square = self.0.columns == self.0.rows;
        square.then_some("misère Hex: on an empty square board whoever makes the last move loses")
    }

    fn header(&self) -> Option<String> {
        Some(format!("{} {}", GAME.word, self.0))
    }

    fn lines(&self) -> Vec<(usize, Vec<usize>)> {
        self.0.lines(1)
    }
}
