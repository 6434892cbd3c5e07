//! Connect-k: an empty board, rows of stones, or the moves that were played. Grammar: `grammars/connect.ebnf`.
//!
//! ```text
//! connect 7x6 4             columns, rows, and how many in a line win
//! moves 4453                columns by their digits, as solvers of Connect Four write them; or rows from the top
//! ```

use super::Syntax;
use super::drawn::{begins_with_size, next_line, next_symbol};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use gamesat_core::Problem;
use gamesat_core::rules::sequential::connect::MAX_CELLS;
use gamesat_core::rules::sequential::{Connect, Sequential};
use gamesat_core::rules::{Side, digits, sides};
use std::io::Write;

pub(super) struct ConnectText;

/// What a row consists of.
const SYMBOL: &str = "'.', 'X' or 'B' for the first side, 'O' or 'W' for the second";

impl Syntax for ConnectText {
    fn name(&self) -> &'static str {
        "connect"
    }

    fn recognises(&self, line: &str) -> bool {
        begins_with_size(line, self.name())
    }

    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        next_line(lexer)?;
        if !lexer.word()?.eq_ignore_ascii_case(b"connect") {
            return Err(lexer.unexpected_token("is not this game's header", "'connect', a size and a length"));
        }
        let mut board = header(lexer)?;
        lexer.expect_line_end()?;
        if next_line(lexer)? {
            if lexer.word()? == b"moves" {
                moves(lexer, &mut board)?;
                if next_line(lexer)? {
                    lexer.word()?;
                    return Err(lexer.unexpected_token("is too much", "the end of the file"));
                }
            } else {
                rows(lexer, &mut board)?;
            }
        }
        Ok(Problem::Sequential(Sequential::Connect(board)))
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Problem::Sequential(Sequential::Connect(board)) = problem else {
            return Err(WriteError::Unsupported("this is not a position of Connect-k".to_owned()));
        };
        writeln!(out, "connect {}x{} {}", board.columns(), board.rows(), board.length())?;
        out.write_all(board.draw().as_bytes())?;
        Ok(())
    }
}

/// The size and the length.
fn header(lexer: &mut Lexer<'_>) -> Result<Connect, ReadError> {
    let size = sides(&String::from_utf8_lossy(lexer.header_word()?));
    let Some((columns, rows)) = size.filter(|&(columns, rows)| Connect::new(columns, rows, 1).is_some()) else {
        return Err(lexer.unexpected_token("is no possible size", format!("columns x rows, 1 to {MAX_CELLS} cells")));
    };
    let length = digits(&String::from_utf8_lossy(lexer.header_word()?));
    let board = length.and_then(|length| Connect::new(columns, rows, length));
    board.ok_or_else(|| lexer.unexpected_token("is no possible length", format!("1 to {MAX_CELLS}")))
}

/// Columns by number: digits where all columns have one, words where not.
fn moves(lexer: &mut Lexer<'_>, board: &mut Connect) -> Result<(), ReadError> {
    loop {
        lexer.skip_blanks()?;
        if matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
            return Ok(());
        }
        let text = if board.columns() <= 9 {
            lexer.mark();
            let symbol = lexer.character()?;
            lexer.advance(symbol.len_utf8());
            symbol.to_string()
        } else {
            String::from_utf8_lossy(lexer.word()?).into_owned()
        };
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let column = text.parse().ok().filter(|column| digits && (1..=board.columns()).contains(column));
        let Some(column) = column else {
            return Err(lexer.unexpected_token("is no column", format!("1 to {}", board.columns())));
        };
        match board.mover() {
            None => return Err(lexer.unexpected_token("is played after the end of the game", "the end of the moves")),
            Some(side) if !board.drop_stone(column - 1, side) => {
                return Err(lexer.unexpected_token("is a full column", "a column that is not full"));
            }
            Some(_) => {}
        }
    }
}

/// Rows from the top, the first word of which is the current token.
fn rows(lexer: &mut Lexer<'_>, board: &mut Connect) -> Result<(), ReadError> {
    lexer.rewind();
    let (columns, height) = (board.columns(), board.rows());
    let mut cells: Vec<Option<Side>> = Vec::with_capacity(columns * height);
    while next_line(lexer)? {
        if cells.len() == columns * height {
            lexer.word()?;
            return Err(lexer.unexpected_token("is a row too many", format!("{height} rows")));
        }
        let from = cells.len();
        while let Some(cell) = next_symbol(lexer, SYMBOL)? {
            if cells.len() - from == columns {
                return Err(lexer.error("the row is too long", format!("{columns} symbols")));
            }
            let above = cells.len().checked_sub(columns).and_then(|above| cells[above]);
            if cell.is_none() && above.is_some() {
                return Err(lexer.error("the stone above this cell floats", "a stone"));
            }
            cells.push(cell);
        }
        if cells.len() - from < columns {
            lexer.mark();
            let message = format!("the row ends after {} symbols", cells.len() - from);
            return Err(lexer.error(message, format!("{columns} symbols")));
        }
    }
    if cells.len() < columns * height {
        lexer.mark();
        let message = format!("the board ends after {} rows", cells.len() / columns);
        return Err(lexer.error(message, format!("{height} rows")));
    }
    for (at, cell) in cells.iter().enumerate().rev() {
        if let Some(side) = *cell {
            board.drop_stone(at % columns, side);
        }
    }
    lexer.mark();
    board.judge().map_err(|error| lexer.error(error.to_string(), "a position that play leads to"))
}
