//! What is read must not be written over: no file is input and output of one command, or two of its outputs.

use clap::ArgMatches;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Arguments that name a file to be written.
const WRITTEN: &[&str] = &["output", "certificate", "strategy", "record"];
/// Arguments that name a file to be read.
const READ: &[&str] = &["words", "files", "problem", "proof", "book"];

/// Refuses a command line that would write over what it reads, or twice into one file. Only files that are there can be read,
/// and devices may be named as often as one likes.
///
/// # Errors
/// What to say.
pub fn apart(matches: &ArgMatches) -> Result<(), String> {
    let matches = matches.subcommand().map_or(matches, |(_, inner)| inner);
    let named = |ids: &[&str]| -> Vec<&OsStr> {
        let known = matches.ids().filter(|id| ids.contains(&id.as_str()));
        let values = known.filter_map(|id| matches.try_get_raw(id.as_str()).ok().flatten()).flatten();
        values.filter(|value| *value != "-").collect()
    };
    let (written, read) = (named(WRITTEN), named(READ));
    for (at, output) in written.iter().enumerate() {
        let shown = Path::new(output).display();
        if read.iter().any(|input| same_file(input, output)) {
            return Err(format!("{shown} is to be read and to be written: choose another file for the output"));
        }
        if written[at + 1..].iter().any(|other| (other == output && !is_other(output)) || same_file(other, output)) {
            return Err(format!("{shown} is to be written twice: choose another file for one of them"));
        }
    }
    Ok(())
}

/// Whether two names mean one file that is there, a device aside.
fn same_file(one: &OsStr, other: &OsStr) -> bool {
    !is_other(one) && matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether the name is that of something that is no file.
fn is_other(name: &OsStr) -> bool {
    fs::metadata(name).is_ok_and(|data| !data.is_file())
}
