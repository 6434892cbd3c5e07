//! Unit propagation in a [network](super::network), and case distinctions on top of it.
//!
//! From the operands of a gate to the gate, from the gate to its operands; and in clauses that are known to hold, with two watched
//! signals each. Whatever is assumed is undone exactly. A *context* is a signal that is assumed for a while, so that what follows from
//! it is found once for all that is asked there; there can be contexts in a context.

use super::network::Network;
use gamesat_core::formula::{Lit, Var};

/// The state of propagation.
pub(super) struct Propagation<'a> {
    network: &'a Network,
    /// Gates that read a node, all of them, and those that are beside the cases.
    readers: Readers,
    beside: Readers,
    /// By signal: true, false or open. The constant has its value from the beginning.
    values: Vec<Value>,
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
const MANY_READERS: usize = 32;

/// How far conclusions go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Not to the gates that read an open variable, or a node that many gates read.
    Near,
    /// From there only to gates on which no [case](Propagation::stay_beside) rests.
    Beside,
    /// As far as there are steps.
    Far,
}

/// The value of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Open,
    True,
    False,
}

/// A gate that reads a node: the gate, how it reads the node, and what else it reads.
#[derive(Clone, Copy)]
struct Reader {
    gate: u32,
    operand: Lit,
    other: Lit,
}

/// Gates that read a node: `gates[starts[node]..starts[node + 1]]`.
#[derive(Default)]
struct Readers {
    gates: Vec<Reader>,
    starts: Vec<u32>,
}

impl Readers {
    /// The readers among the gates that count.
    fn new(network: &Network, counts: impl Fn(usize) -> bool) -> Self {
        let (nodes, first) = (network.num_nodes(), network.first_gate());
        let gates = || network.gates().iter().enumerate().filter(|&(index, _)| counts(first + index));
        let mut starts = vec![0; nodes + 1];
        gates().flat_map(|(_, operands)| operands).for_each(|lit| starts[lit.var().index() + 1] += 1);
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let nobody = Reader { gate: 0, operand: Network::FALSE, other: Network::FALSE };
        let mut readers = vec![nobody; starts[nodes] as usize];
        for (index, &[left, right]) in gates() {
            for (operand, other) in [(left, right), (right, left)] {
                let place = &mut next[operand.var().index()];
                readers[*place as usize] = Reader { gate: (first + index) as u32, operand, other };
                *place += 1;
            }
        }
        Readers { gates: readers, starts }
    }

    fn of(&self, node: Var) -> std::ops::Range<usize> {
        self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize
    }
}

/// Two signals that cannot be.
struct Conflict;

impl<'a> Propagation<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let nodes = network.num_nodes();
        let mut values = vec![Value::Open; 2 * nodes];
        values[Network::FALSE.code()] = Value::False;
        values[(!Network::FALSE).code()] = Value::True;
        Propagation {
            network,
            readers: Readers::new(network, |_| true),
            beside: Readers::default(),
            values,
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

    /// From now on what is [beside](Reach::Beside) are gates on which none of these signals rests.
    pub(super) fn stay_beside(&mut self, cases: &[Lit]) {
        let mut is_below = vec![false; self.network.num_nodes()];
        cases.iter().for_each(|signal| is_below[signal.var().index()] = true);
        for node in (self.network.first_gate()..is_below.len()).rev() {
            if let (true, Some(operands)) = (is_below[node], self.network.operands(Var::from_index(node))) {
                operands.iter().for_each(|operand| is_below[operand.var().index()] = true);
            }
        }
        self.beside = Readers::new(self.network, |gate| !is_below[gate]);
    }

    /// Whether propagation alone shows, in the context, that these signals cannot all be false. Gives up after some steps.
    pub(super) fn refutes(&mut self, clause: &[Lit], steps: &mut usize) -> bool {
        self.refutes_within(clause, Reach::Far, steps)
    }

    /// The same with conclusions that go no further than this.
    pub(super) fn refutes_within(&mut self, clause: &[Lit], reach: Reach, steps: &mut usize) -> bool {
        let (kept, impossible) = self.context();
        let refuted = impossible || self.assume_false(clause, reach, steps).is_err();
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
        if self.assume_false(clause, Reach::Far, steps).is_err() {
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
                (Value::True, ..) => self.open.extend([left.var(), right.var()]),
                (_, Value::False, _) => self.open.push(left.var()),
                (_, _, Value::False) => self.open.push(right.var()),
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
            self.values[lit.code()] = Value::Open;
            self.values[(!lit).code()] = Value::Open;
        }
    }

    fn assume(&mut self, lit: Lit, steps: &mut usize) -> Result<(), Conflict> {
        let head = self.trail.len();
        self.set(lit)?;
        self.propagate(head, Reach::Far, steps)
    }

    fn assume_false(&mut self, clause: &[Lit], reach: Reach, steps: &mut usize) -> Result<(), Conflict> {
        let head = self.trail.len();
        for &lit in clause {
            self.set(!lit)?;
        }
        self.propagate(head, reach, steps)
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
            let (node, is_far) = match self.trail.get(far).map(|lit| lit.var()) {
                Some(node) if self.network.operands(node).is_none() || self.num_readers(node) > MANY_READERS => {
                    far += 1;
                    self.waiting.push(node);
                    continue;
                }
                Some(node) => {
                    far += 1;
                    (node, false)
                }
                None => {
                    let least = (0..self.waiting.len()).min_by_key(|&at| self.num_readers(self.waiting[at]));
                    let Some(least) = least.filter(|_| reach != Reach::Near) else { return Ok(()) };
                    (self.waiting.swap_remove(least), true)
                }
            };
            let beside = is_far && reach == Reach::Beside;
            for place in if beside { self.beside.of(node) } else { self.readers.of(node) } {
                let reader = if beside { self.beside.gates[place] } else { self.readers.gates[place] };
                if reader.gate > self.horizon {
                    break;
                }
                if *steps == 0 {
                    return Ok(());
                }
                *steps -= 1;
                self.tell(reader)?;
            }
        }
    }

    fn num_readers(&self, node: Var) -> usize {
        self.readers.of(node).len()
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
            if self.value(other) != Value::True {
                let next = (start + 2..end).find(|&place| self.value(self.lemmas[place]) != Value::False);
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

    #[inline]
    fn value(&self, lit: Lit) -> Value {
        self.values[lit.code()]
    }

    fn set(&mut self, lit: Lit) -> Result<(), Conflict> {
        match self.value(lit) {
            Value::True => Ok(()),
            Value::False => Err(Conflict),
            Value::Open => {
                self.values[lit.code()] = Value::True;
                self.values[(!lit).code()] = Value::False;
                self.trail.push(lit);
                Ok(())
            }
        }
    }

    /// Draws every conclusion about a gate from an operand that has its value.
    #[inline]
    fn tell(&mut self, Reader { gate, operand, other }: Reader) -> Result<(), Conflict> {
        let gate = Var::from_index(gate as usize).positive();
        if self.value(operand) == Value::False {
            return self.set(!gate);
        }
        match self.value(other) {
            Value::True => self.set(gate),
            Value::False => self.set(!gate),
            Value::Open if self.value(gate) == Value::False => self.set(!other),
            Value::Open => Ok(()),
        }
    }

    /// Draws every conclusion about a gate and its operands.
    fn look_at(&mut self, node: Var) -> Result<(), Conflict> {
        let Some([left, right]) = self.network.operands(node) else { return Ok(()) };
        let gate = node.positive();
        match (self.value(gate), self.value(left), self.value(right)) {
            (Value::True, ..) => {
                self.set(left)?;
                self.set(right)
            }
            (_, Value::False, _) | (_, _, Value::False) => self.set(!gate),
            (_, Value::True, Value::True) => self.set(gate),
            (Value::False, Value::True, Value::Open) => self.set(!right),
            (Value::False, Value::Open, Value::True) => self.set(!left),
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
            assert!(propagation.trail.is_empty() && propagation.values[2..].iter().all(|&value| value == Value::Open));
        }
        assert!(counts.iter().all(|&count| count > 400), "{counts:?}");
    }
}
