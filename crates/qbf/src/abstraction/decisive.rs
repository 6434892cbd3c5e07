//! What a win rests on: the literals of the winner's move by which a reason is carried past it. They are one true literal for each node that an
//! existential move satisfies, or every literal of the nodes that a universal move leaves unsatisfied.

use super::tree::{ClauseTree, Node};
use gamesat_core::formula::Lit;

/// Finds the literals; scratch memory is kept from one move to the next.
#[derive(Debug)]
pub(super) struct Decisive {
    /// By variable: whether one of its literals was found.
    is_found: Vec<bool>,
    nodes: Vec<Node>,
    /// By variable: its value, for whoever has to spell it out.
    pub(super) values: Vec<bool>,
}

impl Decisive {
    pub(super) fn new(vars: usize) -> Self {
        Decisive { is_found: vec![false; vars], nodes: Vec::new(), values: vec![false; vars] }
    }

    /// Of a universal move at a level.
    pub(super) fn of_universal(&mut self, tree: &ClauseTree, level: usize, reason: &[Node], moves: &mut Vec<Lit>) {
        let begin = moves.len();
        for &node in reason.iter().filter(|&&node| tree.level(node) == level) {
            for &lit in tree.lits(node) {
                if !std::mem::replace(&mut self.is_found[lit.var().index()], true) {
                    moves.push(!lit);
                }
            }
        }
        self.forget(&moves[begin..]);
    }

    /// Of an existential move at a level, by the values that are spelt out. It satisfies the clauses that end there as well.
    pub(super) fn of_existential(&mut self, tree: &ClauseTree, level: usize, reason: &[Node], moves: &mut Vec<Lit>) {
        let begin = moves.len();
        self.nodes.clear();
        let (is_found, values) = (&mut self.is_found, &self.values);
        let is_true = |&lit: &Lit| values[lit.var().index()] == lit.is_positive();
        // First what has no choice. The others are kept for later.
        let own = reason.iter().filter(|&&node| tree.level(node) == level);
        for &node in own.chain(tree.ends_at(level)) {
            let mut candidates = tree.lits(node).iter().copied().filter(is_true);
            let Some(first) = candidates.next() else { continue };
            if candidates.next().is_some() {
                self.nodes.push(node);
            } else if !std::mem::replace(&mut is_found[first.var().index()], true) {
                moves.push(first);
            }
        }
        // Then whatever is still open.
        for &node in &self.nodes {
            let mut candidates = tree.lits(node).iter().copied().filter(is_true);
            let Some(first) = candidates.next() else { continue };
            if !is_found[first.var().index()] && !candidates.any(|lit| is_found[lit.var().index()]) {
                is_found[first.var().index()] = true;
                moves.push(first);
            }
        }
        self.forget(&moves[begin..]);
    }

    fn forget(&mut self, moves: &[Lit]) {
        moves.iter().for_each(|lit| self.is_found[lit.var().index()] = false);
    }
}
