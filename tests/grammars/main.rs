//! The grammars are executed: each EBNF file is read, thousands of random sentences are generated from it, and the
//! parser has to agree with it in both directions.
//!
//! 1. Every sentence is accepted, or refused for a context condition that the grammar's header lists.
//! 2. What is accepted survives writing and reading, and its format is recognised by its content.
//! 3. Mutated sentences never panic, hang or eat memory, and the parser accepts one only if the grammar does.

mod aiger;
mod ebnf;
mod examples;
mod generate;
mod recognise;
mod special;
mod strategy;

use ebnf::Grammar;
use gamesat::control::resident_memory;
use gamesat::format::{Format, Parsed, ReadError, ReadOptions, read, sniff, write};
use gamesat::formula::Problem;
use generate::Generator;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Sentences of each grammar, and mutations of each sentence.
const SENTENCES: usize = 3000;
const MUTATIONS: usize = 4;

fn path(format: Format) -> String {
    format!("{}/grammars/{}.ebnf", env!("CARGO_MANIFEST_DIR"), format.name())
}

fn grammar(format: Format) -> Grammar {
    let path = path(format);
    Grammar::parse(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")))
}

fn parse(text: &[u8], format: Format) -> Result<Parsed, String> {
    let options = ReadOptions { format: Some(format), strict: false };
    match read(&mut &*text, "sentence", &options) {
        Ok(parsed) => Ok(parsed),
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
    write(&parsed.problem, format, &mut printed).unwrap_or_else(|error| panic!("{error} in {text:?}"));
    let again = parse(&printed, format).unwrap_or_else(|error| panic!("{error} in {text:?}"));
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
    let grammar = grammar(format);
    let mut generator = Generator::new(&grammar);
    let mut rng = ChaCha8Rng::seed_from_u64(format.name().len() as u64);
    let mut broken: BTreeSet<&str> = BTreeSet::new();
    let (mut accepted, mut mutants, mut accepted_mutants) = (0, 0, 0);
    let mut slowest = Duration::ZERO;
    let memory = resident_memory();
    let mut last = String::new();
    for _ in 0..SENTENCES {
        let text = generator.sentence(&mut rng);
        match parse(text.as_bytes(), format) {
            Ok(parsed) => {
                accepted += 1;
                assert!(format == Format::Infix || sniff(text.as_bytes()) == format, "{text:?}");
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
            let result = parse(mutant.as_bytes(), format);
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
    execute(Format::Qdimacs, &["is quantified twice", "is too large"]);
}

#[test]
fn gamesat_is_its_grammar() {
    let conditions = ["is out of range", "is played twice", "is given twice", "is named twice", "names two elements"];
    execute(Format::Gamesat, &conditions);
}

#[test]
fn infix_is_its_grammar() {
    execute(Format::Infix, &["is quantified twice"]);
}

#[test]
fn qcir_is_its_grammar() {
    let conditions = ["is quantified twice", "is defined twice", "is used before it is defined", "is not defined"];
    execute(Format::Qcir, &conditions);
}

#[test]
fn hex_is_its_grammar() {
    let conditions = ["is no possible size", "the row ends after", "the row is too long", "the board ends after"];
    execute(Format::Hex, &conditions);
}

#[test]
fn bytes_that_are_no_text_never_panic() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for &format in Format::all() {
        // The other drawn boards are described in the grammar of Hex.
        if !std::fs::exists(path(format)).unwrap() {
            continue;
        }
        let grammar = grammar(format);
        let mut generator = Generator::new(&grammar);
        for _ in 0..500 {
            let mut bytes = generator.sentence(&mut rng).into_bytes();
            for _ in 0..rng.random_range(1..=4) {
                let at = rng.random_range(0..=bytes.len());
                bytes.insert(at, rng.random());
            }
            for strict in [false, true] {
                let options = ReadOptions { format: rng.random_bool(0.5).then_some(format), strict };
                drop(read(&mut &bytes[..], "bytes", &options));
            }
        }
    }
}
