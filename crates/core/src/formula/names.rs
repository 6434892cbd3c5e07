//! Names of variables and elements: what the user calls them, in both directions.
//!
//! A circuit may have millions of names, and a reader asks for one at every operand, so what counts is how often memory
//! is waited for. Most names are numbers or a letter and a number (`17`, `x17`): they index a vector, as soon as there are
//! enough of them to pay for it. Any other name of up to sixteen bytes is its own key in a hash table, where it is found
//! without a look at the text; only longer ones are compared there. All text lies in one string.

use super::{Var, digits};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::BuildHasher;

/// A partial, one-to-one map between variables and names.
#[derive(Clone, Default)]
pub struct Names {
    /// Every name, in the order they were given.
    text: String,
    /// Where each ends in `text`.
    ends: Vec<usize>,
    by_var: Places,
    numbered: Numbered,
    by_name: HashTable<Entry>,
    hasher: DefaultHashBuilder,
}

/// A name of up to sixteen bytes, or the hash of a longer one.
type Key = [u64; 2];

/// A name in the table.
#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    place: u32,
    var: Var,
}

impl Names {
    /// So many other names are looked at for each member of a stem, so that all that looking takes linear time.
    const OTHERS_PER_MEMBER: usize = 8;

    /// No names at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing has a name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of named variables.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Gives `var` a name. Returns false, changing nothing, if the variable or the name is taken.
    pub fn insert(&mut self, var: Var, name: impl AsRef<str>) -> bool {
        let name = name.as_ref();
        if self.by_var.get(var).is_some() || self.find(name).is_some() {
            return false;
        }
        let place = self.ends.len() as u32; // there are no more variables than that
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.by_var.insert(var, place);
        match self.numbered.insert(name.as_bytes(), var) {
            Insertion::Done => return true,
            Insertion::Refused => {}
            Insertion::Dense(stem) => {
                // What had to wait in the table can move over, if it is worth looking for it among all others.
                let Names { numbered, by_name, text, ends, .. } = self;
                if by_name.len() <= Self::OTHERS_PER_MEMBER * numbered.stems[stem].members {
                    by_name.retain(|entry| {
                        let name = nth(text, ends, entry.place).as_bytes();
                        !numbered.adopt(stem, name, entry.var)
                    });
                }
                if self.numbered.adopt(stem, name.as_bytes(), var) {
                    return true;
                }
            }
        }
        let key = self.key(name.as_bytes());
        let hasher = &self.hasher;
        let rehash = |entry: &Entry| hasher.hash_one(entry.key);
        self.by_name.insert_unique(hasher.hash_one(key), Entry { key, place, var }, rehash);
        true
    }

    /// The variable's name.
    pub fn get(&self, var: Var) -> Option<&str> {
        self.by_var.get(var).map(|place| self.nth(place))
    }

    /// The variable of that name.
    pub fn find(&self, name: &str) -> Option<Var> {
        self.find_bytes(name.as_bytes())
    }

    /// The variable of a name that was not looked at as text.
    #[inline]
    pub fn find_bytes(&self, name: &[u8]) -> Option<Var> {
        self.numbered.find(name).or_else(|| self.find_other(name))
    }

    fn find_other(&self, name: &[u8]) -> Option<Var> {
        if self.by_name.is_empty() {
            return None;
        }
        let key = self.key(name);
        let same = |entry: &Entry| entry.key == key && (is_short(key) || self.nth(entry.place).as_bytes() == name);
        self.by_name.find(self.hasher.hash_one(key), same).map(|entry| entry.var)
    }

    /// The name itself if it is short, else a hash whose lowest byte is 0.
    #[inline]
    fn key(&self, name: &[u8]) -> Key {
        packed(name).unwrap_or_else(|| [self.hasher.hash_one(name) & !0xFF, 0])
    }

    /// All names in the order of their variables.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &str)> {
        self.by_var.iter().map(|(var, place)| (var, self.nth(place)))
    }

    /// What no other variable is called: the name, or the number, behind as many `#` as it takes.
    pub fn label(&self, var: Var) -> String {
        let mut label = self.display(var);
        while self.find(&label).is_some_and(|other| other != var) {
            label.insert(0, '#');
        }
        label
    }

    /// The variable of a [label](Self::label), be it one of the formula or not.
    pub fn find_label(&self, label: &str) -> Option<Var> {
        self.find(label).or_else(|| {
            let number: i32 = label.trim_start_matches('#').parse().ok()?;
            (number > 0).then(|| Var::from_dimacs(number)).filter(|&var| self.get(var).is_none())
        })
    }

    /// The variable's name, or its number if it has none.
    pub fn display(&self, var: Var) -> String {
        self.get(var).map_or_else(|| var.to_string(), str::to_owned)
    }

    fn nth(&self, place: u32) -> &str {
        nth(&self.text, &self.ends, place)
    }
}

/// The name at this place, given where each ends.
fn nth<'t>(text: &'t str, ends: &[usize], place: u32) -> &'t str {
    let place = place as usize;
    let start = if place == 0 { 0 } else { ends[place - 1] };
    &text[start..ends[place]]
}

/// Up to sixteen bytes as two numbers, the first byte lowest. The first and the last are not 0, so that the numbers tell where
/// the name ends.
#[inline]
fn packed(name: &[u8]) -> Option<Key> {
    match name.len() {
        9..=16 if name[0] != 0 && name[name.len() - 1] != 0 => {
            let (low, high) = (name.first_chunk::<8>()?, name.last_chunk::<8>()?);
            Some([u64::from_le_bytes(*low), u64::from_le_bytes(*high) >> (8 * (16 - name.len()))])
        }
        _ => packed_word(name).map(|word| [word, 0]),
    }
}

/// Up to eight bytes as a number in the same way.
#[inline]
fn packed_word(name: &[u8]) -> Option<u64> {
    let (&first, &last) = (name.first()?, name.last()?);
    if first == 0 || last == 0 {
        return None;
    }
    // Two loads that overlap agree where they do.
    match name.len() {
        4..=8 => {
            let (low, high) = (name.first_chunk::<4>()?, name.last_chunk::<4>()?);
            Some(u64::from(u32::from_le_bytes(*low)) | u64::from(u32::from_le_bytes(*high)) << (8 * (name.len() - 4)))
        }
        2..=3 => {
            let low = name.first_chunk::<2>()?;
            Some(u64::from(u16::from_le_bytes(*low)) | u64::from(last) << (8 * (name.len() - 1)))
        }
        1 => Some(u64::from(first)),
        _ => None,
    }
}

/// Whether a key is the name itself.
#[inline]
fn is_short(key: Key) -> bool {
    key[0] & 0xFF != 0
}

/// Names that are a number, or a byte and a number, as long as the numbers are not much larger than there are names.
#[derive(Clone, Default)]
struct Numbered {
    /// By the byte before the number, [`Numbered::BARE`] if there is none; empty while nothing is numbered.
    stems: Vec<Stem>,
}

#[derive(Clone, Default)]
struct Stem {
    /// The variable of each number.
    vars: Vec<Option<Named>>,
    /// Names with this stem, whether their numbers are small enough or not.
    members: usize,
    /// Members at which those with larger numbers may move over.
    next: usize,
}

/// What became of a name that was to be inserted.
enum Insertion {
    Done,
    /// It has no place here.
    Refused,
    /// There are so many members of this stem now that others may be adopted, and this one with them.
    Dense(usize),
}

impl Stem {
    /// False if the number is too large for so few members.
    fn put(&mut self, number: usize, var: Var) -> bool {
        if number >= Numbered::NUMBERS_PER_MEMBER * (self.members + 1) {
            return false;
        }
        if self.vars.len() <= number {
            self.vars.resize(number + 1, None);
        }
        self.vars[number] = Named::new(var.index() as u32 + 1);
        true
    }
}

/// A variable, with room for `None` in four bytes.
type Named = std::num::NonZeroU32;

impl Numbered {
    const BARE: usize = 256;
    /// Every member pays for so many numbers.
    const NUMBERS_PER_MEMBER: usize = 4;
    /// So few names are found quickly anyway.
    const FEW: usize = 64;

    #[inline]
    fn find(&self, name: &[u8]) -> Option<Var> {
        let (stem, number) = numbered(name)?;
        let named = (*self.stems.get(stem)?.vars.get(number)?)?;
        Some(Var::from_index(named.get() as usize - 1))
    }

    fn insert(&mut self, name: &[u8], var: Var) -> Insertion {
        let Some((stem, number)) = numbered(name) else { return Insertion::Refused };
        self.stems.resize(Self::BARE + 1, Stem::default());
        let which = stem;
        let stem = &mut self.stems[stem];
        stem.members += 1;
        // Each time there are twice as many: so a name is looked at again a few times at most.
        if stem.members > stem.next.max(Self::FEW) {
            stem.next = 2 * stem.members;
            return Insertion::Dense(which);
        }
        if stem.put(number, var) { Insertion::Done } else { Insertion::Refused }
    }

    /// Takes a member of a stem over, if its number is small enough by now.
    fn adopt(&mut self, stem: usize, name: &[u8], var: Var) -> bool {
        numbered(name).is_some_and(|(own, number)| own == stem && self.stems[stem].put(number, var))
    }
}

/// A name's stem and number: at most one byte, then a decimal number as it is usually written; eight bytes in all.
#[inline]
fn numbered(name: &[u8]) -> Option<(usize, usize)> {
    let first = *name.first()?;
    let (stem, start) = if first.is_ascii_digit() { (Numbered::BARE, 0) } else { (usize::from(first), 1) };
    let length = name.len() - start;
    if length == 0 || name[start] == b'0' && length > 1 {
        return None;
    }
    let values = digits::values(packed_word(name)? >> (8 * start));
    let bits = 8 * length as u32;
    let only_digits = digits::others(values) << (64 - bits) == 0;
    only_digits.then(|| (stem, digits::number(values, bits) as usize))
}

/// Where the name of each variable stands. Variables are mostly numbered without gaps, but one may have the number two
/// billion: those that the others do not pay for live in a tree, all behind the dense ones.
#[derive(Clone, Default)]
struct Places {
    dense: Vec<u32>,
    sparse: BTreeMap<Var, u32>,
    members: usize,
}

impl Places {
    const NONE: u32 = u32::MAX;
    /// Every member pays for so many variables.
    const VARS_PER_MEMBER: usize = 4;

    #[inline]
    fn get(&self, var: Var) -> Option<u32> {
        match self.dense.get(var.index()) {
            Some(&Self::NONE) => None,
            Some(&place) => Some(place),
            None => self.sparse.get(&var).copied(),
        }
    }

    fn insert(&mut self, var: Var, place: u32) {
        self.members += 1;
        if var.index() >= self.dense.len() {
            if var.index() >= Self::VARS_PER_MEMBER * self.members {
                self.sparse.insert(var, place);
                return;
            }
            self.dense.resize(var.index() + 1, Self::NONE);
            while let Some(first) = self.sparse.first_entry().filter(|first| first.key() < &var) {
                let (var, place) = first.remove_entry();
                self.dense[var.index()] = place;
            }
        }
        self.dense[var.index()] = place;
    }

    fn iter(&self) -> impl Iterator<Item = (Var, u32)> {
        let dense = self.dense.iter().enumerate().filter(|(_, place)| **place != Self::NONE);
        dense.map(|(index, &place)| (Var::from_index(index), place)).chain(self.sparse.iter().map(|(&v, &p)| (v, p)))
    }
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

    /// Names are found wherever they are kept, before they move to another place and after.
    #[test]
    fn numbers_come_in_any_order() {
        for (stems, factor) in [(1, 1), (1, 3), (5, 1), (40, 2)] {
            let name = |i: usize| format!("{}{}", char::from(b'a' + (i % stems) as u8), factor * (i * 7919 % 6007));
            let (mut names, mut plain) = (Names::new(), std::collections::BTreeMap::new());
            for i in 0..6000 {
                let (var, name) = (Var::from_index(i), name(i));
                let is_new = !plain.contains_key(&name);
                assert_eq!(names.insert(var, &name), is_new, "{name}");
                if is_new {
                    plain.insert(name, var);
                }
                if i % 501 == 0 {
                    assert!(plain.iter().all(|(name, &var)| names.find(name) == Some(var)), "after {i}");
                }
            }
            assert!(plain.iter().all(|(name, &var)| names.find(name) == Some(var) && names.get(var) == Some(name)));
            assert_eq!(names.find("a60070").or(names.find("b0000001")), None);
            if (stems, factor) == (1, 1) {
                assert!(names.by_name.is_empty(), "all numbers are small enough in the end");
            }
        }
    }

    #[test]
    fn names_of_any_length_and_variables_of_any_number_are_found() {
        let name = |i: usize| "\0äbc".repeat(i % 5) + &i.to_string() + &"\0".repeat(i % 3);
        let var = |i: usize| Var::from_index(if i.is_multiple_of(4) { 2_000_000_000 - i } else { 7 * (i ^ 255) });
        let mut names = Names::new();
        for i in 0..1000 {
            assert_eq!(names.find(&name(i)), None);
            assert!(names.insert(var(i), name(i)));
        }
        for i in 0..1000 {
            assert_eq!((names.find(&name(i)), names.get(var(i))), (Some(var(i)), Some(name(i).as_str())));
        }
        assert!(names.iter().map(|(var, _)| var).is_sorted());
        assert_eq!(names.iter().count(), 1000);
        assert!(names.insert(Var::from_index(1), "") && names.find("") == Some(Var::from_index(1)));
        assert!(names.by_var.dense.len() < 10_000);
        let numbers = ["x0", "x", "x00", "x7", "0", "7", "07", "é7", "x999999999", "x1234567890", "x3", "x5", "xx5"];
        let mut names = Names::new();
        for (index, name) in numbers.iter().enumerate() {
            assert!(names.insert(Var::from_index(index), name), "{name}");
            assert!(!names.insert(Var::from_index(100), name), "{name}");
        }
        for (index, name) in numbers.iter().enumerate() {
            assert_eq!(names.find(name), Some(Var::from_index(index)), "{name}");
        }
        assert_eq!(names.find("x1").or(names.find("3")).or(names.find("")), None);
    }
}
