//! Strategies as trees that people can read. Grammar: `grammars/autotree.ebnf`.
//!
//! ```text
//! p autotree max                 whose strategy it is
//! c2 (b3 | c3) (d1 | c1)         play c2; of b3 and c3 get one, and of d1 and c1
//! ```
//! In the place of an element stands a plan of its own, with choices behind it; `*` is a plan without a move. A minus before
//! an element is the other player's colour.

use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::proof::has_header;
use super::span::{self, Parsed, flaw, idle_lines, line_end, next_word, white, wrong};
use gamesat_core::formula::{Autotree, AutotreePart, Player};
use nom::Parser;
use nom::bytes::complete::take_while;
use std::io::{Read, Write};

const HEADER: &str = "the header 'p autotree max|min'";
/// Indentation beyond this many choices inside each other helps nobody.
const DEEPEST: usize = 40;

/// Whether a text that begins like this is an autotree rather than something else.
pub fn is_autotree(first_bytes: &[u8]) -> bool {
    has_header(first_bytes, b"autotree")
}

/// Reads an autotree. `name` is what errors call the input.
///
/// # Errors
/// Text that is not in the format, and input that cannot be read.
pub fn read_autotree(source: &mut dyn Read, name: &str) -> Result<Autotree, ReadError> {
    let lexer = &mut Lexer::new(source, name, false);
    lexer.skip_byte_order_mark()?;
    span::parse(lexer, autotree)
}

/// Writes an autotree, a line for every choice that holds others.
///
/// # Errors
/// Output that fails.
pub fn write_autotree(tree: &Autotree, out: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(out, "p autotree {}", tree.winner())?;
    let parts = tree.parts();
    let mut depth = 0usize;
    let line_break = |depth: usize, out: &mut dyn Write| write!(out, "\n{:1$}", "", 2 * depth.min(DEEPEST));
    for (at, part) in parts.iter().enumerate() {
        match part {
            AutotreePart::Play(label) => write!(out, "{}", tree.labels()[*label as usize])?,
            AutotreePart::Keep => write!(out, "*")?,
            AutotreePart::Open => {
                // A choice between single moves stays on its line.
                let rest = parts[at + 1..].iter();
                let is_flat =
                    rest.take_while(|part| **part != AutotreePart::Close).all(|part| *part != AutotreePart::Open);
                depth += 1;
                if is_flat {
                    write!(out, " ")?;
                } else {
                    line_break(depth, out)?;
                }
                write!(out, "(")?;
            }
            AutotreePart::Or => {
                let holds_choices = parts[at - 1] == AutotreePart::Close;
                if holds_choices {
                    line_break(depth, out)?;
                    write!(out, "| ")?;
                } else {
                    write!(out, " | ")?;
                }
            }
            AutotreePart::Close => {
                depth -= 1;
                write!(out, ")")?;
            }
        }
    }
    writeln!(out)?;
    Ok(())
}

fn autotree(input: &[u8]) -> Parsed<'_, Autotree> {
    let (input, ()) = idle_lines(input)?;
    let (input, _) = keyword(input, &["p"], "is no header", HEADER)?;
    let (input, _) = keyword(input, &["autotree"], "is an unknown header", HEADER)?;
    let (input, min) = keyword(input, &["max", "min"], "is no player", "max or min")?;
    if !matches!(input.iter().find(|&&byte| byte != b' ' && byte != b'\t' && byte != b'\r'), None | Some(b'\n')) {
        let (_, ()) = line_end(input)?;
    }
    let mut labels = Vec::new();
    let mut parts = Vec::new();
    let (mut depth, mut wants_plan) = (0usize, true);
    let (mut input, _) = white(input)?;
    while let Some(&first) = input.first() {
        let start = input;
        let mut rest = &input[1..];
        match (first, wants_plan) {
            (b'(', false) => {
                parts.push(AutotreePart::Open);
                (depth, wants_plan) = (depth + 1, true);
            }
            (b'|', false) if depth > 0 => {
                parts.push(AutotreePart::Or);
                wants_plan = true;
            }
            (b')', false) if depth > 0 => {
                parts.push(AutotreePart::Close);
                depth -= 1;
            }
            (b'*', true) => {
                parts.push(AutotreePart::Keep);
                wants_plan = false;
            }
            (_, true) => {
                let (after, word) = take_while(is_label).parse(start)?;
                let digits = word.strip_prefix(b"-").unwrap_or(word);
                if digits.is_empty() || digits.contains(&b'-') {
                    let width = word.len().max(1);
                    return flaw(start, width, "there is no element", "an element or '*'");
                }
                parts.push(AutotreePart::Play(labels.len() as u32));
                labels.push(String::from_utf8_lossy(word).into_owned());
                wants_plan = false;
                rest = after;
            }
            (_, false) => {
                let expected = if depth > 0 { "'(', '|' or ')'" } else { "'(' or the end of the file" };
                return flaw(start, 1, "this does not go on the tree", expected);
            }
        }
        (input, _) = white(rest)?;
    }
    if wants_plan {
        return flaw(input, 0, "the tree ends too early", "an element or '*'");
    }
    if depth > 0 {
        return flaw(input, 0, "the tree ends too early", "'(', '|' or ')'");
    }
    let winner = if min == 1 { Player::Min } else { Player::Max };
    match Autotree::new(winner, labels, parts) {
        Some(tree) => Ok((input, tree)),
        None => flaw(input, 0, "this is no tree", ""),
    }
}

/// Letters and digits of names, and the minus before them.
fn is_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// One of these words; says which.
fn keyword<'t>(input: &'t [u8], known: &[&str], what: &'static str, expected: &str) -> Parsed<'t, usize> {
    let (rest, (word, start)) = next_word(input)?;
    match known.iter().position(|known| known.as_bytes() == word) {
        Some(which) => Ok((rest, which)),
        None => wrong(word, start, what, expected),
    }
}
