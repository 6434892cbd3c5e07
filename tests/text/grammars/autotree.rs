//! The grammar of autotrees, executed like the others; a proof is no problem, so it has its own reader and writer.

use super::ebnf::Grammar;
use super::generate::Generator;
use super::{condition, examples, mutate, recognise};
use gamesat::format::{ReadError, is_autotree, read_autotree, write_autotree};
use gamesat::formula::Autotree;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::path::Path;

fn grammar() -> Grammar {
    Grammar::parse(include_str!("../../../grammars/autotree.ebnf"))
}

fn parse(text: &[u8], name: &str) -> Result<Autotree, ReadError> {
    read_autotree(&mut &*text, name)
}

fn check_round_trip(trees: &Autotree) {
    let mut printed = Vec::new();
    write_autotree(trees, &mut printed).unwrap();
    assert!(is_autotree(&printed));
    assert_eq!(&parse(&printed, "printed").unwrap(), trees);
}

#[test]
fn autotrees_are_their_grammar() {
    let grammar = grammar();
    let mut generator = Generator::new(&grammar);
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let (mut accepted, mut mutants, mut accepted_mutants) = (0, 0, 0);
    let mut last = String::new();
    for _ in 0..3000 {
        let text = generator.sentence(&mut rng);
        match parse(text.as_bytes(), "sentence") {
            Ok(trees) => {
                accepted += 1;
                check_round_trip(&trees);
            }
            Err(error) => {
                let known = condition(&grammar, &error.to_string());
                assert!(known.is_some(), "{error}\nin a sentence of the grammar: {text:?}");
            }
        }
        for _ in 0..4 {
            let mutant = mutate(&text, &last, &mut rng);
            if mutant.len() > 200 {
                continue;
            }
            mutants += 1;
            let sentence = recognise::recognises(&grammar, &mutant);
            match parse(mutant.as_bytes(), "mutant") {
                Ok(trees) => {
                    accepted_mutants += 1;
                    assert!(sentence, "accepted, but no sentence of the grammar: {mutant:?}");
                    check_round_trip(&trees);
                }
                Err(error) if sentence => {
                    assert!(condition(&grammar, &error.to_string()).is_some(), "{error}\nin a sentence: {mutant:?}");
                }
                Err(_) => {}
            }
        }
        last = text;
    }
    assert!(accepted > 1_000, "only {accepted} sentences accepted");
    assert!(accepted_mutants > 100 && accepted_mutants < mutants, "{accepted_mutants} of {mutants}");
    let unused: Vec<_> = grammar.rules.keys().filter(|name| !generator.used.contains(name.as_str())).collect();
    assert!(unused.is_empty(), "never generated: {unused:?}");
}

#[test]
fn examples_of_autotrees() {
    let is_ours = |path: &Path| path.extension().is_some_and(|end| end == "autotree");
    let mut messages = Vec::new();
    for (path, text) in examples::examples("ok").into_iter().filter(|(path, _)| is_ours(path)) {
        check_round_trip(&parse(&text, examples::name(&path)).unwrap_or_else(|error| panic!("{error}")));
        assert!(recognise::recognises(&grammar(), std::str::from_utf8(&text).unwrap()), "{}", path.display());
    }
    for (path, text) in examples::examples("bad").into_iter().filter(|(path, _)| is_ours(path)) {
        let Err(ReadError::Syntax(error)) = parse(&text, examples::name(&path)) else {
            panic!("{} is not refused", path.display());
        };
        messages.push(examples::compare(&path, &error));
    }
    for phrase in &grammar().conditions {
        assert!(messages.iter().any(|message| message.contains(phrase)), "no bad example: {phrase}");
    }
}
