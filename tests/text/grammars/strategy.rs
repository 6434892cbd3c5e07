//! The grammar of strategy files, executed like the others; a strategy is no problem, so it has its own reader and writer.

use super::ebnf::Grammar;
use super::generate::Generator;
use super::{condition, examples, mutate, recognise};
use gamesat::format::{ReadError, is_strategy, read_strategy, write_strategy};
use gamesat::formula::Strategy;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::path::Path;

fn grammar() -> Grammar {
    Grammar::parse(include_str!("../../../grammars/strategy.ebnf"))
}

fn parse(text: &[u8], name: &str) -> Result<Strategy, ReadError> {
    read_strategy(&mut &*text, name)
}

fn check_round_trip(strategy: &Strategy) {
    let mut printed = Vec::new();
    write_strategy(strategy, &mut printed).unwrap();
    assert!(is_strategy(&printed));
    assert_eq!(&parse(&printed, "printed").unwrap(), strategy);
}

#[test]
fn strategy_is_its_grammar() {
    let grammar = grammar();
    let mut generator = Generator::new(&grammar);
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut broken: BTreeSet<&str> = BTreeSet::new();
    let (mut accepted, mut mutants, mut accepted_mutants) = (0, 0, 0);
    let mut last = String::new();
    for _ in 0..3000 {
        let mut text = generator.sentence(&mut rng);
        let mut result = parse(text.as_bytes(), "sentence");
        if let Err(error) = &result
            && let Some((_, count)) = error.to_string().split_once("announces 7777 nodes, but there are ")
        {
            // The generator could not know the number when it wrote the header.
            broken.insert("the header announces");
            text = text.replacen("7777", count.split(',').next().unwrap(), 1);
            result = parse(text.as_bytes(), "sentence");
        }
        match result {
            Ok(strategy) => {
                accepted += 1;
                check_round_trip(&strategy);
            }
            Err(error) => match condition(&grammar, &error.to_string()) {
                Some(condition) => drop(broken.insert(condition)),
                None => panic!("{error}\nin a sentence of the grammar: {text:?}"),
            },
        }
        for _ in 0..4 {
            let mutant = mutate(&text, &last, &mut rng);
            let result = parse(mutant.as_bytes(), "mutant");
            if mutant.len() > 200 {
                continue;
            }
            mutants += 1;
            let sentence = recognise::recognises(&grammar, &mutant);
            match result {
                Ok(strategy) => {
                    accepted_mutants += 1;
                    assert!(sentence, "accepted, but no sentence of the grammar: {mutant:?}");
                    check_round_trip(&strategy);
                }
                Err(error) if sentence => {
                    assert!(condition(&grammar, &error.to_string()).is_some(), "{error}\nin a sentence: {mutant:?}");
                }
                Err(_) => {}
            }
        }
        last = text;
    }
    assert!(accepted > 250, "only {accepted} sentences accepted");
    assert!(accepted_mutants > 100 && accepted_mutants < mutants / 2, "{accepted_mutants} of {mutants}");
    let unused: Vec<_> = grammar.rules.keys().filter(|name| !generator.used.contains(name.as_str())).collect();
    assert!(unused.is_empty(), "never generated: {unused:?}");
    for phrase in ["is not an earlier node", "the header announces", "there is no node"] {
        assert!(broken.contains(phrase), "never broken: {phrase}");
    }
}

#[test]
fn examples_of_strategies() {
    let is_ours = |path: &Path| path.extension().is_some_and(|end| end == "strategy");
    let mut messages = Vec::new();
    for (path, text) in examples::examples("ok").into_iter().filter(|(path, _)| is_ours(path)) {
        check_round_trip(&parse(&text, examples::name(&path)).unwrap_or_else(|error| panic!("{error}")));
        assert!(is_strategy(&text));
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
