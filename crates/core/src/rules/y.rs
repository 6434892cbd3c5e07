//! The game of Y on a triangle of side n: row `r` has `r` cells, and the winner's chain touches all three sides.

use super::{Game, Goal, Rules, Side, Symmetry, TriangleCell, cell_name, parse_cell};
use crate::graph::Graph;
use std::sync::Arc;

pub(super) const GAME: Game = Game::new("y", "SIDE", |header| Ok(Arc::new(Y(header.side()?))));

/// Y on a triangle with this side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Y(pub usize);

/// Number of cells in the first rows of the triangle.
fn cells(rows: usize) -> usize {
    rows * (rows + 1) / 2
}

/// Column and row of a cell, cells being numbered row by row from the top.
fn place(cell: usize) -> (usize, usize) {
    let mut row = 0;
    while cells(row + 1) <= cell {
        row += 1;
    }
    (cell - cells(row), row)
}

impl Y {
    fn cell(self, column: usize, row: usize) -> Option<usize> {
        (row < self.0 && column <= row).then(|| cells(row) + column)
    }
}

impl Rules for Y {
    fn word(&self) -> &'static str {
        GAME.word
    }

    fn elements(&self) -> usize {
        cells(self.0)
    }

    /// A chain that touches the left, the right and the bottom side; both players want the same.
    fn goal(&self, _: Side) -> Option<Goal> {
        let size = self.elements();
        let mut graph = Graph::new(size + 3);
        for cell in 0..size {
            let (column, row) = place(cell);
            for (x, y) in [(column + 1, row), (column, row + 1), (column + 1, row + 1)] {
                if let Some(other) = self.cell(x, y) {
                    graph.add_edge(cell, other);
                }
            }
            for (which, touches) in [column == 0, column == row, row + 1 == self.0].into_iter().enumerate() {
                if touches {
                    graph.add_edge(cell, size + which);
                }
            }
        }
        Some(Goal::Vertices { graph, terminals: vec![size, size + 1, size + 2] })
    }

    fn name(&self, element: usize) -> String {
        let (column, row) = place(element);
        cell_name(column, row)
    }

    fn find(&self, name: &str) -> Option<usize> {
        parse_cell(name).and_then(|(column, row)| self.cell(column, row))
    }

    /// A third of a turn, a reflection, and the sides' places, since both want the same.
    fn symmetries(&self) -> Vec<Symmetry> {
        let size = self.elements();
        // A cell by its distances from the left and from the right side; the third is that from the bottom.
        let from = |left: usize, right: usize| cells(left + right) + left;
        vec![
            Symmetry::new(size, false, |cell| {
                let (column, row) = place(cell);
                from(row - column, self.0 - 1 - row)
            }),
            Symmetry::new(size, false, |cell| {
                let (column, row) = place(cell);
                from(row - column, column)
            }),
            Symmetry::new(size, true, |cell| cell),
        ]
    }

    fn triangle(&self, _: Side) -> Option<Vec<TriangleCell>> {
        Some((0..self.elements()).map(TriangleCell::Element).collect())
    }

    fn header(&self) -> Option<String> {
        Some(format!("{} {}", GAME.word, self.0))
    }

    fn lines(&self) -> Vec<(usize, Vec<usize>)> {
        (0..self.0).map(|row| (self.0 - 1 - row, (cells(row)..cells(row + 1)).collect())).collect()
    }

    fn has_columns(&self) -> bool {
        false
    }
}
