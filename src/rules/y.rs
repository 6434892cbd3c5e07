//! The game of Y on a triangle of side n: row `r` has `r` cells, and the winner's chain touches all three sides.

use super::Goal;
use super::grid::cell_name;
use crate::graph::Graph;

/// Number of cells in the triangle.
pub(super) fn cells(side: usize) -> usize {
    side * (side + 1) / 2
}

/// Column and row of a cell, cells being numbered row by row from the top.
pub(super) fn place(cell: usize) -> (usize, usize) {
    let mut row = 0;
    while cells(row + 1) <= cell {
        row += 1;
    }
    (cell - cells(row), row)
}

pub(super) fn name(cell: usize) -> String {
    let (column, row) = place(cell);
    cell_name(column, row)
}

pub(super) fn find(side: usize, column: usize, row: usize) -> Option<usize> {
    (row < side && column <= row).then(|| cells(row) + column)
}

/// A chain that touches the left, the right and the bottom side; both players want the same.
pub(super) fn goal(side: usize) -> Goal {
    let size = cells(side);
    let mut graph = Graph::new(size + 3);
    for cell in 0..size {
        let (column, row) = place(cell);
        for (x, y) in [(column + 1, row), (column, row + 1), (column + 1, row + 1)] {
            if let Some(other) = find(side, x, y) {
                graph.add_edge(cell, other);
            }
        }
        for (which, touches) in [column == 0, column == row, row + 1 == side].into_iter().enumerate() {
            if touches {
                graph.add_edge(cell, size + which);
            }
        }
    }
    Goal::Vertices { graph, terminals: vec![size, size + 1, size + 2] }
}
