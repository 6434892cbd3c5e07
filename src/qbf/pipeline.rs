//! The way of a QBF: simplify, solve what is left, and carry the witness back to the original formula.

use super::abstraction::{self, AbstractionOptions, Answer};
use super::simplify::{self, SimplifyOptions, simplify};
use crate::control::{Control, StopReason};
use crate::formula::{Lit, Qbf, Quantifier};
use crate::statistics::Statistics;

/// What is wanted, and how to get there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct QbfOptions {
    /// Options of the simplifier, or `None` to leave the formula as it is.
    pub simplify: Option<SimplifyOptions>,
    /// Options of the engine.
    pub abstraction: AbstractionOptions,
    /// Find values of the outermost block.
    pub outer_model: bool,
}

/// Solves a QBF. What was counted is added to the statistics, whether or not an answer was found.
///
/// # Errors
/// The reason to stop before the answer was known.
pub fn solve(
    qbf: &Qbf,
    options: &QbfOptions,
    control: &Control,
    statistics: &mut Statistics,
) -> Result<Answer, StopReason> {
    let Some(simplify_options) = options.simplify.as_ref().filter(|_| !options.abstraction.certificate) else {
        return abstraction::solve(qbf, &options.abstraction, control, statistics);
    };
    // 1. Simplify.
    let simplified = simplify(qbf, simplify_options, control);
    statistics.absorb(&simplified.statistics);
    if let Some(reason) = simplified.stop {
        return Err(reason);
    }
    // 2. Solve the rest.
    let (verdict, inner_model) = match simplified.verdict {
        Some(verdict) => (verdict, Vec::new()),
        None => {
            let answer = abstraction::solve(&simplified.formula, &options.abstraction, control, statistics)?;
            (answer.verdict, answer.outer_model)
        }
    };
    // 3. Back to the original.
    let mut outer_model = Vec::new();
    if options.outer_model && outermost_wins(qbf, verdict) {
        let model = simplified.reconstruction.outer_model(&inner_model);
        outer_model = if model.exact { model.values } else { repair(qbf, verdict, &model.values, options, control)? };
    }
    Ok(Answer { verdict, outer_model, certificate: None })
}

/// Whether the outermost block belongs to the winner.
fn outermost_wins(qbf: &Qbf, verdict: bool) -> bool {
    qbf.prefix().blocks().next().is_some_and(|block| (block.quantifier == Quantifier::Exists) == verdict)
}

/// Finds a witness where the simplifier knows no way back, by solving the formula again under parts of a guess.
fn repair(
    qbf: &Qbf,
    verdict: bool,
    guess: &[Lit],
    options: &QbfOptions,
    control: &Control,
) -> Result<Vec<Lit>, StopReason> {
    let options = QbfOptions { outer_model: false, ..options.clone() };
    let solve = |rest: &Qbf| solve(rest, &options, control, &mut Statistics::default()).map(|answer| answer.verdict);
    simplify::complete(qbf, verdict, guess, solve)
}
