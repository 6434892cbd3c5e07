//! A book of rules: the wins of the existential player, from which it follows step by step that a formula is true.
//!
//! Every win was recorded as a [rule](super::strategy): if its *condition*, nodes before the level, is satisfied, the existential player
//! wins by its moves, since then all nodes of its *reason* are satisfied, which the next universal level cannot bear. This was found out by the solver of that
//! level, from what it was taught: that not all nodes of a rule's condition are satisfied by a universal player who wants to win, and what it means that a
//! node of its level is satisfied. From that it has derived a clause of nodes of the reason. If it has not written down how, another solver that does is told the
//! same once more. Copies are not needed for this: they only told existential levels what to try.
//!
//! What is needed is known from the outside in: the last rule of the outermost level, or that the universal player has no first move;
//! its reason; the rules that are used to derive the clause of that; their reasons. It is written down from the inside out, so that
//! everything rests on what comes before it: as the second part of a [`Confirmation`].

use super::super::circuit::Circuit;
use super::super::matrix::Matrix;
use super::decisive::Decisive;
use super::level::{self, Level};
use super::strategy::Strategy;
use super::tree::{ClauseTree, Node};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Confirmation, ConfirmationRow, Lit, Quantifier, Var};
use gamesat_sat::SatBackend;
use gamesat_sat::cdcl::{Cdcl, Origin, Proof, Step};
use rustc_hash::FxHashMap;

/// The rules of the existential player, and what they speak of.
#[derive(Debug)]
pub(crate) struct Book {
    strategy: Strategy,
    tree: ClauseTree,
    /// Tells which clauses need not be satisfied at the innermost level.
    circuit: Option<Circuit>,
    proofs: Proofs,
}

/// What universal levels have found out, as far as they have written it down.
#[derive(Debug)]
pub(super) struct Proofs {
    /// By level.
    pub(super) levels: Vec<Option<(Proof, Vec<level::Source>)>>,
    /// If the outermost level is universal: the step that says that it has no move.
    pub(super) outermost: Option<Step>,
}

/// Nodes that cannot all be satisfied before a universal level, and the step that says so in the proof of that level.
#[derive(Clone, Debug, Default)]
struct Goal {
    nodes: Vec<Node>,
    step: Option<Step>,
}

/// What is needed of an existential level.
struct Stage {
    level: usize,
    /// What the universal level before it cannot do, if there is one.
    before: Option<Derivation>,
    /// The rules that are used.
    rules: Vec<u32>,
    /// By rule: its reason, as one of the goals of the next stage. Empty at the innermost level.
    goals: Vec<u32>,
}

/// Clauses about a universal level, each after those that it follows from.
struct Derivation {
    clauses: Vec<Clause>,
    /// What is resolved, one chain after the other.
    chains: Vec<u32>,
    /// By goal: its clause.
    goals: Vec<u32>,
}

#[derive(Clone, Copy)]
enum Clause {
    /// Of a rule of the level behind.
    Rule(u32),
    /// A node is satisfied or this literal of it is false, or the node before it is not satisfied.
    Definition(Node, Option<Lit>),
    /// Ends in the chains here.
    Resolvent(usize),
}

impl Book {
    /// The rules that were found on the way to a matrix's being true; with a circuit, of the innermost level.
    pub(super) fn new(
        matrix: &Matrix,
        mut strategy: Strategy,
        tree: ClauseTree,
        circuit: Option<Circuit>,
        proofs: Proofs,
    ) -> Self {
        strategy.retain(|level| matrix.quantifiers[level] == Quantifier::Exists);
        Book { strategy, tree, circuit, proofs }
    }

    /// The existential player's functions.
    pub(crate) fn functions(&self, matrix: &Matrix) -> Aig {
        self.strategy.functions(matrix, &self.tree, self.circuit.as_ref(), true)
    }

    /// Writes the second part of a confirmation. The clauses of the matrix have these numbers in it. False, and nothing written, if something
    /// does not follow from the rules.
    ///
    /// # Errors
    /// The reason to stop.
    pub(crate) fn write(
        &self,
        matrix: &Matrix,
        numbers: &[u32],
        control: &Control,
        confirmation: &mut Confirmation,
    ) -> Result<bool, StopReason> {
        let Some(stages) = self.stages(matrix, control)? else { return Ok(false) };
        let lit = |lit: Lit| matrix.original[lit.var().index()].1.lit(lit.is_positive()).to_dimacs();
        for &(clause, on) in self.circuit.iter().flat_map(Circuit::order) {
            confirmation.push(ConfirmationRow::Saved, [numbers[clause as usize] as i32, lit(on)]);
        }
        let nodes = self.write_nodes(&stages, numbers, confirmation);
        if stages.is_empty() {
            // Nobody moves, and there is nothing to satisfy.
            confirmation.push(ConfirmationRow::Picks, []);
            confirmation.push(ConfirmationRow::Last, []);
        }
        let mut count = 0;
        let mut push = |confirmation: &mut Confirmation, row, numbers: &mut dyn Iterator<Item = i32>| {
            confirmation.push(row, numbers);
            count += 1;
            count
        };
        let mut poller = control.poller();
        // By goal of the stage behind: the number of its clause.
        let mut known: Vec<i32> = Vec::new();
        let mut of_rule: FxHashMap<u32, i32> = FxHashMap::default();
        let (mut decisive, mut moves) = (Decisive::new(matrix.level_of.len()), Vec::new());
        for stage in stages.iter().rev() {
            of_rule.clear();
            for (place, &rule) in stage.rules.iter().enumerate() {
                poller.poll(0)?;
                let condition = self.strategy.condition(stage.level, rule as usize);
                moves.clear();
                self.strategy.moves(stage.level, rule as usize, &self.tree, &mut decisive, &mut moves);
                confirmation.push(ConfirmationRow::Picks, moves.iter().map(|&picked| lit(picked)));
                let behind = stage.goals.get(place).map(|&goal| known[goal as usize]);
                let row = if behind.is_some() { ConfirmationRow::Rule } else { ConfirmationRow::Last };
                let condition = condition.iter().map(|node| nodes[node.index()]);
                of_rule.insert(rule, push(confirmation, row, &mut behind.into_iter().chain(condition)));
            }
            let Some(derivation) = &stage.before else { continue };
            let mut here: Vec<i32> = Vec::with_capacity(derivation.clauses.len());
            let mut begin = 0;
            for &clause in &derivation.clauses {
                poller.poll(0)?;
                here.push(match clause {
                    Clause::Rule(rule) => of_rule[&rule],
                    Clause::Definition(node, own) => {
                        let mut row = std::iter::once(nodes[node.index()]).chain(own.map(lit));
                        push(confirmation, ConfirmationRow::Definition, &mut row)
                    }
                    Clause::Resolvent(end) => {
                        let mut chain = derivation.chains[begin..end].iter().map(|&clause| here[clause as usize]);
                        begin = end;
                        push(confirmation, ConfirmationRow::Resolvent, &mut chain)
                    }
                });
            }
            known = derivation.goals.iter().map(|&goal| here[goal as usize]).collect();
        }
        Ok(true)
    }

    /// Gives numbers to the nodes that are spoken of, by node; those before others come first.
    fn write_nodes(&self, stages: &[Stage], numbers: &[u32], confirmation: &mut Confirmation) -> Vec<i32> {
        let mut is_used = vec![false; self.tree.len()];
        for stage in stages {
            for &rule in &stage.rules {
                let condition = self.strategy.condition(stage.level, rule as usize);
                condition.iter().for_each(|node| is_used[node.index()] = true);
            }
            for clause in stage.before.iter().flat_map(|derivation| &derivation.clauses) {
                if let &Clause::Definition(node, own) = clause {
                    is_used[node.index()] = true;
                    let parent = self.tree.parent(node).filter(|_| own.is_none());
                    parent.iter().for_each(|parent| is_used[parent.index()] = true);
                }
            }
        }
        // Some clause that begins with the node.
        let mut clause_of: Vec<Option<u32>> = vec![None; self.tree.len()];
        for (clause, &number) in numbers.iter().enumerate() {
            let mut next = self.tree.end_of(clause);
            while let Some(node) = next.filter(|node| clause_of[node.index()].is_none()) {
                clause_of[node.index()] = Some(number);
                next = self.tree.parent(node);
            }
        }
        let (mut cuts, mut given, mut count) = (vec![0; self.tree.len()], vec![0; self.tree.len()], 0);
        for index in 0..self.tree.len() {
            cuts[index] = 1 + self.tree.parent(self.tree.node(index)).map_or(0, |parent| cuts[parent.index()]);
            if let (true, Some(clause)) = (is_used[index], clause_of[index]) {
                count += 1;
                given[index] = count;
                confirmation.push(ConfirmationRow::Node, [clause as i32, cuts[index]]);
            }
        }
        given
    }

    /// What is needed, the outermost level first; `None` if something does not follow.
    fn stages(&self, matrix: &Matrix, control: &Control) -> Result<Option<Vec<Stage>>, StopReason> {
        let levels = matrix.quantifiers.len();
        let mut stages = Vec::new();
        // Whoever moves first: the universal player must not have a move, the existential player has a rule that wins.
        let mut goals = vec![Goal { nodes: Vec::new(), step: self.proofs.outermost }];
        for level in (0..levels).filter(|&level| matrix.quantifiers[level] == Quantifier::Exists) {
            let before = match level.checked_sub(1) {
                None => None,
                Some(universal) => match self.derivation(universal, &goals, control)? {
                    None => return Ok(None),
                    derivation => derivation,
                },
            };
            let rules = match &before {
                None => match self.strategy.len(level).checked_sub(1) {
                    None => return Ok(None),
                    Some(last) => vec![last as u32],
                },
                Some(derivation) => derivation.rules(),
            };
            let mut reasons = Vec::new();
            if level + 1 < levels {
                for &rule in &rules {
                    let (reason, step) = self.strategy.reason(level, rule as usize);
                    let mut nodes = reason.to_vec();
                    nodes.sort_unstable();
                    reasons.push(Goal { nodes, step });
                }
            }
            goals.clone_from(&reasons);
            goals.sort_unstable_by(|a, b| a.nodes.cmp(&b.nodes));
            goals.dedup_by(|a, b| a.nodes == b.nodes);
            let place = |reason: &Goal| goals.binary_search_by(|goal| goal.nodes.cmp(&reason.nodes)).unwrap_or(0);
            let of_rules = reasons.iter().map(|reason| place(reason) as u32).collect();
            stages.push(Stage { level, before, rules, goals: of_rules });
        }
        Ok(Some(stages))
    }

    /// What a universal level cannot do: as it has written it down, or derived once more.
    fn derivation(&self, level: usize, goals: &[Goal], control: &Control) -> Result<Option<Derivation>, StopReason> {
        let steps: Option<Vec<Step>> = goals.iter().map(|goal| goal.step).collect();
        let (Some((proof, added)), Some(steps)) = (&self.proofs.levels[level], steps) else {
            return Solver::new(self, level).derive(goals, control);
        };
        let source = |number: usize| match added[number] {
            level::Source::Definition(node, own) => Source::Given(Clause::Definition(node, own)),
            level::Source::Rule(rule) => Source::Rule(rule),
        };
        // Nodes that are their only literals in the solver.
        let literals = |rule: u32| {
            let condition = self.strategy.condition(level + 1, rule as usize).iter();
            let is_literal = |&&node: &&Node| self.tree.level(node) == level && Level::is_literal(node, &self.tree);
            condition.filter(is_literal).map(|&node| (node, self.tree.lits(node)[0])).collect()
        };
        Ok(Some(Derivation::new(proof, &steps, source, literals)))
    }
}

impl Derivation {
    /// The clauses of a proof on which goals rest. Of a rule the nodes are named that have literals in their place.
    fn new(
        proof: &Proof,
        goals: &[Step],
        source: impl Fn(usize) -> Source,
        literals: impl Fn(u32) -> Vec<(Node, Lit)>,
    ) -> Self {
        // 1. What is used.
        let end = goals.iter().max().map_or(0, |&last| last as usize + 1);
        let mut is_used = vec![false; end];
        goals.iter().for_each(|&goal| is_used[goal as usize] = true);
        for step in (0..end).rev() {
            if !is_used[step] {
                continue;
            }
            match proof.origin(step as Step) {
                Origin::Added(number) => {
                    if let Source::Derived(before) = source(number) {
                        is_used[before as usize] = true;
                    }
                }
                Origin::Resolved(first, links) => {
                    is_used[first as usize] = true;
                    links.iter().for_each(|&(other, _)| is_used[other as usize] = true);
                }
            }
        }
        // 2. That, in its order.
        let mut derivation = Derivation { clauses: Vec::new(), chains: Vec::new(), goals: Vec::new() };
        let mut here: Vec<u32> = vec![0; end];
        let mut defined: FxHashMap<Node, u32> = FxHashMap::default();
        for step in (0..end).filter(|&step| is_used[step]) {
            here[step] = match proof.origin(step as Step) {
                Origin::Added(number) => match source(number) {
                    Source::Given(clause) => derivation.push(clause),
                    Source::Derived(before) => here[before as usize],
                    Source::Rule(rule) => {
                        let first = derivation.push(Clause::Rule(rule));
                        let mut chain = vec![first];
                        for (node, lit) in literals(rule) {
                            let definition = Clause::Definition(node, Some(lit));
                            chain.push(*defined.entry(node).or_insert_with(|| derivation.push(definition)));
                        }
                        if chain.len() == 1 { first } else { derivation.resolve(chain) }
                    }
                },
                Origin::Resolved(first, []) => here[first as usize],
                Origin::Resolved(first, links) => {
                    let others = links.iter().map(|&(other, _)| here[other as usize]);
                    derivation.resolve(std::iter::once(here[first as usize]).chain(others))
                }
            };
        }
        derivation.goals.extend(goals.iter().map(|&goal| here[goal as usize]));
        derivation
    }

    fn push(&mut self, clause: Clause) -> u32 {
        self.clauses.push(clause);
        self.clauses.len() as u32 - 1
    }

    fn resolve(&mut self, chain: impl IntoIterator<Item = u32>) -> u32 {
        self.chains.extend(chain);
        self.push(Clause::Resolvent(self.chains.len()))
    }

    /// The rules that are used.
    fn rules(&self) -> Vec<u32> {
        let used = self.clauses.iter().filter_map(|clause| match clause {
            Clause::Rule(rule) => Some(*rule),
            _ => None,
        });
        used.collect()
    }
}

/// What a clause of a solver is.
#[derive(Clone, Copy)]
enum Source {
    Given(Clause),
    /// Of a rule, with literals in place of some nodes.
    Rule(u32),
    /// It is derived already.
    Derived(Step),
}

/// A universal level, about to be shown what it cannot do.
struct Solver<'a> {
    tree: &'a ClauseTree,
    strategy: &'a Strategy,
    level: usize,
    solver: Cdcl,
    /// What the clauses are that were added.
    added: Vec<Source>,
    /// True if the node is satisfied.
    of_node: FxHashMap<Node, Lit>,
    of_var: FxHashMap<Var, Lit>,
}

impl<'a> Solver<'a> {
    fn new(book: &'a Book, level: usize) -> Self {
        Solver {
            tree: &book.tree,
            strategy: &book.strategy,
            level,
            solver: Cdcl::with_proof(),
            added: Vec::new(),
            of_node: FxHashMap::default(),
            of_var: FxHashMap::default(),
        }
    }

    /// For each goal, nodes before the level, derives that not all of them are satisfied; `None` if that does not follow.
    fn derive(mut self, goals: &[Goal], control: &Control) -> Result<Option<Derivation>, StopReason> {
        let mut poller = control.poller();
        let mut clause = Vec::new();
        for rule in 0..self.strategy.len(self.level + 1) {
            poller.poll(0)?;
            clause.clear();
            for &node in self.strategy.condition(self.level + 1, rule) {
                clause.push(!self.node(node));
            }
            self.add(&clause, Source::Given(Clause::Rule(rule as u32)));
        }
        let mut steps = Vec::with_capacity(goals.len());
        for goal in goals {
            poller.poll(0)?;
            let assumptions: Vec<Lit> = goal.nodes.iter().map(|&node| self.input(node)).collect();
            if self.solver.solve(&assumptions, control)? {
                return Ok(None);
            }
            let Some(step) = self.solver.failed_clause() else { return Ok(None) };
            steps.push(step);
            if self.solver.proof().is_some_and(|proof| matches!(proof.origin(step), Origin::Resolved(..))) {
                // Others may follow from it.
                clause.clear();
                clause.extend(self.solver.failed().iter().map(|&lit| !lit));
                self.add(&clause, Source::Derived(step));
            }
        }
        let Some(proof) = self.solver.proof() else { return Ok(None) };
        Ok(Some(Derivation::new(proof, &steps, |number| self.added[number], |_| Vec::new())))
    }

    fn add(&mut self, clause: &[Lit], source: Source) {
        self.solver.add_clause(clause);
        self.added.push(source);
    }

    /// The literal of a node before the level.
    fn input(&mut self, node: Node) -> Lit {
        *self.of_node.entry(node).or_insert_with(|| self.solver.new_var().positive())
    }

    /// The literal of a node, which is defined if it is of the level.
    fn node(&mut self, node: Node) -> Lit {
        let tree = self.tree;
        if self.of_node.contains_key(&node) || tree.level(node) < self.level {
            return self.input(node);
        }
        let satisfied = self.input(node);
        for &lit in tree.lits(node) {
            let positive = *self.of_var.entry(lit.var()).or_insert_with(|| self.solver.new_var().positive());
            let own = if lit.is_positive() { positive } else { !positive };
            self.add(&[satisfied, !own], Source::Given(Clause::Definition(node, Some(lit))));
        }
        if let Some(parent) = tree.parent(node) {
            let outer = self.input(parent);
            self.add(&[satisfied, !outer], Source::Given(Clause::Definition(node, None)));
        }
        satisfied
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::engine::{QbfEngine, Wish};
    use super::super::Abstraction;
    use super::*;
    use crate::options::{AbstractionOptions, Functions};
    use gamesat_core::formula::{ClauseArena, Prefix, Qbf};
    use gamesat_core::statistics::Statistics;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeSet;

    /// What a clause of the second part says: a universal literal, or whether the node with these literals is satisfied.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    enum Item {
        Lit(i32),
        Node(bool, BTreeSet<i32>),
    }

    impl Item {
        fn negated(&self) -> Self {
            match self {
                Item::Lit(lit) => Item::Lit(-lit),
                Item::Node(sign, lits) => Item::Node(!sign, lits.clone()),
            }
        }
    }

    /// Reads a second part word by word.
    struct Reader<'a> {
        matrix: &'a Matrix,
        clauses: Vec<Vec<i32>>,
        saved: Vec<(usize, i32)>,
        /// Clause, cut and literals.
        nodes: Vec<(usize, usize, BTreeSet<i32>)>,
        picks: Vec<i32>,
        /// Each with the level that it is about, if there is one.
        second: Vec<(Option<usize>, BTreeSet<Item>)>,
    }

    impl Reader<'_> {
        fn level(&self, lit: i32) -> usize {
            let is_meant = |(_, var): &(Quantifier, Var)| var.to_dimacs() == lit.abs();
            self.matrix.level_of[self.matrix.original.iter().position(is_meant).unwrap()] as usize
        }

        fn node(&self, clause: usize, cut: usize) -> BTreeSet<i32> {
            let lits = &self.clauses[clause - 1];
            let levels: BTreeSet<usize> = lits.iter().map(|&lit| self.level(lit)).collect();
            let last = *levels.iter().nth(cut - 1).unwrap();
            lits.iter().copied().filter(|&lit| self.level(lit) <= last).collect()
        }

        fn depth(&self, lits: &BTreeSet<i32>) -> usize {
            lits.iter().map(|&lit| self.level(lit)).max().unwrap()
        }

        fn rule(&mut self, level: usize, behind: Option<&BTreeSet<Item>>, nodes: &[i32]) {
            let picks = std::mem::take(&mut self.picks);
            assert!(picks.iter().all(|&lit| self.level(lit) == level && !picks.contains(&-lit)));
            let nodes: Vec<BTreeSet<i32>> = nodes.iter().map(|&node| self.nodes[node as usize - 1].2.clone()).collect();
            assert!(nodes.iter().all(|node| self.depth(node) < level));
            let is_satisfied = |lits: &BTreeSet<i32>| {
                picks.iter().any(|lit| lits.contains(lit)) || nodes.iter().any(|node| node.is_subset(lits))
            };
            for (index, clause) in self.clauses.iter().enumerate() {
                let lits: BTreeSet<i32> = clause.iter().copied().collect();
                let saved = self.saved.iter().find(|&&(saved, _)| saved == index + 1);
                let must_be = self.depth(&lits) == level && saved.is_none_or(|(_, lit)| picks.contains(&-lit));
                assert!(!must_be || is_satisfied(&lits), "{clause:?} is not satisfied");
            }
            for item in behind.into_iter().flatten() {
                let Item::Node(false, lits) = item else { panic!("{item:?} tells nothing") };
                assert!(self.depth(lits) <= level && is_satisfied(lits));
            }
            self.second.push((level.checked_sub(1), nodes.into_iter().map(|node| Item::Node(false, node)).collect()));
        }

        fn read(&mut self, row: ConfirmationRow, numbers: &[i32]) {
            match (row, numbers) {
                (ConfirmationRow::Saved, &[clause, lit]) => {
                    assert!(self.clauses[clause as usize - 1].contains(&lit));
                    assert_eq!(self.level(lit) + 1, self.matrix.quantifiers.len());
                    self.saved.push((clause as usize, lit));
                }
                (ConfirmationRow::Node, &[clause, cut]) => {
                    let node = self.node(clause as usize, cut as usize);
                    self.nodes.push((clause as usize, cut as usize, node));
                }
                (ConfirmationRow::Definition, &[node, ref own @ ..]) => {
                    let (clause, cut, node) = self.nodes[node as usize - 1].clone();
                    let level = self.depth(&node);
                    assert_eq!(self.matrix.quantifiers[level], Quantifier::Forall);
                    let other = match *own {
                        [] => Item::Node(false, self.node(clause, cut - 1)),
                        [lit] => {
                            assert!(node.contains(&lit) && self.level(lit) == level);
                            Item::Lit(-lit)
                        }
                        _ => panic!("too much"),
                    };
                    self.second.push((Some(level), BTreeSet::from([Item::Node(true, node), other])));
                }
                (ConfirmationRow::Picks, picks) => self.picks = picks.to_vec(),
                (ConfirmationRow::Last, nodes) => {
                    self.rule(self.matrix.quantifiers.len().saturating_sub(1), None, nodes)
                }
                (ConfirmationRow::Rule, &[behind, ref nodes @ ..]) => {
                    let (level, behind) = self.second[behind as usize - 1].clone();
                    self.rule(level.unwrap() - 1, Some(&behind), nodes);
                }
                (ConfirmationRow::Resolvent, &[first, ref others @ ..]) => {
                    assert!(!others.is_empty());
                    let (level, mut left) = self.second[first as usize - 1].clone();
                    for &other in others {
                        let (about, other) = &self.second[other as usize - 1];
                        assert_eq!(*about, level);
                        let clashing: Vec<Item> =
                            left.iter().filter(|item| other.contains(&item.negated())).cloned().collect();
                        let [item] = &clashing[..] else { panic!("{clashing:?} clash") };
                        left.extend(other.iter().cloned());
                        left.remove(item);
                        left.remove(&item.negated());
                    }
                    self.second.push((level, left));
                }
                _ => panic!("a strange row: {row:?} {numbers:?}"),
            }
        }

        /// Every saved clause is blocked as far as those are concerned that go later.
        fn check_saved(&self) {
            for (place, &(clause, lit)) in self.saved.iter().enumerate() {
                for &(later, _) in &self.saved[place + 1..] {
                    let (lits, others) = (&self.clauses[clause - 1], &self.clauses[later - 1]);
                    let is_blocked = lits.iter().any(|&outer| outer != lit && others.contains(&-outer));
                    assert!(!others.contains(&-lit) || is_blocked);
                }
            }
        }
    }

    /// Some clauses that define something, and others.
    fn random_qbf(rng: &mut impl Rng) -> Qbf {
        let (vars, gates) = (rng.random_range(1..=10), rng.random_range(0..=4));
        let mut prefix = Prefix::new();
        // Numbers with gaps, and not in the order of the prefix.
        let var = |index: usize| Var::from_index(if index.is_multiple_of(3) { 61 - 2 * index } else { 2 * index });
        for index in 0..vars + gates {
            let is_universal = index < vars && rng.random_bool(0.5);
            prefix.push_var(if is_universal { Quantifier::Forall } else { Quantifier::Exists }, var(index));
        }
        let mut clauses = ClauseArena::new();
        for gate in vars..vars + gates {
            let mut input = || var(rng.random_range(0..gate)).lit(rng.random());
            let (output, a, b) = (var(gate).positive(), input(), input());
            [vec![!output, a], vec![!output, b], vec![output, !a, !b]].iter().for_each(|clause| clauses.push(clause));
        }
        for _ in 0..rng.random_range(0..=2 * vars) {
            let length = [1, 2, 3, 3, 4, 5][rng.random_range(0..6)];
            let lits: Vec<Lit> =
                (0..length).map(|_| var(rng.random_range(0..vars + gates)).lit(rng.random())).collect();
            clauses.push(&lits);
        }
        Qbf::new(&prefix, clauses).unwrap()
    }

    fn book(matrix: &Matrix, options: &AbstractionOptions, small: bool) -> Option<std::sync::Arc<Book>> {
        let engine = Abstraction { options: options.clone() };
        let wish = Wish { functions: Functions::Skolem, small, ..Wish::default() };
        let answer = engine.solve(matrix, wish, &Control::default(), &mut Statistics::default()).unwrap();
        assert_eq!(answer.book.is_some(), answer.verdict);
        answer.book
    }

    /// Whatever is found true follows from its rules, word by word, as the levels have written it down or derived once more.
    #[test]
    fn rules_confirm_what_is_true() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut found, mut saved, mut deep, mut resolvents, mut incomplete) = (0, 0, 0, 0, 0);
        for round in 0..8_000 {
            let matrix = Matrix::new(&random_qbf(&mut rng));
            let options = AbstractionOptions {
                circuits: round % 2 == 0,
                copies: round % 3 == 0,
                reason_minimisation: round % 5 > 0,
                ..AbstractionOptions::default()
            };
            let Some(book) = book(&matrix, &options, round % 7 > 2) else { continue };
            let numbers: Vec<u32> = (1..=matrix.clauses.len() as u32).collect();
            let mut confirmation = Confirmation::new();
            assert_eq!(book.write(&matrix, &numbers, &Control::default(), &mut confirmation), Ok(true));
            let clauses = matrix.clauses.iter();
            let original =
                clauses.map(|clause| matrix.original_lits(clause).iter().map(|lit| lit.to_dimacs()).collect());
            let clauses: Vec<Vec<i32>> = original.collect();
            let (picks, second) = (Vec::new(), Vec::new());
            let mut reader = Reader { matrix: &matrix, clauses, saved: Vec::new(), nodes: Vec::new(), picks, second };
            for (row, numbers) in confirmation.rows() {
                reader.read(row, numbers);
                resolvents += u32::from(row == ConfirmationRow::Resolvent);
            }
            reader.check_saved();
            assert!(reader.second.last().is_some_and(|(_, clause)| clause.is_empty()), "round {round}");
            found += 1;
            saved += u32::from(!reader.saved.is_empty());
            deep += u32::from(matrix.quantifiers.len() > 4);
            // Without the rules nothing follows.
            let Some(mut book) = std::sync::Arc::into_inner(book) else { continue };
            book.strategy.retain(|level| level + 1 < matrix.quantifiers.len());
            book.proofs.levels.iter_mut().for_each(|proof| *proof = None);
            let shown = book.write(&matrix, &numbers, &Control::default(), &mut confirmation);
            assert_eq!(shown, Ok(matrix.quantifiers.is_empty()), "round {round}");
            incomplete += u32::from(shown == Ok(false));
        }
        assert!(found > 2_000 && saved > 500 && deep > 200, "{found} {saved} {deep}");
        assert!(resolvents > 1_000 && incomplete > 1_000, "{resolvents} {incomplete}");
    }
}
