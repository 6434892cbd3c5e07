//! One line on a terminal that is overwritten until the answer comes.

use gamesat::solve::Control;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How often it is shown.
const PERIOD: Duration = Duration::from_millis(500);

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
        if !self.active || last.elapsed() < PERIOD {
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
        let (win, loss) = control.progress().proof_numbers();
        if win + loss > 0 {
            line += &format!(", proof numbers {win} {loss}");
        }
        let _ = write!(io::stderr(), "\r\x1b[K{line}");
        self.shown = Some((Instant::now(), nodes));
    }

    /// Takes the line away.
    pub fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
