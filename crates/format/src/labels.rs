//! What a writer calls each variable: its name if the format allows that name, else a number behind a stem that no name
//! uses.

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
