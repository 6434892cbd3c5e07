//! Hex: Black joins top and bottom, White joins left and right, and exactly one of them does when the board is full.

use super::{Depths, Game, Goal, Grid, Instances, Rules, Side, Symmetry, TriangleCell};
use crate::graph::Graph;
use std::sync::Arc;

pub(super) const GAME: Game = Game {
    instances: Some(Instances {
        about: "who begins wins n by n Hex within some plies; true if to the end, false if the stones cannot reach across; a \
                circuit with two blocks per two plies",
        source: "after I. Shaik, V. Mayer-Eichberger, J. van de Pol, A. Saffidine: Implicit State and Goals in QBF \
                 Encodings for Positional Games. arXiv:2301.07345, 2023",
        sizes: &[("n", "side of the board", 3, 30)],
        board: |sizes| {
            let n = sizes[0];
            // Who begins wins the square board, since an extra stone never hurts and there are no draws (Nash's argument), so
            // a depth that fills it is enough. Smaller ones are known for small boards only.
            let enough = match n {
                1..=3 => 2 * n - 1,
                4 => 9,
                _ => n * n,
            };
            let depths = Depths { stones: Some(n), enough: Some(enough), exact: n <= 4 };
            (Arc::new(Hex(Grid { columns: n, rows: n })), depths)
        },
    }),
    protocol_board: Some(|size| Arc::new(Hex(size))),
    ..Game::new("hex", "COLUMNSxROWS", |header| Ok(Arc::new(Hex(header.grid()?))))
};

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

    fn grid(&self) -> Option<Grid> {
        Some(self.0)
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
        square.then_some("misère Hex: on an empty square board the side that makes the last move loses")
    }

    /// A square board of side n is part of a triangle of side 2n-1: the triangle above it is the own edge, the one beside it the
    /// enemy's, and the board is mirrored, with the own edges at the top and the bottom.
    fn triangle(&self, side: Side) -> Option<Vec<TriangleCell>> {
        let length = self.0.rows;
        if self.0.columns != length || length == 0 {
            return None;
        }
        let cell = |row: usize, column: usize| match row.checked_sub(length - 1) {
            None => TriangleCell::Of(side),
            Some(_) if column >= length => TriangleCell::Of(!side),
            Some(line) => {
                let along = length - 1 - column;
                let first = side == Side::First;
                TriangleCell::Element(if first { line * length + along } else { along * length + line })
            }
        };
        Some((0..2 * length - 1).flat_map(|row| (0..=row).map(move |column| cell(row, column))).collect())
    }

    fn protocol_size(&self) -> Option<Grid> {
        Some(self.0)
    }

    /// Black joins top and bottom, White left and right.
    fn rims(&self) -> Vec<(usize, Side, [usize; 2])> {
        let Grid { columns, rows } = self.0;
        let mut rims = Vec::with_capacity(2 * (rows + columns));
        for row in 0..rows {
            rims.push((row * columns, Side::Second, [1, 2]));
            rims.push((row * columns + columns - 1, Side::Second, [4, 5]));
        }
        for column in 0..columns {
            rims.push((column, Side::First, [3, 4]));
            rims.push(((rows - 1) * columns + column, Side::First, [0, 1]));
        }
        rims
    }

    fn header(&self) -> Option<String> {
        Some(format!("{} {}", GAME.word, self.0))
    }

    fn lines(&self) -> Vec<(usize, Vec<usize>)> {
        self.0.lines(1)
    }
}
