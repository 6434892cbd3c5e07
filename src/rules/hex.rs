//! Hex: Black joins top and bottom, White joins left and right, and exactly one of them does when the board is full.

use super::{Goal, Grid, Side};
use crate::graph::Graph;

/// Steps to the six neighbours of a cell, as (column, row).
const NEIGHBOURS: [(isize, isize); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];

/// A chain of cells from one edge of the board to the opposite one.
pub(super) fn goal(grid: Grid, side: Side) -> Goal {
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
    Goal::Vertices { graph, terminals: vec![cells, cells + 1] }
}
