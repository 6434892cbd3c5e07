//! Mini-chess: men as FEN places them, who moves, and how many plies there are. Grammar: `grammars/minichess.ebnf`.
//!
//! ```text
//! minichess 6k1/8/6K1/8/8/8/8/R7 w 5
//! ```

use super::Syntax;
use super::drawn::next_line;
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use gamesat_core::Problem;
use gamesat_core::rules::Side;
use gamesat_core::rules::sequential::minichess::{MAX_PLIES, Man};
use gamesat_core::rules::sequential::{MiniChess, Sequential};
use std::io::Write;

pub(super) struct MiniChessText;

/// Plies if nothing is said.
const PLIES: u64 = 6;

impl Syntax for MiniChessText {
    fn name(&self) -> &'static str {
        "minichess"
    }

    fn recognises(&self, line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        words.next().is_some_and(|word| word.eq_ignore_ascii_case("minichess"))
            && words.next().is_none_or(|word| word.contains('/') || word == "c" || word.starts_with(['#', '%']))
    }

    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        next_line(lexer)?;
        if !lexer.word()?.eq_ignore_ascii_case(b"minichess") {
            return Err(lexer.unexpected_token("is not this game's header", "'minichess'"));
        }
        next_line(lexer)?;
        let squares = placement(lexer)?;
        next_line(lexer)?;
        let turn = match lexer.word()? {
            b"w" => Side::First,
            b"b" => Side::Second,
            _ => return Err(lexer.unexpected_token("is no side", "w or b")),
        };
        let plies = if next_line(lexer)? { lexer.number(u64::from(u32::MAX), "a number of plies")? } else { PLIES };
        let chess = MiniChess::new(squares, turn, plies)
            .map_err(|error| lexer.error(error.to_string(), format!("a king each, and 1 to {MAX_PLIES} plies")))?;
        if next_line(lexer)? {
            lexer.word()?;
            return Err(lexer.unexpected_token("is too much", "the end of the file"));
        }
        Ok(Problem::Sequential(Sequential::MiniChess(chess)))
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Problem::Sequential(Sequential::MiniChess(chess)) = problem else {
            return Err(WriteError::Unsupported("this is not a position of mini-chess".to_owned()));
        };
        let turn = if chess.turn() == Side::First { "w" } else { "b" };
        writeln!(out, "minichess {} {turn} {}", chess.fen(), chess.left())?;
        Ok(())
    }
}

/// Eight rows of letters and numbers of empty squares.
fn placement(lexer: &mut Lexer<'_>) -> Result<[Option<Man>; 64], ReadError> {
    let text = String::from_utf8_lossy(lexer.word()?).into_owned();
    let mut squares = [None; 64];
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(lexer.unexpected_token("has not eight rows", "eight rows with '/' between them"));
    }
    for (row, symbols) in rows.into_iter().enumerate() {
        let mut column = 0;
        for symbol in symbols.chars() {
            if let Some(empty) = symbol.to_digit(10).filter(|empty| (1..=8).contains(empty)) {
                column += empty as usize;
            } else if let Some(man) = Man::from_letter(symbol) {
                if column < 8 {
                    squares[row * 8 + column] = Some(man);
                }
                column += 1;
            } else {
                let message = format!("'{symbol}' is no man");
                return Err(lexer.error(message, "K, Q, R, B for white, k, q, r, b for black, and 1 to 8"));
            }
        }
        if column != 8 {
            return Err(lexer.error(format!("row {} has {column} squares", 8 - row), "eight squares"));
        }
    }
    Ok(squares)
}
