//! What stones leave of a graph: the free cells, joined also through the owner's chains.
//!
//! A cell that the owner of the graph takes is contracted: its neighbours become neighbours of each other; if it touches
//! a terminal, they touch the terminal instead, since the chain is part of it now. Of three terminals, which do not conduct,
//! they touch it too. A cell that the opponent takes is
//! deleted. The operations commute, so a reduced graph stands for every position with the same future. Whoever needs the
//! graph before a move copies it first; a copy is two short blocks of memory.

use super::board::Network;
use gamesat_rows::mask::Mask;

/// A player's graph on the free cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reduced<const W: usize> {
    /// Neighbours of each free cell.
    pub(super) rows: Vec<Mask<W>>,
    /// The terminals that each free cell touches, a bit each.
    pub(super) touch: Vec<u8>,
    /// Whether the owner's stones join the terminals.
    pub(super) joined: bool,
    /// The bits of all terminals.
    all: u8,
}

impl<const W: usize> Reduced<W> {
    /// The graph without stones.
    pub(super) fn new(network: &Network<W>) -> Self {
        let terminals = network.touching.len();
        let bits =
            |cell: usize| (0..terminals).map(|which| u8::from(network.touching[which].contains(cell)) << which).sum();
        let touch = (0..network.rows.len()).map(bits).collect();
        Reduced { rows: network.rows.clone(), touch, joined: false, all: (1 << terminals) - 1 }
    }

    /// Makes this graph equal to another one, without asking for memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
        self.touch.clone_from(&other.touch);
        (self.joined, self.all) = (other.joined, other.all);
    }

    /// Number of terminals.
    pub(super) fn terminals(&self) -> usize {
        self.all.count_ones() as usize
    }

    /// Whether a chain at a terminal is part of it: so it is with two terminals.
    #[inline]
    fn conducts(&self) -> bool {
        self.all == 3
    }

    /// The opponent takes a cell. Returns the cells whose neighbourhoods have changed.
    #[inline]
    pub(super) fn delete(&mut self, cell: usize) -> Mask<W> {
        let near = self.rows[cell];
        for other in near.iter() {
            self.rows[other].remove(cell);
        }
        self.rows[cell] = Mask::default();
        near
    }

    /// The owner takes a cell. Returns the cells whose neighbourhoods have changed, or have become denser.
    #[inline]
    pub(super) fn contract(&mut self, cell: usize) -> Mask<W> {
        let near = self.rows[cell];
        let touched = self.touch[cell];
        self.joined |= touched == self.all;
        let makes_clique = touched == 0 || !self.conducts();
        let mut changed = near;
        for other in near.iter() {
            let row = &mut self.rows[other];
            row.remove(cell);
            if makes_clique {
                *row |= near;
                row.remove(other);
            }
            self.touch[other] |= touched;
            changed |= *row;
        }
        self.rows[cell] = Mask::default();
        changed
    }

    /// Whether a path may end as soon as it has reached a cell that touches so many terminals: the owner's chains there are
    /// part of a terminal.
    #[inline]
    fn ends_at(&self, touched: u8) -> bool {
        touched != 0 && self.conducts()
    }

    /// Two of these cells that a chain between them would join for the first time, or one that it would join with a terminal
    /// that it touches. A chain at a terminal joins its neighbours with that only.
    #[inline]
    pub(super) fn apart(&self, near: Mask<W>, touched: u8) -> Option<(usize, Option<usize>)> {
        if self.ends_at(touched) {
            return near.iter().find(|&cell| touched & !self.touch[cell] != 0).map(|cell| (cell, None));
        }
        near.iter().find_map(|cell| {
            if touched & !self.touch[cell] != 0 {
                return Some((cell, None));
            }
            let mut beyond = near.minus(self.rows[cell]);
            beyond.remove(cell);
            beyond.lowest().map(|other| (cell, Some(other)))
        })
    }

    /// Whether no induced path between the terminals goes through the cell because it joins nothing: its neighbours, terminals
    /// included, are all neighbours of each other, or they touch the terminal that it touches. `without` are cells that count
    /// as deleted.
    #[inline]
    pub(super) fn is_simplicial(&self, cell: usize, without: Mask<W>) -> bool {
        let touched = self.touch[cell];
        touched != self.all && self.apart(self.rows[cell].minus(without), touched).is_none()
    }

    /// The cells whose deletion makes this one simplicial. The cell must not be simplicial now.
    #[inline]
    pub(super) fn deletion_killers(&self, cell: usize) -> Mask<W> {
        let near = self.rows[cell];
        let touched = self.touch[cell];
        let mut killers = Mask::default();
        if touched == self.all {
            return killers;
        }
        if self.ends_at(touched) {
            let lacking: Mask<W> = near.iter().filter(|&other| touched & !self.touch[other] != 0).collect();
            return if lacking.is_single() { lacking } else { killers };
        }
        // Of the first two neighbours that are not neighbours of each other one must go.
        for other in near.iter() {
            let mut missing = near.minus(self.rows[other]);
            missing.remove(other);
            let from_terminal = touched & !self.touch[other] != 0;
            if from_terminal || !missing.is_empty() {
                if self.is_simplicial(cell, Mask::single(other)) {
                    killers.insert(other);
                }
                if !from_terminal && missing.is_single() && self.is_simplicial(cell, missing) {
                    killers |= missing;
                }
                return killers;
            }
        }
        killers
    }

    /// Whether the cell is simplicial once another one, `taken`, is contracted.
    pub(super) fn dies_by_contraction(&self, cell: usize, taken: usize) -> bool {
        let (near_taken, terminal) = (self.rows[taken], self.touch[taken]);
        if terminal == self.all {
            return false;
        }
        let makes_clique = terminal == 0 || !self.conducts();
        let clique =
            |member: usize| if makes_clique && near_taken.contains(member) { near_taken } else { Mask::default() };
        let touch = |member: usize| self.touch[member] | if near_taken.contains(member) { terminal } else { 0 };
        let mut near = self.rows[cell] | clique(cell);
        near.remove(taken);
        near.remove(cell);
        let touched = touch(cell);
        let ends = self.ends_at(touched);
        touched != self.all
            && near.iter().all(|other| {
                let mut beyond = near.minus(self.rows[other] | clique(other));
                beyond.remove(other);
                (ends || beyond.is_empty()) && touched & !touch(other) == 0
            })
    }

    /// Whether a path of these cells, or stones, joins the terminals.
    pub(super) fn can_join(&self, cells: Mask<W>) -> bool {
        if self.joined {
            return true;
        }
        let mut left: Mask<W> = cells;
        for start in cells.iter().filter(|&cell| self.touch[cell] & 1 != 0) {
            if !left.contains(start) {
                continue;
            }
            left.remove(start);
            let (mut front, mut touched) = (Mask::single(start), 0);
            while let Some(cell) = front.pop() {
                touched |= self.touch[cell];
                let new = self.rows[cell] & left;
                left = left.minus(new);
                front |= new;
            }
            if touched == self.all {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The way over a cell next to both terminals is no detour, so the cell is never dead.
    #[test]
    fn a_cell_between_the_terminals_is_not_simplicial() {
        let touching = vec![Mask::single(0) | Mask::single(1), Mask::single(0)];
        let rows = vec![Mask::<1>::single(1), Mask::single(0)];
        let graph = Reduced::new(&Network { rows, touching });
        assert!(!graph.is_simplicial(0, Mask::default()) && !graph.is_simplicial(0, Mask::single(1)));
        assert!(graph.deletion_killers(0).is_empty() && !graph.dies_by_contraction(0, 1));
        // The other one is: it touches a terminal, and so does its neighbour.
        assert!(graph.is_simplicial(1, Mask::default()));
    }
}
