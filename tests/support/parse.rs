//! Texts, as problems.

use gamesat::Problem;
use gamesat::format::{ReadError, ReadOptions, read};

/// The problem of a text called `t`, or what is wrong with it.
pub fn parse(text: &str) -> Result<Problem, String> {
    match read(&mut text.as_bytes(), "t", &ReadOptions::default()) {
        Ok(parsed) => Ok(parsed.problem),
        Err(ReadError::Syntax(error)) => Err(error.to_string()),
        Err(error) => panic!("{error}"),
    }
}
