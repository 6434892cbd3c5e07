//! Sudoku as clauses: a variable for every digit in every cell. Each cell has a digit and not two, each digit is in each row,
//! column and box, and not twice. Half of these clauses follow from the other half; they make propagation complete.

use gamesat_core::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat_core::rules::Sudoku;

/// The variable that says that a cell has a digit, both counted from 0.
pub fn variable(side: usize, cell: usize, digit: usize) -> Var {
    Var::from_index(cell * side + digit)
}

/// The puzzle as a formula in clauses, all of whose variables are existential.
pub fn sudoku_cnf(sudoku: &Sudoku) -> Qbf {
    let side = sudoku.side();
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    let mut once = |lits: Vec<Lit>| {
        for (at, &one) in lits.iter().enumerate() {
            clauses.extend(lits[at + 1..].iter().map(|&two| vec![!one, !two]));
        }
        clauses.push(lits);
    };
    for cell in 0..side * side {
        once((0..side).map(|digit| variable(side, cell, digit).positive()).collect());
    }
    for unit in sudoku.units() {
        for digit in 0..side {
            once(unit.iter().map(|&cell| variable(side, cell, digit).positive()).collect());
        }
    }
    for (cell, &digit) in sudoku.cells().iter().enumerate().filter(|(_, digit)| **digit > 0) {
        clauses.push(vec![variable(side, cell, usize::from(digit) - 1).positive()]);
    }
    let mut prefix = Prefix::new();
    prefix.push_block(Quantifier::Exists, (0..side.pow(3)).map(Var::from_index));
    let arena: ClauseArena = clauses.into_iter().collect();
    let count = arena.len();
    let mut qbf = Qbf::new(&prefix, arena).unwrap_or_else(|_| unreachable!("every variable is bound once"));
    qbf = qbf.with_header(side.pow(3), count);
    for cell in 0..side * side {
        for digit in 0..side {
            let name = format!("r{}c{}d{}", cell / side + 1, cell % side + 1, digit + 1);
            qbf.names.insert(variable(side, cell, digit), name);
        }
    }
    qbf
}
