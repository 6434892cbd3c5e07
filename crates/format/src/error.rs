//! What can go wrong between text and problem: always with a place, the line itself and what was expected.

use gamesat_core::control::StopReason;
use std::fmt;
use std::io;

/// Why a text could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is not in the format.
    #[error(transparent)]
    Syntax(Box<SyntaxError>),
    /// The bytes could not be read: a broken disk, a truncated archive.
    #[error("{name}:{line}: {source}")]
    Io {
        /// Name of the input.
        name: String,
        /// The 1-based line that was being read.
        line: u64,
        /// What the system says.
        source: io::Error,
    },
    /// A limit or an interrupt came first: see [`within`](super::within).
    #[error("{0}")]
    Stopped(StopReason),
}

/// A place in a text that breaks the rules of its format.
///
/// Displayed as `NAME:LINE:COLUMN: MESSAGE, expected EXPECTED`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SyntaxError {
    /// Name of the input.
    pub name: String,
    /// The line, 1-based.
    pub line: u64,
    /// The column, 1-based, in characters.
    pub column: u64,
    /// Number of characters that are wrong, at least 1.
    pub width: usize,
    /// The line, cut to a window around the column if it is long. Bytes that cannot be shown are replaced one by one.
    pub snippet: String,
    /// Where in the snippet the wrong characters begin, 0-based, in characters.
    pub snippet_column: usize,
    /// What is wrong.
    pub message: String,
    /// What was expected instead; may be empty.
    pub expected: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.name, self.line, self.column, self.message)?;
        if !self.expected.is_empty() {
            write!(f, ", expected {}", self.expected)?;
        }
        Ok(())
    }
}

/// Something odd that was tolerated but should be said, such as a wrong number in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The 1-based line.
    pub line: u64,
    /// What is odd.
    pub message: String,
}

/// Why a problem could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The format cannot say this; the text tells why and what would help.
    #[error("{0}")]
    Unsupported(String),
}
