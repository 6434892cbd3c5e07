//! One quantifier level's abstraction: a SAT solver that knows which nodes its owner can make favourable.
//!
//! A node is *favourable* to the existential player if it is satisfied and to the universal player if it is not. The
//! solver has the level's variables, an input literal for each outer node that matters here (assumed as the play stands),
//! and an output literal for each node of the level that matters further in. Both kinds occur in one polarity only:
//! making a node favourable never hurts its owner. Everything is created when it is first needed.

use super::tree::{ClauseTree, Node};
use crate::formula::{Lit, Quantifier, Var};
use crate::sat::{Backend, SatBackend};
use rustc_hash::FxHashMap;

pub(super) struct Level {
    pub(super) quantifier: Quantifier,
    pub(super) solver: Box<dyn SatBackend>,
    /// Outer nodes with their literals, outermost first: the play changes least there, and the solver keeps its state
    /// for assumptions that stay.
    pub(super) inputs: Vec<(Node, Lit)>,
    input_of: FxHashMap<Node, Lit>,
    /// Formula variables that the solver knows, with its own.
    pub(super) known: Vec<(Var, Var)>,
    /// What each solver variable stands for, if it is an input.
    pub(super) node_of: FxHashMap<Var, Node>,
    scratch: Vec<Lit>,
}

/// Literals of formula variables and nodes in the solver of their own level. Each belongs to exactly one level, so that
/// two flat arrays serve all.
pub(super) struct Literals {
    pub(super) of_var: Vec<Option<Lit>>,
    pub(super) of_node: Vec<Option<Lit>>,
}

impl Level {
    pub(super) fn new(quantifier: Quantifier, backend: Backend) -> Self {
        Level {
            quantifier,
            solver: backend.create(),
            inputs: Vec::new(),
            input_of: FxHashMap::default(),
            known: Vec::new(),
            node_of: FxHashMap::default(),
            scratch: Vec::new(),
        }
    }

    /// The solver's literal for a literal of this level; `values` says which value to prefer.
    pub(super) fn own(&mut self, lit: Lit, literals: &mut Literals, values: &[bool]) -> Lit {
        let solver = &mut self.solver;
        let known = &mut self.known;
        let positive = *literals.of_var[lit.var().index()].get_or_insert_with(|| {
            let var = solver.new_var();
            solver.set_phase(var.lit(values[lit.var().index()]));
            known.push((lit.var(), var));
            var.positive()
        });
        if lit.is_positive() { positive } else { !positive }
    }

    /// The literal that is true only if this outer node is favourable.
    pub(super) fn input(&mut self, node: Node, tree: &ClauseTree) -> Lit {
        if let Some(&lit) = self.input_of.get(&node) {
            return lit;
        }
        let var = self.solver.new_var();
        let lit = var.positive();
        self.input_of.insert(node, lit);
        self.node_of.insert(var, node);
        let place = self.inputs.partition_point(|&(other, _)| tree.level(other) <= tree.level(node));
        self.inputs.insert(place, (node, lit));
        lit
    }

    /// The literal that is true only if this node of the level is favourable after the level's move.
    pub(super) fn output(&mut self, node: Node, tree: &ClauseTree, literals: &mut Literals, values: &[bool]) -> Lit {
        if let Some(lit) = literals.of_node[node.index()] {
            return lit;
        }
        let mut ways = std::mem::take(&mut self.scratch);
        ways.clear();
        for &lit in tree.lits(node) {
            let wanted = if self.quantifier == Quantifier::Exists { lit } else { !lit };
            ways.push(self.own(wanted, literals, values));
        }
        if let Some(parent) = tree.parent(node) {
            ways.push(self.input(parent, tree));
        }
        let output = match (&ways[..], self.quantifier) {
            (&[only], _) => only,
            (_, Quantifier::Exists) => {
                let output = self.solver.new_var().positive();
                ways.push(!output);
                self.solver.add_clause(&ways);
                output
            }
            (_, Quantifier::Forall) => {
                let output = self.solver.new_var().positive();
                ways.iter().for_each(|&lit| self.solver.add_clause(&[!output, lit]));
                output
            }
        };
        self.scratch = ways;
        literals.of_node[node.index()] = Some(output);
        output
    }
}
