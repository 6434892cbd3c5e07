//! One line on a terminal that is overwritten until the answer comes.

use gamesat::solve::{Control, Progress};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is shown.
const PERIOD: Duration = Duration::from_millis(500);

/// How many readers wait for what a person types.
static TYPING: AtomicUsize = AtomicUsize::new(0);

/// Keeps the progress line away until it goes out of scope.
pub struct Pause(());

impl Pause {
    pub fn begin() -> Self {
        TYPING.fetch_add(1, Ordering::Relaxed);
        Pause(())
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        TYPING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The line.
pub struct ProgressLine {
    active: bool,
    shown: Option<(Instant, u64)>,
    started: Instant,
}

impl ProgressLine {
    pub fn new(active: bool) -> Self {
        ProgressLine { active, shown: None, started: Instant::now() }
    }

    /// Shows how far the run has come, if it is time to.
    pub fn show(&mut self, control: &Control) {
        let last = self.shown.map_or(self.started, |(at, _)| at);
        if !self.active || last.elapsed() < PERIOD || TYPING.load(Ordering::Relaxed) > 0 {
            return;
        }
        let nodes = control.progress().nodes();
        let before = self.shown.map_or(0, |(_, nodes)| nodes);
        let rate = nodes.saturating_sub(before) as f64 / last.elapsed().as_secs_f64();
        let seconds = control.elapsed().as_secs_f64();
        let _ = write!(io::stderr(), "\r\x1b[K{seconds:.1} s{}", told(control.progress(), rate));
        self.shown = Some((Instant::now(), nodes));
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// What there is to say about a run: only what it counts at all.
fn told(progress: &Progress, rate: f64) -> String {
    let mut line = String::new();
    if progress.nodes() > 0 {
        line += &format!(", {} nodes, {rate:.0} nodes/s", progress.nodes());
    }
    let (done, total) = progress.steps();
    if total > 0 {
        line += &format!(", {done} of {total}");
    }
    let (win, loss) = progress.proof_numbers();
    if win + loss > 0 {
        line += &format!(", proof numbers {win} {loss}");
    }
    line
}

/// A line that says for how long something has been thought about, until it goes out of scope.
pub struct Thinking {
    over: Arc<AtomicBool>,
    line: Option<thread::JoinHandle<()>>,
}

impl Thinking {
    /// Shows the line from half a second on, if standard error is a terminal.
    pub fn show(active: bool, what: &'static str) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        let line = (active && io::stderr().is_terminal()).then(|| {
            thread::spawn(move || {
                let (began, mut shown) = (Instant::now(), PERIOD);
                while !seen.load(Ordering::Relaxed) {
                    if began.elapsed() >= shown {
                        let _ = write!(io::stderr(), "\r\x1b[K{what} for {:.1} s", began.elapsed().as_secs_f64());
                        shown += PERIOD;
                    }
                    thread::sleep(Duration::from_millis(20));
                }
                if shown > PERIOD {
                    let _ = write!(io::stderr(), "\r\x1b[K");
                }
            })
        });
        Thinking { over, line }
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(line) = self.line.take() {
            let _ = line.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_counted_is_not_told() {
        let control = Control::default();
        assert_eq!(told(control.progress(), 0.0), "");
        control.progress().set_steps(3, 60);
        assert_eq!(told(control.progress(), 0.0), ", 3 of 60");
        control.progress().set_nodes(12);
        assert_eq!(told(control.progress(), 4.0), ", 12 nodes, 4 nodes/s, 3 of 60");
    }
}
