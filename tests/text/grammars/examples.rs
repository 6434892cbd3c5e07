//! `grammars/examples`: files that must be read, and files that must be refused with the words beside them.
//!
//! A file in `bad` whose name begins with `strict-` is refused in strict mode only. With `BLESS=1` in the environment the
//! `.expected` files are written instead of compared; read them before you commit them.

use super::{grammar, path, recognise};
use gamesat::format::{Format, Parsed, ReadError, ReadOptions, SyntaxError, read};
use std::path::{Path, PathBuf};

/// The examples of a directory with their contents, those with the extension `expected` left out.
pub fn examples(directory: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars/examples").join(directory);
    let paths = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_none_or(|end| end != "expected")).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// The examples of formats for problems; files that hold proofs have tests of their own.
fn problems(directory: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut examples = examples(directory);
    examples.retain(|(path, _)| {
        path.extension().is_none_or(|end| {
            !["strategy", "refutation", "confirmation", "trees", "autotree"].iter().any(|proof| end == *proof)
        })
    });
    examples
}

pub fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

fn parse(path: &Path, text: &[u8], strict: bool) -> Result<Parsed, ReadError> {
    read(&mut &*text, name(path), &ReadOptions { strict, ..ReadOptions::default() })
}

#[test]
fn good_examples_are_read() {
    let mut seen = Vec::new();
    for (path, text) in problems("ok") {
        let parsed = parse(&path, &text, false).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(path.extension().unwrap(), parsed.format.name(), "{}", path.display());
        // A comment may hold any bytes; a grammar speaks of characters.
        if let Ok(text) = std::str::from_utf8(&text) {
            assert!(recognise::recognises(&grammar(parsed.format), text), "{}", path.display());
            super::check_round_trip(text, parsed.clone());
        }
        seen.push(parsed.format);
    }
    for format in [Format::Qdimacs, Format::Gamesat, Format::Qcir, Format::Infix] {
        assert!(seen.contains(&format), "no example of {}", format.name());
    }
}

#[test]
fn bad_examples_are_refused_with_the_expected_words() {
    for (path, text) in problems("bad") {
        let strict = name(&path).starts_with("strict-");
        if strict {
            parse(&path, &text, false).unwrap_or_else(|error| panic!("{error}"));
        }
        let Err(ReadError::Syntax(error)) = parse(&path, &text, strict) else {
            panic!("{} is not refused", path.display());
        };
        compare(&path, &error);
    }
}

/// Compares an error with what is expected beside the example, and returns the message.
pub fn compare(path: &Path, error: &SyntaxError) -> String {
    let (indent, carets) = (" ".repeat(error.snippet_column), "^".repeat(error.width));
    let message = format!("{error}\n{}\n{indent}{carets}\n", error.snippet);
    let expected = PathBuf::from(format!("{}.expected", path.display()));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&expected, &message).unwrap();
    }
    let expected = std::fs::read_to_string(&expected).unwrap_or_else(|e| panic!("{}: {e}", expected.display()));
    assert_eq!(message, expected, "{}", path.display());
    message
}

/// Every condition and every strict rule that a grammar's header lists is shown by a bad example of that format.
#[test]
fn every_listed_condition_has_an_example() {
    let messages: Vec<(PathBuf, String)> = problems("bad")
        .into_iter()
        .map(|(path, _)| (path.clone(), std::fs::read_to_string(format!("{}.expected", path.display())).unwrap()))
        .collect();
    for &format in Format::all() {
        let grammar = grammar(format);
        // An example of one of the formats that share a grammar is enough.
        let shares = |other: &&Format| path(**other) == path(format);
        let names: Vec<&str> = Format::all().iter().filter(shares).map(|format| format.name()).collect();
        let of_format = |path: &Path| path.extension().is_some_and(|end| names.iter().any(|name| end == *name));
        for (phrases, strict) in [(&grammar.conditions, false), (&grammar.strict, true)] {
            for phrase in phrases {
                let shown = messages.iter().any(|(path, message)| {
                    of_format(path) && name(path).starts_with("strict-") == strict && message.contains(phrase)
                });
                // A name of 64 KiB would be a poor example; tests/text/formats.rs makes one.
                assert!(shown || phrase == "is too long a name", "no bad example of {}: {phrase}", format.name());
            }
        }
    }
}
