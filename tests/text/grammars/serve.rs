//! The grammar of requests to `gamesat serve`, executed like the others.

use super::ebnf::Grammar;
use super::generate::Generator;
use super::{condition, mutate, recognise};
use gamesat::play::Request;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[test]
fn requests_are_their_grammar() {
    let grammar = Grammar::parse(include_str!("../../../grammars/serve.ebnf"));
    let mut generator = Generator::new(&grammar);
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut accepted, mut refused, mut last) = (0, 0, String::new());
    for _ in 0..3000 {
        let text = generator.sentence(&mut rng);
        if let Err(error) = Request::read(&text) {
            assert!(condition(&grammar, &error.to_string()).is_some(), "{error}\nin a sentence: {text:?}");
        }
        for _ in 0..4 {
            let mutant = mutate(&text, &last, &mut rng).replace('\n', " ");
            let sentence = recognise::recognises(&grammar, &mutant);
            match Request::read(&mutant) {
                Ok(_) => {
                    accepted += 1;
                    assert!(sentence, "accepted, but no sentence of the grammar: {mutant:?}");
                }
                Err(error) => {
                    refused += 1;
                    let known = condition(&grammar, &error.to_string()).is_some();
                    assert!(!sentence || known, "{error}\nin a sentence: {mutant:?}");
                }
            }
        }
        last = text;
    }
    assert!(accepted > 500 && refused > 500, "{accepted} accepted, {refused} refused");
    let unused: Vec<_> = grammar.rules.keys().filter(|name| !generator.used.contains(name.as_str())).collect();
    assert!(unused.is_empty(), "never generated: {unused:?}");
}
