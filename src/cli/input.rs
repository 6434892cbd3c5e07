//! Where formulas come from: a path, standard input or the command line.

use super::args::InputArgs;
use super::exit::Failure;
use gamesat::format::{self, Format, Parsed, ReadOptions, decompress};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What messages call the input.
pub fn name(args: &InputArgs) -> String {
    match (&args.expression, &args.file) {
        (Some(_), _) => "-e".to_owned(),
        (None, file) => path_name(file.as_deref().unwrap_or(Path::new("-"))),
    }
}

/// Reads the problem that the arguments name.
pub fn read(args: &InputArgs) -> Result<Parsed, Failure> {
    let options = ReadOptions { format: args.format, strict: args.strict, ..ReadOptions::default() };
    let name = name(args);
    if let Some(text) = &args.expression {
        let options = ReadOptions { format: Some(Format::Infix), ..options };
        return Ok(format::read(&mut text.as_bytes(), &name, &options)?);
    }
    let mut source = open(args.file.as_deref().unwrap_or(Path::new("-")))?;
    Ok(format::read(&mut source, &name, &options)?)
}

/// What messages call a path.
pub fn path_name(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// The text of a file, or of standard input for `-`, decompressed.
pub fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    let failed = |error: io::Error| Failure::input(format!("{}: {error}", path_name(path)));
    if path.as_os_str() == "-" {
        return decompress(io::stdin()).map_err(failed);
    }
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    decompress(file).map_err(failed)
}
