//! Shannon's game on vertices by plain minimax, for boards with few free vertices and any number of stones.
//!
//! Who has won a full board is looked up: there is one bit for every set of free vertices that Short may end up with. Beyond
//! that there are positions, moves and a table, no theory.

use crate::graph::Graph;
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

    /// Reads a board; `None` if there are too many free vertices.
    pub fn new(graph: &Graph, terminals: [usize; 2], short: &[usize], cut: &[usize]) -> Option<Self> {
        let taken = |vertex: &usize| [short, cut, &terminals].iter().any(|list| list.contains(vertex));
        let free: Vec<usize> = (0..graph.vertices()).filter(|vertex| !taken(vertex)).collect();
        if free.len() > Self::MOST {
            return None;
        }
        // What the first terminal and each free vertex reach over Short's stones alone: free vertices, the other terminal.
        let adjacency = graph.adjacency();
        let [s, t] = terminals;
        let target = 1u32 << free.len();
        let reach = |from: usize| {
            let (mut set, mut seen, mut front) = (0u32, vec![false; graph.vertices()], vec![from]);
            seen[from] = true;
            while let Some(vertex) = front.pop() {
                for &(to, _) in adjacency.of(vertex) {
                    let to = to as usize;
                    if !std::mem::replace(&mut seen[to], true) {
                        if to == t {
                            set |= target;
                        } else if let Ok(at) = free.binary_search(&to) {
                            set |= 1 << at;
                        } else if short.contains(&to) {
                            front.push(to);
                        }
                    }
                }
            }
            set
        };
        let start = reach(s);
        let rows: Vec<u32> = free.iter().map(|&vertex| reach(vertex)).collect();
        let joins = |set: u32| {
            let (mut seen, mut front) = (start, start & set);
            while front != 0 && seen & target == 0 {
                let at = front.trailing_zeros() as usize;
                front &= front - 1;
                let new = rows[at] & !seen;
                seen |= new;
                front |= new & set;
            }
            seen & target != 0
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
