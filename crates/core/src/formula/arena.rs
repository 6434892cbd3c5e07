//! The clause store: every literal of every clause in one flat vector.
//!
//! A clause is a range of that vector; only its end is kept, so a clause costs four bytes beside its
//! literals. The same store serves CNFs (a row is a disjunction) and DNFs (a row is a conjunction).

use super::{Lit, Var, VarSet};
use std::fmt;
use std::ops::Index;

/// A sequence of clauses (or terms) in one flat vector of literals.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct ClauseArena {
    lits: Vec<Lit>,
    ends: Vec<u32>,
}

impl ClauseArena {
    /// The most literals an arena can hold: ends are 32-bit.
    pub const MAX_LITERALS: usize = u32::MAX as usize;

    /// An arena without clauses.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of literals in all clauses together, with those of an unfinished one.
    pub fn num_lits(&self) -> usize {
        self.lits.len()
    }

    /// Appends a clause.
    ///
    /// # Panics
    /// If the arena would hold more than [`ClauseArena::MAX_LITERALS`] literals, or a clause begun by
    /// [`push_lit`](Self::push_lit) is unfinished.
    pub fn push(&mut self, clause: &[Lit]) {
        debug_assert!(!self.is_open(), "a clause is unfinished");
        self.lits.extend_from_slice(clause);
        self.finish();
    }

    /// Appends a literal to the clause under construction, which [`finish`](Self::finish) ends.
    #[inline]
    pub fn push_lit(&mut self, lit: Lit) {
        self.lits.push(lit);
    }

    /// Ends the clause under construction (an empty one if no literal was pushed).
    ///
    /// # Panics
    /// If the arena holds more than [`ClauseArena::MAX_LITERALS`] literals.
    #[inline]
    pub fn finish(&mut self) {
        let end = u32::try_from(self.lits.len()).expect("clause arena overflow");
        self.ends.push(end);
    }

    /// Whether literals were pushed that belong to no finished clause.
    pub fn is_open(&self) -> bool {
        self.lits.len() != self.ends.last().map_or(0, |&end| end as usize)
    }

    /// Removes the last clause and forgets its literals.
    pub fn pop(&mut self) {
        self.ends.pop();
        self.lits.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }

    /// Sorts the last clause and removes repeated literals from it. Returns whether it contains a literal and its
    /// negation.
    pub fn normalise_last(&mut self) -> bool {
        let Some(end) = self.ends.pop() else { return false };
        let start = self.ends.last().map_or(0, |&e| e as usize);
        debug_assert_eq!(end as usize, self.lits.len());
        self.lits[start..].sort_unstable();
        let mut kept = start;
        let mut tautology = false;
        for i in start..self.lits.len() {
            if kept > start && self.lits[kept - 1] == self.lits[i] {
                continue;
            }
            tautology |= kept > start && self.lits[kept - 1] == !self.lits[i];
            self.lits[kept] = self.lits[i];
            kept += 1;
        }
        self.lits.truncate(kept);
        self.ends.push(kept as u32);
        tautology
    }

    /// The clause at this position, if there is one.
    pub fn get(&self, index: usize) -> Option<&[Lit]> {
        (index < self.len()).then(|| &self[index])
    }

    /// The clauses in order.
    pub fn iter(&self) -> Clauses<'_> {
        Clauses { arena: self, next: 0 }
    }

    /// Every literal of every clause, in order.
    pub fn lits(&self) -> &[Lit] {
        &self.lits
    }

    /// Every literal of every clause, changeable in place; clause boundaries stay.
    pub fn lits_mut(&mut self) -> &mut [Lit] {
        &mut self.lits
    }

    /// The variables that occur, ascending. Takes memory for them, not for the literals, of which there can be far more.
    pub fn vars(&self) -> Vec<Var> {
        let mut seen = VarSet::new();
        let mut vars: Vec<Var> = self.lits.iter().map(|lit| lit.var()).filter(|&var| seen.insert(var)).collect();
        vars.sort_unstable();
        vars
    }

    /// One more than the largest variable index that occurs, 0 without literals.
    pub fn var_bound(&self) -> usize {
        self.lits.iter().map(|lit| lit.var().index() + 1).max().unwrap_or(0)
    }

    /// Gives back memory that was reserved for growth.
    pub fn shrink_to_fit(&mut self) {
        self.lits.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

impl Index<usize> for ClauseArena {
    type Output = [Lit];

    #[inline]
    fn index(&self, index: usize) -> &[Lit] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.lits[start..self.ends[index] as usize]
    }
}

/// Iterator over the clauses of a [`ClauseArena`].
#[derive(Clone)]
pub struct Clauses<'a> {
    arena: &'a ClauseArena,
    next: usize,
}

impl<'a> Iterator for Clauses<'a> {
    type Item = &'a [Lit];

    #[inline]
    fn next(&mut self) -> Option<&'a [Lit]> {
        let clause = self.arena.get(self.next)?;
        self.next += 1;
        Some(clause)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.arena.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Clauses<'_> {}

impl<'a> IntoIterator for &'a ClauseArena {
    type Item = &'a [Lit];
    type IntoIter = Clauses<'a>;

    fn into_iter(self) -> Clauses<'a> {
        self.iter()
    }
}

impl<C: AsRef<[Lit]>> FromIterator<C> for ClauseArena {
    fn from_iter<I: IntoIterator<Item = C>>(clauses: I) -> Self {
        let mut arena = ClauseArena::new();
        for clause in clauses {
            arena.push(clause.as_ref());
        }
        arena
    }
}

impl fmt::Debug for ClauseArena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::from_dimacs(n)).collect()
    }

    #[test]
    fn clauses_come_back_in_order() {
        let arena: ClauseArena = [lits(&[1, -2]), lits(&[]), lits(&[3])].into_iter().collect();
        assert_eq!(arena.len(), 3);
        assert_eq!(arena.num_lits(), 3);
        assert_eq!(arena.iter().map(<[Lit]>::len).collect::<Vec<_>>(), [2, 0, 1]);
        assert_eq!(&arena[2], &lits(&[3])[..]);
        assert_eq!(arena.get(3), None);
        assert_eq!(arena.var_bound(), 3);
    }

    #[test]
    fn pop_undoes_push() {
        let mut arena: ClauseArena = [lits(&[1, 2])].into_iter().collect();
        let before = arena.clone();
        arena.push(&lits(&[5, 6, 7]));
        arena.pop();
        assert_eq!(arena, before);
    }

    #[test]
    fn normalising_sorts_and_finds_tautologies() {
        let mut arena = ClauseArena::new();
        arena.push(&lits(&[3, 1, 3, -2, 1]));
        assert!(!arena.normalise_last());
        assert_eq!(&arena[0], &lits(&[1, -2, 3])[..]);
        arena.push(&lits(&[2, 4, -2]));
        assert!(arena.normalise_last());
        assert_eq!(arena.len(), 2);
        assert!(!arena.is_open());
    }
}
