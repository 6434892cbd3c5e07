//! Dead cells, exactly: those on no induced path between the terminals. The paths are listed one after the other, so this is for
//! small rests; listing stops when every cell has been seen on one, and gives up after some steps. Two terminals only.

use super::reduced::Reduced;
use crate::rows::mask::Mask;

/// The empty cells on no induced path between the terminals; `None` if it takes more steps to find out.
pub(super) fn off_induced_paths<const W: usize>(
    graph: &Reduced<W>,
    empty: Mask<W>,
    most_steps: usize,
) -> Option<Mask<W>> {
    if graph.terminals() != 2 {
        return None;
    }
    let at = |which: u8| empty.iter().filter(|&cell| graph.touch[cell] >> which & 1 != 0).collect::<Mask<W>>();
    let (first, last) = (at(0), at(1));
    let mut off = empty;
    let mut steps = 0;
    // Where the path may go on, the path, and the neighbours of what comes before its end.
    let mut stack = vec![(first, Mask::default(), Mask::default())];
    while let Some((mut next, path, barred)) = stack.pop() {
        let Some(cell) = next.pop() else { continue };
        stack.push((next, path, barred));
        steps += 1;
        if steps > most_steps {
            return None;
        }
        let mut with: Mask<W> = path;
        with.insert(cell);
        if last.contains(cell) {
            off = off.minus(with);
            if off.is_empty() {
                return Some(off);
            }
            continue;
        }
        // Only the first cell may touch the first terminal; neighbours of earlier cells are chords.
        let barred = barred | with | first;
        stack.push((graph.rows[cell].minus(barred), with, barred | graph.rows[cell]));
    }
    Some(off)
}

#[cfg(test)]
mod tests {
    use super::super::board::Network;
    use super::*;

    /// A dead cell that no clique separates from the terminals.
    #[test]
    fn a_dead_cell_that_cliques_do_not_show() {
        let mask = |cells: &[usize]| cells.iter().copied().collect::<Mask<1>>();
        // Cells 0, 1, 2: s-1 s-2 t-0 t-1 t-2 0-1 0-2.
        let network = Network {
            rows: vec![mask(&[1, 2]), mask(&[0]), mask(&[0])],
            touching: vec![mask(&[1, 2]), mask(&[0, 1, 2])],
        };
        let graph = Reduced::new(&network);
        assert_eq!(off_induced_paths(&graph, Mask::first(3), 100), Some(Mask::single(0)));
        assert!(super::super::cutsets::behind_cliques(&graph, Mask::first(3)).is_empty());
        assert_eq!(off_induced_paths(&graph, Mask::first(3), 1), None);
    }
}
