//! Stopping: limits go in as a value, a cancel handle can be held by any thread, and why a search stopped comes out as
//! an enum.
//!
//! An engine never reads the clock itself. It keeps a [`Poller`] and calls [`Poller::poll`] in its inner loop; most calls
//! are a decrement, every few hundredth looks at the flag, the clock and the memory.

use crate::formula::Lit;
use crate::turns::Turn;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use web_time::Instant;

/// A thread-safe cancel handle: clones share one flag.
///
/// ```
/// use gamesat_core::control::Interrupt;
///
/// let interrupt = Interrupt::new();
/// let held_by_another_thread = interrupt.clone();
/// std::thread::spawn(move || held_by_another_thread.trigger()).join().unwrap();
/// assert!(interrupt.is_triggered());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A handle whose flag is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every solver that was given this handle to stop.
    pub fn trigger(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether someone asked to stop.
    #[inline]
    pub fn is_triggered(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for code that wants an atomic, such as signal handlers.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// How much a solver may use. `None` means without limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Resident memory of the whole process, in bytes. Polled where the system tells it (`/proc/self/statm`). A sixteenth is
    /// kept for what a search does until it notices: it is stopped when the rest is used.
    pub memory: Option<u64>,
    /// Search nodes, decisions or whatever the engine counts as its unit of work.
    pub nodes: Option<u64>,
}

/// Why a solver stopped without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Out of time.
    Time,
    /// Out of processor time, of which the thread that interrupted the run keeps count.
    Cpu,
    /// Out of memory.
    Memory,
    /// Out of nodes.
    Nodes,
    /// Plies beyond those that were to be looked ahead matter.
    Depth,
    /// Someone triggered the [`Interrupt`].
    Interrupted,
    /// Two ways to the answer contradict each other: a mistake of the solver, to be reported as loudly as possible.
    Contradiction(String),
    /// The engine cannot treat this problem; the text says why.
    Unsupported(String),
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Time => f.write_str("time limit"),
            StopReason::Cpu => f.write_str("processor time limit"),
            StopReason::Memory => f.write_str("memory limit"),
            StopReason::Nodes => f.write_str("node limit"),
            StopReason::Depth => f.write_str("depth limit"),
            StopReason::Interrupted => f.write_str("interrupted"),
            StopReason::Contradiction(what) => write!(f, "this is a mistake of the solver: {what}"),
            StopReason::Unsupported(why) => write!(f, "unsupported: {why}"),
        }
    }
}

/// How far a run has come, for whoever watches it from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
    proof_numbers: [AtomicU64; 2],
}

impl Progress {
    /// Units of work done so far, as of the last poll.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Tells how many units of work are done, where no [`Poller`] does.
    pub fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    /// Top-level steps (root moves of a game) that are done, and how many there are; 0 of 0 if the engine has none.
    pub fn steps(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// How hard it seems to show that the player to move wins, and that it loses; 0 and 0 if the engine has no such numbers.
    pub fn proof_numbers(&self) -> (u64, u64) {
        let [win, loss] = &self.proof_numbers;
        (win.load(Ordering::Relaxed), loss.load(Ordering::Relaxed))
    }

    /// Tells how hard it seems to show a win of the player to move, and a loss.
    pub fn set_proof_numbers(&self, win: u64, loss: u64) {
        self.proof_numbers[0].store(win, Ordering::Relaxed);
        self.proof_numbers[1].store(loss, Ordering::Relaxed);
    }

    /// Tells that `done` of `total` top-level steps are behind.
    pub fn set_steps(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }
}

/// Limits, the moment they count from, the handles that can cancel the run, and how far it has come.
#[derive(Clone, Debug)]
pub struct Control {
    started: Instant,
    limits: Limits,
    interrupts: Vec<Interrupt>,
    progress: Arc<Progress>,
    log: Option<Log>,
    models: Option<Models>,
    /// Why the run was interrupted, if the thread that did it has said so.
    told: Arc<OnceLock<StopReason>>,
    turn: Option<Turn>,
    /// How often it may still be looked at, if that is limited.
    looks: Option<Arc<AtomicU64>>,
}

/// Whoever wants to read what a run is doing, line by line.
#[derive(Clone)]
struct Log(Arc<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

/// Takes models as they are found; false if no more are wanted.
#[derive(Clone)]
struct Models(Arc<Taker>);

type Taker = dyn Fn(&[Lit]) -> bool + Send + Sync;

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Models")
    }
}

impl Default for Control {
    fn default() -> Self {
        Control::new(Limits::default(), Interrupt::new())
    }
}

impl Control {
    /// A control whose time limit counts from now.
    pub fn new(limits: Limits, interrupt: Interrupt) -> Self {
        Control {
            started: Instant::now(),
            limits,
            interrupts: vec![interrupt],
            progress: Arc::default(),
            log: None,
            models: None,
            told: Arc::default(),
            turn: None,
            looks: None,
        }
    }

    /// The same control with one more handle that can cancel it: for races between engines, where the first answer
    /// cancels the others.
    pub fn with_interrupt(&self, interrupt: Interrupt) -> Self {
        let mut child = self.clone();
        child.interrupts.push(interrupt);
        child
    }

    /// The same control, but with at most `time` from now on: for techniques that work under a budget.
    pub fn with_budget(&self, time: Duration) -> Self {
        let mut child = self.clone();
        let total = self.elapsed() + time;
        child.limits.time = Some(self.limits.time.map_or(total, |limit| limit.min(total)));
        child
    }

    /// The same control, but with at most so many units of work.
    pub fn with_node_limit(&self, nodes: u64) -> Self {
        let mut child = self.clone();
        child.limits.nodes = Some(self.limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        child
    }

    /// The same control for a search that takes turns with others: it may sleep whenever the control is looked at.
    pub fn with_turn(&self, turn: Turn) -> Self {
        Control { turn: Some(turn), ..self.clone() }
    }

    /// The same control, which may be looked at so many times and then says that it is enough: for trials that shall be the same
    /// on every machine.
    pub fn with_looks(&self, looks: u64) -> Self {
        Control { looks: Some(Arc::new(AtomicU64::new(looks))), ..self.clone() }
    }

    /// The same control, which may be looked at as often as one likes.
    pub fn without_looks(&self) -> Self {
        Control { looks: None, ..self.clone() }
    }

    /// The same limits and interrupts, for work that is counted elsewhere: to look at it is no look, and passes no turn.
    pub fn without_turns(&self) -> Self {
        Control { looks: None, turn: None, ..self.clone() }
    }

    /// How often it may still be looked at, if that is limited.
    pub fn looks_left(&self) -> Option<u64> {
        self.looks.as_ref().map(|left| left.load(Ordering::Relaxed))
    }

    /// The same control, with somebody who reads what the run is doing. Lines come without a line break.
    pub fn with_log(&self, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Control { log: Some(Log(Arc::new(log))), ..self.clone() }
    }

    /// Says what is being done, if anybody reads it.
    pub fn log(&self, line: impl FnOnce() -> String) {
        if let Some(Log(log)) = &self.log {
            log(&line());
        }
    }

    /// The same control, with a taker of models, each as it is found: a cube, as in the models of an
    /// answer, which are left empty then. When the taker says false, the search is interrupted.
    pub fn with_models(&self, taker: impl Fn(&[Lit]) -> bool + Send + Sync + 'static) -> Self {
        Control { models: Some(Models(Arc::new(taker))), ..self.clone() }
    }

    /// Gives a model away, if there is a taker: whether more are wanted.
    pub fn give_model(&self, cube: &[Lit]) -> Option<bool> {
        self.models.as_ref().map(|Models(taker)| taker(cube))
    }

    /// Says why the run is about to be interrupted, for every clone of this control. The first reason stays.
    pub fn tell(&self, reason: StopReason) {
        let _ = self.told.set(reason);
    }

    /// Time since this control was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How far the run has come. Clones of a control share it.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Time that is left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.limits.time.map(|limit| limit.saturating_sub(self.elapsed()))
    }

    /// Whether one of the handles was triggered. Cheap.
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        self.interrupts.iter().any(Interrupt::is_triggered)
    }

    /// The reason to stop now, if there is one, after `nodes` units of work. Looks at the clock and the memory, so inner
    /// loops go through a [`Poller`].
    pub fn stop_reason(&self, nodes: u64) -> Option<StopReason> {
        if let Some(turn) = &self.turn {
            turn.look();
        }
        if self.is_interrupted() {
            // Whoever minds the limits interrupts others when one is reached.
            let told = || self.told.get().cloned();
            return self.limit_reached().or_else(told).or(Some(StopReason::Interrupted));
        }
        let is_enough = |left: &Arc<AtomicU64>| {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
        };
        if self.limits.nodes.is_some_and(|limit| nodes > limit) || self.looks.as_ref().is_some_and(is_enough) {
            return Some(StopReason::Nodes);
        }
        self.limit_reached()
    }

    /// Whether so many units of work are too many. Nothing else is looked at: for work that looks at the control elsewhere.
    ///
    /// # Errors
    /// The node limit is reached.
    pub fn count(&self, nodes: u64) -> Result<(), StopReason> {
        if self.limits.nodes.is_some_and(|limit| nodes > limit) { Err(StopReason::Nodes) } else { Ok(()) }
    }

    /// Whether time or memory is used up.
    fn limit_reached(&self) -> Option<StopReason> {
        if self.limits.time.is_some_and(|limit| self.elapsed() >= limit) {
            return Some(StopReason::Time);
        }
        if self.limits.memory.is_some_and(|limit| resident_memory().is_some_and(|now| now > limit - limit / 16)) {
            return Some(StopReason::Memory);
        }
        None
    }

    /// A poller for one thread's inner loop.
    pub fn poller(&self) -> Poller<'_> {
        Poller { control: self, countdown: 0, steps: 0 }
    }
}

/// Checks a [`Control`] now and then.
#[derive(Debug)]
pub struct Poller<'a> {
    control: &'a Control,
    countdown: u32,
    steps: u64,
}

impl Poller<'_> {
    /// Calls between two real checks.
    const PERIOD: u32 = 256;
    /// Elementary steps between two real checks.
    const STEPS: u64 = 1 << 18;

    /// To be called once per unit of work, with the number of units done so far.
    ///
    /// # Errors
    /// The reason to stop.
    #[inline]
    pub fn poll(&mut self, nodes: u64) -> Result<(), StopReason> {
        if self.countdown > 0 && self.control.limits.nodes.is_none() {
            self.countdown -= 1;
            return Ok(());
        }
        self.countdown = Self::PERIOD;
        self.control.progress.nodes.store(nodes, Ordering::Relaxed);
        self.control.stop_reason(nodes).map_or(Ok(()), Err)
    }

    /// To be called where units of work may be very large, with the number of elementary steps that were taken.
    ///
    /// # Errors
    /// The reason to stop.
    #[inline]
    pub fn spend(&mut self, steps: usize) -> Result<(), StopReason> {
        self.steps += steps as u64;
        if self.steps < Self::STEPS {
            return Ok(());
        }
        self.steps = 0;
        self.control.stop_reason(0).map_or(Ok(()), Err)
    }
}

/// Resident memory of this process in bytes, where the system tells it.
pub fn resident_memory() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Processor time that this process has used, of all its threads, where the system tells it.
pub fn cpu_time() -> Option<Duration> {
    const TICKS_A_SECOND: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit(')').next()?.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * 1000 / TICKS_A_SECOND))
}

/// Largest resident memory this process ever had, in bytes, where the system tells it.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_gives_its_reason() {
        let control = |limits| Control::new(limits, Interrupt::new());
        assert_eq!(control(Limits::default()).stop_reason(u64::MAX), None);
        let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(control(time).stop_reason(0), Some(StopReason::Time));
        let nodes = Limits { nodes: Some(10), ..Limits::default() };
        assert_eq!(control(nodes).stop_reason(10), None);
        assert_eq!(control(nodes).stop_reason(11), Some(StopReason::Nodes));
        if resident_memory().is_some() {
            let memory = Limits { memory: Some(1), ..Limits::default() };
            assert_eq!(control(memory).stop_reason(0), Some(StopReason::Memory));
        }
    }

    #[test]
    fn either_of_two_handles_cancels() {
        let (outer, inner) = (Interrupt::new(), Interrupt::new());
        let control = Control::new(Limits::default(), outer.clone()).with_interrupt(inner.clone());
        assert_eq!(control.stop_reason(0), None);
        inner.trigger();
        assert!(!outer.is_triggered());
        assert_eq!(control.stop_reason(0), Some(StopReason::Interrupted));
        // Whoever is interrupted because a limit was reached names the limit.
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(Control::new(limits, inner).stop_reason(0), Some(StopReason::Time));
    }

    #[test]
    fn an_interrupt_has_the_reason_that_was_told() {
        let interrupt = Interrupt::new();
        let control = Control::new(Limits::default(), interrupt.clone());
        let clone = control.clone();
        control.tell(StopReason::Memory);
        assert_eq!(clone.stop_reason(0), None);
        interrupt.trigger();
        assert_eq!(clone.stop_reason(0), Some(StopReason::Memory));
    }

    #[test]
    fn pollers_see_the_node_limit_exactly() {
        let control = Control::new(Limits { nodes: Some(1000), ..Limits::default() }, Interrupt::new());
        let mut poller = control.poller();
        let stopped = (1..).find(|&nodes| poller.poll(nodes).is_err());
        assert_eq!(stopped, Some(1001));
    }

    #[test]
    fn large_units_of_work_are_noticed() {
        let interrupt = Interrupt::new();
        let control = Control::new(Limits::default(), interrupt.clone());
        let mut poller = control.poller();
        assert_eq!(poller.spend(1 << 20), Ok(()));
        interrupt.trigger();
        assert_eq!(poller.spend(1_000), Ok(()));
        assert_eq!(poller.spend(1 << 20), Err(StopReason::Interrupted));
    }

    #[test]
    fn a_budget_never_exceeds_the_limit() {
        let control =
            Control::new(Limits { time: Some(Duration::from_secs(5)), ..Limits::default() }, Interrupt::new());
        assert_eq!(control.with_budget(Duration::from_secs(50)).limits().time, Some(Duration::from_secs(5)));
        assert!(control.with_budget(Duration::from_secs(1)).limits().time < Some(Duration::from_secs(2)));
    }
}
