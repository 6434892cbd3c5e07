//! Cells behind a clique: dead, though their neighbours are no clique.
//!
//! If some cells that are all neighbours of each other, one terminal perhaps among them, separate a cell from both terminals,
//! or from one and the other is in the clique, then no induced path between the terminals goes through it. All such cells at
//! once (van Rijswijck 2006, algorithm 3, corrected): begin with a shortest path; as long as there are other cells, take a
//! component of them. If what it touches of the cells that are kept is a clique, the component is dead; else two of them that
//! are not neighbours are joined by a shortest path inside it, and the two ends of that are kept.
//!
//! Fill does without it: once a position is expanded the dead cells are not tried as moves. A move there is a pass, and a
//! pass is refuted by whatever refutes another move.

use super::reduced::Reduced;
use crate::rows::mask::Mask;

impl<const W: usize> Reduced<W> {
    /// The empty cells that no clique separates from the terminals; none if the terminals cannot be joined.
    pub(super) fn behind_no_clique(&self, empty: Mask<W>) -> Mask<W> {
        let touching =
            |which: usize| -> Mask<W> { empty.iter().filter(|&cell| self.touch[cell] >> which & 1 != 0).collect() };
        let at = [touching(0), touching(1)];
        let mut levels = Vec::new();
        if !self.levels(at[0], at[1], empty, &mut levels) {
            return Mask::default();
        }
        // A shortest path.
        let mut kept = Mask::default();
        let mut cell = None;
        for &level in levels.iter().rev() {
            let near = cell.map_or(at[1], |cell: usize| self.rows[cell]);
            cell = (level & near).lowest();
            cell.into_iter().for_each(|cell| kept.insert(cell));
        }
        let mut rest = empty.minus(kept);
        while let Some(first) = rest.lowest() {
            let (mut component, mut front) = (Mask::single(first), Mask::single(first));
            let (mut near, mut touched) = (Mask::default(), 0);
            while let Some(cell) = front.pop() {
                near |= self.rows[cell];
                touched |= self.touch[cell];
                let new = (self.rows[cell] & rest).minus(component);
                component |= new;
                front |= new;
            }
            near &= kept;
            match self.strangers(near, touched, at) {
                None => rest = rest.minus(component),
                Some([one, other]) => {
                    if !self.levels(component & one, component & other, component, &mut levels) {
                        // Both touch the component, so a path is there.
                        return empty;
                    }
                    let last = levels.last().and_then(|&level| (level & other).lowest());
                    let Some(last) = last else { return empty };
                    let mut cell = last;
                    for &level in levels[..levels.len() - 1].iter().rev() {
                        cell = (self.rows[cell] & level).lowest().unwrap_or(cell);
                    }
                    for end in [cell, last] {
                        kept.insert(end);
                        rest.remove(end);
                    }
                }
            }
        }
        kept
    }

    /// Neighbourhoods of two of these cells, and of the terminals that are touched, which are not neighbours.
    fn strangers(&self, cells: Mask<W>, touched: u8, at: [Mask<W>; 2]) -> Option<[Mask<W>; 2]> {
        if touched == 3 {
            return Some(at);
        }
        for cell in cells.iter() {
            let mut beyond = cells.minus(self.rows[cell]);
            beyond.remove(cell);
            if let Some(other) = beyond.lowest() {
                return Some([self.rows[cell], self.rows[other]]);
            }
            let missing = touched & !self.touch[cell];
            if missing != 0 {
                return Some([self.rows[cell], at[missing.trailing_zeros() as usize]]);
            }
        }
        None
    }

    /// The cells by their distance from `from`, up to the first level that meets `to`. False if none does.
    fn levels(&self, from: Mask<W>, to: Mask<W>, inside: Mask<W>, levels: &mut Vec<Mask<W>>) -> bool {
        levels.clear();
        let (mut level, mut seen) = (from, from);
        while !level.is_empty() {
            levels.push(level);
            if level.intersects(&to) {
                return true;
            }
            let mut next = Mask::default();
            level.iter().for_each(|cell| next |= self.rows[cell]);
            level = (next & inside).minus(seen);
            seen |= level;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{CUT, SHORT};
    use super::super::cases::{Random, position};
    use super::super::fill::State;
    use super::*;

    /// A cell behind a clique may have any colour; and all simplicial cells are among them.
    #[test]
    fn cells_behind_a_clique_do_not_matter() {
        let mut random = Random(29);
        let (mut dead, mut more) = (0, 0);
        for number in 0..900 {
            let position = position(&mut random, number, 9);
            let board = position.board(true);
            let state = State::new(&board);
            let mut judge = position.judge();
            for graph in state.graphs.iter().filter(|graph| !graph.joined && graph.can_join(state.empty)) {
                let kept = graph.behind_no_clique(state.empty);
                for cell in state.empty.iter() {
                    if kept.contains(cell) {
                        assert!(!graph.is_simplicial(cell, Mask::default()), "{position:?} {cell}");
                        continue;
                    }
                    dead += 1;
                    more += usize::from(!graph.is_simplicial(cell, Mask::default()));
                    for turn in [SHORT, CUT] {
                        let [short, cut] = [SHORT, CUT].map(|player| {
                            let mut own = [Mask::default(); 2];
                            own[player] = Mask::single(cell);
                            judge.winner(own, turn)
                        });
                        assert_eq!(short, cut, "{position:?} {cell}");
                    }
                }
            }
        }
        assert!(dead > 500 && more > 50, "{dead} {more}");
    }
}
