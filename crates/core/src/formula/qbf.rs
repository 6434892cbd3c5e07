//! Prenex quantified Boolean formulas in conjunctive normal form.

use super::{ClauseArena, Lit, Names, Prefix, Quantifier, Var, VarSet};
use rustc_hash::FxHashMap;

/// Why a prefix does not fit its matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrefixError {
    /// A variable is bound twice.
    #[error("variable {0} is quantified twice")]
    QuantifiedTwice(Var),
    /// A circuit's prefix binds something that is not an input.
    #[error("variable {0} is quantified but is not an input of the circuit")]
    NotAnInput(Var),
}

/// A prenex QBF: a prefix that binds every variable of a CNF matrix exactly once.
///
/// ```
/// use gamesat_core::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
///
/// // forall 1 exists 2: (1 or not 2) and (not 1 or 2)
/// let mut prefix = Prefix::new();
/// prefix.push_block(Quantifier::Forall, [Var::from_dimacs(1)]);
/// prefix.push_block(Quantifier::Exists, [Var::from_dimacs(2)]);
/// let matrix: ClauseArena =
///     [[1, -2], [-1, 2]].map(|clause| clause.map(Lit::from_dimacs)).into_iter().collect();
/// let qbf = Qbf::new(&prefix, matrix)?;
/// assert_eq!(qbf.num_vars(), 2);
/// # Ok::<(), gamesat_core::formula::PrefixError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qbf {
    prefix: Prefix,
    matrix: ClauseArena,
    header: (usize, usize),
    /// Names of variables, where the input gave them.
    pub names: Names,
}

impl Qbf {
    /// Puts a prefix before a matrix. Blocks are merged where the quantifier repeats; variables of the matrix that the
    /// prefix leaves out become outermost existentials.
    ///
    /// # Errors
    /// A variable that is bound twice.
    pub fn new(prefix: &Prefix, matrix: ClauseArena) -> Result<Self, PrefixError> {
        let prefix = close(prefix, matrix.lits().iter().map(|lit| lit.var()))?;
        let bound = prefix.vars().iter().map(|var| var.index() + 1).max().unwrap_or(0);
        let header = (bound, matrix.len());
        Ok(Qbf { prefix, matrix, header, names: Names::new() })
    }

    /// The same formula, remembering the numbers of variables and clauses that its file's header announced.
    pub fn with_header(mut self, vars: usize, clauses: usize) -> Self {
        self.header = (vars, clauses);
        self
    }

    /// The same prefix before another matrix. Variables that the prefix leaves out become outermost existentials.
    pub fn with_matrix(&self, matrix: ClauseArena) -> Self {
        let mut qbf = Qbf::new(&self.prefix, matrix).unwrap_or_else(|_| unreachable!("the prefix binds nothing twice"));
        qbf.names = self.names.clone();
        qbf
    }

    /// Adds a clause. Variables that the prefix does not bind become outermost existentials. The header follows.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        self.add_clauses(std::iter::once(clause));
    }

    /// Adds clauses. Variables that the prefix does not bind become outermost existentials. The header follows.
    pub fn add_clauses<'a>(&mut self, clauses: impl IntoIterator<Item = &'a [Lit]>) {
        let before = self.matrix.len();
        clauses.into_iter().for_each(|clause| self.matrix.push(clause));
        let bound: VarSet = self.prefix.vars().iter().copied().collect();
        let new = (before..self.matrix.len()).flat_map(|index| &self.matrix[index]).map(|lit| lit.var());
        let free: Vec<Var> = new.filter(|&var| !bound.contains(var)).collect();
        if !free.is_empty() {
            self.prefix = close(&self.prefix, free.into_iter())
                .unwrap_or_else(|_| unreachable!("the prefix binds nothing twice"));
        }
        self.header = (self.num_vars(), self.matrix.len());
    }

    /// Binds variables in a new innermost block, or in the innermost one if that has the same quantifier.
    ///
    /// # Errors
    /// A variable that is bound already.
    pub fn add_block(&mut self, quantifier: Quantifier, vars: &[Var]) -> Result<(), PrefixError> {
        let mut bound: VarSet = self.prefix.vars().iter().copied().collect();
        if let Some(&var) = vars.iter().find(|&&var| !bound.insert(var)) {
            return Err(PrefixError::QuantifiedTwice(var));
        }
        vars.iter().for_each(|&var| self.prefix.push_var(quantifier, var));
        self.header.0 = self.num_vars();
        Ok(())
    }

    /// Removes the clauses from the given number on.
    pub fn truncate(&mut self, clauses: usize) {
        while self.matrix.len() > clauses {
            self.matrix.pop();
        }
        self.header.1 = self.matrix.len();
    }

    /// The numbers of variables and clauses that the file's header announced, or else the real ones.
    pub fn header(&self) -> (usize, usize) {
        self.header
    }

    /// The prefix: alternating, without empty blocks, binding every variable once.
    pub fn prefix(&self) -> &Prefix {
        &self.prefix
    }

    /// The clauses.
    pub fn matrix(&self) -> &ClauseArena {
        &self.matrix
    }

    /// One more than the largest variable index in the prefix.
    pub fn num_vars(&self) -> usize {
        self.prefix.vars().iter().map(|var| var.index() + 1).max().unwrap_or(0)
    }

    /// The same formula with its variables renumbered densely in prefix order, and the old variable of each new one.
    ///
    /// Engines index arrays by variable; this keeps those arrays in proportion to the input.
    pub fn compact(&self) -> (Qbf, Vec<Var>) {
        let old: Vec<Var> = self.prefix.vars().to_vec();
        let new: FxHashMap<Var, Var> = old.iter().enumerate().map(|(i, &var)| (var, Var::from_index(i))).collect();
        let mut prefix = Prefix::new();
        for block in self.prefix.blocks() {
            prefix.push_block(block.quantifier, block.vars.iter().map(|var| new[var]));
        }
        let mut matrix = self.matrix.clone();
        for lit in matrix.lits_mut() {
            *lit = new[&lit.var()].lit(lit.is_positive());
        }
        let mut names = Names::new();
        for (var, name) in self.names.iter() {
            if let Some(&var) = new.get(&var) {
                names.insert(var, name);
            }
        }
        (Qbf { prefix, matrix, header: self.header, names }, old)
    }

    /// The formula that remains when the literals are made true: satisfied clauses go, false literals go, and the
    /// variables leave the prefix. Numbering and header stay.
    pub fn substitute(&self, lits: &[Lit]) -> Qbf {
        let values: FxHashMap<Var, bool> = lits.iter().map(|lit| (lit.var(), lit.is_positive())).collect();
        let mut matrix = ClauseArena::new();
        'clauses: for clause in &self.matrix {
            let mut kept = Vec::with_capacity(clause.len());
            for &lit in clause {
                match values.get(&lit.var()) {
                    Some(&value) if value == lit.is_positive() => continue 'clauses,
                    Some(_) => {}
                    None => kept.push(lit),
                }
            }
            matrix.push(&kept);
        }
        let mut prefix = Prefix::new();
        for (quantifier, var) in self.prefix.quantified().filter(|(_, var)| !values.contains_key(var)) {
            prefix.push_var(quantifier, var);
        }
        Qbf { prefix, matrix, header: self.header, names: self.names.clone() }
    }
}

/// Merges blocks and binds the occurring variables that the prefix leaves out, in ascending order, outermost.
pub(super) fn close(prefix: &Prefix, occurring: impl Iterator<Item = Var>) -> Result<Prefix, PrefixError> {
    let mut seen = VarSet::new();
    for &var in prefix.vars() {
        if !seen.insert(var) {
            return Err(PrefixError::QuantifiedTwice(var));
        }
    }
    let mut free: Vec<Var> = occurring.filter(|&var| seen.insert(var)).collect();
    if free.is_empty() {
        return Ok(prefix.normalise());
    }
    free.sort_unstable();
    let mut closed = Prefix::new();
    for var in free {
        closed.push_var(Quantifier::Exists, var);
    }
    for (quantifier, var) in prefix.quantified() {
        closed.push_var(quantifier, var);
    }
    Ok(closed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Block;

    fn var(number: i32) -> Var {
        Var::from_dimacs(number)
    }

    fn matrix(clauses: &[&[i32]]) -> ClauseArena {
        clauses.iter().map(|c| c.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn free_variables_are_outermost_existentials() {
        let mut prefix = Prefix::new();
        prefix.push_block(Quantifier::Forall, [var(2)]);
        let qbf = Qbf::new(&prefix, matrix(&[&[3, 2, -1], &[3]])).unwrap();
        assert_eq!(qbf.prefix().block(0), Block { quantifier: Quantifier::Exists, vars: &[var(1), var(3)] });
        assert_eq!(qbf.prefix().len(), 2);
        assert_eq!(qbf.header(), (3, 2));
    }

    #[test]
    fn quantified_twice_is_refused() {
        let mut prefix = Prefix::new();
        prefix.push_block(Quantifier::Forall, [var(2)]);
        prefix.push_block(Quantifier::Exists, [var(2)]);
        assert_eq!(Qbf::new(&prefix, ClauseArena::new()), Err(PrefixError::QuantifiedTwice(var(2))));
    }

    #[test]
    fn compacting_keeps_the_formula() {
        let mut prefix = Prefix::new();
        prefix.push_block(Quantifier::Forall, [var(2_000_000_000)]);
        prefix.push_block(Quantifier::Exists, [var(7)]);
        let qbf = Qbf::new(&prefix, matrix(&[&[-7, 2_000_000_000]])).unwrap();
        let (small, old) = qbf.compact();
        assert_eq!(old, [var(2_000_000_000), var(7)]);
        assert_eq!(small.matrix(), &matrix(&[&[-2, 1]]));
        assert_eq!(small.num_vars(), 2);
    }

    #[test]
    fn substitution_drops_satisfied_clauses_and_false_literals() {
        let qbf = Qbf::new(&Prefix::new(), matrix(&[&[1, 2], &[-1, 3], &[-1]])).unwrap();
        let rest = qbf.substitute(&[Lit::from_dimacs(1)]);
        assert_eq!(rest.matrix(), &matrix(&[&[3], &[]]));
        assert_eq!(rest.prefix().vars(), [var(2), var(3)]);
    }
}
