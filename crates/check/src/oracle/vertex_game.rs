//! Shannon's game on vertices by plain minimax, for boards with few free vertices and any number of stones.
//!
//! Who has won a full board is looked up: there is one bit for every set of free vertices that Short may end up with. Beyond
//! that there are positions, moves and a table, no theory.

use gamesat_core::graph::Graph;
use rustc_hash::FxHashMap;

/// A board with at most [`VertexMinimax::MOST`] free vertices.
#[derive(Clone, Debug)]
pub struct VertexMinimax {
    free: Vec<usize>,
    /// Whether Short has joined the terminals with these free vertices, by their number as a set.
    joined: Vec<bool>,
    known: FxHashMap<(u32, u32, bool), bool>,
}

impl VertexMinimax {
    /// The most free vertices.
    pub const MOST: usize = 20;

    /// Reads a board with two or three terminals, all of which one chain of Short's has to touch; `None` if there are too
    /// many free vertices.
    pub fn new(graph: &Graph, terminals: &[usize], short: &[usize], cut: &[usize]) -> Option<Self> {
        let taken = |vertex: &usize| [short, cut, terminals].iter().any(|list| list.contains(vertex));
        let free: Vec<usize> = (0..graph.vertices()).filter(|vertex| !taken(vertex)).collect();
        if free.len() > Self::MOST {
            return None;
        }
        // What each free vertex, and each stone of Short's, reaches over Short's stones alone: free vertices and terminals.
        let adjacency = graph.adjacency();
        let reach = |from: usize| {
            let (mut set, mut touched) = (0u32, 0u8);
            let (mut seen, mut front) = (vec![false; graph.vertices()], vec![from]);
            seen[from] = true;
            while let Some(vertex) = front.pop() {
                for &(to, _) in adjacency.of(vertex) {
                    let to = to as usize;
                    if !std::mem::replace(&mut seen[to], true) {
                        if let Some(which) = terminals.iter().position(|&terminal| terminal == to) {
                            touched |= 1 << which;
                        } else if let Ok(at) = free.binary_search(&to) {
                            set |= 1 << at;
                        } else if short.contains(&to) {
                            front.push(to);
                        }
                    }
                }
            }
            (set, touched)
        };
        let all = (1u8 << terminals.len()) - 1;
        let adjacent = |u: usize, v: usize| adjacency.of(u).iter().any(|&(to, _)| to as usize == v);
        // Two terminals may be neighbours.
        let over = short.iter().any(|&stone| reach(stone).1 == all) || matches!(*terminals, [s, t] if adjacent(s, t));
        let rows: Vec<(u32, u8)> = free.iter().map(|&vertex| reach(vertex)).collect();
        // A chain that touches all terminals touches the first.
        let starts = rows.iter().enumerate().filter(|(_, row)| row.1 & 1 != 0).fold(0, |set, (at, _)| set | 1u32 << at);
        let joins = |set: u32| {
            let mut left = set;
            while left & starts != 0 && !over {
                let mut front = left & starts & (left & starts).wrapping_neg();
                left &= !front;
                let mut touched = 0;
                while front != 0 {
                    let (near, touches) = rows[front.trailing_zeros() as usize];
                    front = front & (front - 1) | near & left;
                    left &= !near;
                    touched |= touches;
                }
                if touched == all {
                    return true;
                }
            }
            over
        };
        let joined = (0..1u32 << free.len()).map(joins).collect();
        Some(VertexMinimax { free, joined, known: FxHashMap::default() })
    }

    /// The free vertices.
    pub fn free(&self) -> &[usize] {
        &self.free
    }

    /// Whether Short wins if it has these more of the free vertices and Cut those.
    pub fn short_wins(&mut self, short: &[usize], cut: &[usize], short_to_move: bool) -> bool {
        let free = &self.free;
        let set = |vertices: &[usize]| {
            vertices.iter().filter_map(|vertex| free.binary_search(vertex).ok()).fold(0u32, |set, at| set | 1 << at)
        };
        let (short, cut) = (set(short), set(cut));
        let open = ((1u64 << free.len()) - 1) as u32 & !(short | cut);
        self.value(short, open, short_to_move)
    }

    fn value(&mut self, short: u32, open: u32, short_to_move: bool) -> bool {
        if self.joined[short as usize] {
            return true;
        }
        if !self.joined[(short | open) as usize] {
            return false;
        }
        if let Some(&known) = self.known.get(&(short, open, short_to_move)) {
            return known;
        }
        let mut wins = !short_to_move;
        for at in (0..self.free.len()).filter(|at| open >> at & 1 == 1) {
            let taken = if short_to_move { short | 1 << at } else { short };
            // At most as deep as there are free vertices.
            if self.value(taken, open & !(1 << at), !short_to_move) == short_to_move {
                wins = short_to_move;
                break;
            }
        }
        self.known.insert((short, open, short_to_move), wins);
        wins
    }
}
