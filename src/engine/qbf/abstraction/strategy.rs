//! From wins to a circuit. Each win is a rule "if these outer nodes are favourable, move so"; a level's rules, in the
//! order they were found, form a decision list. Any rule whose condition holds wins, so the first one will do, and the
//! search ended because the rules of each level cover every play that the levels before it allow.
//!
//! What no rule needs is decided by what makes the circuit small: a variable has the value that most rules give it unless
//! a rule applies that gives it the other one, and the conditions of rules, which have much in common, are conjoined in
//! one order.
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
            circuit.follow(&self.rules[level], &self.vars[level], verdict);
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
    fn follow(&mut self, rules: &[Rule], vars: &[Var], verdict: bool) {
        // In how many rules each variable is true.
        let mut counts = vec![0; self.signals.len()];
        rules.iter().flat_map(|rule| &rule.positive).for_each(|var| counts[var.index()] += 1);
        let usually = |var: Var| 2 * counts[var.index()] > rules.len();
        // Where a variable differs from its usual value.
        let mut differs = vec![Aig::FALSE; self.signals.len()];
        let mut is_positive = vec![false; self.signals.len()];
        let mut earlier = Aig::FALSE;
        let mut condition = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            condition.clear();
            for &node in &rule.condition {
                let signal = self.satisfied(node);
                condition.push(if verdict { signal } else { !signal });
            }
            condition.sort_unstable();
            let applies = condition.iter().fold(Aig::TRUE, |all, &signal| self.aig.and(all, signal));
            // The rules cover all plays that matter, so that the last one needs no condition.
            let chosen = if index + 1 == rules.len() { !earlier } else { self.aig.and(applies, !earlier) };
            rule.positive.iter().for_each(|var| is_positive[var.index()] = true);
            for &var in vars.iter().filter(|&&var| is_positive[var.index()] != usually(var)) {
                differs[var.index()] = self.aig.or(differs[var.index()], chosen);
            }
            rule.positive.iter().for_each(|var| is_positive[var.index()] = false);
            earlier = self.aig.or(earlier, applies);
        }
        for &var in vars {
            let differs = differs[var.index()];
            self.signals[var.index()] = if usually(var) { !differs } else { differs };
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
