//! Trials: engines that may try their luck on a form of the formula for a while, before more is done to it.

use super::choice;
use super::engine::{Answer, Missing, QbfEngine, Wish};
use super::matrix::Matrix;
use crate::options::Functions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::statistics::Statistics;

/// The length of a trial: who insists knows that it is the functions that take long.
pub(super) fn patient(wish: Wish, length: u64) -> u64 {
    if wish.insists { choice::PATIENCE * length } else { length }
}

/// Lets engines try a formula one after the other, each for so many looks at the control. Whoever cannot give functions says the
/// verdict, if that is worth something: a later run that knows it has the rest of the time for the functions.
pub(super) fn attempts(
    trials: &[(&dyn QbfEngine, u64)],
    about: &str,
    matrix: &Matrix,
    wish: Wish,
    control: &Control,
    statistics: &mut Statistics,
) -> Option<Answer> {
    trials.iter().find_map(|&(engine, length)| {
        let mut wishes = [Some(wish), wish.verdict_only()].into_iter().flatten();
        let own = wishes.find(|&wish| engine.answers(matrix, wish))?;
        let name = engine.name();
        control.log(|| format!("trying {name} {about}"));
        let control = control.with_looks(length);
        let answer = engine.solve(matrix, own, &control, statistics);
        statistics.add(&format!("looks_of_trial_{name}"), length - control.looks_left().unwrap_or(0));
        let mut answer = answer.ok()?;
        // What was too long for a trial is not too long, and what this engine does not give another one may.
        let others = matches!(answer.functions, Err(Missing::Unwanted | Missing::Stopped(StopReason::Nodes)));
        if wish.functions != Functions::None && others {
            answer.functions = Err(Missing::Lost);
        }
        control.log(|| format!("decided by the trial of {name}"));
        statistics.add(&format!("decided_by_trial_{name}"), 1);
        Some(answer)
    })
}
