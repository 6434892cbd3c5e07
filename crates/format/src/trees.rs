//! Proofs of Shannon's edge game: the trees or forests between which the winner always has an answer. Grammar:
//! `grammars/trees.ebnf`.
//!
//! ```text
//! p trees short             who wins
//! move 3 0                  by taking edge 3 first, if the winner is to move and needs it; then, moving second, because
//! tree 1 2 0                of two trees on the same vertices, the terminals among them
//! tree 4 5 0
//! ```
//! Instead of the trees `joined` says that Short's edges join the terminals. Cut's proof is two lines `forest` and a line
//! `contracted`. Edges have the numbers of the board, from 1, and every list ends in 0. What the lists mean, and why that is
//! a proof, is said in `crates/check/src/proof/edge_game.rs`.

use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::proof::has_header;
use super::span::{self, Parsed, flaw, idle_lines, line_end, next_word, wrong};
use gamesat_core::formula::{Reason, Trees};
use std::io::{Read, Write};

const HEADER: &str = "the header 'p trees short|cut'";
/// Edges beyond this number are refused: no board has them.
const MOST: usize = i32::MAX as usize;

/// Whether a text that begins like this is a proof by trees rather than something else.
pub fn is_trees(first_bytes: &[u8]) -> bool {
    has_header(first_bytes, b"trees")
}

/// Reads a proof by trees. `name` is what errors call the input.
///
/// # Errors
/// Text that is not in the format, and input that cannot be read.
pub fn read_trees(source: &mut dyn Read, name: &str) -> Result<Trees, ReadError> {
    let lexer = &mut Lexer::new(source, name, false);
    lexer.skip_byte_order_mark()?;
    span::parse(lexer, trees)
}

/// Writes a proof by trees.
///
/// # Errors
/// Output that fails.
pub fn write_trees(trees: &Trees, out: &mut dyn Write) -> Result<(), WriteError> {
    let winner = if matches!(trees.reason, Reason::Forests(..)) { "cut" } else { "short" };
    writeln!(out, "p trees {winner}")?;
    let mut line = |word: &str, edges: &[usize]| -> std::io::Result<()> {
        let numbers: String = edges.iter().map(|edge| format!(" {}", edge + 1)).collect();
        writeln!(out, "{word}{numbers} 0")
    };
    if let Some(edge) = trees.key {
        line("move", &[edge])?;
    }
    match &trees.reason {
        Reason::Joined => writeln!(out, "joined")?,
        Reason::Trees(pair) => pair.iter().try_for_each(|tree| line("tree", tree))?,
        Reason::Forests(pair, contracted) => {
            pair.iter().try_for_each(|forest| line("forest", forest))?;
            line("contracted", contracted)?;
        }
    }
    Ok(())
}

fn trees(input: &[u8]) -> Parsed<'_, Trees> {
    let (input, ()) = idle_lines(input)?;
    let (input, _) = keyword(input, &["p"], "is no header", HEADER)?;
    let (input, _) = keyword(input, &["trees"], "is an unknown header", HEADER)?;
    let (input, cut) = keyword(input, &["short", "cut"], "is no side", "short or cut")?;
    let (input, ()) = line_end(input)?;
    let reasons: &[&str] = if cut == 1 { &["forest", "move"] } else { &["tree", "joined", "move"] };
    let (mut input, mut first) = keyword(input, reasons, "begins no line of this proof", reasons.join(" or "))?;
    let mut key = None;
    if reasons[first] == "move" {
        let (rest, (edges, start)) = edges(input)?;
        let [edge] = edges[..] else {
            return flaw(start, 0, format!("there are {} edges", edges.len()), "one edge to move");
        };
        key = Some(edge);
        let (rest, ()) = line_end(rest)?;
        let reasons = &reasons[..reasons.len() - 1];
        (input, first) = keyword(rest, reasons, "begins no line of this proof", reasons.join(" or "))?;
    }
    if reasons[first] == "joined" {
        let (input, ()) = end(input)?;
        return Ok((input, Trees { key, reason: Reason::Joined }));
    }
    let (input, (one, _)) = edges(input)?;
    let (input, ()) = line_end(input)?;
    let (input, _) = keyword(input, &reasons[..1], "is not the second of them", reasons[0])?;
    let (input, (two, _)) = edges(input)?;
    if cut == 0 {
        let (input, ()) = end(input)?;
        return Ok((input, Trees { key, reason: Reason::Trees([one, two]) }));
    }
    let (input, ()) = line_end(input)?;
    let (input, _) = keyword(input, &["contracted"], "is not what is contracted", "contracted")?;
    let (input, (contracted, _)) = edges(input)?;
    let (input, ()) = end(input)?;
    Ok((input, Trees { key, reason: Reason::Forests([one, two], contracted) }))
}

/// One of these words; says which.
fn keyword<'t>(input: &'t [u8], known: &[&str], what: &'static str, expected: impl Into<String>) -> Parsed<'t, usize> {
    let (rest, (word, start)) = next_word(input)?;
    match known.iter().position(|known| known.as_bytes() == word) {
        Some(which) => Ok((rest, which)),
        None => wrong(word, start, what, expected),
    }
}

/// Edges by number, up to the final 0, and the text from that.
fn edges(mut input: &[u8]) -> Parsed<'_, (Vec<usize>, &[u8])> {
    let mut edges = Vec::new();
    loop {
        let (rest, (word, start)) = next_word(input)?;
        let digit = |number: usize, &byte: &u8| {
            byte.is_ascii_digit().then(|| number.saturating_mul(10).saturating_add(usize::from(byte - b'0')))
        };
        match word.iter().try_fold(0, digit).filter(|_| !word.is_empty()) {
            None => return wrong(word, start, "is no edge", "the number of an edge, or 0"),
            Some(0) => return Ok((rest, (edges, start))),
            Some(number) if number > MOST => return wrong(word, start, "is too large", format!("at most {MOST}")),
            Some(number) => edges.push(number - 1),
        }
        input = rest;
    }
}

/// The end of the text.
fn end(input: &[u8]) -> Parsed<'_, ()> {
    let (rest, ()) = line_end(input)?;
    let (_, (word, start)) = next_word(rest)?;
    if word.is_empty() { Ok((rest, ())) } else { wrong(word, start, "is too much", "the end of the file") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Trees, String> {
        read_trees(&mut text.as_bytes(), "t").map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "p trees short\njoined\n",
            "p trees short\nmove 3 0\ntree 1 2 0\ntree 4 5 0\n",
            "p trees cut\nforest 1 0\nforest 0\ncontracted 2 3 0\n",
        ] {
            let trees = read(text).unwrap();
            let mut written = Vec::new();
            write_trees(&trees, &mut written).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), text);
            assert!(is_trees(text.as_bytes()));
            assert_eq!(read(&format!("c made by hand\n\n{}c the end", text.replace('\n', "  \r\n"))), Ok(trees));
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        let message = |text: &str| read(text).unwrap_err();
        assert_eq!(message("p trees white\n"), "t:1:9: 'white' is no side, expected short or cut");
        assert_eq!(
            message("p trees short\ntree 1 x 0\n"),
            "t:2:8: 'x' is no edge, expected the number of an edge, or 0"
        );
        assert_eq!(
            message("p trees short\ntree 1 2\ntree 3 0\n"),
            "t:2:9: the line ends too early, expected the number of an edge, or 0"
        );
        assert_eq!(message("p trees short\ntree 1 0"), "t:2:9: the file ends too early, expected tree");
    }
}
