//! The words of a board's first line: sizes, numbers, options. Where they come from, and how an error is shown, is the
//! business of whoever reads the text.

use super::{Grid, MAX_SIDE};

/// Why a header was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The word that was read last, or the end of the line, is wrong.
    Word {
        /// What is wrong with it, to follow the word: `is no size`.
        what: &'static str,
        /// What was expected instead.
        expected: String,
    },
    /// There was no reading on; the reader of the text knows why.
    Unreadable,
}

impl Misfit {
    pub(super) fn word(what: &'static str, expected: impl Into<String>) -> Self {
        Misfit::Word { what, expected: expected.into() }
    }
}

/// The words that are left of a header.
pub struct Header<'a> {
    /// Gives the next word, empty at the end of the line.
    pub(super) words: &'a mut dyn FnMut() -> Result<String, Misfit>,
}

impl Header<'_> {
    /// The next word, empty at the end of the line.
    pub(super) fn word(&mut self) -> Result<String, Misfit> {
        (self.words)()
    }

    /// A number up to `largest`. What must stand here is said by `expected`.
    pub(super) fn number(&mut self, largest: usize, expected: &str) -> Result<usize, Misfit> {
        match digits(&self.word()?) {
            None => Err(Misfit::word("is not a number", expected)),
            Some(value) if value > largest => {
                Err(Misfit::word("is too large", format!("{expected}, at most {largest}")))
            }
            Some(value) => Ok(value),
        }
    }

    /// The size of a board that one number describes.
    pub(super) fn side(&mut self) -> Result<usize, Misfit> {
        match self.number(MAX_SIDE, "the size of the board")? {
            0 => Err(Misfit::word("is no possible size", "at least 1")),
            side => Ok(side),
        }
    }

    /// Columns `x` rows, or one number for both.
    pub(super) fn grid(&mut self) -> Result<Grid, Misfit> {
        let word = self.word()?;
        let Some((columns, rows)) = sides(&word).or_else(|| digits(&word).map(|side| (side, side))) else {
            return Err(Misfit::word("is no size", "COLUMNSxROWS or one number"));
        };
        if !(1..=MAX_SIDE).contains(&columns) || !(1..=MAX_SIDE).contains(&rows) {
            return Err(Misfit::word("is no possible size", format!("sides from 1 to {MAX_SIDE}")));
        }
        Ok(Grid { columns, rows })
    }

    /// The word `torus`, or nothing more.
    pub(super) fn torus(&mut self) -> Result<bool, Misfit> {
        match self.word()?.as_str() {
            "" => Ok(false),
            "torus" => Ok(true),
            _ => Err(Misfit::word("is too much", "'torus' or the end of the line")),
        }
    }
}

/// Two numbers with an `x` between them.
pub fn sides(word: &str) -> Option<(usize, usize)> {
    let (one, other) = word.split_once(['x', 'X'])?;
    Some((digits(one)?, digits(other)?))
}

/// The value of decimal digits, saturating; `None` if there is anything else or nothing.
pub fn digits(word: &str) -> Option<usize> {
    let value = |value: usize, byte: u8| {
        byte.is_ascii_digit().then(|| value.saturating_mul(10).saturating_add(usize::from(byte - b'0')))
    };
    if word.is_empty() { None } else { word.bytes().try_fold(0, value) }
}
