//! Points: variables that stand for nodes of a certificate, so that the diagram of one function need not contain those of others.
//!
//! A *point* is a variable of the formula, or a node that behaves like one. Functions that were decision diagrams are made of
//! selections, `s ? h : l`. A node that selects was a variable there, and a selection that several functions rest on, not by
//! further selections but by conjunctions and negations, was a function: of a variable to which something was added later, for
//! instance for a clause that had been removed before the formula was solved. A point that is no open variable of the formula
//! has a function.
//!
//! Points leave in an order: what was made last in the certificate first, and open variables as soon as they may. In the function of a
//! point only points stand that leave later. **Functions read no open variable that left before**: an open variable leaves after
//! all points with functions of its own block and the blocks behind. A variable's function reads what is quantified before it; and
//! a node is of the outermost block that has a function of which it is part, so what it reads is quantified before that
//! function's variable.

use gamesat_core::formula::{Aig, Lit, Var};
use rustc_hash::FxHashMap;

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
            points.add_nodes();
        }
        let order = points.by_rank(is_named);
        points.ranks = vec![0; order.len()];
        for (rank, &point) in (0..).zip(&order) {
            points.ranks[point] = rank;
        }
        for &point in order.iter().rev() {
            if let Some(signal) = points.functions[point] {
                points.standing[signal.var().index()] = Some((point, signal.is_negative()));
            }
        }
        // The constant is no variable, and what is read by name stands for itself.
        points.standing[Aig::FALSE.var().index()] = None;
        for (index, var) in certificate.inputs().iter().enumerate() {
            points.standing[certificate.input(index).var().index()] = Some((places[var], false));
        }
        points
    }

    /// The points in the opposite order of their leaving.
    fn by_rank(&self, is_named: bool) -> Vec<usize> {
        let first = self.first_gate();
        let made = |point: usize| {
            self.functions[point].map(|signal| match signal.var().index() {
                _ if is_named => point,
                // Constants and variables: these can be put in place at once.
                node if node < first => usize::MAX,
                node => node,
            })
        };
        // For each block, what is made first of the functions there and behind.
        let blocks = self.blocks.iter().max().map_or(0, |&last| last as usize + 1);
        let mut earliest = vec![usize::MAX; blocks + 1];
        for point in 0..self.len() {
            let least = &mut earliest[self.blocks[point] as usize];
            *least = made(point).map_or(*least, |made| made.min(*least));
        }
        for block in (0..blocks).rev() {
            earliest[block] = earliest[block].min(earliest[block + 1]);
        }
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&point| match made(point) {
            Some(made) => (made, u32::MAX, point),
            None => (earliest[self.blocks[point] as usize], self.blocks[point], point),
        });
        order
    }

    /// Nodes of a function that are looked at from its top, and those of a small function.
    const NEAR: usize = 64;

    /// Makes points of nodes that are no variable's function: those that select, and selections that several functions rest on.
    fn add_nodes(&mut self) {
        let (nodes, first) = (self.certificate.num_nodes(), self.first_gate());
        let selectors: Vec<Option<Var>> =
            self.certificate.ands().iter().map(|&operands| selector(self.certificate, operands)).collect();
        let mut is_point = vec![false; nodes];
        selectors.iter().flatten().for_each(|selector| is_point[selector.index()] = true);
        let mut is_function = vec![false; nodes];
        let mut outermost = vec![u32::MAX; nodes];
        for (function, &block) in self.functions.iter().zip(&self.blocks) {
            if let Some(signal) = function {
                let node = signal.var().index();
                is_function[node] = true;
                outermost[node] = outermost[node].min(block);
            }
        }
        // How many functions rest on a selection.
        let mut times = vec![0; nodes];
        let mut near: Vec<usize> = Vec::new();
        for signal in self.functions.iter().flatten() {
            near.clear();
            near.push(signal.var().index());
            let mut next = 0;
            while next < near.len().min(Self::NEAR) {
                let node = near[next];
                next += 1;
                if node >= first && selectors[node - first].is_some() {
                    times[node] += 1;
                } else if node >= first && (next == 1 || !is_function[node] && !is_point[node]) {
                    for operand in self.certificate.ands()[node - first].map(|lit| lit.var().index()) {
                        if !near.contains(&operand) {
                            near.push(operand);
                        }
                    }
                }
            }
        }
        for (index, operands) in self.certificate.ands().iter().enumerate().rev() {
            for operand in operands {
                let node = operand.var().index();
                outermost[node] = outermost[node].min(outermost[first + index]);
            }
        }
        for node in first..nodes {
            if (is_point[node] || times[node] > 1) && !is_function[node] && outermost[node] != u32::MAX {
                self.functions.push(Some(Var::from_index(node).positive()));
                self.blocks.push(outermost[node]);
            }
        }
    }

    fn first_gate(&self) -> usize {
        1 + self.certificate.inputs().len()
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

    /// The point that stands for a node in functions of points that leave before it, if one does, and whether for its negation.
    pub(super) fn standing(&self, node: Var) -> Option<(usize, bool)> {
        self.standing[node.index()]
    }

    /// Points with small functions, each with those that stand in its function.
    pub(super) fn small_functions(&self) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let mut near: Vec<Var> = Vec::new();
        for point in 0..self.len() {
            let Some(signal) = self.functions[point] else { continue };
            near.clear();
            near.push(signal.var());
            let (mut together, mut next) = (vec![point as u32], 0);
            while next < near.len() && near.len() <= Self::NEAR {
                let standing = self.standing(near[next]).filter(|&(other, _)| self.ranks[other] < self.ranks[point]);
                match standing {
                    Some((other, _)) => together.push(other as u32),
                    None => {
                        for operand in self.certificate.operands(near[next]).into_iter().flatten() {
                            if !near.contains(&operand.var()) {
                                near.push(operand.var());
                            }
                        }
                    }
                }
                next += 1;
            }
            if near.len() <= Self::NEAR {
                all.push(together);
            }
        }
        all
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
