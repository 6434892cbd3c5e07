//! Small grammars on nom: a text in memory, parsers over its bytes, and errors that point into it.
//!
//! The rest of the input is its own place: a parser that fails hands back the rest from where it fails, and how much of
//! that is wrong. The error is then made by the lexer, so that it reads as those of all other formats. Large formats stay on
//! the streaming lexer; here the whole text is read first, up to a limit.

use super::error::ReadError;
use super::lexer::{Lexer, is_space};
use nom::bytes::complete::{take_while, take_while1};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Parser};

/// The longest text that is read whole.
const LONGEST: usize = 64 << 20;

/// A beginning that is looked at before the rest is read.
const BEGINNING: usize = 1 << 16;

/// What a parser gives: the rest of the text and a value, or what is wrong.
pub(super) type Parsed<'t, T> = IResult<&'t [u8], T, Flaw<'t>>;

/// What a step gives that consumes nothing.
pub(super) type Judged<'t, T> = Result<T, Err<Flaw<'t>>>;

/// What is wrong with a text, and where.
#[derive(Debug)]
pub(super) struct Flaw<'t> {
    /// The text from there on.
    at: &'t [u8],
    /// How many bytes of it are wrong.
    width: usize,
    what: What,
    expected: String,
}

#[derive(Debug)]
enum What {
    /// To follow the wrong word: `is no cell`.
    Word(&'static str),
    Message(String),
}

impl<'t> ParseError<&'t [u8]> for Flaw<'t> {
    fn from_error_kind(at: &'t [u8], _: ErrorKind) -> Self {
        Flaw { at, width: 0, what: What::Word("is unexpected"), expected: String::new() }
    }

    fn append(_: &'t [u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// The failure of a word, or of a text that ends where a word should be. No alternative is tried after it.
pub(super) fn wrong<'t, T>(
    word: &'t [u8],
    rest: &'t [u8],
    what: &'static str,
    expected: impl Into<String>,
) -> Judged<'t, T> {
    debug_assert!(word.len() <= rest.len() || word.is_empty());
    Err(Err::Failure(Flaw { at: rest, width: word.len(), what: What::Word(what), expected: expected.into() }))
}

/// A failure in words of its own, about the first bytes of the rest.
pub(super) fn flaw<'t, T>(
    rest: &'t [u8],
    width: usize,
    message: impl Into<String>,
    expected: impl Into<String>,
) -> Judged<'t, T> {
    Err(Err::Failure(Flaw { at: rest, width, what: What::Message(message.into()), expected: expected.into() }))
}

/// Reads the whole text and parses it. Afterwards the lexer stands behind what was parsed.
pub(super) fn parse<T>(
    lexer: &mut Lexer<'_>,
    parser: impl for<'t> Fn(&'t [u8]) -> Parsed<'t, T>,
) -> Result<T, ReadError> {
    parse_whole(lexer, &parser, &parser)
}

/// The same for a text of which only the end says whether its beginning is right: `syntax` is what a beginning can be held to.
pub(super) fn parse_whole<S, T>(
    lexer: &mut Lexer<'_>,
    syntax: impl for<'t> Fn(&'t [u8]) -> Parsed<'t, S>,
    parser: impl for<'t> Fn(&'t [u8]) -> Parsed<'t, T>,
) -> Result<T, ReadError> {
    // Garbage is refused as soon as it is seen: what is wrong in a beginning stays wrong, unless it reaches its end.
    while lexer.window().len() < BEGINNING && lexer.more()? {}
    let text = lexer.window().to_vec();
    if let Err(Err::Error(flaw) | Err::Failure(flaw)) = syntax(&text)
        && flaw.at.len() > flaw.width + 1
    {
        return Err(refused(lexer, &text, flaw));
    }
    while lexer.window().len() <= LONGEST && lexer.more()? {}
    if lexer.window().len() > LONGEST {
        return Err(lexer.error("the file is too long", format!("at most {} MB", LONGEST >> 20)));
    }
    let text = lexer.window().to_vec();
    let flaw = match parser(&text) {
        Ok((rest, value)) => {
            lexer.advance(text.len() - rest.len());
            lexer.mark();
            return Ok(value);
        }
        Err(Err::Error(flaw) | Err::Failure(flaw)) => flaw,
        Err(Err::Incomplete(_)) => unreachable!("the text is complete"),
    };
    Err(refused(lexer, &text, flaw))
}

/// The error about a flaw in the text that the lexer stands before.
fn refused(lexer: &mut Lexer<'_>, text: &[u8], flaw: Flaw<'_>) -> ReadError {
    lexer.advance(text.len() - flaw.at.len());
    lexer.mark();
    lexer.advance(flaw.width);
    match flaw.what {
        What::Word(what) => lexer.unexpected_token(what, flaw.expected),
        What::Message(message) => lexer.error(message, flaw.expected),
    }
}

/// The first character of a text, whole where it is one of several bytes.
pub(super) fn character(input: &[u8]) -> &[u8] {
    let width = (1..=4).find(|&width| input.get(..width).is_some_and(|bytes| str::from_utf8(bytes).is_ok()));
    &input[..width.unwrap_or(1).min(input.len())]
}

/// Spaces and tabs on a line.
pub(super) fn blanks(input: &[u8]) -> Parsed<'_, &[u8]> {
    take_while(|byte| is_space(byte) && byte != b'\n').parse(input)
}

/// White space, line ends included.
pub(super) fn white(input: &[u8]) -> Parsed<'_, &[u8]> {
    take_while(is_space).parse(input)
}

/// A word: everything up to white space.
pub(super) fn word(input: &[u8]) -> Parsed<'_, &[u8]> {
    take_while1(|byte| !is_space(byte)).parse(input)
}

/// The next word of the line, empty at its end, and the text from its beginning.
pub(super) fn next_word(input: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    let (start, _) = blanks(input)?;
    let (rest, word) = take_while(|byte| !is_space(byte)).parse(start)?;
    Ok((rest, (word, start)))
}

/// The same where blanks are to be plain ones: in strict mode a tab or a carriage return is an error.
pub(super) fn next_plain_word(input: &[u8], strict: bool) -> Parsed<'_, (&[u8], &[u8])> {
    let (rest, (word, start)) = next_word(input)?;
    let blanks = &input[..input.len() - start.len()];
    match blanks.iter().position(|&byte| byte != b' ').filter(|_| strict) {
        None => Ok((rest, (word, start))),
        Some(at) if blanks[at] == b'\t' => flaw(&input[at..], 1, "a tab separates words", ""),
        Some(at) if input[at..].starts_with(b"\r\n") => flaw(&input[at..], 2, "the line ends in CR LF", ""),
        Some(at) => flaw(&input[at..], 1, "a carriage return separates words", ""),
    }
}

/// The end of the line, and after it lines that are blank or comments (`c`), up to the next word.
pub(super) fn line_end(input: &[u8]) -> Parsed<'_, ()> {
    let (rest, _) = blanks(input)?;
    match rest.first() {
        None => Ok((rest, ())),
        Some(b'\n') => idle_lines(rest),
        Some(_) => {
            let (_, extra) = word(rest)?;
            wrong(extra, rest, "is too much", "the end of the line")
        }
    }
}

/// Lines that are blank or comments (`c`), up to the next word.
pub(super) fn idle_lines(mut input: &[u8]) -> Parsed<'_, ()> {
    loop {
        let (rest, _) = white(input)?;
        if rest.first() != Some(&b'c') || rest.get(1).is_some_and(|&byte| !is_space(byte)) {
            return Ok((rest, ()));
        }
        (input, _) = take_while(|byte| byte != b'\n').parse(rest)?;
    }
}
