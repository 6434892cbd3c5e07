//! Shannon's switching game in polynomial time (Lehman 1964, by the matroid union of Edmonds 1965).
//!
//! Short wins moving second exactly if the graph has two edge-disjoint trees on one set of vertices that contains both
//! terminals. Take two edge-disjoint forests that together hold as many edges as possible. An edge that no exchange can
//! bring in lies in a *clump*: a set of vertices that both forests span. So all of it is decided by three insertions after
//! the edges of the board:
//! - an extra edge `e0` between the terminals cannot be inserted: they are in a clump, Short wins even moving second;
//! - `e0` goes in, a second copy of it does not: whoever moves first wins. Short plays an edge of one tree that repairs
//!   the other when `e0` is taken out of it; Cut plays any edge that would have let the copy in;
//! - both go in: Cut wins even moving second. Contract the clumps: the remaining edges and the two copies of `e0` are two
//!   forests, one copy in each, which is the same structure in the dual matroid.
//!
//! Insertion is a breadth-first search for a shortest exchange (Roskind and Tarjan 1985): an edge that closes a cycle in
//! one forest may replace an edge of that cycle, which then has to go into the other forest. Both forests are rooted at an
//! end of the new edge; what is labelled in a forest is then a subtree at the root, and every edge is labelled once.

use super::repairs::saving_edges;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::Reason;
use gamesat_core::graph::Graph;

/// A position of the edge game.
#[derive(Clone, Debug)]
pub struct EdgeGame<'a> {
    /// The board.
    pub graph: &'a Graph,
    /// What Short wants to join.
    pub terminals: [usize; 2],
    /// Edges that Short owns.
    pub short: &'a [usize],
    /// Edges that Cut owns.
    pub cut: &'a [usize],
}

/// The value of an edge game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Whether Short wins.
    pub short_wins: bool,
    /// Winning moves of the player to move, if it is the winner: one, or all if they were asked for.
    pub moves: Vec<usize>,
    /// Why the winner wins moving second, once the `key` move is made.
    pub reason: Reason,
    /// The winner's move without which the reason does not hold; none if the winner can do without moving first.
    pub key: Option<usize>,
}

/// Solves an edge game with Short or Cut to move. `all` asks for every winning move.
///
/// # Errors
/// The reason to stop before the answer was known.
pub fn solve_edge_game(
    game: &EdgeGame<'_>,
    short_moves: bool,
    all: bool,
    control: &Control,
) -> Result<Solution, StopReason> {
    let board = Contracted::new(game);
    let any = |mover_wins: bool| -> Vec<usize> {
        let count = if !mover_wins { 0 } else { usize::MAX };
        board.untaken.iter().copied().take(if all { count } else { count.min(1) }).collect()
    };
    if board.s == board.t {
        return Ok(Solution { short_wins: true, moves: any(short_moves), reason: Reason::Joined, key: None });
    }
    let mut forests = Forests::new(board.vertices);
    let mut poller = control.poller();
    for (number, &(u, v)) in board.ends.iter().enumerate() {
        poller.poll(number as u64)?;
        forests.insert_or_contract(u, v);
    }
    let extra = board.ends.len();
    if let Err(clump) = forests.insert(board.s, board.t) {
        // Short wins moving second, so moving first any move wins.
        let reason = Reason::Trees(forests.trees(&clump, &board, &[]));
        return Ok(Solution { short_wins: true, moves: any(short_moves), reason, key: None });
    }
    let Err(clump) = forests.insert(board.s, board.t) else {
        let reason = forests.cut_reason(&board);
        return Ok(Solution { short_wins: false, moves: any(!short_moves), reason, key: None });
    };
    // Whoever moves first wins.
    if short_moves {
        let repairing = forests.repair(&clump, extra);
        let moves = if all { saving_edges(&mut forests, extra, &mut poller)? } else { vec![repairing] };
        let reason = Reason::Trees(forests.trees(&clump, &board, &[repairing]));
        let moves = moves.into_iter().map(|number| board.free[number]).collect();
        return Ok(Solution { short_wins: true, moves, reason, key: Some(board.free[repairing]) });
    }
    // Edges of older clumps can be replaced, so cutting them changes nothing.
    let mut moves: Vec<usize> =
        clump.into_iter().filter(|&number| number < extra && !forests.is_contracted(number)).collect();
    moves.sort_unstable();
    moves.truncate(if all { usize::MAX } else { 1 });
    let moves: Vec<usize> = moves.into_iter().map(|number| board.free[number]).collect();
    let key = moves.first().copied();
    let cut: Vec<usize> = game.cut.iter().copied().chain(key).collect();
    let after = solve_edge_game(&EdgeGame { cut: &cut, ..game.clone() }, true, false, control)?;
    Ok(Solution { short_wins: false, moves, reason: after.reason, key })
}

/// The board with Short's edges contracted, Cut's deleted and loops left out.
struct Contracted {
    vertices: usize,
    s: usize,
    t: usize,
    /// The board's number of each edge that is left.
    free: Vec<usize>,
    ends: Vec<(usize, usize)>,
    /// Edges that nobody owns, loops of the contracted graph included.
    untaken: Vec<usize>,
}

impl Contracted {
    fn new(game: &EdgeGame<'_>) -> Self {
        let mut groups = Groups::new(game.graph.vertices());
        let edges = game.graph.edges();
        let mut taken = vec![false; edges.len()];
        for &edge in game.cut {
            taken[edge] = true;
        }
        for &edge in game.short {
            taken[edge] = true;
            groups.join(edges[edge].0 as usize, edges[edge].1 as usize);
        }
        let untaken: Vec<usize> = (0..edges.len()).filter(|&number| !taken[number]).collect();
        let (mut free, mut ends) = (Vec::new(), Vec::new());
        for &number in &untaken {
            let (u, v) = (groups.find(edges[number].0 as usize), groups.find(edges[number].1 as usize));
            if u != v {
                free.push(number);
                ends.push((u, v));
            }
        }
        let [s, t] = game.terminals;
        Contracted { vertices: game.graph.vertices(), s: groups.find(s), t: groups.find(t), free, ends, untaken }
    }
}

/// Disjoint sets of vertices.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn new(size: usize) -> Self {
        Groups { parent: (0..size).collect() }
    }

    fn find(&mut self, vertex: usize) -> usize {
        let mut root = vertex;
        while self.parent[root] != root {
            root = self.parent[root];
        }
        let mut at = vertex;
        while self.parent[at] != root {
            at = std::mem::replace(&mut self.parent[at], root);
        }
        root
    }

    /// False if they were in one set.
    fn join(&mut self, u: usize, v: usize) -> bool {
        let (u, v) = (self.find(u), self.find(v));
        self.parent[u] = v;
        u != v
    }
}

/// Two edge-disjoint forests that together hold as many of the inserted edges as possible.
pub(super) struct Forests {
    /// Ends of the edges that were inserted, by number.
    ends: Vec<(usize, usize)>,
    /// Which forest an edge is in; `NEITHER` if no exchange let it in.
    forest: Vec<usize>,
    /// Edges of each forest at each vertex.
    at: [Vec<Vec<usize>>; 2],
    /// Connected components of each forest: exchanges never change them, insertions join them.
    components: [Groups; 2],
    /// The clumps of refused edges.
    clumps: Groups,
    /// Scratch of a search: the edge to the parent in each rooted forest, and the vertices whose way up is labelled.
    up: [Vec<usize>; 2],
    labelled: [Vec<u32>; 2],
    search: u32,
    /// The edge that would take the place of an edge, in the current search.
    successor: Vec<usize>,
}

pub(super) const NEITHER: usize = 2;
const NOTHING: usize = usize::MAX;

impl Forests {
    fn new(vertices: usize) -> Self {
        Forests {
            ends: Vec::new(),
            forest: Vec::new(),
            at: [vec![Vec::new(); vertices], vec![Vec::new(); vertices]],
            components: [Groups::new(vertices), Groups::new(vertices)],
            clumps: Groups::new(vertices),
            up: [vec![NOTHING; vertices], vec![NOTHING; vertices]],
            labelled: [vec![0; vertices], vec![0; vertices]],
            search: 0,
            successor: Vec::new(),
        }
    }

    /// Inserts an edge of the board, or contracts the clump that refuses it.
    fn insert_or_contract(&mut self, u: usize, v: usize) {
        if self.clumps.find(u) == self.clumps.find(v) {
            self.announce(u, v);
        } else if let Err(clump) = self.insert(u, v) {
            for edge in clump {
                let (u, v) = self.ends[edge];
                self.clumps.join(u, v);
            }
        }
    }

    /// Gives an edge its number, outside both forests.
    fn announce(&mut self, u: usize, v: usize) -> usize {
        self.ends.push((u, v));
        self.forest.push(NEITHER);
        self.successor.push(NOTHING);
        self.ends.len() - 1
    }

    /// Inserts an edge.
    ///
    /// # Errors
    /// No exchange lets it in: the edges of the clump, which both forests span and which contains its ends.
    fn insert(&mut self, u: usize, v: usize) -> Result<(), Vec<usize>> {
        let number = self.announce(u, v);
        for forest in 0..2 {
            if self.components[forest].join(u, v) {
                self.add(number, forest);
                return Ok(());
            }
        }
        let (edge, forest) = self.exchange(number)?;
        let (u, v) = self.ends[edge];
        self.components[forest].join(u, v);
        // The last edge goes where it joins two parts of a forest; each one before it takes its place.
        let (mut edge, mut forest) = (edge, forest);
        loop {
            let left = self.forest[edge];
            self.remove(edge);
            self.add(edge, forest);
            if edge == number {
                return Ok(());
            }
            (edge, forest) = (self.successor[edge], left);
        }
    }

    /// Number of edges that were inserted or refused.
    pub(super) fn edges(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn vertices(&self) -> usize {
        self.up[0].len()
    }

    pub(super) fn ends(&self, edge: usize) -> (usize, usize) {
        self.ends[edge]
    }

    /// Which forest holds an edge, or `NEITHER`.
    pub(super) fn forest_of(&self, edge: usize) -> usize {
        self.forest[edge]
    }

    /// The vertices next to a vertex in a forest.
    pub(super) fn neighbours(&self, forest: usize, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        self.at[forest][vertex].iter().map(move |&edge| self.other_end(edge, vertex))
    }

    /// Whether an edge of one forest could move to the other without closing a cycle there.
    pub(super) fn fits_elsewhere(&mut self, edge: usize) -> bool {
        let (forest, (u, v)) = (self.forest[edge], self.ends[edge]);
        forest != NEITHER && self.components[1 - forest].find(u) != self.components[1 - forest].find(v)
    }

    fn add(&mut self, edge: usize, forest: usize) {
        let (u, v) = self.ends[edge];
        self.forest[edge] = forest;
        self.at[forest][u].push(edge);
        self.at[forest][v].push(edge);
    }

    fn remove(&mut self, edge: usize) {
        let forest = std::mem::replace(&mut self.forest[edge], NEITHER);
        if forest != NEITHER {
            let (u, v) = self.ends[edge];
            for vertex in [u, v] {
                self.at[forest][vertex].retain(|&other| other != edge);
            }
        }
    }

    /// Looks for a shortest exchange that lets an edge in whose ends are connected in both forests: the last edge of it,
    /// and the forest which that edge can join.
    ///
    /// # Errors
    /// There is none: all edges that were labelled, which span a clump.
    fn exchange(&mut self, number: usize) -> Result<(usize, usize), Vec<usize>> {
        let (root, _) = self.ends[number];
        self.search += 1;
        for forest in 0..2 {
            self.root_at(forest, root);
            self.labelled[forest][root] = self.search;
        }
        let mut queue = vec![number];
        let mut way = Vec::new();
        let mut next = 0;
        while let Some(&edge) = queue.get(next) {
            next += 1;
            let (u, v) = self.ends[edge];
            for forest in 0..2 {
                if self.forest[edge] == forest {
                    continue;
                }
                if self.components[forest].find(u) != self.components[forest].find(v) {
                    return Ok((edge, forest));
                }
                // Label the cycle that the edge closes. One of its ends is labelled in this forest: the upper end of
                // an edge of the other forest was reached by the edge above it, which was treated before.
                for end in [u, v] {
                    let mut vertex = end;
                    while self.labelled[forest][vertex] != self.search {
                        let up = self.up[forest][vertex];
                        way.push((vertex, up));
                        vertex = self.other_end(up, vertex);
                    }
                    for (vertex, up) in way.drain(..).rev() {
                        self.labelled[forest][vertex] = self.search;
                        self.successor[up] = edge;
                        queue.push(up);
                    }
                }
            }
        }
        queue.remove(0);
        Err(queue)
    }

    fn other_end(&self, edge: usize, vertex: usize) -> usize {
        let (u, v) = self.ends[edge];
        if u == vertex { v } else { u }
    }

    /// Roots the tree of a vertex in a forest there.
    fn root_at(&mut self, forest: usize, root: usize) {
        let mut stack = vec![(root, NOTHING)];
        while let Some((vertex, up)) = stack.pop() {
            self.up[forest][vertex] = up;
            for &edge in &self.at[forest][vertex] {
                if edge != up {
                    stack.push((self.other_end(edge, vertex), edge));
                }
            }
        }
    }

    /// Whether an edge lies in a clump that refused an edge of the board.
    fn is_contracted(&mut self, edge: usize) -> bool {
        let (u, v) = self.ends[edge];
        self.clumps.find(u) == self.clumps.find(v)
    }

    /// The two trees of a clump, in edges of the board without these.
    fn trees(&self, clump: &[usize], board: &Contracted, without: &[usize]) -> [Vec<usize>; 2] {
        let tree = |forest: usize| {
            let members = clump.iter().filter(|&&edge| self.forest[edge] == forest && !without.contains(&edge));
            let mut edges: Vec<usize> = members.filter_map(|&edge| board.free.get(edge).copied()).collect();
            edges.sort_unstable();
            edges
        };
        [tree(0), tree(1)]
    }

    /// An edge of the one tree of a clump that repairs the other when `extra` is taken out of it.
    fn repair(&self, clump: &[usize], extra: usize) -> usize {
        let broken = self.forest[extra];
        let mut parts = Groups::new(self.up[0].len());
        for &edge in clump.iter().filter(|&&edge| self.forest[edge] == broken && edge != extra) {
            parts.join(self.ends[edge].0, self.ends[edge].1);
        }
        let mut others = clump.iter().copied().filter(|&edge| self.forest[edge] == 1 - broken);
        let repairs = |&edge: &usize| parts.find(self.ends[edge].0) != parts.find(self.ends[edge].1);
        others.find(repairs).unwrap_or_else(|| unreachable!("a spanning tree crosses every partition"))
    }

    /// The edges of the forests outside the clumps, and the free edges inside.
    fn cut_reason(&mut self, board: &Contracted) -> Reason {
        let (mut forests, mut inside) = ([Vec::new(), Vec::new()], Vec::new());
        for (number, &edge) in board.free.iter().enumerate() {
            if self.is_contracted(number) {
                inside.push(edge);
            } else {
                forests[self.forest[number]].push(edge);
            }
        }
        Reason::Forests(forests, inside)
    }
}
