//! The grammars are executed: each EBNF file is read, thousands of random sentences are generated from it, and the
//! parser has to agree with it in both directions.
//!
//! 1. Every sentence is accepted, or refused for a context condition that the grammar's header lists.
//! 2. What is accepted survives writing and reading, and its format is recognised by its content.
//! 3. Mutated sentences never panic, hang or eat memory, and the parser accepts one only if the grammar does.

mod aiger;
mod boards;
mod ebnf;
mod examples;
mod generate;
mod proofs;
mod recognise;
mod serve;
mod special;

use ebnf::Grammar;
use gamesat::Problem;
use gamesat::control::resident_memory;
use gamesat::format::{Format, Parsed, ReadError, ReadOptions, read, sniff, write};
use gamesat::rules::games;
use generate::Generator;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Sentences of each grammar, and mutations of each sentence.
const SENTENCES: usize = 3000;
const MUTATIONS: usize = 4;

/// The boards that are drawn in rows share a grammar.
fn drawn() -> Vec<Format> {
    games().iter().map(Format::Drawn).collect()
}

fn path(format: Format) -> String {
    let name = if matches!(format, Format::Drawn(_)) { "boards" } else { format.name() };
    format!("{}/grammars/{name}.ebnf", env!("CARGO_MANIFEST_DIR"))
}

fn grammar(format: Format) -> Grammar {
    let path = path(format);
    Grammar::parse(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// Reads a text in one of these formats; where there are several its content says which.
fn parse(text: &[u8], formats: &[Format]) -> Result<Parsed, String> {
    let format = match formats {
        [only] => Some(*only),
        _ => None,
    };
    match read(&mut &*text, "sentence", &ReadOptions { format, ..ReadOptions::default() }) {
        Ok(parsed) if formats.contains(&parsed.format) => Ok(parsed),
        Ok(parsed) => Err(format!("this is {}", parsed.format.name())),
        Err(ReadError::Syntax(error)) => Err(error.to_string()),
        Err(error) => panic!("reading from memory failed: {error}"),
    }
}

/// The context condition that an error message is about.
fn condition<'g>(grammar: &'g Grammar, message: &str) -> Option<&'g str> {
    grammar.conditions.iter().map(String::as_str).find(|phrase| message.contains(phrase))
}

/// A problem without the numbers of its header, which the writer corrects.
fn without_header(problem: Problem) -> Problem {
    match problem {
        Problem::Qbf(qbf) => Problem::Qbf(qbf.with_header(0, 0)),
        other => other,
    }
}

fn check_round_trip(text: &str, parsed: Parsed) {
    let format = parsed.format;
    let mut printed = Vec::new();
    match write(&parsed.problem, format, &mut printed) {
        // The one position that is read and cannot be written.
        Err(error) if format == Format::Positional && error.to_string().contains("neighbours") => return,
        result => result.unwrap_or_else(|error| panic!("{error} in {text:?}")),
    }
    let again = parse(&printed, &[format]).unwrap_or_else(|error| panic!("{error} in {text:?}"));
    if format == Format::Positional {
        // A graph has several spellings, of which one is written.
        let mut reprinted = Vec::new();
        write(&again.problem, format, &mut reprinted).unwrap();
        assert_eq!(String::from_utf8_lossy(&reprinted), String::from_utf8_lossy(&printed), "{text:?}");
        return;
    }
    if parsed.warnings.is_empty() {
        assert_eq!(again.problem, parsed.problem, "{text:?}");
    } else {
        assert_eq!(without_header(again.problem), without_header(parsed.problem), "{text:?}");
    }
    assert!(again.warnings.is_empty(), "{text:?}");
}

fn mutate(text: &str, other: &str, rng: &mut ChaCha8Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..=3) {
        let at = rng.random_range(0..=characters.len());
        let end = rng.random_range(at..=characters.len().min(at + 5));
        let strange = special::ALPHABET[rng.random_range(0..special::ALPHABET.len())];
        match rng.random_range(0..6) {
            0 => characters.insert(at, strange),
            1 => drop(characters.drain(at..end)),
            2 => characters.truncate(at),
            3 => characters.splice(at..at, characters[at..end].to_vec()).for_each(drop),
            4 if at < characters.len() => characters[at] = strange,
            _ => {
                let other: Vec<char> = other.chars().collect();
                let cut = rng.random_range(0..=other.len());
                characters.truncate(at);
                characters.extend(&other[cut..]);
            }
        }
    }
    characters.into_iter().collect()
}

/// Runs one grammar; the sentences that break a context condition must break each of `reachable` at least once.
fn execute(format: Format, reachable: &[&str]) {
    execute_all(&[format], reachable);
}

/// Runs the grammar of several formats.
fn execute_all(formats: &[Format], reachable: &[&str]) {
    let grammar = grammar(formats[0]);
    let mut generator = Generator::new(&grammar);
    let mut rng = ChaCha8Rng::seed_from_u64(formats[0].name().len() as u64);
    let (mut broken, mut seen) = (BTreeSet::<&str>::new(), BTreeSet::<&str>::new());
    let (mut accepted, mut mutants, mut accepted_mutants) = (0, 0, 0);
    let mut slowest = Duration::ZERO;
    let memory = resident_memory();
    let mut last = String::new();
    for _ in 0..SENTENCES {
        let text = generator.sentence(&mut rng);
        match parse(text.as_bytes(), formats) {
            Ok(parsed) => {
                accepted += 1;
                assert!(parsed.format == Format::Infix || sniff(text.as_bytes()) == parsed.format, "{text:?}");
                seen.insert(parsed.format.name());
                check_round_trip(&text, parsed);
            }
            Err(message) => match condition(&grammar, &message) {
                Some(condition) => drop(broken.insert(condition)),
                None => panic!("{message}\nin a sentence of the grammar: {text:?}"),
            },
        }
        for _ in 0..MUTATIONS {
            let mutant = mutate(&text, &last, &mut rng);
            let start = Instant::now();
            let result = parse(mutant.as_bytes(), formats);
            slowest = slowest.max(start.elapsed());
            if mutant.len() > 300 {
                continue;
            }
            mutants += 1;
            let sentence = recognise::recognises(&grammar, &mutant);
            match result {
                Ok(parsed) => {
                    accepted_mutants += 1;
                    assert!(sentence, "accepted, but no sentence of the grammar: {mutant:?}");
                    check_round_trip(&mutant, parsed);
                }
                Err(message) if sentence => {
                    assert!(
                        condition(&grammar, &message).is_some(),
                        "{message}\nin a sentence of the grammar: {mutant:?}"
                    );
                }
                Err(_) => {}
            }
        }
        last = text;
    }
    // The test must not be hollow: enough is accepted, enough is refused, every rule and condition is met.
    assert_eq!(seen.len(), formats.len(), "only {seen:?} was read");
    assert!(accepted * 5 > SENTENCES, "only {accepted} of {SENTENCES} sentences accepted");
    assert!(accepted_mutants * 50 > mutants && accepted_mutants * 10 < mutants * 9, "{accepted_mutants} of {mutants}");
    let unused: Vec<_> = grammar.rules.keys().filter(|name| !generator.used.contains(name.as_str())).collect();
    assert!(unused.is_empty(), "never generated: {unused:?}");
    let expected: BTreeSet<&str> = reachable.iter().copied().collect();
    assert!(expected.is_subset(&broken), "never broken: {:?}", expected.difference(&broken));
    assert!(slowest < Duration::from_secs(10), "a mutation took {slowest:?}");
    if let (Some(before), Some(after)) = (memory, resident_memory()) {
        assert!(after < before + (256 << 20), "memory grew from {before} to {after}");
    }
}

#[test]
fn qdimacs_is_its_grammar() {
    execute(Format::Qdimacs, &["is quantified twice", "is too large", "fewer clauses than the header announces"]);
}

#[test]
fn gamesat_is_its_grammar() {
    let conditions = [
        "is out of range",
        "is played twice",
        "is given twice",
        "is named twice",
        "names two elements",
        "than the header announces",
    ];
    execute(Format::Gamesat, &conditions);
}

#[test]
fn setcol_is_its_grammar() {
    let conditions = [
        "is out of range",
        "is no number of colours",
        "is played twice",
        "is given twice",
        "than the header announces",
    ];
    execute(Format::Setcol, &conditions);
}

#[test]
fn score_is_its_grammar() {
    let conditions =
        ["is out of range", "is played twice", "is given twice", "is restricted twice", "than the header announces"];
    execute(Format::Score, &conditions);
}

#[test]
fn infix_is_its_grammar() {
    let conditions =
        ["is quantified twice", "is listed twice", "is played twice", "is given twice", "stand after what is played"];
    execute(Format::Infix, &conditions);
}

#[test]
fn qcir_is_its_grammar() {
    let conditions = ["is quantified twice", "is defined twice", "is used before it is defined", "is not defined"];
    execute(Format::Qcir, &conditions);
}

#[test]
fn drawn_boards_are_their_grammar() {
    let conditions = [
        "is no possible size",
        "is too large",
        "is no length",
        "is no side",
        "the row ends after",
        "the row is too long",
        "the board ends after",
        "is a row too many",
        "is given twice",
        "stands after the first row",
    ];
    execute_all(&drawn(), &conditions);
}

#[test]
fn connect_is_its_grammar() {
    let conditions = [
        "is no possible size",
        "is no possible length",
        "is no column",
        "is played after the end",
        "the row ends after",
        "the row is too long",
        "the board ends after",
        "is a row too many",
        "floats",
        "do not take turns",
    ];
    execute(Format::Connect, &conditions);
}

#[test]
fn dots_is_its_grammar() {
    let conditions = [
        "is no possible size",
        "is given twice",
        "is no line",
        "stands where a dot is",
        "is no mark",
        "makes the row too long",
    ];
    execute(Format::Dots, &conditions);
}

#[test]
fn minichess_is_its_grammar() {
    execute(Format::MiniChess, &["has not eight rows", "kings", "cannot be looked ahead"]);
}

#[test]
fn dominoes_is_its_grammar() {
    execute(
        Format::Dominoes,
        &["is given twice", "is there twice", "there is no tile", "does not match", "below the target"],
    );
}

#[test]
fn sudoku_is_its_grammar() {
    execute(Format::Sudoku, &["there are"]);
}

#[test]
fn coins_is_its_grammar() {
    let conditions =
        ["is out of range", "joins something with itself", "fewer strings than the header announces", "is given twice"];
    execute(Format::Coins, &conditions);
}

#[test]
fn shannon_is_its_grammar() {
    let conditions = [
        "is out of range",
        "are the same vertex",
        "is a loop",
        "fewer edges than the header announces",
        "is played twice",
    ];
    execute(Format::Shannon, &conditions);
}

#[test]
fn sgf_is_its_grammar() {
    let conditions = [
        "is no possible size",
        "a stone before the size",
        "lies outside the board",
        "the size is given twice",
        "has no value",
    ];
    execute(Format::Sgf, &conditions);
}

#[test]
fn positional_is_its_grammar() {
    let conditions = [
        "is given twice",
        "is listed twice",
        "is no position",
        "is taken",
        "is no time",
        "one source and another target",
        "restricts the first move",
    ];
    execute(Format::Positional, &conditions);
}

#[test]
fn bytes_that_are_no_text_never_panic() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for &format in Format::all() {
        let grammar = grammar(format);
        let mut generator = Generator::new(&grammar);
        for _ in 0..500 {
            let mut bytes = generator.sentence(&mut rng).into_bytes();
            for _ in 0..rng.random_range(1..=4) {
                let at = rng.random_range(0..=bytes.len());
                bytes.insert(at, rng.random());
            }
            for strict in [false, true] {
                let format = rng.random_bool(0.5).then_some(format);
                let options = ReadOptions { format, strict, ..ReadOptions::default() };
                drop(read(&mut &bytes[..], "bytes", &options));
            }
        }
    }
}
