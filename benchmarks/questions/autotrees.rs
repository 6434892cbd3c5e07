//! Least autotrees of small Hex: is there one after an opening with at most so many moves and choices?
//!
//! After the opening a tree is a forest of choices. A choice is hit by a row of the loser if all its plans are, a plan if its move
//! is in the row or one of its choices is hit; plans of a choice have no cell in common, choices beside each other neither. A
//! choice has at least two plans, and with two that are apart a third one is idle; so choices have 3, 6, 9, 12 or, with three
//! plans of four, 13 moves and choices in all, and so on. For forests of up to 14:
//! - all choices of 3, 6 and 9 are made, as the cells and the rows that they hit;
//! - some choice hits the first row that is left: all of them are tried, and the rest of the forest has what is left;
//! - a choice of 12 to 14 leaves no room for another, so each of its plans hits every row, and one of them has 6 at most.

type Cells = u32;
type Rows = u64;

/// A choice or a plan: its cells, and the rows that it hits for certain.
type Part = (Cells, Rows);

struct Board {
    cells: usize,
    /// By cell, the loser's rows through it.
    through: Vec<Rows>,
    rows: Rows,
}

impl Board {
    /// White's minimal paths on a board of Hex, without those that Black's opening meets.
    fn new(side: usize, opening: usize) -> Self {
        let near = |a: usize, b: usize| {
            let (x, y) = ((a % side) as i32 - (b % side) as i32, (a / side) as i32 - (b / side) as i32);
            matches!((x, y), (1, 0) | (-1, 0) | (0, 1) | (0, -1) | (1, -1) | (-1, 1))
        };
        let cells = side * side;
        let joins = |set: Cells| {
            let mut reached: Cells = (0..side).fold(0, |mask, y| mask | 1 << (y * side)) & set;
            loop {
                let next = (0..cells).filter(|&a| set >> a & 1 != 0).fold(reached, |next, a| {
                    let touched = (0..cells).any(|b| reached >> b & 1 != 0 && near(a, b));
                    if touched { next | 1 << a } else { next }
                });
                if next == reached {
                    return (0..side).any(|y| reached >> (y * side + side - 1) & 1 != 0);
                }
                reached = next;
            }
        };
        let minimal = |&set: &Cells| {
            set >> opening & 1 == 0 && joins(set) && (0..cells).all(|a| set >> a & 1 == 0 || !joins(set & !(1 << a)))
        };
        let paths: Vec<Cells> = (0..1 << cells).filter(minimal).collect();
        assert!(paths.len() <= 64, "64 rows at most");
        let through = (0..cells)
            .map(|a| {
                paths
                    .iter()
                    .enumerate()
                    .filter(|(_, path)| **path >> a & 1 != 0)
                    .fold(0, |rows, (at, _)| rows | 1 << at)
            })
            .collect();
        Board { cells, through, rows: if paths.len() == 64 { Rows::MAX } else { (1 << paths.len()) - 1 } }
    }

    /// All plans of a move and a forest, one of each that is of use.
    fn plans(&self, forests: &[Part]) -> Vec<Part> {
        let mut all = Vec::new();
        for cell in (0..self.cells).filter(|&cell| self.through[cell] != 0) {
            let fits = forests.iter().filter(|(cells, _)| cells >> cell & 1 == 0);
            all.extend(fits.map(|&(cells, hits)| (cells | 1 << cell, hits | self.through[cell])));
        }
        best(all)
    }

    /// All choices between two plans of two lists.
    fn choices(&self, one: &[Part], other: &[Part]) -> Vec<Part> {
        let mut all = Vec::new();
        for &(a, hits_a) in one {
            all.extend(
                other
                    .iter()
                    .filter(|(b, hits_b)| a & b == 0 && hits_a & hits_b != 0)
                    .map(|&(b, hits_b)| (a | b, hits_a & hits_b)),
            );
        }
        best(all)
    }
}

/// Of parts with the same cells those whose rows no other one hits as well.
fn best(mut all: Vec<Part>) -> Vec<Part> {
    all.sort_unstable_by_key(|&(cells, hits)| (cells, std::cmp::Reverse(hits.count_ones())));
    let mut kept: Vec<Part> = Vec::new();
    let mut start = 0;
    for (cells, hits) in all {
        if kept.get(start).is_none_or(|first| first.0 != cells) {
            start = kept.len();
        }
        if !kept[start..].iter().any(|(_, other)| hits & !other == 0) {
            kept.push((cells, hits));
        }
    }
    kept
}

/// Forests of two choices beside each other.
fn beside(one: &[Part], other: &[Part]) -> Vec<Part> {
    let mut all = Vec::new();
    for &(a, hits_a) in one {
        all.extend(other.iter().filter(|(b, _)| a & b == 0).map(|&(b, hits_b)| (a | b, hits_a | hits_b)));
    }
    best(all)
}

/// Whether a forest of choices of 3, 6 and 9 with at most so many moves and choices hits the rows within the cells.
fn covers(rows: Rows, cells: Cells, most: usize, choices: &[(usize, Vec<Vec<Part>>)]) -> bool {
    if rows == 0 {
        return true;
    }
    let first = rows.trailing_zeros() as usize;
    choices.iter().filter(|(size, _)| *size <= most).any(|(size, by_row)| {
        let fits = |part: &&Part| part.0 & !cells == 0;
        by_row[first]
            .iter()
            .filter(fits)
            .any(|&(taken, hits)| covers(rows & !hits, cells & !taken, most - size, choices))
    })
}

/// The least number of moves and choices in an autotree after an opening, if it is at most 15.
pub fn autotrees(side: usize) {
    let name = |cell: usize| format!("{}{}", (b'a' + (cell % side) as u8) as char, cell / side + 1);
    for opening in (0..side * side).filter(|&cell| cell <= side * side - 1 - cell) {
        let board = Board::new(side, opening);
        let leaves: Vec<Part> = board.plans(&[(0, 0)]);
        let three = board.choices(&leaves, &leaves);
        let four = board.plans(&three);
        let six = board.choices(&leaves, &four);
        let mut forests = beside(&three, &three);
        forests.extend_from_slice(&six);
        let seven = board.plans(&best(forests));
        let mut nine = board.choices(&four, &four);
        nine.extend(board.choices(&leaves, &seven));
        let nine = best(nine);
        let counts = [three.len(), six.len(), nine.len()];
        let by_row = |list: &[Part]| -> Vec<Vec<Part>> {
            (0..64).map(|row| list.iter().filter(|(_, hits)| hits >> row & 1 != 0).copied().collect()).collect()
        };
        let choices = vec![(3, by_row(&three)), (6, by_row(&six)), (9, by_row(&nine))];
        let all = (1 << board.cells) - 1 & !(1 << opening);
        let least = (0..=14).find(|&most| covers(board.rows, all, most, &choices));
        // One choice of 12 to 14: one of its plans has 6 at most and hits everything.
        let single =
            leaves.iter().chain(&four).any(|&(cells, hits)| cells >> opening & 1 == 0 && board.rows & !hits == 0);
        let words = match (least, single) {
            (Some(forest), _) => format!("{}", forest + 1),
            (None, false) => "more than 15".to_owned(),
            (None, true) => "more than 12".to_owned(),
        };
        println!("{}: {} rows, {counts:?} choices, least {words}", name(opening), board.rows.count_ones());
    }
}
