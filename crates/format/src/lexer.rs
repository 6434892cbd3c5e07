//! The byte lexer under every format: chunked reading, places, numbers, words, white space.
//!
//! Only a window of the input is in memory: the current token, a little of its line for error messages, and what was
//! read ahead. Lines and columns are not counted token by token; they are counted once per chunk when it leaves the
//! window, and once more when an error needs its place. So the inner loop of a reader is a compare and an add per byte,
//! and a gigabyte of garbage costs no more than its first chunk.

use super::error::{ReadError, SyntaxError, Warning};
use super::within::stop_reason;
use gamesat_core::formula::digits;
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{ErrorKind, Read};

/// Bytes read at a time.
const CHUNK: usize = 128 * 1024;
/// Bytes of the line before the current token that stay in the window, for the snippet.
const CONTEXT: usize = 256;
/// The longest word (number, name) that is taken. Longer ones are refused, so that no token can fill the memory.
pub(super) const MAX_WORD: usize = 64 * 1024;
/// The longest line that is taken as a whole.
const SHORT_LINE: usize = 1024;
/// After so many warnings no more are kept.
const MAX_WARNINGS: usize = 20;
/// Characters of a line that an error shows on either side of the place.
const SNIPPET: usize = 60;

/// What some editors put in front of UTF-8 text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whether a byte separates words.
#[inline]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// Which bytes belong to a kind of word.
pub(super) type Class = [bool; 256];

/// The class of ASCII letters, digits and these bytes.
pub(super) const fn alphanumeric_and(others: &[u8]) -> Class {
    let mut class = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        class[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut index = 0;
    while index < others.len() {
        class[others[index] as usize] = true;
        index += 1;
    }
    class
}

/// A reader's view of its input, with the options and warnings of the run.
pub(super) struct Lexer<'a> {
    source: &'a mut dyn Read,
    name: &'a str,
    /// Every tolerated oddity is an error.
    pub(super) strict: bool,
    /// A text that is shorter than its header announces is tolerated, too.
    pub(super) tolerant: bool,
    /// A single word is no formula: nothing says that it is one.
    pub(super) refuses_word: bool,
    /// After how many moves a game record is left.
    pub(super) ply: Option<usize>,
    /// What was tolerated and should be said.
    pub(super) warnings: Vec<Warning>,
    buffer: Vec<u8>,
    /// The next byte is `buffer[at]`; the window's bytes are `buffer[..end]`.
    at: usize,
    end: usize,
    /// Where the current token begins, for errors; at most `at`.
    token: usize,
    exhausted: bool,
    /// Bytes and whole lines that have left the window, and characters of the line that is cut by its beginning.
    gone: u64,
    gone_lines: u64,
    gone_columns: u64,
    /// A position in the window with its line and column.
    last_place: Cell<(usize, u64, u64)>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a mut dyn Read, name: &'a str, strict: bool) -> Self {
        Lexer {
            source,
            name,
            strict,
            tolerant: false,
            refuses_word: false,
            ply: None,
            warnings: Vec::new(),
            buffer: Vec::new(),
            at: 0,
            end: 0,
            token: 0,
            exhausted: false,
            gone: 0,
            gone_lines: 0,
            gone_columns: 0,
            last_place: Cell::new((0, 1, 1)),
        }
    }

    // ---- bytes ----

    /// The next byte, or `None` at the end.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        if self.at < self.end || self.more()? { Ok(Some(self.buffer[self.at])) } else { Ok(None) }
    }

    /// The byte after the next `offset` ones, or `None` beyond the end.
    pub(super) fn peek_at(&mut self, offset: usize) -> Result<Option<u8>, ReadError> {
        while self.end - self.at <= offset {
            if !self.more()? {
                return Ok(None);
            }
        }
        Ok(Some(self.buffer[self.at + offset]))
    }

    /// The next character. There must be one: [`peek`](Self::peek) first.
    ///
    /// # Errors
    /// Bytes that are not UTF-8.
    pub(super) fn character(&mut self) -> Result<char, ReadError> {
        if let Some(byte @ 0..0x80) = self.peek()? {
            return Ok(char::from(byte));
        }
        self.peek_at(3)?;
        let window = &self.window()[..self.window().len().min(4)];
        let first = window.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        if let Some(character) = first {
            return Ok(character);
        }
        self.mark();
        let byte = self.window().first().copied().unwrap_or(0);
        self.advance(self.window().len().min(1));
        Err(self.error(format!("byte 0x{byte:02x} is not UTF-8 text"), ""))
    }

    /// The bytes that are read but not yet consumed.
    pub(super) fn window(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Steps over bytes that [`peek_at`](Self::peek_at) or [`window`](Self::window) has shown.
    #[inline]
    pub(super) fn advance(&mut self, bytes: usize) {
        debug_assert!(self.at + bytes <= self.end);
        self.at += bytes;
    }

    /// Declares the next byte to be the beginning of a token: errors point at it.
    #[inline]
    pub(super) fn mark(&mut self) {
        self.token = self.at;
    }

    /// Goes back to the beginning of the current token.
    pub(super) fn rewind(&mut self) {
        self.at = self.token;
    }

    /// The bytes of the current token, from the mark to the next byte.
    pub(super) fn token(&self) -> &[u8] {
        &self.buffer[self.token..self.at]
    }

    /// Reads on. False at the end of the input.
    #[cold]
    pub(super) fn more(&mut self) -> Result<bool, ReadError> {
        if self.exhausted {
            return Ok(false);
        }
        self.forget();
        if self.buffer.len() < self.end + CHUNK {
            self.buffer.resize(self.end + CHUNK, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.exhausted = true;
                    return Ok(false);
                }
                Ok(bytes) => {
                    self.end += bytes;
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => {
                    if let Some(reason) = stop_reason(&source) {
                        return Err(ReadError::Stopped(reason.clone()));
                    }
                    let line = self.place(self.at).0;
                    return Err(ReadError::Io { name: self.name.to_owned(), line, source });
                }
            }
        }
    }

    /// Lets what lies before the current token and its context leave the window.
    fn forget(&mut self) {
        let gone = self.token.saturating_sub(CONTEXT);
        if gone == 0 {
            return;
        }
        let (line, column) = self.place(gone);
        (self.gone_lines, self.gone_columns) = (line - 1, column - 1);
        self.last_place.set((0, line, column));
        self.gone += gone as u64;
        self.buffer.copy_within(gone..self.end, 0);
        self.at -= gone;
        self.end -= gone;
        self.token -= gone;
    }

    // ---- places and errors ----

    /// Line and column of a position in the window, 1-based.
    fn place(&self, at: usize) -> (u64, u64) {
        // Count on from the last place that was asked for, so that asking at every word stays linear.
        let (from, line, column) = match self.last_place.get() {
            last if last.0 <= at => last,
            _ => (0, self.gone_lines + 1, self.gone_columns + 1),
        };
        let between = &self.buffer[from..at];
        let lines = count(between, |byte| byte == b'\n') as u64;
        let place = match between.iter().rposition(|&byte| byte == b'\n') {
            Some(newline) => (line + lines, characters(&between[newline + 1..]) as u64 + 1),
            None => (line, column + characters(between) as u64),
        };
        self.last_place.set((at, place.0, place.1));
        place
    }

    /// Line and column of the current token, 1-based.
    pub(super) fn token_place(&self) -> (u64, u64) {
        self.place(self.token)
    }

    /// An error about a word that was read before, at that place.
    pub(super) fn error_at(&self, place: (u64, u64), word: &str, message: String, expected: &str) -> ReadError {
        ReadError::Syntax(Box::new(SyntaxError {
            name: self.name.to_owned(),
            line: place.0,
            column: place.1,
            width: word.chars().count().max(1),
            snippet: word.to_owned(),
            snippet_column: 0,
            message,
            expected: expected.to_owned(),
        }))
    }

    /// The line of the current token.
    pub(super) fn line(&self) -> u64 {
        self.place(self.token).0
    }

    /// Whether the next byte is the first of its line.
    pub(super) fn at_line_start(&self) -> bool {
        if self.at == 0 { self.gone == 0 } else { self.buffer[self.at - 1] == b'\n' }
    }

    /// An error that points at the current token (from the mark to the next byte).
    pub(super) fn error(&mut self, message: impl Into<String>, expected: impl Into<String>) -> ReadError {
        // The rest of the line belongs into the snippet, if it can be had.
        while !self.buffer[self.at..self.end].contains(&b'\n') && self.end - self.at < 4 * SNIPPET {
            if !matches!(self.more(), Ok(true)) {
                break;
            }
        }
        let (line, column) = self.place(self.token);
        let window = &self.buffer[..self.end];
        let start = window[..self.token].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let stop = window[self.token..].iter().position(|&byte| byte == b'\n').map_or(self.end, |n| self.token + n);
        let before = visible(&window[start..self.token]);
        let wrong = self.at.min(stop).max(self.token);
        let width = visible(&window[self.token..wrong]).chars().count();
        let after = visible(window[self.token..stop].strip_suffix(b"\r").unwrap_or(&window[self.token..stop]));
        let skipped = before.chars().count().saturating_sub(SNIPPET);
        let mut snippet: String = before.chars().skip(skipped).collect();
        let snippet_column = snippet.chars().count();
        snippet.extend(after.chars().take(SNIPPET));
        ReadError::Syntax(Box::new(SyntaxError {
            name: self.name.to_owned(),
            line,
            column,
            width: width.clamp(1, SNIPPET),
            snippet,
            snippet_column,
            message: message.into(),
            expected: expected.into(),
        }))
    }

    /// An error about the word that begins at the next byte: `'x12' is not a number, expected …`.
    pub(super) fn unexpected(&mut self, what: &str, expected: impl Into<String>) -> ReadError {
        self.mark();
        if let Err(error) = self.skip_word() {
            return error;
        }
        self.unexpected_token(what, expected)
    }

    /// An error about the current token: `'x12' is not a number, expected …`, or that the file ends if it is empty.
    pub(super) fn unexpected_token(&mut self, what: &str, expected: impl Into<String>) -> ReadError {
        let message = if self.token().is_empty() {
            match self.peek() {
                Err(error) => return error,
                Ok(None) => {
                    self.mark_end();
                    "the file ends too early".to_owned()
                }
                Ok(Some(_)) => "the line ends too early".to_owned(),
            }
        } else {
            let token = self.token();
            let binary = token.iter().find(|byte| byte.is_ascii_control());
            match (binary, std::str::from_utf8(token)) {
                (Some(byte), _) => format!("byte 0x{byte:02x} is not text"),
                // A character that is cut off at the end of a very long word is no mistake.
                (None, Err(error)) if error.error_len().is_some() || token.len() < MAX_WORD => {
                    format!("byte 0x{:02x} is not UTF-8 text", token[error.valid_up_to()])
                }
                _ => format!("'{}' {what}", shortened(token)),
            }
        };
        self.error(message, expected)
    }

    /// Whether oddities are errors.
    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }

    /// The error of an oddity that is tolerated by default; points at the current token.
    ///
    /// # Errors
    /// In strict mode.
    pub(super) fn tolerate(&mut self, message: &str) -> Result<(), ReadError> {
        if self.strict { Err(self.error(message, String::new())) } else { Ok(()) }
    }

    /// The error of an oddity that is tolerated by default, but not silently.
    ///
    /// # Errors
    /// In strict mode.
    pub(super) fn warn(&mut self, message: String) -> Result<(), ReadError> {
        if self.strict {
            return Err(self.error(message, String::new()));
        }
        self.note(message);
        Ok(())
    }

    /// Something that the format allows and that should be said all the same.
    pub(super) fn note(&mut self, message: String) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Warning { line: self.line(), message });
        }
    }

    // ---- white space ----

    /// Steps over white space, line ends included, and marks what follows.
    #[inline]
    pub(super) fn skip_space(&mut self) -> Result<(), ReadError> {
        loop {
            let window = &self.buffer[self.at..self.end];
            if let Some(blanks) = window.iter().position(|&byte| !is_space(byte)) {
                self.at += blanks;
                self.token = self.at;
                return Ok(());
            }
            self.at = self.end;
            self.token = self.at;
            if !self.more()? {
                return Ok(());
            }
        }
    }

    /// Steps over white space inside a line and marks what follows: a word, a line end or the end of the input.
    ///
    /// # Errors
    /// In strict mode, a tab.
    pub(super) fn skip_blanks(&mut self) -> Result<(), ReadError> {
        loop {
            self.mark();
            match self.peek()? {
                Some(b' ') => self.advance(1),
                Some(b'\t') => {
                    self.advance(1);
                    self.tolerate("a tab separates words")?;
                }
                Some(b'\r') if self.peek_at(1)? != Some(b'\n') => {
                    self.advance(1);
                    self.tolerate("a carriage return separates words")?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Steps over a line end, if one is next.
    ///
    /// # Errors
    /// In strict mode, a carriage return.
    pub(super) fn line_end(&mut self) -> Result<bool, ReadError> {
        self.mark();
        match self.peek()? {
            Some(b'\n') => self.advance(1),
            Some(b'\r') if self.peek_at(1)? == Some(b'\n') => {
                self.advance(2);
                self.tolerate("the line ends in CR LF")?;
            }
            _ => return Ok(false),
        }
        self.mark();
        Ok(true)
    }

    /// The rest of the line, if it is a short one. Nothing is consumed.
    pub(super) fn short_line(&mut self) -> Result<Option<&[u8]>, ReadError> {
        let end = |lexer: &Self| lexer.window().iter().take(SHORT_LINE).position(|&byte| byte == b'\n');
        while end(self).is_none() && self.window().len() < SHORT_LINE && self.more()? {}
        Ok(end(self).map(|end| &self.window()[..end]))
    }

    /// Steps to the end of the line, in front of the line feed.
    pub(super) fn skip_line(&mut self) -> Result<(), ReadError> {
        loop {
            let window = &self.buffer[self.at..self.end];
            match window.iter().position(|&byte| byte == b'\n') {
                Some(newline) => {
                    self.at += newline;
                    self.mark();
                    return Ok(());
                }
                None => {
                    self.at = self.end;
                    self.mark();
                    if !self.more()? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Steps over the byte order mark that some editors put in front.
    ///
    /// # Errors
    /// In strict mode, if there is one.
    pub(super) fn skip_byte_order_mark(&mut self) -> Result<(), ReadError> {
        self.peek_at(2)?;
        if !self.window().starts_with(BYTE_ORDER_MARK) {
            return Ok(());
        }
        // It leaves the window: the first line begins behind it.
        self.tolerate("a byte order mark")?;
        self.buffer.drain(..BYTE_ORDER_MARK.len());
        self.end -= BYTE_ORDER_MARK.len();
        Ok(())
    }

    /// Lets errors point behind the last thing that is not white space, if it is still in the window.
    pub(super) fn mark_end(&mut self) {
        let before = &self.buffer[..self.at];
        self.token = before.iter().rposition(|&byte| !is_space(byte)).map_or(self.at, |last| last + 1);
    }

    // ---- words and numbers ----

    /// Steps over bytes of a class: to the first other one, to the end, or some way beyond [`MAX_WORD`] bytes.
    #[inline]
    pub(super) fn skip_class(&mut self, class: &Class) -> Result<(), ReadError> {
        loop {
            let window = &self.buffer[self.at..self.end];
            if let Some(length) = window.iter().position(|&byte| !class[usize::from(byte)]) {
                self.at += length;
                return Ok(());
            }
            self.at = self.end;
            if self.at - self.token > MAX_WORD || !self.more()? {
                return Ok(());
            }
        }
    }

    /// Steps over the word (anything but white space) that begins here, or its first [`MAX_WORD`] bytes.
    fn skip_word(&mut self) -> Result<(), ReadError> {
        while let Some(byte) = self.peek()? {
            if is_space(byte) || self.at - self.token >= MAX_WORD {
                break;
            }
            self.at += 1;
        }
        Ok(())
    }

    /// The word that begins at the next byte: everything up to white space; empty if there is none.
    pub(super) fn word(&mut self) -> Result<&[u8], ReadError> {
        self.mark();
        self.skip_word()?;
        Ok(self.token())
    }

    /// A literal or 0. What must stand here is said by `expected`.
    ///
    /// # Errors
    /// Anything that is not an integer of absolute value at most `i32::MAX`, and `-0`.
    #[inline]
    pub(super) fn literal(&mut self, expected: &str) -> Result<i32, ReadError> {
        self.token = self.at;
        match usual_literal(&self.buffer[self.at..self.end]) {
            Some((value, length)) => {
                self.at += length;
                Ok(value)
            }
            None => self.unusual_literal(expected),
        }
    }

    /// Hands over the literals and zeros that follow in the window as long as there is nothing unusual about them, and
    /// `take` agrees. White space before the next token is not consumed.
    #[inline]
    pub(super) fn usual_literals(&mut self, mut take: impl FnMut(i32) -> bool) {
        let window = &self.buffer[self.at..self.end];
        let mut at = 0;
        while let Some(blanks) = window[at..].iter().position(|&byte| !is_space(byte)) {
            let Some((value, length)) = usual_literal(&window[at + blanks..]) else { break };
            if !take(value) {
                break;
            }
            at += blanks + length;
        }
        self.at += at;
        self.token = self.at;
    }

    #[cold]
    fn unusual_literal(&mut self, expected: &str) -> Result<i32, ReadError> {
        self.skip_word()?;
        let negative = self.token().first() == Some(&b'-');
        match number(&self.token()[usize::from(negative)..]) {
            None => Err(self.unexpected_token("is not a number", expected)),
            Some(0) if negative => Err(self.unexpected_token("is not a literal", expected)),
            Some(value) => match i32::try_from(value) {
                Ok(value) => Ok(if negative { -value } else { value }),
                Err(_) => Err(self.unexpected_token("is too large", format!("at most {} in absolute value", i32::MAX))),
            },
        }
    }

    /// A number that is not negative and at most `largest`. What must stand here is said by `expected`.
    pub(super) fn number(&mut self, largest: u64, expected: &str) -> Result<u64, ReadError> {
        self.word()?;
        match number(self.token()) {
            None => Err(self.unexpected_token("is not a number", expected)),
            Some(value) if value > largest => {
                Err(self.unexpected_token("is too large", format!("{expected}, at most {largest}")))
            }
            Some(value) => Ok(value),
        }
    }
}

/// The literal or 0 at the beginning of the window and its length, if there is nothing unusual about it: it has at most
/// seven digits, ends in white space, is not `-0` and does not stand at the very end of the window.
#[inline(always)]
fn usual_literal(window: &[u8]) -> Option<(i32, usize)> {
    let negative = usize::from(*window.first()? == b'-');
    let text = u64::from_le_bytes(*window.get(negative..)?.first_chunk()?);
    let values = digits::values(text);
    let bits = digits::others(values).trailing_zeros() & !7;
    if bits == 0 || bits == 64 {
        return None;
    }
    let value = digits::number(values, bits) as i32;
    let usual = is_space((text >> bits) as u8) && (value != 0 || negative == 0);
    usual.then_some((if negative == 1 { -value } else { value }, negative + bits as usize / 8))
}

/// The value of decimal digits, saturating; `None` if there is anything else or nothing.
fn number(word: &[u8]) -> Option<u64> {
    let value = |value: u64, &byte: &u8| {
        byte.is_ascii_digit().then(|| value.saturating_mul(10).saturating_add(u64::from(byte - b'0')))
    };
    if word.is_empty() || word.len() >= MAX_WORD { None } else { word.iter().try_fold(0, value) }
}

/// Number of characters, every byte that is not UTF-8 counting as one at most.
fn characters(bytes: &[u8]) -> usize {
    count(bytes, |byte| byte & 0xC0 != 0x80)
}

/// Number of bytes of a kind. Sums of one byte each, so that the compiler can add many at once.
fn count(bytes: &[u8], kind: impl Fn(u8) -> bool) -> usize {
    bytes.chunks(255).map(|some| usize::from(some.iter().map(|&byte| u8::from(kind(byte))).sum::<u8>())).sum()
}

/// Text for an error message: tabs become spaces, other bytes that cannot be shown a replacement character each.
fn visible(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    let hidden = |c: char| c.is_control();
    if !text.contains(hidden) {
        return text;
    }
    Cow::Owned(
        text.chars()
            .map(|c| {
                if c == '\t' {
                    ' '
                } else if hidden(c) {
                    '\u{FFFD}'
                } else {
                    c
                }
            })
            .collect(),
    )
}

/// A token for an error message, cut if it is long.
pub(super) fn shortened(token: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = visible(token);
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::usual_literal;

    #[test]
    fn usual_literals_are_what_their_digits_say() {
        for number in (0..2000).chain((0..80).map(|i| 3i64.pow(i % 20) * 7)).flat_map(|n| [n, -n]) {
            for end in [" ", "\n", "\t7 1", ",", "x ", "", "/", ":"] {
                let text = format!("{number}{end}        ");
                let digits = number.unsigned_abs().to_string().len();
                let usual = end.starts_with([' ', '\n', '\t']) || end.is_empty();
                let expected = (usual && digits < 8).then_some((number as i32, text.find([' ', '\n', '\t']).unwrap()));
                assert_eq!(usual_literal(text.as_bytes()), expected, "{text:?}");
            }
        }
        for text in ["", "-", "-0         ", "--1        ", "- 1        ", "12", "1 "] {
            assert_eq!(usual_literal(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(usual_literal(b"007 -1 -1 -1"), Some((7, 3)));
    }
}
