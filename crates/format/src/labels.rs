//! What a writer calls each variable: its name if the format allows that name, else a number behind a stem that no name
//! uses. And how a reader names variables that it warns about.

use super::lexer::shortened;
use gamesat_core::formula::{Names, Var};
use std::borrow::Cow;

/// Labels for variables, all different.
pub(super) struct Labels<'a> {
    names: &'a Names,
    valid: fn(&str) -> bool,
    stem: String,
}

impl<'a> Labels<'a> {
    /// Labels that keep those names that are `valid` in the format and put `stem` before numbers otherwise.
    pub(super) fn new(names: &'a Names, valid: fn(&str) -> bool, stem: &str) -> Self {
        let mut stem = stem.to_owned();
        let clash = |stem: &str| {
            names.iter().any(|(_, name)| {
                name.strip_prefix(stem).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
            })
        };
        while clash(&stem) {
            stem.push('_');
        }
        Labels { names, valid, stem }
    }

    pub(super) fn get(&self, var: Var) -> Cow<'a, str> {
        match self.names.get(var) {
            Some(name) if (self.valid)(name) => Cow::Borrowed(name),
            _ => Cow::Owned(format!("{}{var}", self.stem)),
        }
    }
}

/// Free variables of a text, of which the first few are named in a warning.
#[derive(Default)]
pub(super) struct FreeNames {
    first: Vec<String>,
    more: usize,
}

impl FreeNames {
    /// So many are named.
    const NAMED: usize = 5;

    pub(super) fn len(&self) -> usize {
        self.first.len() + self.more
    }

    pub(super) fn add(&mut self, name: &str) {
        if self.first.len() < Self::NAMED {
            self.first.push(shortened(name.as_bytes()));
        } else {
            self.more += 1;
        }
    }

    /// What to say of them, if there are any.
    pub(super) fn message(&self) -> Option<String> {
        let names = self.first.join(", ");
        let more = if self.more > 0 { format!(" and {} more", self.more) } else { String::new() };
        let (noun, verb) = if self.len() == 1 { ("variable", "is") } else { ("variables", "are") };
        (self.len() > 0).then(|| format!("{noun} {names}{more} {verb} not quantified: existential and outermost"))
    }
}
