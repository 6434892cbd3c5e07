//! Dead cells, exactly: those on no induced path between the terminals. The paths are listed one after the other, so this is
//! for small boards, and the judge of what fill calls dead. Two terminals only.

use super::reduced::Reduced;
use gamesat_rows::mask::Mask;

/// The empty cells on no induced path between the terminals.
pub(super) fn off_induced_paths<const W: usize>(graph: &Reduced<W>, empty: Mask<W>) -> Mask<W> {
    let at = |which: u8| empty.iter().filter(|&cell| graph.touch[cell] >> which & 1 != 0).collect::<Mask<W>>();
    let (first, last) = (at(0), at(1));
    let mut off = empty;
    // Where the path may go on, the path, and the neighbours of what comes before its end.
    let mut stack = vec![(first, Mask::default(), Mask::default())];
    while let Some((mut next, path, barred)) = stack.pop() {
        let Some(cell) = next.pop() else { continue };
        stack.push((next, path, barred));
        let mut with: Mask<W> = path;
        with.insert(cell);
        if last.contains(cell) {
            off = off.minus(with);
            continue;
        }
        // Only the first cell may touch the first terminal; neighbours of earlier cells are chords.
        let barred = barred | with | first;
        stack.push((graph.rows[cell].minus(barred), with, barred | graph.rows[cell]));
    }
    off
}
