//! The quantifier prefix: blocks of variables, outermost first, in one flat vector.

use super::Var;
use std::fmt;
use std::ops::Not;

/// Who chooses a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// Existential: chosen by the player who wants the formula true.
    Exists,
    /// Universal: chosen by the player who wants the formula false.
    Forall,
}

impl Not for Quantifier {
    type Output = Quantifier;

    fn not(self) -> Quantifier {
        match self {
            Quantifier::Exists => Quantifier::Forall,
            Quantifier::Forall => Quantifier::Exists,
        }
    }
}

/// A block of a [`Prefix`]: variables under one quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// The quantifier of every variable in the block.
    pub quantifier: Quantifier,
    /// The variables in the order they were written.
    pub vars: &'a [Var],
}

/// A quantifier prefix: blocks of variables, outermost first.
///
/// Blocks are kept as they are added; [`normalise`](Prefix::normalise) merges neighbours with the same quantifier and
/// drops empty ones.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Prefix {
    vars: Vec<Var>,
    blocks: Vec<(Quantifier, u32)>,
}

impl Prefix {
    /// A prefix without variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Appends an innermost block.
    pub fn push_block(&mut self, quantifier: Quantifier, vars: impl IntoIterator<Item = Var>) {
        self.vars.extend(vars);
        let end = u32::try_from(self.vars.len()).expect("a prefix has at most u32::MAX variables");
        self.blocks.push((quantifier, end));
    }

    /// Appends a variable to the innermost block if that has this quantifier, else to a new block.
    pub fn push_var(&mut self, quantifier: Quantifier, var: Var) {
        if self.blocks.last().is_none_or(|&(q, _)| q != quantifier) {
            self.push_block(quantifier, []);
        }
        self.vars.push(var);
        let end = u32::try_from(self.vars.len()).expect("a prefix has at most u32::MAX variables");
        if let Some(last) = self.blocks.last_mut() {
            last.1 = end;
        }
    }

    /// The block at this position, 0 being outermost.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block(&self, index: usize) -> Block<'_> {
        let start = if index == 0 { 0 } else { self.blocks[index - 1].1 as usize };
        let (quantifier, end) = self.blocks[index];
        Block { quantifier, vars: &self.vars[start..end as usize] }
    }

    /// The blocks, outermost first.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Block<'_>> + DoubleEndedIterator {
        (0..self.len()).map(|index| self.block(index))
    }

    /// All variables, outermost first.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }

    /// All variables with their quantifiers, outermost first.
    pub fn quantified(&self) -> impl Iterator<Item = (Quantifier, Var)> + '_ {
        self.blocks().flat_map(|block| block.vars.iter().map(move |&var| (block.quantifier, var)))
    }

    /// The same prefix with empty blocks dropped and neighbours of the same quantifier merged.
    pub fn normalise(&self) -> Prefix {
        let mut normal = Prefix::new();
        for (quantifier, var) in self.quantified() {
            normal.push_var(quantifier, var);
        }
        normal
    }
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for block in self.blocks() {
            write!(f, "{}{:?}", if block.quantifier == Quantifier::Exists { 'e' } else { 'a' }, block.vars)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Quantifier::{Exists, Forall};

    fn var(number: i32) -> Var {
        Var::from_dimacs(number)
    }

    #[test]
    fn normalising_merges_and_drops() {
        let mut prefix = Prefix::new();
        prefix.push_block(Exists, [var(1)]);
        prefix.push_block(Exists, [var(2)]);
        prefix.push_block(Forall, []);
        prefix.push_block(Exists, [var(3)]);
        prefix.push_block(Forall, [var(4)]);
        let normal = prefix.normalise();
        assert_eq!(normal.len(), 2);
        assert_eq!(normal.block(0), Block { quantifier: Exists, vars: &[var(1), var(2), var(3)] });
        assert_eq!(normal.block(1), Block { quantifier: Forall, vars: &[var(4)] });
        assert_eq!(normal.vars(), prefix.vars());
    }
}
