//! Circuits to clauses: Tseitin's translation in the version of Plaisted and Greenbaum (1986), where a gate is defined
//! only in the direction in which it is used.
//!
//! The new variables are existential and innermost. One direction is enough there: a clause that contains the literal
//! `l` of a gate is served by `l -> gate`, and when the gate really has that value, setting `l` satisfies everything.
//! Conjunctions at the top become separate clauses, and a gate that is used once inside a gate of its own kind is
//! written into it, so a circuit that is already a CNF comes out as that CNF without any new variable.
//!
//! Nothing here recurses: a circuit may be a million gates deep.

use gamesat_core::formula::{
    Circuit, ClauseArena, GateKind, Lit, Names, Prefix, Qbf, QuantifiedCircuit, Quantifier, Var,
};
use std::collections::VecDeque;

/// Parities of up to this many operands are written out; longer ones are cut into pieces with a variable each.
const LONGEST_PARITY: usize = 4;

/// The prenex CNF of a quantified circuit.
///
/// Variable `i` below [`Circuit::inputs`] is input `i`, with its name; the others are new, in an innermost existential
/// block. So the values of an outer block carry over: only new variables have to be left out.
pub fn clausify(circuit: &QuantifiedCircuit) -> Qbf {
    let mut clauses = Clausifier::new(circuit.circuit());
    clauses.assert(circuit.circuit().output());
    let inputs = circuit.circuit().inputs();
    let mut prefix = Prefix::new();
    for block in circuit.prefix().blocks() {
        prefix.push_block(block.quantifier, block.vars.iter().copied());
    }
    prefix.push_block(Quantifier::Exists, (inputs..clauses.next).map(Var::from_index));
    let mut qbf = Qbf::new(&prefix, clauses.result)
        .unwrap_or_else(|_| unreachable!("inputs are bound once and the new variables follow them"));
    let mut names = Names::new();
    for (var, name) in circuit.names.iter().filter(|(var, _)| var.index() < inputs) {
        names.insert(var, name);
    }
    qbf.names = names;
    qbf
}

/// What a literal of the circuit says about its operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// All operands (negated for a negative literal) hold.
    All,
    /// One of the operands (negated for a negative literal) holds.
    One,
    /// An input, a parity or an if-then-else: a literal of its own.
    Other,
}

struct Clausifier<'a> {
    circuit: &'a Circuit,
    /// How often a gate is an operand, 2 standing for more.
    uses: Vec<u8>,
    /// The variable of a gate, once it has one.
    vars: Vec<Option<Var>>,
    /// Literals of gates, as codes, that are defined or waiting for it.
    queued: Vec<bool>,
    waiting: Vec<Lit>,
    /// The next new variable.
    next: usize,
    result: ClauseArena,
}

impl<'a> Clausifier<'a> {
    fn new(circuit: &'a Circuit) -> Self {
        let mut uses = vec![0u8; circuit.num_gates()];
        for gate in circuit.gates() {
            for lit in gate.operands {
                if let Some(index) = lit.var().index().checked_sub(circuit.inputs()) {
                    uses[index] = (uses[index] + 1).min(2);
                }
            }
        }
        Clausifier {
            circuit,
            uses,
            vars: vec![None; circuit.num_gates()],
            queued: vec![false; 2 * circuit.num_gates()],
            waiting: Vec::new(),
            next: circuit.inputs(),
            result: ClauseArena::new(),
        }
    }

    /// Adds the clauses that make this literal of the circuit true, and the definitions they need.
    fn assert(&mut self, output: Lit) {
        self.conjuncts(&[], &[output], true);
        while let Some(lit) = self.waiting.pop() {
            self.define(lit);
        }
    }

    fn gate_index(&self, lit: Lit) -> Option<usize> {
        lit.var().index().checked_sub(self.circuit.inputs())
    }

    fn shape(&self, lit: Lit) -> Shape {
        let Some(index) = self.gate_index(lit) else { return Shape::Other };
        match (self.circuit.gate(index).kind, lit.is_positive()) {
            (GateKind::And, true) | (GateKind::Or, false) => Shape::All,
            (GateKind::Or, true) | (GateKind::And, false) => Shape::One,
            (GateKind::Xor | GateKind::Ite, _) => Shape::Other,
        }
    }

    /// Whether the gate is better written into the gate that uses it than given a variable: it is used once, or it is
    /// only another name for its operand or for a constant.
    fn dissolves(&self, lit: Lit) -> bool {
        self.gate_index(lit).is_some_and(|index| self.uses[index] < 2 || self.circuit.gate(index).operands.len() < 2)
    }

    /// The operands of an And or Or gate as the literal `lit` sees them.
    fn operands(&self, lit: Lit) -> impl Iterator<Item = Lit> + use<'a> {
        let circuit: &'a Circuit = self.circuit;
        let operands: &'a [Lit] = match self.gate_index(lit) {
            Some(index) => circuit.gate(index).operands,
            None => &[],
        };
        let positive = lit.is_positive();
        operands.iter().map(move |&operand| if positive { operand } else { !operand })
    }

    /// For every conjunct of the conjunction of `lits`: the clause `premise or conjunct`. At the top even shared
    /// conjunctions are taken apart, since asserting one asserts its operands.
    fn conjuncts(&mut self, premise: &[Lit], lits: &[Lit], top: bool) {
        let mut stack = lits.to_vec();
        stack.reverse();
        while let Some(lit) = stack.pop() {
            if self.shape(lit) == Shape::All && (top || self.dissolves(lit)) {
                let start = stack.len();
                stack.extend(self.operands(lit));
                stack[start..].reverse();
            } else {
                self.clause(premise, &[lit], top);
            }
        }
    }

    /// The clause of finished literals `premise` and of the literals `lits` of the circuit.
    fn clause(&mut self, premise: &[Lit], lits: &[Lit], top: bool) {
        let mut finished = premise.to_vec();
        let mut stack = lits.to_vec();
        stack.reverse();
        let mut first = top; // a disjunction at the top is its own clause however often it is used elsewhere
        while let Some(lit) = stack.pop() {
            let shape = self.shape(lit);
            if shape == Shape::One && (first || self.dissolves(lit)) {
                let start = stack.len();
                stack.extend(self.operands(lit));
                stack[start..].reverse();
            } else if shape == Shape::All && self.operands(lit).next().is_none() {
                return; // a true constant satisfies the clause
            } else if shape == Shape::All && self.operands(lit).nth(1).is_none() {
                stack.extend(self.operands(lit));
            } else {
                finished.push(self.literal(lit));
            }
            first = false;
        }
        self.emit(&finished);
    }

    fn emit(&mut self, clause: &[Lit]) {
        self.result.push(clause);
        if self.result.normalise_last() {
            self.result.pop();
        }
    }

    fn fresh(&mut self) -> Var {
        self.next += 1;
        Var::from_index(self.next - 1)
    }

    /// The CNF literal of a circuit literal, whose definition is queued if this is its first use.
    fn literal(&mut self, lit: Lit) -> Lit {
        let Some(index) = self.gate_index(lit) else { return lit };
        let var = match self.vars[index] {
            Some(var) => var,
            None => {
                let var = self.fresh();
                self.vars[index] = Some(var);
                var
            }
        };
        let code = 2 * index + usize::from(lit.is_negative());
        if !self.queued[code] {
            self.queued[code] = true;
            self.waiting.push(lit);
        }
        var.lit(lit.is_positive())
    }

    /// Adds the clauses of `lit -> what its gate says`.
    fn define(&mut self, lit: Lit) {
        let premise = [!self.literal(lit)];
        let Some(index) = self.gate_index(lit) else { return };
        let gate = self.circuit.gate(index);
        match self.shape(lit) {
            Shape::All => {
                let operands: Vec<Lit> = self.operands(lit).collect();
                self.conjuncts(&premise, &operands, false);
            }
            Shape::One => {
                let operands: Vec<Lit> = self.operands(lit).collect();
                self.clause(&premise, &operands, false);
            }
            Shape::Other if gate.kind == GateKind::Ite => {
                let branch = |operand: Lit| if lit.is_positive() { operand } else { !operand };
                let (test, yes, no) = (gate.operands[0], branch(gate.operands[1]), branch(gate.operands[2]));
                self.clause(&premise, &[!test, yes], false);
                self.clause(&premise, &[test, no], false);
            }
            Shape::Other => self.parity(premise[0], gate.operands, lit.is_positive()),
        }
    }

    /// The clauses of `premise or (the parity of the operands is odd)`, or even.
    fn parity(&mut self, premise: Lit, operands: &[Lit], odd: bool) {
        // Cut off pieces from the front: `piece` is equivalent to their parity, in both directions.
        let mut rest: VecDeque<Lit> = operands.iter().map(|&lit| self.both(lit)).collect();
        while rest.len() > LONGEST_PARITY {
            let piece = self.fresh().positive();
            let first: Vec<Lit> = rest.drain(..LONGEST_PARITY - 1).collect();
            self.parity_rows(&[!piece], &first, true);
            self.parity_rows(&[piece], &first, false);
            rest.push_back(piece);
        }
        self.parity_rows(&[premise], rest.make_contiguous(), odd);
    }

    /// The literal with both of its directions defined.
    fn both(&mut self, lit: Lit) -> Lit {
        self.literal(!lit);
        self.literal(lit)
    }

    /// One clause against each colouring of the operands whose parity is not the wanted one.
    fn parity_rows(&mut self, premise: &[Lit], operands: &[Lit], odd: bool) {
        for values in 0u32..1 << operands.len() {
            if (values.count_ones() % 2 == 1) == odd {
                continue;
            }
            let mut clause = premise.to_vec();
            clause.extend(operands.iter().enumerate().map(|(i, &lit)| if values >> i & 1 != 0 { !lit } else { lit }));
            self.emit(&clause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_check::{evaluate_circuit, evaluate_qbf};
    use gamesat_core::control::Control;
    use gamesat_core::formula::CircuitBuilder;
    use proptest::prelude::*;

    /// Gates as (kind, operands as codes), the output's code and the quantifiers of the inputs.
    fn circuit(inputs: usize, gates: &[(u8, Vec<u16>)], output: u16, foralls: u8) -> QuantifiedCircuit {
        let mut b = CircuitBuilder::new(inputs);
        let mut size = inputs;
        let lit = |code: u16, size: usize| Lit::from_code(usize::from(code) % (2 * size));
        for (kind, operands) in gates {
            let mut operands: Vec<Lit> = operands.iter().map(|&code| lit(code, size)).collect();
            let kind = [GateKind::And, GateKind::Or, GateKind::Xor, GateKind::Ite][usize::from(kind % 4)];
            if kind == GateKind::Ite {
                operands.resize(3, lit(output, size));
            }
            b.gate(kind, &operands);
            size += 1;
        }
        let mut prefix = Prefix::new();
        for i in 0..inputs {
            let quantifier = if foralls >> i & 1 != 0 { Quantifier::Forall } else { Quantifier::Exists };
            prefix.push_var(quantifier, Var::from_index(i));
        }
        QuantifiedCircuit::new(&prefix, b.finish(lit(output, size)), Names::new()).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]
        #[test]
        fn the_clauses_mean_the_circuit(
            inputs in 1usize..5,
            gates in prop::collection::vec((0u8..4, prop::collection::vec(0u16..64, 0..7)), 0..6),
            output in 0u16..64,
            foralls in 0u8..16,
        ) {
            let circuit = circuit(inputs, &gates, output, foralls);
            let qbf = clausify(&circuit);
            prop_assume!(qbf.num_vars() <= 18);
            let control = Control::default();
            let (expected, model) = evaluate_circuit(&circuit, &control).unwrap();
            let (value, mut outer) = evaluate_qbf(&qbf, &control).unwrap();
            prop_assert_eq!(value, expected);
            outer.retain(|lit| lit.var().index() < inputs);
            prop_assert_eq!(outer.is_empty(), model.is_empty());
        }
    }

    #[test]
    fn a_cnf_stays_as_it_is() {
        let mut b = CircuitBuilder::new(3);
        let (x, y, z) = (b.input(0), b.input(1), b.input(2));
        let first = b.or(&[x, !y]);
        let inner = b.or(&[y, z]);
        let second = b.or(&[!x, inner]);
        let both = b.and(&[first, second]);
        let circuit = QuantifiedCircuit::new(&Prefix::new(), b.finish(both), Names::new()).unwrap();
        let qbf = clausify(&circuit);
        assert_eq!(qbf.num_vars(), 3);
        let rows: ClauseArena = [&[1, -2][..], &[-1, 2, 3]]
            .map(|c| c.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>())
            .into_iter()
            .collect();
        assert_eq!(qbf.matrix(), &rows);
    }

    #[test]
    fn a_deep_circuit_needs_no_call_stack() {
        let mut b = CircuitBuilder::new(2);
        let mut lit = b.input(0);
        for depth in 0..200_000 {
            let kind = [GateKind::And, GateKind::Or][depth % 2];
            lit = b.gate(kind, &[!lit, b.input(1)]);
        }
        let circuit = QuantifiedCircuit::new(&Prefix::new(), b.finish(lit), Names::new()).unwrap();
        assert!(clausify(&circuit).matrix().len() <= 200_001);
    }
}
