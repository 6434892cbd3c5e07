//! Variables and literals: `u32` newtypes, 0-based inside, 1-based only in text.
//!
//! `Lit::code()` is `2 * variable + sign`, dense, so that arrays indexed by literal have no holes.

use std::fmt;
use std::ops::Not;

/// A variable of a QBF, an element of a game, or an input or gate of a circuit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Var(u32);

impl Var {
    /// How many different variables there can be: DIMACS numbers are positive `i32`s.
    pub const LIMIT: usize = i32::MAX as usize;

    /// The variable with index 0.
    pub const FIRST: Var = Var(0);

    /// The variable with this 0-based index.
    ///
    /// # Panics
    /// If `index` is not below [`Var::LIMIT`].
    #[inline]
    pub fn from_index(index: usize) -> Self {
        assert!(index < Self::LIMIT, "variable index {index} out of range");
        Var(index as u32)
    }

    /// The variable with this 1-based DIMACS number.
    ///
    /// # Panics
    /// If `number` is not positive.
    #[inline]
    pub fn from_dimacs(number: i32) -> Self {
        assert!(number > 0, "a DIMACS variable is positive");
        Var(number as u32 - 1)
    }

    /// The 0-based index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The 1-based DIMACS number.
    #[inline]
    pub fn to_dimacs(self) -> i32 {
        self.0 as i32 + 1
    }

    /// The literal of this variable that is true when the variable has `value`.
    #[inline]
    pub const fn lit(self, value: bool) -> Lit {
        Lit(self.0 << 1 | !value as u32)
    }

    /// The literal that is true when the variable is.
    #[inline]
    pub fn positive(self) -> Lit {
        self.lit(true)
    }

    /// The literal that is true when the variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        self.lit(false)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Lit(u32);

impl Lit {
    /// The literal with this DIMACS number: `3` is variable 3, `-3` its negation.
    ///
    /// # Panics
    /// If `number` is 0 or `i32::MIN`.
    #[inline]
    pub fn from_dimacs(number: i32) -> Self {
        assert!(number != 0 && number != i32::MIN, "not a DIMACS literal");
        Var(number.unsigned_abs() - 1).lit(number > 0)
    }

    /// The DIMACS number of this literal.
    #[inline]
    pub fn to_dimacs(self) -> i32 {
        if self.is_negative() { -self.var().to_dimacs() } else { self.var().to_dimacs() }
    }

    /// The literal with this dense code, `2 * index + 1` for a negation.
    ///
    /// # Panics
    /// If the code's variable is out of range.
    #[inline]
    pub fn from_code(code: usize) -> Self {
        Var::from_index(code >> 1).lit(code & 1 == 0)
    }

    /// The dense code of this literal.
    #[inline]
    pub fn code(self) -> usize {
        self.0 as usize
    }

    /// The literal's variable.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether this is the negation of its variable.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether this is its variable itself.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bytes_each() {
        assert_eq!(size_of::<Var>(), 4);
        assert_eq!(size_of::<Lit>(), 4);
    }

    #[test]
    fn dimacs_and_code_round_trip() {
        for number in [1, -1, 2, -2, 77, -77, i32::MAX, -i32::MAX] {
            let lit = Lit::from_dimacs(number);
            assert_eq!(lit.to_dimacs(), number);
            assert_eq!((!lit).to_dimacs(), -number);
            assert_eq!(Lit::from_code(lit.code()), lit);
            assert_eq!(lit.var().lit(number > 0), lit);
            assert_eq!(lit.to_string(), number.to_string());
        }
        assert_eq!(Lit::from_dimacs(-1).code(), 1);
    }
}
