//! Confirmations of quantified formulas, for `gamesat check`. Grammar: `grammars/confirmation.ebnf`.
//!
//! ```text
//! p confirmation 9          number of rows
//! n 1 1 0                   node 1: clause 1 up to its first level
//! n 2 1 0                   node 2: clause 2 up to its first level
//! p 2 0                     the next rule picks 2
//! l 1 0                     clause 1 of the rules: node 1 is not satisfied
//! p -2 0                    the next rule picks -2
//! l 2 0                     clause 2: node 2 is not satisfied
//! w 1 1 0                   clause 3: node 1 is satisfied, or 1 is false
//! w 2 -1 0                  clause 4: node 2 is satisfied, or -1 is false
//! r 1 3 4 2 0               clause 5: clause 1 resolved with clause 3, what comes out with clause 4, and so on
//! ```
//! Each row is a letter, numbers and 0. What rows mean, and why that is a proof, is said in `crates/core/src/formula/confirmation.rs`; whether the
//! numbers mean anything is left to the judge.

use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::proof::has_header;
use super::rows::RowWriter;
use gamesat_core::formula::{Confirmation, ConfirmationRow};
use std::io::{Read, Write};

const HEADER: &str = "the header 'p confirmation ROWS'";
const ROW: &str = "a row: a, d, h, b, m, x, s, n, w, p, l, t or r";
const NUMBER: &str = "a number or 0";
/// More rows cannot be announced.
const MOST: u64 = i32::MAX as u64;

/// Whether a text that begins like this is a confirmation rather than something else.
pub fn is_confirmation(first_bytes: &[u8]) -> bool {
    has_header(first_bytes, b"confirmation")
}

/// Reads a confirmation. `name` is what errors call the input.
///
/// # Errors
/// Text that is not in the format, and input that cannot be read.
pub fn read_confirmation(source: &mut dyn Read, name: &str) -> Result<Confirmation, ReadError> {
    let lexer = &mut Lexer::new(source, name, false);
    lexer.skip_byte_order_mark()?;
    lexer.preamble(HEADER)?;
    if lexer.header_word()? != b"confirmation" {
        return Err(lexer.unexpected_token("is an unknown header", HEADER));
    }
    let announced = lexer.header_number(MOST, "the number of rows")?;
    lexer.expect_line_end()?;
    let mut confirmation = Confirmation::new();
    let mut numbers: Vec<i32> = Vec::new();
    while lexer.next_row()?.is_some() {
        let Some(row) = row(lexer.word()?) else {
            return Err(lexer.unexpected_token("begins no row", ROW));
        };
        read_numbers(lexer, &mut numbers)?;
        confirmation.push(row, numbers.drain(..));
    }
    lexer.mark_end();
    if confirmation.len() != announced {
        // A confirmation that was cut off may end behind a whole row.
        let message = format!("the header announces {announced} rows, but there are {}", confirmation.len());
        return Err(lexer.error(message, "as many rows as announced"));
    }
    Ok(confirmation)
}

/// Reads numbers up to the 0 that ends their row.
fn read_numbers(lexer: &mut Lexer<'_>, numbers: &mut Vec<i32>) -> Result<(), ReadError> {
    loop {
        // The short way for nearly all of them.
        lexer.usual_literals(|number| {
            if number != 0 {
                numbers.push(number);
            }
            number != 0
        });
        if lexer.next_in_row()?.is_none() {
            return Err(lexer.unfinished("row"));
        }
        match lexer.literal(NUMBER)? {
            0 => return Ok(()),
            number => numbers.push(number),
        }
    }
}

/// Writes a confirmation.
///
/// # Errors
/// Output that fails.
pub fn write_confirmation(confirmation: &Confirmation, out: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(out, "p confirmation {}", confirmation.len())?;
    let mut writer = RowWriter::new(out);
    for (row, numbers) in confirmation.rows() {
        writer.word(letter(row));
        writer.row(numbers.iter().copied())?;
    }
    writer.flush()
}

/// The letter of a row.
fn letter(row: ConfirmationRow) -> &'static str {
    match row {
        ConfirmationRow::Added => "a",
        ConfirmationRow::Implied => "d",
        ConfirmationRow::Beside => "h",
        ConfirmationRow::Blocked => "b",
        ConfirmationRow::Moved => "m",
        ConfirmationRow::Expanded => "x",
        ConfirmationRow::Saved => "s",
        ConfirmationRow::Node => "n",
        ConfirmationRow::Definition => "w",
        ConfirmationRow::Picks => "p",
        ConfirmationRow::Last => "l",
        ConfirmationRow::Rule => "t",
        ConfirmationRow::Resolvent => "r",
    }
}

/// The row of a letter.
fn row(letter: &[u8]) -> Option<ConfirmationRow> {
    Some(match letter {
        b"a" => ConfirmationRow::Added,
        b"d" => ConfirmationRow::Implied,
        b"h" => ConfirmationRow::Beside,
        b"b" => ConfirmationRow::Blocked,
        b"m" => ConfirmationRow::Moved,
        b"x" => ConfirmationRow::Expanded,
        b"s" => ConfirmationRow::Saved,
        b"n" => ConfirmationRow::Node,
        b"w" => ConfirmationRow::Definition,
        b"p" => ConfirmationRow::Picks,
        b"l" => ConfirmationRow::Last,
        b"t" => ConfirmationRow::Rule,
        b"r" => ConfirmationRow::Resolvent,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Confirmation, String> {
        read_confirmation(&mut text.as_bytes(), "r").map_err(|error| error.to_string())
    }

    fn written(confirmation: &Confirmation) -> String {
        let mut text = Vec::new();
        write_confirmation(confirmation, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let blocked = "p confirmation 2\nb 1 -2 0\nb 2 2 0\n";
        let every_row = "p confirmation 13\na 1 -2147483647 0\nd 1 2 3 0\nh -2 1 0\nb 3 -1 0\nm 4 1 0\nx 1 2 2147483647 0\ns 1 2 0\n\
                         n 1 1 0\nw 1 0\np -2 3 0\nl 0\nt 1 2 0\nr 12345678 3 2 4 0\n";
        for text in [blocked, every_row, "p confirmation 0\n"] {
            let confirmation = read(text).unwrap();
            assert_eq!(written(&confirmation), text);
            assert!(is_confirmation(text.as_bytes()));
            assert_eq!(read(&format!("c made by hand\n\n{}c the end", text.replace('\n', "\r\n"))), Ok(confirmation));
        }
        assert!(!is_confirmation(b"p refutation 2\n"));
    }

    #[test]
    fn rows_hold_what_their_text_says() {
        let confirmation = read("p confirmation 3\nm 4 1 0 l 0\np\n-2\nc a comment\n3 0").unwrap();
        let rows: Vec<_> = confirmation.rows().collect();
        let expected: [(ConfirmationRow, &[i32]); 3] =
            [(ConfirmationRow::Moved, &[4, 1]), (ConfirmationRow::Last, &[]), (ConfirmationRow::Picks, &[-2, 3])];
        assert_eq!(rows, expected);
    }

    /// Long enough for the window to move on inside rows.
    #[test]
    fn long_rows_are_read_back() {
        let mut confirmation = Confirmation::new();
        for length in [100_000, 0, 1, 50_000] {
            confirmation.push(
                ConfirmationRow::Added,
                (1..=length).map(|number| if number % 3 == 0 { -number } else { number }),
            );
        }
        assert_eq!(read(&written(&confirmation)), Ok(confirmation));
    }

    #[test]
    fn errors_say_where_and_what() {
        let message = |text: &str| read(text).unwrap_err();
        assert_eq!(message("p confirmation x\n"), "r:1:16: 'x' is not a number, expected the number of rows");
        assert_eq!(
            message("p refutation 1\n"),
            "r:1:3: 'refutation' is an unknown header, expected the header 'p confirmation ROWS'"
        );
        assert_eq!(
            message("p confirmation 1\nu 1 0\n"),
            "r:2:1: 'u' begins no row, expected a row: a, d, h, b, m, x, s, n, w, p, l, t or r"
        );
        assert_eq!(message("p confirmation 1\na 1 b 0\n"), "r:2:5: 'b' is not a number, expected a number or 0");
        assert_eq!(message("p confirmation 1\na 1 -0 0\n"), "r:2:5: '-0' is not a literal, expected a number or 0");
        assert_eq!(
            message("p confirmation 1\na 1 2147483648 0\n"),
            "r:2:5: '2147483648' is too large, expected at most 2147483647 in absolute value"
        );
        assert_eq!(
            message("p confirmation 1\na 1 2\n"),
            "r:2:6: the last row has no final 0, expected 0 before the end of the file"
        );
        assert_eq!(
            message("p confirmation 2\na 1 2 0\n"),
            "r:2:8: the header announces 2 rows, but there are 1, expected as many rows as announced"
        );
    }
}
