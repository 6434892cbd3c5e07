//! Minimal connectors: the smallest sets of free cells that win for a side that wants to connect.
//!
//! With two terminals they are the induced paths. With three (the game of Y) a minimal connector is either an induced
//! path or a spider: every vertex whose removal leaves the set connected must be the only one that touches some terminal,
//! so there are at most three of those, and a connected graph with two such vertices is a path, with three it is three
//! legs that meet in a vertex or in a triangle.

use super::connection::Connection;
use super::paths::{Path, PathSearch};
use crate::mask::Mask;

/// A reduced graph in bit masks.
pub struct Masks<const W: usize> {
    /// The neighbours of each vertex.
    pub neighbours: Vec<Mask<W>>,
    /// The vertices that touch each terminal.
    pub touching: Vec<Mask<W>>,
    /// All vertices.
    pub vertices: Mask<W>,
}

impl<const W: usize> Masks<W> {
    /// # Panics
    /// If there are more than `64 * W` vertices.
    pub fn new(graph: &Connection) -> Self {
        let size = graph.elements.len();
        let touching = |which: usize| (0..size).filter(|&v| graph.touches[v] >> which & 1 != 0).collect();
        Masks {
            neighbours: graph.neighbours.iter().map(|list| list.iter().copied().collect()).collect(),
            touching: (0..graph.terminals).map(touching).collect(),
            vertices: (0..size).collect(),
        }
    }

    fn paths(&self, from: usize, to: usize) -> PathSearch<'_, W> {
        PathSearch {
            neighbours: &self.neighbours,
            starts: self.touching[from],
            between: self.vertices.minus(self.touching[from]),
            targets: self.touching[to],
        }
    }

    /// Calls `found` for every minimal connector, once each, until it gives an error.
    ///
    /// # Errors
    /// The error of `found`.
    pub fn connectors<E>(&self, found: &mut impl FnMut(&Mask<W>) -> Result<(), E>) -> Result<(), E> {
        if self.touching.len() == 2 {
            return self.paths(0, 1).run(&mut |path| found(path.set));
        }
        let pairs = [(0, 1, 2), (0, 2, 1), (1, 2, 0)];
        for (index, &(from, to, third)) in pairs.iter().enumerate() {
            self.paths(from, to).run(&mut |path: Path<'_, W>| {
                if path.set.intersects(&self.touching[third]) {
                    // Between other terminals this may be the same path again.
                    let earlier = pairs[..index].iter().any(|&(p, q, _)| self.spans(&path, p, q));
                    return if earlier { Ok(()) } else { found(path.set) };
                }
                if index == 0 { self.spiders(&path, found) } else { Ok(()) }
            })?;
        }
        Ok(())
    }

    /// Whether the path's ends are the only vertices of it that touch terminals `p` and `q`, one each.
    fn spans(&self, path: &Path<'_, W>, p: usize, q: usize) -> bool {
        let (at_p, at_q) = (*path.set & self.touching[p], *path.set & self.touching[q]);
        let ends = |a: usize, b: usize| at_p.len() == 1 && at_q.len() == 1 && at_p.contains(a) && at_q.contains(b);
        ends(path.first, path.last) || ends(path.last, path.first)
    }

    /// The spiders whose first two legs form this path between terminals 0 and 1, which touches terminal 2 nowhere.
    fn spiders<E>(&self, body: &Path<'_, W>, found: &mut impl FnMut(&Mask<W>) -> Result<(), E>) -> Result<(), E> {
        let mut near = *body.set;
        for vertex in body.set.iter() {
            near |= self.neighbours[vertex];
        }
        let region = self.vertices.minus(*body.set).minus(self.touching[0]).minus(self.touching[1]);
        let joins = |vertex: &usize| {
            let mut met = self.neighbours[*vertex] & *body.set;
            match (met.pop(), met.pop(), met.pop()) {
                (Some(one), None, _) => one != body.first && one != body.last,
                (Some(one), Some(two), None) => self.neighbours[one].contains(two),
                _ => false,
            }
        };
        let starts: Mask<W> = (region & near).iter().filter(joins).collect();
        let leg =
            PathSearch { neighbours: &self.neighbours, starts, between: region.minus(near), targets: self.touching[2] };
        leg.run(&mut |leg| found(&(*leg.set | *body.set)))
    }
}
