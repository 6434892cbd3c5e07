//! The judge's own decision diagrams: reduced, ordered, with negated edges, so that equal functions are the same diagram and a
//! negation costs nothing (Bryant, *Graph-based algorithms for Boolean function manipulation*, 1986; Brace, Rudell and Bryant,
//! *Efficient implementation of a BDD package*, 1990).
//!
//! There are three operations: conjunction, choice between two, and a variable set to a constant. Everything else is made of them. No
//! diagram is forgotten unless [`Diagrams::keep`] is told to. Work is counted, and beyond a limit every operation
//! [halts](Halt), as it does when nodes are too many or the [`Control`](gamesat_core::control::Control) says so.

use gamesat_core::control::{Poller, StopReason};
use hashbrown::HashTable;
use std::ops::Not;

/// A function: a node, and whether it is negated. Only those of one [`Diagrams`] can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Diagram(u32);

impl Diagram {
    pub(super) const TRUE: Diagram = Diagram(0);
    pub(super) const FALSE: Diagram = Diagram(1);

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn negated_if(self, negated: bool) -> Self {
        Diagram(self.0 ^ u32::from(negated))
    }

    pub(super) fn is_constant(self) -> bool {
        self.node() == 0
    }
}

impl Not for Diagram {
    type Output = Diagram;

    fn not(self) -> Diagram {
        self.negated_if(true)
    }
}

/// Why an operation came to nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// It takes too much work or too many nodes.
    TooMuch,
    Stopped(StopReason),
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Halt::Stopped(reason)
    }
}

/// If the variable of this level is false, `low`, otherwise `high`, which is not negated. Both are of higher levels. The first
/// node is the constant true.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    level: u32,
    low: Diagram,
    high: Diagram,
}

/// The level of constants: behind all others.
const CONSTANT: u32 = u32::MAX;
/// What is not there.
const NONE: Diagram = Diagram(u32::MAX);

/// A conjunction that was made: its operands, the smaller one first, and what it is.
type Made = [Diagram; 3];

/// A choice that was made: its operands, and what it is.
type Chosen = [Diagram; 4];

/// Part of a choice: whether the result is negated, and the operands with a level as in [`Task`].
type Choice = (bool, [Diagram; 3], u32);

/// Part of a conjunction: two operands whose branches are made and have to be put together at this level, or of which nothing is
/// made, at [`CONSTANT`].
type Task = (Diagram, Diagram, u32);

/// Diagrams over variables that are known by their level, which is their place in the order.
pub(super) struct Diagrams<'a> {
    nodes: Vec<Node>,
    table: HashTable<u32>,
    /// By a hash of the operands, the last such conjunction.
    made: Vec<Made>,
    chosen: Vec<Chosen>,
    /// Diagrams with a function in place of a variable: the diagram, the function, the level, and what it is.
    composed: Vec<Chosen>,
    /// Work so far, and how much there may be.
    work: u64,
    most: u64,
    poller: Poller<'a>,
    /// Scratch: what a node became, and the nodes for which that is said.
    became: Vec<Diagram>,
    touched: Vec<u32>,
    open: Vec<u32>,
    tasks: Vec<Task>,
    values: Vec<Diagram>,
    choices: Vec<Choice>,
}

/// Nodes that there may be.
const MAX_NODES: usize = 1 << 22;
/// Results of each kind that are remembered, at first and at most: powers of two.
const FEW: usize = 1 << 8;
const MANY: usize = 1 << 18;

/// A number that is different for most nodes, in its first and in its last bits.
fn hash(node: &Node) -> u64 {
    mix(node.low, node.high, Diagram(node.level))
}

fn mix(first: Diagram, second: Diagram, third: Diagram) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = (u64::from(first.0) << 32 | u64::from(second.0)).wrapping_mul(ODD) ^ u64::from(third.0);
    mixed.rotate_left(32).wrapping_mul(ODD).rotate_left(32)
}

impl<'a> Diagrams<'a> {
    /// No diagrams but constants; so much work may be done.
    pub(super) fn new(most: u64, poller: Poller<'a>) -> Self {
        Diagrams {
            nodes: vec![Node { level: CONSTANT, low: Diagram::TRUE, high: Diagram::TRUE }],
            table: HashTable::new(),
            made: vec![[NONE; 3]; FEW],
            chosen: vec![[NONE; 4]; FEW],
            composed: vec![[NONE; 4]; FEW],
            work: 0,
            most,
            poller,
            became: vec![NONE],
            touched: Vec::new(),
            open: Vec::new(),
            tasks: Vec::new(),
            values: Vec::new(),
            choices: Vec::new(),
        }
    }

    /// Work so far.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Work that may still be done.
    pub(super) fn work_left(&self) -> u64 {
        self.most.saturating_sub(self.work)
    }

    /// From now on there may be so much work in all.
    pub(super) fn limit(&mut self, most: u64) {
        self.most = most;
    }

    /// Forgets everything but one diagram, which is what comes back.
    pub(super) fn keep(&mut self, diagram: Diagram) -> Diagram {
        let mut open = vec![diagram.node()];
        let mut is_kept = vec![false; self.nodes.len()];
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut is_kept[index], true) && index > 0 {
                open.extend([self.nodes[index].low.node(), self.nodes[index].high.node()]);
            }
        }
        // Operands come before what is made of them, so they know their new place.
        let mut place = vec![0; self.nodes.len()];
        let mut nodes: Vec<Node> = vec![self.nodes[0]];
        let moved =
            |place: &[u32], diagram: Diagram| Diagram(place[diagram.node()] << 1).negated_if(diagram.is_negated());
        for index in (1..self.nodes.len()).filter(|&index| is_kept[index]) {
            let Node { level, low, high } = self.nodes[index];
            place[index] = nodes.len() as u32;
            nodes.push(Node { level, low: moved(&place, low), high: moved(&place, high) });
        }
        self.nodes = nodes;
        self.became = vec![NONE; self.nodes.len()];
        self.touched.clear();
        self.forget_results(self.made.len());
        self.table.clear();
        let nodes = &self.nodes;
        for index in 1..nodes.len() {
            self.table.insert_unique(hash(&nodes[index]), index as u32, |&index| hash(&nodes[index as usize]));
        }
        moved(&place, diagram)
    }

    /// Makes room for so many results of each kind, and forgets those that are there.
    fn forget_results(&mut self, room: usize) {
        for table in [&mut self.chosen, &mut self.composed] {
            table.clear();
            table.resize(room, [NONE; 4]);
        }
        self.made.clear();
        self.made.resize(room, [NONE; 3]);
    }

    /// Whether there are so many nodes that it is time to forget some.
    pub(super) fn is_crowded(&self) -> bool {
        self.nodes.len() > MAX_NODES / 2
    }

    /// Counts one step.
    fn step(&mut self) -> Result<(), Halt> {
        self.work += 1;
        if self.work > self.most {
            return Err(Halt::TooMuch);
        }
        Ok(self.poller.poll(self.work)?)
    }

    /// Where a result is remembered.
    fn place(&self, first: Diagram, second: Diagram, third: Diagram) -> usize {
        mix(first, second, third) as usize & (self.made.len() - 1)
    }

    /// The diagram that is `low` or `high`, as the variable of this level is false or true.
    fn make(&mut self, level: u32, low: Diagram, high: Diagram) -> Result<Diagram, Halt> {
        if low == high {
            return Ok(low);
        }
        // Of the two ways to write it, the one whose `high` is not negated.
        let negated = high.is_negated();
        let node = Node { level, low: low.negated_if(negated), high: high.negated_if(negated) };
        let hash = hash(&node);
        if let Some(&index) = self.table.find(hash, |&index| self.nodes[index as usize] == node) {
            return Ok(Diagram(index << 1).negated_if(negated));
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(Halt::TooMuch);
        }
        if self.nodes.len() > self.made.len() && self.made.len() < MANY {
            self.forget_results(4 * self.made.len());
        }
        let index = self.nodes.len() as u32;
        self.nodes.push(node);
        self.became.push(NONE);
        let nodes = &self.nodes;
        self.table.insert_unique(hash, index, |&index| self::hash(&nodes[index as usize]));
        Ok(Diagram(index << 1).negated_if(negated))
    }

    /// The disjunction of literals, each a level and a sign, of different levels.
    pub(super) fn clause(&mut self, lits: &mut [(u32, bool)]) -> Result<Diagram, Halt> {
        lits.sort_unstable_by_key(|&(level, _)| std::cmp::Reverse(level));
        lits.iter().try_fold(Diagram::FALSE, |rest, &(level, sign)| {
            self.step()?;
            if sign { self.make(level, rest, Diagram::TRUE) } else { self.make(level, Diagram::TRUE, rest) }
        })
    }

    /// What a diagram is if the variable of a level is false or true; it has none of a lower level.
    fn branches(&self, diagram: Diagram, level: u32) -> [Diagram; 2] {
        let node = self.nodes[diagram.node()];
        if node.level > level {
            return [diagram; 2];
        }
        [node.low, node.high].map(|branch| branch.negated_if(diagram.is_negated()))
    }

    /// The conjunction.
    pub(super) fn and(&mut self, left: Diagram, right: Diagram) -> Result<Diagram, Halt> {
        let mut tasks = std::mem::take(&mut self.tasks);
        let mut values = std::mem::take(&mut self.values);
        tasks.clear();
        values.clear();
        tasks.push((left, right, CONSTANT));
        let result = self.perform(&mut tasks, &mut values);
        let value = values.pop();
        (self.tasks, self.values) = (tasks, values);
        result?;
        value.ok_or(Halt::TooMuch)
    }

    /// Performs tasks, the last one first; their values come out in the same order.
    fn perform(&mut self, tasks: &mut Vec<Task>, values: &mut Vec<Diagram>) -> Result<(), Halt> {
        while let Some((left, right, level)) = tasks.pop() {
            if level != CONSTANT {
                let (Some(high), Some(low)) = (values.pop(), values.pop()) else { continue };
                let both = self.make(level, low, high)?;
                let place = self.place(left, right, Diagram::TRUE);
                self.made[place] = [left, right, both];
                values.push(both);
                continue;
            }
            let (left, right) = (left.min(right), left.max(right));
            // The constants are the smallest.
            let known = match left {
                Diagram::TRUE => Some(right),
                Diagram::FALSE => Some(left),
                _ if left == right => Some(left),
                _ if left == !right => Some(Diagram::FALSE),
                _ => {
                    let [first, second, both] = self.made[self.place(left, right, Diagram::TRUE)];
                    (first == left && second == right).then_some(both)
                }
            };
            if let Some(both) = known {
                values.push(both);
                continue;
            }
            self.step()?;
            let level = self.nodes[left.node()].level.min(self.nodes[right.node()].level);
            let ([left_low, left_high], [right_low, right_high]) =
                (self.branches(left, level), self.branches(right, level));
            tasks.push((left, right, level));
            tasks.push((left_high, right_high, CONSTANT));
            tasks.push((left_low, right_low, CONSTANT));
        }
        Ok(())
    }

    /// The disjunction.
    pub(super) fn or(&mut self, left: Diagram, right: Diagram) -> Result<Diagram, Halt> {
        Ok(!self.and(!left, !right)?)
    }

    /// `high` where `chooser` holds, and `low` where it does not.
    pub(super) fn choose(&mut self, chooser: Diagram, high: Diagram, low: Diagram) -> Result<Diagram, Halt> {
        let mut choices = std::mem::take(&mut self.choices);
        let mut values = Vec::new();
        choices.clear();
        choices.push((false, [chooser, high, low], CONSTANT));
        let result = self.decide(&mut choices, &mut values);
        self.choices = choices;
        result?;
        values.pop().ok_or(Halt::TooMuch)
    }

    /// Makes choices, the last one first; their values come out in the same order.
    fn decide(&mut self, choices: &mut Vec<Choice>, values: &mut Vec<Diagram>) -> Result<(), Halt> {
        while let Some((mut negated, [mut chooser, mut high, mut low], level)) = choices.pop() {
            if level != CONSTANT {
                let (Some(with), Some(without)) = (values.pop(), values.pop()) else { continue };
                let made = self.make(level, without, with)?;
                let place = self.place(chooser, high, low);
                self.chosen[place] = [chooser, high, low, made];
                values.push(made.negated_if(negated));
                continue;
            }
            // Neither the chooser nor what it chooses when it holds are negated.
            if chooser.is_negated() {
                (chooser, high, low) = (!chooser, low, high);
            }
            if high.is_negated() {
                (negated, high, low) = (!negated, !high, !low);
            }
            let known = if chooser == Diagram::TRUE || high == low {
                Some(high)
            } else if high == Diagram::TRUE || high == chooser {
                Some(self.or(chooser, low)?)
            } else if low.is_constant() {
                Some(if low == Diagram::TRUE { self.or(!chooser, high)? } else { self.and(chooser, high)? })
            } else if low == chooser {
                Some(self.and(chooser, high)?)
            } else if low == !chooser {
                Some(self.or(!chooser, high)?)
            } else {
                let [first, second, third, made] = self.chosen[self.place(chooser, high, low)];
                (first == chooser && second == high && third == low).then_some(made)
            };
            if let Some(made) = known {
                values.push(made.negated_if(negated));
                continue;
            }
            self.step()?;
            let operands = [chooser, high, low];
            let first = operands.map(|diagram| self.nodes[diagram.node()].level);
            let level = first[0].min(first[1]).min(first[2]);
            let branches = operands.map(|diagram| self.branches(diagram, level));
            choices.push((negated, operands, level));
            choices.push((false, branches.map(|branch| branch[1]), CONSTANT));
            choices.push((false, branches.map(|branch| branch[0]), CONSTANT));
        }
        Ok(())
    }

    /// The diagram with the variable of a level set to a constant.
    fn restrict(&mut self, diagram: Diagram, level: u32, value: bool) -> Result<Diagram, Halt> {
        self.collect(diagram, level)?;
        // Deeper levels come last, and what a node becomes rests on them.
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable_by_key(|&node| std::cmp::Reverse(self.nodes[node as usize].level));
        let made = touched.iter().try_for_each(|&index| {
            let node = self.nodes[index as usize];
            self.became[index as usize] = if node.level == level {
                if value { node.high } else { node.low }
            } else {
                let [low, high] = [node.low, node.high].map(|branch| self.now(branch));
                self.make(node.level, low, high)?
            };
            Ok(())
        });
        let now = self.now(diagram);
        self.touched = touched;
        self.forget();
        made.map(|()| now)
    }

    /// What a diagram became.
    fn now(&self, diagram: Diagram) -> Diagram {
        match self.became[diagram.node()] {
            NONE => diagram,
            became => became.negated_if(diagram.is_negated()),
        }
    }

    /// Collects the nodes of a diagram up to a level in `touched`; what they became is anything but nothing.
    fn collect(&mut self, diagram: Diagram, level: u32) -> Result<(), Halt> {
        self.forget();
        self.open.clear();
        self.open.push(diagram.node() as u32);
        while let Some(index) = self.open.pop() {
            let node = self.nodes[index as usize];
            // Constants are behind all levels.
            if node.level > level || node.level == CONSTANT || self.became[index as usize] != NONE {
                continue;
            }
            self.became[index as usize] = Diagram::TRUE;
            self.touched.push(index);
            self.step()?;
            self.open.extend([node.low, node.high].map(|branch| branch.node() as u32));
        }
        Ok(())
    }

    fn forget(&mut self) {
        for index in self.touched.drain(..) {
            self.became[index as usize] = NONE;
        }
    }

    /// The levels of the variables that a diagram depends on, in order, and the number of its nodes.
    pub(super) fn support(&mut self, diagram: Diagram) -> Result<(Vec<u32>, usize), Halt> {
        self.collect(diagram, CONSTANT)?;
        let mut levels: Vec<u32> = self.touched.iter().map(|&index| self.nodes[index as usize].level).collect();
        let size = levels.len();
        self.forget();
        levels.sort_unstable();
        levels.dedup();
        Ok((levels, size))
    }

    /// The diagram with a function in place of the variable of a level.
    pub(super) fn compose(&mut self, diagram: Diagram, level: u32, function: Diagram) -> Result<Diagram, Halt> {
        let (mut tasks, mut values) = (vec![(diagram, function, CONSTANT)], Vec::new());
        self.put(level, &mut tasks, &mut values)?;
        values.pop().ok_or(Halt::TooMuch)
    }

    /// Puts functions in place of the variable of a level, the last one first; what is made of each comes out in the same order.
    fn put(&mut self, variable: u32, tasks: &mut Vec<Task>, values: &mut Vec<Diagram>) -> Result<(), Halt> {
        while let Some((diagram, function, level)) = tasks.pop() {
            let negated = diagram.is_negated();
            let diagram = diagram.negated_if(negated);
            if level != CONSTANT {
                let (Some(high), Some(low)) = (values.pop(), values.pop()) else { continue };
                let made = self.make(level, low, high)?;
                let place = self.place(diagram, function, Diagram(variable));
                self.composed[place] = [diagram, function, Diagram(variable), made];
                values.push(made.negated_if(negated));
                continue;
            }
            let first = self.nodes[diagram.node()].level;
            let known = if first > variable {
                Some(diagram)
            } else if first == variable {
                let [low, high] = self.branches(diagram, variable);
                Some(self.choose(function, high, low)?)
            } else {
                let [of, with, at, made] = self.composed[self.place(diagram, function, Diagram(variable))];
                (of == diagram && with == function && at == Diagram(variable)).then_some(made)
            };
            if let Some(made) = known {
                values.push(made.negated_if(negated));
                continue;
            }
            self.step()?;
            let level = first.min(self.nodes[function.node()].level);
            let (diagrams, functions) = (self.branches(diagram, level), self.branches(function, level));
            // Branches are not negated as the result is, which is said once.
            tasks.push((diagram.negated_if(negated), function, level));
            tasks.push((diagrams[1], functions[1], CONSTANT));
            tasks.push((diagrams[0], functions[0], CONSTANT));
        }
        Ok(())
    }

    /// Whether the diagram holds for some value of a level's variable.
    pub(super) fn project(&mut self, diagram: Diagram, level: u32) -> Result<Diagram, Halt> {
        let (high, low) = (self.restrict(diagram, level, true)?, self.restrict(diagram, level, false)?);
        self.or(high, low)
    }

    /// Whether the diagram holds for all values of a level's variable.
    pub(super) fn for_all(&mut self, diagram: Diagram, level: u32) -> Result<Diagram, Halt> {
        Ok(!self.project(!diagram, level)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulation::PATTERNS;
    use super::*;
    use gamesat_core::control::Control;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The function with a variable set to a constant.
    fn set(function: u64, level: u32, value: bool) -> u64 {
        let (shift, positive) = (1 << level, PATTERNS[level as usize]);
        if value {
            let high = function & positive;
            high | high >> shift
        } else {
            let low = function & !positive;
            low | low << shift
        }
    }

    /// Random operations next to the same ones on tables of values: what is made is right, and equal functions are one diagram.
    #[test]
    fn operations_are_those_of_functions() {
        let control = Control::default();
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..200 {
            let mut diagrams = Diagrams::new(u64::MAX, control.poller());
            let mut all: Vec<(Diagram, u64)> = vec![(Diagram::TRUE, u64::MAX), (Diagram::FALSE, 0)];
            for _ in 0..60 {
                let [(left, a), (right, b)] = std::array::from_fn(|_| all[rng.random_range(0..all.len())]);
                let level = rng.random_range(0..6);
                let made = match rng.random_range(0..20) {
                    0 => {
                        let mut lits: Vec<(u32, bool)> = Vec::new();
                        for other in 0..6 {
                            if rng.random_bool(0.4) {
                                lits.push((other, rng.random()));
                            }
                        }
                        let value =
                            |&(level, sign): &(u32, bool)| PATTERNS[level as usize] ^ if sign { 0 } else { u64::MAX };
                        let values = lits.iter().map(value).fold(0, |some, lit| some | lit);
                        (diagrams.clause(&mut lits).unwrap(), values)
                    }
                    1 | 9 => (diagrams.and(left, right).unwrap(), a & b),
                    2 | 8 => (diagrams.or(left, !right).unwrap(), a | !b),
                    3 => (diagrams.project(left, level).unwrap(), set(a, level, false) | set(a, level, true)),
                    4 => (diagrams.for_all(left, level).unwrap(), set(a, level, false) & set(a, level, true)),
                    5 => (diagrams.restrict(left, level, true).unwrap(), set(a, level, true)),
                    6 => {
                        let kept = diagrams.keep(left);
                        // What is made again is the same.
                        all.truncate(2);
                        if all.iter().all(|&(diagram, _)| diagram != kept) {
                            all.push((kept, a));
                        }
                        (diagrams.choose(kept, !kept, kept).unwrap(), 0)
                    }
                    7 | 10..15 => {
                        let (third, c) = all[rng.random_range(0..all.len())];
                        (diagrams.choose(left, right, third).unwrap(), (a & b) | (!a & c))
                    }
                    _ => {
                        let composed = (b & set(a, level, true)) | (!b & set(a, level, false));
                        (diagrams.compose(left, level, right).unwrap(), composed)
                    }
                };
                let depends = (0..6).filter(|&level| set(made.1, level, false) != set(made.1, level, true));
                assert_eq!(diagrams.support(made.0).unwrap().0, depends.collect::<Vec<u32>>());
                assert!(all.iter().all(|&(diagram, values)| (diagram == made.0) == (values == made.1)));
                assert!(all.iter().all(|&(diagram, values)| (diagram == !made.0) == (values == !made.1)));
                if all.iter().all(|&(diagram, _)| diagram != made.0) {
                    all.push(made);
                }
            }
        }
    }

    /// Beyond the limit operations halt, and so they do when the control says so.
    #[test]
    fn work_is_limited() {
        let control = Control::default();
        for most in 0..40 {
            let mut diagrams = Diagrams::new(most, control.poller());
            let made = (|| {
                let (left, right) = (
                    diagrams.clause(&mut [(0, true), (2, false), (4, true)])?,
                    diagrams.clause(&mut [(1, true), (3, true)])?,
                );
                let both = diagrams.and(left, right)?;
                diagrams.compose(both, 2, right)
            })();
            assert!(diagrams.work() <= most + 1);
            if made.is_err() {
                assert_eq!(made, Err(Halt::TooMuch));
                assert!(most < 39);
            }
        }
        let interrupted = Control::default().with_looks(0);
        let mut diagrams = Diagrams::new(u64::MAX, interrupted.poller());
        assert_eq!(diagrams.clause(&mut [(0, true)]), Err(Halt::Stopped(StopReason::Nodes)));
    }
}
