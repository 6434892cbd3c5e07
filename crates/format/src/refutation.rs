//! Refutations of quantified formulas, for `gamesat check`. Grammar: `grammars/refutation.ebnf`.
//!
//! ```text
//! p refutation 5            number of steps
//! u 2 0                     play 1 of the universal player: 2 is true
//! u -2 0                    play 2
//! i 1 1 3 0                 under play 1: clause 1 is step 1, clause 3 is step 2
//! i 2 2 0                   under play 2: clause 2 is step 3
//! r 1 2 0                   step 4: step 1 resolved with step 2
//! r 4 3 0                   step 5: what came out, resolved with step 3
//! ```
//! Plays, clauses and steps are numbered from 1, clauses by their place in the formula. The last step is the empty clause. What
//! steps mean, and why that is a proof, is said in `crates/core/src/formula/refutation.rs`.

use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::proof::has_header;
use super::rows::{LITERAL, RowWriter};
use gamesat_core::formula::{Lit, Refutation, RefutationStep};
use std::io::{Read, Write};

const HEADER: &str = "the header 'p refutation STEPS'";
const ROW: &str = "a row: u, i or r";
/// More steps, plays or clauses cannot be named.
const MOST: usize = i32::MAX as usize;

/// Whether a text that begins like this is a refutation rather than something else.
pub fn is_refutation(first_bytes: &[u8]) -> bool {
    has_header(first_bytes, b"refutation")
}

/// Reads a refutation. `name` is what errors call the input.
///
/// # Errors
/// Text that is not in the format, and input that cannot be read.
pub fn read_refutation(source: &mut dyn Read, name: &str) -> Result<Refutation, ReadError> {
    let lexer = &mut Lexer::new(source, name, false);
    lexer.skip_byte_order_mark()?;
    lexer.preamble(HEADER)?;
    if lexer.header_word()? != b"refutation" {
        return Err(lexer.unexpected_token("is an unknown header", HEADER));
    }
    let announced = lexer.header_number(MOST as u64, "the number of steps")?;
    lexer.expect_line_end()?;
    let mut reader = Reader { lexer, refutation: Refutation::new(), steps: Vec::new() };
    while reader.row()? {}
    let Reader { lexer, refutation, .. } = reader;
    lexer.mark_end();
    if refutation.len() != announced {
        // A refutation that was cut off ends in another step.
        let message = format!("the header announces {announced} steps, but there are {}", refutation.len());
        return Err(lexer.error(message, "as many steps as announced"));
    }
    Ok(refutation)
}

/// Writes a refutation.
///
/// # Errors
/// Output that fails.
pub fn write_refutation(refutation: &Refutation, out: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(out, "p refutation {}", refutation.len())?;
    let mut writer = RowWriter::new(out);
    for play in refutation.plays() {
        writer.word("u");
        writer.row(play.iter().map(|lit| lit.to_dimacs()))?;
    }
    let number = |&number: &u32| number as i32 + 1;
    // Clauses under the same play share a row.
    let mut taken: Vec<i32> = Vec::new();
    for index in 0..refutation.len() {
        match refutation.step(index) {
            RefutationStep::Clause { clause, play } => {
                if taken.is_empty() {
                    taken.push(number(&play));
                }
                taken.push(number(&clause));
                let next = (index + 1 < refutation.len()).then(|| refutation.step(index + 1));
                if !matches!(next, Some(RefutationStep::Clause { play: same, .. }) if same == play) {
                    writer.word("i");
                    writer.row(taken.drain(..))?;
                }
            }
            RefutationStep::Resolvent(steps) => {
                writer.word("r");
                writer.row(steps.iter().map(number))?;
            }
        }
    }
    writer.flush()
}

struct Reader<'a, 'b> {
    lexer: &'a mut Lexer<'b>,
    refutation: Refutation,
    /// Of the row that is being read.
    steps: Vec<u32>,
}

impl Reader<'_, '_> {
    /// Reads a row. False at the end of the input.
    fn row(&mut self) -> Result<bool, ReadError> {
        if self.lexer.next_row()?.is_none() {
            return Ok(false);
        }
        match self.lexer.word()? {
            b"u" => self.play()?,
            b"i" => self.clauses()?,
            b"r" => self.resolvent()?,
            _ => return Err(self.lexer.unexpected_token("begins no row", ROW)),
        }
        Ok(true)
    }

    fn play(&mut self) -> Result<(), ReadError> {
        if self.refutation.plays().len() == MOST {
            return Err(self.lexer.error("there are too many plays", format!("at most {MOST}")));
        }
        let mut lits = Vec::new();
        loop {
            match self.number(LITERAL)? {
                0 => break,
                lit => lits.push(Lit::from_dimacs(lit)),
            }
        }
        self.refutation.play(lits);
        Ok(())
    }

    fn clauses(&mut self) -> Result<(), ReadError> {
        let plays = self.refutation.plays().len();
        let play = self.earlier(plays, "the number of an earlier play")?;
        let Some(play) = play else {
            return Err(self.lexer.unexpected_token("is not a play", "the number of an earlier play"));
        };
        while let Some(clause) = self.earlier(MOST, "the number of a clause, or 0")? {
            self.has_room()?;
            self.refutation.take(clause, play);
        }
        Ok(())
    }

    fn resolvent(&mut self) -> Result<(), ReadError> {
        self.has_room()?;
        self.steps.clear();
        let steps = self.refutation.len();
        while let Some(step) = self.earlier(steps, "the number of an earlier step, or 0")? {
            self.steps.push(step);
        }
        if self.steps.is_empty() {
            return Err(self.lexer.unexpected_token("is not a step", "the number of an earlier step"));
        }
        self.refutation.resolve(self.steps.iter().copied());
        Ok(())
    }

    fn has_room(&mut self) -> Result<(), ReadError> {
        if self.refutation.len() == MOST {
            return Err(self.lexer.error("there are too many steps", format!("at most {MOST}")));
        }
        Ok(())
    }

    /// The next number, counted from 0, of so many; `None` at the end of the row.
    fn earlier(&mut self, most: usize, expected: &str) -> Result<Option<u32>, ReadError> {
        let number = self.number(expected)?;
        if number < 0 || number as usize > most {
            return Err(self.lexer.unexpected_token("is not there", format!("{expected}, at most {most}")));
        }
        Ok((number as u32).checked_sub(1))
    }

    fn number(&mut self, expected: &str) -> Result<i32, ReadError> {
        if self.lexer.next_in_row()?.is_none() {
            return Err(self.lexer.unfinished("row"));
        }
        self.lexer.literal(expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Refutation, String> {
        read_refutation(&mut text.as_bytes(), "r").map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = "p refutation 5\nu 2 0\nu -2 0\ni 1 1 3 0\ni 2 2 0\nr 1 2 0\nr 4 3 0\n";
        let refutation = read(text).unwrap();
        let mut written = Vec::new();
        write_refutation(&refutation, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
        assert!(is_refutation(text.as_bytes()));
        assert_eq!(read(&format!("c made by hand\n\n{}c the end", text.replace('\n', "\r\n"))), Ok(refutation));
    }

    #[test]
    fn errors_say_where_and_what() {
        let message = |text: &str| read(text).unwrap_err();
        assert_eq!(message("p refutation x\n"), "r:1:14: 'x' is not a number, expected the number of steps");
        assert_eq!(message("p refutation 1\nx 1 0\n"), "r:2:1: 'x' begins no row, expected a row: u, i or r");
        assert_eq!(
            message("p refutation 1\ni 1 1 0\n"),
            "r:2:3: '1' is not there, expected the number of an earlier play, at most 0"
        );
        assert_eq!(
            message("p refutation 1\nu 0\ni 1 1\n"),
            "r:3:6: the last row has no final 0, expected 0 before the end of the file"
        );
        assert_eq!(
            message("p refutation 2\nu 0\ni 1 1 0\nr 2 0\n"),
            "r:4:3: '2' is not there, expected the number of an earlier step, or 0, at most 1"
        );
        assert_eq!(
            message("p refutation 2\nr 0\n"),
            "r:2:3: '0' is not a step, expected the number of an earlier step"
        );
        assert_eq!(
            message("p refutation 2\nu 0\ni 1 1 0\n"),
            "r:3:8: the header announces 2 steps, but there are 1, expected as many steps as announced"
        );
    }
}
