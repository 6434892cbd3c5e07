//! A network told to a SAT solver, as far as somebody asks about it.

use super::super::judge::Judge;
use super::network::Network;
use crate::solver::SatSolver;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Lit, Var};

/// A clause of signals that is not known to hold, after the last of them, so that those that rest on little can come first.
pub(super) type Unsettled = (Lit, Vec<Lit>);

/// What is found within some looks at the control; `None` if they are not enough.
pub(super) fn within(
    looks: u64,
    control: &Control,
    ask: impl FnOnce(&Control) -> Result<bool, StopReason>,
) -> Result<Option<bool>, StopReason> {
    match ask(&control.with_looks(looks)) {
        Ok(found) => Ok(Some(found)),
        Err(StopReason::Nodes) if control.stop_reason(0).is_none() => Ok(None),
        Err(reason) => Err(reason),
    }
}

/// A SAT solver that knows the part of the network that was asked about.
pub(super) struct Encoded<'a> {
    network: &'a Network,
    pub(super) sat: Box<dyn SatSolver>,
    /// The solver's variable of each node it knows.
    vars: Vec<Option<Var>>,
}

impl<'a> Encoded<'a> {
    pub(super) fn new(network: &'a Network, judge: Judge) -> Self {
        let mut encoded = Encoded { network, sat: judge.solver(), vars: vec![None; network.num_nodes()] };
        let constant = encoded.sat.new_var();
        encoded.sat.add_clause(&[constant.negative()]);
        encoded.vars[0] = Some(constant);
        encoded
    }

    /// Whether one of these clauses can be false. Those that cannot are learned.
    pub(super) fn falsifies_one_of(
        &mut self,
        clauses: &[Unsettled],
        poller: &mut Poller<'_>,
        control: &Control,
    ) -> Result<bool, StopReason> {
        if let [(_, clause)] = clauses {
            let clause = self.encode(clause, poller)?;
            let falsified: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
            let found = self.sat.solve(&falsified, control)?;
            if !found {
                self.sat.add_clause(&clause);
            }
            return Ok(found);
        }
        let mut some = Vec::with_capacity(clauses.len());
        for (_, clause) in clauses {
            let clause = self.encode(clause, poller)?;
            let falsified = self.sat.new_var();
            clause.iter().for_each(|&lit| self.sat.add_clause(&[falsified.negative(), !lit]));
            some.push(falsified.positive());
        }
        self.sat.add_clause(&some);
        self.sat.solve(&[], control)
    }

    /// The solver's literals for signals, with everything they rest on.
    pub(super) fn encode(&mut self, signals: &[Lit], poller: &mut Poller<'_>) -> Result<Vec<Lit>, StopReason> {
        let mut open: Vec<Var> = Vec::new();
        let mut lits = Vec::with_capacity(signals.len());
        for &signal in signals {
            open.push(signal.var());
            while let Some(&node) = open.last() {
                poller.poll(self.vars.len() as u64)?;
                if self.vars[node.index()].is_some() {
                    open.pop();
                    continue;
                }
                let operands = self.network.operands(node);
                match operands.map(|pair| pair.map(|lit| self.lit(lit))) {
                    None => self.vars[node.index()] = Some(self.sat.new_var()),
                    Some([Some(left), Some(right)]) => {
                        let var = self.sat.new_var();
                        self.sat.add_clause(&[var.negative(), left]);
                        self.sat.add_clause(&[var.negative(), right]);
                        self.sat.add_clause(&[var.positive(), !left, !right]);
                        self.vars[node.index()] = Some(var);
                    }
                    Some(known) => {
                        let missing = operands.into_iter().flatten().zip(known).filter(|(_, known)| known.is_none());
                        open.extend(missing.map(|(operand, _)| operand.var()));
                    }
                }
            }
            lits.extend(self.lit(signal));
        }
        Ok(lits)
    }

    fn lit(&self, signal: Lit) -> Option<Lit> {
        self.vars[signal.var().index()].map(|var| var.lit(signal.is_positive()))
    }

    /// The value of a node in the model; false if it was not asked about.
    pub(super) fn value(&self, node: Var) -> bool {
        self.lit(node.positive()).is_some_and(|lit| self.sat.value(lit))
    }
}
