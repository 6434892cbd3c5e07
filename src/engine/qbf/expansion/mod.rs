//! Counterexample-guided expansion for formulas of at most three blocks, `exists X forall Y exists Z`.
//!
//! Three SAT solvers play (after Janota, Klieber, Marques-Silva and Clarke, *Solving QBF with counterexample guided
//! refinement*, 2012/2016; their RAReQS nests this for any number of blocks):
//! 1. the [outer](outer::Outer) player proposes a move `x` that survives all universal moves seen so far;
//! 2. the [universal](universal::Universal) player looks for a `y` against `x` that refutes all answers seen so far: if
//!    there is none, the formula is true and `x` shows it;
//! 3. the inner player looks for an answer `z` to `x` and `y` in the matrix itself: if there is one, the universal player
//!    has to refute it too (2), otherwise the outer player has to survive `y` (1).
//!
//! Innermost variables that are functions of earlier ones are [recovered](super::definitions) first: an answer fixes only what is
//! free to choose, which makes it an answer to many moves instead of one.

mod instance;
mod outer;
mod universal;

use super::definitions::{self, Class};
use super::engine::{Answer, Missing, Pace, QbfEngine, Wish};
use super::matrix::Matrix;
use crate::control::{Control, StopReason};
use crate::formula::{Lit, Quantifier, Var};
use crate::options::Functions;
use crate::sat::Backend;
use crate::statistics::Statistics;
use instance::Instance;
use outer::Outer;
use universal::Universal;

/// The engine: it decides formulas of at most three blocks and gives no functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expansion {
    /// The SAT solver of the players.
    pub backend: Backend,
}

impl QbfEngine for Expansion {
    fn name(&self) -> &'static str {
        "expansion"
    }

    fn answers(&self, matrix: &Matrix, wish: Wish) -> bool {
        wish.functions == Functions::None && matrix.quantifiers.len() <= 3
    }

    fn solve(
        &self,
        matrix: &Matrix,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        let (verdict, values) = match matrix.refutation() {
            Some(values) => (false, values),
            None => self.decide(matrix, control, statistics)?,
        };
        let outer_model = if wish.outer_model { matrix.outer_model(verdict, &values) } else { Vec::new() };
        let functions = Err(if wish.functions == Functions::None { Missing::Unwanted } else { Missing::Lost });
        Ok(Answer { verdict, outer_model, functions })
    }
}

impl Expansion {
    /// The verdict and the winner's first move among the values of all variables.
    fn decide(
        &self,
        matrix: &Matrix,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<(bool, Vec<bool>), StopReason> {
        let roles = Roles::new(matrix);
        let vars = roles.class.len();
        let definitions = definitions::recover(&matrix.clauses, &roles.class);
        statistics.add("expansion_definitions", definitions.order.len() as u64);
        let is_free = |&var: &Var| definitions.class[var.index()] == Class::Inner && !definitions.is_defined(var);
        let free: Vec<Var> = (0..vars).map(Var::from_index).filter(is_free).collect();

        let mut instance = Instance::new(&matrix.clauses, vars);
        let mut outer = Outer::new(self.backend, &matrix.clauses, &definitions);
        let mut universal = Universal::new(self.backend, &matrix.clauses, &definitions);
        let mut inner = self.backend.create();
        for _ in 0..vars {
            inner.new_var();
        }
        for clause in &matrix.clauses {
            inner.add_clause(clause);
        }

        let (mut outer_moves, mut universal_moves) = (0, 0);
        let mut pace = Pace::default();
        let result = 'outer: loop {
            // 1. A move of the outer player.
            if !outer.find(control)? {
                break (false, Vec::new());
            }
            let x: Vec<Lit> = roles.outer.iter().map(|&var| outer.value(var)).collect();
            outer_moves += 1;
            loop {
                // 2. A move of the universal player.
                if !universal.find(&x, control)? {
                    break 'outer (true, x);
                }
                let y: Vec<Lit> = roles.universal.iter().map(|&var| universal.value(var)).collect();
                universal_moves += 1;
                if pace.is_due(universal_moves, control) {
                    let seconds = control.elapsed().as_secs_f64();
                    control.log(|| {
                        format!("expansion {outer_moves:>9} outer moves {universal_moves:>9} universal moves {seconds:>7.2} s")
                    });
                }
                // 3. An answer of the inner player. The outer move changes least often, so it is assumed first.
                let moves: Vec<Lit> = x.iter().chain(&y).copied().collect();
                if inner.solve(&moves, control)? {
                    let z: Vec<Lit> = free.iter().map(|&var| var.lit(inner.value(var.positive()))).collect();
                    universal.refute(&z, &matrix.clauses, &mut instance, &definitions);
                } else if roles.outer.is_empty() {
                    break 'outer (false, y);
                } else {
                    // The part of `x` that fails against `y` goes at once; the copy excludes what fails for the same
                    // reason.
                    let failed = inner.failed().iter().copied();
                    outer.exclude(failed.filter(|lit| roles.class[lit.var().index()] == Class::Outer));
                    outer.survive(&y, &mut instance, &definitions);
                    break;
                }
            }
        };
        statistics.add("expansion_outer_moves", outer_moves);
        statistics.add("expansion_universal_moves", universal_moves);
        statistics.add("expansion_outer_literals", outer.literals());
        statistics.add("expansion_universal_literals", universal.literals());
        let (verdict, first_move) = result;
        let mut values = vec![false; vars];
        first_move.iter().for_each(|lit| values[lit.var().index()] = lit.is_positive());
        Ok((verdict, values))
    }
}

/// Who owns which variable.
struct Roles {
    class: Vec<Class>,
    outer: Vec<Var>,
    universal: Vec<Var>,
}

impl Roles {
    fn new(matrix: &Matrix) -> Self {
        let innermost = matrix.quantifiers.len().saturating_sub(1) as u32;
        let mut roles = Roles { class: Vec::new(), outer: Vec::new(), universal: Vec::new() };
        for (index, &level) in matrix.level_of.iter().enumerate() {
            let (class, list) = match matrix.quantifiers.get(level as usize) {
                // What does not occur is nobody's business.
                None => (Class::Outer, None),
                Some(Quantifier::Forall) => (Class::Universal, Some(&mut roles.universal)),
                Some(Quantifier::Exists) if level == innermost && level > 0 => (Class::Inner, None),
                Some(Quantifier::Exists) => (Class::Outer, Some(&mut roles.outer)),
            };
            roles.class.push(class);
            list.into_iter().for_each(|list| list.push(Var::from_index(index)));
        }
        roles
    }
}
