//! Checks the reasons of edge games: two trees for Short, two forests for Cut. Each shows that its owner wins moving second.

use crate::graph::Graph;

/// What Short joins, and who owns which edges.
#[derive(Clone, Copy, Debug)]
pub struct EdgePosition<'a> {
    /// The board.
    pub graph: &'a Graph,
    /// What Short wants to join.
    pub terminals: [usize; 2],
    /// Edges that Short owns.
    pub short: &'a [usize],
    /// Edges that Cut owns.
    pub cut: &'a [usize],
}

impl EdgePosition<'_> {
    /// The vertices with Short's edges and these others contracted: a representative of each.
    fn contracted(&self, others: &[usize]) -> Vec<usize> {
        let mut group: Vec<usize> = (0..self.graph.vertices()).collect();
        for &edge in self.short.iter().chain(others) {
            let (u, v) = self.graph.edges()[edge];
            let (from, to) = (group[u as usize], group[v as usize]);
            for member in group.iter_mut().filter(|member| **member == from) {
                *member = to;
            }
        }
        group
    }

    fn is_free(&self, edge: usize) -> bool {
        edge < self.graph.edges().len() && !self.short.contains(&edge) && !self.cut.contains(&edge)
    }

    /// Whether Short's edges join the terminals.
    pub fn is_joined(&self) -> bool {
        let group = self.contracted(&[]);
        group[self.terminals[0]] == group[self.terminals[1]]
    }

    /// Whether these are two disjoint trees of free edges on one set of vertices that contains both terminals. Then Short
    /// wins moving second: when Cut breaks one tree, an edge of the other repairs it, and contracting that leaves two
    /// trees again.
    pub fn accepts_trees(&self, trees: &[Vec<usize>; 2]) -> bool {
        let group = self.contracted(&[]);
        let disjoint = trees[0].iter().all(|edge| !trees[1].contains(edge));
        let free = trees.iter().flatten().all(|&edge| self.is_free(edge));
        if !disjoint || !free {
            return false;
        }
        let spans: Vec<Vec<usize>> = trees.iter().map(|tree| self.span(tree, &group)).collect();
        let terminals = self.terminals.map(|terminal| group[terminal]);
        spans[0] == spans[1]
            && terminals.iter().all(|terminal| spans[0].contains(terminal))
            && trees.iter().all(|tree| self.is_forest(tree, &group, false) && tree.len() + 1 == spans[0].len())
    }

    /// Whether these two disjoint sets hold every free edge that joins different vertices once the `inside` edges are
    /// contracted, and each of them with an edge between the terminals has no cycle. Then Cut wins moving second even if
    /// Short owned the inside: the same argument in the dual matroid.
    pub fn accepts_forests(&self, forests: &[Vec<usize>; 2], inside: &[usize]) -> bool {
        if !forests.iter().flatten().chain(inside).all(|&edge| self.is_free(edge)) {
            return false;
        }
        let group = self.contracted(inside);
        let once = |edge: usize| {
            let count = forests.iter().flatten().filter(|&&other| other == edge).count();
            let (u, v) = self.graph.edges()[edge];
            count == 1 || count == 0 && (group[u as usize] == group[v as usize])
        };
        group[self.terminals[0]] != group[self.terminals[1]]
            && (0..self.graph.edges().len()).filter(|&edge| self.is_free(edge)).all(once)
            && forests.iter().all(|forest| self.is_forest(forest, &group, true))
    }

    /// The vertices that edges touch, ascending.
    fn span(&self, edges: &[usize], group: &[usize]) -> Vec<usize> {
        let ends = |&edge: &usize| [self.graph.edges()[edge].0, self.graph.edges()[edge].1];
        let mut vertices: Vec<usize> = edges.iter().flat_map(ends).map(|v| group[v as usize]).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// Whether edges have no cycle, if asked for together with one between the terminals.
    fn is_forest(&self, edges: &[usize], group: &[usize], with_extra: bool) -> bool {
        let mut part: Vec<usize> = (0..self.graph.vertices()).collect();
        let find = |part: &Vec<usize>, mut vertex: usize| {
            while part[vertex] != vertex {
                vertex = part[vertex];
            }
            vertex
        };
        let extra = with_extra.then_some((self.terminals[0] as u32, self.terminals[1] as u32));
        edges.iter().map(|&edge| self.graph.edges()[edge]).chain(extra).all(|(u, v)| {
            let (u, v) = (find(&part, group[u as usize]), find(&part, group[v as usize]));
            part[u] = v;
            u != v
        })
    }
}
pub(super) fn check_trees(
    _: &crate::rules::Board,
    _: &crate::formula::Trees,
) -> Result<crate::formula::Player, String> {
    Err(String::new())
}
