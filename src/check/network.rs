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
    pub(super) fn refutes(&mut self, clause: &[Lit], mut steps: usize) -> bool {
        let refuted = self.assume_false(clause, &mut steps).is_err();
        self.undo(0);
        refuted
    }

    /// Whether a case distinction shows that these signals cannot all be false. Gives up after some steps, or when nothing is
    /// left to distinguish.
    ///
    /// What has to be explained is a gate that is false while both of its operands are open: one of them is false. So only what
    /// the signals rest on is looked at, which a SAT solver that knows the whole network cannot know (justification, as in the
    /// generation of tests for circuits).
    pub(super) fn refutes_by_cases(&mut self, clause: &[Lit], mut steps: usize) -> bool {
        let refuted = self.all_cases_fail(clause, &mut steps);
        self.undo(0);
        refuted
    }

    fn all_cases_fail(&mut self, clause: &[Lit], steps: &mut usize) -> bool {
        if self.assume_false(clause, steps).is_err() {
            return true;
        }
        // Where the trail stood before each case, and the signal that was false in it.
        let mut cases: Vec<(usize, Lit)> = Vec::new();
        loop {
            *steps = steps.saturating_sub(self.trail.len());
            let Some(signal) = self.unexplained().filter(|_| *steps > 0) else { return false };
            cases.push((self.trail.len(), signal));
            let mut result = self.assume(!signal, steps);
            while result.is_err() {
                let Some((before, signal)) = cases.pop() else { return true };
                self.undo(before);
                result = self.assume(signal, steps);
            }
        }
    }

    /// An open operand of the last gate that is false without a false operand.
    fn unexplained(&self) -> Option<Lit> {
        let falsified = self.trail.iter().filter(|lit| lit.is_negative()).map(|lit| lit.var());
        let open = |node: &Var| {
            let operands = self.network.operands(*node)?;
            operands.iter().all(|&operand| self.value(operand).is_none()).then_some((*node, operands[0]))
        };
        falsified.filter_map(|node| open(&node)).max().map(|(_, operand)| operand)
    }

    fn undo(&mut self, len: usize) {
        for lit in self.trail.drain(len..) {
            self.values[lit.var().index()] = None;
        }
    }

    fn assume(&mut self, lit: Lit, steps: &mut usize) -> Result<(), Conflict> {
        let head = self.trail.len();
        self.set(lit)?;
        self.propagate(head, steps)
    }

    fn assume_false(&mut self, clause: &[Lit], steps: &mut usize) -> Result<(), Conflict> {
        for &lit in clause {
            self.set(!lit)?;
        }
        self.propagate(0, steps)
    }

    /// Draws conclusions from the trail from `head` on until no steps are left.
    fn propagate(&mut self, mut head: usize, steps: &mut usize) -> Result<(), Conflict> {
        while head < self.trail.len() {
            let node = self.trail[head].var();
            head += 1;
            self.look_at(node)?;
            let readers = self.starts[node.index()]..self.starts[node.index() + 1];
            if readers.len() > *steps {
                *steps = 0;
                return Ok(());
            }
            *steps -= readers.len();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Random networks over few open variables: what is refuted holds under every assignment, and with steps enough everything
    /// that holds is refuted.
    #[test]
    fn cases_show_what_holds_and_nothing_else() {
        let control = Control::default();
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut counts = [0; 2];
        for round in 0..2000 {
            let open = rng.random_range(1..=6);
            let mut aig = Aig::new((0..open).map(Var::from_index).collect());
            let mut signals: Vec<Lit> = (0..open).map(|input| aig.input(input)).collect();
            for _ in 0..rng.random_range(2..25) {
                let mut pick = || {
                    let lit = signals[rng.random_range(0..signals.len())];
                    if rng.random() { !lit } else { lit }
                };
                let (left, right) = (pick(), pick());
                signals.push(aig.push_and(left, right));
            }
            let vars: Vec<Var> = (0..open + 6).map(Var::from_index).collect();
            for &var in &vars[open..] {
                aig.output(var, signals[rng.random_range(0..signals.len())]);
            }
            let places: FxHashMap<Var, usize> = vars.iter().enumerate().map(|(at, &var)| (var, at)).collect();
            let network = Network::new(&vars, &places, &aig, &mut control.poller()).unwrap();
            let clause: Vec<(usize, bool)> =
                (0..rng.random_range(1..4)).map(|_| (rng.random_range(0..vars.len()), rng.random())).collect();
            let holds = (0..1usize << open).all(|bits| {
                let values = network.evaluate(|node| bits >> (node.index() - 1) & 1 == 1);
                clause.iter().any(|&(at, sign)| values[at] == sign)
            });
            counts[usize::from(holds)] += 1;
            let lits: Vec<Lit> = clause.iter().map(|&(at, sign)| network.signal(at, sign)).collect();
            let mut propagation = Propagation::new(&network);
            assert_eq!(propagation.refutes_by_cases(&lits, 1 << 20), holds, "round {round}");
            assert!(holds || !propagation.refutes(&lits, 1 << 20), "round {round}");
            assert!(holds || !propagation.refutes_by_cases(&lits, rng.random_range(0..30)), "round {round}");
        }
        assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
    }
}
