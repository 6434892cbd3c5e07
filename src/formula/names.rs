//! Names of variables and elements: what the user calls them, in both directions.

use super::Var;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A partial, one-to-one map between variables and names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    by_var: BTreeMap<Var, String>,
    by_name: FxHashMap<String, Var>,
}

impl Names {
    /// No names at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing has a name.
    pub fn is_empty(&self) -> bool {
        self.by_var.is_empty()
    }

    /// Number of named variables.
    pub fn len(&self) -> usize {
        self.by_var.len()
    }

    /// Gives `var` a name. Returns false, changing nothing, if the variable or the name is taken.
    pub fn insert(&mut self, var: Var, name: impl Into<String>) -> bool {
        let name = name.into();
        if self.by_var.contains_key(&var) || self.by_name.contains_key(&name) {
            return false;
        }
        self.by_name.insert(name.clone(), var);
        self.by_var.insert(var, name);
        true
    }

    /// The variable's name.
    pub fn get(&self, var: Var) -> Option<&str> {
        self.by_var.get(&var).map(String::as_str)
    }

    /// The variable of that name.
    pub fn find(&self, name: &str) -> Option<Var> {
        self.by_name.get(name).copied()
    }

    /// All names in the order of their variables.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &str)> {
        self.by_var.iter().map(|(&var, name)| (var, name.as_str()))
    }

    /// The variable's name, or its number if it has none.
    pub fn display(&self, var: Var) -> String {
        self.get(var).map_or_else(|| var.to_string(), str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_to_one() {
        let mut names = Names::new();
        let (a, b) = (Var::from_index(0), Var::from_index(1));
        assert!(names.insert(a, "a1"));
        assert!(!names.insert(b, "a1"));
        assert!(!names.insert(a, "a2"));
        assert_eq!(names.find("a1"), Some(a));
        assert_eq!(names.get(a), Some("a1"));
        assert_eq!(names.display(b), "2");
        assert_eq!(names.len(), 1);
    }
}
