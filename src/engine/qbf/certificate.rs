//! Certificates: the winner's strategy as a circuit of and-gates and inverters, written as ASCII AIGER.
//!
//! Of a true formula it has a Skolem function for every existential variable, of a false one a Herbrand function for
//! every universal variable. Inputs are the loser's variables, outputs the winner's; the symbol table names them by their
//! numbers in the formula (`i0 7`, `o0 3`). A function refers to nothing that is quantified after its variable.

use super::simplify::{Reconstruction, Step};
use crate::control::{Control, StopReason};
use crate::formula::{Lit, Qbf, Quantifier, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// A signal of an [`Aig`]: `2 * index`, plus 1 if inverted. 0 is false, 1 is true.
pub(crate) type Signal = u32;

/// An and-inverter graph under construction; equal gates are shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aig {
    inputs: u32,
    /// Operands of each gate; gate `i` is signal `2 * (inputs + 1 + i)`.
    gates: Vec<(Signal, Signal)>,
    table: FxHashMap<(Signal, Signal), Signal>,
}

impl Aig {
    pub(crate) const FALSE: Signal = 0;
    pub(crate) const TRUE: Signal = 1;

    /// A graph with this many inputs, the signals 2, 4, 6 and so on.
    pub(crate) fn new(inputs: usize) -> Self {
        Aig { inputs: inputs as u32, ..Aig::default() }
    }

    pub(crate) fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = (a.max(b), a.min(b));
        if b == Self::FALSE || a == b ^ 1 {
            return Self::FALSE;
        }
        if b == Self::TRUE || a == b {
            return a;
        }
        let next = 2 * (self.inputs + 1 + self.gates.len() as u32);
        let signal = *self.table.entry((a, b)).or_insert(next);
        if signal == next {
            self.gates.push((a, b));
        }
        signal
    }

    pub(crate) fn or(&mut self, a: Signal, b: Signal) -> Signal {
        self.and(a ^ 1, b ^ 1) ^ 1
    }

    /// Drops the gates on which none of these signals rests, and renumbers the signals.
    fn retain<'a>(&mut self, signals: impl Iterator<Item = &'a mut Signal>) {
        let first = self.inputs as usize + 1;
        let signals: Vec<&mut Signal> = signals.collect();
        let mut needed = vec![false; first + self.gates.len()];
        signals.iter().for_each(|signal| needed[**signal as usize / 2] = true);
        for (index, &(a, b)) in self.gates.iter().enumerate().rev() {
            if needed[first + index] {
                needed[a as usize / 2] = true;
                needed[b as usize / 2] = true;
            }
        }
        let mut numbers: Vec<Signal> = (0..first as Signal).map(|node| 2 * node).collect();
        let mut kept = Vec::new();
        self.table.clear();
        for (index, &(a, b)) in self.gates.iter().enumerate() {
            numbers.push(2 * (first + kept.len()) as Signal);
            if needed[first + index] {
                let [a, b] = [a, b].map(|signal| numbers[signal as usize / 2] ^ (signal & 1));
                self.table.insert((a, b), numbers[first + index]);
                kept.push((a, b));
            }
        }
        self.gates = kept;
        signals.into_iter().for_each(|signal| *signal = numbers[*signal as usize / 2] ^ (*signal & 1));
    }
}

/// A strategy for the winner of a QBF. Its [`Display`](fmt::Display) is ASCII AIGER.
#[derive(Clone, Debug)]
pub struct Certificate {
    aig: Aig,
    /// The loser's variables, input by input.
    inputs: Vec<Var>,
    /// The winner's variables and their functions.
    outputs: Vec<(Var, Signal)>,
}

impl Certificate {
    /// The loser's and the winner's variables of a formula with this verdict, each in prefix order.
    pub(crate) fn sides(qbf: &Qbf, verdict: bool) -> (Vec<Var>, Vec<Var>) {
        let winner = if verdict { Quantifier::Exists } else { Quantifier::Forall };
        let side =
            |quantifier| qbf.prefix().quantified().filter(|&(q, _)| q == quantifier).map(|(_, var)| var).collect();
        (side(!winner), side(winner))
    }

    /// A certificate from its parts, without the gates that no output needs.
    pub(crate) fn new(mut aig: Aig, inputs: Vec<Var>, mut outputs: Vec<(Var, Signal)>) -> Self {
        debug_assert_eq!(aig.inputs as usize, inputs.len());
        aig.retain(outputs.iter_mut().map(|(_, signal)| signal));
        Certificate { aig, inputs, outputs }
    }

    /// The certificate of the formula that was simplified: this one (`None` if nothing was left to win) with the steps of
    /// the simplification replayed on functions. Entries about the loser's variables say nothing here: those are inputs,
    /// and any value of them is answered.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn lift(
        simplified: Option<&Certificate>,
        qbf: &Qbf,
        verdict: bool,
        reconstruction: &Reconstruction,
        control: &Control,
    ) -> Result<Certificate, StopReason> {
        let (inputs, winners) = Certificate::sides(qbf, verdict);
        let mut replay = Replay { aig: Aig::new(inputs.len()), signals: FxHashMap::default() };
        replay.signals.extend(inputs.iter().zip(1..).map(|(&var, index)| (var, 2 * index)));
        let losers: FxHashSet<Var> = inputs.iter().copied().collect();
        let mut poller = control.poller();
        if let Some(simplified) = simplified {
            replay.import(simplified);
        }
        for (index, step) in reconstruction.steps().enumerate() {
            poller.poll(index as u64)?;
            match step {
                Step::Assign(lit) if !losers.contains(&lit.var()) => {
                    replay.signals.insert(lit.var(), Signal::from(lit.is_positive()));
                }
                Step::Equal(var, lit) if !losers.contains(&var) => {
                    let value = replay.signal(lit);
                    replay.signals.insert(var, value);
                }
                Step::Unless(lit, clause) if !losers.contains(&lit.var()) => {
                    let mut satisfied = Aig::FALSE;
                    for &other in clause {
                        let value = replay.signal(other);
                        satisfied = replay.aig.or(satisfied, value);
                    }
                    let before = replay.signal(lit);
                    let after = replay.aig.or(before, satisfied ^ 1);
                    replay.signals.insert(lit.var(), after ^ Signal::from(lit.is_negative()));
                }
                Step::Select(var, u, copy) if !losers.contains(&var) => {
                    let [condition, then, otherwise] = [u, copy, var].map(|var| replay.signal(var.positive()));
                    let then = replay.aig.and(condition, then);
                    let otherwise = replay.aig.and(condition ^ 1, otherwise);
                    let value = replay.aig.or(then, otherwise);
                    replay.signals.insert(var, value);
                }
                _ => {}
            }
        }
        let outputs = winners.into_iter().map(|var| (var, replay.signal(var.positive()))).collect();
        Ok(Certificate::new(replay.aig, inputs, outputs))
    }

    /// Number of and-gates.
    pub fn gates(&self) -> usize {
        self.aig.gates.len()
    }
}

/// Functions of variables while steps are replayed; a variable that was not mentioned yet is false.
struct Replay {
    aig: Aig,
    signals: FxHashMap<Var, Signal>,
}

impl Replay {
    fn signal(&self, lit: Lit) -> Signal {
        self.signals.get(&lit.var()).copied().unwrap_or(Aig::FALSE) ^ Signal::from(lit.is_negative())
    }

    /// Takes over the functions of another certificate, whose inputs have their signals here already.
    fn import(&mut self, other: &Certificate) {
        let mut here: Vec<Signal> = Vec::with_capacity(1 + other.inputs.len() + other.aig.gates.len());
        here.push(Aig::FALSE);
        here.extend(other.inputs.iter().map(|var| self.signal(var.positive())));
        let translate = |here: &[Signal], signal: Signal| here[signal as usize / 2] ^ (signal & 1);
        for &(a, b) in &other.aig.gates {
            let gate = self.aig.and(translate(&here, a), translate(&here, b));
            here.push(gate);
        }
        for &(var, signal) in &other.outputs {
            self.signals.insert(var, translate(&here, signal));
        }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (inputs, gates) = (self.inputs.len(), self.aig.gates.len());
        writeln!(f, "aag {} {inputs} 0 {} {gates}", inputs + gates, self.outputs.len())?;
        for i in 1..=inputs {
            writeln!(f, "{}", 2 * i)?;
        }
        for (_, signal) in &self.outputs {
            writeln!(f, "{signal}")?;
        }
        for (i, (a, b)) in self.aig.gates.iter().enumerate() {
            writeln!(f, "{} {a} {b}", 2 * (inputs + 1 + i))?;
        }
        for (i, var) in self.inputs.iter().enumerate() {
            writeln!(f, "i{i} {var}")?;
        }
        for (i, (var, _)) in self.outputs.iter().enumerate() {
            writeln!(f, "o{i} {var}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_folded_and_shared() {
        let mut aig = Aig::new(2);
        assert_eq!(aig.and(2, Aig::TRUE), 2);
        assert_eq!(aig.and(2, 3), Aig::FALSE);
        assert_eq!(aig.or(2, 3), Aig::TRUE);
        assert_eq!(aig.or(4, Aig::FALSE), 4);
        assert_eq!(aig.and(3, 4), 6, "not needed by the output below, so not written");
        let gate = aig.and(2, 4);
        assert_eq!(gate, 8);
        assert_eq!(aig.and(4, 2), gate);
        let certificate =
            Certificate::new(aig, vec![Var::from_dimacs(7), Var::from_dimacs(9)], vec![(Var::from_dimacs(3), 9)]);
        assert_eq!(certificate.to_string(), "aag 3 2 0 1 1\n2\n4\n7\n6 4 2\ni0 7\ni1 9\no0 3\n");
    }
}
