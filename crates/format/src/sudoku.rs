//! Sudoku: the cells row by row, in rows or in one line. Grammar: `grammars/sudoku.ebnf`.
//!
//! ```text
//! sudoku
//! 53..7....                 digits, '.' or '0' for a gap; 16, 81 or 256 cells, digits beyond 9 as letters
//! 6..195...                 and so on
//! ```

use super::Syntax;
use super::drawn::next_line;
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use gamesat_core::Problem;
use gamesat_core::rules::Sudoku;
use std::io::Write;

pub(super) struct SudokuText;

const SYMBOL: &str = "a digit, or '.' or '0' for a gap";

impl Syntax for SudokuText {
    fn name(&self) -> &'static str {
        "sudoku"
    }

    fn recognises(&self, line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        words.next().is_some_and(|word| word.eq_ignore_ascii_case("sudoku"))
            && words
                .next()
                .is_none_or(|word| word.starts_with(|c: char| c.is_ascii_alphanumeric() || ".#%".contains(c)))
    }

    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        next_line(lexer)?;
        if !lexer.word()?.eq_ignore_ascii_case(b"sudoku") {
            return Err(lexer.unexpected_token("is not this puzzle's header", "'sudoku'"));
        }
        // Which digits there are is known at the end: what is too large is reported where it stands.
        let (mut cells, mut largest) = (Vec::new(), None);
        while next_line(lexer)? {
            while !matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
                lexer.mark();
                let symbol = lexer.character()?;
                lexer.advance(symbol.len_utf8());
                let Some(digit) = Sudoku::digit(symbol, 16) else {
                    return Err(lexer.unexpected_token("is no digit", SYMBOL));
                };
                if largest.as_ref().is_none_or(|&(most, _)| digit > most) {
                    largest = Some((digit, lexer.token_place()));
                }
                if cells.len() == 256 {
                    return Err(lexer.error("there are too many cells", "16, 81 or 256"));
                }
                cells.push(digit);
                lexer.skip_blanks()?;
            }
        }
        lexer.mark();
        let count = cells.len();
        if !matches!(count, 16 | 81 | 256) {
            return Err(lexer.error(format!("there are {count} cells"), "16, 81 or 256"));
        }
        match (Sudoku::new(cells), largest) {
            (Some(sudoku), _) => Ok(Problem::Sudoku(sudoku)),
            (None, Some((_, place))) => {
                let message = format!("a digit is too large for {count} cells");
                Err(lexer.error_at(place, "1", message, SYMBOL))
            }
            (None, None) => Err(lexer.error("there are no cells", "16, 81 or 256")),
        }
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Problem::Sudoku(sudoku) = problem else {
            return Err(WriteError::Unsupported("this is not a Sudoku".to_owned()));
        };
        writeln!(out, "sudoku")?;
        out.write_all(sudoku.draw().as_bytes())?;
        Ok(())
    }
}
