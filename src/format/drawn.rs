//! Boards drawn in rows of symbols: Hex, Y, Bridg-it, line games and Harary's game. Grammar:
//! `grammars/boards.ebnf`.
//!
//! They differ in their first line only. After it come whose turn it is, which side is MAX, and the rows, all of which
//! may be left out: `hex 4` is an empty board.

use super::Syntax;
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use crate::Problem;
use crate::rules::{Board, Grid, MAX_SIDE, Shape, Side, animal, animals};
use std::io::Write;

/// What a row consists of.
const SYMBOL: &str = "'.', 'B' or 'X' for the first side, 'W' or 'O' for the second";

/// One of the games that are drawn, by the word that begins its text.
pub(super) struct Drawn(pub(super) &'static str);

impl Syntax for Drawn {
    fn name(&self) -> &'static str {
        self.0
    }

    fn recognises(&self, line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        words.next().is_some_and(|word| word.eq_ignore_ascii_case(self.0))
            && words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn read(&self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        next_line(lexer)?;
        if !lexer.word()?.eq_ignore_ascii_case(self.0.as_bytes()) {
            return Err(lexer.unexpected_token("is not this board's header", format!("'{}' and its size", self.0)));
        }
        let mut board = Board::new(self.shape(lexer)?);
        lexer.expect_line_end()?;
        read_position(lexer, &mut board)?;
        Ok(Problem::Board(board))
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Some((board, header)) = board_of(problem).and_then(|board| Some((board, header(board.shape())?))) else {
            return Err(unfit(self.0));
        };
        if header.split_ascii_whitespace().next() != Some(self.0) {
            return Err(unfit(self.0));
        }
        writeln!(out, "{header}")?;
        writeln!(out, "turn {}", board.side_name(board.turn))?;
        if board.max == Side::Second {
            writeln!(out, "max {}", board.side_name(board.max))?;
        }
        out.write_all(board.draw(&[]).as_bytes())?;
        Ok(())
    }
}

impl Drawn {
    /// The rest of the first line.
    fn shape(&self, lexer: &mut Lexer<'_>) -> Result<Shape, ReadError> {
        Ok(match self.0 {
            "hex" => Shape::Hex(read_grid(lexer)?),
            "y" => Shape::Y(read_side(lexer, MAX_SIDE)?),
            "bridgit" => Shape::Bridgit(read_side(lexer, MAX_SIDE)?),
            "line" => {
                let grid = read_grid(lexer)?;
                lexer.skip_blanks()?;
                let length = lexer.number(MAX_SIDE as u64, "how many in a row")? as usize;
                if length == 0 {
                    return Err(lexer.unexpected_token("is no length", "how many in a row, at least 1"));
                }
                Shape::Line { grid, length, torus: read_torus(lexer)? }
            }
            _ => {
                let grid = read_grid(lexer)?;
                let word = String::from_utf8_lossy(lexer.header_word()?).into_owned();
                let Some((animal, _)) = animal(&word) else {
                    let known: Vec<&str> = animals().collect();
                    return Err(lexer.unexpected_token("is an unknown animal", format!("one of {}", known.join(", "))));
                };
                Shape::Harary { grid, animal, torus: read_torus(lexer)? }
            }
        })
    }
}

/// The board of a problem that is one.
pub(super) fn board_of(problem: &Problem) -> Option<&Board> {
    match problem {
        Problem::Board(board) => Some(board),
        _ => None,
    }
}

/// The error of a problem that is not this kind of board.
pub(super) fn unfit(format: &str) -> WriteError {
    WriteError::Unsupported(format!("this is not a {format} board"))
}

/// The first line of a drawn board.
fn header(shape: &Shape) -> Option<String> {
    let size = |grid: &Grid| format!("{}x{}", grid.columns, grid.rows);
    let torus = |torus: bool| if torus { " torus" } else { "" };
    Some(match shape {
        Shape::Hex(grid) => format!("hex {}", size(grid)),
        Shape::Y(side) => format!("y {side}"),
        Shape::Bridgit(side) => format!("bridgit {side}"),
        Shape::Line { grid, length, torus: t } => format!("line {} {length}{}", size(grid), torus(*t)),
        Shape::Harary { grid, animal, torus: t } => format!("harary {} {animal}{}", size(grid), torus(*t)),
        Shape::Shannon { .. } | Shape::Positional(_) => return None,
    })
}

/// Columns `x` rows, or one number for both.
fn read_grid(lexer: &mut Lexer<'_>) -> Result<Grid, ReadError> {
    const SIZE: &str = "COLUMNSxROWS or one number";
    let word = String::from_utf8_lossy(lexer.header_word()?).into_owned();
    let (columns, rows) = word.split_once(['x', 'X']).unwrap_or((&word, &word));
    let side = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<usize>().unwrap_or(usize::MAX))
    };
    let (Some(columns), Some(rows)) = (side(columns), side(rows)) else {
        return Err(lexer.unexpected_token("is no size", SIZE));
    };
    if !(1..=MAX_SIDE).contains(&columns) || !(1..=MAX_SIDE).contains(&rows) {
        return Err(lexer.unexpected_token("is no possible size", format!("sides from 1 to {MAX_SIDE}")));
    }
    Ok(Grid { columns, rows })
}

fn read_side(lexer: &mut Lexer<'_>, largest: usize) -> Result<usize, ReadError> {
    lexer.skip_blanks()?;
    let side = lexer.number(largest as u64, "the size of the board")? as usize;
    if side == 0 { Err(lexer.unexpected_token("is no possible size", "at least 1")) } else { Ok(side) }
}

fn read_torus(lexer: &mut Lexer<'_>) -> Result<bool, ReadError> {
    match lexer.header_word()? {
        b"" => Ok(false),
        b"torus" => Ok(true),
        _ => Err(lexer.unexpected_token("is too much", "'torus' or the end of the line")),
    }
}

/// Moves to the first word of the next line that is neither blank nor a comment (`c` or `#`). False at the end.
pub(super) fn next_line(lexer: &mut Lexer<'_>) -> Result<bool, ReadError> {
    loop {
        lexer.skip_blanks()?;
        match lexer.peek()? {
            None => return Ok(false),
            Some(b'\n' | b'\r') => {
                lexer.line_end()?;
            }
            Some(b'#' | b'%') => lexer.skip_line()?,
            Some(b'c') if lexer.peek_at(1)?.is_none_or(|byte| byte.is_ascii_whitespace()) => lexer.skip_line()?,
            Some(_) => return Ok(true),
        }
    }
}

/// A side's name on the rest of the line.
pub(super) fn read_side_name(lexer: &mut Lexer<'_>, board: &Board) -> Result<Side, ReadError> {
    let name = String::from_utf8_lossy(lexer.header_word()?).into_owned();
    let side = board.find_side(&name).ok_or_else(|| {
        let known = format!("{} or {}", board.side_name(Side::First), board.side_name(Side::Second));
        lexer.unexpected_token("is no side", known)
    })?;
    lexer.expect_line_end()?;
    Ok(side)
}

/// The lines after the header.
fn read_position(lexer: &mut Lexer<'_>, board: &mut Board) -> Result<(), ReadError> {
    let (mut turn, mut max) = (None, None);
    let lines = board.lines();
    let mut rows = lines.iter();
    let mut begun = false;
    while next_line(lexer)? {
        match lexer.word()? {
            b"turn" if turn.is_some() => return Err(lexer.error("turn is given twice", "")),
            b"max" if max.is_some() => return Err(lexer.error("max is given twice", "")),
            b"turn" | b"max" if begun => return Err(lexer.unexpected_token("stands after the first row", SYMBOL)),
            b"turn" => turn = Some(read_side_name(lexer, board)?),
            b"max" => max = Some(read_side_name(lexer, board)?),
            _ => {
                let Some((_, elements)) = rows.next() else {
                    let all = lines.len();
                    return Err(lexer.unexpected_token("is a row too many", format!("{all} rows")));
                };
                begun = true;
                read_row(lexer, board, elements)?;
            }
        }
    }
    if begun && rows.next().is_some() {
        lexer.mark();
        let message = format!("the board ends after {} rows", lines.len() - 1 - rows.len());
        return Err(lexer.error(message, format!("{} rows", lines.len())));
    }
    board.max = max.unwrap_or(Side::First);
    board.turn = turn.unwrap_or_else(|| by_count(board));
    Ok(())
}

/// Whose turn it is if nobody says so: the first side's unless it has more stones.
pub(super) fn by_count(board: &Board) -> Side {
    let count = |side: Side| (0..board.elements()).filter(|&element| board.stone(element) == Some(side)).count();
    if count(Side::First) > count(Side::Second) { Side::Second } else { Side::First }
}

/// A row of symbols, the first word of which is the current token.
fn read_row(lexer: &mut Lexer<'_>, board: &mut Board, elements: &[usize]) -> Result<(), ReadError> {
    // Go back to the first symbol: they may stand together or apart.
    lexer.rewind();
    let mut places = elements.iter();
    loop {
        lexer.skip_blanks()?;
        if matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
            break;
        }
        lexer.mark();
        let symbol = lexer.character()?;
        lexer.advance(symbol.len_utf8());
        let side = match symbol {
            '.' => None,
            'B' | 'b' | 'X' | 'x' => Some(Side::First),
            'W' | 'w' | 'O' | 'o' => Some(Side::Second),
            _ => return Err(lexer.unexpected_token("is no stone", SYMBOL)),
        };
        let Some(&element) = places.next() else {
            return Err(lexer.error("the row is too long", format!("{} symbols", elements.len())));
        };
        if let Some(side) = side {
            board.place(element, side).map_err(|error| lexer.error(error.to_string(), ""))?;
        }
    }
    if places.next().is_some() {
        lexer.mark();
        let message = format!("the row ends after {} symbols", elements.len() - 1 - places.len());
        return Err(lexer.error(message, format!("{} symbols", elements.len())));
    }
    Ok(())
}
