//! The functions of a certificate put in place of their variables: a network of conjunctions over the open variables.
//!
//! Nothing here is shared with the graphs that engines build; constants are folded, and that is all the rewriting there is.

use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::{Advice, Aig, Lit, Var};
use rustc_hash::FxHashMap;

/// Conjunctions over open variables. Node 0 is the constant false, then come the open variables, then the gates, operands
/// first.
pub(super) struct Network {
    leaves: Vec<Var>,
    gates: Vec<[Lit; 2]>,
    /// The signal of each variable of the formula, by its place in the prefix.
    signals: Vec<Lit>,
    /// What the certificate advises.
    advice: Vec<Advice>,
}

impl Network {
    /// The signal that is always false.
    pub(super) const FALSE: Lit = Var::FIRST.lit(true);

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
        let signals = vec![Self::FALSE; prefix.len()];
        let mut network = Network { leaves: Vec::new(), gates: Vec::new(), signals, advice: Vec::new() };
        for (place, &var) in prefix.iter().enumerate().filter(|&(place, _)| functions[place].is_none()) {
            network.leaves.push(var);
            network.signals[place] = Var::from_index(network.leaves.len()).positive();
        }
        // Signals of the certificate's nodes here, as far as functions need them.
        let mut here: Vec<Option<Lit>> = vec![None; certificate.num_nodes()];
        here[0] = Some(Self::FALSE);
        // Advice comes first if it reads nothing that has a function: what it rests on are then the first gates.
        let reads_functions = certificate.inputs().iter().any(|var| functions[places[var]].is_some());
        if !reads_functions {
            network.put_advice(places, certificate, &mut here, poller)?;
        }
        for (place, function) in functions.iter().enumerate().filter_map(|(place, &f)| Some((place, f?))) {
            // Everything that this function reads stands before it and has its signal.
            network.signals[place] = network.put(function, places, certificate, &mut here, poller)?;
        }
        if reads_functions {
            network.put_advice(places, certificate, &mut here, poller)?;
        }
        Ok(network)
    }

    /// The advice of the certificate, with everything it rests on.
    fn put_advice(
        &mut self,
        places: &FxHashMap<Var, usize>,
        certificate: &Aig,
        here: &mut [Option<Lit>],
        poller: &mut Poller<'_>,
    ) -> Result<(), StopReason> {
        for advice in certificate.advice() {
            for &signal in advice.signals() {
                self.put(signal, places, certificate, here, poller)?;
            }
            let known = |signal: Lit| renamed(here[signal.var().index()].unwrap_or(Self::FALSE), signal);
            self.advice.push(advice.map(known));
        }
        Ok(())
    }

    /// The signal of one of the certificate, with everything it rests on.
    fn put(
        &mut self,
        signal: Lit,
        places: &FxHashMap<Var, usize>,
        certificate: &Aig,
        here: &mut [Option<Lit>],
        poller: &mut Poller<'_>,
    ) -> Result<Lit, StopReason> {
        let mut open = vec![signal.var()];
        while let Some(&node) = open.last() {
            poller.poll(self.gates.len() as u64)?;
            let known = |lit: Lit| here[lit.var().index()].map(|node| renamed(node, lit));
            let found = match certificate.operands(node) {
                _ if here[node.index()].is_some() => here[node.index()],
                None => Some(self.signals[places[&certificate.inputs()[node.index() - 1]]]),
                Some([left, right]) => match (known(left), known(right)) {
                    (Some(left), Some(right)) => Some(self.and(left, right)),
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
        Ok(renamed(here[signal.var().index()].unwrap_or(Self::FALSE), signal))
    }

    /// What the certificate advises.
    pub(super) fn advice(&self) -> &[Advice] {
        &self.advice
    }

    fn and(&mut self, left: Lit, right: Lit) -> Lit {
        if left == Self::FALSE || right == Self::FALSE || left == !right {
            return Self::FALSE;
        }
        if left == !Self::FALSE || left == right {
            return right;
        }
        if right == !Self::FALSE {
            return left;
        }
        self.gates.push([left, right]);
        Var::from_index(self.leaves.len() + self.gates.len()).positive()
    }

    pub(super) fn num_nodes(&self) -> usize {
        1 + self.leaves.len() + self.gates.len()
    }

    /// The operands of all gates.
    pub(super) fn gates(&self) -> &[[Lit; 2]] {
        &self.gates
    }

    /// The node of the first gate.
    pub(super) fn first_gate(&self) -> usize {
        1 + self.leaves.len()
    }

    /// The operands of a node, if it is a gate.
    pub(super) fn operands(&self, node: Var) -> Option<[Lit; 2]> {
        self.gates.get(node.index().wrapping_sub(self.first_gate())).copied()
    }

    /// The signal of a literal of the formula, given its variable's place in the prefix.
    pub(super) fn signal(&self, place: usize, positive: bool) -> Lit {
        if positive { self.signals[place] } else { !self.signals[place] }
    }

    /// A clause of signals: sorted, without constants and repetitions; `None` if it is always true.
    pub(super) fn simplify(clause: &mut Vec<Lit>) -> Option<()> {
        clause.sort_unstable();
        clause.dedup();
        if clause.contains(&!Self::FALSE) || clause.windows(2).any(|pair| pair[0] == !pair[1]) {
            return None;
        }
        clause.retain(|&lit| lit != Self::FALSE);
        Some(())
    }

    /// Values of the formula's variables, by place, when the open ones have the given values.
    pub(super) fn evaluate(&self, open: impl Fn(Var) -> bool) -> Vec<bool> {
        let values = self.values(open);
        self.signals.iter().map(|signal| values[signal.var().index()] != signal.is_negative()).collect()
    }

    /// Values of all nodes.
    pub(super) fn values(&self, open: impl Fn(Var) -> bool) -> Vec<bool> {
        let mut values = Vec::with_capacity(self.num_nodes());
        values.push(false);
        values.extend((1..=self.leaves.len()).map(|node| open(Var::from_index(node))));
        let value = |values: &[bool], lit: Lit| values[lit.var().index()] != lit.is_negative();
        for &[left, right] in &self.gates {
            values.push(value(&values, left) && value(&values, right));
        }
        values
    }
}

/// A signal whose node has another name.
fn renamed(node: Lit, signal: Lit) -> Lit {
    if signal.is_negative() { !node } else { node }
}

#[cfg(test)]
pub(super) mod random {
    use super::*;
    use gamesat_core::control::Control;
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;

    /// A network over few open variables, the number of those, and of all variables that have signals.
    pub(in super::super) fn random_network(rng: &mut ChaCha8Rng) -> (Network, usize, usize) {
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
        let control = Control::default();
        (Network::new(&vars, &places, &aig, &mut control.poller()).unwrap(), open, vars.len())
    }

    /// Whether a clause of signals holds under every assignment of the open variables.
    pub(in super::super) fn holds_always(network: &Network, open: usize) -> impl Fn(&[Lit]) -> bool + use<> {
        let assignments = 0..1usize << open;
        let values: Vec<Vec<bool>> =
            assignments.map(|bits| network.values(|node| bits >> (node.index() - 1) & 1 == 1)).collect();
        let is_true = |values: &[bool], lit: Lit| values[lit.var().index()] != lit.is_negative();
        move |clause| values.iter().all(|values| clause.iter().any(|&lit| is_true(values, lit)))
    }

    /// The same network with other advice.
    pub(in super::super) fn advised(mut network: Network, advice: Vec<Advice>) -> Network {
        network.advice = advice;
        network
    }
}
