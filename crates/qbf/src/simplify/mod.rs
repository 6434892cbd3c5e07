//! Simplification of prenex QBF before search.
//!
//! [`simplify`] runs the techniques of this directory, one file each, in rounds until little changes or the effort is
//! used up. Each of them keeps the truth of the formula, and leaves behind what is needed to get from values of the
//! simplified formula's outermost block back to those of the original ([`Reconstruction`]).
//!
//! ```
//! use gamesat_core::control::Control;
//! use gamesat_core::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
//! use gamesat_qbf::simplify::simplify;
//! use gamesat_qbf::options::SimplifyOptions;
//!
//! // exists 1 forall 2 exists 3: 1 and (2 or 3) and (not 2 or not 3)
//! let mut prefix = Prefix::new();
//! for (quantifier, var) in [(Quantifier::Exists, 1), (Quantifier::Forall, 2), (Quantifier::Exists, 3)] {
//!     prefix.push_block(quantifier, [Var::from_dimacs(var)]);
//! }
//! let matrix: ClauseArena =
//!     [&[1][..], &[2, 3], &[-2, -3]].map(|c| c.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).into_iter().collect();
//! let qbf = Qbf::new(&prefix, matrix)?;
//! let simplified = simplify(&qbf, &SimplifyOptions::default(), &Control::default());
//! assert_eq!(simplified.verdict, Some(true));
//! assert_eq!(simplified.reconstruction.outer_model(&[]).values, [Lit::from_dimacs(1)]);
//! # Ok::<(), gamesat_core::formula::PrefixError>(())
//! ```

mod autarky;
mod blocked;
mod circuits;
mod depend;
mod eliminate;
mod equivalence;
mod expand;
mod lives;
mod probe;
mod propagate;
mod propagator;
mod reconstruction;
mod redundant;
mod sat_checks;
mod schedule;
mod store;
mod subsume;
mod vivify;

pub use crate::options::{Functions, SimplifyOptions};
pub use autarky::largest_autarky;
pub(super) use circuits::Circuits;
pub(super) use lives::Lives;
pub use reconstruction::{OuterModel, Reconstruction, Step, complete};

use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{ClauseArena, Prefix, Qbf, Quantifier, Var};
use gamesat_core::statistics::Statistics;
use rustc_hash::FxHashSet;
use store::{Halt, Simplifier};

/// A simplified formula and the way back.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// A formula with the same truth value. Variables that survived keep their numbers, new ones have numbers that the
    /// original did not use.
    pub formula: Qbf,
    /// The truth value, if it was found; `formula` is then trivially true or false.
    pub verdict: Option<bool>,
    /// From values of `formula`'s outermost block to those of the original's.
    pub reconstruction: Reconstruction,
    /// Sizes before and after, and per technique that struck: runs, blocks, variables, clauses and literals removed
    /// (negative numbers were added), seconds.
    pub statistics: Statistics,
    /// Why the simplification stopped early, if it did. `formula` is good all the same.
    pub stop: Option<StopReason>,
}

/// Simplifies a formula.
pub fn simplify(qbf: &Qbf, options: &SimplifyOptions, control: &Control) -> Simplified {
    simplify_keeping(qbf, options, None, control).0
}

/// Is shown a formula before its definitions dissolve, and may know its truth value.
pub(super) type Trial<'a> = dyn FnMut(&Circuits<'a>) -> Option<bool> + 'a;

/// Simplifies a formula. If there is a trial and definitions are going to dissolve, that comes first; what the formula was
/// [before](circuits) is then returned, too.
pub(super) fn simplify_keeping<'a>(
    qbf: &Qbf,
    options: &'a SimplifyOptions,
    trial: Option<&'a mut Trial<'a>>,
    control: &'a Control,
) -> (Simplified, Option<Circuits<'a>>) {
    let mut statistics = Statistics::default();
    if qbf.matrix().num_lits() > options.max_literals {
        let reconstruction = Reconstruction::new(qbf);
        return (Simplified { formula: qbf.clone(), verdict: None, reconstruction, statistics, stop: None }, None);
    }
    let (dense, mut names) = qbf.compact();
    let mut simplifier = Simplifier::new(&dense, options, control);
    let mut books = schedule::Books::new(trial.map(|trial| (trial, names.clone())));
    let halt = schedule::run(&mut simplifier, dense.matrix(), &mut books);
    books.report(&mut statistics);
    let (verdict, stop) = match halt {
        Ok(()) | Err(Halt::Budget) => (None, None),
        Err(Halt::Decided(value)) => (Some(value), None),
        Err(Halt::Stop(reason)) => (None, Some(reason)),
    };
    let circuits = books.circuits.take().filter(|_| verdict.is_none());
    name_new_vars(&mut names, simplifier.num_vars());
    let (mut formula, verdict) = match verdict {
        Some(value) => (constant(value), Some(value)),
        // A load that was cut short is not the whole formula.
        None if stop.is_some() && !books.loaded => (qbf.clone(), None),
        None => extract(&mut simplifier, &names),
    };
    for (var, name) in qbf.names.iter().filter(|_| verdict.is_none()) {
        formula.names.insert(var, name);
    }
    let mut reconstruction = std::mem::take(&mut simplifier.reconstruction);
    reconstruction.rename(|var| names[var.index()]);
    (Simplified { formula, verdict, reconstruction, statistics, stop }, circuits)
}

/// The formula without clauses, or with just the empty one.
fn constant(value: bool) -> Qbf {
    let mut matrix = ClauseArena::new();
    if !value {
        matrix.push(&[]);
    }
    Qbf::new(&Prefix::new(), matrix).expect("an empty prefix binds nothing twice")
}

/// Gives numbers that the original does not use to the variables that were made.
fn name_new_vars(names: &mut Vec<Var>, wanted: usize) {
    let largest = names.iter().map(|var| var.index()).max().unwrap_or(0);
    let missing = wanted - names.len();
    if largest + missing < Var::LIMIT {
        names.extend((largest + 1..=largest + missing).map(Var::from_index));
    } else {
        let used: FxHashSet<Var> = names.iter().copied().collect();
        names.extend((0..).map(Var::from_index).filter(|var| !used.contains(var)).take(missing));
    }
}

/// The formula as it is now, in the caller's numbering, and its truth value if that is plain to see.
fn extract(s: &mut Simplifier<'_>, names: &[Var]) -> (Qbf, Option<bool>) {
    let mut matrix = ClauseArena::new();
    'clauses: for id in s.live_clause_ids() {
        for &lit in s.clause(id) {
            match s.value(lit) {
                Some(true) => {
                    if matrix.is_open() {
                        matrix.finish();
                        matrix.pop();
                    }
                    continue 'clauses;
                }
                Some(false) => {}
                None => matrix.push_lit(names[lit.var().index()].lit(lit.is_positive())),
            }
        }
        matrix.finish();
    }
    if matrix.is_empty() {
        return (constant(true), Some(true));
    }
    if matrix.iter().any(<[_]>::is_empty) {
        return (constant(false), Some(false));
    }
    let mut order: Vec<Var> = s.all_vars().filter(|&var| s.occurs(var)).collect();
    order.sort_by_key(|&var| s.level(var));
    let mut prefix = Prefix::new();
    for var in order {
        let quantifier = if s.exists(var) { Quantifier::Exists } else { Quantifier::Forall };
        prefix.push_var(quantifier, names[var.index()]);
    }
    (Qbf::new(&prefix, matrix).expect("every variable is bound once"), None)
}
