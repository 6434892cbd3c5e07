//! The façade: [`solve`] takes a problem, options and limits, picks an engine and returns its outcome.

mod abstraction;
mod alpha_beta;
mod engine;
mod expansion;
mod lehman;
mod lower;
mod naive;
mod options;
mod outcome;
mod proof_number;

pub use crate::control::{Control, Interrupt, Limits, Poller, Progress, StopReason, peak_memory, resident_memory};
pub use crate::statistics::Statistics;
pub use engine::{Engine, engines};
pub use options::Options;
pub use outcome::{Outcome, Verdict};

use crate::problem::Problem;

/// Solves a problem.
///
/// The first engine that treats the problem is taken, or the one named in the options. An engine that treats only a
/// simpler kind gets the problem translated: a circuit as clauses, a board as a game on the same elements.
///
/// The verdict is [`Verdict::Unknown`] with a [`StopReason`] if a limit was reached, the run was cancelled, or the engine
/// named in the options does not exist or does not treat this kind of problem.
pub fn solve(problem: &Problem, options: &Options, control: &Control) -> Outcome {
    let named = |engine: &dyn Engine| options.engine.as_ref().is_none_or(|name| engine.name() == name);
    let mut lowered = None;
    let mut outcome = None;
    for engine in engines().iter().copied().filter(|&engine| named(engine)) {
        if engine.handles(problem) {
            outcome = Some(run(engine, problem, options, control));
            break;
        }
        match lowered.get_or_insert_with(|| lower::lower(problem, control)) {
            Ok(Some(lowered)) if engine.handles(&lowered.problem) => {
                let answer = run(engine, &lowered.problem, &lowered.options(options), control);
                outcome = Some(lowered.raise(problem, answer, engine, options, control));
                break;
            }
            Ok(_) => {}
            Err(reason) => {
                outcome = Some(Outcome::stopped(reason.clone()));
                break;
            }
        }
    }
    let mut outcome = outcome.unwrap_or_else(|| {
        let name = options.engine.as_deref().unwrap_or("any");
        Outcome::stopped(StopReason::Unsupported(format!("no engine '{name}' for this kind of problem")))
    });
    outcome.statistics.time = control.elapsed();
    outcome.statistics.peak_memory = peak_memory();
    outcome
}

fn run(engine: &dyn Engine, problem: &Problem, options: &Options, control: &Control) -> Outcome {
    let mut outcome = engine.solve(problem, options, control);
    outcome.statistics.engine = engine.name();
    outcome
}
