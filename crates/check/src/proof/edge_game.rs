//! Checks the reasons of edge games: two trees for Short, two forests for Cut. Each shows that its owner wins moving second.

use gamesat_core::formula::{Reason, Trees};
use gamesat_core::graph::Graph;
use gamesat_core::rules::{Board, Goal, Side};

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
        let mut part: Vec<usize> = (0..self.graph.vertices()).collect();
        for &edge in self.short.iter().chain(others) {
            let (u, v) = self.graph.edges()[edge];
            join(&mut part, u as usize, v as usize);
        }
        (0..part.len()).map(|vertex| find(&mut part, vertex)).collect()
    }

    /// Which edges nobody owns.
    fn free(&self) -> Vec<bool> {
        let mut free = vec![true; self.graph.edges().len()];
        self.short.iter().chain(self.cut).for_each(|&edge| free[edge] = false);
        free
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
        // An edge that is taken once is not free any more.
        let mut free = self.free();
        let mut take = |&edge: &usize| free.get_mut(edge).is_some_and(std::mem::take);
        if !trees.iter().flatten().all(&mut take) {
            return false;
        }
        let group = self.contracted(&[]);
        let spans: Vec<Vec<usize>> = trees.iter().map(|tree| self.span(tree, &group)).collect();
        spans[0] == spans[1]
            && trees.iter().all(|tree| self.is_forest(tree, &group, false) && tree.len() + 1 == spans[0].len())
    }

    /// Whether these two disjoint sets hold every free edge that joins different vertices once the `inside` edges are
    /// contracted, and each of them with an edge between the terminals has no cycle. Then Cut wins moving second even if
    /// Short owned the inside: the same argument in the dual matroid.
    pub fn accepts_forests(&self, forests: &[Vec<usize>; 2], inside: &[usize]) -> bool {
        let free = self.free();
        if !forests.iter().flatten().chain(inside).all(|&edge| free.get(edge) == Some(&true)) {
            return false;
        }
        let group = self.contracted(inside);
        let mut count = vec![0u32; free.len()];
        forests.iter().flatten().for_each(|&edge| count[edge] += 1);
        let once = |edge: usize| {
            let (u, v) = self.graph.edges()[edge];
            count[edge] == 1 || count[edge] == 0 && (group[u as usize] == group[v as usize])
        };
        group[self.terminals[0]] != group[self.terminals[1]]
            && (0..free.len()).filter(|&edge| free[edge]).all(once)
            && forests.iter().all(|forest| self.is_forest(forest, &group, true))
    }

    /// The terminals and the vertices that edges touch, ascending.
    fn span(&self, edges: &[usize], group: &[usize]) -> Vec<usize> {
        let ends = |&edge: &usize| [self.graph.edges()[edge].0, self.graph.edges()[edge].1];
        let mut vertices: Vec<usize> = edges.iter().flat_map(ends).map(|v| group[v as usize]).collect();
        vertices.extend(self.terminals.map(|terminal| group[terminal]));
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// Whether edges have no cycle, if asked for together with one between the terminals.
    fn is_forest(&self, edges: &[usize], group: &[usize], with_extra: bool) -> bool {
        let mut part: Vec<usize> = (0..self.graph.vertices()).collect();
        let extra = with_extra.then_some((self.terminals[0] as u32, self.terminals[1] as u32));
        let mut ends = edges.iter().map(|&edge| self.graph.edges()[edge]).chain(extra);
        ends.all(|(u, v)| join(&mut part, group[u as usize], group[v as usize]))
    }
}

/// The representative of a vertex; every step shortens the way.
fn find(part: &mut [usize], mut vertex: usize) -> usize {
    while part[vertex] != vertex {
        part[vertex] = part[part[vertex]];
        vertex = part[vertex];
    }
    vertex
}

/// Joins two parts; false if they are one already.
fn join(part: &mut [usize], u: usize, v: usize) -> bool {
    let (u, v) = (find(part, u), find(part, v));
    part[u] = v;
    u != v
}

/// Why a proof by trees shows nothing about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreesFlaw {
    /// The board is no edge game, or ends before it is full.
    #[error("trees prove games on edges that are played until the board is full; this is another game")]
    NotAnEdgeGame,
    /// There is a first move, but it is the other side's turn.
    #[error("the winner's first move is given, but it is the other side's turn")]
    NotTheWinnersTurn,
    /// The first move is no edge, or is taken.
    #[error("the first move {0} is not a free edge")]
    NotFree(usize),
    /// Short's edges do not join the terminals.
    #[error("the terminals are not joined")]
    NotJoined,
    /// These are no two such trees.
    #[error("expected two disjoint trees of free edges on the same vertices, the terminals among them")]
    NotTrees,
    /// These are no two such forests.
    #[error(
        "expected two disjoint forests, free of cycles also with an edge between the terminals, of all free edges but \
         those between contracted vertices"
    )]
    NotForests,
}

/// Who wins an edge game, if the proof is right: the first move is played, and the reason must hold for the position after
/// it, in which its owner moves second. If the owner is to move without having named a move the reason still shows that it
/// wins, since an additional edge never hurts.
///
/// # Errors
/// What is wrong with the proof.
pub fn check_trees(board: &Board, trees: &Trees) -> Result<Side, TreesFlaw> {
    let Some(Goal::Edges { graph, terminals }) = board.goal(Side::First) else { return Err(TreesFlaw::NotAnEdgeGame) };
    if board.schedule.is_some() || board.is_race() {
        return Err(TreesFlaw::NotAnEdgeGame);
    }
    let winner = if matches!(trees.reason, Reason::Forests(..)) { Side::Second } else { Side::First };
    let of = |side: Side| -> Vec<usize> { (0..board.elements()).filter(|&e| board.stone(e) == Some(side)).collect() };
    let (mut short, mut cut) = (of(Side::First), of(Side::Second));
    if let Some(edge) = trees.key {
        if board.turn != winner {
            return Err(TreesFlaw::NotTheWinnersTurn);
        }
        if edge >= board.elements() || !board.is_free(edge) {
            return Err(TreesFlaw::NotFree(edge + 1));
        }
        if winner == Side::First { &mut short } else { &mut cut }.push(edge);
    }
    let position = EdgePosition { graph, terminals: *terminals, short: &short, cut: &cut };
    let (holds, flaw) = match &trees.reason {
        Reason::Joined => (position.is_joined(), TreesFlaw::NotJoined),
        Reason::Trees(pair) => (position.accepts_trees(pair), TreesFlaw::NotTrees),
        Reason::Forests(pair, inside) => (position.accepts_forests(pair, inside), TreesFlaw::NotForests),
    };
    if holds { Ok(winner) } else { Err(flaw) }
}
