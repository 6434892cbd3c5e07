//! Boards drawn in rows of symbols: all of the [`games`](gamesat_core::rules::games). Grammar: `grammars/boards.ebnf`.
//!
//! They differ in their first line only, which the game itself reads. After it come whose turn it is, which side is MAX, and
//! the rows, all of which may be left out: a first line alone is an empty board.

use super::Syntax;
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use gamesat_core::Problem;
use gamesat_core::rules::{Board, Game, Misfit, Side};
use std::io::Write;

/// What a row consists of.
const SYMBOL: &str = "'.', 'B' or 'X' for the first side, 'W' or 'O' for the second";

impl Syntax for Game {
    fn name(&self) -> &'static str {
        self.word
    }

    fn recognises(&self, line: &str) -> bool {
        begins_with_size(line, self.word)
    }

    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        next_line(lexer)?;
        if !lexer.word()?.eq_ignore_ascii_case(self.word.as_bytes()) {
            return Err(lexer.unexpected_token("is not this board's header", format!("'{}' and its size", self.word)));
        }
        let mut failed = None;
        let mut next = || match lexer.header_word() {
            Ok(word) => Ok(String::from_utf8_lossy(word).into_owned()),
            Err(error) => {
                failed = Some(error);
                Err(Misfit::Unreadable)
            }
        };
        let board = self.board(&mut next);
        let mut board = match (board, failed) {
            (_, Some(error)) => return Err(error),
            (Err(Misfit::Word { what, expected }), _) => return Err(lexer.unexpected_token(what, expected)),
            (Err(Misfit::Unreadable), None) => unreachable!("what cannot be read is remembered"),
            (Ok(board), None) => board,
        };
        lexer.expect_line_end()?;
        read_position(lexer, &mut board)?;
        Ok(Problem::Board(board))
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let board = board_of(problem).filter(|board| board.rules().word() == self.word);
        let Some((board, header)) = board.and_then(|board| Some((board, board.rules().header()?))) else {
            return Err(unfit(self.word));
        };
        unbounded(board)?;
        writeln!(out, "{header}")?;
        writeln!(out, "turn {}", board.side_name(board.turn))?;
        if board.max == Side::Second {
            writeln!(out, "max {}", board.side_name(board.max))?;
        }
        out.write_all(board.draw(&[]).as_bytes())?;
        Ok(())
    }
}

/// Whether a line begins with this word, in capitals or not, and a number.
pub(super) fn begins_with_size(line: &str, word: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    words.next().is_some_and(|first| first.eq_ignore_ascii_case(word))
        && words.next().is_some_and(|second| second.starts_with(|c: char| c.is_ascii_digit()))
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

/// The error of a board whose plies a format cannot say.
pub(super) fn unbounded(board: &Board) -> Result<(), WriteError> {
    match board.schedule {
        Some(_) => Err(WriteError::Unsupported("this format cannot say after how many plies a game ends".to_owned())),
        None => Ok(()),
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
pub(super) fn read_side_name(lexer: &mut Lexer<'_>, sides: [&str; 2]) -> Result<Side, ReadError> {
    let name = lexer.header_word()?;
    let side = match sides.iter().position(|side| side.as_bytes() == name) {
        Some(0) => Side::First,
        Some(_) => Side::Second,
        None => return Err(lexer.unexpected_token("is no side", sides.join(" or "))),
    };
    lexer.expect_line_end()?;
    Ok(side)
}

/// The lines after the header.
fn read_position(lexer: &mut Lexer<'_>, board: &mut Board) -> Result<(), ReadError> {
    let (mut turn, mut max) = (None, None);
    let (lines, sides) = (board.lines(), board.rules().side_names());
    let mut rows = lines.iter();
    let mut begun = false;
    while next_line(lexer)? {
        match lexer.word()? {
            b"turn" if turn.is_some() => return Err(lexer.error("turn is given twice", "")),
            b"max" if max.is_some() => return Err(lexer.error("max is given twice", "")),
            b"turn" | b"max" if begun => return Err(lexer.unexpected_token("stands after the first row", SYMBOL)),
            b"turn" => turn = Some(read_side_name(lexer, sides)?),
            b"max" => max = Some(read_side_name(lexer, sides)?),
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
    board.turn = turn.unwrap_or_else(|| board.turn_by_count());
    Ok(())
}

/// The next symbol of a row, a stone or an empty cell; `None` at the end of the line.
pub(super) fn next_symbol(lexer: &mut Lexer<'_>, expected: &str) -> Result<Option<Option<Side>>, ReadError> {
    lexer.skip_blanks()?;
    if matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
        return Ok(None);
    }
    lexer.mark();
    let symbol = lexer.character()?;
    lexer.advance(symbol.len_utf8());
    match symbol {
        '.' => Ok(Some(None)),
        'B' | 'b' | 'X' | 'x' => Ok(Some(Some(Side::First))),
        'W' | 'w' | 'O' | 'o' => Ok(Some(Some(Side::Second))),
        _ => Err(lexer.unexpected_token("is no stone", expected)),
    }
}

/// A row of symbols, the first word of which is the current token.
fn read_row(lexer: &mut Lexer<'_>, board: &mut Board, elements: &[usize]) -> Result<(), ReadError> {
    // Go back to the first symbol: they may stand together or apart.
    lexer.rewind();
    let mut places = elements.iter();
    while let Some(side) = next_symbol(lexer, SYMBOL)? {
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
