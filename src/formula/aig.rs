//! And-inverter graphs: functions of variables, as certificates of QBFs are made of.
//!
//! Node 0 is the constant false, the next nodes are inputs, the others are conjunctions of two earlier nodes. A [`Lit`]
//! over nodes is a *signal*; its code is AIGER's literal.

use super::{Lit, Var};

/// An and-inverter graph whose inputs and outputs belong to variables of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aig {
    inputs: Vec<Var>,
    ands: Vec<[Lit; 2]>,
    outputs: Vec<(Var, Lit)>,
}

impl Aig {
    /// The signal that is always false.
    pub const FALSE: Lit = Var::FIRST.lit(true);
    /// The signal that is always true.
    pub const TRUE: Lit = Var::FIRST.lit(false);

    /// A graph without outputs, with an input for each of these variables.
    pub fn new(inputs: Vec<Var>) -> Self {
        Aig { inputs, ands: Vec::new(), outputs: Vec::new() }
    }

    /// The variables of the inputs, in order.
    pub fn inputs(&self) -> &[Var] {
        &self.inputs
    }

    /// The signal of an input.
    ///
    /// # Panics
    /// If there is no such input.
    pub fn input(&self, index: usize) -> Lit {
        assert!(index < self.inputs.len(), "no such input");
        Var::from_index(index + 1).positive()
    }

    /// Number of nodes: the constant, the inputs and the conjunctions.
    pub fn num_nodes(&self) -> usize {
        1 + self.inputs.len() + self.ands.len()
    }

    /// The operands of every conjunction, in order; the first has the node number `1 + inputs().len()`.
    pub fn ands(&self) -> &[[Lit; 2]] {
        &self.ands
    }

    /// A new conjunction.
    ///
    /// # Panics
    /// If an operand is not there yet.
    pub fn and(&mut self, left: Lit, right: Lit) -> Lit {
        let node = Var::from_index(self.num_nodes());
        assert!(left.var() < node && right.var() < node, "operand before its definition");
        self.ands.push([left, right]);
        node.positive()
    }

    /// A new disjunction.
    ///
    /// # Panics
    /// If an operand is not there yet.
    pub fn or(&mut self, left: Lit, right: Lit) -> Lit {
        !self.and(!left, !right)
    }

    /// Declares a signal to be the function of a variable.
    ///
    /// # Panics
    /// If the signal is not there.
    pub fn output(&mut self, var: Var, signal: Lit) {
        assert!(signal.var().index() < self.num_nodes(), "undefined output");
        self.outputs.push((var, signal));
    }

    /// The variables that have a function, and their signals.
    pub fn outputs(&self) -> &[(Var, Lit)] {
        &self.outputs
    }

    /// Values of all outputs, in order, when the inputs have the given values.
    pub fn evaluate(&self, input: impl Fn(Var) -> bool) -> Vec<bool> {
        let mut nodes = Vec::with_capacity(self.num_nodes());
        nodes.push(false);
        nodes.extend(self.inputs.iter().map(|&var| input(var)));
        for &[left, right] in &self.ands {
            nodes.push(signal_value(&nodes, left) && signal_value(&nodes, right));
        }
        self.outputs.iter().map(|&(_, signal)| signal_value(&nodes, signal)).collect()
    }
}

fn signal_value(nodes: &[bool], signal: Lit) -> bool {
    nodes[signal.var().index()] != signal.is_negative()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_aiger_literals() {
        assert_eq!((Aig::FALSE.code(), Aig::TRUE.code()), (0, 1));
        let mut graph = Aig::new(vec![Var::from_dimacs(7), Var::from_dimacs(3)]);
        assert_eq!(graph.input(1).code(), 4);
        let (a, b) = (graph.input(0), graph.input(1));
        assert_eq!(graph.and(a, !b).code(), 6);
    }

    #[test]
    fn functions_are_evaluated() {
        let mut graph = Aig::new(vec![Var::from_dimacs(1), Var::from_dimacs(2)]);
        let (a, b) = (graph.input(0), graph.input(1));
        let (one, both) = (graph.or(a, b), graph.and(a, b));
        let differ = graph.and(one, !both);
        graph.output(Var::from_dimacs(3), differ);
        graph.output(Var::from_dimacs(4), Aig::TRUE);
        for [x, y] in [[false, false], [false, true], [true, false], [true, true]] {
            assert_eq!(graph.evaluate(|var| [x, y][var.index()]), [x != y, true]);
        }
    }
}
