//! Bridg-it (Gale, Bird Cage): Shannon's edge game on a grid, whose dual is the same grid turned.
//!
//! Black's dots form n columns; Black's bridges join the top edge to the bottom edge. In lines from the top, the odd ones
//! hold n vertical bridges of Black, the even ones n-1 horizontal ones, 2n-1 lines in all. White's bridge crosses Black's
//! at every element, so a cell of a line is either Black's or White's.

use super::grid::cell_name;
use super::{Goal, Side};
use crate::graph::Graph;

/// Number of elements.
pub(super) fn elements(size: usize) -> usize {
    size * size + (size - 1) * (size - 1)
}

/// Position in its line, and the line, of an element.
pub(super) fn place(size: usize, element: usize) -> (usize, usize) {
    let (pair, rest) = (element / (2 * size - 1), element % (2 * size - 1));
    if rest < size { (rest, 2 * pair) } else { (rest - size, 2 * pair + 1) }
}

pub(super) fn find(size: usize, at: usize, line: usize) -> Option<usize> {
    let width = size - line % 2;
    (line < 2 * size - 1 && at < width).then(|| line / 2 * (2 * size - 1) + line % 2 * size + at)
}

pub(super) fn name(size: usize, element: usize) -> String {
    let (at, line) = place(size, element);
    cell_name(at, line)
}

/// A path of bridges between a side's two edges.
pub(super) fn goal(size: usize, side: Side) -> Goal {
    // Black's dots: the two edges, and n columns of n-1 dots between them. White's are the same after a quarter turn.
    let dot = |column: usize, row: usize| match row {
        0 => 0,
        row if row == size => 1,
        row => 2 + (row - 1) * size + column,
    };
    let mut graph = Graph::new(2 + size * (size - 1));
    for element in 0..elements(size) {
        let (at, line) = place(size, element);
        let row = line / 2;
        match (side, line % 2) {
            (Side::First, 0) => graph.add_edge(dot(at, row), dot(at, row + 1)),
            (Side::First, _) => graph.add_edge(dot(at, row + 1), dot(at + 1, row + 1)),
            // A vertical bridge of Black in column `at` is crossed by a bridge of White between its columns `at` and
            // `at + 1`, in White's line of dots `row`.
            (Side::Second, 0) => graph.add_edge(dot(row, at), dot(row, at + 1)),
            (Side::Second, _) => graph.add_edge(dot(row, at + 1), dot(row + 1, at + 1)),
        };
    }
    Goal::Edges { graph, terminals: [0, 1] }
}
