//! Whether a text is a sentence of a grammar, by trying everything: for each rule and place, all places where it can end.

use super::ebnf::{Expression, Grammar};
use super::special;
use std::collections::{BTreeSet, HashMap};

/// Whether the whole text is a sentence of the grammar.
pub fn recognises(grammar: &Grammar, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    matches(grammar, &Expression::Rule(grammar.start.clone()), &text)
}

/// Whether the whole text is derived from the expression.
pub fn matches(grammar: &Grammar, expression: &Expression, text: &[char]) -> bool {
    let mut recogniser = Recogniser { grammar, text, ends: HashMap::new() };
    recogniser.ends(expression, 0).contains(&text.len())
}

type Ends = BTreeSet<usize>;

struct Recogniser<'a> {
    grammar: &'a Grammar,
    text: &'a [char],
    ends: HashMap<(&'a str, usize), Ends>,
}

impl<'a> Recogniser<'a> {
    /// All places where the expression can end if it begins here.
    fn ends(&mut self, expression: &Expression, start: usize) -> Ends {
        let rest = &self.text[start..];
        match expression {
            Expression::Text(word) => {
                let found = word.chars().count() <= rest.len() && word.chars().zip(rest).all(|(a, &b)| a == b);
                found.then(|| start + word.chars().count()).into_iter().collect()
            }
            Expression::Special(special) if special == special::END_OF_WORD => {
                let ends = rest.first().is_none_or(|&c| !special::continues(c));
                ends.then_some(start).into_iter().collect()
            }
            Expression::Special(special) => match special::any_case(special) {
                Some(word) => {
                    let same = |(a, b): (char, &char)| a.eq_ignore_ascii_case(b);
                    let found = word.len() <= rest.len() && word.chars().zip(rest).all(same);
                    found.then(|| start + word.len()).into_iter().collect()
                }
                None => {
                    let found = rest.first().is_some_and(|&c| special::contains(special, c));
                    found.then_some(start + 1).into_iter().collect()
                }
            },
            Expression::Rule(name) => {
                let (name, rule) = self.grammar.rules.get_key_value(name).expect("checked");
                if let Some(ends) = self.ends.get(&(name.as_str(), start)) {
                    return ends.clone();
                }
                let ends = self.ends(rule, start);
                self.ends.insert((name, start), ends.clone());
                ends
            }
            Expression::Sequence(list) => {
                list.iter().fold(Ends::from([start]), |starts, item| self.step(item, &starts))
            }
            Expression::Choice(list) => list.iter().flat_map(|item| self.ends(item, start)).collect(),
            Expression::Optional(inner) => {
                let mut ends = self.ends(inner, start);
                ends.insert(start);
                ends
            }
            Expression::Repeat(inner) => {
                let mut all = Ends::from([start]);
                let mut new = all.clone();
                while !new.is_empty() {
                    new = self.step(inner, &new).difference(&all).copied().collect();
                    all.extend(&new);
                }
                all
            }
            Expression::Except(inner, exception) => {
                let (ends, wrong) = (self.ends(inner, start), self.ends(exception, start));
                ends.difference(&wrong).copied().collect()
            }
        }
    }

    fn step(&mut self, expression: &Expression, starts: &Ends) -> Ends {
        starts.iter().flat_map(|&start| self.ends(expression, start)).collect()
    }
}
