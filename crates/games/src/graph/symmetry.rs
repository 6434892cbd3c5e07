//! Moves that are the same but for their names.
//!
//! If a renaming of the empty cells maps Short's reduced graph onto itself, terminals included, and one cell onto another,
//! then the moves there have the same value: Short's reduced graph is all of the position that counts. The renamings are
//! looked for as for [self-dual positions](super::theorem), with the two cells coloured apart.

use super::board::SHORT;
use super::fill::State;
use super::theorem::{Coloured, orders, refine, renames};

/// What a cell is beyond touching terminals: the one that is singled out.
const SINGLED_OUT: u8 = 16;

/// Refinements before the search for a renaming gives up.
const MOST_TRIES: usize = 16;

/// The symmetries of a position.
pub(super) struct Symmetries {
    graph: Coloured,
    /// The place of each cell among the empty ones.
    places: Vec<usize>,
    /// Cells that look alike have one colour.
    colours: Vec<u32>,
    /// Number of terminals.
    terminals: usize,
}

impl Symmetries {
    pub(super) fn new<const W: usize>(state: &State<W>) -> Self {
        let reduced = &state.graphs[SHORT];
        let cells: Vec<usize> = state.empty.iter().collect();
        let mut places = vec![usize::MAX; reduced.rows.len()];
        cells.iter().enumerate().for_each(|(place, &cell)| places[cell] = place);
        let lists: Vec<Vec<u32>> =
            cells.iter().map(|&cell| reduced.rows[cell].iter().map(|other| places[other] as u32).collect()).collect();
        let kinds: Vec<u8> = cells.iter().map(|&cell| reduced.touch[cell]).collect();
        // The terminals may change places.
        let mut colours: Vec<u32> = kinds.iter().map(|&kind| u32::from(kind.count_ones() as u8)).collect();
        refine(&mut colours, |vertex| (&lists[vertex], 0));
        Symmetries { graph: Coloured { lists, kinds }, places, colours, terminals: reduced.terminals() }
    }

    /// Whether a symmetry maps one cell onto the other. A "no" may be wrong: the search gives up early.
    pub(super) fn maps(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.places[one], self.places[other]);
        if self.colours[one] != self.colours[other] {
            return false;
        }
        let with = |place: usize| {
            let mut graph = self.graph.clone();
            graph.kinds[place] |= SINGLED_OUT;
            graph
        };
        let (one, other) = (with(one), with(other));
        let mut tries = MOST_TRIES;
        orders(self.terminals).iter().any(|&order| renames(&one, &other, order, &mut tries))
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::*;
    use gamesat_rows::mask::Mask;

    /// Moves that are mapped onto each other have the same value.
    #[test]
    fn symmetric_moves_have_the_same_value() {
        let mut random = Random(19);
        let mut seen = 0;
        for number in 0..600 {
            let position = position(&mut random, number, 9);
            let board = position.board(false);
            let state = State::new(&board);
            if state.winner.is_some() {
                continue;
            }
            let symmetries = Symmetries::new(&state);
            let mut judge = position.judge();
            for one in state.empty.iter() {
                for other in state.empty.iter().filter(|&other| other > one && symmetries.maps(one, other)) {
                    seen += 1;
                    for turn in 0..2 {
                        let mut after = |cell: usize| {
                            let mut own = [Mask::default(); 2];
                            own[turn] = Mask::single(cell);
                            judge.winner(own, 1 - turn)
                        };
                        assert_eq!(after(one), after(other), "{one} {other} {position:?}");
                    }
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }
}
