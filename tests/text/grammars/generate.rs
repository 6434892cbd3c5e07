//! Random sentences of a grammar.
//!
//! Beyond a depth the shortest way out is taken, so every sentence ends. Pure chance would seldom satisfy the context
//! conditions: so where a grammar defines or uses names, the generator usually remembers what it has defined.

use super::boards;
use super::ebnf::{Expression, Grammar};
use super::special;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Stands for the number of rows until that is known: digits, so that a mutant of it is a number, too.
const ROWS: &str = "4444444";

pub struct Generator<'g> {
    grammar: &'g Grammar,
    /// Depth of the shallowest derivation of each rule.
    heights: BTreeMap<&'g str, usize>,
    /// Rules that some sentence used.
    pub used: BTreeSet<&'g str>,
    /// What this sentence has defined so far, by rule.
    known: BTreeMap<&'g str, Vec<String>>,
    /// Whether the grammar is one of a board.
    board: bool,
}

impl<'g> Generator<'g> {
    /// Beyond this depth everything takes the shallowest way.
    const DEPTH: usize = 40;
    /// Sentences that grow beyond this many bytes come to their end.
    const LENGTH: usize = 400;

    pub fn new(grammar: &'g Grammar) -> Self {
        let mut heights: BTreeMap<&str, usize> = BTreeMap::new();
        loop {
            let before = heights.clone();
            for (name, rule) in &grammar.rules {
                if let Some(height) = height(rule, &heights) {
                    heights.insert(name, height + 1);
                }
            }
            if heights == before {
                break;
            }
        }
        assert_eq!(heights.len(), grammar.rules.len(), "a rule has no finite sentence");
        let board = boards::is_board(grammar);
        Generator { grammar, heights, used: BTreeSet::new(), known: BTreeMap::new(), board }
    }

    pub fn sentence(&mut self, rng: &mut ChaCha8Rng) -> String {
        self.known.clear();
        let mut text = String::new();
        self.rule(&self.grammar.start, 0, &mut text, rng);
        if text.contains(ROWS) {
            let rows: usize = ["clause", "row"].iter().filter_map(|&rule| self.known.get(rule)).map(Vec::len).sum();
            let announced = if rng.random_bool(0.9) { rows } else { rng.random_range(0..=rows + 1) };
            text = text.replacen(ROWS, &announced.to_string(), 1);
        }
        if self.board {
            let edges = self.known.get("edge").map_or(0, Vec::len);
            boards::complete(self.grammar, &mut text, edges, rng);
        }
        special::separated(&text)
    }

    fn rule(&mut self, name: &str, depth: usize, text: &mut String, rng: &mut ChaCha8Rng) {
        let (name, rule) = self.grammar.rules.get_key_value(name).expect("checked");
        self.used.insert(name);
        let start = text.len();
        match name.as_str() {
            // Large enough for most elements that follow.
            "elements" if rng.random_bool(0.9) => text.push_str("9999"),
            // Seldom would a sentence have two names otherwise.
            "line" if self.grammar.rules.contains_key("named") && rng.random_bool(0.8) => {
                self.rule("name", depth + 1, text, rng);
            }
            // A name that is there already.
            "label" if self.known.contains_key("label") && rng.random_bool(0.6) => {
                let known = self.known["label"][0].clone();
                text.push_str(&known);
            }
            "label" => {
                self.expression(rule, depth, text, rng);
                let label = text[start..].to_owned();
                self.known.entry(name).or_default().push(label);
            }
            // A sentence with fewer rows than it announces is refused; how many there will be is known at the end only.
            "clauses" | "rows" => text.push_str(ROWS),
            "clause" | "row" => {
                self.expression(rule, depth, text, rng);
                self.known.entry(name).or_default().push(String::new());
            }
            "palette" if rng.random_bool(0.9) => text.push_str("64"),
            // Whoever reads the sentence corrects it; the number is known at the end only.
            "nodes" | "steps" | "row count" if rng.random_bool(0.9) => text.push_str("7777"),
            "child" if rng.random_bool(0.98) => match self.known.get("node").map_or(0, Vec::len) {
                0 => self.expression(rule, depth, text, rng),
                nodes => text.push_str(&rng.random_range(1..=nodes).to_string()),
            },
            "node" => {
                match self.known.contains_key("node") {
                    true => self.expression(rule, depth, text, rng),
                    false if rng.random_bool(0.02) => self.expression(rule, depth, text, rng),
                    // Everything else refers to an earlier one.
                    false => self.rule("leaf", depth + 1, text, rng),
                }
                self.known.entry(name).or_default().push(String::new());
            }
            // What is referred to comes first.
            "step row" if !self.known.contains_key("universal play") && rng.random_bool(0.98) => {
                self.rule("universal play", depth + 1, text, rng);
            }
            "step row" if !self.known.contains_key("instance") && rng.random_bool(0.98) => {
                self.rule("instances", depth + 1, text, rng);
            }
            "universal play" | "instance" | "resolvent" => {
                self.expression(rule, depth, text, rng);
                self.known.entry(name).or_default().push(String::new());
            }
            "earlier play" | "earlier step" if rng.random_bool(0.98) => {
                let count = |what: &str| self.known.get(what).map_or(0, Vec::len);
                let before = if name == "earlier play" {
                    count("universal play")
                } else {
                    count("instance") + count("resolvent")
                };
                text.push_str(&rng.random_range(1..=before.max(1)).to_string());
            }
            "reference" if rng.random_bool(0.98) => match self.known.get("definition") {
                Some(known) => text.push_str(&known[rng.random_range(0..known.len())]),
                None => self.expression(rule, depth, text, rng),
            },
            "definition" | "quantified" | "colour" | "named" => {
                let known = self.known.get(name.as_str()).cloned().unwrap_or_default();
                let again = if name == "named" { 0.3 } else { 0.05 };
                if !known.is_empty() && rng.random_bool(again) {
                    return text.push_str(&known[rng.random_range(0..known.len())]);
                }
                for _ in 0..20 {
                    text.truncate(start);
                    self.expression(rule, depth, text, rng);
                    let same =
                        |other: &String| other.trim_matches(['-', '0']) == text[start..].trim_matches(['-', '0']);
                    if !known.iter().any(same) {
                        break;
                    }
                }
                self.known.entry(name).or_default().push(text[start..].to_owned());
            }
            "extent" | "vertices" | "vertex" | "element" | "cell" | "edge" | "name" | "code word" | "edges"
            | "other" | "position" | "placement" | "plies" | "tile" | "goal" | "score"
                if self.board && rng.random_bool(0.95) =>
            {
                let known = self.known.entry(name).or_default();
                match boards::word(name, known, text, rng) {
                    Some(word) => {
                        known.push(word.clone());
                        text.push_str(&word);
                    }
                    None => self.expression(rule, depth, text, rng),
                }
            }
            _ => self.expression(rule, depth, text, rng),
        }
    }

    fn expression(&mut self, expression: &'g Expression, depth: usize, text: &mut String, rng: &mut ChaCha8Rng) {
        let tired = depth > Self::DEPTH || text.len() > Self::LENGTH;
        match expression {
            Expression::Text(word) => text.push_str(word),
            Expression::Special(special) if special == special::END_OF_WORD => text.push(special::OPEN_END),
            Expression::Special(special) => match special::any_case(special) {
                Some(word) if rng.random_bool(0.9) => text.push_str(word),
                Some(word) => text.extend(word.chars().map(|c| if rng.random() { c.to_ascii_uppercase() } else { c })),
                None => text.push(special::random(special, rng)),
            },
            Expression::Rule(name) => self.rule(name, depth + 1, text, rng),
            Expression::Sequence(list) => list.iter().for_each(|item| self.expression(item, depth + 1, text, rng)),
            Expression::Choice(list) if tired => {
                let shallow = list.iter().min_by_key(|item| height(item, &self.heights)).expect("not empty");
                self.expression(shallow, depth + 1, text, rng);
            }
            Expression::Choice(list) => self.expression(&list[rng.random_range(0..list.len())], depth + 1, text, rng),
            Expression::Optional(inner) => {
                if !tired && rng.random_bool(0.4) {
                    self.expression(inner, depth + 1, text, rng);
                }
            }
            Expression::Repeat(inner) => {
                // Mostly few, sometimes many.
                let stop = if rng.random_bool(0.01) { 0.02 } else { 0.55 };
                while text.len() <= Self::LENGTH && depth <= Self::DEPTH && !rng.random_bool(stop) {
                    self.expression(inner, depth + 1, text, rng);
                }
            }
            Expression::Except(inner, exception) => {
                if let Expression::Rule(name) = &**exception {
                    self.used.insert(name);
                }
                let start = text.len();
                loop {
                    text.truncate(start);
                    self.expression(inner, depth + 1, text, rng);
                    let characters: Vec<char> = text[start..].chars().collect();
                    if !super::recognise::matches(self.grammar, exception, &characters) {
                        break;
                    }
                }
            }
        }
    }
}

/// Depth of the shallowest derivation, if it is known yet.
fn height(expression: &Expression, heights: &BTreeMap<&str, usize>) -> Option<usize> {
    match expression {
        Expression::Rule(name) => heights.get(name.as_str()).copied(),
        Expression::Sequence(list) => list.iter().map(|item| height(item, heights)).try_fold(0, |a, b| Some(a.max(b?))),
        Expression::Choice(list) => list.iter().filter_map(|item| height(item, heights)).min(),
        Expression::Except(inner, _) => height(inner, heights),
        _ => Some(0),
    }
}
