//! Runs a job while watching the clock, the memory and the signals.
//!
//! Engines poll their [`Control`], but a parser may sit in a read that never returns, and a SAT solver may have no way to be
//! stopped. So the job runs in a thread of its own; this one waits, and when the job has not come back soon after a limit
//! or a signal, it is abandoned: the caller prints the unknown answer and the process ends.

use gamesat::solve::{Control, Interrupt, StopReason};
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a job may take to notice that it should stop. Everything must be over within a second.
const GRACE: Duration = Duration::from_millis(600);
/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How often progress is shown.
const PROGRESS: Duration = Duration::from_millis(500);
/// Search is recursive in the depth of the game; only pages that are touched cost memory.
const STACK: usize = 256 << 20;

/// How a watched job ended.
pub enum Watched<T> {
    /// It came back; if it was told to stop before, with the reason that it cannot know.
    Finished(T, Option<StopReason>),
    /// It had to be abandoned.
    Abandoned(StopReason),
}

/// Runs `job` under `control`, whose limits count from its making; `cancel` must be one of its handles.
pub fn watch<T: Send + 'static>(
    control: &Control,
    cancel: &Interrupt,
    show_progress: bool,
    job: impl FnOnce() -> T + Send + 'static,
) -> io::Result<Watched<T>> {
    let (sender, receiver) = sync_channel(1);
    let worker = thread::Builder::new().name("solver".into()).stack_size(STACK).spawn(move || {
        let _ = sender.send(job());
    })?;
    let mut progress = ProgressLine::new(show_progress && io::stderr().is_terminal());
    let mut stopping: Option<(Instant, StopReason)> = None;
    let result = loop {
        match receiver.recv_timeout(TICK) {
            Ok(result) => break Watched::Finished(result, stopping.map(|(_, reason)| reason)),
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
            Some((since, reason)) if since.elapsed() > GRACE => break Watched::Abandoned(reason.clone()),
            Some(_) => {}
        }
        progress.show(control);
    };
    progress.clear();
    Ok(result)
}

/// One line on a terminal that is overwritten until the answer comes.
struct ProgressLine {
    active: bool,
    shown: Option<(Instant, u64)>,
    started: Instant,
}

impl ProgressLine {
    fn new(active: bool) -> Self {
        ProgressLine { active, shown: None, started: Instant::now() }
    }

    fn show(&mut self, control: &Control) {
        let last = self.shown.map_or(self.started, |(at, _)| at);
        if !self.active || last.elapsed() < PROGRESS {
            return;
        }
        let nodes = control.progress().nodes();
        let before = self.shown.map_or(0, |(_, nodes)| nodes);
        let rate = nodes.saturating_sub(before) as f64 / last.elapsed().as_secs_f64();
        let mut line = format!("{:.1} s, {nodes} nodes, {rate:.0} nodes/s", control.elapsed().as_secs_f64());
        let (done, total) = control.progress().steps();
        if total > 0 {
            line += &format!(", {done} of {total} root moves");
        }
        let _ = write!(io::stderr(), "\r\x1b[K{line}");
        self.shown = Some((Instant::now(), nodes));
    }

    fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
