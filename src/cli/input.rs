//! Where formulas come from: a path, standard input or the command line.

use super::args::InputArgs;
use super::decompress::decompress;
use super::exit::Failure;
use gamesat::format::{self, Format, Parsed, ReadOptions};
use std::fs::File;
use std::io::{self, Read};

/// What messages call the input.
pub fn name(args: &InputArgs) -> String {
    match (&args.expression, &args.file) {
        (Some(_), _) => "-e".to_owned(),
        (None, Some(path)) if path.as_os_str() != "-" => path.display().to_string(),
        (None, _) => "<stdin>".to_owned(),
    }
}

/// Reads the problem that the arguments name.
pub fn read(args: &InputArgs) -> Result<Parsed, Failure> {
    let options = ReadOptions { format: args.format, strict: args.strict };
    let name = name(args);
    if let Some(text) = &args.expression {
        let options = ReadOptions { format: Some(Format::Infix), ..options };
        return Ok(format::read(&mut text.as_bytes(), &name, &options)?);
    }
    match &args.file {
        Some(path) if path.as_os_str() != "-" => {
            let failed = |error: io::Error| Failure::input(format!("{name}: {error}"));
            let file = File::open(path).map_err(failed)?;
            if file.metadata().map_err(failed)?.is_dir() {
                return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
            }
            read_from(file, &name, &options)
        }
        _ => read_from(io::stdin(), &name, &options),
    }
}

fn read_from(source: impl Read + Send + 'static, name: &str, options: &ReadOptions) -> Result<Parsed, Failure> {
    let failed = |error: io::Error| Failure::input(format!("{name}: {error}"));
    let mut plain = decompress(source).map_err(failed)?;
    Ok(format::read(&mut plain, name, options)?)
}
