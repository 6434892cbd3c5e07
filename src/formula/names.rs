//! Names of variables and elements: what the user calls them, in both directions.

use super::Var;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::BuildHasher;

/// A partial, one-to-one map between variables and names.
///
/// All names lie in one string, since a circuit may have millions of them.
#[derive(Clone, Default)]
pub struct Names {
    /// Every name, in the order they were given.
    text: String,
    /// Where each ends in `text`.
    ends: Vec<usize>,
    by_var: BTreeMap<Var, u32>,
    by_name: HashTable<(u32, Var)>,
    hasher: DefaultHashBuilder,
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
    pub fn insert(&mut self, var: Var, name: impl AsRef<str>) -> bool {
        let name = name.as_ref();
        if self.by_var.contains_key(&var) || self.find(name).is_some() {
            return false;
        }
        let index = self.ends.len() as u32; // there are no more variables than that
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.by_var.insert(var, index);
        let Names { text, ends, hasher, .. } = self;
        let rehash = |&(index, _): &(u32, Var)| hasher.hash_one(nth(text, ends, index));
        self.by_name.insert_unique(hasher.hash_one(name), (index, var), rehash);
        true
    }

    /// The variable's name.
    pub fn get(&self, var: Var) -> Option<&str> {
        self.by_var.get(&var).map(|&index| nth(&self.text, &self.ends, index))
    }

    /// The variable of that name.
    pub fn find(&self, name: &str) -> Option<Var> {
        let same = |&(index, _): &(u32, Var)| nth(&self.text, &self.ends, index) == name;
        self.by_name.find(self.hasher.hash_one(name), same).map(|&(_, var)| var)
    }

    /// All names in the order of their variables.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &str)> {
        self.by_var.iter().map(|(&var, &index)| (var, nth(&self.text, &self.ends, index)))
    }

    /// The variable's name, or its number if it has none.
    pub fn display(&self, var: Var) -> String {
        self.get(var).map_or_else(|| var.to_string(), str::to_owned)
    }
}

fn nth<'a>(text: &'a str, ends: &[usize], index: u32) -> &'a str {
    let index = index as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &text[start..ends[index]]
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Names {}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
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

    #[test]
    fn the_order_of_insertion_does_not_matter() {
        let vars: Vec<Var> = (0..500).map(Var::from_index).collect();
        let name = |var: &Var| format!("n{}", var.index() * 7);
        let (mut up, mut down) = (Names::new(), Names::new());
        assert!(vars.iter().all(|var| up.insert(*var, name(var))));
        assert!(vars.iter().rev().all(|var| down.insert(*var, name(var))));
        assert_eq!(up, down);
        for var in &vars {
            assert_eq!(down.find(&name(var)), Some(*var));
            assert_eq!(down.get(*var), Some(name(var).as_str()));
        }
        assert_eq!(down.find("n1"), None);
        assert_eq!(format!("{:?}", up.iter().next().unwrap()), "(1, \"n0\")");
    }
}
