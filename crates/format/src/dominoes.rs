//! Dominoes: a game before its first deal, or a round with both hands on the table. Grammar: `grammars/dominoes.ebnf`.
//!
//! ```text
//! dominoes
//! target 61                 61 if nothing is said
//! scores 12 30              of A and of B
//! turn B
//! first 65 43 11            the tiles of A
//! second 66 21              the tiles of B
//! row 34 44 45              the tiles on the table from left to right
//! ```

use super::Syntax;
use super::drawn::{next_line, read_side_name};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use gamesat_core::Problem;
use gamesat_core::rules::Side;
use gamesat_core::rules::sequential::dominoes::Tile;
use gamesat_core::rules::sequential::{Dominoes, Sequential};
use std::io::Write;

pub(super) struct DominoesText;

const LINE: &str = "target, scores, turn, first, second or row";

impl Syntax for DominoesText {
    fn name(&self) -> &'static str {
        "dominoes"
    }

    fn recognises(&self, line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        words.next().is_some_and(|word| word.eq_ignore_ascii_case("dominoes")) && words.next().is_none()
    }

    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        next_line(lexer)?;
        if !lexer.word()?.eq_ignore_ascii_case(b"dominoes") {
            return Err(lexer.unexpected_token("is not this game's header", "'dominoes'"));
        }
        lexer.expect_line_end()?;
        let (mut target, mut scores, mut turn) = (None, None, None);
        let mut lists: [Option<Vec<Tile>>; 3] = [None, None, None];
        while next_line(lexer)? {
            let word = lexer.word()?.to_vec();
            let list = [&b"first"[..], b"second", b"row"].iter().position(|&name| name == word);
            let twice = match (&word[..], list) {
                (b"target", _) => target.is_some(),
                (b"scores", _) => scores.is_some(),
                (b"turn", _) => turn.is_some(),
                (_, Some(list)) => lists[list].is_some(),
                _ => return Err(lexer.unexpected_token("begins no line of this format", LINE)),
            };
            if twice {
                let word = String::from_utf8_lossy(&word).into_owned();
                return Err(lexer.error(format!("{word} is given twice"), ""));
            }
            match (&word[..], list) {
                (b"target", _) => {
                    target = Some(lexer.header_number(9999, "a target")? as u32);
                    lexer.expect_line_end()?;
                }
                (b"scores", _) => {
                    let one = lexer.header_number(9999, "a score")? as u32;
                    let two = lexer.header_number(9999, "a score")? as u32;
                    scores = Some([one, two]);
                    lexer.expect_line_end()?;
                }
                (b"turn", _) => turn = Some(read_side_name(lexer, ["A", "B"])?),
                (_, Some(list)) => lists[list] = Some(tiles(lexer)?),
                _ => {}
            }
        }
        lexer.mark();
        let [first, second, row] = lists.map(Option::unwrap_or_default);
        let (scores, target) = (scores.unwrap_or([0, 0]), target.unwrap_or(61));
        Dominoes::round([first, second], &row, scores, target, turn.unwrap_or(Side::First))
            .map(|round| Problem::Sequential(Sequential::Dominoes(round)))
            .map_err(|error| lexer.error(error.to_string(), "every tile of the double-six set once"))
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Problem::Sequential(Sequential::Dominoes(dominoes)) = problem else {
            return Err(WriteError::Unsupported("this is not a game of dominoes".to_owned()));
        };
        writeln!(out, "dominoes")?;
        out.write_all(dominoes.draw().as_bytes())?;
        Ok(())
    }
}

/// Tiles to the end of the line, each as its two halves.
fn tiles(lexer: &mut Lexer<'_>) -> Result<Vec<Tile>, ReadError> {
    let mut tiles = Vec::new();
    loop {
        lexer.skip_blanks()?;
        if matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
            return Ok(tiles);
        }
        match *lexer.word()? {
            [one @ b'0'..=b'9', two @ b'0'..=b'9'] if tiles.len() < 28 => tiles.push((one - b'0', two - b'0')),
            [b'0'..=b'9', b'0'..=b'9'] => return Err(lexer.error("there are too many tiles", "28 tiles at most")),
            _ => return Err(lexer.unexpected_token("is no tile", "two digits, such as 64")),
        }
    }
}
