//! One quantifier level's abstraction: a SAT solver that knows which nodes its owner can make favourable.
//!
//! A node is *favourable* to the existential player if it is satisfied and to the universal player if it is not. The
//! solver has the level's variables, an input literal for each outer node that matters here (assumed as the play stands),
//! and an output literal for each node of the level that matters further in. Both kinds occur in one polarity only:
//! making a node favourable never hurts its owner. Everything is created when it is first needed.

use super::tree::{ClauseTree, Node};
use gamesat_core::formula::{Lit, Quantifier, Var};
use gamesat_sat::cdcl::Proof;
use gamesat_sat::{Backend, SatBackend};
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
    /// What the clauses of the solver are, in their order, if it writes down a proof.
    added: Option<Vec<Source>>,
}

/// What a clause of a universal level's solver is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// The condition of a rule of the level behind: not all of its nodes are satisfied.
    Rule(u32),
    /// A node is satisfied or this literal of it is false, or the node before it is not satisfied.
    Definition(Node, Option<Lit>),
}

/// Literals of formula variables and nodes in the solver of their own level. Each belongs to exactly one level, so that
/// two flat arrays serve all.
pub(super) struct Literals {
    pub(super) of_var: Vec<Option<Lit>>,
    pub(super) of_node: Vec<Option<Lit>>,
}

impl Level {
    /// A level without any knowledge. A universal one may write down proofs of what it finds out, if the backend can.
    pub(super) fn new(quantifier: Quantifier, backend: Backend, proves: bool) -> Self {
        let proves = proves && quantifier == Quantifier::Forall;
        Level {
            quantifier,
            solver: if proves { backend.create_with_proof() } else { backend.create() },
            added: proves.then(Vec::new),
            inputs: Vec::new(),
            input_of: FxHashMap::default(),
            known: Vec::new(),
            node_of: FxHashMap::default(),
            scratch: Vec::new(),
        }
    }

    /// Teaches the solver the condition of the last one of so many rules of the level behind.
    pub(super) fn add_rule(&mut self, clause: &[Lit], rules: usize) {
        self.solver.add_clause(clause);
        self.added.iter_mut().for_each(|added| added.push(Source::Rule(rules as u32 - 1)));
    }

    /// The proof of what was found out, and what its clauses are, if there is one.
    pub(super) fn into_proof(mut self) -> Option<(Proof, Vec<Source>)> {
        let added = self.added?;
        let (proof, calls) = self.solver.take_proof()?;
        debug_assert_eq!(added.len(), calls, "a clause is not accounted for");
        Some((proof, added))
    }

    /// Whether a node of a universal level has no literal of its own in the solver but is its only literal.
    pub(super) fn is_literal(node: Node, tree: &ClauseTree) -> bool {
        tree.parent(node).is_none() && tree.lits(node).len() == 1
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
                let own = tree.lits(node).iter().map(|&lit| Source::Definition(node, Some(lit)));
                let outer = tree.parent(node).map(|_| Source::Definition(node, None));
                self.added.iter_mut().for_each(|added| added.extend(own.clone().chain(outer)));
                output
            }
        };
        self.scratch = ways;
        literals.of_node[node.index()] = Some(output);
        output
    }
}
