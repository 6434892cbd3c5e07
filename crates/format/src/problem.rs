//! Problems from text and from files.

use super::{ReadError, ReadOptions, read};
use gamesat_core::Problem;
use std::fs::File;
use std::path::Path;

/// Reads a problem in whichever format the text is.
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
    Ok(read(&mut text.as_bytes(), "<text>", &ReadOptions::default())?.problem)
}

/// Reads a file in whichever format it is; with the feature `compression` also a compressed one.
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
    Ok(read(&mut source, &name, &ReadOptions::default())?.problem)
}
