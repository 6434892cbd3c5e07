//! Sets of cells on a grid of squares, whose edges may be glued together: the placements of a polyomino, and the symmetries
//! of the grid that keep them.

use super::{Grid, Symmetry};
use std::collections::BTreeSet;

/// Squares of a polyomino as (column, row).
pub(super) type Cells = Vec<(isize, isize)>;

/// The cell at this place; a torus has no edges.
fn cell(grid: Grid, torus: bool, column: isize, row: isize) -> Option<usize> {
    if torus {
        grid.cell(column.rem_euclid(grid.columns as isize), row.rem_euclid(grid.rows as isize))
    } else {
        grid.cell(column, row)
    }
}

/// All placements of a shape on the grid, each set once.
pub(super) fn placements(grid: Grid, torus: bool, shapes: impl IntoIterator<Item = Cells>) -> Vec<Vec<usize>> {
    let mut sets = BTreeSet::new();
    for shape in shapes {
        for start in 0..grid.cells() {
            let (column, row) = grid.place(start);
            let placed: Option<BTreeSet<usize>> =
                shape.iter().map(|&(x, y)| cell(grid, torus, column as isize + x, row as isize + y)).collect();
            // On a small torus a shape may bite its own tail: then it is no placement.
            if let Some(placed) = placed.filter(|placed| placed.len() == shape.len()) {
                sets.insert(placed.into_iter().collect());
            }
        }
    }
    sets.into_iter().collect()
}

/// The symmetries of the grid: reflections, of a square also the one in the diagonal, of a torus a step in each direction.
pub(super) fn symmetries(grid: Grid, torus: bool) -> Vec<Symmetry> {
    let (columns, rows) = (grid.columns, grid.rows);
    let map = |to: &dyn Fn(usize, usize) -> (usize, usize)| {
        Symmetry::new(grid.cells(), false, |cell| {
            let (column, row) = grid.place(cell);
            let (column, row) = to(column, row);
            row * columns + column
        })
    };
    let mut found = vec![map(&|x, y| (columns - 1 - x, y)), map(&|x, y| (x, rows - 1 - y))];
    if columns == rows {
        found.push(map(&|x, y| (y, x)));
    }
    if torus {
        found.push(map(&|x, y| ((x + 1) % columns, y)));
        found.push(map(&|x, y| (x, (y + 1) % rows)));
    }
    found
}
