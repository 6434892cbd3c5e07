//! The variables of a formula under construction: allotted block by block, before any gate is made.

use gamesat_core::formula::{Circuit, Lit, Names, Prefix, QuantifiedCircuit, Quantifier, Var};

/// A quantified formula, and the binary number (lowest bit first) that says where the first move goes.
pub(super) struct Formula {
    pub(super) circuit: QuantifiedCircuit,
    pub(super) first: Vec<Lit>,
}

/// A prefix that grows inwards.
#[derive(Default)]
pub(super) struct Layout {
    pub(super) prefix: Prefix,
    pub(super) names: Names,
    size: usize,
    /// The first number: that of the first move.
    first: Option<Vec<Lit>>,
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
        let number: Vec<Lit> = (0..bits(values)).map(|bit| self.named(quantifier, format!("{name}_{bit}"))).collect();
        self.first.get_or_insert_with(|| number.clone());
        number
    }

    /// The formula with this circuit, all of whose variables were made here.
    pub(super) fn finish(self, circuit: Circuit) -> Formula {
        let circuit = QuantifiedCircuit::new(&self.prefix, circuit, self.names)
            .unwrap_or_else(|_| unreachable!("every variable is bound where it is made"));
        Formula { circuit, first: self.first.unwrap_or_default() }
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
