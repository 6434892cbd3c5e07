//! The way of a QBF: simplify, solve what is left, and carry the witness back to the original formula.
//!
//! A certificate costs a true formula nothing: every technique of the simplifier, and expansion in the engine, let Skolem
//! functions through. Herbrand functions get lost on some of these ways; a formula that turns out false is then solved a
//! second time without them, and should that take too long the verdict of the first time stands without certificate.

use super::abstraction::{self, AbstractionOptions};
use super::lift::lift;
use super::simplify::{self, Functions, SimplifyOptions, simplify};
use crate::control::{Control, StopReason};
use crate::formula::{Aig, Lit, Qbf, Quantifier};
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

/// A verdict and what shows it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// Whether the formula is true.
    pub verdict: bool,
    /// Values of the outermost block that show it: existential if true, universal if false; empty if the block belongs to
    /// the loser or they were not asked for.
    pub outer_model: Vec<Lit>,
    /// The winner's strategy, if it was asked for.
    pub certificate: Option<Aig>,
    /// Why something that was asked for is missing.
    pub missing: Option<StopReason>,
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
) -> Result<Solution, StopReason> {
    let solution = attempt(qbf, options, control, statistics)?;
    if !options.abstraction.certificate || solution.certificate.is_some() || solution.missing.is_some() {
        return Ok(solution);
    }
    // Herbrand functions got lost on the way: once more, without what loses them.
    let mut careful = options.clone();
    careful.simplify = careful.simplify.map(SimplifyOptions::into_certifying);
    careful.abstraction.expansion = false;
    statistics.add("certificate_runs", 1);
    match attempt(qbf, &careful, control, statistics) {
        Ok(second) if second.verdict == solution.verdict => Ok(second),
        Ok(_) => Err(StopReason::Unsupported("two runs contradict each other; this is a mistake of the solver".into())),
        Err(reason) => Ok(Solution { missing: Some(reason), ..solution }),
    }
}

/// Once through the pipeline. The certificate is missing if a step lost it.
fn attempt(
    qbf: &Qbf,
    options: &QbfOptions,
    control: &Control,
    statistics: &mut Statistics,
) -> Result<Solution, StopReason> {
    let certify = options.abstraction.certificate;
    let Some(simplify_options) = &options.simplify else {
        let answer = abstraction::solve(qbf, &options.abstraction, control, statistics)?;
        let outer_model = if options.outer_model { answer.outer_model } else { Vec::new() };
        return Ok(Solution { verdict: answer.verdict, outer_model, certificate: answer.certificate, missing: None });
    };
    // 1. Simplify.
    let mut simplify_options = simplify_options.clone();
    if certify && simplify_options.functions == Functions::None {
        simplify_options.functions = Functions::Skolem;
    }
    let simplified = simplify(qbf, &simplify_options, control);
    statistics.absorb(&simplified.statistics);
    if let Some(reason) = simplified.stop {
        return Err(reason);
    }
    // 2. Solve the rest.
    let (verdict, inner_model, inner_certificate) = match simplified.verdict {
        Some(verdict) => (verdict, Vec::new(), None),
        None => {
            let answer = abstraction::solve(&simplified.formula, &options.abstraction, control, statistics)?;
            (answer.verdict, answer.outer_model, answer.certificate)
        }
    };
    let mut solution = Solution { verdict, outer_model: Vec::new(), certificate: None, missing: None };
    // 3. Back to the original: functions,
    let reconstruction = &simplified.reconstruction;
    let complete = simplified.verdict.is_some() || inner_certificate.is_some();
    if certify && complete && (verdict || reconstruction.keeps_herbrand()) {
        match lift(inner_certificate.as_ref(), qbf, verdict, reconstruction, control) {
            Ok(certificate) => solution.certificate = Some(certificate),
            Err(reason) => solution.missing = Some(reason),
        }
    }
    // and values of the outermost block.
    if options.outer_model && outermost_wins(qbf, verdict) {
        let model = reconstruction.outer_model(&inner_model);
        let values = if model.exact { Ok(model.values) } else { repair(qbf, verdict, &model.values, options, control) };
        match values {
            Ok(values) => solution.outer_model = values,
            Err(reason) => solution.missing = Some(reason),
        }
    }
    Ok(solution)
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
    let mut options = QbfOptions { outer_model: false, ..options.clone() };
    options.abstraction.certificate = false;
    let solve = |rest: &Qbf| attempt(rest, &options, control, &mut Statistics::default()).map(|answer| answer.verdict);
    simplify::complete(qbf, verdict, guess, solve)
}
