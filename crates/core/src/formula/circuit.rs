//! Boolean circuits: what QCIR files and infix formulas are before any normal form.
//!
//! Inputs and gates share one numbering: variable `i` below [`Circuit::inputs`] is an input, the others are gates in
//! topological order, so one forward pass evaluates everything. Operands lie in one flat vector.

use super::{Lit, Names, Prefix, Var};

/// What a gate computes from its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GateKind {
    /// Conjunction of any number of operands; none gives true.
    And,
    /// Disjunction of any number of operands; none gives false.
    Or,
    /// Parity of any number of operands: true if an odd number of them is true.
    Xor,
    /// Three operands: if the first, then the second, else the third.
    Ite,
}

/// A gate of a [`Circuit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate<'a> {
    /// What the gate computes.
    pub kind: GateKind,
    /// Inputs or earlier gates, possibly negated.
    pub operands: &'a [Lit],
}

/// Builds a [`Circuit`] gate by gate.
#[derive(Clone, Debug)]
pub struct CircuitBuilder {
    inputs: usize,
    gates: Vec<(GateKind, u32)>,
    operands: Vec<Lit>,
}

impl CircuitBuilder {
    /// A builder for a circuit with this many inputs.
    ///
    /// # Panics
    /// If there are more than [`Var::LIMIT`] inputs.
    pub fn new(inputs: usize) -> Self {
        assert!(inputs <= Var::LIMIT, "too many inputs");
        CircuitBuilder { inputs, gates: Vec::new(), operands: Vec::new() }
    }

    /// Number of gates so far.
    pub fn gates(&self) -> usize {
        self.gates.len()
    }

    /// The literal of an input.
    ///
    /// # Panics
    /// If there is no such input.
    pub fn input(&self, index: usize) -> Lit {
        assert!(index < self.inputs, "no such input");
        Var::from_index(index).positive()
    }

    /// Adds a gate over inputs and earlier gates; its literal can be used by later ones.
    ///
    /// # Panics
    /// If an operand is not defined yet, or an [`GateKind::Ite`] has not three operands.
    pub fn gate(&mut self, kind: GateKind, operands: &[Lit]) -> Lit {
        let var = Var::from_index(self.inputs + self.gates.len());
        assert!(operands.iter().all(|lit| lit.var() < var), "operand before its definition");
        assert!(kind != GateKind::Ite || operands.len() == 3, "if-then-else has three operands");
        self.operands.extend_from_slice(operands);
        let end = u32::try_from(self.operands.len()).expect("circuit too large");
        self.gates.push((kind, end));
        var.positive()
    }

    /// Conjunction.
    pub fn and(&mut self, operands: &[Lit]) -> Lit {
        self.gate(GateKind::And, operands)
    }

    /// Disjunction.
    pub fn or(&mut self, operands: &[Lit]) -> Lit {
        self.gate(GateKind::Or, operands)
    }

    /// Exclusive or.
    pub fn xor(&mut self, left: Lit, right: Lit) -> Lit {
        self.gate(GateKind::Xor, &[left, right])
    }

    /// The constant `value`, as an empty conjunction or disjunction.
    pub fn constant(&mut self, value: bool) -> Lit {
        self.gate(if value { GateKind::And } else { GateKind::Or }, &[])
    }

    /// The finished circuit with its first inputs renumbered, `inputs[i]` being the new variable of input `i`, and the
    /// others dropped: for text whose inputs are known at its end. Start with an upper bound (inputs cost nothing).
    ///
    /// # Panics
    /// If there are fewer inputs, or a dropped input is used.
    pub fn finish_with_inputs(mut self, output: Lit, inputs: &[Var]) -> Circuit {
        let (old, dropped) = (self.inputs, self.inputs.checked_sub(inputs.len()).expect("there are fewer inputs"));
        let renumber = |lit: Lit| {
            let index = lit.var().index();
            let var = if index < old { inputs[index] } else { Var::from_index(index - dropped) };
            var.lit(lit.is_positive())
        };
        for lit in &mut self.operands {
            *lit = renumber(*lit);
        }
        self.inputs = inputs.len();
        self.finish(renumber(output))
    }

    /// The finished circuit.
    ///
    /// # Panics
    /// If the output is not defined.
    pub fn finish(self, output: Lit) -> Circuit {
        assert!(output.var().index() < self.inputs + self.gates.len(), "undefined output");
        Circuit { inputs: self.inputs, gates: self.gates, operands: self.operands, output }
    }
}

/// A Boolean circuit with one output.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Circuit {
    inputs: usize,
    gates: Vec<(GateKind, u32)>,
    operands: Vec<Lit>,
    output: Lit,
}

impl Circuit {
    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of gates.
    pub fn num_gates(&self) -> usize {
        self.gates.len()
    }

    /// The output: an input or a gate, possibly negated.
    pub fn output(&self) -> Lit {
        self.output
    }

    /// The gate at this position; its variable is `inputs() + index`.
    ///
    /// # Panics
    /// If there is no such gate.
    pub fn gate(&self, index: usize) -> Gate<'_> {
        let start = if index == 0 { 0 } else { self.gates[index - 1].1 as usize };
        let (kind, end) = self.gates[index];
        Gate { kind, operands: &self.operands[start..end as usize] }
    }

    /// The gates in topological order.
    pub fn gates(&self) -> impl ExactSizeIterator<Item = Gate<'_>> {
        (0..self.num_gates()).map(|index| self.gate(index))
    }

    /// The value of the output when input `i` has the value `values[i]`.
    ///
    /// # Panics
    /// If there are fewer values than inputs.
    pub fn evaluate(&self, values: &[bool]) -> bool {
        let mut all = Vec::with_capacity(self.inputs + self.num_gates());
        all.extend_from_slice(&values[..self.inputs]);
        for gate in self.gates() {
            let value = {
                let mut operands = gate.operands.iter().map(|lit| all[lit.var().index()] != lit.is_negative());
                match gate.kind {
                    GateKind::And => operands.all(|v| v),
                    GateKind::Or => operands.any(|v| v),
                    GateKind::Xor => operands.fold(false, |parity, v| parity != v),
                    GateKind::Ite => {
                        let v: Vec<bool> = operands.collect();
                        if v[0] { v[1] } else { v[2] }
                    }
                }
            };
            all.push(value);
        }
        all[self.output.var().index()] != self.output.is_negative()
    }
}

/// A prenex quantified circuit: what a QCIR file or a quantified infix formula says.
///
/// Every input of the circuit is bound exactly once; free inputs are bound existentially in the outermost block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantifiedCircuit {
    prefix: Prefix,
    circuit: Circuit,
    /// Names of the inputs and, where the text gave them, of gates.
    pub names: Names,
}

impl QuantifiedCircuit {
    /// Binds a circuit's inputs by a prefix. Inputs that the prefix leaves out become outermost existentials.
    ///
    /// # Errors
    /// A variable that is bound twice, or that is not an input.
    pub fn new(prefix: &Prefix, circuit: Circuit, names: Names) -> Result<Self, super::PrefixError> {
        let prefix = super::qbf::close(prefix, (0..circuit.inputs()).map(Var::from_index))?;
        if let Some(&var) = prefix.vars().iter().find(|var| var.index() >= circuit.inputs()) {
            return Err(super::PrefixError::NotAnInput(var));
        }
        Ok(QuantifiedCircuit { prefix, circuit, names })
    }

    /// The quantifier prefix; it binds every input.
    pub fn prefix(&self) -> &Prefix {
        &self.prefix
    }

    /// The matrix.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The negation: true exactly if this formula is false. Every quantifier is the other one, and the output is negated.
    pub fn negated(mut self) -> Self {
        let mut prefix = Prefix::new();
        for block in self.prefix.blocks() {
            prefix.push_block(!block.quantifier, block.vars.iter().copied());
        }
        self.prefix = prefix;
        self.circuit.output = !self.circuit.output;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_compute_what_they_say() {
        let mut b = CircuitBuilder::new(3);
        let (x, y, z) = (b.input(0), b.input(1), b.input(2));
        let and = b.and(&[x, !y]);
        let or = b.or(&[and, z]);
        let xor = b.gate(GateKind::Xor, &[or, x, y]);
        let ite = b.gate(GateKind::Ite, &[z, xor, and]);
        let circuit = b.finish(!ite);
        for bits in 0..8u8 {
            let [x, y, z] = [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
            let and = x && !y;
            let xor = (and || z) ^ x ^ y;
            assert_eq!(circuit.evaluate(&[x, y, z]), !(if z { xor } else { and }));
        }
    }

    #[test]
    fn the_number_of_inputs_may_be_settled_last() {
        let build = |inputs, i, j| {
            let mut b = CircuitBuilder::new(inputs);
            let or = b.or(&[b.input(i), !b.input(j)]);
            let xor = b.xor(or, b.input(j));
            (b, !xor)
        };
        let (late, output) = build(1_000_000, 0, 1);
        let (early, expected) = build(2, 1, 0);
        let swapped = [1, 0].map(Var::from_index);
        assert_eq!(late.finish_with_inputs(output, &swapped), early.finish(expected));
    }

    #[test]
    fn constants_are_empty_gates() {
        for value in [false, true] {
            let mut b = CircuitBuilder::new(0);
            let output = b.constant(value);
            assert_eq!(b.finish(output).evaluate(&[]), value);
        }
    }
}
