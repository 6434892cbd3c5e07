//! From wins to a circuit. Each win is a rule "if these outer nodes are favourable, move so"; a level's rules, in the
//! order they were found, form a decision list. Any rule whose condition holds wins, so the first one will do, and the
//! search ended because the rules of each level cover every play that the levels before it allow.
//!
//! A rule speaks only of the variables that its win rests on; each of the others has its *usual* value, the one that most
//! rules give it that speak of it. So only the rules that ask for something unusual need a place in the list. If no other
//! rule is left, one of them must apply, and the last needs no condition.
//!
//! The engine works on universally reduced clauses. So before all other rules the universal player has these: if a reduced
//! clause is falsified, falsify what was taken from it. Among several falsified clauses the first one counts; since all
//! that was taken from a clause is quantified after the rest of it, a clause that newly becomes the first one has lost
//! nothing yet.

use super::super::matrix::Matrix;
use super::tree::{ClauseTree, Node};
use crate::formula::{Aig, Lit, Quantifier, Var};

/// The rules of both players, level by level, in the order they were found.
pub(super) struct Strategy {
    rules: Vec<Rules>,
}

/// Rules of one level, in two flat vectors.
#[derive(Default)]
struct Rules {
    /// Nodes before the level, all satisfied (existential) or all unsatisfied (universal).
    conditions: Vec<Node>,
    /// What the level's owner then does, as far as it matters.
    moves: Vec<Lit>,
    /// Where each rule ends in both.
    ends: Vec<(usize, usize)>,
}

impl Rules {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn rule(&self, index: usize) -> (&[Node], &[Lit]) {
        let (condition, moves) = index.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        (&self.conditions[condition..self.ends[index].0], &self.moves[moves..self.ends[index].1])
    }
}

impl Strategy {
    pub(super) fn new(matrix: &Matrix) -> Self {
        Strategy { rules: matrix.quantifiers.iter().map(|_| Rules::default()).collect() }
    }

    /// The owner of a level wins by these literals of the level if the nodes are favourable.
    pub(super) fn add(&mut self, level: usize, condition: &[Node], moves: &[Lit]) {
        let rules = &mut self.rules[level];
        rules.conditions.extend_from_slice(condition);
        rules.moves.extend_from_slice(moves);
        rules.ends.push((rules.conditions.len(), rules.moves.len()));
    }

    /// The winner's functions.
    pub(super) fn functions(&self, matrix: &Matrix, tree: &ClauseTree, verdict: bool) -> Aig {
        let winner = if verdict { Quantifier::Exists } else { Quantifier::Forall };
        let side = |wins| {
            let prefix = matrix.original.iter().enumerate();
            prefix
                .filter(move |(_, (quantifier, _))| (*quantifier == winner) == wins)
                .map(|(dense, &(_, var))| (dense, var))
        };
        let mut circuit = Circuit {
            matrix,
            tree,
            satisfied: vec![None; tree.len()],
            signals: vec![Aig::FALSE; matrix.original.len()],
            aig: Aig::new(side(false).map(|(_, var)| var).collect()),
        };
        for (input, (dense, _)) in side(false).enumerate() {
            circuit.signals[dense] = circuit.aig.input(input);
        }
        for level in (0..matrix.quantifiers.len()).filter(|&level| matrix.quantifiers[level] == winner) {
            circuit.follow(&self.rules[level], verdict);
            if !verdict {
                circuit.falsify_reduced(level as u32);
            }
        }
        if !verdict {
            circuit.falsify_reduced(Matrix::ABSENT);
        }
        let Circuit { mut aig, signals, .. } = circuit;
        for (dense, var) in side(true) {
            aig.output(var, signals[dense]);
        }
        aig.retain_used();
        aig
    }
}

/// The circuit under construction.
struct Circuit<'a> {
    matrix: &'a Matrix,
    tree: &'a ClauseTree,
    aig: Aig,
    /// The signal of every variable, by dense number; the winner's are false until a rule says otherwise.
    signals: Vec<Lit>,
    /// Whether each node is satisfied, as far as somebody asked.
    satisfied: Vec<Option<Lit>>,
}

impl Circuit<'_> {
    /// Gives the variables of a level the values of the first rule that applies.
    fn follow(&mut self, rules: &Rules, verdict: bool) {
        let mut balance = vec![0i64; self.signals.len()];
        for lit in &rules.moves {
            balance[lit.var().index()] += if lit.is_positive() { 1 } else { -1 };
        }
        let is_unusual = |lit: &&Lit| lit.is_positive() != (balance[lit.var().index()] > 0);
        let unusual: Vec<usize> =
            (0..rules.len()).filter(|&index| rules.rule(index).1.iter().any(|lit| is_unusual(&lit))).collect();
        // Where each variable has not its usual value.
        let mut differs = vec![Aig::FALSE; self.signals.len()];
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
                // In one order, because conditions have much in common.
                condition.sort_unstable();
                condition.iter().fold(Aig::TRUE, |all, &signal| self.aig.and(all, signal))
            };
            let chosen = self.aig.and(applies, !earlier);
            for lit in moves.iter().filter(is_unusual) {
                let differs = &mut differs[lit.var().index()];
                *differs = self.aig.or(*differs, chosen);
            }
            earlier = self.aig.or(earlier, applies);
        }
        for var in rules.moves.iter().map(|lit| lit.var()) {
            let differs = differs[var.index()];
            self.signals[var.index()] = if balance[var.index()] > 0 { !differs } else { differs };
        }
    }

    /// Puts the rules for reduced clauses in front of the universal player's others, for the variables of one level (before
    /// any node that mentions them is asked for).
    fn falsify_reduced(&mut self, level: u32) {
        let (matrix, tree) = (self.matrix, self.tree);
        // By variable: the clauses from which it was taken. All clauses that end before a variable's place count for it.
        let with_reduced: Vec<usize> = (0..matrix.clauses.len()).filter(|&i| !matrix.reduced[i].is_empty()).collect();
        let mut taken: Vec<usize> =
            with_reduced.iter().flat_map(|&i| &matrix.reduced[i]).map(|l| l.var().index()).collect();
        taken.retain(|&var| matrix.level_of[var] == level);
        taken.sort_unstable();
        taken.dedup();
        let before =
            |clause: usize, var: usize| matrix.clauses[clause].last().is_none_or(|last| last.var().index() < var);
        for var in taken {
            let (mut earlier, mut value) = (Aig::FALSE, Aig::FALSE);
            for &clause in with_reduced.iter().filter(|&&clause| before(clause, var)) {
                let satisfied = tree.end_of(clause).map_or(Aig::FALSE, |node| self.satisfied(node));
                if matrix.reduced[clause].contains(&Var::from_index(var).negative()) {
                    let chosen = self.aig.and(!satisfied, !earlier);
                    value = self.aig.or(value, chosen);
                }
                earlier = self.aig.or(earlier, !satisfied);
            }
            let otherwise = self.aig.and(self.signals[var], !earlier);
            self.signals[var] = self.aig.or(value, otherwise);
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
                let value = self.signals[lit.var().index()];
                signal = self.aig.or(signal, if lit.is_negative() { !value } else { value });
            }
            self.satisfied[node.index()] = Some(signal);
        }
        signal
    }
}
