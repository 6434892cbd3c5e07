//! Unit propagation in a [network](super::network), and case distinctions on top of it.
//!
//! From the operands of a gate to the gate, from the gate to its operands; and in clauses that are known to hold, with two watched
//! signals each. Whatever is assumed is undone exactly. A *context* is a signal that is assumed for a while, so that what follows from
//! it is found once for all that is asked there; there can be contexts in a context.

use super::network::Network;
use crate::formula::{Lit, Var};

/// The state of propagation.
pub(super) struct Propagation<'a> {
    network: &'a Network,
    /// Gates that read a node: `readers[starts[node]..starts[node + 1]]`.
    readers: Vec<u32>,
    starts: Vec<u32>,
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
    /// The length of what holds in each context, and whether that is contradictory.
    contexts: Vec<(usize, bool)>,
    /// Clauses that hold, one after the other, and where each ends; the first two signals of each are watched.
    lemmas: Vec<Lit>,
    ends: Vec<usize>,
    /// By signal: the clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// Gates beyond this one are not looked at.
    horizon: u32,
    /// Scratch: nodes that wait because many gates read them.
    waiting: Vec<Var>,
    /// Scratch: nodes to be looked at, and when each was.
    open: Vec<Var>,
    seen: Vec<u32>,
    round: u32,
}

/// Gates that are looked at for an operand that can have one value only.
const CANDIDATES: usize = 12;

/// A node that more gates read than this waits.
const MANY_READERS: u32 = 32;

/// How far conclusions go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Not to the gates that read an open variable, or a node that many gates read.
    Near,
    /// As far as there are steps.
    Far,
}

/// Two signals that cannot be.
struct Conflict;

impl<'a> Propagation<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let (nodes, first) = (network.num_nodes(), network.first_gate());
        let mut starts = vec![0; nodes + 1];
        network.gates().iter().flatten().for_each(|lit| starts[lit.var().index() + 1] += 1);
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut readers = vec![0; 2 * network.gates().len()];
        for (index, operands) in network.gates().iter().enumerate() {
            for operand in operands {
                let place = &mut next[operand.var().index()];
                readers[*place as usize] = (first + index) as u32;
                *place += 1;
            }
        }
        Propagation {
            network,
            readers,
            starts,
            values: vec![None; nodes],
            trail: Vec::new(),
            contexts: Vec::new(),
            lemmas: Vec::new(),
            ends: Vec::new(),
            watches: vec![Vec::new(); 2 * nodes],
            horizon: u32::MAX,
            waiting: Vec::new(),
            open: Vec::new(),
            seen: vec![0; nodes],
            round: 0,
        }
    }

    /// Takes note of a clause that holds. It must not be a constant; without a context, please.
    pub(super) fn learn(&mut self, clause: &[Lit]) {
        debug_assert!(self.trail.is_empty());
        // A fact is a clause that says it twice.
        let (first, second) = match *clause {
            [] => return,
            [fact] => (fact, fact),
            [first, second, ..] => (first, second),
        };
        let index = self.ends.len() as u32;
        self.watches[first.code()].push(index);
        if second != first {
            self.watches[second.code()].push(index);
        }
        self.lemmas.extend([first, second]);
        self.lemmas.extend_from_slice(clause.get(2..).unwrap_or(&[]));
        self.ends.push(self.lemmas.len());
    }

    /// The clauses that it was taught.
    pub(super) fn lemmas(&self) -> impl Iterator<Item = &[Lit]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.lemmas[start..end])
    }

    /// From now on no gate counts that comes after all of these signals; with `None` all do.
    pub(super) fn look_no_further(&mut self, signals: Option<&mut dyn Iterator<Item = Lit>>) {
        let last = signals.map(|signals| signals.map(|signal| signal.var().index() as u32).max().unwrap_or(0));
        self.horizon = last.unwrap_or(u32::MAX);
    }

    /// Whether propagation alone shows, in the context, that these signals cannot all be false. Gives up after some steps.
    pub(super) fn refutes(&mut self, clause: &[Lit], steps: &mut usize) -> bool {
        let (kept, impossible) = self.context();
        let refuted = impossible || self.assume_false(clause, steps).is_err();
        self.undo(kept);
        refuted
    }

    /// Whether a case distinction shows, in the context, that these signals cannot all be false. Gives up after some steps, or when
    /// nothing is left to distinguish.
    ///
    /// What has to be explained is a gate that is false while both of its operands are open: one of them is false. So only what
    /// the signals rest on is looked at, which a SAT solver that knows the whole network cannot know (justification, as in the
    /// generation of tests for circuits).
    pub(super) fn refutes_by_cases(&mut self, clause: &[Lit], steps: &mut usize) -> bool {
        let (kept, impossible) = self.context();
        let refuted = impossible || self.all_cases_fail(clause, steps);
        self.undo(kept);
        refuted
    }

    fn all_cases_fail(&mut self, clause: &[Lit], steps: &mut usize) -> bool {
        if self.assume_false(clause, steps).is_err() {
            return true;
        }
        // Where the trail stood before each case, and the signal that was true in it.
        let mut cases: Vec<(usize, Lit)> = Vec::new();
        let mut gates = Vec::new();
        loop {
            self.unexplained(clause, &mut gates, steps);
            let Some(mut result) = self.explain(&gates, &mut cases, steps).filter(|_| *steps > 0) else { return false };
            while result.is_err() {
                let Some((before, signal)) = cases.pop() else { return true };
                self.undo(before);
                result = self.assume(!signal, steps);
            }
        }
    }

    /// Some of the gates on which signals rest that are false without a false operand, those nearest to the signals first.
    fn unexplained(&mut self, signals: &[Lit], gates: &mut Vec<Var>, steps: &mut usize) {
        gates.clear();
        self.round += 1;
        self.open.clear();
        self.open.extend(signals.iter().map(|signal| signal.var()));
        let mut at = 0;
        while let Some(&node) = self.open.get(at) {
            at += 1;
            let Some([left, right]) = self.network.operands(node) else { continue };
            if std::mem::replace(&mut self.seen[node.index()], self.round) == self.round {
                continue;
            }
            *steps = steps.saturating_sub(1);
            match (self.value(node.positive()), self.value(left), self.value(right)) {
                (Some(true), ..) => self.open.extend([left.var(), right.var()]),
                (_, Some(false), _) => self.open.push(left.var()),
                (_, _, Some(false)) => self.open.push(right.var()),
                _ => gates.push(node),
            }
            if gates.len() == CANDIDATES {
                return;
            }
        }
    }

    /// Looks for an operand of one of these gates that can have one value only, and gives it that; if there is none, makes a case of an operand of
    /// the first gate. `None` if there is no gate.
    ///
    /// What comes from long chains of choices has one at each step that is over at once; a choice that is not would double the work
    /// for all the others.
    fn explain(
        &mut self,
        gates: &[Var],
        cases: &mut Vec<(usize, Lit)>,
        steps: &mut usize,
    ) -> Option<Result<(), Conflict>> {
        let before = self.trail.len();
        for operands in gates.iter().filter_map(|&gate| self.network.operands(gate)) {
            for signal in [operands[1], !operands[1], operands[0], !operands[0]] {
                let result = self.assume(signal, steps);
                self.undo(before);
                if result.is_err() {
                    return Some(self.assume(!signal, steps));
                }
            }
        }
        let operands = self.network.operands(*gates.first()?)?;
        let signal = !operands[0].min(operands[1]);
        cases.push((before, signal));
        Some(self.assume(signal, steps))
    }

    /// Assumes a signal until the context is [left](Self::leave); says whether that is possible for all that propagation shows.
    pub(super) fn enter(&mut self, context: Lit, reach: Reach, steps: &mut usize) -> bool {
        let head = self.trail.len();
        let mut follow = |it: &mut Self| it.set(context).and_then(|()| it.propagate(head, reach, steps));
        let impossible = self.context().1 || follow(self).is_err();
        self.contexts.push((self.trail.len(), impossible));
        !impossible
    }

    /// Leaves the context that was entered last.
    pub(super) fn leave(&mut self) {
        self.contexts.pop();
        self.undo(self.context().0);
    }

    /// The length of what holds here, and whether that is contradictory.
    fn context(&self) -> (usize, bool) {
        self.contexts.last().copied().unwrap_or_default()
    }

    fn undo(&mut self, len: usize) {
        for lit in self.trail.drain(len..) {
            self.values[lit.var().index()] = None;
        }
    }

    fn assume(&mut self, lit: Lit, steps: &mut usize) -> Result<(), Conflict> {
        let head = self.trail.len();
        self.set(lit)?;
        self.propagate(head, Reach::Far, steps)
    }

    fn assume_false(&mut self, clause: &[Lit], steps: &mut usize) -> Result<(), Conflict> {
        let head = self.trail.len();
        for &lit in clause {
            self.set(!lit)?;
        }
        self.propagate(head, Reach::Far, steps)
    }

    /// Draws conclusions from the trail from `head` on until no steps are left. What is near comes first: a gate and its operands,
    /// clauses, then the gates that read a node; open variables and nodes that many gates read wait until nothing else is left.
    fn propagate(&mut self, head: usize, reach: Reach, steps: &mut usize) -> Result<(), Conflict> {
        let (mut near, mut far) = (head, head);
        self.waiting.clear();
        loop {
            if let Some(&lit) = self.trail.get(near) {
                near += 1;
                self.look_at(lit.var())?;
                if !self.watches[(!lit).code()].is_empty() {
                    *steps = steps.saturating_sub(self.watches[(!lit).code()].len());
                    self.look_at_lemmas(!lit)?;
                }
                continue;
            }
            let node = match self.trail.get(far).map(|lit| lit.var()) {
                Some(node) if self.network.operands(node).is_none() || self.num_readers(node) > MANY_READERS => {
                    far += 1;
                    self.waiting.push(node);
                    continue;
                }
                Some(node) => {
                    far += 1;
                    node
                }
                None => {
                    let least = (0..self.waiting.len()).min_by_key(|&at| self.num_readers(self.waiting[at]));
                    let Some(least) = least.filter(|_| reach == Reach::Far) else { return Ok(()) };
                    self.waiting.swap_remove(least)
                }
            };
            for place in self.starts[node.index()]..self.starts[node.index() + 1] {
                let reader = self.readers[place as usize];
                if reader > self.horizon {
                    break;
                }
                if *steps == 0 {
                    return Ok(());
                }
                *steps -= 1;
                self.look_at(Var::from_index(reader as usize))?;
            }
        }
    }

    fn num_readers(&self, node: Var) -> u32 {
        self.starts[node.index() + 1] - self.starts[node.index()]
    }

    /// Draws conclusions from the clauses that watch a signal which became false. Watches need no undoing: after an early end something
    /// may be missed, and that is all.
    fn look_at_lemmas(&mut self, falsified: Lit) -> Result<(), Conflict> {
        let mut watching = std::mem::take(&mut self.watches[falsified.code()]);
        let (mut kept, mut at, mut result) = (0, 0, Ok(()));
        while at < watching.len() && result.is_ok() {
            let index = watching[at];
            at += 1;
            let start = (index as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
            let end = self.ends[index as usize];
            if self.lemmas[start] == falsified {
                self.lemmas.swap(start, start + 1);
            }
            let other = self.lemmas[start];
            if self.value(other) != Some(true) {
                let next = (start + 2..end).find(|&place| self.value(self.lemmas[place]) != Some(false));
                if let Some(next) = next {
                    self.lemmas.swap(start + 1, next);
                    self.watches[self.lemmas[start + 1].code()].push(index);
                    continue;
                }
                result = self.set(other);
            }
            watching[kept] = index;
            kept += 1;
        }
        watching.drain(kept..at);
        self.watches[falsified.code()] = watching;
        result
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        if lit.var() == Network::FALSE.var() {
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
    use super::super::network::random::random_network;
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Random networks over few open variables: what is refuted holds under every assignment, everywhere or in a context, and with steps
    /// enough everything that holds is refuted.
    #[test]
    fn cases_show_what_holds_and_nothing_else() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut counts = [0; 2];
        for round in 0..4000 {
            let (network, open, vars) = random_network(&mut rng);
            let clause: Vec<(usize, bool)> =
                (0..rng.random_range(1..4)).map(|_| (rng.random_range(0..vars), rng.random())).collect();
            let contexts: Vec<(usize, bool)> =
                (0..rng.random_range(0..3)).map(|_| (rng.random_range(0..vars), rng.random())).collect();
            let holds = (0..1usize << open).all(|bits| {
                let values = network.evaluate(|node| bits >> (node.index() - 1) & 1 == 1);
                contexts.iter().any(|&(at, sign)| values[at] != sign)
                    || clause.iter().any(|&(at, sign)| values[at] == sign)
            });
            counts[usize::from(holds)] += 1;
            let lits: Vec<Lit> = clause.iter().map(|&(at, sign)| network.signal(at, sign)).collect();
            let mut propagation = Propagation::new(&network);
            for &(at, sign) in &contexts {
                propagation.enter(network.signal(at, sign), Reach::Far, &mut (1 << 20));
            }
            assert!(holds || !propagation.refutes(&lits, &mut (1 << 20)), "round {round}");
            let mut few = rng.random_range(0..30);
            assert!(holds || !propagation.refutes_by_cases(&lits, &mut few), "round {round}");
            // What the context rests on is not explained for a clause.
            let all = propagation.refutes_by_cases(&lits, &mut (1 << 20));
            assert!(if contexts.is_empty() { all == holds } else { holds || !all }, "round {round}");
            contexts.iter().for_each(|_| propagation.leave());
            assert!(propagation.trail.is_empty() && propagation.values.iter().all(Option::is_none));
        }
        assert!(counts.iter().all(|&count| count > 400), "{counts:?}");
    }
}
