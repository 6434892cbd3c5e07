//! The façade: [`solve`] takes a problem, options and limits, picks an engine and returns its outcome.

mod engine;
mod naive;
mod options;
mod outcome;

pub use crate::control::{Control, Interrupt, Limits, Poller, Progress, StopReason, peak_memory, resident_memory};
pub use crate::statistics::Statistics;
pub use engine::{Engine, engines};
pub use options::Options;
pub use outcome::{Outcome, Verdict};

use crate::formula::Problem;

/// Solves a problem.
///
/// The verdict is [`Verdict::Unknown`] with a [`StopReason`] if a limit was reached, the run was cancelled, or the engine
/// named in the options does not exist or does not treat this kind of problem.
pub fn solve(problem: &Problem, options: &Options, control: &Control) -> Outcome {
    let chosen = match &options.engine {
        None => engines().iter().find(|engine| engine.handles(problem)),
        Some(name) => engines().iter().find(|engine| engine.name() == name && engine.handles(problem)),
    };
    let mut outcome = match chosen {
        Some(engine) => {
            let mut outcome = engine.solve(problem, options, control);
            outcome.statistics.engine = engine.name();
            outcome
        }
        None => {
            let name = options.engine.as_deref().unwrap_or("any");
            Outcome::stopped(StopReason::Unsupported(format!("no engine '{name}' for this kind of problem")))
        }
    };
    outcome.statistics.time = control.elapsed();
    outcome.statistics.peak_memory = peak_memory();
    outcome
}
