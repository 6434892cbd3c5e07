//! Several engines on one formula: which of them, and for how long.
//!
//! No paradigm is best everywhere, and where one is, it is often best by far. So every engine that takes the formula gets a
//! short trial: abstraction, which decides most formulas, then expansion if there are few blocks, then conflict-driven
//! search. Then abstraction goes on alone for a while, so that what it decides in seconds takes hardly longer than before. At
//! last all [take turns](crate::turns) in the time of one thread, each going on where it stood. The first answer counts.
//! Shares are fixed numbers of looks at the control: the same formula is decided by the same engine after the same work
//! every time.
//!
//! With more threads the engines are dealt out to them, and those on one thread take turns as before. Which of them answers
//! first is then a matter of chance.

use super::abstraction::Abstraction;
use super::engine::{Answer, QbfEngine, Wish};
use super::expansion::Expansion;
use super::matrix::Matrix;
use super::qcdcl::Qcdcl;
use crate::control::{Control, Interrupt, StopReason};
use crate::options::AbstractionOptions;
use crate::statistics::Statistics;
use crate::turns::{Seat, Share, seats};
use std::sync::{Mutex, PoisonError};

/// The engines together.
#[derive(Clone, Debug)]
pub struct Portfolio {
    /// Switches of abstraction.
    pub abstraction: AbstractionOptions,
    /// Threads to use.
    pub threads: usize,
    /// Looks at the control in the trial of each engine.
    pub trial: u64,
    /// Looks at the control, of all together, until the first engine is not preferred any more.
    pub alone: u64,
    /// Looks at the control in a turn from then on.
    pub turn: u64,
}

impl Default for Portfolio {
    fn default() -> Self {
        Portfolio { abstraction: AbstractionOptions::default(), threads: 1, trial: 128, alone: 10_000, turn: 64 }
    }
}

/// An engine and its share of the time.
type Part = (Box<dyn QbfEngine + Send>, Share);

/// The stack of each engine.
const STACK: usize = 16 << 20;

impl QbfEngine for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn answers(&self, _: &Matrix, _: Wish) -> bool {
        true
    }

    fn solve(
        &self,
        matrix: &Matrix,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        let parts = self.choose(matrix);
        control.log(|| {
            let names: Vec<&str> = parts.iter().map(|(engine, _)| engine.name()).collect();
            format!("engines for {} blocks: {}", matrix.quantifiers.len(), names.join(", "))
        });
        if let [(engine, _)] = &parts[..] {
            return engine.solve(matrix, wish, control, statistics);
        }
        let race = Race { matrix, wish, first: Mutex::new(None) };
        race.run(parts, self.threads, control, statistics)
    }
}

impl Portfolio {
    /// The engines for a formula, the best one first.
    fn choose(&self, matrix: &Matrix) -> Vec<Part> {
        let abstraction = Abstraction { options: self.abstraction.clone() };
        let expansion = Expansion { backend: self.abstraction.backend };
        let first = Share { trial: self.trial, looks: self.turn, after: 0 };
        let joins = Share { after: self.alone, ..first };
        match matrix.quantifiers.len() {
            // A SAT solver is all that is needed.
            0..=1 => vec![(Box::new(abstraction), first)],
            2..=3 => vec![(Box::new(abstraction), first), (Box::new(expansion), joins), (Box::new(Qcdcl), joins)],
            _ => vec![(Box::new(abstraction), first), (Box::new(Qcdcl), joins)],
        }
    }
}

/// Engines at work on one formula.
struct Race<'a> {
    matrix: &'a Matrix,
    wish: Wish,
    /// The first answer, and whose it is.
    first: Mutex<Option<(&'static str, Answer)>>,
}

impl Race<'_> {
    fn run(
        &self,
        parts: Vec<Part>,
        threads: usize,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        // Deal the engines out to the threads.
        let threads = threads.clamp(1, parts.len());
        let mut hands: Vec<Vec<Part>> = (0..threads).map(|_| Vec::new()).collect();
        for (index, part) in parts.into_iter().enumerate() {
            hands[index % threads].push(part);
        }
        let mut runs: Vec<(Box<dyn QbfEngine + Send>, Seat)> = Vec::new();
        for hand in hands {
            let all = seats(hand.iter().map(|&(_, share)| share).collect());
            runs.extend(hand.into_iter().map(|(engine, _)| engine).zip(all));
        }
        let over = Interrupt::new();
        let control = control.with_interrupt(over.clone());
        let turns: Vec<_> = runs.iter().map(|(_, seat)| seat.turn()).collect();
        let end = || {
            over.trigger();
            turns.iter().for_each(crate::turns::Turn::end);
        };
        let results: Vec<(Statistics, Option<StopReason>)> = std::thread::scope(|scope| {
            let started: Vec<_> = runs
                .into_iter()
                .map(|(engine, seat)| {
                    let (control, end) = (control.with_turn(seat.turn()), &end);
                    let run = move || {
                        seat.turn().wait();
                        let mut result = self.play(&*engine, &control, end);
                        result.0.add(&format!("looks_of_{}", engine.name()), seat.turn().looks());
                        drop(seat); // the next one's turn
                        result
                    };
                    std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run)
                })
                .collect();
            let mut results = Vec::new();
            for thread in started {
                match thread.map(std::thread::ScopedJoinHandle::join) {
                    Ok(Ok(result)) => results.push(result),
                    Ok(Err(panic)) => std::panic::resume_unwind(panic),
                    // The system gives no more threads: the others do without it.
                    Err(_) => results.push((Statistics::default(), Some(StopReason::Memory))),
                }
            }
            results
        });
        results.iter().for_each(|(counted, _)| statistics.absorb(counted));
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((name, answer)) = first {
            control.log(|| format!("decided by {name}"));
            statistics.add(&format!("decided_by_{name}"), 1);
            return Ok(answer);
        }
        let reasons = results.into_iter().filter_map(|(_, reason)| reason);
        // Whoever cannot go on says less than whoever was stopped.
        let reason = reasons.min_by_key(|reason| matches!(reason, StopReason::Unsupported(_)));
        Err(reason.unwrap_or(StopReason::Interrupted))
    }

    /// Lets one engine search; if it is the first to answer, the others shall stop.
    fn play(&self, engine: &dyn QbfEngine, control: &Control, end: &impl Fn()) -> (Statistics, Option<StopReason>) {
        let mut statistics = Statistics::default();
        if control.is_interrupted() {
            return (statistics, Some(StopReason::Interrupted));
        }
        match engine.solve(self.matrix, self.wish, control, &mut statistics) {
            Ok(answer) => {
                let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert((engine.name(), answer));
                drop(first);
                end();
                (statistics, None)
            }
            Err(reason) => (statistics, Some(reason)),
        }
    }
}
