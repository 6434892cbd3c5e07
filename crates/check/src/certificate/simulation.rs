//! Exhaustive simulation: where clauses rest on few open variables, all assignments are tried, 64 of them in one machine
//! word. Twenty variables are 16,384 words for every gate, which is less than a SAT solver needs for a strategy of some ten
//! thousand gates, and nothing has to be trusted.

use super::network::Network;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Var};

/// Words of one step: so many are computed for every gate before the next one.
const WIDTH: usize = 8;

/// Values of a node under 64 * WIDTH assignments.
type Word = [u64; WIDTH];

/// Values of the first six variables under the 64 assignments of one machine word.
pub(super) const PATTERNS: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// What clauses rest on, in the order of the network, and their values.
pub(super) struct Simulation<'a> {
    network: &'a Network,
    /// Whether a node belongs to the clauses at hand.
    is_needed: Vec<bool>,
    leaves: Vec<usize>,
    gates: Vec<usize>,
    values: Vec<Word>,
}

impl<'a> Simulation<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let nodes = network.num_nodes();
        Simulation { network, is_needed: vec![false; nodes], leaves: Vec::new(), gates: Vec::new(), values: Vec::new() }
    }

    /// Some assignment of the open variables, by node, that falsifies one of these clauses of signals; the inner `None` if
    /// there is none. The outer one if to find out would take more than `budget` machine words.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn falsifies_one_of(
        &mut self,
        clauses: &[&[Lit]],
        budget: u64,
        control: &Control,
    ) -> Result<Option<Option<Vec<bool>>>, StopReason> {
        let steps = self.collect(clauses, budget);
        let Some(steps) = steps else { return Ok(None) };
        let nodes = self.network.num_nodes();
        self.values.resize(nodes, [0; WIDTH]);
        let mut poller = control.poller();
        for step in 0..steps {
            for (number, &leaf) in self.leaves.iter().enumerate() {
                self.values[leaf] = leaf_values(number, step);
            }
            for &gate in &self.gates {
                let Some([left, right]) = self.network.operands(Var::from_index(gate)) else { continue };
                self.values[gate] = and(self.signal(left), self.signal(right));
            }
            for clause in clauses {
                poller.poll(step)?;
                let mut holds = [0; WIDTH];
                for &lit in *clause {
                    let values = self.signal(lit);
                    holds.iter_mut().zip(values).for_each(|(all, one)| *all |= one);
                }
                let failing = holds.iter().position(|&word| word != u64::MAX);
                if let Some(word) = failing {
                    let bit = holds[word].trailing_ones();
                    let mut assignment = vec![false; nodes];
                    for &leaf in &self.leaves {
                        assignment[leaf] = self.values[leaf][word] >> bit & 1 == 1;
                    }
                    return Ok(Some(Some(assignment)));
                }
            }
            control.stop_reason(step).map_or(Ok(()), Err)?;
        }
        Ok(Some(None))
    }

    /// Collects what the clauses rest on. The number of steps for all assignments, if that is affordable.
    fn collect(&mut self, clauses: &[&[Lit]], budget: u64) -> Option<u64> {
        self.leaves.drain(..).chain(self.gates.drain(..)).for_each(|node| self.is_needed[node] = false);
        let mut open: Vec<Var> = clauses.iter().copied().flatten().map(|lit| lit.var()).collect();
        let words = loop {
            // Words for every node, and steps of WIDTH words.
            let words = 1u64.checked_shl(self.leaves.len().saturating_sub(6) as u32).filter(|_| self.leaves.len() < 60);
            let cost = words.and_then(|words| words.checked_mul(1 + self.gates.len() as u64));
            cost.filter(|&cost| cost <= budget)?;
            let Some(node) = open.pop() else { break words? };
            if node.index() == 0 || std::mem::replace(&mut self.is_needed[node.index()], true) {
                continue;
            }
            match self.network.operands(node) {
                None => self.leaves.push(node.index()),
                Some(operands) => {
                    self.gates.push(node.index());
                    open.extend(operands.map(|lit| lit.var()));
                }
            }
        };
        self.gates.sort_unstable();
        Some(words.div_ceil(WIDTH as u64))
    }

    fn signal(&self, lit: Lit) -> Word {
        // Node 0 is the constant false and never changes.
        let values = self.values[lit.var().index()];
        if lit.is_negative() { values.map(|word| !word) } else { values }
    }
}

fn and(mut left: Word, right: Word) -> Word {
    left.iter_mut().zip(right).for_each(|(left, right)| *left &= right);
    left
}

/// Values of the variable of this number in the words of this step: it changes after `2^number` assignments.
fn leaf_values(number: usize, step: u64) -> Word {
    std::array::from_fn(|word| match PATTERNS.get(number) {
        Some(&pattern) => pattern,
        None => {
            let index = step * WIDTH as u64 + word as u64;
            if index >> (number - 6) & 1 == 1 { u64::MAX } else { 0 }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::Aig;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rustc_hash::FxHashMap;

    #[test]
    fn all_assignments_are_tried_and_nothing_else() {
        let control = Control::default();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0; 2];
        for round in 0..300 {
            // Functions of up to twelve open variables, one variable each.
            let open = rng.random_range(1..=12);
            let prefix: Vec<Var> = (0..open + 8).map(Var::from_index).collect();
            let mut aig = Aig::new(prefix[..open].to_vec());
            let mut signals: Vec<Lit> = (0..open).map(|input| aig.input(input)).collect();
            for _ in 0..rng.random_range(8..60) {
                let pick = |rng: &mut ChaCha8Rng, all: &[Lit]| {
                    let lit = all[rng.random_range(0..all.len())];
                    if rng.random() { !lit } else { lit }
                };
                let (left, right) = (pick(&mut rng, &signals), pick(&mut rng, &signals));
                signals.push(aig.and(left, right));
            }
            for &var in &prefix[open..] {
                aig.output(var, signals[rng.random_range(0..signals.len())]);
            }
            let places: FxHashMap<Var, usize> = prefix.iter().enumerate().map(|(at, &var)| (var, at)).collect();
            let network = Network::new(&prefix, &places, &aig, &mut control.poller()).unwrap();
            let clauses: Vec<Vec<(usize, bool)>> = (0..rng.random_range(1..3))
                .map(|_| {
                    (0..rng.random_range(2..7)).map(|_| (rng.random_range(0..prefix.len()), rng.random())).collect()
                })
                .collect();
            let fails =
                |values: &[bool]| clauses.iter().any(|clause| clause.iter().all(|&(at, sign)| values[at] != sign));
            let of_bits = |bits: usize| network.evaluate(|node| bits >> (node.index() - 1) & 1 == 1);
            let expected = (0..1 << open).any(|bits| fails(&of_bits(bits)));
            counts[usize::from(expected)] += 1;

            let lits: Vec<Vec<Lit>> = clauses
                .iter()
                .map(|clause| clause.iter().map(|&(at, sign)| network.signal(at, sign)).collect())
                .collect();
            let lits: Vec<&[Lit]> = lits.iter().map(|clause| &clause[..]).collect();
            let mut simulation = Simulation::new(&network);
            // What was asked before does not matter.
            let _ = simulation.falsifies_one_of(&lits[..1], 1 << 12, &control).unwrap();
            match simulation.falsifies_one_of(&lits, 1 << 20, &control).unwrap() {
                None => panic!("round {round}: not affordable"),
                Some(None) => assert!(!expected, "round {round}"),
                Some(Some(found)) => {
                    assert!(fails(&network.evaluate(|node| found[node.index()])), "round {round}: no flaw");
                }
            }
            assert_eq!(simulation.falsifies_one_of(&lits, 0, &control).unwrap(), None);
        }
        assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
    }
}
