//! Reads the grammars: EBNF in the style of ISO 14977, with names of several words.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_until, take_while1};
use nom::character::complete::{char, multispace1};
use nom::combinator::{all_consuming, map, opt, value};
use nom::multi::{many0, many1, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};
use std::collections::BTreeMap;

/// A piece of a rule.
#[derive(Clone, Debug)]
pub enum Expression {
    Text(String),
    /// A class of characters, or a word in any case, in words.
    Special(String),
    Rule(String),
    Sequence(Vec<Expression>),
    Choice(Vec<Expression>),
    Repeat(Box<Expression>),
    Optional(Box<Expression>),
    /// The first but not the second.
    Except(Box<Expression>, Box<Expression>),
}

/// A grammar whose first rule is the start.
#[derive(Debug)]
pub struct Grammar {
    pub start: String,
    pub rules: BTreeMap<String, Expression>,
    /// Phrases of error messages that a sentence of the grammar may still cause.
    pub conditions: Vec<String>,
    /// Phrases of error messages in strict mode.
    pub strict: Vec<String>,
}

impl Grammar {
    /// Reads a grammar; panics with what is wrong with it.
    pub fn parse(text: &str) -> Grammar {
        let (_, list) = all_consuming(preceded(gap, many1(terminated(rule, gap)))).parse(text).expect("not EBNF");
        let header = text.split("*)").next().unwrap_or_default();
        let (conditions, strict) = header.split_once("an error with --strict").expect("a header with both lists");
        let start = list[0].0.clone();
        let count = list.len();
        let rules: BTreeMap<_, _> = list.into_iter().collect();
        assert_eq!(rules.len(), count, "a rule is defined twice");
        let grammar = Grammar { start, rules, conditions: phrases(conditions), strict: phrases(strict) };
        grammar.rules.values().for_each(|rule| grammar.check(rule));
        grammar
    }

    /// Every rule that is used is defined.
    fn check(&self, expression: &Expression) {
        match expression {
            Expression::Rule(name) => assert!(self.rules.contains_key(name), "rule '{name}' is not defined"),
            Expression::Sequence(list) | Expression::Choice(list) => list.iter().for_each(|item| self.check(item)),
            Expression::Repeat(inner) | Expression::Optional(inner) => self.check(inner),
            Expression::Except(left, right) => [left, right].iter().for_each(|item| self.check(item)),
            Expression::Text(_) | Expression::Special(_) => {}
        }
    }
}

/// What stands in double quotes at the beginning of a line.
fn phrases(header: &str) -> Vec<String> {
    let quoted = |line: &str| Some(line.trim().strip_prefix('"')?.rsplit_once('"')?.0.to_owned());
    header.lines().filter_map(quoted).collect()
}

fn gap(text: &str) -> IResult<&str, ()> {
    let comment = delimited(tag("(*"), take_until("*)"), tag("*)"));
    value((), many0(alt((value((), multispace1), value((), comment))))).parse(text)
}

/// A parser and the gap behind it.
fn token<'a, O>(
    parser: impl Parser<&'a str, Output = O, Error = nom::error::Error<&'a str>>,
) -> impl Parser<&'a str, Output = O, Error = nom::error::Error<&'a str>> {
    terminated(parser, gap)
}

fn name(text: &str) -> IResult<&str, String> {
    let word = take_while1(|c: char| c.is_ascii_alphanumeric() || c == ' ');
    map(word, |name: &str| name.trim().to_owned()).parse(text)
}

fn rule(text: &str) -> IResult<&str, (String, Expression)> {
    let (text, left) = token(name).parse(text)?;
    let (text, right) = delimited(token(char('=')), choice, char(';')).parse(text)?;
    Ok((text, (left, right)))
}

fn choice(text: &str) -> IResult<&str, Expression> {
    let alternatives = separated_list1(token(char('|')), sequence);
    map(alternatives, |mut list| if list.len() == 1 { list.remove(0) } else { Expression::Choice(list) }).parse(text)
}

fn sequence(text: &str) -> IResult<&str, Expression> {
    let list = separated_list1(token(char(',')), term);
    map(list, |mut list| if list.len() == 1 { list.remove(0) } else { Expression::Sequence(list) }).parse(text)
}

fn term(text: &str) -> IResult<&str, Expression> {
    let (text, left) = token(factor).parse(text)?;
    let (text, right) = opt(preceded(token(char('-')), token(factor))).parse(text)?;
    Ok((text, right.map_or(left.clone(), |right| Expression::Except(Box::new(left), Box::new(right)))))
}

fn factor(text: &str) -> IResult<&str, Expression> {
    alt((
        map(delimited(char('"'), is_not("\""), char('"')), |text: &str| Expression::Text(text.to_owned())),
        map(delimited(char('?'), is_not("?"), char('?')), |text: &str| Expression::Special(text.trim().to_owned())),
        map(delimited(token(char('{')), choice, char('}')), |inner| Expression::Repeat(Box::new(inner))),
        map(delimited(token(char('[')), choice, char(']')), |inner| Expression::Optional(Box::new(inner))),
        delimited(token(char('(')), choice, char(')')),
        map(name, Expression::Rule),
    ))
    .parse(text)
}
