//! From wins to a circuit. Each win is a rule "if these outer nodes are favourable, move so"; a level's rules, in the
//! order they were found, form a decision list. Any rule whose condition holds wins, so the first one will do, and the
//! search ended because the rules of each level cover every play that the levels before it allow.
//!
//! While the search lasts a win is written down as it is: values and reasons. What a rule [rests on](super::decisive) is found out when somebody asks
//! for it, and nobody asks for most rules.
//!
//! A rule speaks only of the variables that its win rests on; each of the others has its *usual* value, the one that most
//! rules give it that speak of it. So only the rules that ask for something unusual need a place in the list. If no other
//! rule is left, one of them must apply, and the last needs no condition.
//!
//! With a [circuit](super::super::circuit) a rule of the innermost level speaks only of what it picks. What it does not pick has no
//! usual value but follows in the circuit, whose clauses are saved one after the other.
//!
//! The engine works on universally reduced clauses. So before all other rules the universal player has those that
//! [falsify](Signals::falsify_reduced) what was taken from them.

use super::super::circuit;
use super::super::matrix::Matrix;
use super::super::signals::Signals;
use super::decisive::Decisive;
use super::tree::{ClauseTree, Node};
use gamesat_core::formula::{Aig, Lit, Quantifier, Var};
use gamesat_sat::cdcl::Step;

/// The rules of both players, level by level, in the order they were found.
#[derive(Debug)]
pub(super) struct Strategy {
    rules: Vec<Rules>,
}

/// A win of a level's owner.
pub(super) struct Win<'a> {
    /// Nodes before the level that are favourable: satisfied (existential) or not (universal).
    pub(super) condition: &'a [Node],
    /// Nodes of the level and before it that are favourable after the move, on which it rests that the levels behind are won. None at the
    /// innermost level.
    pub(super) reason: &'a [Node],
    /// What was done, if that is not just what satisfies the reason.
    pub(super) picks: Option<&'a [Lit]>,
    /// The step in the proof of the next level that says so, if there is one.
    pub(super) step: Option<Step>,
}

/// Rules of one level, in flat vectors.
#[derive(Debug)]
struct Rules {
    quantifier: Quantifier,
    /// Variables of the level.
    vars: Vec<Var>,
    conditions: Vec<Node>,
    reasons: Vec<Node>,
    picks: Vec<Lit>,
    /// The existential player's values, one bit for each variable of the level.
    values: Vec<u64>,
    steps: Vec<Option<Step>>,
    /// Where each rule ends in these.
    ends: Vec<Ends>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    conditions: usize,
    reasons: usize,
    values: usize,
    /// And whether there are picks instead of values.
    picks: usize,
    picked: bool,
}

impl Rules {
    fn new(quantifier: Quantifier) -> Self {
        let (conditions, reasons, vars) = (Vec::new(), Vec::new(), Vec::new());
        let (picks, values, steps, ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Rules { quantifier, vars, conditions, reasons, picks, values, steps, ends }
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn start(&self, index: usize) -> Ends {
        index.checked_sub(1).map_or(Ends::default(), |before| self.ends[before])
    }

    fn condition(&self, index: usize) -> &[Node] {
        &self.conditions[self.start(index).conditions..self.ends[index].conditions]
    }

    fn reason(&self, index: usize) -> &[Node] {
        &self.reasons[self.start(index).reasons..self.ends[index].reasons]
    }
}

/// Rules of one level with all of their moves.
struct Settled<'a> {
    rules: &'a Rules,
    moves: Vec<Lit>,
    ends: Vec<usize>,
}

impl Settled<'_> {
    fn len(&self) -> usize {
        self.ends.len()
    }

    /// The variables of all moves, each once.
    fn spoken_of(&self, vars: usize) -> Vec<Var> {
        let mut is_new = vec![true; vars];
        let moved = self.moves.iter().map(|lit| lit.var());
        moved.filter(|var| std::mem::replace(&mut is_new[var.index()], false)).collect()
    }

    fn rule(&self, index: usize) -> (&[Node], &[Lit]) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (self.rules.condition(index), &self.moves[start..self.ends[index]])
    }
}

impl Strategy {
    pub(super) fn new(matrix: &Matrix) -> Self {
        let mut rules: Vec<Rules> = matrix.quantifiers.iter().map(|&quantifier| Rules::new(quantifier)).collect();
        for (index, &level) in matrix.level_of.iter().enumerate() {
            rules.get_mut(level as usize).into_iter().for_each(|rules| rules.vars.push(Var::from_index(index)));
        }
        Strategy { rules }
    }

    /// The owner of a level wins by these values of its variables.
    pub(super) fn add(&mut self, level: usize, win: &Win<'_>, values: &[bool]) {
        let rules = &mut self.rules[level];
        rules.conditions.extend_from_slice(win.condition);
        rules.steps.push(win.step);
        match win.picks {
            Some(picks) => rules.picks.extend_from_slice(picks),
            None if rules.quantifier == Quantifier::Exists => {
                let bits = |vars: &[Var]| {
                    vars.iter().enumerate().fold(0, |word, (bit, var)| word | u64::from(values[var.index()]) << bit)
                };
                rules.values.extend(rules.vars.chunks(64).map(bits));
            }
            None => {}
        }
        rules.reasons.extend_from_slice(win.reason);
        rules.ends.push(Ends {
            conditions: rules.conditions.len(),
            reasons: rules.reasons.len(),
            values: rules.values.len(),
            picks: rules.picks.len(),
            picked: win.picks.is_some(),
        });
    }

    /// Forgets the rules of levels that are not wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(usize) -> bool) {
        let unwanted = self.rules.iter_mut().enumerate().filter(|&(level, _)| !is_wanted(level));
        unwanted.for_each(|(_, rules)| *rules = Rules::new(rules.quantifier));
    }

    /// How many rules the owner of a level has.
    pub(super) fn len(&self, level: usize) -> usize {
        self.rules[level].len()
    }

    /// How many rules the existential player has.
    pub(super) fn num_existential(&self) -> usize {
        let existential = self.rules.iter().filter(|rules| rules.quantifier == Quantifier::Exists);
        existential.map(Rules::len).sum()
    }

    /// Nodes before the level: if they are favourable, its owner wins by one of the rules.
    pub(super) fn condition(&self, level: usize, index: usize) -> &[Node] {
        self.rules[level].condition(index)
    }

    /// The conditions of all rules of a level.
    pub(super) fn conditions(&self, level: usize) -> impl Iterator<Item = &[Node]> {
        (0..self.len(level)).map(move |index| self.condition(level, index))
    }

    /// The reason of a rule, and the step in the proof of the next level that derives it, if there is one.
    pub(super) fn reason(&self, level: usize, index: usize) -> (&[Node], Option<Step>) {
        let rules = &self.rules[level];
        (rules.reason(index), rules.steps[index])
    }

    /// What the owner of a level does by one of its rules, as far as it matters.
    pub(super) fn moves(
        &self,
        level: usize,
        index: usize,
        tree: &ClauseTree,
        decisive: &mut Decisive,
        moves: &mut Vec<Lit>,
    ) {
        let rules = &self.rules[level];
        let (start, end) = (rules.start(index), rules.ends[index]);
        if end.picked {
            moves.extend_from_slice(&rules.picks[start.picks..end.picks]);
            return;
        }
        match rules.quantifier {
            Quantifier::Forall => decisive.of_universal(tree, level, rules.reason(index), moves),
            Quantifier::Exists => {
                let words = &rules.values[start.values..end.values];
                for (vars, word) in rules.vars.chunks(64).zip(words) {
                    for (bit, var) in vars.iter().enumerate() {
                        decisive.values[var.index()] = word >> bit & 1 == 1;
                    }
                }
                decisive.of_existential(tree, level, rules.reason(index), moves);
            }
        }
    }

    /// The rules of a level with all of their moves.
    fn settled(&self, level: usize, tree: &ClauseTree, decisive: &mut Decisive) -> Settled<'_> {
        let rules = &self.rules[level];
        let (mut moves, mut ends) = (Vec::new(), Vec::with_capacity(rules.len()));
        for index in 0..rules.len() {
            self.moves(level, index, tree, decisive, &mut moves);
            ends.push(moves.len());
        }
        Settled { rules, moves, ends }
    }

    /// The winner's functions; with a circuit, of the innermost level.
    pub(super) fn functions(
        &self,
        matrix: &Matrix,
        tree: &ClauseTree,
        innermost: Option<&circuit::Circuit>,
        verdict: bool,
    ) -> Aig {
        let signals = Signals::new(matrix, verdict);
        let mut circuit = Circuit { tree, satisfied: vec![None; tree.len()], signals };
        let mut decisive = Decisive::new(matrix.level_of.len());
        for (level, &quantifier) in matrix.quantifiers.iter().enumerate() {
            if !circuit.signals.wins(quantifier) {
                continue;
            }
            let (rules, vars) = (&self.settled(level, tree, &mut decisive), matrix.level_of.len());
            let is_last = level + 1 == matrix.quantifiers.len();
            match innermost {
                Some(gates) if is_last => {
                    circuit.pick(rules, vars);
                    circuit.save(gates, matrix);
                }
                _ => circuit.follow(rules, verdict, vars),
            }
            if !verdict {
                circuit.signals.falsify_reduced(matrix, level as u32);
            }
        }
        if !verdict {
            circuit.signals.falsify_reduced(matrix, Matrix::ABSENT);
        }
        circuit.signals.finish(matrix)
    }
}

/// The circuit under construction.
struct Circuit<'a> {
    tree: &'a ClauseTree,
    signals: Signals,
    /// Whether each node is satisfied, as far as somebody asked.
    satisfied: Vec<Option<Lit>>,
}

impl Circuit<'_> {
    /// Gives the variables of a level the values of the first rule that applies.
    fn follow(&mut self, rules: &Settled<'_>, verdict: bool, vars: usize) {
        let mut balance = vec![0i64; vars];
        for lit in &rules.moves {
            balance[lit.var().index()] += if lit.is_positive() { 1 } else { -1 };
        }
        let is_unusual = |lit: &&Lit| lit.is_positive() != (balance[lit.var().index()] > 0);
        let unusual = (0..rules.len()).filter(|&index| rules.rule(index).1.iter().any(|lit| is_unusual(&lit)));
        // Where each variable has not its usual value.
        let mut differs: Vec<Vec<Lit>> = vec![Vec::new(); vars];
        let mut earlier = Aig::FALSE;
        let mut condition = Vec::new();
        for (place, index) in unusual.enumerate() {
            let (nodes, moves) = rules.rule(index);
            let applies = if place + 1 == rules.len() {
                Aig::TRUE
            } else {
                condition.clear();
                for &node in nodes {
                    let signal = self.satisfied(node);
                    condition.push(if verdict { signal } else { !signal });
                }
                self.signals.all(&mut condition)
            };
            let chosen = self.signals.aig.and(applies, !earlier);
            for lit in moves.iter().filter(is_unusual) {
                differs[lit.var().index()].push(chosen);
            }
            earlier = self.signals.aig.or(earlier, applies);
        }
        for var in rules.spoken_of(vars) {
            let differs = self.signals.one_of(std::mem::take(&mut differs[var.index()]));
            self.signals.set(var, if balance[var.index()] > 0 { !differs } else { differs });
        }
    }

    /// Makes true what the first rule that applies picks.
    fn pick(&mut self, rules: &Settled<'_>, vars: usize) {
        let mut picked: Vec<Vec<Lit>> = vec![Vec::new(); vars];
        let mut earlier = Aig::FALSE;
        for index in 0..rules.len() {
            let (nodes, picks) = rules.rule(index);
            // One of them applies, so that the last needs no condition.
            let mut condition: Vec<Lit> = Vec::new();
            if index + 1 < rules.len() {
                condition.extend(nodes.iter().map(|&node| self.satisfied(node)));
            }
            let applies = self.signals.all(&mut condition);
            let chosen = self.signals.aig.and(applies, !earlier);
            for lit in picks.iter().filter(|lit| lit.is_positive()) {
                picked[lit.var().index()].push(chosen);
            }
            earlier = self.signals.aig.or(earlier, applies);
        }
        // What is not picked is false for now, and so is what is picked as false.
        for var in rules.spoken_of(vars) {
            let picked = self.signals.one_of(std::mem::take(&mut picked[var.index()]));
            self.signals.set(var, picked);
        }
    }

    /// Saves blocked clauses. One that is false has nothing that was picked, so that its literal is free to choose.
    fn save(&mut self, gates: &circuit::Circuit, matrix: &Matrix) {
        let levels = matrix.quantifiers.len();
        for (clause, lit) in gates.saved() {
            let outer = self.tree.end_of(clause as usize).and_then(|end| self.tree.parent(end));
            let is_inner = |other: Lit| matrix.level_of[other.var().index()] as usize + 1 == levels;
            let others = matrix.clauses[clause as usize].iter().filter(|&&other| other != lit && is_inner(other));
            let mut falsified: Vec<Lit> = others.map(|&other| self.signals.get(!other)).collect();
            // What rules speak of, so that nothing has to be found out about it here.
            falsified.extend(outer.map(|node| !self.satisfied(node)));
            let needed = self.signals.all(&mut falsified);
            let value = self.signals.get(lit);
            let value = self.signals.aig.or(value, needed);
            self.signals.set(lit.var(), if lit.is_negative() { !value } else { value });
        }
    }

    /// Whether the node is satisfied, as a signal. The chain of parents is walked with a stack.
    fn satisfied(&mut self, node: Node) -> Lit {
        let mut chain = vec![node];
        let mut signal = loop {
            let last = chain[chain.len() - 1];
            if let Some(signal) = self.satisfied[last.index()] {
                chain.pop();
                break signal;
            }
            match self.tree.parent(last) {
                Some(parent) => chain.push(parent),
                None => break Aig::FALSE,
            }
        };
        for node in chain.into_iter().rev() {
            for lit in self.tree.lits(node) {
                let value = self.signals.get(*lit);
                signal = self.signals.aig.or(signal, value);
            }
            self.satisfied[node.index()] = Some(signal);
        }
        signal
    }
}
