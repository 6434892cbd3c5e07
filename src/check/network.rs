//! The functions of a certificate put in place of their variables: a network of conjunctions over the open variables, and
//! plain unit propagation in it.
//!
//! Nothing here is shared with the graphs that engines build; constants are folded, and that is all the rewriting there is.

use crate::control::{Poller, StopReason};
use crate::formula::{Aig, Lit, Var};
use rustc_hash::FxHashMap;

/// Conjunctions over open variables. Node 0 is the constant false, then come the open variables, then the gates, operands
/// first.
pub(super) struct Network {
    leaves: Vec<Var>,
    gates: Vec<[Lit; 2]>,
    /// The signal of each variable of the formula, by its place in the prefix.
    signals: Vec<Lit>,
}

/// The signal that is always false.
const FALSE: Lit = Var::FIRST.lit(true);

impl Network {
    /// Puts functions in place of variables. Every function must read only what stands before its variable in the prefix.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn new(
        prefix: &[Var],
        places: &FxHashMap<Var, usize>,
        certificate: &Aig,
        poller: &mut Poller<'_>,
    ) -> Result<Self, StopReason> {
        let mut functions: Vec<Option<Lit>> = vec![None; prefix.len()];
        for &(var, signal) in certificate.outputs() {
            functions[places[&var]] = Some(signal);
        }
        let mut network = Network { leaves: Vec::new(), gates: Vec::new(), signals: vec![FALSE; prefix.len()] };
        for (place, &var) in prefix.iter().enumerate().filter(|&(place, _)| functions[place].is_none()) {
            network.leaves.push(var);
            network.signals[place] = Var::from_index(network.leaves.len()).positive();
        }
        // Signals of the certificate's nodes here, as far as functions need them.
        let mut here: Vec<Option<Lit>> = vec![None; certificate.num_nodes()];
        here[0] = Some(FALSE);
        let mut open = Vec::new();
        for (place, function) in functions.iter().enumerate().filter_map(|(place, &f)| Some((place, f?))) {
            open.push(function.var());
            while let Some(&node) = open.last() {
                poller.poll(network.gates.len() as u64)?;
                let signal =
                    |lit: Lit| here[lit.var().index()].map(|node| if lit.is_negative() { !node } else { node });
                let found = match certificate.operands(node) {
                    _ if here[node.index()].is_some() => here[node.index()],
                    // Everything that this function reads stands before it and has its signal.
                    None => Some(network.signals[places[&certificate.inputs()[node.index() - 1]]]),
                    Some([left, right]) => match (signal(left), signal(right)) {
                        (Some(left), Some(right)) => Some(network.and(left, right)),
                        (None, _) => {
                            open.push(left.var());
                            None
                        }
                        (_, None) => {
                            open.push(right.var());
                            None
                        }
                    },
                };
                if found.is_some() {
                    here[node.index()] = found;
                    open.pop();
                }
            }
            let node = here[function.var().index()].unwrap_or(FALSE);
            network.signals[place] = if function.is_negative() { !node } else { node };
        }
        Ok(network)
    }

    fn and(&mut self, left: Lit, right: Lit) -> Lit {
        if left == FALSE || right == FALSE || left == !right {
            return FALSE;
        }
        if left == !FALSE || left == right {
            return right;
        }
        if right == !FALSE {
            return left;
        }
        self.gates.push([left, right]);
        Var::from_index(self.leaves.len() + self.gates.len()).positive()
    }

    pub(super) fn num_nodes(&self) -> usize {
        1 + self.leaves.len() + self.gates.len()
    }

    /// The operands of a node, if it is a gate.
    pub(super) fn operands(&self, node: Var) -> Option<[Lit; 2]> {
        self.gates.get(node.index().wrapping_sub(1 + self.leaves.len())).copied()
    }

    /// The signal of a literal of the formula, given its variable's place in the prefix.
    pub(super) fn signal(&self, place: usize, positive: bool) -> Lit {
        if positive { self.signals[place] } else { !self.signals[place] }
    }

    /// A clause of signals: sorted, without constants and repetitions; `None` if it is always true.
    pub(super) fn simplify(clause: &mut Vec<Lit>) -> Option<()> {
        clause.sort_unstable();
        clause.dedup();
        if clause.contains(&!FALSE) || clause.windows(2).any(|pair| pair[0] == !pair[1]) {
            return None;
        }
        clause.retain(|&lit| lit != FALSE);
        Some(())
    }

    /// Values of the formula's variables, by place, when the open ones have the given values.
    pub(super) fn evaluate(&self, open: impl Fn(Var) -> bool) -> Vec<bool> {
        let mut values = Vec::with_capacity(self.num_nodes());
        values.push(false);
        values.extend((1..=self.leaves.len()).map(|node| open(Var::from_index(node))));
        let value = |values: &[bool], lit: Lit| values[lit.var().index()] != lit.is_negative();
        for &[left, right] in &self.gates {
            values.push(value(&values, left) && value(&values, right));
        }
        self.signals.iter().map(|&signal| value(&values, signal)).collect()
    }
}

/// Unit propagation in a network: from the operands of a gate to the gate, from the gate to its operands.
pub(super) struct Propagation<'a> {
    network: &'a Network,
    /// Gates that read a node: `readers[starts[node]..starts[node + 1]]`.
    readers: Vec<u32>,
    starts: Vec<u32>,
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
}

/// Two signals that cannot be.
struct Conflict;

impl<'a> Propagation<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let nodes = network.num_nodes();
        let mut starts = vec![0; nodes + 1];
        network.gates.iter().flatten().for_each(|lit| starts[lit.var().index() + 1] += 1);
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut readers = vec![0; 2 * network.gates.len()];
        for (index, operands) in network.gates.iter().enumerate() {
            for operand in operands {
                let place = &mut next[operand.var().index()];
                readers[*place as usize] = (1 + network.leaves.len() + index) as u32;
                *place += 1;
            }
        }
        Propagation { network, readers, starts, values: vec![None; nodes], trail: Vec::new() }
    }

    /// Whether propagation alone shows that these signals cannot all be false. Gives up after some steps.
    pub(super) fn refutes(&mut self, clause: &[Lit], steps: usize) -> bool {
        let refuted = self.assume_false(clause, steps).is_err();
        for lit in self.trail.drain(..) {
            self.values[lit.var().index()] = None;
        }
        refuted
    }

    fn assume_false(&mut self, clause: &[Lit], mut steps: usize) -> Result<(), Conflict> {
        for &lit in clause {
            self.set(!lit)?;
        }
        let mut head = 0;
        while head < self.trail.len() {
            let node = self.trail[head].var();
            head += 1;
            self.look_at(node)?;
            let readers = self.starts[node.index()]..self.starts[node.index() + 1];
            if readers.len() > steps {
                return Ok(());
            }
            steps -= readers.len();
            for place in readers {
                self.look_at(Var::from_index(self.readers[place as usize] as usize))?;
            }
        }
        Ok(())
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        if lit.var() == FALSE.var() {
            return Some(lit.is_negative());
        }
        self.values[lit.var().index()].map(|value| value != lit.is_negative())
    }

    fn set(&mut self, lit: Lit) -> Result<(), Conflict> {
        match self.value(lit) {
            Some(true) => Ok(()),
            Some(false) => Err(Conflict),
            None => {
                self.values[lit.var().index()] = Some(lit.is_positive());
                self.trail.push(lit);
                Ok(())
            }
        }
    }

    /// Draws every conclusion about a gate and its operands.
    fn look_at(&mut self, node: Var) -> Result<(), Conflict> {
        let Some([left, right]) = self.network.operands(node) else { return Ok(()) };
        let gate = node.positive();
        match (self.value(gate), self.value(left), self.value(right)) {
            (Some(true), ..) => {
                self.set(left)?;
                self.set(right)
            }
            (_, Some(false), _) | (_, _, Some(false)) => self.set(!gate),
            (_, Some(true), Some(true)) => self.set(gate),
            (Some(false), Some(true), None) => self.set(!right),
            (Some(false), None, Some(true)) => self.set(!left),
            _ => Ok(()),
        }
    }
}
