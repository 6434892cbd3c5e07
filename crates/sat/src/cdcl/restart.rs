//! When to restart: if the glue of recent learned clauses is worse than in the long run (Biere & Fröhlich, "Evaluating
//! CDCL restart schemes", 2015).

#[derive(Clone, Debug, Default)]
pub(super) struct Restart {
    fast: f64,
    slow: f64,
    conflicts: u64,
    since: u64,
    restarts: u64,
}

const FAST: f64 = 1.0 / 32.0;
const SLOW: f64 = 1.0 / 4096.0;
const MARGIN: f64 = 1.15;
const MIN_INTERVAL: u64 = 8;

impl Restart {
    /// Notes the glue of a learned clause.
    pub(super) fn learned(&mut self, glue: u32) {
        self.conflicts += 1;
        self.since += 1;
        // While there is little history the average is the plain mean.
        let rate = |alpha: f64, n: u64| alpha.max(1.0 / n as f64);
        self.fast += (f64::from(glue) - self.fast) * rate(FAST, self.conflicts);
        self.slow += (f64::from(glue) - self.slow) * rate(SLOW, self.conflicts);
    }

    pub(super) fn is_due(&self) -> bool {
        self.since >= MIN_INTERVAL && self.fast > MARGIN * self.slow
    }

    pub(super) fn restarted(&mut self) {
        self.since = 0;
        self.restarts += 1;
    }

    /// Restarts so far.
    pub(super) fn restarts(&self) -> u64 {
        self.restarts
    }
}
