//! And-inverter graphs: functions of variables, as certificates of QBFs are made of.
//!
//! Node 0 is the constant false, the next nodes are inputs, the others are conjunctions of two earlier nodes. A [`Lit`]
//! over nodes is a *signal*; its code is AIGER's literal.
//!
//! [`Aig::and`] makes no conjunction twice and none that the operands of its operands show to be something simpler: the
//! rules of one and two levels of Brummayer and Biere, *Local two-level and-inverter graph minimization without blowup*
//! (MEMICS 2006). Each replaces a conjunction by a signal that is there, or by a conjunction of earlier signals, so a
//! graph never grows by them. [`Aig::push_and`] takes a conjunction as it is: for readers and judges, whose business is
//! what was written.

use super::{Lit, Var};
use hashbrown::HashTable;

/// An and-inverter graph whose inputs and outputs belong to variables of a formula.
///
/// ```
/// use gamesat_core::formula::{Aig, Var};
///
/// let mut graph = Aig::new(vec![Var::from_dimacs(1), Var::from_dimacs(2)]);
/// let (a, b) = (graph.input(0), graph.input(1));
/// let both = graph.and(a, b);
/// assert_eq!(graph.and(b, a), both);
/// assert_eq!(graph.and(both, !a), Aig::FALSE);
/// assert_eq!(graph.or(a, both), a);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Aig {
    inputs: Vec<Var>,
    /// Operands, the larger signal first.
    ands: Vec<[Lit; 2]>,
    outputs: Vec<(Var, Lit)>,
    /// Indices of the conjunctions that [`Aig::and`] made, by their operands.
    table: HashTable<u32>,
}

/// Graphs are equal if they are written alike.
impl PartialEq for Aig {
    fn eq(&self, other: &Self) -> bool {
        (&self.inputs, &self.ands, &self.outputs) == (&other.inputs, &other.ands, &other.outputs)
    }
}

impl Eq for Aig {}

/// What two levels of a conjunction show.
enum Simpler {
    /// It is this signal.
    Signal(Lit),
    /// It is the conjunction of these.
    And(Lit, Lit),
}

impl Aig {
    /// The signal that is always false.
    pub const FALSE: Lit = Var::FIRST.lit(true);
    /// The signal that is always true.
    pub const TRUE: Lit = Var::FIRST.lit(false);

    /// A graph without outputs, with an input for each of these variables.
    pub fn new(inputs: Vec<Var>) -> Self {
        Aig { inputs, ..Aig::default() }
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

    /// The operands of every conjunction, in order; the first has the node number `1 + inputs().len()`. Of two operands
    /// the one with the larger number comes first.
    pub fn ands(&self) -> &[[Lit; 2]] {
        &self.ands
    }

    /// The operands of a node, if it is a conjunction.
    #[inline]
    pub fn operands(&self, node: Var) -> Option<[Lit; 2]> {
        self.ands.get(node.index().wrapping_sub(1 + self.inputs.len())).copied()
    }

    /// A conjunction, as a new node whatever it says.
    ///
    /// # Panics
    /// If an operand is not there yet.
    pub fn push_and(&mut self, left: Lit, right: Lit) -> Lit {
        let node = Var::from_index(self.num_nodes());
        assert!(left.var() < node && right.var() < node, "operand before its definition");
        self.ands.push([left.max(right), left.min(right)]);
        node.positive()
    }

    /// A conjunction, simplified, and a new node only if there is none like it.
    ///
    /// # Panics
    /// If an operand is not there yet.
    pub fn and(&mut self, mut left: Lit, mut right: Lit) -> Lit {
        assert!(left.var().index().max(right.var().index()) < self.num_nodes(), "operand before its definition");
        // Ends because a new operand is an operand of an old one.
        while let Some(simpler) = self.simpler(left, right) {
            match simpler {
                Simpler::Signal(signal) => return signal,
                Simpler::And(first, second) => (left, right) = (first, second),
            }
        }
        let operands = [left.max(right), left.min(right)];
        let hash = hash(operands);
        let first = 1 + self.inputs.len();
        if let Some(&index) = self.table.find(hash, |&index| self.ands[index as usize] == operands) {
            return Var::from_index(first + index as usize).positive();
        }
        let index = self.ands.len() as u32;
        self.ands.push(operands);
        let ands = &self.ands;
        self.table.insert_unique(hash, index, |&index| self::hash(ands[index as usize]));
        Var::from_index(first + index as usize).positive()
    }

    /// The rules, in both directions.
    fn simpler(&self, left: Lit, right: Lit) -> Option<Simpler> {
        let (left, right) = (left.max(right), left.min(right));
        // One level: neutral and absorbing constants, idempotence, contradiction.
        if right == Self::FALSE || left == !right {
            return Some(Simpler::Signal(Self::FALSE));
        }
        if right == Self::TRUE || left == right {
            return Some(Simpler::Signal(left));
        }
        self.half_simpler(left, right).or_else(|| self.half_simpler(right, left))
    }

    /// The rules that look into `left`, and into `right` too.
    fn half_simpler(&self, left: Lit, right: Lit) -> Option<Simpler> {
        let [a, b] = self.operands(left.var())?;
        let inner = self.operands(right.var());
        if left.is_positive() {
            // Contradiction and idempotence: (a & b) & -a, (a & b) & a.
            if right == !a || right == !b {
                return Some(Simpler::Signal(Self::FALSE));
            }
            if right == a || right == b {
                return Some(Simpler::Signal(left));
            }
            // (a & b) & (-a & d).
            if let Some([c, d]) = inner.filter(|_| right.is_positive())
                && (a == !c || a == !d || b == !c || b == !d)
            {
                return Some(Simpler::Signal(Self::FALSE));
            }
            return None;
        }
        // Absorption and substitution: -(a & b) & -a, -(a & b) & a.
        if right == !a || right == !b {
            return Some(Simpler::Signal(right));
        }
        if right == a {
            return Some(Simpler::And(right, !b));
        }
        if right == b {
            return Some(Simpler::And(right, !a));
        }
        let [c, d] = inner?;
        if right.is_positive() {
            // -(a & b) & (-a & d), -(a & b) & (a & d).
            if a == !c || a == !d || b == !c || b == !d {
                return Some(Simpler::Signal(right));
            }
            if a == c || a == d {
                return Some(Simpler::And(right, !b));
            }
            if b == c || b == d {
                return Some(Simpler::And(right, !a));
            }
            return None;
        }
        // Resolution: -(a & b) & -(a & -b).
        let resolved = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
        let resolved = resolved.into_iter().find(|&(same, one, other, opposite)| same == other && one == !opposite);
        resolved.map(|(same, ..)| Simpler::Signal(!same))
    }

    /// A disjunction, simplified, and a new node only if there is none like it.
    ///
    /// # Panics
    /// If an operand is not there yet.
    pub fn or(&mut self, left: Lit, right: Lit) -> Lit {
        !self.and(!left, !right)
    }

    /// The first signal where `condition` is true, the second where it is false.
    ///
    /// # Panics
    /// If an operand is not there yet.
    pub fn select(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        let then = self.and(condition, then);
        let otherwise = self.and(!condition, otherwise);
        self.or(then, otherwise)
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

    /// Builds the outputs of another graph in this one, whose inputs become the signals that `input` gives, and returns
    /// their signals in order. Nothing is declared an output here.
    pub fn import(&mut self, other: &Aig, input: impl Fn(Var) -> Lit) -> Vec<Lit> {
        let mut here: Vec<Lit> = Vec::with_capacity(other.num_nodes());
        here.push(Self::FALSE);
        here.extend(other.inputs.iter().map(|&var| input(var)));
        for &[left, right] in &other.ands {
            let signal = self.and(renamed(&here, left), renamed(&here, right));
            here.push(signal);
        }
        other.outputs.iter().map(|&(_, signal)| renamed(&here, signal)).collect()
    }

    /// Drops the conjunctions on which no output rests.
    pub fn retain_used(&mut self) {
        let first = 1 + self.inputs.len();
        let mut used = vec![false; self.num_nodes()];
        self.outputs.iter().for_each(|(_, signal)| used[signal.var().index()] = true);
        for (index, operands) in self.ands.iter().enumerate().rev() {
            if used[first + index] {
                operands.iter().for_each(|operand| used[operand.var().index()] = true);
            }
        }
        let mut here: Vec<Lit> = (0..first).map(|node| Var::from_index(node).positive()).collect();
        let mut kept = Vec::new();
        self.table.clear();
        for (index, operands) in self.ands.iter().enumerate() {
            here.push(Var::from_index(first + kept.len()).positive());
            if used[first + index] {
                kept.push(operands.map(|operand| renamed(&here, operand)));
            }
        }
        self.ands = kept;
        let ands = &self.ands;
        for index in 0..ands.len() as u32 {
            let key = hash(ands[index as usize]);
            self.table.insert_unique(key, index, |&index| hash(ands[index as usize]));
        }
        self.outputs.iter_mut().for_each(|(_, signal)| *signal = renamed(&here, *signal));
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

fn hash([left, right]: [Lit; 2]) -> u64 {
    let key = (left.code() as u64) << 32 | right.code() as u64;
    // The table takes its bits from both ends, so that the product alone will not do.
    let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}

/// A signal of another numbering.
fn renamed(here: &[Lit], signal: Lit) -> Lit {
    let node = here[signal.var().index()];
    if signal.is_negative() { !node } else { node }
}

fn signal_value(nodes: &[bool], signal: Lit) -> bool {
    nodes[signal.var().index()] != signal.is_negative()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vars(numbers: &[i32]) -> Vec<Var> {
        numbers.iter().map(|&number| Var::from_dimacs(number)).collect()
    }

    #[test]
    fn signals_are_aiger_literals() {
        assert_eq!((Aig::FALSE.code(), Aig::TRUE.code()), (0, 1));
        let mut graph = Aig::new(vars(&[7, 3]));
        assert_eq!(graph.input(1).code(), 4);
        let (a, b) = (graph.input(0), graph.input(1));
        assert_eq!(graph.and(a, !b).code(), 6);
    }

    #[test]
    fn functions_are_evaluated() {
        let mut graph = Aig::new(vars(&[1, 2]));
        let (a, b) = (graph.input(0), graph.input(1));
        let (one, both) = (graph.or(a, b), graph.and(a, b));
        let differ = graph.and(one, !both);
        graph.output(Var::from_dimacs(3), differ);
        graph.output(Var::from_dimacs(4), Aig::TRUE);
        for [x, y] in [[false, false], [false, true], [true, false], [true, true]] {
            assert_eq!(graph.evaluate(|var| [x, y][var.index()]), [x != y, true]);
        }
    }

    /// Every conjunction of two signals of a graph that has all conjunctions of two inputs, against the truth table.
    #[test]
    fn rules_keep_the_function_and_never_add_two_nodes() {
        let mut graph = Aig::new(vars(&[1, 2, 3]));
        let mut signals = vec![Aig::FALSE];
        signals.extend((0..3).map(|index| graph.input(index)));
        for round in 0..2 {
            let all: Vec<Lit> = signals.iter().flat_map(|&signal| [signal, !signal]).collect();
            for (index, &a) in all.iter().enumerate() {
                for &b in &all[..index] {
                    let before = graph.num_nodes();
                    let and = graph.and(a, b);
                    assert!(graph.num_nodes() <= before + 1);
                    assert_eq!(graph.and(b, a), and);
                    let mut table = graph.clone();
                    [a, b, and].into_iter().for_each(|signal| table.output(Var::FIRST, signal));
                    for bits in 0..8 {
                        let [x, y, z] = table.evaluate(|var| bits >> var.index() & 1 != 0)[..] else { panic!() };
                        assert_eq!(z, x && y, "{a:?} {b:?}");
                    }
                    if round == 0 {
                        signals.push(and);
                    }
                }
            }
            signals.sort_unstable();
            signals.dedup();
        }
    }

    #[test]
    fn graphs_move_into_others_and_lose_what_nobody_needs() {
        let mut inner = Aig::new(vars(&[1, 2]));
        let (a, b) = (inner.input(0), inner.input(1));
        let both = inner.and(a, b);
        inner.output(Var::from_dimacs(3), !both);
        let mut graph = Aig::new(vars(&[4, 5]));
        let (c, d) = (graph.input(0), graph.input(1));
        graph.and(c, d);
        let signals = graph.import(&inner, |var| if var == Var::from_dimacs(1) { !c } else { d });
        graph.output(Var::from_dimacs(3), signals[0]);
        assert_eq!(graph.ands().len(), 2);
        graph.retain_used();
        assert_eq!(graph.ands(), [[d, !c]]);
        assert_eq!(graph.and(!c, d), Var::from_index(3).positive(), "the table knows what was kept");
        assert_eq!(graph.outputs(), [(Var::from_dimacs(3), Var::from_index(3).negative())]);
    }
}
