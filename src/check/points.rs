//! Points: variables that stand for nodes of a certificate, so that the diagram of one function need not contain those of others.
//!
//! A *point* is a variable of the formula, or a node that behaves like one: it selects between two others, again and again, as
//! variables do in decision diagrams. Such nodes are what functions were before something was added to them, for instance for a
//! clause that had been removed before the formula was solved. A point that is no open variable of the formula has a function.
//!
//! Points leave in an order: the inner blocks first; in a block what was made last in the certificate, and open variables at the end.
//! In the function of a point only points stand that leave later. **Functions read no open variable that left before**: a
//! variable's function reads what is quantified before it, and open variables of its block leave later. A node is of the outermost
//! block that has a function of which it is part, so what it reads is quantified before that function's variable.

use crate::formula::{Aig, Lit, Var};
use rustc_hash::FxHashMap;

/// How often a node has to select to be a point.
const SELECTS: u32 = 2;

/// The points of a certificate. The first ones are the variables of the formula, by their places in the prefix.
pub(super) struct Points<'a> {
    certificate: &'a Aig,
    /// The function of each point; none if it is open.
    functions: Vec<Option<Lit>>,
    blocks: Vec<u32>,
    /// When each point leaves: those of the highest rank first.
    ranks: Vec<u32>,
    /// The point of the lowest rank that a node or its negation is the function of, and whether it is the negation.
    standing: Vec<Option<(usize, bool)>>,
}

impl<'a> Points<'a> {
    /// `blocks` are those of the formula's variables, by place. The functions of the certificate must be for variables of one
    /// player that stand behind all that they read.
    pub(super) fn new(certificate: &'a Aig, blocks: &[u32], places: &FxHashMap<Var, usize>) -> Self {
        let mut functions: Vec<Option<Lit>> = vec![None; blocks.len()];
        for &(var, signal) in certificate.outputs() {
            functions[places[&var]] = Some(signal);
        }
        let standing = vec![None; certificate.num_nodes()];
        let mut points = Points { certificate, functions, blocks: blocks.to_vec(), ranks: Vec::new(), standing };
        // Where functions read each other by name, a node's number does not say what was made before, but the prefix does.
        let is_named = certificate.inputs().iter().any(|var| points.functions[places[var]].is_some());
        if !is_named {
            points.add_selecting();
        }
        let made = |point: usize| match points.functions[point] {
            None => 0,
            Some(_) if is_named => 1 + point,
            Some(signal) => 1 + signal.var().index(),
        };
        let mut order: Vec<usize> = (0..points.functions.len()).collect();
        order.sort_by_key(|&point| (points.blocks[point], made(point), point));
        points.ranks = vec![0; order.len()];
        for (rank, &point) in (0..).zip(&order) {
            points.ranks[point] = rank;
        }
        for &point in order.iter().rev() {
            if let Some(signal) = points.functions[point] {
                points.standing[signal.var().index()] = Some((point, signal.is_negative()));
            }
        }
        // The constant stands for itself, and so do the variables that are read by name.
        points.standing[Aig::FALSE.var().index()] = None;
        for (index, var) in certificate.inputs().iter().enumerate() {
            points.standing[certificate.input(index).var().index()] = Some((places[var], false));
        }
        points
    }

    /// Makes points of nodes that select and are no variable's function.
    fn add_selecting(&mut self) {
        let mut is_function = vec![false; self.certificate.num_nodes()];
        let mut outermost = vec![u32::MAX; self.certificate.num_nodes()];
        for (function, &block) in self.functions.iter().zip(&self.blocks) {
            if let Some(signal) = function {
                let node = signal.var().index();
                is_function[node] = true;
                outermost[node] = outermost[node].min(block);
            }
        }
        let first = 1 + self.certificate.inputs().len();
        let mut selects = vec![0; self.certificate.num_nodes()];
        for (index, &operands) in self.certificate.ands().iter().enumerate().rev() {
            for operand in operands {
                let node = operand.var().index();
                outermost[node] = outermost[node].min(outermost[first + index]);
            }
            if let Some(selector) = selector(self.certificate, operands) {
                selects[selector.index()] += 1;
            }
        }
        for node in first..self.certificate.num_nodes() {
            if selects[node] >= SELECTS && !is_function[node] && outermost[node] != u32::MAX {
                self.functions.push(Some(Var::from_index(node).positive()));
                self.blocks.push(outermost[node]);
            }
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.functions.len()
    }

    /// The function of a point; none if it is open.
    pub(super) fn function(&self, point: usize) -> Option<Lit> {
        self.functions[point]
    }

    /// All points, in the order in which they leave.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by_key(|&point| std::cmp::Reverse(self.ranks[point]));
        order
    }

    /// When a point leaves: those of the highest rank first.
    pub(super) fn rank(&self, point: usize) -> u32 {
        self.ranks[point]
    }

    /// Whether two points are of one block, and both have functions or both are open.
    pub(super) fn are_alike(&self, one: usize, other: usize) -> bool {
        self.blocks[one] == self.blocks[other] && self.functions[one].is_some() == self.functions[other].is_some()
    }

    /// The point that stands for a node in the function of another point, if one does, and whether for its negation.
    pub(super) fn standing(&self, node: Var, within: usize) -> Option<(usize, bool)> {
        self.standing[node.index()].filter(|&(point, _)| self.ranks[point] < self.ranks[within])
    }

    /// Nodes of a function that are looked at for a point.
    const NEAR: usize = 64;

    /// Points that are no variables of the formula, each with one in whose function it is found first.
    pub(super) fn neighbours(&self, vars: usize) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        let mut is_taken = vec![false; self.len()];
        for var in 0..vars {
            let Some(signal) = self.functions[var] else { continue };
            let (mut nodes, mut next) = (vec![signal.var()], 0);
            while next < nodes.len().min(Self::NEAR) {
                match self.standing(nodes[next], var) {
                    Some((point, _)) if point >= vars && !is_taken[point] => {
                        is_taken[point] = true;
                        pairs.push([point as u32, var as u32]);
                        break;
                    }
                    Some(_) => {}
                    None => {
                        let operands = self.certificate.operands(nodes[next]);
                        nodes.extend(operands.into_iter().flatten().map(|lit| lit.var()));
                    }
                }
                next += 1;
            }
        }
        pairs
    }
}

/// A gate that is neither `s & h` nor `!s & l`, which are gates, is a selection by `s`: the node of `s`.
fn selector(certificate: &Aig, operands: [Lit; 2]) -> Option<Var> {
    let below = |lit: Lit| certificate.operands(lit.var()).filter(|_| lit.is_negative());
    let [left, right] = [below(operands[0])?, below(operands[1])?];
    match left.map(|lit| right.contains(&!lit)) {
        [true, false] => Some(left[0].var()),
        [false, true] => Some(left[1].var()),
        // Of an equivalence nobody can say which side selects.
        _ => None,
    }
}

/// How many gates of a certificate are selections.
pub(super) fn selections(certificate: &Aig) -> usize {
    certificate.ands().iter().filter(|&&operands| selector(certificate, operands).is_some()).count()
}
