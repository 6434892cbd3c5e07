//! That a signal always holds, shown by one SAT call.
//!
//! Such a signal says that one of many rules applies: a disjunction of conjunctions of disjunctions, and so on, for as many levels as
//! the formula has. The solver is told just that, in one direction: what is assumed to be false, and what follows from it down to the
//! open variables. Conjunctions of conjunctions are flattened where they are short, so that a rule is one clause, as it was for
//! whoever found it.

use super::super::judge::Judge;
use super::encoded::within;
use super::network::Network;
use crate::solver::SatSolver;
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Advice, Lit, Var};

/// Conjunctions are flattened to so many signals at most, or not at all. Rules of one level are about open variables and best as they were
/// found; those of many levels are about each other.
const FLAT: usize = 40;
const AS_THEY_ARE: usize = 2;
/// Looks at the control in either way.
const LOOKS: u64 = 200_000;

/// Whether a signal is seen to hold always.
///
/// # Errors
/// The reason to stop.
pub(super) fn is_valid(
    network: &Network,
    judge: Judge,
    signal: Lit,
    poller: &mut Poller<'_>,
    control: &Control,
) -> Result<bool, StopReason> {
    let levels = network.advice().iter().filter(|advice| matches!(advice, Advice::Cases(_))).count();
    let ways = if levels == 1 { [FLAT, AS_THEY_ARE] } else { [AS_THEY_ARE, FLAT] };
    for short in ways {
        let (sat, vars, sides) =
            (judge.solver(), vec![None; network.num_nodes()], vec![[false; 2]; network.num_nodes()]);
        let mut cover = Cover { network, short, sat, vars, sides, open: Vec::new() };
        cover.assert(!signal, poller)?;
        if let Some(found) = within(LOOKS, control, |control| cover.sat.solve(&[], control))? {
            return Ok(!found);
        }
    }
    Ok(false)
}

struct Cover<'a> {
    network: &'a Network,
    short: usize,
    sat: Box<dyn SatSolver>,
    /// The solver's variable of each node it knows.
    vars: Vec<Option<Var>>,
    /// By node: whether the solver knows what follows if it is false, and if it is true.
    sides: Vec<[bool; 2]>,
    /// Signals from which something follows that the solver is still to be told.
    open: Vec<Lit>,
}

impl Cover<'_> {
    /// Tells the solver that a signal holds, with everything that follows.
    fn assert(&mut self, signal: Lit, poller: &mut Poller<'_>) -> Result<(), StopReason> {
        let mut facts = vec![signal];
        while let Some(fact) = facts.pop() {
            match self.network.operands(fact.var()) {
                Some(operands) if fact.is_positive() => facts.extend(operands),
                _ => {
                    let lit = self.lit(fact);
                    self.sat.add_clause(&[lit]);
                }
            }
        }
        let mut parts = Vec::new();
        while let Some(signal) = self.open.pop() {
            poller.poll(self.open.len() as u64)?;
            self.parts(signal.var(), &mut parts);
            let own = !self.lit(signal);
            if signal.is_positive() {
                for &part in &parts {
                    let part = self.lit(part);
                    self.sat.add_clause(&[own, part]);
                }
            } else {
                let mut clause = vec![own];
                clause.extend(parts.iter().map(|&part| self.lit(!part)));
                self.sat.add_clause(&clause);
            }
        }
        Ok(())
    }

    /// The solver's literal for a signal, from which follows what the signal says.
    fn lit(&mut self, signal: Lit) -> Lit {
        let node = signal.var();
        if node == Network::FALSE.var() || self.network.operands(node).is_some() {
            let known = &mut self.sides[node.index()][usize::from(signal.is_positive())];
            if !std::mem::replace(known, true) && node != Network::FALSE.var() {
                self.open.push(signal);
            }
        }
        let sat = &mut self.sat;
        let var = *self.vars[node.index()].get_or_insert_with(|| {
            let var = sat.new_var();
            if node == Network::FALSE.var() {
                sat.add_clause(&[var.negative()]);
            }
            var
        });
        var.lit(signal.is_positive())
    }

    /// The signals of which a gate is the conjunction.
    fn parts(&self, gate: Var, parts: &mut Vec<Lit>) {
        parts.clear();
        let Some(operands) = self.network.operands(gate) else { return };
        parts.extend(operands);
        // As long as it stays short, conjunctions among them are replaced by their operands.
        let mut at = 0;
        while at < parts.len() {
            match self.network.operands(parts[at].var()) {
                Some([left, right]) if parts[at].is_positive() && parts.len() < self.short => {
                    parts[at] = left;
                    parts.push(right);
                }
                _ => at += 1,
            }
        }
    }
}
