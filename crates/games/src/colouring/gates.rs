//! A formula as gates whose values follow the colours at once: three-valued evaluation, changed in place, undone exactly.
//!
//! Every gate is a disjunction or a parity of literals (the rest is negation) and counts its undecided and its true
//! operands, so that a colour costs as much as the gates it reaches. What a position is like beyond its value is found by a
//! [survey](Gates::survey) in one pass over all gates.

use gamesat_core::formula::{Circuit, ClauseArena, Game, GameMatrix, GateKind, Lit, Var};
use rustc_hash::FxHashMap;

/// A literal of a node: the node's number and a sign.
type Operand = u32;

fn node(operand: Operand) -> usize {
    (operand / 2) as usize
}

fn is_negated(operand: Operand) -> bool {
    operand % 2 == 1
}

/// The formula of a game.
pub(super) struct Gates {
    /// The elements that occur, by number; they are the first nodes.
    pub(super) elements: Vec<Var>,
    /// For each gate, whether it is a parity; the others are disjunctions.
    parity: Vec<bool>,
    /// Operands of the gates, one after the other, and where they end.
    operands: Vec<Operand>,
    ends: Vec<u32>,
    /// For each node the gates it is an operand of, one after the other, and where they end.
    uses: Vec<Operand>,
    use_ends: Vec<u32>,
    root: Operand,
    /// What is known of each node.
    values: Vec<Option<bool>>,
    /// For each gate, how many operands are undecided, and how many are true.
    undecided: Vec<u32>,
    holding: Vec<u32>,
    /// Nodes in the order in which they were decided.
    trail: Vec<u32>,
}

/// What one pass over the gates shows.
pub(super) struct Survey {
    /// Elements on which the value may still depend, with how it may rise and fall in them.
    pub(super) live: Vec<Live>,
    /// Two independent hashes of what is left of the formula.
    pub(super) hash: (u64, u64),
    /// Whether what is left is the parity of the live elements.
    pub(super) parity: bool,
    /// For each node whether the value may rise and fall with it, and how much it weighs.
    nodes: Vec<(bool, bool, f64)>,
    hashes: Vec<(u64, u64)>,
}

/// A live element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Live {
    pub(super) element: u32,
    pub(super) rising: bool,
    pub(super) falling: bool,
    /// How much the formula hangs on it: halved by every other undecided operand on the way.
    pub(super) weight: f64,
}

/// Builds the gates in order.
struct Builder {
    parity: Vec<bool>,
    operands: Vec<Operand>,
    ends: Vec<u32>,
    inputs: u32,
}

impl Builder {
    fn gate(&mut self, parity: bool, operands: impl Iterator<Item = Operand>) -> Operand {
        self.operands.extend(operands);
        self.parity.push(parity);
        self.ends.push(self.operands.len() as u32);
        2 * (self.inputs + self.parity.len() as u32 - 1)
    }

    fn disjunction(&mut self, operands: impl Iterator<Item = Operand>) -> Operand {
        self.gate(false, operands)
    }

    fn conjunction(&mut self, operands: impl Iterator<Item = Operand>) -> Operand {
        self.gate(false, operands.map(|operand| operand ^ 1)) ^ 1
    }
}

impl Gates {
    /// The formula of a game with the played colours filled in, or `None` if it is too large to be numbered.
    pub(super) fn new(game: &Game) -> Option<Self> {
        let mut gates = match game.matrix() {
            GameMatrix::Cnf(rows) => Self::of_rows(rows, true),
            GameMatrix::Dnf(rows) => Self::of_rows(rows, false),
            GameMatrix::Circuit(circuit) => Self::of_circuit(circuit),
        }?;
        for &lit in game.played() {
            if let Some(element) = gates.element(lit.var()) {
                gates.colour(element, lit.is_positive());
            }
        }
        Some(gates)
    }

    fn of_rows(rows: &ClauseArena, cnf: bool) -> Option<Self> {
        let elements = rows.vars();
        let local: FxHashMap<Var, u32> = elements.iter().zip(0..).map(|(&var, number)| (var, number)).collect();
        let mut builder = Self::builder(elements.len(), rows.num_lits() + 2 * rows.len())?;
        let operand = |lit: &Lit| 2 * local[&lit.var()] + u32::from(lit.is_negative());
        let mut outputs = Vec::with_capacity(rows.len());
        for row in rows {
            let literals = row.iter().map(operand);
            outputs.push(if cnf { builder.disjunction(literals) } else { builder.conjunction(literals) });
        }
        let outputs = outputs.into_iter();
        let root = if cnf { builder.conjunction(outputs) } else { builder.disjunction(outputs) };
        Some(Self::finish(builder, elements, root))
    }

    fn of_circuit(circuit: &Circuit) -> Option<Self> {
        // 1. What the output depends on.
        let inputs = circuit.inputs();
        let mut needed = vec![false; inputs + circuit.num_gates()];
        needed[circuit.output().var().index()] = true;
        let mut size = 0;
        // How often each node is used, and whether by parities alone: a parity that is used once, by a parity, becomes
        // a part of it.
        let mut uses = vec![(0u32, true); needed.len()];
        for index in (0..circuit.num_gates()).rev() {
            if needed[inputs + index] {
                let gate = circuit.gate(index);
                for lit in gate.operands {
                    needed[lit.var().index()] = true;
                    let (count, parities) = &mut uses[lit.var().index()];
                    *count += 1;
                    *parities &= gate.kind == GateKind::Xor;
                }
                size += 2 * gate.operands.len() + 3;
            }
        }
        let is_part = |node: usize| {
            node >= inputs && uses[node] == (1, true) && circuit.gate(node - inputs).kind == GateKind::Xor
        };
        // 2. The same in fewer kinds of gates.
        let elements: Vec<Var> = (0..inputs).filter(|&index| needed[index]).map(Var::from_index).collect();
        let mut builder = Self::builder(elements.len(), size)?;
        let mut outputs: Vec<Operand> = vec![0; needed.len()];
        for (&var, number) in elements.iter().zip(0..) {
            outputs[var.index()] = 2 * number;
        }
        let mut open: Vec<Lit> = Vec::new();
        for index in (0..circuit.num_gates()).filter(|&index| needed[inputs + index] && !is_part(inputs + index)) {
            let gate = circuit.gate(index);
            let operand = |lit: &Lit| outputs[lit.var().index()] ^ u32::from(lit.is_negative());
            let operands = gate.operands.iter().map(operand);
            let output = match gate.kind {
                GateKind::Or => builder.disjunction(operands),
                GateKind::And => builder.conjunction(operands),
                GateKind::Xor => {
                    let (mut flips, mut parts) = (0, Vec::new());
                    open.extend(gate.operands);
                    while let Some(lit) = open.pop() {
                        if is_part(lit.var().index()) {
                            open.extend(circuit.gate(lit.var().index() - inputs).operands);
                            flips ^= u32::from(lit.is_negative());
                        } else {
                            parts.push(operand(&lit));
                        }
                    }
                    builder.gate(true, parts.into_iter()) ^ flips
                }
                GateKind::Ite => {
                    let [test, yes, no] = [0, 1, 2].map(|at| operand(&gate.operands[at]));
                    let then = builder.conjunction([test, yes].into_iter());
                    let otherwise = builder.conjunction([test ^ 1, no].into_iter());
                    builder.disjunction([then, otherwise].into_iter())
                }
            };
            outputs[inputs + index] = output;
        }
        let output = circuit.output();
        let root = outputs[output.var().index()] ^ u32::from(output.is_negative());
        Some(Self::finish(builder, elements, root))
    }

    fn builder(elements: usize, size: usize) -> Option<Builder> {
        // Operands are numbers of nodes, doubled.
        let fits = elements.saturating_add(size) < (u32::MAX / 2) as usize;
        fits.then(|| Builder { parity: Vec::new(), operands: Vec::new(), ends: Vec::new(), inputs: elements as u32 })
    }

    fn finish(builder: Builder, elements: Vec<Var>, root: Operand) -> Self {
        let Builder { parity, operands, ends, .. } = builder;
        let nodes = elements.len() + parity.len();
        // Uses, by a counting sort.
        let mut use_ends = vec![0u32; nodes + 1];
        operands.iter().for_each(|&operand| use_ends[node(operand) + 1] += 1);
        for at in 1..use_ends.len() {
            use_ends[at] += use_ends[at - 1];
        }
        let mut uses = vec![0; operands.len()];
        let mut places = use_ends.clone();
        let mut start = 0;
        for (gate, &end) in ends.iter().enumerate() {
            for &operand in &operands[start..end as usize] {
                let place = &mut places[node(operand)];
                uses[*place as usize] = 2 * gate as u32 + operand % 2;
                *place += 1;
            }
            start = end as usize;
        }
        let undecided = (0..ends.len()).map(|g| ends[g] - if g == 0 { 0 } else { ends[g - 1] }).collect();
        let holding = vec![0; ends.len()];
        let values = vec![None; nodes];
        let trail = Vec::new();
        let mut gates =
            Gates { elements, parity, operands, ends, uses, use_ends, root, values, undecided, holding, trail };
        // Gates without operands are decided from the start.
        for gate in 0..gates.ends.len() {
            if gates.operands_of(gate).is_empty() {
                gates.decide(gates.elements.len() + gate, false);
            }
        }
        gates
    }

    fn operands_of(&self, gate: usize) -> &[Operand] {
        let start = if gate == 0 { 0 } else { self.ends[gate - 1] as usize };
        &self.operands[start..self.ends[gate] as usize]
    }

    /// The number of an element, if it occurs.
    pub(super) fn element(&self, var: Var) -> Option<u32> {
        self.elements.binary_search(&var).ok().map(|number| number as u32)
    }

    /// The value of the formula, if it is decided.
    pub(super) fn value(&self) -> Option<bool> {
        self.values[node(self.root)].map(|value| value != is_negated(self.root))
    }

    /// Where to go back to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Colours an element.
    pub(super) fn colour(&mut self, element: u32, colour: bool) {
        if self.values[element as usize].is_none() {
            self.decide(element as usize, colour);
        }
    }

    /// Gives a node a value, and the nodes that follow theirs.
    fn decide(&mut self, first: usize, value: bool) {
        let mut next = self.trail.len();
        self.values[first] = Some(value);
        self.trail.push(first as u32);
        while let Some(&decided) = self.trail.get(next) {
            next += 1;
            let decided = decided as usize;
            let value = self.values[decided] == Some(true);
            for at in self.use_ends[decided] as usize..self.use_ends[decided + 1] as usize {
                let (gate, negated) = (node(self.uses[at]), is_negated(self.uses[at]));
                self.undecided[gate] -= 1;
                self.holding[gate] += u32::from(value != negated);
                let output = match (self.parity[gate], self.undecided[gate]) {
                    (false, _) if self.holding[gate] > 0 => true,
                    (false, 0) => false,
                    (true, 0) => self.holding[gate] % 2 == 1,
                    _ => continue,
                };
                let output_node = self.elements.len() + gate;
                if self.values[output_node].is_none() {
                    self.values[output_node] = Some(output);
                    self.trail.push(output_node as u32);
                }
            }
        }
    }

    /// Goes back to a mark.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(decided) = self.trail.pop() else { return };
            let decided = decided as usize;
            let value = self.values[decided].take() == Some(true);
            for at in self.use_ends[decided] as usize..self.use_ends[decided + 1] as usize {
                let (gate, negated) = (node(self.uses[at]), is_negated(self.uses[at]));
                self.undecided[gate] += 1;
                self.holding[gate] -= u32::from(value != negated);
            }
        }
    }

    /// Looks at what is left of an undecided formula.
    pub(super) fn survey(&self, survey: &mut Survey) {
        let inputs = self.elements.len();
        survey.nodes.clear();
        survey.nodes.resize(self.values.len(), (false, false, 0.0));
        // 1. From the output down: what the value depends on, and how.
        let negated = is_negated(self.root);
        survey.nodes[node(self.root)] = (!negated, negated, 1.0);
        for gate in (0..self.ends.len()).rev() {
            let (rising, falling, weight) = survey.nodes[inputs + gate];
            if self.values[inputs + gate].is_some() || !(rising || falling) {
                continue;
            }
            let left = self.undecided[gate];
            // Many undecided operands make each of them matter less.
            let share = weight / f64::from(1u32 << (left.clamp(1, 31) - 1));
            for &operand in self.operands_of(gate) {
                if self.values[node(operand)].is_some() {
                    continue;
                }
                let below = &mut survey.nodes[node(operand)];
                let (up, down) = if !self.parity[gate] {
                    if is_negated(operand) { (falling, rising) } else { (rising, falling) }
                } else if left > 1 {
                    (true, true)
                } else {
                    let flip = (self.holding[gate] % 2 == 1) != is_negated(operand);
                    if flip { (falling, rising) } else { (rising, falling) }
                };
                *below = (below.0 || up, below.1 || down, below.2 + share);
            }
        }
        // 2. The elements among it.
        survey.live.clear();
        for element in 0..inputs {
            let (rising, falling, weight) = survey.nodes[element];
            if self.values[element].is_none() && (rising || falling) {
                survey.live.push(Live { element: element as u32, rising, falling, weight });
            }
        }
        // 3. From them up: hashes that depend on what is left alone.
        survey.hashes.clear();
        survey.hashes.resize(self.values.len(), (0, 0));
        for &Live { element, .. } in &survey.live {
            let number = u64::from(element) + 1;
            survey.hashes[element as usize] = (mix(number, 0x9E37_79B9_7F4A_7C15), mix(number, 0xC2B2_AE3D_27D4_EB4F));
        }
        for gate in 0..self.ends.len() {
            let (rising, falling, _) = survey.nodes[inputs + gate];
            if self.values[inputs + gate].is_some() || !(rising || falling) {
                continue;
            }
            let flips = self.parity[gate] && self.holding[gate] % 2 == 1;
            let mut hash = (0u64, 0u64);
            for &operand in self.operands_of(gate).iter().filter(|&&operand| self.values[node(operand)].is_none()) {
                let (mut a, mut b) = survey.hashes[node(operand)];
                if is_negated(operand) != (flips && self.undecided[gate] == 1) {
                    (a, b) = (!a, !b);
                }
                hash = if self.undecided[gate] == 1 {
                    (a, b)
                } else {
                    let kind = u64::from(self.parity[gate]);
                    (
                        hash.0.wrapping_add(mix(a, 0xA076_1D64_78BD_642F ^ kind)),
                        hash.1.wrapping_add(mix(b, 0xE703_7ED1_A0B4_28DB ^ kind)),
                    )
                };
            }
            if self.undecided[gate] > 1 {
                let tag = 2 * u64::from(self.parity[gate]) + u64::from(flips);
                hash = (mix(hash.0, 0xD6E8_FEB8_6659_FD93 ^ tag), mix(hash.1, 0xA24B_AED4_963E_E407 ^ tag));
            }
            survey.hashes[inputs + gate] = hash;
        }
        let (a, b) = survey.hashes[node(self.root)];
        survey.hash = if negated { (!a, !b) } else { (a, b) };
        // 4. A parity of elements, each once?
        survey.parity = match node(self.root).checked_sub(inputs) {
            Some(gate) => {
                self.parity[gate]
                    && self.undecided[gate] as usize == survey.live.len()
                    && self.operands_of(gate).iter().all(|&o| self.values[node(o)].is_some() || node(o) < inputs)
            }
            None => false,
        };
    }
}

impl Survey {
    pub(super) fn new() -> Self {
        Survey { live: Vec::new(), hash: (0, 0), parity: false, nodes: Vec::new(), hashes: Vec::new() }
    }
}

/// Multiplies to twice the width and folds the halves onto each other.
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ b.rotate_left(21)) * u128::from(b | 1);
    (product as u64) ^ (product >> 64) as u64 ^ a.rotate_left(32)
}
