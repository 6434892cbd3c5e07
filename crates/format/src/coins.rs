//! Strings-and-Coins on any graph, in DIMACS style. Grammar: `grammars/coins.ebnf`.
//!
//! ```text
//! p coins 2 3               coins and strings
//! turn B                    who moves, A if nothing is said
//! e 1 2                     a string joins coins 1 and 2
//! e 1 0                     0 is the ground
//! e 2 0
//! cut 3 0                   strings that are cut, in the order of their lines
//! ```

use super::drawn::{next_line, read_side_name};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::rows::check_count;
use super::{Syntax, is_header};
use gamesat_core::Problem;
use gamesat_core::rules::Side;
use gamesat_core::rules::sequential::dots::MAX_STRINGS;
use gamesat_core::rules::sequential::{Dots, Sequential};
use rustc_hash::FxHashSet;
use std::io::Write;

pub(super) struct CoinsText;

const HEADER: &str = "the header 'p coins COINS STRINGS'";

impl Syntax for CoinsText {
    fn name(&self) -> &'static str {
        "coins"
    }

    fn recognises(&self, line: &str) -> bool {
        is_header(line, self.name())
    }

    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        lexer.preamble(HEADER)?;
        if lexer.header_word()? != b"coins" {
            return Err(lexer.unexpected_token("is an unknown header", HEADER));
        }
        let coins = lexer.header_number(MAX_STRINGS as u64, "the number of coins")?;
        let count = lexer.header_number(MAX_STRINGS as u64, "the number of strings")?;
        lexer.expect_line_end()?;
        let (mut strings, mut turn, mut cut) = (Vec::new(), None, None);
        while next_line(lexer)? {
            match lexer.word()? {
                b"turn" if turn.is_some() => return Err(lexer.error("turn is given twice", "")),
                b"cut" if cut.is_some() => return Err(lexer.error("cut is given twice", "")),
                b"turn" => turn = Some(read_side_name(lexer, ["A", "B"])?),
                b"cut" => cut = Some(read_cut(lexer)?),
                b"e" => strings.push(string(lexer, coins)?),
                _ => return Err(lexer.unexpected_token("begins no line of this format", "turn, cut or e")),
            }
            if strings.len() > MAX_STRINGS {
                return Err(lexer.error("the graph is too large", format!("at most {MAX_STRINGS} strings")));
            }
        }
        let read = strings.len();
        check_count(lexer, "string", count, read)?;
        if let Some(&(string, place)) = cut.iter().flatten().find(|&&(string, _)| string >= read) {
            let message = format!("string {} is out of range", string + 1);
            return Err(lexer.error_at(place, &(string + 1).to_string(), message, &format!("1 to {read}")));
        }
        let Some(mut dots) = Dots::graph(coins, strings) else {
            return Err(lexer.error("this is no graph of strings and coins", ""));
        };
        dots.set_turn(turn.unwrap_or(Side::First));
        cut.into_iter().flatten().for_each(|(string, _)| dots.set_cut(string));
        Ok(Problem::Sequential(Sequential::Dots(dots)))
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Problem::Sequential(Sequential::Dots(dots)) = problem else {
            return Err(WriteError::Unsupported("this is not a position of Strings-and-Coins".to_owned()));
        };
        writeln!(out, "p coins {} {}", dots.coins(), dots.strings().len())?;
        writeln!(out, "turn {}", if dots.turn() == Side::First { "A" } else { "B" })?;
        for ends in dots.strings() {
            let [one, two] = ends.map(|end| end.map_or(0, |coin| coin + 1));
            writeln!(out, "e {one} {two}")?;
        }
        let cut: Vec<String> =
            (0..dots.strings().len()).filter(|&s| dots.is_cut(s)).map(|s| (s + 1).to_string()).collect();
        if !cut.is_empty() {
            writeln!(out, "cut {} 0", cut.join(" "))?;
        }
        Ok(())
    }
}

/// The two ends of a string, 0 being the ground.
fn string(lexer: &mut Lexer<'_>, coins: usize) -> Result<[Option<usize>; 2], ReadError> {
    let mut ends = [None; 2];
    for end in &mut ends {
        lexer.skip_blanks()?;
        let number = lexer.number(MAX_STRINGS as u64, "a coin, or 0 for the ground")? as usize;
        if number > coins {
            return Err(lexer.error(format!("coin {number} is out of range"), format!("0 to {coins}")));
        }
        *end = number.checked_sub(1);
    }
    if ends[0] == ends[1] {
        return Err(lexer.error("the string joins something with itself", "two different ends"));
    }
    lexer.expect_line_end()?;
    Ok(ends)
}

/// Strings that are cut, each with its line and column.
type Cut = Vec<(usize, (u64, u64))>;

/// Numbers of strings, each once, with their places, and a final 0. How many strings there are is known at the end.
fn read_cut(lexer: &mut Lexer<'_>) -> Result<Cut, ReadError> {
    let mut cut = Vec::new();
    let mut seen = FxHashSet::default();
    loop {
        lexer.skip_blanks()?;
        if matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
            return Err(lexer.error("the line 'cut' has no final 0", "the number of a string, or 0"));
        }
        let number = lexer.number(MAX_STRINGS as u64, "the number of a string, or 0")? as usize;
        let Some(string) = number.checked_sub(1) else {
            lexer.expect_line_end()?;
            return Ok(cut);
        };
        if !seen.insert(string) {
            return Err(lexer.error(format!("string {number} is cut twice"), ""));
        }
        cut.push((string, lexer.token_place()));
    }
}
