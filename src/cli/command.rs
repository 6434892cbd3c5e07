//! What every command does that writes one thing: open where it goes, pass the [door](super::door), say how it ended.

use super::args::{LimitArgs, OutputArgs};
use super::door::{Passed, pass};
use super::exit::{Exit, Failure};
use super::output::Sink;
use gamesat::solve::{Control, StopReason};

/// Runs a command's job, which writes a text to the sink and finishes it. With `--json` the text is a field of an object.
pub fn run(
    limits: &LimitArgs,
    output: &OutputArgs,
    job: impl FnOnce(&Control, Sink) -> Result<Exit, Failure> + Send + 'static,
) -> Result<Exit, Failure> {
    run_into(Sink::open(output.output.as_deref())?.in_object(output.json), limits, output, job)
}

/// The same for a job that writes an object of its own with `--json`.
pub fn run_with_object(
    limits: &LimitArgs,
    output: &OutputArgs,
    job: impl FnOnce(&Control, Sink) -> Result<Exit, Failure> + Send + 'static,
) -> Result<Exit, Failure> {
    run_into(Sink::open(output.output.as_deref())?, limits, output, job)
}

fn run_into(
    sink: Sink,
    limits: &LimitArgs,
    output: &OutputArgs,
    job: impl FnOnce(&Control, Sink) -> Result<Exit, Failure> + Send + 'static,
) -> Result<Exit, Failure> {
    let _guard = sink.guard();
    let (passed, _) = pass(limits, output.manner(), move |control| job(control, sink))?;
    match passed {
        // A limit that is noticed at the door reaches the job as an interrupt: say which limit it was.
        Passed::Finished(Err(Failure::Stopped(StopReason::Interrupted)), Some(told)) => Err(Failure::Stopped(told)),
        Passed::Finished(result, _) => result,
        Passed::Abandoned(reason) => Err(Failure::Stopped(reason)),
    }
}
