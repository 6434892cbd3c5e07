//! The one door through which every command goes: signals, limits, log, progress; from the first byte read to the last
//! byte written.
//!
//! Engines poll their [`Control`], but a read may never return, and a SAT solver may have no way to be stopped. So the job
//! runs in a thread of its own; this one waits, and when the job has not come back soon after a limit or a signal, it is
//! abandoned: the caller says so and the process ends. A job that goes on to take memory beyond its limit is abandoned at once.

use super::args::LimitArgs;
use super::{output, progress::ProgressLine};
use gamesat::solve::{Control, Interrupt, StopReason, resident_memory};
use gamesat_core::control::cpu_time;
use signal_hook::consts::{SIGINT, SIGTERM, SIGXCPU};
use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a job may take to notice that it should stop. Everything must be over within a second.
const GRACE: Duration = Duration::from_millis(600);
/// How often limits are looked at, and how often if memory is limited, of which gigabytes can be taken in a second.
const TICK: Duration = Duration::from_millis(20);
const MEMORY_TICK: Duration = Duration::from_millis(4);
/// What a job may still take when its memory limit is reached, in bytes, if a sixteenth of that is less.
const LITTLE: u64 = 4 << 20;
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
    require_cpu_time(limits.cpu_limit)?;
    if limits.tethered {
        tether(&cancel)?;
    }
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
    let mut stopping: Option<Stopping> = None;
    let tick = if control.limits().memory.is_some() { MEMORY_TICK } else { TICK };
    let result = loop {
        match receiver.recv_timeout(tick) {
            Ok(result) => break Passed::Finished(result, stopping.map(|stopping| stopping.reason)),
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
                let cpu = || is_used_up(limits.cpu_limit).then_some(StopReason::Cpu);
                if let Some(reason) = control.stop_reason(0).or_else(cpu) {
                    control.tell(reason.clone());
                    cancel.trigger();
                    stopping = Some(Stopping::now(reason, control.limits().memory));
                }
            }
            Some(stopping) if stopping.is_over() => break Passed::Abandoned(stopping.reason.clone()),
            Some(_) => {}
        }
        progress.show(&control);
    };
    progress.clear();
    Ok((result, control))
}

/// A job that was told to stop.
struct Stopping {
    since: Instant,
    reason: StopReason,
    /// Memory that it must not take meanwhile, in bytes.
    most: Option<u64>,
}

impl Stopping {
    fn now(reason: StopReason, limit: Option<u64>) -> Self {
        // Where the program itself takes more than the limit the job may still say what it has.
        let most = limit.map(|limit| limit.max(resident_memory().unwrap_or(0) + (limit / 16).max(LITTLE)));
        Stopping { since: Instant::now(), reason, most }
    }

    /// Whether the job had its time, or takes more memory than it may.
    fn is_over(&self) -> bool {
        let is_more = |most: u64| resident_memory().is_some_and(|now| now > most);
        self.since.elapsed() > GRACE || self.most.is_some_and(is_more)
    }
}

/// An interrupt that SIGINT, SIGTERM and SIGXCPU trigger. A second SIGINT or SIGTERM ends the program at once, as
/// a user who presses the keys twice expects.
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

/// Ends the program when wall-clock time or processor time is over: kindly, and if that does not help at once.
pub fn end_after(time: Option<Duration>, cpu: Option<Duration>, interrupt: &Interrupt) -> io::Result<()> {
    require_cpu_time(cpu)?;
    if time.is_none() && cpu.is_none() {
        return Ok(());
    }
    let (interrupt, began) = (interrupt.clone(), Instant::now());
    let waiting = thread::Builder::new().name("clock".into()).spawn(move || {
        let reason = loop {
            if time.is_some_and(|limit| began.elapsed() >= limit) {
                break StopReason::Time;
            }
            if is_used_up(cpu) {
                break StopReason::Cpu;
            }
            thread::sleep(TICK);
        };
        interrupt.trigger();
        // A read from a terminal is not interrupted by that.
        thread::sleep(GRACE);
        output::diagnose(&format!("c stopped: {reason}"));
        std::process::exit(0);
    });
    waiting.map(drop)
}

/// Whether the process has used as much processor time as it may.
fn is_used_up(limit: Option<Duration>) -> bool {
    limit.is_some_and(|limit| cpu_time().is_some_and(|used| used >= limit))
}

/// A limit that cannot be kept is refused.
fn require_cpu_time(limit: Option<Duration>) -> io::Result<()> {
    match limit.is_some() && cpu_time().is_none() {
        true => Err(io::Error::other("--cpu-limit: this system does not tell how much processor time was used")),
        false => Ok(()),
    }
}

/// Interrupts the run when standard input ends, as it does when the process that holds its other end is gone.
fn tether(interrupt: &Interrupt) -> io::Result<()> {
    let interrupt = interrupt.clone();
    let waiting = thread::Builder::new().name("tether".into()).spawn(move || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        interrupt.trigger();
    });
    waiting.map(drop)
}
