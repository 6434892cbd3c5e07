//! What engines count: always compiled in, plain numbers under names, in the order they were first mentioned.

use std::time::Duration;

/// Counters of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Name of the engine that ran.
    pub engine: &'static str,
    /// Wall-clock time of the run.
    pub time: Duration,
    /// Peak resident memory of the process in bytes, where the system tells it.
    pub peak_memory: Option<u64>,
    entries: Vec<(String, f64)>,
}

impl Statistics {
    /// Adds to a counter.
    pub fn add(&mut self, name: &str, amount: u64) {
        *self.entry(name) += amount as f64;
    }

    /// Adds to a counter that may also go down.
    pub fn add_signed(&mut self, name: &str, amount: i64) {
        *self.entry(name) += amount as f64;
    }

    /// Adds seconds to a timer. By convention its name ends in `_seconds`.
    pub fn add_time(&mut self, name: &str, time: Duration) {
        *self.entry(name) += time.as_secs_f64();
    }

    /// The value of a counter or timer, 0 if it was never mentioned.
    pub fn get(&self, name: &str) -> f64 {
        self.entries.iter().find(|(n, _)| n == name).map_or(0.0, |&(_, value)| value)
    }

    /// Counters and timers in the order they were first mentioned.
    pub fn entries(&self) -> impl Iterator<Item = (&str, f64)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Adds every counter and timer of another run to this one.
    pub fn absorb(&mut self, other: &Statistics) {
        for (name, value) in other.entries() {
            *self.entry(name) += value;
        }
    }

    fn entry(&mut self, name: &str) -> &mut f64 {
        let index = self.entries.iter().position(|(n, _)| n == name).unwrap_or_else(|| {
            self.entries.push((name.to_owned(), 0.0));
            self.entries.len() - 1
        });
        &mut self.entries[index].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_add_up_in_order() {
        let mut statistics = Statistics::default();
        statistics.add("nodes", 3);
        statistics.add_time("reduce_seconds", Duration::from_millis(500));
        let other = statistics.clone();
        statistics.add("nodes", 4);
        statistics.absorb(&other);
        assert_eq!(statistics.get("nodes"), 10.0);
        assert_eq!(statistics.get("absent"), 0.0);
        assert_eq!(statistics.entries().collect::<Vec<_>>(), [("nodes", 10.0), ("reduce_seconds", 1.0)]);
    }
}
