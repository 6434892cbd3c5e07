//! Every winning choice of the outermost block, as cubes: models of an existential block, countermodels of a universal one. All
//! completions of a cube win, and no two cubes share one.
//!
//! When the outermost level wins, the win [rests](Search::decisive_moves) on some literals of its move. They are a cube: whatever
//! the other variables are, the nodes that must be satisfied are, or those that must not be are not. The cube is ruled out by a
//! clause in that level's solver, and the search goes on with all that it knows, since nothing else has changed. A later cube
//! must contain a literal of each such clause, so it cannot meet an earlier cube.
//!
//! If the outermost level has other variables beside those that are asked for (those of inner blocks between which nothing
//! universal occurs, or gates of a circuit), they are left out of the cubes. Some value of them serves every completion: the one
//! that the move had.
//!
//! Universal reduction must leave a universal outermost block alone: whoever asks sees to it that every clause has an existential
//! literal, or is empty.

use super::super::engine::Wish;
use super::super::matrix::Matrix;
use super::{Abstraction, Search};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Quantifier, Var};
use gamesat_core::statistics::Statistics;

impl Abstraction {
    /// Finds every winning choice of the outermost block, as far as variables are `asked_for`. Cubes are found one by one; says
    /// whether the formula is true.
    ///
    /// # Errors
    /// The reason to stop before all were found, which may be that of `found`.
    pub fn outer_models(
        &self,
        matrix: &Matrix,
        asked_for: impl Fn(Var) -> bool,
        control: &Control,
        statistics: &mut Statistics,
        mut found: impl FnMut(Vec<Lit>) -> Result<(), StopReason>,
    ) -> Result<bool, StopReason> {
        let owner = matrix.original.first().map_or(Quantifier::Exists, |&(quantifier, _)| quantifier);
        let wins = owner == Quantifier::Exists;
        if matrix.refutation().is_some() {
            if !wins {
                found(Vec::new())?;
            }
            return Ok(false);
        }
        let mut search = Search::new(matrix, &self.options, Wish::default(), control);
        search.wants_first_move = true;
        let named = |lit: &Lit| matrix.outer_var(lit.var()).filter(|&var| asked_for(var));
        let mut ruled_out: Vec<Vec<Lit>> = Vec::new();
        let result = loop {
            search.first_move.clear();
            match search.run() {
                Ok(verdict) if verdict == wins => {}
                Ok(_) => break Ok(ruled_out.is_empty() != wins),
                Err(reason) => break Err(reason),
            }
            // Where the level is another's, the block does not occur, and no choice of it matters.
            let mut cube = match matrix.quantifiers.first() {
                Some(&quantifier) if quantifier == owner => std::mem::take(&mut search.first_move),
                _ => Vec::new(),
            };
            cube.retain(|lit| named(lit).is_some());
            for clause in &ruled_out {
                let is_true = |lit: &&Lit| search.values[lit.var().index()] == lit.is_positive();
                if !clause.iter().any(|lit| cube.contains(lit)) {
                    cube.extend(clause.iter().find(is_true));
                }
            }
            cube.sort_unstable();
            if let Err(reason) = found(cube.iter().filter_map(|lit| Some(named(lit)?.lit(lit.is_positive()))).collect())
            {
                break Err(reason);
            }
            if cube.is_empty() {
                break Ok(wins);
            }
            let clause: Vec<Lit> = cube.iter().map(|&lit| !lit).collect();
            let level = &mut search.levels[0];
            let theirs: Vec<Lit> =
                clause.iter().map(|&lit| level.own(lit, &mut search.literals, &search.values)).collect();
            level.solver.add_clause(&theirs);
            ruled_out.push(clause);
        };
        search.report(statistics);
        statistics.add("cubes", ruled_out.len() as u64);
        result
    }
}
