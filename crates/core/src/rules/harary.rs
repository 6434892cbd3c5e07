//! Harary's game: Maker wants a copy of a polyomino on a grid of squares, Breaker prevents it.

use super::squares::{self, Cells, placements};
use super::{Game, Goal, Grid, Misfit, Rules, Side, Symmetry};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) const GAME: Game = Game::new("harary", "COLUMNSxROWS ANIMAL [torus]", |header| {
    let grid = header.grid()?;
    let Some((animal, _)) = animal(&header.word()?) else {
        let known: Vec<&str> = animals().collect();
        return Err(Misfit::word("is an unknown animal", format!("one of {}", known.join(", "))));
    };
    Ok(Arc::new(Harary { grid, animal, torus: header.torus()? }))
});

/// Maker wants a copy of a polyomino.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Harary {
    /// The board.
    pub grid: Grid,
    /// The polyomino's name, one of [`animals`].
    pub animal: &'static str,
    /// Whether the board's edges are glued together.
    pub torus: bool,
}

impl Rules for Harary {
    fn word(&self) -> &'static str {
        GAME.word
    }

    fn elements(&self) -> usize {
        self.grid.cells()
    }

    fn goal(&self, side: Side) -> Option<Goal> {
        let cells = animal(self.animal).map_or(&[][..], |(_, cells)| cells);
        (side == Side::First).then(|| Goal::Sets(copies(self.grid, self.torus, cells)))
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
        Some(format!("{} {} {}{torus}", GAME.word, self.grid, self.animal))
    }

    fn lines(&self) -> Vec<(usize, Vec<usize>)> {
        self.grid.lines(0)
    }

    fn symbols(&self) -> [char; 2] {
        ['X', 'O']
    }
}

/// The copies of a polyomino: moved, turned and reflected.
fn copies(grid: Grid, torus: bool, cells: &[(isize, isize)]) -> Vec<Vec<usize>> {
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
