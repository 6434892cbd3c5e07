//! Proofs of all kinds, recognised by their first words.

use super::aiger::{AigerForm, read_aiger, write_aiger};
use super::autotree::{is_autotree, read_autotree, write_autotree};
use super::confirmation::{is_confirmation, read_confirmation, write_confirmation};
use super::error::{ReadError, WriteError};
use super::refutation::{is_refutation, read_refutation, write_refutation};
use super::strategy::{is_strategy, read_strategy, write_strategy};
use super::trees::{is_trees, read_trees, write_trees};
use super::within::stop_reason;
use gamesat_core::formula::Proof;
use std::io::{BufRead, BufReader, Read, Write};

/// Reads a proof. Lines of an answer that stand before it (`c`, `s`, `v`, `V` and `t` lines) are skipped, so that what a
/// solver prints with its proof behind it can be piped on.
///
/// # Errors
/// Text that is no proof, and input that cannot be read.
pub fn read_proof(source: &mut dyn Read, name: &str) -> Result<Proof, ReadError> {
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let failed = |source: std::io::Error| match stop_reason(&source) {
            Some(reason) => ReadError::Stopped(reason.clone()),
            None => ReadError::Io { name: name.to_owned(), line: number, source },
        };
        source.read_until(b'\n', &mut line).map_err(failed)?;
        if !matches!(&line[..], [b'c' | b's' | b'v' | b'V' | b't', b' ', ..] | [b'c', b'\n'] | [b'\n']) {
            break;
        }
    }
    let (strategy, autotree, trees) = (is_strategy(&line), is_autotree(&line), is_trees(&line));
    let (refutation, confirmation) = (is_refutation(&line), is_confirmation(&line));
    let mut whole = line.as_slice().chain(source);
    if strategy {
        read_strategy(&mut whole, name).map(Proof::Strategy)
    } else if autotree {
        read_autotree(&mut whole, name).map(Proof::Autotree)
    } else if trees {
        read_trees(&mut whole, name).map(Proof::Trees)
    } else if refutation {
        read_refutation(&mut whole, name).map(Proof::Refutation)
    } else if confirmation {
        read_confirmation(&mut whole, name).map(Proof::Confirmation)
    } else {
        read_aiger(&mut whole, name).map(Proof::Functions)
    }
}

/// Whether a text begins, behind blank lines and comments, with `p` and this word.
pub(super) fn has_header(first_bytes: &[u8], word: &[u8]) -> bool {
    let header = first_bytes.split(|&byte| byte == b'\n').find(|line| {
        let line = line.trim_ascii();
        !line.is_empty() && !line.starts_with(b"c")
    });
    let mut words = header.unwrap_or_default().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next() == Some(b"p") && words.next() == Some(word)
}

/// Writes a proof; functions as ASCII or binary AIGER.
///
/// # Errors
/// Output that fails.
pub fn write_proof(proof: &Proof, binary: bool, out: &mut dyn Write) -> Result<(), WriteError> {
    match proof {
        Proof::Functions(graph) => write_aiger(graph, if binary { AigerForm::Binary } else { AigerForm::Ascii }, out),
        Proof::Refutation(refutation) => write_refutation(refutation, out),
        Proof::Confirmation(confirmation) => write_confirmation(confirmation, out),
        Proof::Strategy(strategy) => write_strategy(strategy, out),
        Proof::Autotree(tree) => write_autotree(tree, out),
        Proof::Trees(trees) => write_trees(trees, out),
    }
}
