//! Induced (chordless) paths between two sides of a graph: the minimal connectors of Shannon's vertex game.
//!
//! A depth-first search extends a path only by vertices that are next to its end and to nothing else of it, and only if a
//! target can still be reached through vertices that are next to nothing of the path: then a shortest way there completes
//! it. So every branch of the search ends in a path, and a set is built once and never thrown away.

use crate::mask::Mask;

/// Neighbour sets, and the paths to look for: the first vertex in `starts`, the last and no other in `targets`, everything
/// between in `between`, which must not meet `starts`.
pub struct PathSearch<'a, const W: usize> {
    /// The neighbours of each vertex.
    pub neighbours: &'a [Mask<W>],
    /// Where a path may begin.
    pub starts: Mask<W>,
    /// What it may pass.
    pub between: Mask<W>,
    /// Where it may end.
    pub targets: Mask<W>,
}

/// A path as a set, with its first and its last vertex.
pub struct Path<'a, const W: usize> {
    /// Its vertices.
    pub set: &'a Mask<W>,
    /// The first one.
    pub first: usize,
    /// The last one.
    pub last: usize,
}

struct Frame<const W: usize> {
    vertex: usize,
    /// Continuations still to try.
    untried: Mask<W>,
    /// Vertices next to nothing of the path from which a target can be reached.
    open: Mask<W>,
}

impl<const W: usize> PathSearch<'_, W> {
    /// Calls `found` for every path, until it gives an error.
    ///
    /// # Errors
    /// The error of `found`.
    pub fn run<E>(&self, found: &mut impl FnMut(Path<'_, W>) -> Result<(), E>) -> Result<(), E> {
        let mut stack: Vec<Frame<W>> = Vec::new();
        for first in self.starts.iter() {
            let mut set = Mask::default();
            set.insert(first);
            if self.targets.contains(first) {
                found(Path { set: &set, first, last: first })?;
                continue;
            }
            stack.extend(self.extend(first, &self.between, &mut set, first, found)?);
            while let Some(frame) = stack.last_mut() {
                let Some(next) = frame.untried.pop() else {
                    set.remove(frame.vertex);
                    stack.pop();
                    continue;
                };
                let open = frame.open;
                set.insert(next);
                match self.extend(next, &open, &mut set, first, found)? {
                    Some(frame) => stack.push(frame),
                    None => set.remove(next),
                }
            }
        }
        Ok(())
    }

    /// Reports the paths that end right after `vertex` and gives the frame of those that go on, if any do. `open` are the
    /// vertices that may follow: next to nothing of the path before `vertex`.
    #[inline]
    fn extend<E>(
        &self,
        vertex: usize,
        open: &Mask<W>,
        set: &mut Mask<W>,
        first: usize,
        found: &mut impl FnMut(Path<'_, W>) -> Result<(), E>,
    ) -> Result<Option<Frame<W>>, E> {
        let next = self.neighbours[vertex] & *open;
        for last in (next & self.targets).iter() {
            set.insert(last);
            found(Path { set, first, last })?;
            set.remove(last);
        }
        let mut untried = next.minus(self.targets);
        if untried.is_empty() {
            return Ok(None);
        }
        let open = self.reaching(open.minus(self.neighbours[vertex]));
        for candidate in untried.iter() {
            if !self.neighbours[candidate].intersects(&open) {
                untried.remove(candidate);
            }
        }
        Ok((!untried.is_empty()).then_some(Frame { vertex, untried, open }))
    }

    /// The part of `allowed` from which a target can be reached inside it.
    #[inline]
    fn reaching(&self, allowed: Mask<W>) -> Mask<W> {
        let mut frontier = self.targets & allowed;
        let mut reached = frontier;
        while let Some(vertex) = frontier.pop() {
            let new = (self.neighbours[vertex] & allowed).minus(reached);
            reached |= new;
            frontier |= new;
        }
        reached
    }
}
