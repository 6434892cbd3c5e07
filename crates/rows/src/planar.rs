//! Planarity with the faces of an embedding, and the board on which Cut plays.
//!
//! In Shannon's vertex game Cut wants a set of vertices that separates the terminals `s` and `t`. If the graph with an
//! extra edge `st` can be drawn in the plane, such a set is what a closed curve meets that crosses `st` once and
//! otherwise runs through faces and vertices only: a path from the face on one side of `st` to the face on the other,
//! where two vertices are neighbours if they share a face. So Cut has a connection game too, on the same vertices.
//!
//! Only the block (biconnected component) of the edge `st` matters: whatever is outside hangs on a single vertex, and no
//! induced path between the terminals goes there. The embedding is that of Demoucron, Malgrange and Pertuiset (1964):
//! start with a cycle; of the pieces that are not drawn yet take one that fits into the fewest faces, and draw a path
//! of it. If a piece fits nowhere, the graph is not planar. Quadratic, hence [`MOST_VERTICES`].

use gamesat_core::graph::Graph;
use std::collections::VecDeque;

/// Larger graphs are not tested: it would take seconds.
pub const MOST_VERTICES: usize = 2_500;

const NONE: u32 = u32::MAX;

/// The faces of a planar drawing of the block that an extra edge between the terminals lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faces {
    /// Every face as the cycle of its vertices, terminals included.
    pub faces: Vec<Vec<u32>>,
    /// The two faces at the edge between two terminals; none if there are three.
    pub ends: Vec<usize>,
    /// Which vertices are in the block.
    pub in_block: Vec<bool>,
}

/// Draws the graph with an extra edge between the terminals; `None` if that is impossible, if the graph is too large to
/// try, or if there is nothing to draw because nothing but perhaps an edge joins the terminals.
pub fn faces_between(graph: &Graph, terminals: [usize; 2]) -> Option<Faces> {
    if graph.vertices() > MOST_VERTICES {
        return None;
    }
    let [s, t] = terminals;
    let (faces, in_block) = draw_block(simple_lists(graph, terminals), s, t)?;
    let beside = |face: &Vec<u32>| {
        let next = |at: usize| face[(at + 1) % face.len()] as usize;
        (0..face.len()).any(|at| [(s, t), (t, s)].contains(&(face[at] as usize, next(at))))
    };
    let ends = (0..faces.len()).filter(|&at| beside(&faces[at])).collect();
    Some(Faces { ends, faces, in_block })
}

/// Draws the graph with three terminals around it: they are joined to an extra vertex, which has the next number. `None` as
/// for two terminals.
///
/// Then Cut, too, has to touch three terminals with a connected set, where vertices are neighbours if they share a face and
/// touch a terminal if they share one with it: on a board whose border is divided among three sides exactly one player has
/// a chain that touches all of them, as in the game of Y. Edges between terminals say nothing, since terminals do not
/// conduct.
pub fn faces_among(graph: &Graph, terminals: [usize; 3]) -> Option<Faces> {
    if graph.vertices() > MOST_VERTICES {
        return None;
    }
    let middle = graph.vertices();
    let mut with_middle = Graph::new(middle + 1);
    let is_terminal = |vertex: u32| terminals.contains(&(vertex as usize));
    for &(u, v) in graph.edges().iter().filter(|&&(u, v)| !(is_terminal(u) && is_terminal(v))) {
        with_middle.add_edge(u as usize, v as usize);
    }
    let first = terminals[0];
    terminals.iter().for_each(|&terminal| {
        with_middle.add_edge(terminal, middle);
    });
    let (faces, in_block) = draw_block(simple_lists(&with_middle, [middle, first]), middle, first)?;
    // Where a face has all terminals, or they are in different blocks, nothing joins them, and there is nothing to draw.
    let has_all = |face: &Vec<u32>| terminals.iter().all(|&terminal| face.contains(&(terminal as u32)));
    let is_open = terminals.iter().all(|&terminal| in_block[terminal]) && !faces.iter().any(has_all);
    is_open.then_some(Faces { faces, ends: Vec::new(), in_block })
}

/// The faces of a drawing of the block that an edge lies in, and the vertices of the block.
fn draw_block(mut lists: Vec<Vec<u32>>, s: usize, t: usize) -> Option<(Vec<Vec<u32>>, Vec<bool>)> {
    let in_block = block_of_edge(&lists, s, t);
    for (vertex, list) in lists.iter_mut().enumerate() {
        if in_block[vertex] {
            list.retain(|&to| in_block[to as usize]);
        } else {
            list.clear();
        }
    }
    // Euler's formula bounds the edges of a simple planar graph.
    let (vertices, ends): (usize, usize) =
        (in_block.iter().filter(|&&is| is).count(), lists.iter().map(Vec::len).sum());
    if vertices < 3 || ends / 2 > 3 * vertices - 6 {
        return None;
    }
    Some((Drawing::new(&lists, s, t).complete()?, in_block))
}

/// Neighbours without loops and repetitions, the terminals made neighbours.
fn simple_lists(graph: &Graph, [s, t]: [usize; 2]) -> Vec<Vec<u32>> {
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); graph.vertices()];
    for &(u, v) in graph.edges().iter().chain(&[(s as u32, t as u32)]) {
        if u != v {
            lists[u as usize].push(v);
            lists[v as usize].push(u);
        }
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    lists
}

/// The vertices of the block of the edge `st`: Tarjan's low points from `s`, with `t` as the first child. The vertices
/// under `t` that are not cut off by a vertex below `t` are the block, together with `s`.
fn block_of_edge(lists: &[Vec<u32>], s: usize, t: usize) -> Vec<bool> {
    let mut number = vec![NONE; lists.len()];
    let mut low = vec![NONE; lists.len()];
    let mut in_block = vec![false; lists.len()];
    in_block[s] = true;
    number[s] = 0;
    (number[t], low[t]) = (1, 0);
    let mut count = 2;
    // Vertices that were entered and whose block is not complete.
    let mut waiting = vec![t];
    let mut path = vec![(t, 0usize, s)];
    while let Some(top) = path.last_mut() {
        let (vertex, parent) = (top.0, top.2);
        if let Some(&to) = lists[vertex].get(top.1) {
            top.1 += 1;
            let to = to as usize;
            if number[to] == NONE {
                (number[to], low[to]) = (count, count);
                count += 1;
                waiting.push(to);
                path.push((to, 0, vertex));
            } else if to != parent {
                low[vertex] = low[vertex].min(number[to]);
            }
            continue;
        }
        path.pop();
        if parent != s {
            low[parent] = low[parent].min(low[vertex]);
            if low[vertex] >= number[parent] {
                // A block that hangs on `parent` is complete, and it is not the one of `st`.
                while waiting.last().is_some_and(|&last| number[last] >= number[vertex]) {
                    waiting.pop();
                }
            }
        }
    }
    for vertex in waiting {
        in_block[vertex] = true;
    }
    in_block
}

/// A drawing that grows.
struct Drawing<'a> {
    lists: &'a [Vec<u32>],
    faces: Vec<Vec<u32>>,
    /// The faces at each vertex.
    faces_of: Vec<Vec<u32>>,
    drawn: Vec<bool>,
    /// For each entry of `lists` whether the edge is drawn.
    edges: Vec<Vec<bool>>,
}

/// A piece that is not drawn: an edge between drawn vertices, or a component of the others with the edges that attach it.
struct Piece {
    /// Drawn vertices that it hangs on.
    attached: Vec<u32>,
    /// One of its vertices; none if it is an edge.
    inside: Option<u32>,
}

impl<'a> Drawing<'a> {
    /// A cycle through the edge `st`. The block is biconnected and has a third vertex, so there is one.
    fn new(lists: &'a [Vec<u32>], s: usize, t: usize) -> Self {
        let mut drawing = Drawing {
            lists,
            faces: Vec::new(),
            faces_of: vec![Vec::new(); lists.len()],
            drawn: vec![false; lists.len()],
            edges: lists.iter().map(|list| vec![false; list.len()]).collect(),
        };
        let cycle = drawing.path(s as u32, t as u32, |from, to| (from, to) != (s as u32, t as u32));
        for &vertex in &cycle {
            drawing.drawn[vertex as usize] = true;
            drawing.faces_of[vertex as usize] = vec![0, 1];
        }
        for at in 0..cycle.len() {
            drawing.mark(cycle[at], cycle[(at + 1) % cycle.len()]);
        }
        drawing.faces = vec![cycle.clone(), cycle];
        drawing
    }

    fn mark(&mut self, u: u32, v: u32) {
        for (from, to) in [(u, v), (v, u)] {
            if let Ok(at) = self.lists[from as usize].binary_search(&to) {
                self.edges[from as usize][at] = true;
            }
        }
    }

    /// A shortest path by steps that `may` allows, both ends included; empty if there is none.
    fn path(&self, from: u32, to: u32, may: impl Fn(u32, u32) -> bool) -> Vec<u32> {
        let mut before = vec![NONE; self.lists.len()];
        before[from as usize] = from;
        let mut queue = VecDeque::from([from]);
        while let Some(vertex) = queue.pop_front() {
            if vertex == to {
                break;
            }
            for &next in &self.lists[vertex as usize] {
                if before[next as usize] == NONE && may(vertex, next) {
                    before[next as usize] = vertex;
                    queue.push_back(next);
                }
            }
        }
        if before[to as usize] == NONE {
            return Vec::new();
        }
        let mut path = vec![to];
        while path[path.len() - 1] != from {
            path.push(before[path[path.len() - 1] as usize]);
        }
        path
    }

    fn complete(mut self) -> Option<Vec<Vec<u32>>> {
        loop {
            let pieces = self.pieces();
            let mut best: Option<(usize, usize, &Piece)> = None;
            for piece in &pieces {
                let (count, face) = self.room(piece);
                if count == 0 {
                    return None;
                }
                if best.is_none_or(|(least, ..)| count < least) {
                    best = Some((count, face, piece));
                    if count == 1 {
                        break;
                    }
                }
            }
            let Some((_, face, piece)) = best else { return Some(self.faces) };
            self.draw(face, piece);
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut seen = vec![false; self.lists.len()];
        for start in 0..self.lists.len() {
            if self.drawn[start] {
                for (&to, &edge_drawn) in self.lists[start].iter().zip(&self.edges[start]) {
                    if !edge_drawn && (start as u32) < to && self.drawn[to as usize] {
                        pieces.push(Piece { attached: vec![start as u32, to], inside: None });
                    }
                }
            } else if !seen[start] && !self.lists[start].is_empty() {
                let mut attached = Vec::new();
                let mut stack = vec![start];
                seen[start] = true;
                while let Some(vertex) = stack.pop() {
                    for &to in &self.lists[vertex] {
                        if self.drawn[to as usize] {
                            attached.push(to);
                        } else if !seen[to as usize] {
                            seen[to as usize] = true;
                            stack.push(to as usize);
                        }
                    }
                }
                attached.sort_unstable();
                attached.dedup();
                pieces.push(Piece { attached, inside: Some(start as u32) });
            }
        }
        pieces
    }

    /// How many faces have all vertices that the piece hangs on, and one of them.
    fn room(&self, piece: &Piece) -> (usize, usize) {
        let touches = |face: u32, vertex: u32| self.faces_of[vertex as usize].contains(&face);
        let mut fitting = self.faces_of[piece.attached[0] as usize]
            .iter()
            .filter(|&&f| piece.attached.iter().all(|&v| touches(f, v)));
        let first = fitting.next();
        (usize::from(first.is_some()) + fitting.count(), first.map_or(0, |&face| face as usize))
    }

    /// Draws a path of the piece into the face, which it divides.
    fn draw(&mut self, face: usize, piece: &Piece) {
        let (from, to) = (piece.attached[0], piece.attached[1]);
        let path = match piece.inside {
            None => vec![to, from],
            Some(inside) => {
                let component = self.component(inside);
                self.path(from, to, |a, b| {
                    let within = |vertex: u32| component[vertex as usize];
                    (within(a) || a == from) && (within(b) || b == to && a != from)
                })
            }
        };
        for two in path.windows(2) {
            self.mark(two[0], two[1]);
        }
        let inner = &path[1..path.len() - 1];
        for &vertex in inner {
            self.drawn[vertex as usize] = true;
        }
        // The path runs from `to` to `from`.
        let mut cycle = std::mem::take(&mut self.faces[face]);
        let start = cycle.iter().position(|&vertex| vertex == from).expect("the face has the piece's vertices");
        cycle.rotate_left(start);
        let middle = cycle.iter().position(|&vertex| vertex == to).expect("the face has the piece's vertices");
        let one: Vec<u32> = cycle[..=middle].iter().chain(inner).copied().collect();
        let two: Vec<u32> =
            cycle[middle..].iter().chain(&cycle[..1]).copied().chain(inner.iter().rev().copied()).collect();
        let new = self.faces.len() as u32;
        for &vertex in &two {
            let faces = &mut self.faces_of[vertex as usize];
            if vertex == from || vertex == to || inner.contains(&vertex) {
                faces.push(new);
            } else if let Some(old) = faces.iter_mut().find(|old| **old == face as u32) {
                *old = new;
            }
        }
        for &vertex in inner {
            self.faces_of[vertex as usize].push(face as u32);
        }
        self.faces[face] = one;
        self.faces.push(two);
    }

    fn component(&self, inside: u32) -> Vec<bool> {
        let mut component = vec![false; self.lists.len()];
        component[inside as usize] = true;
        let mut stack = vec![inside];
        while let Some(vertex) = stack.pop() {
            for &to in &self.lists[vertex as usize] {
                if !self.drawn[to as usize] && !component[to as usize] {
                    component[to as usize] = true;
                    stack.push(to);
                }
            }
        }
        component
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(vertices: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new(vertices);
        for &(u, v) in edges {
            graph.add_edge(u, v);
        }
        graph
    }

    #[test]
    fn kuratowskis_graphs_are_not_planar() {
        let five: Vec<(usize, usize)> = (0..5).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
        assert_eq!(faces_between(&graph(5, &five), [0, 1]), None);
        assert!(faces_between(&graph(5, &five[1..]), [2, 3]).is_some(), "one edge less will do");
        // The extra edge counts: without it the graph is planar.
        assert_eq!(faces_between(&graph(5, &five[1..]), [0, 1]), None);
        let three: Vec<(usize, usize)> = (0..3).flat_map(|u| (3..6).map(move |v| (u, v))).collect();
        assert_eq!(faces_between(&graph(6, &three), [0, 3]), None);
    }

    #[test]
    fn what_hangs_on_one_vertex_is_left_out() {
        let dangling = graph(7, &[(0, 2), (2, 1), (0, 3), (3, 1), (2, 4), (4, 5), (5, 2), (0, 6)]);
        let drawn = faces_between(&dangling, [0, 1]).expect("planar");
        assert_eq!(drawn.in_block, [true, true, true, true, false, false, false]);
        assert_eq!(drawn.faces.len(), 3);
        assert_eq!(faces_between(&graph(3, &[(0, 2)]), [0, 1]), None, "nothing joins the terminals");
    }

    /// The theorem in the head: on random planar graphs a set separates the terminals exactly if it joins the two faces.
    #[test]
    fn separators_are_paths_between_the_two_faces() {
        let mut seed = 7u64;
        let mut random = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % bound
        };
        let mut drawn_graphs = 0;
        for _ in 0..400 {
            let vertices = 4 + random(6);
            let edges: Vec<(usize, usize)> =
                (0..vertices + random(2 * vertices)).map(|_| (random(vertices), random(vertices))).collect();
            let graph = graph(vertices, &edges);
            let Some(drawn) = faces_between(&graph, [0, 1]) else { continue };
            let inner = drawn.in_block.iter().filter(|&&is| is).count();
            let in_block = |&&(u, v): &&(usize, usize)| drawn.in_block[u] && drawn.in_block[v] && u != v;
            let mut block: Vec<(usize, usize)> =
                edges.iter().filter(in_block).map(|&(u, v)| (u.min(v), u.max(v))).chain([(0, 1)]).collect();
            block.sort_unstable();
            block.dedup();
            assert_eq!(inner + drawn.faces.len(), block.len() + 2, "Euler's formula");
            drawn_graphs += 1;
            if edges.iter().any(|&(u, v)| u + v == 1) {
                continue;
            }
            for set in 0..1u32 << vertices {
                if set & 3 != 0 {
                    continue;
                }
                let mut reached = 1u32;
                let mut joined = 0u64;
                for _ in 0..vertices {
                    for &(u, v) in &edges {
                        for (u, v) in [(u, v), (v, u)] {
                            if reached >> u & 1 == 1 && set >> v & 1 == 0 {
                                reached |= 1 << v;
                            }
                        }
                    }
                }
                let mut front = 1u64 << drawn.ends[0];
                while joined != joined | front {
                    joined |= front;
                    for face in (0..drawn.faces.len()).filter(|face| joined >> face & 1 == 1) {
                        for &v in drawn.faces[face].iter().filter(|&&v| set >> v & 1 == 1) {
                            for (other, cycle) in drawn.faces.iter().enumerate() {
                                front |= u64::from(cycle.contains(&v)) << other;
                            }
                        }
                    }
                }
                assert_eq!(reached >> 1 & 1 == 0, joined >> drawn.ends[1] & 1 == 1, "{edges:?} without {set:b}");
            }
        }
        assert!(drawn_graphs > 100);
    }
}
