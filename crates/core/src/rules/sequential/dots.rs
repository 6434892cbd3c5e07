//! Dots-and-Boxes, and Strings-and-Coins on any graph, of which it is the dual.
//!
//! Players take turns to cut a string. Who cuts the last string of a coin takes the coin and must cut again; most coins win.
//! A string joins two coins, or a coin and the ground. On a board of dots the boxes are the coins: to draw a line is to cut
//! the string that crosses it, and lines at the border are strings to the ground.

use super::strings::Strings;
use super::{Move, Visitor};
use crate::rules::{Side, cell_name, parse_cell};
use std::sync::Arc;

/// Most strings and most coins of a graph: the search numbers its moves, two for a string, in words of 16 bits.
pub const MAX_STRINGS: usize = 30_000;

/// A position of Dots-and-Boxes or Strings-and-Coins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dots {
    /// Boxes across and down, if this is a board of dots.
    grid: Option<(usize, usize)>,
    coins: usize,
    /// What each string joins; `None` is the ground. Copies of a position share it.
    strings: Arc<[[Option<usize>; 2]]>,
    cut: Vec<bool>,
    /// Strings of each coin that are not cut.
    left: Vec<u16>,
    /// Who took a coin, as far as that is known.
    owners: Vec<Option<Side>>,
    turn: Side,
}

impl Dots {
    /// An empty board of boxes across and down with at most [`MAX_STRINGS`] lines. `None` for another size.
    pub fn board(across: usize, down: usize) -> Option<Self> {
        let possible = 1..=MAX_STRINGS;
        if !possible.contains(&across) || !possible.contains(&down) || 2 * across * down + across + down > MAX_STRINGS {
            return None;
        }
        let coin = |column: usize, row: usize| row * across + column;
        let mut strings = Vec::new();
        for line in 0..=down {
            for column in 0..across {
                let above = line.checked_sub(1).map(|row| coin(column, row));
                strings.push([above, (line < down).then(|| coin(column, line))]);
            }
        }
        for row in 0..down {
            for line in 0..=across {
                let left = line.checked_sub(1).map(|column| coin(column, row));
                strings.push([left, (line < across).then(|| coin(line, row))]);
            }
        }
        let mut board = Dots::graph(across * down, strings)?;
        board.grid = Some((across, down));
        Some(board)
    }

    /// A graph of coins and strings, the ground being `None`. `None` if a string joins nothing or a coin with itself, names
    /// a coin that there is not, or there are too many.
    pub fn graph(coins: usize, strings: Vec<[Option<usize>; 2]>) -> Option<Self> {
        let sensible =
            |&[one, two]: &[Option<usize>; 2]| one != two && [one, two].into_iter().flatten().all(|coin| coin < coins);
        let possible = coins <= MAX_STRINGS && strings.len() <= MAX_STRINGS && strings.iter().all(sensible);
        let mut left = vec![0; if possible { coins } else { 0 }];
        if possible {
            strings.iter().flatten().flatten().for_each(|&coin| left[coin] += 1);
        }
        possible.then(|| Dots {
            grid: None,
            coins,
            cut: vec![false; strings.len()],
            left,
            owners: vec![None; coins],
            strings: strings.into(),
            turn: Side::First,
        })
    }

    /// Boxes across and down, if this is a board of dots.
    pub fn grid(&self) -> Option<(usize, usize)> {
        self.grid
    }

    /// Number of coins, taken or not.
    pub fn coins(&self) -> usize {
        self.coins
    }

    /// What each string joins; `None` is the ground.
    pub fn strings(&self) -> &[[Option<usize>; 2]] {
        &self.strings
    }

    /// Whether a string is cut.
    pub fn is_cut(&self, string: usize) -> bool {
        self.cut[string]
    }

    /// Cuts a string that is part of how the game stands, without a move.
    pub fn set_cut(&mut self, string: usize) {
        if !std::mem::replace(&mut self.cut[string], true) {
            self.strings[string].into_iter().flatten().for_each(|coin| self.left[coin] -= 1);
        }
    }

    /// Says whose move it is.
    pub fn set_turn(&mut self, side: Side) {
        self.turn = side;
    }

    /// Whose move it is, or would be.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// Says who took a coin.
    pub fn set_owner(&mut self, coin: usize, side: Side) {
        self.owners[coin] = Some(side);
    }

    /// Who took a coin, if that is known.
    pub fn owner(&self, coin: usize) -> Option<Side> {
        self.owners[coin]
    }

    /// Strings of a coin that are not cut.
    pub fn degree(&self, coin: usize) -> usize {
        usize::from(self.left[coin])
    }

    /// Coins that hang on no string any more: those that were taken, whoever took them.
    pub fn taken(&self) -> usize {
        self.left.iter().filter(|&&left| left == 0).count()
    }

    /// Who moves; `None` when every string is cut.
    pub fn mover(&self) -> Option<Side> {
        self.cut.contains(&false).then_some(self.turn)
    }

    /// Strings that are not cut.
    pub fn moves(&self) -> Vec<Move> {
        (0..self.cut.len()).filter(|&string| !self.cut[string]).map(|string| string as Move).collect()
    }

    /// Cuts a string. Returns how many coins that takes.
    pub fn play(&mut self, string: Move) -> usize {
        let string = usize::from(string);
        self.set_cut(string);
        let mut taken = 0;
        for coin in self.strings[string].into_iter().flatten() {
            if self.degree(coin) == 0 {
                self.owners[coin] = Some(self.turn);
                taken += 1;
            }
        }
        if taken == 0 {
            self.turn = !self.turn;
        }
        taken
    }

    /// What a move is called: the two dots that a line joins, column and row from the top left, such as `a1b1`; on a graph the
    /// number of the string.
    pub fn move_name(&self, string: Move) -> String {
        let string = usize::from(string);
        let Some((across, down)) = self.grid else { return (string + 1).to_string() };
        let dot = cell_name;
        let horizontal = across * (down + 1);
        if string < horizontal {
            let (column, row) = (string % across, string / across);
            dot(column, row) + &dot(column + 1, row)
        } else {
            let (column, row) = ((string - horizontal) % (across + 1), (string - horizontal) / (across + 1));
            dot(column, row) + &dot(column, row + 1)
        }
    }

    /// The move of this name.
    pub fn find(&self, name: &str) -> Option<Move> {
        let Some((across, down)) = self.grid else {
            let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
            let number =
                name.parse::<usize>().ok().filter(|number| digits && (1..=self.strings.len()).contains(number));
            return number.map(|number| (number - 1) as Move);
        };
        // A letter behind a digit begins the second dot.
        let begins = |pair: &[u8]| pair[0].is_ascii_digit() && pair[1].is_ascii_lowercase();
        let split = 1 + name.as_bytes().windows(2).position(begins)?;
        let dot = |name: &str| {
            let written = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            parse_cell(name).filter(|&(column, row)| written && column <= across && row <= down)
        };
        let (one, two) = (dot(&name[..split])?, dot(&name[split..])?);
        let ((column, row), (right, below)) = (one.min(two), one.max(two));
        match (right - column, below.checked_sub(row)?) {
            (1, 0) => Some((row * across + column) as Move),
            (0, 1) => Some((across * (down + 1) + row * (across + 1) + column) as Move),
            _ => None,
        }
    }

    /// The board as it is drawn, or what is left of the graph.
    pub fn draw(&self) -> String {
        let mut text = String::new();
        let Some((across, down)) = self.grid else {
            for (string, [one, two]) in self.strings.iter().enumerate().filter(|(string, _)| !self.cut[*string]) {
                let end = |end: &Option<usize>| end.map_or("ground".to_owned(), |coin| (coin + 1).to_string());
                text += &format!("string {}: {} - {}\n", string + 1, end(one), end(two));
            }
            return text;
        };
        for line in 0..=down {
            for column in 0..across {
                text.push('+');
                text.push(if self.cut[line * across + column] { '-' } else { ' ' });
            }
            text.push_str("+\n");
            if line < down {
                let from = across * (down + 1) + line * (across + 1);
                for column in 0..=across {
                    text.push(if self.cut[from + column] { '|' } else { ' ' });
                    if column < across {
                        text.push(match self.owners[line * across + column] {
                            None => ' ',
                            Some(Side::First) => 'A',
                            Some(Side::Second) => 'B',
                        });
                    }
                }
                text.push('\n');
            }
        }
        text
    }

    /// What a value means.
    pub fn in_words(&self, value: i64) -> String {
        let left = (self.coins - self.taken()) as i64;
        let things = if self.grid.is_some() { "boxes" } else { "coins" };
        let name = |side| if side == Side::First { "A" } else { "B" };
        let (mover, other) = (name(self.turn), name(!self.turn));
        let (mine, theirs) = ((left + value) / 2, (left - value) / 2);
        let mut words = format!("of {left} {things} left {mover} gets {mine} and {other} {theirs}, {mover} to move");
        let count = |side| self.owners.iter().filter(|&&owner| owner == Some(side)).count() as i64;
        if count(Side::First) + count(Side::Second) > 0 {
            let (mine, theirs) = (mine + count(self.turn), theirs + count(!self.turn));
            words += &format!("; in all {mover} {mine}, {other} {theirs}");
        }
        words
    }

    /// Where the strings go when the board is turned and reflected; the first image is the board itself.
    pub fn symmetries(&self) -> Vec<Vec<Move>> {
        let all = 0..self.strings.len() as Move;
        let Some((across, down)) = self.grid else { return vec![all.collect()] };
        let horizontal = across * (down + 1);
        let mut images = Vec::new();
        for image in 0..8 {
            let (left_right, up_down, diagonal) = (image & 1 != 0, image & 2 != 0, image & 4 != 0);
            if diagonal && across != down {
                continue;
            }
            images.push(
                (0..self.strings.len())
                    .map(|string| {
                        let (mut flat, mut column, mut row) = if string < horizontal {
                            (true, string % across, string / across)
                        } else {
                            (false, (string - horizontal) % (across + 1), (string - horizontal) / (across + 1))
                        };
                        if left_right {
                            column = if flat { across - 1 - column } else { across - column };
                        }
                        if up_down {
                            row = if flat { down - row } else { down - 1 - row };
                        }
                        if diagonal {
                            (flat, column, row) = (!flat, row, column);
                        }
                        (if flat { row * across + column } else { horizontal + row * (across + 1) + column }) as Move
                    })
                    .collect(),
            );
        }
        images
    }

    /// The position for the search.
    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        visitor.visit(Strings::new(self))
    }
}
