//! [Confirmations](Confirmation) of true formulas: the simplifications step by step, and the engine's rules for what they left.
//!
//! Functions of the original formula have to go the whole way back through the simplifications, and whoever judges them has to find out again why
//! each of these was right. A confirmation goes the other way: it [says](replay) of each clause that went why it could go, and leaves the judge with the formula that the
//! engine was given; for that the engine has its rules.

mod clauses;
mod replay;

use super::engine::Answer;
use super::matrix::Matrix;
use super::simplify::Reconstruction;
use crate::options::Certificate;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Confirmation, Lit, Qbf};
use replay::Replay;

/// Functions of so many gates are judged quickly enough without, and so are any that have so many gates each on average: they are hardly more than
/// definitions.
const MANY_GATES: usize = 10_000;
/// So many if another engine has found the formula to be true, and abstraction would have to find that out once more.
const MANY_GATES_AFRESH: usize = 50_000;
const MANY_EACH: usize = 30;
/// Looks at the control for abstraction where another engine has found a formula of so many literals to be true; larger ones take longer for each look, and
/// more looks.
const LOOKS: u64 = 40_000;
const LITERALS: u64 = 10_000;
/// So many times as many if nothing but a confirmation will do.
const PATIENCE: u64 = 50;

/// A trial of abstraction.
pub(super) fn trial(qbf: &Qbf, certificate: Option<Certificate>, control: &Control) -> Control {
    let literals = (qbf.matrix().num_lits() as u64).max(LITERALS);
    let looks = match certificate {
        Some(Certificate::Steps) => PATIENCE * LOOKS,
        _ => LOOKS * LITERALS / literals * LITERALS / literals,
    };
    control.with_looks(looks)
}

/// Whether a confirmation is to be looked for, given the functions that there are, if any.
pub(super) fn is_due(functions: Option<&Aig>, certificate: Option<Certificate>) -> bool {
    is_due_beyond(MANY_GATES, functions, certificate)
}

/// Whether abstraction is to find rules for one where another engine has decided.
pub(super) fn is_trial_due(functions: Option<&Aig>, certificate: Option<Certificate>) -> bool {
    is_due_beyond(MANY_GATES_AFRESH, functions, certificate)
}

fn is_due_beyond(many: usize, functions: Option<&Aig>, certificate: Option<Certificate>) -> bool {
    match certificate {
        None | Some(Certificate::Functions) => false,
        Some(Certificate::Steps) => true,
        Some(Certificate::Any) => functions.is_none_or(|functions| {
            let (gates, outputs) = (functions.ands().len(), functions.outputs().len());
            gates > many && gates > MANY_EACH * outputs
        }),
    }
}

/// What was left of a formula that is true, and how that was found.
pub(super) struct Left<'a> {
    /// The way from the formula to what was left, unless it is the formula itself.
    pub(super) way: Option<&'a Reconstruction>,
    pub(super) matrix: &'a Matrix,
    /// Why that is true, unless nothing is left.
    pub(super) answer: Option<&'a Answer>,
}

/// A confirmation of a formula that is true; `None` if it was not abstraction that found out, or if no reason was found for some step.
///
/// # Errors
/// The reason to stop.
pub(super) fn find(qbf: &Qbf, left: &Left<'_>, control: &Control) -> Result<Option<Confirmation>, StopReason> {
    let control = &control.without_looks();
    let book = left.answer.and_then(|answer| answer.book.as_ref());
    if book.is_none() && !left.matrix.clauses.is_empty() {
        return Ok(None);
    }
    let Some((mut confirmation, numbers)) = first_part(qbf, left.way, left.matrix, control)? else { return Ok(None) };
    let is_written = match book.filter(|_| !left.matrix.clauses.is_empty()) {
        Some(book) => book.write(left.matrix, &numbers, control, &mut confirmation)?,
        None => true,
    };
    control.log(|| format!("confirm: {} rows altogether", confirmation.len()));
    Ok(is_written.then_some(confirmation))
}

/// The first part of a confirmation: what was done to a formula until a matrix was left, with the numbers that the clauses of the matrix then have, from 1. `None`
/// if some step could not be justified.
///
/// # Errors
/// The reason to stop.
fn first_part(
    qbf: &Qbf,
    way: Option<&Reconstruction>,
    matrix: &Matrix,
    control: &Control,
) -> Result<Option<(Confirmation, Vec<u32>)>, StopReason> {
    let mut confirmation = Confirmation::new();
    let mut poller = control.poller();
    let mut replay = Replay::new(qbf, &mut confirmation);
    let left = matrix.clauses.iter().map(|clause: &[Lit]| matrix.original_lits(clause));
    let is_known = way.map_or(Ok(true), |way| replay.run(way, &mut poller))?;
    let numbers = if is_known { replay.end(left, &mut poller)? } else { None };
    let (stuck, steps) = (replay.num_stuck(), replay.clauses.effort);
    control.log(|| match &numbers {
        Some(_) => format!("confirm: {} rows until the formula is simplified, {steps} steps", confirmation.len()),
        None => format!("confirm: no reason found for {stuck} clauses or more, {steps} steps"),
    });
    Ok(numbers.map(|numbers| (confirmation, numbers.into_iter().map(|number| number + 1).collect())))
}

#[cfg(test)]
mod tests {
    use super::super::simplify::simplify;
    use super::*;
    use crate::options::{Functions, SimplifyOptions};
    use gamesat_check::steps::check_confirmation;
    use gamesat_core::formula::{Prefix, Quantifier, Var};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A hard one has so many long clauses that simplification leaves some of them.
    fn random_qbf(is_hard: bool, rng: &mut ChaCha8Rng) -> Qbf {
        let vars: usize = if is_hard { rng.random_range(20..35) } else { rng.random_range(3..30) };
        let mut prefix = Prefix::new();
        let mut quantifier = if rng.random() { Quantifier::Exists } else { Quantifier::Forall };
        for var in 0..vars {
            if rng.random_ratio(1, if is_hard { 8 } else { 3 }) {
                quantifier = !quantifier;
            }
            prefix.push_var(quantifier, Var::from_index(var));
        }
        let clauses = if is_hard { 2 * vars..4 * vars } else { vars / 2..5 * vars / 2 };
        let clauses = rng.random_range(clauses);
        let clause = |rng: &mut ChaCha8Rng| -> Vec<Lit> {
            let lengths = if is_hard { [4, 4, 4, 5, 5, 5, 6, 6] } else { [1, 2, 3, 3, 3, 4, 4, 5] };
            let length = lengths[rng.random_range(0..8)];
            (0..length).map(|_| Var::from_index(rng.random_range(0..vars)).lit(rng.random())).collect()
        };
        Qbf::new(&prefix, (0..clauses).map(|_| clause(rng)).collect()).unwrap()
    }

    /// How many formulas were not found false, of how many of them something is said, and how many of those were decided.
    #[derive(Debug, Default)]
    struct Count {
        all: usize,
        said: usize,
        decided: usize,
    }

    /// Each row of what is said of simplifications is accepted, with all techniques together and with random ones.
    fn count_accepted(rounds: usize, is_hard: bool) -> Count {
        let control = Control::default();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut count = Count::default();
        for round in 0..rounds {
            let qbf = random_qbf(is_hard, &mut rng);
            let mut options = SimplifyOptions { functions: Functions::Skolem, ..SimplifyOptions::default() };
            if round % 2 == 1 {
                for technique in SimplifyOptions::TECHNIQUES {
                    options.set(technique.name, rng.random());
                }
            }
            let simplified = simplify(&qbf, &options, &control);
            if simplified.verdict == Some(false) {
                continue;
            }
            count.all += 1;
            let matrix = Matrix::new(&simplified.formula);
            let found = first_part(&qbf, Some(&simplified.reconstruction), &matrix, &control).unwrap();
            let Some((confirmation, _)) = found else { continue };
            count.said += 1;
            count.decided += usize::from(matrix.clauses.is_empty());
            let judged = check_confirmation(&qbf, &confirmation, &control).unwrap();
            match judged {
                Ok(()) => assert!(matrix.clauses.is_empty(), "round {round}"),
                Err(flaw) => {
                    assert!(
                        flaw.row.is_none() && !matrix.clauses.is_empty(),
                        "round {round}: {flaw} {qbf:?} {confirmation:?}"
                    );
                }
            }
        }
        count
    }

    /// For nearly all formulas that are not found false something is said, and for most of those of which much is left.
    #[test]
    fn simplifications_are_right_row_by_row() {
        let easy = count_accepted(6_000, false);
        assert!(easy.said * 100 > easy.all * 99 && easy.decided > 100 && easy.said > easy.decided + 20, "{easy:?}");
        let hard = count_accepted(2_200, true);
        assert!(hard.said * 100 > hard.all * 90 && hard.said > hard.decided + 100, "{hard:?}");
    }
}
