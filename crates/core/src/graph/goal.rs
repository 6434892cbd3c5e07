//! What a side needs in order to win, in the three forms that all these games come down to.

use crate::graph::{Adjacency, Graph};

/// What a side must own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A connected set of vertices that touches every terminal. Element `i` is vertex `i`; terminals and vertices beyond
    /// the elements cannot be taken. Terminals do not conduct: with three of them (the game of Y) one chain must touch all.
    Vertices {
        /// The board.
        graph: Graph,
        /// Two or three vertices.
        terminals: Vec<usize>,
    },
    /// A path of edges between two terminals. Element `i` is edge `i`.
    Edges {
        /// The board.
        graph: Graph,
        /// The two ends.
        terminals: [usize; 2],
    },
    /// All elements of one of these sets.
    Sets(Vec<Vec<usize>>),
}

impl Goal {
    /// Whether someone who owns the elements for which `owns` says so has reached the goal.
    pub fn is_reached(&self, owns: impl Fn(usize) -> bool) -> bool {
        match self {
            Goal::Vertices { graph, terminals } => touches_all(graph, terminals, owns),
            Goal::Edges { graph, terminals: [s, t] } => {
                let reached = flood(&graph.adjacency(), *s, graph.vertices(), |_, edge| owns(edge));
                reached[*t]
            }
            Goal::Sets(sets) => sets.iter().any(|set| set.iter().all(|&element| owns(element))),
        }
    }

    /// How many pairs of neighbours [`on_vertices`](Self::on_vertices) would make, at most.
    pub fn links(&self) -> usize {
        match self {
            Goal::Edges { graph, .. } => {
                let mut degrees = vec![0usize; graph.vertices()];
                for &(u, v) in graph.edges() {
                    degrees[u as usize] += 1;
                    degrees[v as usize] += 1;
                }
                degrees.iter().map(|degree| degree * degree).sum()
            }
            Goal::Vertices { graph, .. } => graph.edges().len(),
            Goal::Sets(_) => 0,
        }
    }

    /// The same goal as a game on vertices if it is one on edges: two edges are neighbours when they meet.
    pub fn on_vertices(self) -> Goal {
        let Goal::Edges { graph, terminals } = self else { return self };
        let elements = graph.edges().len();
        let mut line = Graph::new(elements + 2);
        let adjacency = graph.adjacency();
        for vertex in 0..graph.vertices() {
            let meeting = adjacency.of(vertex);
            for (i, &(_, edge)) in meeting.iter().enumerate() {
                for &(_, other) in &meeting[i + 1..] {
                    if edge != other {
                        line.add_edge(edge as usize, other as usize);
                    }
                }
                for (which, &terminal) in terminals.iter().enumerate() {
                    if terminal == vertex {
                        line.add_edge(edge as usize, elements + which);
                    }
                }
            }
        }
        Goal::Vertices { graph: line, terminals: vec![elements, elements + 1] }
    }
}

/// Whether one connected set of owned vertices touches every terminal, or two terminals alone are neighbours.
fn touches_all(graph: &Graph, terminals: &[usize], owns: impl Fn(usize) -> bool) -> bool {
    let adjacency = graph.adjacency();
    let is_terminal = |vertex: usize| terminals.contains(&vertex);
    if let [s, t] = terminals
        && adjacency.of(*s).iter().any(|&(to, _)| to as usize == *t)
    {
        return true;
    }
    // Every winning set has a vertex next to the first terminal.
    let mut seen = vec![false; graph.vertices()];
    for &(start, _) in adjacency.of(terminals[0]) {
        let start = start as usize;
        if seen[start] || is_terminal(start) || !owns(start) {
            continue;
        }
        let component = flood(&adjacency, start, graph.vertices(), |to, _| !is_terminal(to) && owns(to));
        let touched = |terminal: usize| adjacency.of(terminal).iter().any(|&(to, _)| component[to as usize]);
        if terminals.iter().all(|&terminal| touched(terminal)) {
            return true;
        }
        for (seen, new) in seen.iter_mut().zip(component) {
            *seen |= new;
        }
    }
    false
}

/// The vertices that can be reached from `start` by steps `(to, edge)` that `passes` allows.
fn flood(adjacency: &Adjacency, start: usize, size: usize, passes: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; size];
    reached[start] = true;
    let mut stack = vec![start];
    while let Some(vertex) = stack.pop() {
        for &(to, edge) in adjacency.of(vertex) {
            if !reached[to as usize] && passes(to as usize, edge as usize) {
                reached[to as usize] = true;
                stack.push(to as usize);
            }
        }
    }
    reached
}
