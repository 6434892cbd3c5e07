//! The variables of a formula under construction: allotted block by block, before any gate is made.

use crate::formula::{Lit, Names, Prefix, Quantifier, Var};

/// A prefix that grows inwards.
#[derive(Default)]
pub(super) struct Layout {
    pub(super) prefix: Prefix,
    pub(super) names: Names,
    size: usize,
}

impl Layout {
    /// The next variable of this kind, in the innermost block or in a new one.
    pub(super) fn var(&mut self, quantifier: Quantifier) -> Lit {
        let var = Var::from_index(self.size);
        self.size += 1;
        self.prefix.push_var(quantifier, var);
        var.positive()
    }

    /// The next variable, with a name.
    pub(super) fn named(&mut self, quantifier: Quantifier, name: String) -> Lit {
        let lit = self.var(quantifier);
        self.names.insert(lit.var(), name);
        lit
    }

    /// A number in binary, lowest bit first, large enough for `values` different values.
    pub(super) fn number(&mut self, quantifier: Quantifier, values: usize, name: &str) -> Vec<Lit> {
        (0..bits(values)).map(|bit| self.named(quantifier, format!("{name}_{bit}"))).collect()
    }

    /// Number of variables so far.
    pub(super) fn size(&self) -> usize {
        self.size
    }
}

/// Binary digits that `values` different values need.
pub(super) fn bits(values: usize) -> usize {
    (usize::BITS - values.saturating_sub(1).leading_zeros()) as usize
}

/// The literals whose conjunction says that a binary number has this value.
pub(super) fn equals(number: &[Lit], value: usize) -> impl Iterator<Item = Lit> + '_ {
    number.iter().enumerate().map(move |(bit, &lit)| if value >> bit & 1 != 0 { lit } else { !lit })
}

/// The literals whose disjunction says that a binary number has another value.
pub(super) fn differs(number: &[Lit], value: usize) -> impl Iterator<Item = Lit> + '_ {
    equals(number, value).map(|lit| !lit)
}
