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
//! Innermost variables that are functions of earlier ones are [recovered](definitions) first: an answer fixes only what is
//! free to choose, which makes it an answer to many moves instead of one.

mod definitions;
mod instance;
mod outer;
mod universal;

use crate::control::{Control, StopReason};
use crate::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use crate::sat::Backend;
use crate::statistics::Statistics;
use definitions::Class;
use instance::Instance;
use outer::Outer;
use universal::Universal;

/// A verdict and what shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Whether the formula is true.
    pub value: bool,
    /// Values of the outermost block if its owner won: existential and true, or universal and false.
    pub outer_model: Vec<Lit>,
}

/// Whether the engine treats formulas with this prefix: at most three blocks beside a universal innermost one, the middle
/// one universal.
pub fn handles(prefix: &Prefix) -> bool {
    let mut quantifiers: Vec<Quantifier> = prefix.blocks().map(|block| block.quantifier).collect();
    if quantifiers.last() == Some(&Quantifier::Forall) {
        quantifiers.pop();
    }
    use Quantifier::{Exists, Forall};
    matches!(quantifiers[..], [] | [Exists] | [Forall, Exists] | [Exists, Forall, Exists])
}

/// Solves a formula whose variables are numbered densely and whose prefix the engine [`handles`].
///
/// # Errors
/// The reason to stop before the answer was known.
pub fn solve(
    qbf: &Qbf,
    backend: Backend,
    control: &Control,
    statistics: &mut Statistics,
) -> Result<Answer, StopReason> {
    let roles = Roles::new(qbf);
    let Some(matrix) = roles.reduce(qbf.matrix()) else {
        // A clause of universals alone: any colouring that falsifies it refutes the formula.
        return Ok(Answer { value: false, outer_model: roles.falsify(qbf) });
    };
    let definitions = definitions::recover(&matrix, &roles.class);
    statistics.add("expansion_definitions", definitions.order.len() as u64);
    let free: Vec<Var> = (0..roles.class.len())
        .map(Var::from_index)
        .filter(|&var| definitions.class[var.index()] == Class::Inner && !definitions.is_defined(var))
        .collect();

    let mut instance = Instance::new(&matrix, roles.class.len());
    let mut outer = Outer::new(backend, &matrix, &definitions);
    let mut universal = Universal::new(backend, &matrix, &definitions);
    let mut inner = backend.create();
    for _ in 0..roles.class.len() {
        inner.new_var();
    }
    for clause in &matrix {
        inner.add_clause(clause);
    }

    let result = 'outer: loop {
        // 1. A move of the outer player.
        if !outer.find(control)? {
            break Answer { value: false, outer_model: Vec::new() };
        }
        let x: Vec<Lit> = roles.outer.iter().map(|&var| outer.value(var)).collect();
        statistics.add("expansion_outer_moves", 1);
        loop {
            // 2. A move of the universal player.
            if !universal.find(&x, control)? {
                break 'outer Answer { value: true, outer_model: x };
            }
            let y: Vec<Lit> = roles.universal.iter().map(|&var| universal.value(var)).collect();
            statistics.add("expansion_universal_moves", 1);
            // 3. An answer of the inner player. The outer move changes least often, so it is assumed first.
            let moves: Vec<Lit> = x.iter().chain(&y).copied().collect();
            if inner.solve(&moves, control)? {
                let z: Vec<Lit> = free.iter().map(|&var| var.lit(inner.value(var.positive()))).collect();
                universal.refute(&z, &matrix, &mut instance, &definitions);
            } else if roles.outer.is_empty() {
                break 'outer Answer { value: false, outer_model: roles.witness(y) };
            } else {
                // The part of `x` that fails against `y` goes at once; the copy excludes what fails for the same reason.
                outer.exclude(
                    inner.failed().iter().copied().filter(|lit| roles.class[lit.var().index()] == Class::Outer),
                );
                outer.survive(&y, &mut instance, &definitions);
                break;
            }
        }
    };
    statistics.add("expansion_outer_literals", outer.literals());
    statistics.add("expansion_universal_literals", universal.literals());
    Ok(result)
}

/// Who owns which variable.
struct Roles {
    class: Vec<Class>,
    outer: Vec<Var>,
    universal: Vec<Var>,
    /// Universals of an innermost block, on which nothing can depend.
    idle: Vec<Var>,
    is_idle: Vec<bool>,
    universal_first: bool,
}

impl Roles {
    fn new(qbf: &Qbf) -> Self {
        let prefix = qbf.prefix();
        let mut roles = Roles {
            class: vec![Class::Inner; qbf.num_vars()],
            outer: Vec::new(),
            universal: Vec::new(),
            idle: Vec::new(),
            is_idle: vec![false; qbf.num_vars()],
            universal_first: prefix.blocks().next().is_some_and(|block| block.quantifier == Quantifier::Forall),
        };
        let last = prefix.len().saturating_sub(1);
        let innermost_exists = prefix.blocks().rposition(|block| block.quantifier == Quantifier::Exists);
        for (index, block) in prefix.blocks().enumerate() {
            let (class, list) = match block.quantifier {
                Quantifier::Forall if index == last => (Class::Universal, &mut roles.idle),
                Quantifier::Forall => (Class::Universal, &mut roles.universal),
                Quantifier::Exists if Some(index) == innermost_exists && index > 0 => continue,
                Quantifier::Exists => (Class::Outer, &mut roles.outer),
            };
            for &var in block.vars {
                roles.class[var.index()] = class;
                list.push(var);
            }
        }
        for var in &roles.idle {
            roles.is_idle[var.index()] = true;
        }
        roles
    }

    /// The matrix without tautologies and repetitions, and without universals that no existential of their clause can
    /// depend on. `None` if a clause has nothing but universals.
    fn reduce(&self, matrix: &ClauseArena) -> Option<ClauseArena> {
        let mut reduced = ClauseArena::new();
        for clause in matrix {
            reduced.push(clause);
            if reduced.normalise_last() {
                reduced.pop();
                continue;
            }
            let class = |lit: &Lit| self.class[lit.var().index()];
            let has_inner = clause.iter().any(|lit| class(lit) == Class::Inner);
            let depends = |lit: &Lit| class(lit) != Class::Universal || has_inner && !self.is_idle[lit.var().index()];
            let kept: Vec<Lit> = reduced[reduced.len() - 1].iter().copied().filter(depends).collect();
            if kept.is_empty() {
                return None;
            }
            reduced.pop();
            reduced.push(&kept);
        }
        Some(reduced)
    }

    /// A colouring of the outermost block, if it is universal, that makes a clause of universals false.
    fn falsify(&self, qbf: &Qbf) -> Vec<Lit> {
        let clause = qbf.matrix().iter().find(|clause| {
            let universal = clause.iter().all(|lit| self.class[lit.var().index()] == Class::Universal);
            universal && !clause.iter().any(|lit| clause.contains(&!*lit))
        });
        let clause = clause.unwrap_or_default();
        let vars = if self.universal.is_empty() { &self.idle } else { &self.universal };
        self.witness(vars.iter().map(|&var| var.lit(clause.contains(&var.negative()))).collect())
    }

    fn witness(&self, universal: Vec<Lit>) -> Vec<Lit> {
        if self.universal_first { universal } else { Vec::new() }
    }
}
