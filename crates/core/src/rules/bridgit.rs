//! Bridg-it (Gale, Bird Cage): Shannon's edge game on a grid, whose dual is the same grid turned.
//!
//! Black's dots form n columns; Black's bridges join the top edge to the bottom edge. In lines from the top, the odd ones
//! hold n vertical bridges of Black, the even ones n-1 horizontal ones, 2n-1 lines in all. White's bridge crosses Black's
//! at every element, so a cell of a line is either Black's or White's.

use super::{Game, Goal, Rules, Side, Symmetry, cell_name, parse_cell};
use crate::graph::Graph;
use std::sync::Arc;

pub(super) const GAME: Game = Game::new("bridgit", "SIZE", |header| Ok(Arc::new(Bridgit(header.side()?))));

/// Bridg-it of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bridgit(pub usize);

impl Bridgit {
    /// Position in its line, and the line, of an element.
    fn place(self, element: usize) -> (usize, usize) {
        let (pair, rest) = (element / (2 * self.0 - 1), element % (2 * self.0 - 1));
        if rest < self.0 { (rest, 2 * pair) } else { (rest - self.0, 2 * pair + 1) }
    }

    fn element(self, at: usize, line: usize) -> Option<usize> {
        let width = self.0 - line % 2;
        (line < 2 * self.0 - 1 && at < width).then(|| line / 2 * (2 * self.0 - 1) + line % 2 * self.0 + at)
    }

    /// The element whose bridges cross at this place, in half columns and lines.
    fn crossing(self, x: usize, line: usize) -> usize {
        self.element(x / 2, line).unwrap_or_else(|| unreachable!("a symmetry leads to an element"))
    }
}

impl Rules for Bridgit {
    fn word(&self) -> &'static str {
        GAME.word
    }

    fn elements(&self) -> usize {
        self.0 * self.0 + (self.0 - 1) * (self.0 - 1)
    }

    /// A path of bridges between a side's two edges.
    fn goal(&self, side: Side) -> Option<Goal> {
        let size = self.0;
        // Black's dots: the two edges, and n columns of n-1 dots between them. White's are the same after a quarter turn.
        let dot = |column: usize, row: usize| match row {
            0 => 0,
            row if row == size => 1,
            row => 2 + (row - 1) * size + column,
        };
        let mut graph = Graph::new(2 + size * (size - 1));
        for element in 0..self.elements() {
            let (at, line) = self.place(element);
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
        Some(Goal::Edges { graph, terminals: [0, 1] })
    }

    fn name(&self, element: usize) -> String {
        let (at, line) = self.place(element);
        cell_name(at, line)
    }

    fn find(&self, name: &str) -> Option<usize> {
        parse_cell(name).and_then(|(at, line)| self.element(at, line))
    }

    /// Two reflections, and the one in the diagonal, which exchanges the sides.
    fn symmetries(&self) -> Vec<Symmetry> {
        let last = 2 * self.0 - 2;
        let at = |element: usize| {
            let (at, line) = self.place(element);
            (2 * at + line % 2, line)
        };
        vec![
            Symmetry::new(self.elements(), false, |element| {
                let (x, line) = at(element);
                self.crossing(last - x, line)
            }),
            Symmetry::new(self.elements(), false, |element| {
                let (x, line) = at(element);
                self.crossing(x, last - line)
            }),
            Symmetry::new(self.elements(), true, |element| {
                let (x, line) = at(element);
                self.crossing(line, x)
            }),
        ]
    }

    fn header(&self) -> Option<String> {
        Some(format!("{} {}", GAME.word, self.0))
    }

    fn lines(&self) -> Vec<(usize, Vec<usize>)> {
        let line = |line: usize| (0..self.0 - line % 2).filter_map(|at| self.element(at, line)).collect();
        (0..2 * self.0 - 1).map(|number| (number % 2, line(number))).collect()
    }
}
