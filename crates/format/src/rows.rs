//! What the DIMACS family shares: comments, the `p` line, rows of literals that end in 0.
//!
//! By default white space is white space: a row may span lines and a line may hold rows. Strict mode goes through the
//! same functions, which then insist on one row per line and on comments before the header only.

use super::error::{ReadError, WriteError};
use super::lexer::{Lexer, is_space};
use gamesat_core::formula::{ClauseArena, Lit, Var};
use rustc_hash::FxHashMap;
use std::io::Write;

/// What must stand in a clause or term.
pub(super) const LITERAL: &str = "a literal or 0";

impl Lexer<'_> {
    /// Reads comments and the `p` of the header. What must stand here is said by `header`.
    pub(super) fn preamble(&mut self, header: &str) -> Result<(), ReadError> {
        self.preamble_with(header, |_| {})
    }

    /// The same, which shows every comment line that is not very long.
    pub(super) fn preamble_with(&mut self, header: &str, mut comment: impl FnMut(&[u8])) -> Result<(), ReadError> {
        loop {
            if !self.strict {
                self.skip_space()?;
            }
            match self.peek()? {
                Some(b'c') if self.at_comment()? => {
                    if let Some(line) = self.short_line()? {
                        comment(line);
                    }
                    self.skip_line()?;
                    self.line_end()?;
                }
                Some(b'p') if self.word()? == b"p" => return Ok(()),
                Some(b'\n' | b'\r') => {
                    self.line_end()?;
                    self.tolerate("a blank line")?;
                }
                _ => return Err(self.unexpected("is not a header", header)),
            }
        }
    }

    /// Reads a word of the header's line.
    pub(super) fn header_word(&mut self) -> Result<&[u8], ReadError> {
        self.skip_blanks()?;
        self.word()
    }

    /// Reads a number of the header's line.
    pub(super) fn header_number(&mut self, largest: u64, expected: &str) -> Result<usize, ReadError> {
        self.skip_blanks()?;
        let number = self.number(largest, expected)?;
        Ok(usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// Makes sure that nothing else stands on the line.
    pub(super) fn expect_line_end(&mut self) -> Result<(), ReadError> {
        self.skip_blanks()?;
        match self.peek()? {
            None | Some(b'\n' | b'\r') => Ok(()),
            Some(_) => Err(self.unexpected("is too much", "the end of the line")),
        }
    }

    /// Moves to the first byte of the next row and shows it; `None` at the end.
    #[inline]
    pub(super) fn next_row(&mut self) -> Result<Option<u8>, ReadError> {
        if self.strict {
            self.skip_blanks()?;
            if self.peek()?.is_some() && !self.line_end()? {
                return Err(self.unexpected("follows on the same line", "one row per line"));
            }
            self.skip_blanks()?;
            if self.line_end()? {
                return Err(self.error("a blank line", ""));
            }
        }
        self.next_in_row()
    }

    /// Moves to the next token, over comments, and shows its first byte; `None` at the end.
    #[inline]
    pub(super) fn next_in_row(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            if self.strict {
                self.skip_blanks()?
            } else {
                self.skip_space()?
            }
            match self.peek()? {
                Some(b'c') if self.at_comment()? => {
                    self.tolerate("a comment after the header")?;
                    self.skip_line()?;
                }
                Some(b'\n' | b'\r') if self.strict => {
                    return Err(self.error("the line ends inside a row", "a row on one line that ends in 0"));
                }
                byte => return Ok(byte),
            }
        }
    }

    /// Whether the `c` that is next begins a comment: it opens its line, or stands alone.
    #[cold]
    fn at_comment(&mut self) -> Result<bool, ReadError> {
        Ok(self.at_line_start() || self.peek_at(1)?.is_none_or(is_space))
    }

    /// The error of a file that ends inside a row.
    pub(super) fn unfinished(&mut self, what: &str) -> ReadError {
        self.mark_end();
        self.error(format!("the last {what} has no final 0"), "0 before the end of the file")
    }
}

/// Receives the literals of [`read_rows`].
pub(super) trait RowChecks {
    /// Judges a variable beyond the bound: an error, or a new bound.
    fn beyond(&mut self, lexer: &mut Lexer<'_>, var: Var) -> Result<i32, ReadError>;

    /// Strict mode: judges any literal.
    fn strict(&mut self, lexer: &mut Lexer<'_>, lit: Lit) -> Result<(), ReadError>;

    /// Judges a row that begins with something else than a literal: an error, or true if the file ends here.
    fn other(&mut self, lexer: &mut Lexer<'_>) -> Result<bool, ReadError>;
}

/// Reads clauses or terms to the end of the input, the first byte of the first row being next.
pub(super) fn read_rows(
    lexer: &mut Lexer<'_>,
    row: &str,
    mut bound: i32,
    checks: &mut impl RowChecks,
) -> Result<ClauseArena, ReadError> {
    let mut rows = ClauseArena::new();
    let mut once: FxHashMap<Var, Lit> = FxHashMap::default();
    let mut next = lexer.peek()?;
    while let Some(first) = next {
        if !rows.is_open() && !matches!(first, b'0'..=b'9' | b'-') && checks.other(lexer)? {
            break;
        }
        let literal = lexer.literal(LITERAL)?;
        if literal != 0 {
            let lit = Lit::from_dimacs(literal);
            if lit.var().to_dimacs() > bound {
                bound = checks.beyond(lexer, lit.var())?;
            }
            if lexer.strict {
                match once.insert(lit.var(), lit) {
                    Some(other) if other == lit => return Err(lexer.error(format!("literal {lit} is repeated"), "")),
                    Some(_) => {
                        let message = format!("{} and {} stand in the same {row}", lit.var(), lit.var().negative());
                        return Err(lexer.error(message, ""));
                    }
                    None => checks.strict(lexer, lit)?,
                }
            }
            rows.push_lit(lit);
        } else {
            if rows.num_lits() > ClauseArena::MAX_LITERALS {
                let most = format!("at most {}", ClauseArena::MAX_LITERALS);
                return Err(lexer.error("there are too many literals", most));
            }
            if lexer.strict && !rows.is_open() {
                return Err(lexer.error(format!("an empty {row}"), "a literal"));
            }
            once.clear();
            rows.finish();
        }
        if !lexer.strict {
            lexer.usual_literals(|literal| usual(&mut rows, literal, bound));
        }
        next = if rows.is_open() { lexer.next_in_row()? } else { lexer.next_row()? };
    }
    if rows.is_open() {
        return Err(lexer.unfinished(row));
    }
    if rows.is_empty() {
        lexer.tolerate(&format!("there is no {row}"))?;
    }
    rows.shrink_to_fit();
    Ok(rows)
}

/// The short way for what nearly every file consists of: a literal within the bound, or the end of a row. False leaves
/// it to the long way.
#[inline(always)]
fn usual(rows: &mut ClauseArena, literal: i32, bound: i32) -> bool {
    if literal == 0 {
        let fits = rows.num_lits() <= ClauseArena::MAX_LITERALS;
        if fits {
            rows.finish();
        }
        return fits;
    }
    let lit = Lit::from_dimacs(literal);
    let within = lit.var().to_dimacs() <= bound;
    if within {
        rows.push_lit(lit);
    }
    within
}

/// Compares the header's number of rows (or edges, or strings) with the real one, at the end of the text. Fewer than announced are an error
/// by default: a file that was cut off is another problem. More are an oddity.
pub(super) fn check_count(lexer: &mut Lexer<'_>, row: &str, announced: usize, real: usize) -> Result<(), ReadError> {
    if real == announced {
        return Ok(());
    }
    lexer.mark_end();
    let which = if real < announced { "fewer" } else { "more" };
    let message = format!("{which} {row}s than the header announces: {announced} announced, {real} found");
    if real < announced && !lexer.tolerant {
        return Err(lexer.error(message, format!("{} more {row}s before the end of the file", announced - real)));
    }
    lexer.warn(message)
}

/// Writes rows of numbers through a buffer of its own: `write!` for every literal would be most of the time.
pub(super) struct RowWriter<'a> {
    out: &'a mut dyn Write,
    buffer: Vec<u8>,
}

impl<'a> RowWriter<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        RowWriter { out, buffer: Vec::with_capacity(1 << 16) }
    }

    /// A word and a space.
    pub(super) fn word(&mut self, word: &str) {
        self.buffer.extend_from_slice(word.as_bytes());
        self.buffer.push(b' ');
    }

    /// The numbers, each with a space after it, then 0 and the line end.
    pub(super) fn row(&mut self, numbers: impl IntoIterator<Item = i32>) -> Result<(), WriteError> {
        for number in numbers {
            self.number(number);
            self.buffer.push(b' ');
            self.flush_if_full()?;
        }
        self.buffer.extend_from_slice(b"0\n");
        self.flush_if_full()
    }

    /// A whole line.
    pub(super) fn line(&mut self, line: &str) -> Result<(), WriteError> {
        self.buffer.extend_from_slice(line.as_bytes());
        self.buffer.push(b'\n');
        self.flush_if_full()
    }

    #[inline]
    fn flush_if_full(&mut self) -> Result<(), WriteError> {
        if self.buffer.len() > 1 << 15 { self.flush() } else { Ok(()) }
    }

    fn number(&mut self, number: i32) {
        if number < 0 {
            self.buffer.push(b'-');
        }
        let start = self.buffer.len();
        let mut rest = number.unsigned_abs();
        loop {
            self.buffer.push(b'0' + (rest % 10) as u8);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.buffer[start..].reverse();
    }

    /// Hands everything written so far to the output.
    pub(super) fn flush(&mut self) -> Result<(), WriteError> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}
