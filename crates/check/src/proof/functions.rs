//! Functions of one player's variables: whose they are, what they read, and what a formula says with them in place of their variables.

use super::certificate::CertificateFlaw;
use super::judge::Judge;
use super::propagation::Propagation;
use crate::solver::SatSolver;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Aig, Lit, Prefix, Quantifier, Var};
use rustc_hash::FxHashMap;

/// Functions that belong to one player and read only what stands before them in the prefix: outer blocks, or the same
/// block further left. So there is no cycle through which they could demand the impossible.
pub(super) struct Functions<'a> {
    graph: &'a Aig,
    prefix: Vec<(Quantifier, Var)>,
    /// Where each variable stands in the prefix.
    places: FxHashMap<Var, usize>,
    /// The function of each variable, by place; a variable without one is open.
    functions: Vec<Option<Lit>>,
    /// The input that each variable is, by place, or a node beyond the graph.
    inputs: Vec<Lit>,
    /// Whether functions read variables that have functions.
    is_named: bool,
}

impl<'a> Functions<'a> {
    /// # Errors
    /// What is wrong with the functions whatever the matrix is.
    pub(super) fn new(prefix: &Prefix, graph: &'a Aig) -> Result<Self, CertificateFlaw> {
        let prefix: Vec<(Quantifier, Var)> = prefix.quantified().collect();
        let places: FxHashMap<Var, usize> = prefix.iter().enumerate().map(|(at, &(_, var))| (var, at)).collect();
        let place = |var: Var| places.get(&var).copied().ok_or(CertificateFlaw::NotInFormula(var));
        // For every node, one more than the last place in the prefix that it reads; 0 if it reads nothing.
        let mut reads = Vec::with_capacity(graph.num_nodes());
        reads.push(0);
        for &var in graph.inputs() {
            reads.push(place(var)? + 1);
        }
        for [left, right] in graph.ands() {
            reads.push(reads[left.var().index()].max(reads[right.var().index()]));
        }
        let mut seen: [Option<Var>; 2] = [None, None];
        let mut functions = vec![None; prefix.len()];
        for &(var, signal) in graph.outputs() {
            let own = place(var)?;
            let last = reads[signal.var().index()];
            if last > own {
                return Err(CertificateFlaw::ReadsTooMuch { function: var, reads: prefix[last - 1].1 });
            }
            seen[usize::from(prefix[own].0 == Quantifier::Forall)].get_or_insert(var);
            functions[own] = Some(signal);
        }
        match seen {
            [Some(existential), Some(universal)] => Err(CertificateFlaw::BothPlayers { existential, universal }),
            _ => {
                let is_named = graph.inputs().iter().any(|var| functions[places[var]].is_some());
                let beyond = |at| Var::from_index(graph.num_nodes() + at).positive();
                let mut inputs: Vec<Lit> = (0..prefix.len()).map(beyond).collect();
                for (index, var) in graph.inputs().iter().enumerate() {
                    inputs[places[var]] = graph.input(index);
                }
                Ok(Functions { graph, prefix, places, functions, inputs, is_named })
            }
        }
    }

    /// Whose functions they are; `None` if there is none.
    pub(super) fn winner(&self) -> Option<Quantifier> {
        self.graph.outputs().first().map(|(var, _)| self.prefix[self.places[var]].0)
    }

    /// Whether a clause holds under values of all variables in the order of the prefix.
    pub(super) fn holds(&self, clause: &[Lit], assignment: &[Lit]) -> bool {
        clause.iter().any(|&lit| assignment[self.places[&lit.var()]] == lit)
    }

    /// The signal of a literal, if it has a function or functions read it; otherwise one with a number of its own beyond those of the graph.
    pub(super) fn signal(&self, lit: Lit) -> Lit {
        let place = self.places[&lit.var()];
        let signal = self.functions[place].unwrap_or_else(|| self.inputs[place]);
        if lit.is_negative() { !signal } else { signal }
    }

    /// Room for propagation among signals.
    pub(super) fn propagation(&self) -> Propagation<'a> {
        Propagation::new(self.graph, self.prefix.len())
    }

    /// The node up to which the graph must be known to know a literal.
    pub(super) fn depth(&self, lit: Lit) -> usize {
        if self.is_named {
            return self.graph.num_nodes();
        }
        self.functions[self.places[&lit.var()]].map_or(0, |signal| signal.var().index())
    }

    /// Values of all variables in the order of the prefix: those of open variables are taken from a model, the others are
    /// computed by their functions, so a mistake of the SAT solver cannot pass for one of the functions.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn assignment(&self, sat: &dyn SatSolver, control: &Control) -> Result<Vec<Lit>, StopReason> {
        let mut values: Vec<bool> = (0..self.prefix.len()).map(|at| sat.value(own(at))).collect();
        // Each round computes at least one more value in the order of the prefix from values that are right.
        loop {
            control.stop_reason(0).map_or(Ok(()), Err)?;
            let before = values.clone();
            let computed = self.graph.evaluate(|var| before[self.places[&var]]);
            for (&(var, _), value) in self.graph.outputs().iter().zip(computed) {
                values[self.places[&var]] = value;
            }
            if values == before {
                return Ok(self.prefix.iter().zip(values).map(|(&(_, var), value)| var.lit(value)).collect());
            }
        }
    }
}

/// The variable of a SAT solver for that of this place.
fn own(place: usize) -> Lit {
    Var::from_index(place).positive()
}

/// A SAT solver that is told gate by gate what the functions say. A variable without a function is left open, which asks
/// for more: the rest must win whatever its value. So does a function that the solver has not been told yet.
pub(super) struct InPlace<'a> {
    functions: &'a Functions<'a>,
    pub(super) sat: Box<dyn SatSolver>,
    /// The solver's literal of each node that it was told.
    nodes: Vec<Lit>,
    /// Functions that it was not told yet: their nodes and places, the deepest first.
    untold: Vec<(Lit, usize)>,
}

impl<'a> InPlace<'a> {
    pub(super) fn new(functions: &'a Functions<'a>, judge: Judge) -> Self {
        let mut sat = judge.solver();
        for _ in &functions.prefix {
            sat.new_var();
        }
        let constant = sat.new_var().positive();
        sat.add_clause(&[!constant]);
        let inputs = functions.graph.inputs().iter().map(|var| own(functions.places[var]));
        let nodes = std::iter::once(constant).chain(inputs).collect();
        let by_place = functions.functions.iter().enumerate();
        let mut untold: Vec<(Lit, usize)> = by_place.filter_map(|(at, signal)| Some(((*signal)?, at))).collect();
        untold.sort_unstable_by(|one, other| other.cmp(one));
        InPlace { functions, sat, nodes, untold }
    }

    /// Tells the solver all functions that are defined up to this node of the graph.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn tell(&mut self, depth: usize, poller: &mut Poller<'_>) -> Result<(), StopReason> {
        let signal = |nodes: &[Lit], lit: Lit| {
            let node = nodes[lit.var().index()];
            if lit.is_negative() { !node } else { node }
        };
        let gates = &self.functions.graph.ands()[self.nodes.len() - 1 - self.functions.graph.inputs().len()..];
        for &[left, right] in gates.iter().take((depth + 1).saturating_sub(self.nodes.len())) {
            poller.poll(self.nodes.len() as u64)?;
            let (left, right) = (signal(&self.nodes, left), signal(&self.nodes, right));
            let and = self.sat.new_var().positive();
            self.sat.add_clause(&[!and, left]);
            self.sat.add_clause(&[!and, right]);
            self.sat.add_clause(&[and, !left, !right]);
            self.nodes.push(and);
        }
        while let Some((function, place)) =
            self.untold.pop_if(|(function, _)| function.var().index() < self.nodes.len())
        {
            let function = signal(&self.nodes, function);
            self.sat.add_clause(&[!own(place), function]);
            self.sat.add_clause(&[own(place), !function]);
        }
        Ok(())
    }

    /// Tells the solver everything.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn tell_all(&mut self, poller: &mut Poller<'_>) -> Result<(), StopReason> {
        self.tell(self.functions.graph.num_nodes(), poller)
    }

    /// The solver's literal for one of the formula.
    pub(super) fn lit(&self, lit: Lit) -> Lit {
        let var = own(self.functions.places[&lit.var()]);
        if lit.is_negative() { !var } else { var }
    }
}
