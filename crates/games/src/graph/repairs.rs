//! Every move with which Short saves a game that is won by whoever moves first.
//!
//! Two forests hold the board and one extra edge between the terminals, and a second copy of the extra edge is refused.
//! Taking an edge is as good as having a copy of it, so an edge saves the game exactly if such a copy is refused now and
//! was not before the extra edge came. In terms of exchanges (edge `f` outside a forest may replace every edge of the
//! cycle that it closes there, which then looks for a place in the other forest): from the copy, that is from the edge
//! itself, the extra edge is reached, and no edge that can go into the other forest without closing a cycle.
//!
//! So two searches *backwards* answer for all edges at once: from the extra edge, and from the edges that fit. A step back
//! from an edge goes to those of the other forest that cross the cut which its removal makes. With every tree numbered
//! depth first that is two comparisons, and each edge is found once.

use super::lehman::{Forests, NEITHER};
use gamesat_core::control::{Poller, StopReason};

/// A forest numbered depth first: below vertex `v` lie the vertices with numbers in `first[v]..last[v]`.
struct Numbering {
    first: Vec<usize>,
    last: Vec<usize>,
}

impl Numbering {
    fn new(forests: &Forests, forest: usize) -> Self {
        let vertices = forests.vertices();
        let mut numbering = Numbering { first: vec![usize::MAX; vertices], last: vec![0; vertices] };
        let mut next = 0;
        let mut stack = Vec::new();
        for root in 0..vertices {
            if numbering.first[root] != usize::MAX {
                continue;
            }
            // A vertex comes twice: to be numbered, and when everything below it is.
            stack.push((root, false));
            while let Some((vertex, done)) = stack.pop() {
                if done {
                    numbering.last[vertex] = next;
                } else {
                    numbering.first[vertex] = next;
                    next += 1;
                    stack.push((vertex, true));
                    let below = forests.neighbours(forest, vertex);
                    stack.extend(below.filter(|&to| numbering.first[to] == usize::MAX).map(|to| (to, false)));
                }
            }
        }
        numbering
    }

    fn is_below(&self, vertex: usize, top: usize) -> bool {
        (self.first[top]..self.last[top]).contains(&self.first[vertex])
    }

    /// The lower end of an edge of this forest.
    fn lower(&self, (u, v): (usize, usize)) -> usize {
        if self.first[u] < self.first[v] { v } else { u }
    }
}

/// The edges of the forests, `extra` aside, that save the game for Short.
///
/// # Errors
/// The reason to stop.
pub(super) fn saving_edges(
    forests: &mut Forests,
    extra: usize,
    poller: &mut Poller<'_>,
) -> Result<Vec<usize>, StopReason> {
    let numberings = [Numbering::new(forests, 0), Numbering::new(forests, 1)];
    let fitting: Vec<usize> = (0..forests.edges()).filter(|&edge| forests.fits_elsewhere(edge)).collect();
    let lost = leading_to(forests, &numberings, &fitting, poller)?;
    let saving = leading_to(forests, &numberings, &[extra], poller)?;
    Ok((0..forests.edges()).filter(|&edge| edge != extra && saving[edge] && !lost[edge]).collect())
}

/// The edges of the forests from which exchanges lead to one of these.
fn leading_to(
    forests: &Forests,
    numberings: &[Numbering; 2],
    targets: &[usize],
    poller: &mut Poller<'_>,
) -> Result<Vec<bool>, StopReason> {
    let mut found = vec![false; forests.edges()];
    for &target in targets {
        found[target] = true;
    }
    let of = |forest: usize, found: &[bool]| -> Vec<usize> {
        (0..found.len()).filter(|&edge| forests.forest_of(edge) == forest && !found[edge]).collect()
    };
    let mut waiting = targets.to_vec();
    let mut unseen = [of(0, &found), of(1, &found)];
    let mut done = 0;
    while let Some(edge) = waiting.pop() {
        let forest = forests.forest_of(edge);
        debug_assert_ne!(forest, NEITHER);
        let numbering = &numberings[forest];
        let top = numbering.lower(forests.ends(edge));
        done += 1;
        poller.poll(done)?;
        unseen[1 - forest].retain(|&other| {
            let (u, v) = forests.ends(other);
            let crosses = numbering.is_below(u, top) != numbering.is_below(v, top);
            if crosses {
                found[other] = true;
                waiting.push(other);
            }
            !crosses
        });
    }
    Ok(found)
}
