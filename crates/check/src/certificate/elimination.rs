//! Elimination: Herbrand functions checked by [decision diagrams](super::diagrams), which must not hold together.
//!
//! The clauses become diagrams, and the [points](super::points) leave them one by one. Some assignment that follows the functions
//! lets all clauses hold if and only if one does that lets all diagrams hold. That stays so when a function is
//! [put in the place](super::substitution) of its point, and when the diagrams that have an open variable are replaced by what their
//! conjunction says about the others: no function that is left reads it, so it can be given whatever value is needed. At the end
//! one diagram must be false.
//!
//! Functions that were found by elimination come about in the same way, and there the diagrams stay as small as they were. For others
//! it is soon too much work, and nothing is said. Pan and Vardi, *Symbolic decision procedures for QBF*, 2004.

use super::diagrams::{Diagram, Halt};
use super::substitution::{Question, Substitution};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::Lit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Whether it was shown that no assignment that follows lets all clauses hold; `work` are the steps that it may take.
///
/// # Errors
/// The reason to stop.
pub(super) fn is_refuted(question: Question<'_>, work: u64, control: &Control) -> Result<bool, StopReason> {
    let mut elimination = Elimination::new(question, work, control);
    let result = elimination.run();
    control.log(|| {
        let said = match result {
            Ok(true) => "shown",
            Ok(false) => "not shown",
            Err(_) => "not finished",
        };
        let Substitution { points, diagrams, .. } = &elimination.functions;
        let (left, points, steps) = (elimination.left, points.len(), diagrams.work());
        format!("check by diagrams: {said}, {left} of {points} points, {steps} steps")
    });
    match result {
        Ok(refuted) => Ok(refuted),
        Err(Halt::TooMuch) => Ok(false),
        Err(Halt::Stopped(reason)) => Err(reason),
    }
}

/// What a pair of variables in one diagram is worth in nodes.
const PAIR: usize = 10;

/// A diagram, the levels of its variables, and its size.
struct Member {
    diagram: Diagram,
    levels: Vec<u32>,
    size: usize,
}

/// A conjunction of diagrams.
struct Elimination<'a> {
    functions: Substitution<'a>,
    members: Vec<Option<Member>>,
    /// All that are there, to have none twice.
    present: FxHashSet<Diagram>,
    /// By level: the members that have this variable, or had before they were taken out.
    having: Vec<Vec<usize>>,
    /// Points that left.
    left: usize,
    is_false: bool,
}

impl<'a> Elimination<'a> {
    fn new(question: Question<'a>, work: u64, control: &'a Control) -> Self {
        let functions = Substitution::new(question, work, control);
        let having = vec![Vec::new(); functions.points.len()];
        let present = FxHashSet::default();
        Elimination { functions, members: Vec::new(), present, having, left: 0, is_false: false }
    }

    /// Lets all points leave.
    fn run(&mut self) -> Result<bool, Halt> {
        for clause in self.functions.question.clauses {
            let diagram = self.functions.clause(clause)?;
            self.add(diagram)?;
        }
        let order = self.functions.points.order();
        let mut rest = &order[..];
        while let (Some(&first), false) = (rest.first(), self.is_false) {
            let points = &self.functions.points;
            if let Some(function) = points.function(first) {
                self.leaves(first, function)?;
                rest = &rest[1..];
            } else {
                // Open ones without a function in between can leave in any order.
                let open = rest.iter().take_while(|&&point| points.function(point).is_none()).count();
                self.open_leave(&rest[..open])?;
                rest = &rest[open..];
            }
        }
        Ok(self.is_false)
    }

    /// Open points leave, those first whose diagrams are small and have few variables together.
    fn open_leave(&mut self, points: &[usize]) -> Result<(), Halt> {
        let mut costs: FxHashMap<u32, usize> = FxHashMap::default();
        let mut queue = BTreeSet::new();
        for &point in points {
            let level = self.functions.levels[point];
            let cost = self.cost(level);
            costs.insert(level, cost);
            queue.insert((cost, level));
        }
        while let Some((_, level)) = queue.pop_first() {
            if self.is_false {
                break;
            }
            costs.remove(&level);
            self.left += 1;
            let taken = self.take(level);
            let touched: BTreeSet<u32> = taken.iter().flat_map(|member| member.levels.iter().copied()).collect();
            let both = self.conjunction(&taken)?;
            let rest = self.functions.diagrams.project(both, level)?;
            self.add(rest)?;
            for other in touched {
                if let Some(before) = costs.get(&other).copied() {
                    let cost = self.cost(other);
                    queue.remove(&(before, other));
                    queue.insert((cost, other));
                    costs.insert(other, cost);
                }
            }
        }
        Ok(())
    }

    /// What it promises to cost when an open point leaves.
    fn cost(&mut self, level: u32) -> usize {
        let members = &self.members;
        self.having[level as usize].retain(|&index| members[index].is_some());
        let having = || self.having[level as usize].iter().filter_map(|&index| members[index].as_ref());
        let nodes: usize = having().map(|member| member.size).sum();
        if self.having[level as usize].len() <= 1 {
            return nodes;
        }
        let together: BTreeSet<u32> = having().flat_map(|member| member.levels.iter().copied()).collect();
        nodes + PAIR * together.len() * together.len()
    }

    /// A point leaves: its function is put in its place.
    fn leaves(&mut self, point: usize, signal: Lit) -> Result<(), Halt> {
        self.left += 1;
        let level = self.functions.levels[point];
        let taken = self.take(level);
        if taken.is_empty() {
            return Ok(());
        }
        let function = self.functions.function(point, signal)?;
        taken.into_iter().try_for_each(|member| {
            let rest = self.functions.diagrams.compose(member.diagram, level, function)?;
            self.add(rest)
        })
    }

    /// The conjunction of diagrams, the smallest two first.
    fn conjunction(&mut self, members: &[Member]) -> Result<Diagram, Halt> {
        let diagrams = &mut self.functions.diagrams;
        let mut all: BTreeSet<(usize, Diagram)> = members.iter().map(|member| (member.size, member.diagram)).collect();
        while let Some((_, left)) = all.pop_first() {
            let Some((_, right)) = all.pop_first() else { return Ok(left) };
            let both = diagrams.and(left, right)?;
            let (_, size) = diagrams.support(both)?;
            all.insert((size, both));
        }
        Ok(Diagram::TRUE)
    }

    /// Takes a diagram in, unless it says nothing.
    fn add(&mut self, diagram: Diagram) -> Result<(), Halt> {
        self.is_false |= diagram == Diagram::FALSE;
        if diagram.is_constant() || !self.present.insert(diagram) {
            return Ok(());
        }
        let (levels, size) = self.functions.diagrams.support(diagram)?;
        for &level in &levels {
            self.having[level as usize].push(self.members.len());
        }
        self.members.push(Some(Member { diagram, levels, size }));
        Ok(())
    }

    /// Takes out all diagrams that have a variable.
    fn take(&mut self, level: u32) -> Vec<Member> {
        let having = std::mem::take(&mut self.having[level as usize]);
        let taken: Vec<Member> = having.into_iter().filter_map(|index| self.members[index].take()).collect();
        for member in &taken {
            self.present.remove(&member.diagram);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::Network;
    use super::super::substitution::settle;
    use super::*;
    use gamesat_core::formula::{Aig, Quantifier, Var};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A formula, functions for most variables of one player, and everything that is said about them.
    struct Sample {
        prefix: Vec<(Quantifier, Var)>,
        places: FxHashMap<Var, usize>,
        winner: Quantifier,
        certificate: Aig,
        clauses: Vec<Vec<Lit>>,
    }

    impl Sample {
        fn random(rng: &mut ChaCha8Rng) -> Self {
            let winner = if rng.random() { Quantifier::Exists } else { Quantifier::Forall };
            let prefix: Vec<(Quantifier, Var)> = (0..rng.random_range(3..=9))
                .map(|at| {
                    (if rng.random() { Quantifier::Exists } else { Quantifier::Forall }, Var::from_index(7 * at + 3))
                })
                .collect();
            let places: FxHashMap<Var, usize> = prefix.iter().enumerate().map(|(at, &(_, var))| (var, at)).collect();
            let has_function: Vec<bool> =
                prefix.iter().map(|&(quantifier, _)| quantifier == winner && rng.random_bool(0.8)).collect();
            // Sometimes functions read each other by name.
            let is_named = rng.random_bool(0.2);
            let inputs: Vec<usize> = (0..prefix.len()).filter(|&at| is_named || !has_function[at]).collect();
            let mut aig = Aig::new(inputs.iter().map(|&at| prefix[at].1).collect());
            // Signals with the first place at which they may be read.
            let mut signals: Vec<(usize, Lit)> = (0..inputs.len()).map(|i| (inputs[i] + 1, aig.input(i))).collect();
            signals.push((0, Aig::TRUE));
            for (at, &(_, var)) in prefix.iter().enumerate().filter(|&(at, _)| has_function[at]) {
                let mut readable: Vec<Lit> =
                    signals.iter().filter(|&&(from, _)| from <= at).map(|&(_, lit)| lit).collect();
                for _ in 0..rng.random_range(1..6) {
                    let [a, b, c] = std::array::from_fn(|_| {
                        let lit = readable[rng.random_range(0..readable.len())];
                        if rng.random() { !lit } else { lit }
                    });
                    let gate = if rng.random() {
                        aig.push_and(a, b)
                    } else {
                        let (high, low) = (aig.push_and(a, b), aig.push_and(!a, c));
                        !aig.push_and(!high, !low)
                    };
                    readable.push(gate);
                    signals.push((at, gate));
                }
                let function = readable[readable.len() - 1 - rng.random_range(0..readable.len().min(2))];
                aig.output(var, function);
            }
            let clauses = if winner == Quantifier::Exists { 1..5 } else { 5..25 };
            let clauses = (0..rng.random_range(clauses))
                .map(|_| {
                    (0..rng.random_range(1..=4))
                        .map(|_| prefix[rng.random_range(0..prefix.len())].1.lit(rng.random()))
                        .collect()
                })
                .collect();
            Sample { prefix, places, winner, certificate: aig, clauses }
        }

        /// Whether each clause always holds, and whether the functions win: all assignments that follow are looked at.
        fn brute_force(&self, control: &Control) -> (Vec<bool>, bool) {
            let vars: Vec<Var> = self.prefix.iter().map(|&(_, var)| var).collect();
            let network = Network::new(&vars, &self.places, &self.certificate, &mut control.poller()).unwrap();
            let (mut always, mut never) = (vec![true; self.clauses.len()], true);
            for bits in 0..1usize << vars.len() {
                let values = network.evaluate(|node| bits >> (node.index() - 1) & 1 == 1);
                let holds =
                    |clause: &Vec<Lit>| clause.iter().any(|lit| values[self.places[&lit.var()]] == lit.is_positive());
                let holding: Vec<bool> = self.clauses.iter().map(holds).collect();
                never &= !holding.iter().all(|&holds| holds);
                always.iter_mut().zip(holding).for_each(|(always, holds)| *always &= holds);
            }
            let wins = if self.winner == Quantifier::Exists { always.iter().all(|&always| always) } else { never };
            (always, wins)
        }

        /// What diagrams show: for each clause that it always holds, and that the functions win.
        fn shown(&self, settled: &[bool], work: u64, control: &Control) -> (Vec<bool>, bool) {
            let clauses: Vec<&[Lit]> = self.clauses.iter().map(|clause| &clause[..]).collect();
            let Sample { certificate, prefix, places, .. } = self;
            let question = Question { certificate, prefix, places, clauses: &clauses };
            let mut settled = settled.to_vec();
            if self.winner == Quantifier::Forall {
                return (settled, is_refuted(question, work, control).unwrap());
            }
            settle(question, &mut settled, work, control).unwrap();
            let all = settled.iter().all(|&settled| settled);
            (settled, all)
        }
    }

    /// Exactly what holds is shown, whatever was settled before; with little work perhaps less, but never more. What wins is changed
    /// a little and looked at again.
    #[test]
    fn what_is_shown_holds() {
        let control = Control::default();
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        // Lost, won, won although changed, shown with little work.
        let mut counts = [[0; 4]; 2];
        for round in 0..6000 {
            let mut sample = Sample::random(&mut rng);
            let of_winner = usize::from(sample.winner == Quantifier::Exists);
            for is_changed in [false, true] {
                let (always, wins) = sample.brute_force(&control);
                let none = vec![false; always.len()];
                let (settled, shown) = sample.shown(&none, u64::MAX, &control);
                assert_eq!(shown, wins, "round {round}, changed {is_changed}");
                assert!(settled.iter().zip(&always).all(|(&settled, &always)| always || !settled), "round {round}");
                let known: Vec<bool> = always.iter().map(|&always| always && rng.random()).collect();
                assert_eq!(sample.shown(&known, u64::MAX, &control).1, wins, "round {round}, changed {is_changed}");
                let (settled, in_haste) = sample.shown(&known, rng.random_range(0..2000), &control);
                assert!(wins || !in_haste, "round {round}: shown in haste");
                assert!(settled.iter().zip(&always).all(|(&settled, &always)| always || !settled), "round {round}");
                counts[of_winner][3] += usize::from(in_haste && !always.is_empty());
                counts[of_winner][if is_changed { 2 * usize::from(wins) } else { usize::from(wins) }] += 1;
                let outputs = sample.certificate.outputs().to_vec();
                if !wins || is_changed || outputs.is_empty() {
                    break;
                }
                // Another function, or another clause.
                if rng.random() {
                    let clause = rng.random_range(0..sample.clauses.len());
                    let lit = rng.random_range(0..sample.clauses[clause].len());
                    sample.clauses[clause][lit] = !sample.clauses[clause][lit];
                } else {
                    let mut changed = Aig::new(sample.certificate.inputs().to_vec());
                    for &[left, right] in sample.certificate.ands() {
                        changed.push_and(left, right);
                    }
                    let other = rng.random_range(0..outputs.len());
                    for (index, &(var, signal)) in outputs.iter().enumerate() {
                        changed.output(var, if index == other { !signal } else { signal });
                    }
                    sample.certificate = changed;
                }
            }
        }
        assert!(counts.iter().flatten().all(|&count| count > 50), "{counts:?}");
    }
}
