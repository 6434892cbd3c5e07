//! Reduced games: a GAME-SAT file whose comments say what a win of the game it came from needs beyond it.
//!
//! `c promise SET PLAYER NAME=COLOUR ...`, before the header: whenever the opponent moves in the set of this number, the
//! player answers there, so that in the end one of these elements has the colour beside it. Elements are those of the larger
//! game, by name. Every element of the reduced game has the name of the one that it comes from; other comments mean nothing.

use super::error::{ReadError, SyntaxError};
use super::within::stop_reason;
use super::{Format, ReadOptions};
use gamesat_core::Problem;
use gamesat_core::formula::{Lit, Player, Promise, Reduction, Var};
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};

/// Writes what a reduction promises, as comments. `name` says what the larger game calls an element.
///
/// # Errors
/// Output that fails.
pub fn write_promises(promises: &[Promise], name: impl Fn(Var) -> String, out: &mut dyn Write) -> io::Result<()> {
    for (set, promise) in promises.iter().enumerate() {
        for row in &promise.rows {
            write!(out, "c promise {} {}", set + 1, promise.captor)?;
            for lit in row {
                write!(out, " {}={}", name(lit.var()), if lit.is_positive() { "TRUE" } else { "FALSE" })?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Reads a reduced game. `find` says which element of the larger game has a name.
///
/// # Errors
/// Text that is no GAME-SAT file, promises that are none or about unknown elements, and input that cannot be read.
pub fn read_reduction(
    source: &mut dyn Read,
    name: &str,
    find: impl Fn(&str) -> Option<Var>,
) -> Result<Reduction, ReadError> {
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut sets: BTreeMap<u32, Promise> = BTreeMap::new();
    let mut line = Vec::new();
    let mut passed = 0;
    loop {
        line.clear();
        let failed = |source: io::Error| match stop_reason(&source) {
            Some(reason) => ReadError::Stopped(reason.clone()),
            None => ReadError::Io { name: name.to_owned(), line: passed + 1, source },
        };
        source.read_until(b'\n', &mut line).map_err(failed)?;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("c") if words.next() == Some("promise") => {
                promise(text, &mut sets, &find).map_err(|slip| slip.at(text, name, passed + 1))?;
            }
            Some("c") => {}
            None if !line.is_empty() => {}
            _ => break,
        }
        passed += 1;
    }
    // Blank lines stand for what was read, so that errors name the right line.
    let blank = io::repeat(b'\n').take(passed);
    let options = ReadOptions { format: Some(Format::Gamesat), ..ReadOptions::default() };
    let game = match super::read(&mut blank.chain(line.as_slice()).chain(source), name, &options)?.problem {
        Problem::Game(game) => game,
        _ => {
            let slip =
                Slip { word: 0, message: "elements for one player alone were never reduced".to_owned(), expected: "" };
            return Err(slip.at("", name, passed + 1));
        }
    };
    let origin = (0..game.elements()).map(|element| find(game.names.get(Var::from_index(element))?)).collect();
    Ok(Reduction { game, origin, promises: sets.into_values().collect() })
}

/// What is wrong with a word of a line.
struct Slip {
    word: usize,
    message: String,
    expected: &'static str,
}

impl Slip {
    fn at(self, line: &str, name: &str, number: u64) -> ReadError {
        let word = line.split_ascii_whitespace().nth(self.word).unwrap_or_default();
        let start = if word.is_empty() { line.len() } else { word.as_ptr() as usize - line.as_ptr() as usize };
        let column = line[..start].chars().count();
        ReadError::Syntax(Box::new(SyntaxError {
            name: name.to_owned(),
            line: number,
            column: column as u64 + 1,
            width: word.chars().count().max(1),
            snippet: line.to_owned(),
            snippet_column: column,
            message: self.message,
            expected: self.expected.to_owned(),
        }))
    }
}

/// Reads `c promise SET PLAYER NAME=COLOUR ...`.
fn promise(line: &str, sets: &mut BTreeMap<u32, Promise>, find: &impl Fn(&str) -> Option<Var>) -> Result<(), Slip> {
    let slip = |word: usize, message: String, expected| Slip { word, message, expected };
    let mut words = line.split_ascii_whitespace().enumerate().skip(2);
    let (at, number) = words.next().unwrap_or((2, ""));
    let Ok(set) = number.parse::<u32>() else {
        return Err(slip(at, format!("'{number}' is no set"), "the number of a set"));
    };
    let (at, player) = words.next().unwrap_or((3, ""));
    let captor = match player {
        "max" => Player::Max,
        "min" => Player::Min,
        _ => return Err(slip(at, format!("'{player}' is not a player"), "max or min")),
    };
    let row: Result<Vec<Lit>, Slip> = words
        .map(|(at, word)| {
            let expected = "NAME=TRUE or NAME=FALSE";
            let unknown = || slip(at, format!("'{word}' is no colour of an element"), expected);
            let (name, colour) = word.rsplit_once('=').ok_or_else(unknown)?;
            let colour = match colour {
                "TRUE" => true,
                "FALSE" => false,
                _ => return Err(unknown()),
            };
            let nobody = || slip(at, format!("there is no element '{name}' in the larger game"), expected);
            Ok(find(name).ok_or_else(nobody)?.lit(colour))
        })
        .collect();
    let row = row?;
    if row.is_empty() {
        return Err(slip(4, "nothing is promised".to_owned(), "NAME=TRUE or NAME=FALSE"));
    }
    let promise = sets.entry(set).or_insert(Promise { captor, rows: Vec::new() });
    if promise.captor != captor {
        return Err(slip(3, format!("set {set} is the other player's"), "one player for each set"));
    }
    promise.rows.push(row);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Reduction, String> {
        let find = |name: &str| ["a", "b", "x"].iter().position(|&other| other == name).map(Var::from_index);
        read_reduction(&mut text.as_bytes(), "r", find).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_back() {
        let lit = |n: i32| Lit::from_dimacs(n);
        let promises = [Promise { captor: Player::Max, rows: vec![vec![lit(1), lit(-2)], vec![lit(2)]] }];
        let mut text = Vec::new();
        write_promises(&promises, |var| ["a", "b", "x"][var.index()].to_owned(), &mut text).unwrap();
        assert_eq!(
            String::from_utf8(text.clone()).unwrap(),
            "c promise 1 max a=TRUE b=FALSE\nc promise 1 max b=TRUE\n"
        );
        text.extend_from_slice(b"c filled a TRUE max\n\np gamesat cnf 2 1\nname 1 x\n1 0\n");
        let read = read(&String::from_utf8(text).unwrap()).unwrap();
        assert_eq!(read.promises, promises);
        assert_eq!(read.origin, [Some(Var::from_index(2)), None]);
    }

    #[test]
    fn errors_say_where_and_what() {
        let message = |text: &str| read(text).unwrap_err();
        assert_eq!(
            message("c promise 1 max a=TRUE z=TRUE\np gamesat cnf 0 0\n"),
            "r:1:24: there is no element 'z' in the larger game, expected NAME=TRUE or NAME=FALSE"
        );
        assert_eq!(message("c promise 1 you a=TRUE\n"), "r:1:13: 'you' is not a player, expected max or min");
        assert_eq!(message("c promise one\n"), "r:1:11: 'one' is no set, expected the number of a set");
        assert_eq!(message("c promise 1 max\n"), "r:1:16: nothing is promised, expected NAME=TRUE or NAME=FALSE");
        assert!(message("c promise 1 max a\n").starts_with("r:1:17: 'a' is no colour of an element"));
        assert!(message("c promise 1 max a=TRUE\nc promise 1 min b=TRUE\n").starts_with("r:2:13: set 1 is the other"));
        assert!(message("c one\n\np gamesat cnf 1 1\n2 0\n").starts_with("r:4:1: "));
        assert!(message("").starts_with("r:1:1: "));
    }
}
