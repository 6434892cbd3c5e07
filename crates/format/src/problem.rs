//! Problems from text and from files.

use super::{ReadError, ReadOptions, read};
use gamesat_core::Problem;
use std::fs::File;
use std::path::Path;

/// Reads a problem in whichever format the text is; a single word is a formula.
///
/// ```
/// let formula = gamesat_format::parse("forall x exists y: x == y")?;
/// let board = gamesat_format::parse("hex 5")?;
/// # Ok::<(), gamesat_format::ReadError>(())
/// ```
///
/// # Errors
/// The text is in no known format.
pub fn parse(text: &str) -> Result<Problem, ReadError> {
    let options = ReadOptions { single_word: true, ..ReadOptions::default() };
    Ok(read(&mut text.as_bytes(), "<text>", &options)?.problem)
}

/// Reads a file in whichever format it is, unless its name speaks of another one; with the feature `compression` also a compressed one.
///
/// # Errors
/// The file cannot be read, or is in no known format.
pub fn read_file(path: impl AsRef<Path>) -> Result<Problem, ReadError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let failed = |source| ReadError::Io { name: name.clone(), line: 1, source };
    let file = File::open(path).map_err(failed)?;
    #[cfg(feature = "compression")]
    let mut source = super::decompress(file).map_err(failed)?;
    #[cfg(not(feature = "compression"))]
    let mut source = file;
    let file_name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(read(&mut source, &name, &ReadOptions { file_name, ..ReadOptions::default() })?.problem)
}
