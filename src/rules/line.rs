//! Maker-Breaker games on a grid of squares whose winning sets are straight lines or the copies of a polyomino.

use super::Grid;
use std::collections::BTreeSet;

/// The directions of a line of three or more in a row.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

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
fn placements(grid: Grid, torus: bool, shapes: impl IntoIterator<Item = Cells>) -> Vec<Vec<usize>> {
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

/// The lines of `length` cells in rows, columns and both diagonals.
pub(super) fn lines(grid: Grid, torus: bool, length: usize) -> Vec<Vec<usize>> {
    let line = |(dx, dy)| (0..length as isize).map(|i| (i * dx, i * dy)).collect();
    placements(grid, torus, DIRECTIONS.map(line))
}

/// The copies of a polyomino: moved, turned and reflected.
pub(super) fn copies(grid: Grid, torus: bool, cells: &[(isize, isize)]) -> Vec<Vec<usize>> {
    let mut shapes = BTreeSet::new();
    let mut shape: Cells = cells.to_vec();
    for turn in 0..8 {
        let (left, top) = shape.iter().fold((isize::MAX, isize::MAX), |(l, t), &(x, y)| (l.min(x), t.min(y)));
        let mut moved: Cells = shape.iter().map(|&(x, y)| (x - left, y - top)).collect();
        moved.sort_unstable();
        shapes.insert(moved);
        shape = shape.into_iter().map(|(x, y)| (-y, x)).collect();
        if turn == 3 {
            shape = shape.into_iter().map(|(x, y)| (-x, y)).collect();
        }
    }
    placements(grid, torus, shapes)
}

/// The polyominoes of up to five cells by name, with the names of Harary's game in brackets.
const ANIMALS: [(&str, &[(isize, isize)]); 22] = [
    ("monomino", &[(0, 0)]),                   // Elam
    ("domino", &[(0, 0), (1, 0)]),             // Domino
    ("I3", &[(0, 0), (1, 0), (2, 0)]),         // Tic
    ("V3", &[(0, 0), (1, 0), (0, 1)]),         // El
    ("I4", &[(0, 0), (1, 0), (2, 0), (3, 0)]), // Skinny
    ("L4", &[(0, 0), (1, 0), (2, 0), (0, 1)]), // Elly
    ("T4", &[(0, 0), (1, 0), (2, 0), (1, 1)]), // Knobby
    ("Z4", &[(0, 0), (1, 0), (1, 1), (2, 1)]), // Tippy
    ("O4", &[(0, 0), (1, 0), (0, 1), (1, 1)]), // Fatty
    ("I5", &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]),
    ("L5", &[(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)]),
    ("Y5", &[(0, 0), (1, 0), (2, 0), (3, 0), (1, 1)]),
    ("N5", &[(0, 0), (1, 0), (2, 0), (2, 1), (3, 1)]),
    ("P5", &[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)]),
    ("U5", &[(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)]),
    ("V5", &[(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)]),
    ("T5", &[(0, 0), (1, 0), (2, 0), (1, 1), (1, 2)]),
    ("Z5", &[(0, 0), (1, 0), (1, 1), (1, 2), (2, 2)]),
    ("W5", &[(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]),
    ("F5", &[(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)]),
    ("X5", &[(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]),
    ("snaky", &[(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (4, 1)]),
];

/// The squares of the animal of this name, in either case.
pub fn animal(name: &str) -> Option<(&'static str, &'static [(isize, isize)])> {
    ANIMALS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
}

/// The names of all animals that [`animal`] knows.
pub fn animals() -> impl Iterator<Item = &'static str> {
    ANIMALS.into_iter().map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_placements() {
        let grid = Grid { columns: 3, rows: 3 };
        assert_eq!(lines(grid, false, 3).len(), 8);
        assert_eq!(lines(Grid { columns: 4, rows: 4 }, false, 4).len(), 10);
        assert_eq!(lines(grid, true, 3).len(), 12);
        let count = |name, side| copies(Grid { columns: side, rows: side }, false, animal(name).unwrap().1).len();
        assert_eq!(count("domino", 2), 4);
        assert_eq!(count("V3", 2), 4);
        assert_eq!(count("O4", 3), 4);
        assert_eq!(count("Z4", 3), 8);
        assert_eq!(count("L4", 3), 16);
    }

    #[test]
    fn animals_are_connected_and_distinct() {
        let big = Grid { columns: 9, rows: 9 };
        let mut all = BTreeSet::new();
        for (name, cells) in ANIMALS {
            let mut reached = vec![cells[0]];
            let mut next = 0;
            while next < reached.len() {
                let (x, y) = reached[next];
                for near in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                    if cells.contains(&near) && !reached.contains(&near) {
                        reached.push(near);
                    }
                }
                next += 1;
            }
            assert_eq!(reached.len(), cells.len(), "{name}");
            assert!(all.insert(copies(big, false, cells)), "{name}");
        }
    }
}
