//! Boards as formulas, for benchmarks and tests of the game engine: minimal winning sets of MAX as a DNF.

use gamesat::formula::{ClauseArena, Var};

/// Hex: the induced paths from the top to the bottom row of an n x n board. Cell (column, row) is element row * n + column.
pub fn hex(n: usize) -> ClauseArena {
    let around = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
    let neighbours: Vec<Vec<usize>> = (0..n * n)
        .map(|cell| {
            let (column, row) = ((cell % n) as i32, (cell / n) as i32);
            around
                .iter()
                .map(|&(dc, dr)| (column + dc, row + dr))
                .filter(|&(c, r)| (0..n as i32).contains(&c) && (0..n as i32).contains(&r))
                .map(|(c, r)| r as usize * n + c as usize)
                .collect()
        })
        .collect();
    let mut rows = ClauseArena::new();
    for start in 0..n {
        extend(n, &neighbours, &mut vec![start], &mut rows);
    }
    rows
}

fn extend(n: usize, neighbours: &[Vec<usize>], path: &mut Vec<usize>, rows: &mut ClauseArena) {
    let last = path[path.len() - 1];
    if last / n == n - 1 {
        rows.push(&path.iter().map(|&cell| Var::from_index(cell).positive()).collect::<Vec<_>>());
        return;
    }
    for &next in &neighbours[last] {
        // Only the first cell may touch the top, and only the last one on the path may touch the new one.
        let chordless =
            next >= n && !path.contains(&next) && path[..path.len() - 1].iter().all(|c| !neighbours[next].contains(c));
        if chordless {
            path.push(next);
            extend(n, neighbours, path, rows);
            path.pop();
        }
    }
}

/// Y: the minimal connected sets that touch all three sides of a triangle of side n. Cell `y` of row `x` is element
/// x (x + 1) / 2 + y.
pub fn y(n: usize) -> ClauseArena {
    let index = |x: usize, y: usize| x * (x + 1) / 2 + y;
    let cells: Vec<(usize, usize)> = (0..n).flat_map(|x| (0..=x).map(move |y| (x, y))).collect();
    let neighbours: Vec<u64> = cells
        .iter()
        .map(|&(x, y)| {
            let (x, y) = (x as i32, y as i32);
            let around = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)];
            around
                .iter()
                .map(|&(dx, dy)| (x + dx, y + dy))
                .filter(|&(x, y)| x >= 0 && x < n as i32 && y >= 0 && y <= x)
                .fold(0, |mask, (x, y)| mask | 1 << index(x as usize, y as usize))
        })
        .collect();
    let sides = [
        cells.iter().filter(|c| c.1 == 0).fold(0u64, |m, c| m | 1 << index(c.0, c.1)),
        cells.iter().filter(|c| c.1 == c.0).fold(0u64, |m, c| m | 1 << index(c.0, c.1)),
        cells.iter().filter(|c| c.0 == n - 1).fold(0u64, |m, c| m | 1 << index(c.0, c.1)),
    ];
    let wins = |set: u64| {
        let mut reached = set & sides[0];
        // Every component that touches the first side.
        while reached != 0 {
            let mut component = 1u64 << reached.trailing_zeros();
            loop {
                let grown = (0..cells.len())
                    .filter(|&c| component >> c & 1 != 0)
                    .fold(component, |all, c| all | neighbours[c] & set);
                if grown == component {
                    break;
                }
                component = grown;
            }
            if component & sides[1] != 0 && component & sides[2] != 0 {
                return true;
            }
            reached &= !component;
        }
        false
    };
    let mut rows = ClauseArena::new();
    for set in 0..1u64 << cells.len() {
        let minimal = wins(set) && (0..cells.len()).filter(|&c| set >> c & 1 != 0).all(|c| !wins(set & !(1 << c)));
        if minimal {
            let row: Vec<_> =
                (0..cells.len()).filter(|&c| set >> c & 1 != 0).map(|c| Var::from_index(c).positive()).collect();
            rows.push(&row);
        }
    }
    rows
}
