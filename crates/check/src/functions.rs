//! Functions of one player's variables: whose they are, what they read, and how a SAT solver is told of them.

use super::certificate::CertificateFlaw;
use super::judge::Judge;
use crate::solver::SatSolver;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Prefix, Quantifier, Var};
use rustc_hash::FxHashMap;

/// Functions that belong to one player and read only what stands before them in the prefix: outer blocks, or the same
/// block further left. So there is no cycle through which they could demand the impossible.
pub(super) struct Functions<'a> {
    graph: &'a Aig,
    pub(super) prefix: Vec<(Quantifier, Var)>,
    /// Where each variable stands in the prefix.
    pub(super) places: FxHashMap<Var, usize>,
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
        for &(var, signal) in graph.outputs() {
            let own = place(var)?;
            let last = reads[signal.var().index()];
            if last > own {
                return Err(CertificateFlaw::ReadsTooMuch { function: var, reads: prefix[last - 1].1 });
            }
            seen[usize::from(prefix[own].0 == Quantifier::Forall)].get_or_insert(var);
        }
        match seen {
            [Some(existential), Some(universal)] => Err(CertificateFlaw::BothPlayers { existential, universal }),
            _ => Ok(Functions { graph, prefix, places }),
        }
    }

    /// Whose functions they are; `None` if there is none.
    pub(super) fn winner(&self) -> Option<Quantifier> {
        self.graph.outputs().first().map(|(var, _)| self.prefix[self.places[var]].0)
    }

    /// The literal inside the SAT solver: variables are numbered by their places in the prefix.
    pub(super) fn local(&self, lit: Lit) -> Lit {
        Var::from_index(self.places[&lit.var()]).lit(lit.is_positive())
    }

    /// A SAT solver that knows the nodes of the graph, and that the variables are what their functions say. A variable
    /// without a function is left open, which asks for more: the rest must win whatever its value.
    pub(super) fn in_place(&self, judge: Judge, control: &Control) -> Result<Box<dyn SatSolver>, StopReason> {
        let mut sat = judge.solver();
        for _ in &self.prefix {
            sat.new_var();
        }
        let mut poller = control.poller();
        let constant = sat.new_var().positive();
        sat.add_clause(&[!constant]);
        let mut nodes = vec![constant];
        nodes.extend(self.graph.inputs().iter().map(|&var| self.local(var.positive())));
        let signal = |nodes: &[Lit], lit: Lit| {
            let node = nodes[lit.var().index()];
            if lit.is_negative() { !node } else { node }
        };
        for (index, &[left, right]) in self.graph.ands().iter().enumerate() {
            poller.poll(index as u64)?;
            let (left, right) = (signal(&nodes, left), signal(&nodes, right));
            let and = sat.new_var().positive();
            sat.add_clause(&[!and, left]);
            sat.add_clause(&[!and, right]);
            sat.add_clause(&[and, !left, !right]);
            nodes.push(and);
        }
        for &(var, function) in self.graph.outputs() {
            let (var, function) = (self.local(var.positive()), signal(&nodes, function));
            sat.add_clause(&[!var, function]);
            sat.add_clause(&[var, !function]);
        }
        Ok(sat)
    }

    /// Values of all variables in the order of the prefix. Only those without functions are taken from the model; the
    /// others are computed from them, so a mistake of the backend cannot pass for one of the certificate.
    pub(super) fn assignment(&self, sat: &dyn SatSolver) -> Vec<Lit> {
        let mut values: Vec<bool> =
            (0..self.prefix.len()).map(|at| sat.value(Var::from_index(at).positive())).collect();
        let mut nodes: Vec<Option<bool>> = vec![None; self.graph.num_nodes()];
        nodes[0] = Some(false);
        let mut functions: Vec<(usize, Lit)> =
            self.graph.outputs().iter().map(|&(var, signal)| (self.places[&var], signal)).collect();
        functions.sort_unstable_by_key(|&(place, _)| place);
        let first_and = 1 + self.graph.inputs().len();
        for (place, function) in functions {
            // Everything that this function reads stands before it and has its value.
            let mut open = vec![function.var().index()];
            while let Some(&node) = open.last() {
                if nodes[node].is_some() {
                    open.pop();
                } else if node < first_and {
                    nodes[node] = Some(values[self.places[&self.graph.inputs()[node - 1]]]);
                } else {
                    let operands = self.graph.ands()[node - first_and];
                    match operands.map(|lit| nodes[lit.var().index()].map(|value| value != lit.is_negative())) {
                        [Some(left), Some(right)] => nodes[node] = Some(left && right),
                        [None, _] => open.push(operands[0].var().index()),
                        [_, None] => open.push(operands[1].var().index()),
                    }
                }
            }
            values[place] = nodes[function.var().index()] == Some(!function.is_negative());
        }
        self.prefix.iter().zip(values).map(|(&(_, var), value)| var.lit(value)).collect()
    }
}
