//! The grammars of proofs, executed like the others; a proof is no problem, so each kind has its own reader and writer.

use super::ebnf::Grammar;
use super::generate::Generator;
use super::{condition, examples, mutate, recognise};
use gamesat::format::{
    ReadError, WriteError, is_autotree, is_confirmation, is_refutation, is_strategy, is_trees, read_autotree,
    read_confirmation, read_refutation, read_strategy, read_trees, write_autotree, write_confirmation,
    write_refutation, write_strategy, write_trees,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::io::{Read, Write};

/// A kind of proof.
struct Kind<P> {
    grammar: &'static str,
    /// How names of examples end.
    ending: &'static str,
    recognises: fn(&[u8]) -> bool,
    read: fn(&mut dyn Read, &str) -> Result<P, ReadError>,
    write: fn(&P, &mut dyn Write) -> Result<(), WriteError>,
    /// Fewer sentences accepted than this would test nothing.
    accepted: usize,
    /// Context conditions that random sentences must break.
    broken: &'static [&'static str],
}

impl<P: PartialEq + Debug> Kind<P> {
    fn parse(&self, text: &[u8], name: &str) -> Result<P, ReadError> {
        (self.read)(&mut &*text, name)
    }

    fn check_round_trip(&self, proof: &P) {
        let mut printed = Vec::new();
        (self.write)(proof, &mut printed).unwrap();
        assert!((self.recognises)(&printed));
        assert_eq!(&self.parse(&printed, "printed").unwrap(), proof);
    }

    fn is_its_grammar(&self, seed: u64) {
        let grammar = Grammar::parse(self.grammar);
        let mut generator = Generator::new(&grammar);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut broken: BTreeSet<&str> = BTreeSet::new();
        let (mut accepted, mut mutants, mut accepted_mutants) = (0, 0, 0);
        let mut last = String::new();
        for _ in 0..3000 {
            let mut text = generator.sentence(&mut rng);
            let mut result = self.parse(text.as_bytes(), "sentence");
            if let Err(error) = &result
                && let message = error.to_string()
                && message.contains("announces 7777 ")
                && let Some((_, count)) = message.split_once(", but there are ")
            {
                // The generator could not know the number when it wrote the header.
                broken.insert("the header announces");
                text = text.replacen("7777", count.split(',').next().unwrap(), 1);
                result = self.parse(text.as_bytes(), "sentence");
            }
            match result {
                Ok(proof) => {
                    accepted += 1;
                    self.check_round_trip(&proof);
                }
                Err(error) => match condition(&grammar, &error.to_string()) {
                    Some(condition) => drop(broken.insert(condition)),
                    None => panic!("{error}\nin a sentence of the grammar: {text:?}"),
                },
            }
            for _ in 0..4 {
                let mutant = mutate(&text, &last, &mut rng);
                if mutant.len() > 200 {
                    continue;
                }
                mutants += 1;
                let sentence = recognise::recognises(&grammar, &mutant);
                match self.parse(mutant.as_bytes(), "mutant") {
                    Ok(proof) => {
                        accepted_mutants += 1;
                        assert!(sentence, "accepted, but no sentence of the grammar: {mutant:?}");
                        self.check_round_trip(&proof);
                    }
                    Err(error) if sentence => {
                        assert!(
                            condition(&grammar, &error.to_string()).is_some(),
                            "{error}\nin a sentence: {mutant:?}"
                        );
                    }
                    Err(_) => {}
                }
            }
            last = text;
        }
        assert!(accepted > self.accepted, "only {accepted} sentences accepted");
        assert!(accepted_mutants > 100 && accepted_mutants < mutants, "{accepted_mutants} of {mutants}");
        let unused: Vec<_> = grammar.rules.keys().filter(|name| !generator.used.contains(name.as_str())).collect();
        assert!(unused.is_empty(), "never generated: {unused:?}");
        for phrase in self.broken {
            assert!(broken.contains(phrase), "never broken: {phrase}");
        }
        self.examples(&grammar);
    }

    fn examples(&self, grammar: &Grammar) {
        let ours = |directory: &str| {
            let all = examples::examples(directory).into_iter();
            all.filter(|(path, _)| path.extension().is_some_and(|end| end == self.ending)).collect::<Vec<_>>()
        };
        for (path, text) in ours("ok") {
            assert!((self.recognises)(&text), "{}", path.display());
            self.check_round_trip(&self.parse(&text, examples::name(&path)).unwrap_or_else(|error| panic!("{error}")));
            assert!(recognise::recognises(grammar, std::str::from_utf8(&text).unwrap()), "{}", path.display());
        }
        let mut messages = Vec::new();
        for (path, text) in ours("bad") {
            let Err(ReadError::Syntax(error)) = self.parse(&text, examples::name(&path)) else {
                panic!("{} is not refused", path.display());
            };
            messages.push(examples::compare(&path, &error));
        }
        for phrase in &grammar.conditions {
            assert!(messages.iter().any(|message| message.contains(phrase)), "no bad example: {phrase}");
        }
    }
}

#[test]
fn strategies_are_their_grammar() {
    let kind = Kind {
        grammar: include_str!("../../../grammars/strategy.ebnf"),
        ending: "strategy",
        recognises: is_strategy,
        read: read_strategy,
        write: write_strategy,
        accepted: 250,
        broken: &["is not an earlier node", "the header announces", "there is no node"],
    };
    kind.is_its_grammar(9);
}

#[test]
fn refutations_are_their_grammar() {
    let kind = Kind {
        grammar: include_str!("../../../grammars/refutation.ebnf"),
        ending: "refutation",
        recognises: is_refutation,
        read: read_refutation,
        write: write_refutation,
        accepted: 1000,
        broken: &["is not there", "the header announces"],
    };
    kind.is_its_grammar(13);
}

#[test]
fn confirmations_are_their_grammar() {
    let kind = Kind {
        grammar: include_str!("../../../grammars/confirmation.ebnf"),
        ending: "confirmation",
        recognises: is_confirmation,
        read: read_confirmation,
        write: write_confirmation,
        accepted: 1000,
        broken: &["the header announces"],
    };
    kind.is_its_grammar(14);
}

#[test]
fn trees_are_their_grammar() {
    let kind = Kind {
        grammar: include_str!("../../../grammars/trees.ebnf"),
        ending: "trees",
        recognises: is_trees,
        read: read_trees,
        write: write_trees,
        accepted: 1000,
        broken: &[],
    };
    kind.is_its_grammar(10);
}

#[test]
fn autotrees_are_their_grammar() {
    let kind = Kind {
        grammar: include_str!("../../../grammars/autotree.ebnf"),
        ending: "autotree",
        recognises: is_autotree,
        read: read_autotree,
        write: write_autotree,
        accepted: 1000,
        broken: &[],
    };
    kind.is_its_grammar(12);
}
