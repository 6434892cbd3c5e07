//! The grammar of certificates. Sentences by chance would hardly ever have the lines that their headers announce, so they
//! are written from random graphs; their mutants hold grammar and parser to each other.

use super::ebnf::Grammar;
use super::{condition, mutate, recognise};
use gamesat::format::{AigerForm, ReadError, read_aiger, write_aiger};
use gamesat::formula::{Aig, Var};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

fn parse(text: &str) -> Result<Aig, ReadError> {
    read_aiger(&mut text.as_bytes(), "sentence")
}

fn print(graph: &Aig) -> String {
    let mut text = Vec::new();
    write_aiger(graph, AigerForm::Ascii, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The graph after a trip through the binary form.
fn through_binary(graph: &Aig) -> Aig {
    let mut bytes = Vec::new();
    write_aiger(graph, AigerForm::Binary, &mut bytes).unwrap();
    read_aiger(&mut &bytes[..], "bytes").unwrap()
}

fn random_graph(rng: &mut ChaCha8Rng) -> Aig {
    let inputs = rng.random_range(0..4);
    let mut graph = Aig::new((0..inputs).map(|i| Var::from_index(3 * i + 1)).collect());
    for _ in 0..rng.random_range(0..4) {
        let [left, right] = [(); 2].map(|()| Var::from_index(rng.random_range(0..graph.num_nodes())).lit(rng.random()));
        graph.push_and(left, right);
    }
    for output in 0..rng.random_range(0..3) {
        let signal = Var::from_index(rng.random_range(0..graph.num_nodes())).lit(rng.random());
        graph.output(Var::from_index(3 * output), signal);
    }
    graph
}

#[test]
fn aiger_is_its_grammar() {
    let grammar = Grammar::parse(include_str!("../../../grammars/aiger.ebnf"));
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut last, mut accepted, mut refused) = (String::new(), 0, 0);
    let mut broken: BTreeSet<String> = BTreeSet::new();
    for _ in 0..1500 {
        let graph = random_graph(&mut rng);
        let text = print(&graph);
        assert_eq!(parse(&text).unwrap(), graph, "{text}");
        assert_eq!(through_binary(&graph), graph, "{text}");
        assert!(recognise::recognises(&grammar, &text), "{text}");
        let mut mutant = text.clone();
        for _ in 0..4 {
            // One digit for another leaves most mutants sentences; the rest are arbitrary.
            mutant = if rng.random_bool(0.6) { other_digit(&mutant, &mut rng) } else { mutate(&text, &last, &mut rng) };
            // The grammar has rules for the ASCII form alone.
            if mutant.len() > 120 || mutant.starts_with("aig") {
                continue;
            }
            let sentence = recognise::recognises(&grammar, &mutant);
            match parse(&mutant) {
                Ok(graph) => {
                    accepted += 1;
                    assert!(sentence, "accepted, but no sentence of the grammar: {mutant:?}");
                    assert_eq!(parse(&print(&graph)).unwrap(), graph, "{mutant:?}");
                }
                Err(error) if sentence => {
                    refused += 1;
                    let known = condition(&grammar, &error.to_string());
                    broken.insert(known.unwrap_or_else(|| panic!("{error}\nin a sentence: {mutant:?}")).to_owned());
                }
                Err(_) => {}
            }
        }
        last = text;
    }
    assert!(accepted > 200 && refused > 500, "{accepted} accepted, {refused} refused");
    let never: Vec<_> = grammar.conditions.iter().filter(|phrase| !broken.contains(*phrase)).collect();
    assert!(never.is_empty(), "never broken: {never:?}");
}

fn other_digit(text: &str, rng: &mut ChaCha8Rng) -> String {
    let digits: Vec<usize> = text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(at, _)| at).collect();
    if digits.is_empty() {
        return text.to_owned();
    }
    let at = digits[rng.random_range(0..digits.len())];
    format!("{}{}{}", &text[..at], rng.random_range(0..10), &text[at + 1..])
}
