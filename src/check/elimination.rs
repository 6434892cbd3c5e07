//! Elimination: a certificate checked by [decision diagrams](super::diagrams) over the formula's variables.
//!
//! The clauses become diagrams, and the variables leave them one by one, the innermost block first, those with functions before the
//! open ones of their block. Assignments that *follow* the functions are all that matters: those in which every variable that has
//! a function has the value that its function says.
//!
//! 1. **Functions.** The diagram of a function is over the formula's variables and some more [points](super::points): where
//!    the function of another point that leaves later is part of it, that point stands for it, which is the same in every
//!    assignment that follows. So functions are not multiplied out.
//! 2. **Skolem functions**, every clause must hold. The conjunction of the diagrams holds in all assignments that follow if and only
//!    if the clauses do. That stays so when a function is put in the place of its variable, in diagrams or in their conjunction. An
//!    open variable that leaves is read by no function that is left; so a diagram always holds if and only if it does for both
//!    of its values. What is left at the end is a constant.
//! 3. **Herbrand functions**, the clauses must not hold together. Some assignment that follows lets all clauses hold if and only if
//!    one does that lets all diagrams hold. That stays so when a function is put in the place of its variable, and when the
//!    diagrams that have an open variable are replaced by what their conjunction says about the others: no function that is left
//!    reads it, so it can be given whatever value is needed. At the end one diagram must be false.
//!
//! Functions that were found by elimination come about in the same way, and there the diagrams stay as small as they were. For others
//! it is soon too much work, and nothing is said. Pan and Vardi, *Symbolic decision procedures for QBF*, 2004.

use super::diagrams::{Diagram, Diagrams, Halt};
use super::placement::placement;
use super::points::{Points, selections};
use crate::control::{Control, StopReason};
use crate::formula::{Aig, Lit, Quantifier, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A formula, and functions for variables of one player that stand behind all that they read.
pub(super) struct Question<'a> {
    pub(super) certificate: &'a Aig,
    pub(super) prefix: &'a [(Quantifier, Var)],
    /// The place of each variable in the prefix.
    pub(super) places: &'a FxHashMap<Var, usize>,
    pub(super) clauses: &'a [&'a [Lit]],
    /// For each clause, whether it is known to hold in all assignments that follow.
    pub(super) settled: &'a [bool],
}

/// Variables and gates for which diagrams have a chance, and the share of gates that must be parts of selections, three of which make
/// one: what comes from diagrams is made of them.
const VARIABLES: usize = 1_000;
const GATES: usize = 512;
const SHARE: f64 = 0.8;

/// Whether functions look as if they had been diagrams.
pub(super) fn is_promising(certificate: &Aig, vars: usize) -> bool {
    let gates = certificate.ands().len();
    vars <= VARIABLES && gates >= GATES && 3.0 * selections(certificate) as f64 >= SHARE * gates as f64
}

impl Question<'_> {
    /// Whether it was shown that all clauses hold in all assignments that follow, for Skolem functions, or that they never hold
    /// together, for Herbrand functions. `work` are the steps that it may take.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn is_shown(&self, winner: Quantifier, work: u64, control: &Control) -> Result<bool, StopReason> {
        let mut elimination = Elimination::new(self, winner, work, control);
        let result = elimination.run(self);
        control.log(|| {
            let said = match result {
                Ok(true) => "shown",
                Ok(false) => "not shown",
                Err(_) => "not finished",
            };
            let (left, points) = (elimination.left, elimination.points.len());
            let (nodes, work) = (elimination.diagrams.num_nodes(), elimination.diagrams.work());
            format!("check by diagrams: {said}, {left} of {points} points, {nodes} nodes, {work} steps")
        });
        match result {
            Ok(shown) => Ok(shown),
            Err(Halt::TooMuch) => Ok(false),
            Err(Halt::Stopped(reason)) => Err(reason),
        }
    }
}

/// What a pair of variables in one diagram is worth in nodes.
const PAIR: usize = 10;
/// Clauses that a point and its neighbour count for.
const NEIGHBOURS: usize = 20;

/// A diagram, the levels of its variables, and its size.
struct Member {
    diagram: Diagram,
    levels: Vec<u32>,
    size: usize,
}

/// A conjunction of diagrams.
struct Elimination<'a> {
    certificate: &'a Aig,
    winner: Quantifier,
    points: Points<'a>,
    diagrams: Diagrams<'a>,
    /// The level of each point.
    levels: Vec<u32>,
    members: Vec<Option<Member>>,
    /// All that are there, to have none twice.
    present: FxHashSet<Diagram>,
    /// By level: the members that have this variable, or had before they were taken out.
    having: Vec<Vec<usize>>,
    /// Points that left.
    left: usize,
    is_false: bool,
    /// Diagrams of nodes, each with a rank: functions of points of this rank or a higher one have only points that leave later.
    made: Vec<Option<(Diagram, u32)>>,
}

impl<'a> Elimination<'a> {
    fn new(question: &Question<'a>, winner: Quantifier, work: u64, control: &'a Control) -> Self {
        let mut blocks = Vec::with_capacity(question.prefix.len());
        let mut block = 0;
        for (place, (quantifier, _)) in question.prefix.iter().enumerate() {
            block += u32::from(place > 0 && question.prefix[place - 1].0 != *quantifier);
            blocks.push(block);
        }
        let points = Points::new(question.certificate, &blocks, question.places);
        let place = |lit: &Lit| question.places[&lit.var()] as u32;
        let mut together: Vec<Vec<u32>> =
            question.clauses.iter().map(|clause| clause.iter().map(place).collect()).collect();
        for pair in points.neighbours(blocks.len()) {
            together.extend(std::iter::repeat_n(pair.to_vec(), NEIGHBOURS));
        }
        let levels = placement(points.len(), &together);
        Elimination {
            certificate: question.certificate,
            winner,
            diagrams: Diagrams::new(work, control.poller()),
            levels,
            members: Vec::new(),
            present: FxHashSet::default(),
            having: vec![Vec::new(); points.len()],
            points,
            left: 0,
            is_false: false,
            made: vec![None; question.certificate.num_nodes()],
        }
    }

    /// Lets all points leave.
    fn run(&mut self, question: &Question<'_>) -> Result<bool, Halt> {
        let mut lits = Vec::new();
        for (clause, _) in question.clauses.iter().zip(question.settled).filter(|(_, settled)| !**settled) {
            lits.clear();
            lits.extend(clause.iter().map(|lit| (self.levels[question.places[&lit.var()]], lit.is_positive())));
            lits.sort_unstable();
            lits.dedup();
            if lits.windows(2).all(|pair| pair[0].0 != pair[1].0) {
                let diagram = self.diagrams.clause(&mut lits)?;
                self.add(diagram)?;
            }
        }
        let order = self.points.order();
        let mut rest = &order[..];
        // A false diagram decides both questions.
        while let (Some(&first), false) = (rest.first(), self.is_false) {
            match self.points.function(first) {
                Some(function) => {
                    self.leaves(first, function)?;
                    rest = &rest[1..];
                }
                None => {
                    let alike = rest.iter().take_while(|&&point| self.points.are_alike(point, first)).count();
                    self.open_leave(&rest[..alike])?;
                    rest = &rest[alike..];
                }
            }
        }
        // Otherwise nothing has any variable, and all that was taken in is true.
        Ok(self.is_false == (self.winner == Quantifier::Forall))
    }

    /// Open points of one block leave, those first whose diagrams are small and have few variables together.
    fn open_leave(&mut self, points: &[usize]) -> Result<(), Halt> {
        let mut costs: FxHashMap<u32, usize> = FxHashMap::default();
        let mut queue = BTreeSet::new();
        for &point in points {
            let level = self.levels[point];
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
            match self.winner {
                Quantifier::Exists => {
                    for member in taken {
                        let rest = self.diagrams.for_all(member.diagram, level)?;
                        self.add(rest)?;
                    }
                }
                Quantifier::Forall => {
                    let both = self.conjunction(&taken)?;
                    let rest = self.diagrams.project(both, level)?;
                    self.add(rest)?;
                }
            }
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
        if self.winner == Quantifier::Exists || self.having[level as usize].len() <= 1 {
            return nodes;
        }
        let together: BTreeSet<u32> = having().flat_map(|member| member.levels.iter().copied()).collect();
        nodes + PAIR * together.len() * together.len()
    }

    /// A point leaves: its function is put in its place.
    fn leaves(&mut self, point: usize, function: Lit) -> Result<(), Halt> {
        self.left += 1;
        let level = self.levels[point];
        let taken = self.take(level);
        if taken.is_empty() {
            return Ok(());
        }
        let function = self.function(function, point)?;
        let (mut apart, mut size) = (Vec::new(), 0);
        for member in &taken {
            let rest = self.diagrams.compose(member.diagram, level, function)?;
            size += self.diagrams.support(rest)?.1;
            apart.push(rest);
        }
        // Where the function is what the diagrams together demand, they are smaller together.
        if self.winner == Quantifier::Exists && taken.len() > 1 {
            let both = self.conjunction(&taken)?;
            let rest = self.diagrams.compose(both, level, function)?;
            if self.diagrams.support(rest)?.1 < size {
                return self.add(rest);
            }
        }
        apart.into_iter().try_for_each(|rest| self.add(rest))
    }

    /// The diagram of a signal that is part of the function of a point.
    fn function(&mut self, signal: Lit, point: usize) -> Result<Diagram, Halt> {
        let rank = self.points.rank(point);
        let known = |made: &[Option<(Diagram, u32)>], lit: Lit| {
            let (diagram, least) = made[lit.var().index()].filter(|&(_, least)| least <= rank)?;
            Some((if lit.is_negative() { !diagram } else { diagram }, least))
        };
        self.made[Aig::FALSE.var().index()] = Some((Diagram::FALSE, 0));
        let mut open = vec![signal.var()];
        while let Some(&node) = open.last() {
            if known(&self.made, node.positive()).is_some() {
                open.pop();
                continue;
            }
            let found = if let Some((other, negated)) = self.points.standing(node, point) {
                let diagram = self.diagrams.clause(&mut [(self.levels[other], true)])?;
                (if negated { !diagram } else { diagram }, self.points.rank(other) + 1)
            } else {
                // What is read by name stands behind in the prefix, and therefore for itself.
                let Some([left, right]) = self.certificate.operands(node) else { return Err(Halt::TooMuch) };
                match (known(&self.made, left), known(&self.made, right)) {
                    (Some((left, first)), Some((right, second))) => {
                        (self.diagrams.and(left, right)?, first.max(second))
                    }
                    (None, _) => {
                        open.push(left.var());
                        continue;
                    }
                    (_, None) => {
                        open.push(right.var());
                        continue;
                    }
                }
            };
            self.made[node.index()] = Some(found);
        }
        known(&self.made, signal).map(|(diagram, _)| diagram).ok_or(Halt::TooMuch)
    }

    /// The conjunction of diagrams, the smallest two first.
    fn conjunction(&mut self, members: &[Member]) -> Result<Diagram, Halt> {
        let mut all: BTreeSet<(usize, Diagram)> = members.iter().map(|member| (member.size, member.diagram)).collect();
        while let Some((_, left)) = all.pop_first() {
            let Some((_, right)) = all.pop_first() else { return Ok(left) };
            let both = self.diagrams.and(left, right)?;
            let (_, size) = self.diagrams.support(both)?;
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
        let (levels, size) = self.diagrams.support(diagram)?;
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
    use super::*;
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

        fn is_shown(&self, settled: &[bool], work: u64, control: &Control) -> bool {
            let clauses: Vec<&[Lit]> = self.clauses.iter().map(|clause| &clause[..]).collect();
            let Sample { certificate, prefix, places, .. } = self;
            let question = Question { certificate, prefix, places, clauses: &clauses, settled };
            question.is_shown(self.winner, work, control).unwrap()
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
                assert_eq!(sample.is_shown(&none, u64::MAX, &control), wins, "round {round}, changed {is_changed}");
                let settled: Vec<bool> = always.iter().map(|&always| always && rng.random()).collect();
                let some = if sample.winner == Quantifier::Exists { &settled } else { &none };
                assert_eq!(sample.is_shown(some, u64::MAX, &control), wins, "round {round}, changed {is_changed}");
                let in_haste = sample.is_shown(some, rng.random_range(0..150), &control);
                assert!(wins || !in_haste, "round {round}: shown in haste");
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
