//! The one door through which every command goes: signals, limits, log, progress; from the first byte read to the last
//! byte written.
//!
//! Engines poll their [`Control`], but a read may never return, and a SAT solver may have no way to be stopped. So the job
//! runs in a thread of its own; this one waits, and when the job has not come back soon after a limit or a signal, it is
//! abandoned: the caller says so and the process ends.

use super::args::LimitArgs;
use super::{output, progress::ProgressLine};
use gamesat::solve::{Control, Interrupt, StopReason};
use signal_hook::consts::{SIGINT, SIGTERM, SIGXCPU};
use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a job may take to notice that it should stop. Everything must be over within a second.
const GRACE: Duration = Duration::from_millis(600);
/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(20);
/// Search is recursive in the depth of the game; only pages that are touched cost memory.
const STACK: usize = 256 << 20;

/// Whether the run tells what it does, and whether it shows progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Lines on standard error about what is being done.
    pub log: bool,
    /// A line on the terminal that is overwritten.
    pub progress: bool,
}

/// How a job ended.
pub enum Passed<T> {
    /// It came back; if it was told to stop before, with the reason that it cannot know.
    Finished(T, Option<StopReason>),
    /// It had to be abandoned.
    Abandoned(StopReason),
}

/// Runs a job under limits and signals.
pub fn pass<T: Send + 'static>(
    limits: &LimitArgs,
    manner: Manner,
    job: impl FnOnce(&Control) -> T + Send + 'static,
) -> io::Result<(Passed<T>, Control)> {
    let cancel = interrupt_on_signals()?;
    let mut control = Control::new(limits.limits(), cancel.clone());
    if manner.log {
        control = control.with_log(|line| output::diagnose(&format!("c {line}")));
    }
    let (sender, receiver) = sync_channel(1);
    let inside = control.clone();
    let worker = thread::Builder::new().name("solver".into()).stack_size(STACK).spawn(move || {
        let _ = sender.send(job(&inside));
    })?;
    let mut progress = ProgressLine::new(manner.progress && io::stderr().is_terminal());
    let mut stopping: Option<(Instant, StopReason)> = None;
    let result = loop {
        match receiver.recv_timeout(TICK) {
            Ok(result) => break Passed::Finished(result, stopping.map(|(_, reason)| reason)),
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                // The job panicked, which has printed its message: let it end the program as panics do.
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a job that returns has sent its result"),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        match &stopping {
            None => {
                // Node limits are the engine's business.
                if let Some(reason) = control.stop_reason(0) {
                    cancel.trigger();
                    stopping = Some((Instant::now(), reason));
                }
            }
            Some((since, reason)) if since.elapsed() > GRACE => break Passed::Abandoned(reason.clone()),
            Some(_) => {}
        }
        progress.show(&control);
    };
    progress.clear();
    Ok((result, control))
}

/// An interrupt that SIGINT, SIGTERM and SIGXCPU trigger. A second SIGINT or SIGTERM ends the program at once, as
/// someone who presses the keys twice expects.
pub fn interrupt_on_signals() -> io::Result<Interrupt> {
    let interrupt = Interrupt::new();
    for signal in [SIGINT, SIGTERM] {
        // Registered first, so it acts only when the flag is set already.
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, interrupt.flag())?;
        signal_hook::flag::register(signal, interrupt.flag())?;
    }
    // SIGXCPU repeats every second beyond the soft limit: never a reason to drop the answer.
    signal_hook::flag::register(SIGXCPU, interrupt.flag())?;
    Ok(interrupt)
}

/// Ends the program when the time is over: kindly, and if that does not help at once.
pub fn end_after(limit: Duration, interrupt: &Interrupt) -> io::Result<()> {
    let interrupt = interrupt.clone();
    let waiting = thread::Builder::new().name("clock".into()).spawn(move || {
        thread::sleep(limit);
        interrupt.trigger();
        // Whoever waits at a terminal hears nothing of it.
        thread::sleep(GRACE);
        output::diagnose(&format!("c stopped: {}", StopReason::Time));
        std::process::exit(0);
    });
    waiting.map(drop)
}
