//! From wins to a circuit. Each win is a rule "if these outer nodes are favourable, move so"; a level's rules, in the
//! order they were found, form a decision list. Any rule whose condition holds wins, so the first one will do, and the
//! search ended because the rules of each level cover every play that the levels before it allow.
//!
//! The engine works on universally reduced clauses. So before all other rules the universal player has these: if a reduced
//! clause is falsified, falsify what was taken from it. Among several falsified clauses the first one counts; since all
//! that was taken from a clause is quantified after the rest of it, a clause that newly becomes the first one has lost
//! nothing yet.

use super::super::certificate::{Aig, Certificate, Signal};
use super::super::matrix::Matrix;
use super::tree::{ClauseTree, Node};
use crate::formula::{Qbf, Quantifier, Var};

/// The rules of both players, level by level, in the order they were found.
pub(super) struct Strategy {
    rules: Vec<Vec<Rule>>,
    /// Variables of each level.
    vars: Vec<Vec<Var>>,
}

struct Rule {
    /// Nodes before the level, all satisfied (existential) or all unsatisfied (universal).
    condition: Vec<Node>,
    /// The level's move; variables that are missing are false.
    positive: Vec<Var>,
}

impl Strategy {
    pub(super) fn new(matrix: &Matrix) -> Self {
        let levels = matrix.quantifiers.len();
        let mut vars = vec![Vec::new(); levels];
        for (var, &level) in matrix.level_of.iter().enumerate().filter(|&(_, &level)| level != Matrix::ABSENT) {
            vars[level as usize].push(Var::from_index(var));
        }
        Strategy { rules: (0..levels).map(|_| Vec::new()).collect(), vars }
    }

    /// The owner of a level wins by these values if the nodes are favourable.
    pub(super) fn add(&mut self, level: usize, condition: &[Node], values: &[bool]) {
        let positive = self.vars[level].iter().copied().filter(|var| values[var.index()]).collect();
        self.rules[level].push(Rule { condition: condition.to_vec(), positive });
    }

    /// The winner's functions.
    pub(super) fn certificate(&self, qbf: &Qbf, matrix: &Matrix, tree: &ClauseTree, verdict: bool) -> Certificate {
        let (inputs, winners) = Certificate::sides(qbf, verdict);
        let mut aig = Aig::new(inputs.len());
        // The signal of every variable, by dense number; the winner's are false until a rule says otherwise.
        let mut signals: Vec<Signal> = vec![Aig::FALSE; matrix.original.len()];
        let winner = if verdict { Quantifier::Exists } else { Quantifier::Forall };
        let mut next_input = 0;
        for (dense, (quantifier, _)) in qbf.prefix().quantified().enumerate() {
            if quantifier != winner {
                next_input += 2;
                signals[dense] = next_input;
            }
        }
        let mut satisfied: Vec<Option<Signal>> = vec![None; tree.len()];
        for level in (0..matrix.quantifiers.len()).filter(|&level| matrix.quantifiers[level] == winner) {
            let mut earlier = Aig::FALSE;
            for rule in &self.rules[level] {
                let mut applies = Aig::TRUE;
                for &node in &rule.condition {
                    let signal = signal_of(node, tree, &signals, &mut satisfied, &mut aig);
                    applies = aig.and(applies, if verdict { signal } else { signal ^ 1 });
                }
                let chosen = aig.and(applies, earlier ^ 1);
                for var in &rule.positive {
                    let signal = &mut signals[var.index()];
                    *signal = aig.or(*signal, chosen);
                }
                earlier = aig.or(earlier, applies);
            }
            if !verdict {
                falsify_reduced(level as u32, matrix, tree, &mut signals, &mut satisfied, &mut aig);
            }
        }
        if !verdict {
            falsify_reduced(Matrix::ABSENT, matrix, tree, &mut signals, &mut satisfied, &mut aig);
        }
        let dense = qbf.prefix().quantified().enumerate().filter(|(_, (quantifier, _))| *quantifier == winner);
        let outputs = dense.zip(winners).map(|((dense, _), var)| (var, signals[dense])).collect();
        Certificate::new(aig, inputs, outputs)
    }
}

/// Puts the rules for reduced clauses in front of the universal player's others, for the variables of one level (before
/// any node that mentions them is asked for).
fn falsify_reduced(
    level: u32,
    matrix: &Matrix,
    tree: &ClauseTree,
    signals: &mut [Signal],
    satisfied: &mut [Option<Signal>],
    aig: &mut Aig,
) {
    // By variable: the clauses from which it was taken. All clauses that end before a variable's place count for it.
    let with_reduced: Vec<usize> = (0..matrix.clauses.len()).filter(|&i| !matrix.reduced[i].is_empty()).collect();
    let mut taken: Vec<usize> =
        with_reduced.iter().flat_map(|&i| &matrix.reduced[i]).map(|l| l.var().index()).collect();
    taken.retain(|&var| matrix.level_of[var] == level);
    taken.sort_unstable();
    taken.dedup();
    let before = |clause: usize, var: usize| matrix.clauses[clause].last().is_none_or(|last| last.var().index() < var);
    for var in taken {
        let (mut earlier, mut value) = (Aig::FALSE, Aig::FALSE);
        for &clause in with_reduced.iter().filter(|&&clause| before(clause, var)) {
            let node = tree.end_of(clause);
            let is_satisfied = node.map_or(Aig::FALSE, |node| signal_of(node, tree, signals, satisfied, aig));
            if matrix.reduced[clause].contains(&Var::from_index(var).negative()) {
                let chosen = aig.and(is_satisfied ^ 1, earlier ^ 1);
                value = aig.or(value, chosen);
            }
            earlier = aig.or(earlier, is_satisfied ^ 1);
        }
        let otherwise = aig.and(signals[var], earlier ^ 1);
        signals[var] = aig.or(value, otherwise);
    }
}

/// Whether the node is satisfied, as a signal. The chain of parents is walked with a stack.
fn signal_of(
    node: Node,
    tree: &ClauseTree,
    signals: &[Signal],
    satisfied: &mut [Option<Signal>],
    aig: &mut Aig,
) -> Signal {
    let mut chain = vec![node];
    while let Some(parent) = tree.parent(chain[chain.len() - 1]).filter(|parent| satisfied[parent.index()].is_none()) {
        chain.push(parent);
    }
    let mut signal = tree.parent(chain[chain.len() - 1]).and_then(|p| satisfied[p.index()]).unwrap_or(Aig::FALSE);
    for node in chain.into_iter().rev() {
        if satisfied[node.index()].is_none() {
            for lit in tree.lits(node) {
                signal = aig.or(signal, signals[lit.var().index()] ^ u32::from(lit.is_negative()));
            }
            satisfied[node.index()] = Some(signal);
        }
        signal = satisfied[node.index()].unwrap_or(signal);
    }
    signal
}
