//! From wins to a circuit. Each win is a rule "if these outer nodes are favourable, move so"; a level's rules, in the
//! order they were found, form a decision list. Any rule whose condition holds wins, so the first one will do, and the
//! search ended because the rules of each level cover every play that the levels before it allow.
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
use super::tree::{ClauseTree, Node};
use crate::formula::{Advice, Aig, Lit, Var};

/// Rules that a judge goes through without advice.
const FEW: usize = 16;

/// The rules of both players, level by level, in the order they were found.
#[derive(Debug)]
pub(super) struct Strategy {
    rules: Vec<Rules>,
}

/// Rules of one level, in flat vectors.
#[derive(Debug, Default)]
struct Rules {
    /// Nodes before the level, all satisfied (existential) or all unsatisfied (universal).
    conditions: Vec<Node>,
    /// What the level's owner then does, as far as it matters.
    moves: Vec<Lit>,
    /// Nodes of the level and before it: if all of them are satisfied after the move, the existential player wins the rest. None at the
    /// innermost level; the universal player's are not kept.
    reasons: Vec<Node>,
    /// Where each rule ends in all of these.
    ends: Vec<Ends>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    conditions: usize,
    moves: usize,
    reasons: usize,
}

impl Rules {
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
        let (start, end) = (self.start(index), self.ends[index]);
        (&self.conditions[start.conditions..end.conditions], &self.moves[start.moves..end.moves])
    }

    fn start(&self, index: usize) -> Ends {
        index.checked_sub(1).map_or(Ends::default(), |before| self.ends[before])
    }
}

impl Strategy {
    pub(super) fn new(matrix: &Matrix) -> Self {
        Strategy { rules: matrix.quantifiers.iter().map(|_| Rules::default()).collect() }
    }

    /// The owner of a level wins by these literals of the level if the nodes are favourable. The existential player has a reason: nodes that
    /// are satisfied then, on which it rests that the levels behind are won.
    pub(super) fn add(&mut self, level: usize, condition: &[Node], moves: &[Lit], reason: &[Node]) {
        let rules = &mut self.rules[level];
        rules.conditions.extend_from_slice(condition);
        rules.moves.extend_from_slice(moves);
        rules.reasons.extend_from_slice(reason);
        let (conditions, moves, reasons) = (rules.conditions.len(), rules.moves.len(), rules.reasons.len());
        rules.ends.push(Ends { conditions, moves, reasons });
    }

    /// Forgets the rules of levels that are not wanted.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(usize) -> bool) {
        let unwanted = self.rules.iter_mut().enumerate().filter(|&(level, _)| !is_wanted(level));
        unwanted.for_each(|(_, rules)| *rules = Rules::default());
    }

    /// How many rules the owner of a level has.
    pub(super) fn len(&self, level: usize) -> usize {
        self.rules[level].len()
    }

    /// One of the rules that the owner of a level has, as one of [all](Self::rules).
    pub(super) fn rule(&self, level: usize, index: usize) -> (&[Node], &[Lit]) {
        self.rules[level].rule(index)
    }

    /// The reason of one of the existential player's rules.
    pub(super) fn reason(&self, level: usize, index: usize) -> &[Node] {
        let rules = &self.rules[level];
        &rules.reasons[rules.start(index).reasons..rules.ends[index].reasons]
    }

    /// The rules that the owner of a level has: if these nodes are favourable, it wins by these literals.
    pub(super) fn rules(&self, level: usize) -> impl Iterator<Item = (&[Node], &[Lit])> {
        let rules = &self.rules[level];
        (0..rules.len()).map(|index| rules.rule(index))
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
        let is_advised = verdict && self.rules.iter().any(|rules| rules.len() >= FEW);
        for (level, &quantifier) in matrix.quantifiers.iter().enumerate() {
            if !circuit.signals.wins(quantifier) {
                continue;
            }
            let (rules, vars) = (&self.rules[level], matrix.level_of.len());
            let is_last = level + 1 == matrix.quantifiers.len();
            let order = match innermost {
                Some(gates) if is_last => {
                    circuit.pick(rules, vars);
                    circuit.save(gates, matrix);
                    (0..rules.len()).collect()
                }
                _ => circuit.follow(rules, verdict, vars),
            };
            if is_advised {
                circuit.advise(rules, &order, matrix, level);
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
    /// Gives the variables of a level the values of the first rule that applies. Returns the order in which the rules count.
    fn follow(&mut self, rules: &Rules, verdict: bool, vars: usize) -> Vec<usize> {
        let mut balance = vec![0i64; vars];
        for lit in &rules.moves {
            balance[lit.var().index()] += if lit.is_positive() { 1 } else { -1 };
        }
        let is_unusual = |lit: &&Lit| lit.is_positive() != (balance[lit.var().index()] > 0);
        let (unusual, usual): (Vec<usize>, Vec<usize>) =
            (0..rules.len()).partition(|&index| rules.rule(index).1.iter().any(|lit| is_unusual(&lit)));
        // Where each variable has not its usual value.
        let mut differs: Vec<Vec<Lit>> = vec![Vec::new(); vars];
        let mut earlier = Aig::FALSE;
        let mut condition = Vec::new();
        for (place, &index) in unusual.iter().enumerate() {
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
        unusual.into_iter().chain(usual).collect()
    }

    /// Makes true what the first rule that applies picks.
    fn pick(&mut self, rules: &Rules, vars: usize) {
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

    /// Names the rules of a level as cases, in the order in which they count, and claims the clauses that end there, as far as
    /// rules know them: by nodes. Whatever the outer levels do, the first rule that applies satisfies each of these; that one applies is what
    /// they have seen to.
    fn advise(&mut self, rules: &Rules, order: &[usize], matrix: &Matrix, level: usize) {
        let mut is_new = vec![true; self.tree.len()];
        let (mut cases, mut earlier) = (Vec::new(), Aig::FALSE);
        for &index in order {
            let mut condition = Vec::new();
            for &node in rules.rule(index).0 {
                condition.push(self.satisfied(node));
                self.define(node, &mut is_new);
            }
            let applies = self.signals.all(&mut condition);
            earlier = self.signals.aig.or(earlier, applies);
            cases.push(earlier);
        }
        let ending: Vec<(usize, Node)> = (0..matrix.clauses.len())
            .filter_map(|clause| Some((clause, self.tree.end_of(clause)?)))
            .filter(|&(_, end)| self.tree.level(end) == level)
            .collect();
        let outer: Vec<Node> = ending.iter().filter_map(|&(_, end)| self.tree.parent(end)).collect();
        outer.into_iter().for_each(|node| self.define(node, &mut is_new));
        self.signals.aig.advise(Advice::Cases(cases));
        for &(_, end) in &ending {
            let outer = self.tree.parent(end).map(|node| self.satisfied(node));
            let own = self.tree.lits(end).iter().map(|&lit| self.signals.get(lit));
            self.signals.aig.advise(Advice::Claim(outer.into_iter().chain(own).collect()));
        }
        for &(clause, _) in &ending {
            let signals = matrix.clauses[clause].iter().map(|&lit| self.signals.get(lit)).collect();
            self.signals.aig.advise(Advice::Lemma(signals));
        }
    }

    /// Says what a satisfied node and those before it mean, so that nobody has to look for it among the gates that read a literal.
    fn define(&mut self, node: Node, is_new: &mut [bool]) {
        let mut next = Some(node);
        while let Some(node) = next.filter(|node| std::mem::replace(&mut is_new[node.index()], false)) {
            next = self.tree.parent(node);
            let mut lemma = vec![!self.satisfied(node)];
            lemma.extend(next.map(|parent| self.satisfied(parent)));
            lemma.extend(self.tree.lits(node).iter().map(|&lit| self.signals.get(lit)));
            self.signals.aig.advise(Advice::Lemma(lemma));
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
