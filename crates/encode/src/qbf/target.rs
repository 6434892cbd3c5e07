//! What MAX must own at the end, as constraints on ownership: polynomial in the board, with a witness where that helps.
//!
//! Everything here is monotone: more ownership never hurts, so ownership may be claimed by existential variables that are
//! bounded from above only.

use super::layout::Layout;
use super::playout::matrix;
use gamesat_core::formula::{CircuitBuilder, Game, Lit, Quantifier, Var};
use gamesat_rows::connection::Connection;

/// A monotone condition on the elements that MAX owns, elements being numbered from 0.
pub(super) enum Target<'a> {
    /// Nothing is missing, or everything.
    Decided(bool),
    /// A connected set that touches every terminal.
    Connect(Connection),
    /// A set that separates the two terminals.
    Separate(Connection),
    /// All of one of these sets.
    Complete(Vec<Vec<usize>>),
    /// One of each of these sets.
    Hit(Vec<Vec<usize>>),
    /// The formula of a game, in which each of the elements only rises or only falls.
    Formula {
        /// The game.
        game: &'a Game,
        /// The game's elements by number.
        elements: Vec<Var>,
        /// Which of them MAX colours FALSE.
        falling: Vec<bool>,
    },
}

/// The witness of a connection: `at[path][step][vertex]` says that the path is there; `None` where it cannot be.
pub(super) struct Witness {
    at: Vec<Vec<Vec<Option<Lit>>>>,
    /// Separation: the vertices on the source's side.
    near: Vec<Lit>,
}

/// Steps from the vertices that touch a terminal, counted in vertices: 1 for those themselves.
pub(super) fn distances(graph: &Connection, terminal: usize) -> Vec<usize> {
    let mut distance = vec![usize::MAX; graph.elements.len()];
    let mut queue: Vec<usize> = (0..distance.len()).filter(|&v| graph.touches[v] >> terminal & 1 != 0).collect();
    for &vertex in &queue {
        distance[vertex] = 1;
    }
    let mut next = 0;
    while next < queue.len() {
        let vertex = queue[next];
        next += 1;
        for &to in &graph.neighbours[vertex] {
            if distance[to] == usize::MAX {
                distance[to] = distance[vertex] + 1;
                queue.push(to);
            }
        }
    }
    distance
}

/// The part of a graph that lies on some path of at most `longest` vertices between the two terminals. With three
/// terminals, the part from which each can be reached within that.
pub(super) fn relevant(graph: &Connection, longest: usize) -> Connection {
    let distance: Vec<Vec<usize>> = (0..graph.terminals).map(|terminal| distances(graph, terminal)).collect();
    let near = |v: usize| {
        if graph.terminals == 2 {
            distance[0][v].saturating_add(distance[1][v]) <= longest.saturating_add(1)
        } else {
            distance.iter().all(|from| from[v] <= longest)
        }
    };
    let kept: Vec<usize> = (0..graph.elements.len()).filter(|&v| near(v)).collect();
    let mut local = vec![usize::MAX; graph.elements.len()];
    for (index, &vertex) in kept.iter().enumerate() {
        local[vertex] = index;
    }
    Connection {
        elements: kept.iter().map(|&v| graph.elements[v]).collect(),
        neighbours: kept
            .iter()
            .map(|&v| graph.neighbours[v].iter().map(|&to| local[to]).filter(|&to| to != usize::MAX).collect())
            .collect(),
        touches: kept.iter().map(|&v| graph.touches[v]).collect(),
        terminals: graph.terminals,
    }
}

impl Target<'_> {
    /// The most neighbours of a vertex, where there are any.
    pub(super) fn degree(&self) -> usize {
        match self {
            Target::Connect(graph) | Target::Separate(graph) => {
                graph.neighbours.iter().map(Vec::len).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// The existential variables of the witness. `moves` is the most elements MAX can own.
    pub(super) fn witness(&self, layout: &mut Layout, moves: usize) -> Witness {
        let mut witness = Witness { at: Vec::new(), near: Vec::new() };
        match self {
            Target::Connect(graph) if graph.terminals == 2 => {
                let steps = moves.min(graph.elements.len());
                let (from, to) = (distances(graph, 0), distances(graph, 1));
                // At step t (from 0) the path is at most t + 1 vertices from the source, and can still arrive.
                let path = (0..steps)
                    .map(|step| {
                        let possible = |v: usize| from[v] <= step + 1 && to[v].saturating_add(step) <= steps;
                        (0..from.len()).map(|v| possible(v).then(|| layout.var(Quantifier::Exists))).collect()
                    })
                    .collect();
                witness.at.push(path);
            }
            Target::Connect(graph) => {
                let steps = moves.min(graph.elements.len());
                let centre: Vec<Option<Lit>> =
                    graph.elements.iter().map(|_| Some(layout.var(Quantifier::Exists))).collect();
                for terminal in 0..graph.terminals {
                    let to = distances(graph, terminal);
                    let mut path = vec![centre.clone()];
                    path.extend((1..steps).map(|step| {
                        let possible = |v: usize| to[v].saturating_add(step) <= steps;
                        (0..to.len()).map(|v| possible(v).then(|| layout.var(Quantifier::Exists))).collect()
                    }));
                    witness.at.push(path);
                }
            }
            Target::Separate(graph) => {
                witness.near = graph.elements.iter().map(|_| layout.var(Quantifier::Exists)).collect();
            }
            Target::Decided(_) | Target::Complete(_) | Target::Hit(_) | Target::Formula { .. } => {}
        }
        witness
    }

    /// Constraints that can all hold exactly if the target is reached by someone who owns what `own` says.
    pub(super) fn constrain(&self, b: &mut CircuitBuilder, witness: &Witness, own: &[Lit], out: &mut Vec<Lit>) {
        match self {
            Target::Decided(value) => out.push(b.constant(*value)),
            Target::Connect(graph) => connect(graph, b, witness, own, out),
            Target::Separate(graph) => {
                for (vertex, &near) in witness.near.iter().enumerate() {
                    if graph.touches[vertex] & 1 != 0 {
                        out.push(b.or(&[near, own[vertex]]));
                    }
                    if graph.touches[vertex] & 2 != 0 {
                        out.push(!near);
                    }
                    for &to in &graph.neighbours[vertex] {
                        out.push(b.or(&[!near, witness.near[to], own[to]]));
                    }
                }
            }
            Target::Complete(sets) => {
                let terms: Vec<Lit> =
                    sets.iter().map(|set| b.and(&set.iter().map(|&e| own[e]).collect::<Vec<_>>())).collect();
                out.push(b.or(&terms));
            }
            Target::Formula { game, elements, falling } => {
                let colour = |(&lit, &falls): (&Lit, &bool)| if falls { !lit } else { lit };
                let values = elements.iter().copied().zip(own.iter().zip(falling).map(colour)).collect();
                out.push(matrix(b, game, &values));
            }
            Target::Hit(sets) => {
                for set in sets {
                    out.push(b.or(&set.iter().map(|&e| own[e]).collect::<Vec<_>>()));
                }
            }
        }
    }
}

fn connect(graph: &Connection, b: &mut CircuitBuilder, witness: &Witness, own: &[Lit], out: &mut Vec<Lit>) {
    let two = graph.terminals == 2;
    for (path, steps) in witness.at.iter().enumerate() {
        let target = if two { 1 } else { path };
        // Somewhere it begins: at the source, or with three terminals in a common centre.
        if two || path == 0 {
            let begins = |v: usize| !two || graph.touches[v] & 1 != 0;
            let starts: Vec<Lit> = steps.first().map_or(Vec::new(), |first| {
                first.iter().enumerate().filter(|&(v, _)| begins(v)).filter_map(|(_, &lit)| lit).collect()
            });
            out.push(b.or(&starts));
        }
        for (step, row) in steps.iter().enumerate() {
            for (vertex, &here) in row.iter().enumerate() {
                let Some(here) = here else { continue };
                if step > 0 || path == 0 {
                    out.push(b.or(&[!here, own[vertex]]));
                }
                if graph.touches[vertex] >> target & 1 != 0 {
                    continue; // it may end here
                }
                let mut onward = vec![!here];
                if let Some(next) = steps.get(step + 1) {
                    onward.extend(graph.neighbours[vertex].iter().filter_map(|&to| next[to]));
                }
                out.push(b.or(&onward));
            }
        }
    }
}
