//! What every QBF family does: open blocks from the outside in, number variables on the way, write clauses.

use gamesat_core::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};

/// A QBF under construction.
#[derive(Default)]
pub(super) struct QbfBuilder {
    prefix: Prefix,
    matrix: ClauseArena,
}

impl QbfBuilder {
    /// Appends this many new variables, innermost; neighbours with the same quantifier share a block.
    pub(super) fn vars(&mut self, quantifier: Quantifier, count: usize) -> Vec<Lit> {
        (0..count).map(|_| self.var(quantifier)).collect()
    }

    /// Appends a new innermost variable.
    pub(super) fn var(&mut self, quantifier: Quantifier) -> Lit {
        let var = Var::from_index(self.prefix.vars().len());
        self.prefix.push_var(quantifier, var);
        var.positive()
    }

    /// Appends a clause.
    pub(super) fn clause(&mut self, lits: impl IntoIterator<Item = Lit>) {
        lits.into_iter().for_each(|lit| self.matrix.push_lit(lit));
        self.matrix.finish();
    }

    /// Appends the four clauses of `output = left xor right`.
    pub(super) fn xor(&mut self, output: Lit, left: Lit, right: Lit) {
        self.clause([!output, left, right]);
        self.clause([!output, !left, !right]);
        self.clause([output, !left, right]);
        self.clause([output, left, !right]);
    }

    /// The finished formula.
    pub(super) fn finish(self) -> Qbf {
        Qbf::new(&self.prefix, self.matrix).expect("every variable is bound once, when it is made")
    }
}
