//! Several engines on one formula: which of them, and for how long.
//!
//! No paradigm is best everywhere, and where one is, it is often best by far. So every engine that takes the formula gets a
//! short trial: with two or three blocks first abstraction on the formula as it is before variable elimination, because that
//! dissolves its [circuits](super::circuit); then, on the simplified formula, abstraction, which decides most, expansion if
//! there are few blocks, and conflict-driven search. Then abstraction goes on alone for a while, so that what it decides in
//! seconds takes hardly longer than before. At last all [take turns](crate::turns) in the time of one thread, each going on where it
//! stood, and abstraction and conflict-driven search begin once more with the formula before elimination. The first answer
//! counts. The rule is in [`choice`].
//!
//! Shares are fixed numbers of looks at the control: the same formula is decided by the same engine after the same work
//! every time.
//!
//! With more threads the engines are dealt out to them, and those on one thread take turns as before. Which of them answers
//! first is then a matter of chance.

use super::abstraction::Abstraction;
use super::choice::{self, Choice, Contender, Lengths};
use super::engine::{Answer, Gentler, QbfEngine, Wish};
use super::expansion::Expansion;
use super::matrix::Matrix;
use super::qcdcl::Qcdcl;
use crate::control::{Control, Interrupt, StopReason};
use crate::options::{AbstractionOptions, QcdclOptions};
use crate::statistics::Statistics;
use crate::turns::{Seat, Share, seats};
use std::sync::{Arc, Mutex, PoisonError};

/// The engines together.
#[derive(Clone, Debug)]
pub struct Portfolio {
    /// Switches of abstraction.
    pub abstraction: AbstractionOptions,
    /// Switches of conflict-driven search.
    pub qcdcl: QcdclOptions,
    /// Threads to use.
    pub threads: usize,
    /// Looks at the control in the trial of each engine.
    pub trial: u64,
    /// Looks at the control in the trial on the gentler form, before elimination.
    pub circuits: u64,
    /// Looks at the control, of all together, until the first engine is not preferred any more.
    pub alone: u64,
    /// Looks at the control in a turn from then on.
    pub turn: u64,
}

impl Default for Portfolio {
    fn default() -> Self {
        Portfolio {
            abstraction: AbstractionOptions::default(),
            qcdcl: QcdclOptions::default(),
            threads: 1,
            trial: 128,
            circuits: 400,
            alone: 10_000,
            turn: 64,
        }
    }
}

/// An engine and its share of the time.
struct Part {
    engine: Box<dyn QbfEngine + Send>,
    share: Share,
    /// Whether it gets the gentler form.
    gentle: bool,
}

impl Part {
    fn new(engine: impl QbfEngine + Send + 'static, share: Share) -> Self {
        Part { engine: Box::new(engine), share, gentle: false }
    }

    fn gently(engine: impl QbfEngine + Send + 'static, share: Share) -> Self {
        Part { gentle: true, ..Part::new(engine, share) }
    }

    fn name(&self) -> String {
        format!("{}{}", if self.gentle { "gentle_" } else { "" }, self.engine.name())
    }
}

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
        self.solve_forms(matrix, None, wish, control, statistics)
    }

    fn solve_either(
        &self,
        matrix: &Matrix,
        gentler: &Gentler<'_>,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        self.solve_forms(matrix, Some(gentler), wish, control, statistics)
    }

    fn try_gentler(
        &self,
        gentler: &Gentler<'_>,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Option<Answer> {
        let length = choice::gentle_trial(gentler, self.circuits)?;
        let Gentler { blocks, literals, .. } = gentler;
        control
            .log(|| format!("trial before elimination: gentle_abstraction for {blocks} blocks, {literals} literals"));
        let matrix = (gentler.make)(control).ok()?;
        let control = control.with_looks(length);
        let answer = self.circuits().solve(&matrix, wish, &control, statistics);
        statistics.add("looks_of_trial", length - control.looks_left().unwrap_or(0));
        let answer = answer.ok()?;
        control.log(|| "decided by the trial".to_owned());
        statistics.add("decided_by_trial", 1);
        Some(answer)
    }
}

impl Portfolio {
    fn solve_forms(
        &self,
        matrix: &Matrix,
        gentler: Option<&Gentler<'_>>,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        let Portfolio { trial, alone, turn, .. } = *self;
        let choice = Choice::new(matrix, gentler, Lengths { trial, alone, turn });
        let possible = self.parts(&choice).into_iter();
        let (parts, unfit): (Vec<Part>, Vec<Part>) = possible.partition(|part| part.engine.answers(matrix, wish));
        control.log(|| {
            let names = |parts: &[Part]| parts.iter().map(Part::name).collect::<Vec<_>>().join(", ");
            let left_out =
                if unfit.is_empty() { String::new() } else { format!("; no functions from {}", names(&unfit)) };
            format!("engines for {}: {}{left_out}", choice.why, names(&parts))
        });
        if let [part] = &parts[..] {
            return part.engine.solve(matrix, wish, control, statistics);
        }
        let race = Race { matrix, gentler, made: Mutex::new(None), wish, first: Mutex::new(None) };
        race.run(parts, self.threads, control, statistics)
    }

    /// Abstraction for the gentler form.
    fn circuits(&self) -> Abstraction {
        Abstraction { options: AbstractionOptions { circuits: true, ..self.abstraction.clone() } }
    }

    /// Makes the engines that were chosen.
    fn parts(&self, choice: &Choice) -> Vec<Part> {
        let qcdcl = || Qcdcl { options: self.qcdcl.clone() };
        let part = |&(contender, share): &(Contender, Share)| match contender {
            Contender::Abstraction => Part::new(Abstraction { options: self.abstraction.clone() }, share),
            Contender::Expansion => Part::new(Expansion { backend: self.abstraction.backend }, share),
            Contender::Qcdcl => Part::new(qcdcl(), share),
            Contender::Circuits => Part::gently(self.circuits(), share),
            Contender::GentleQcdcl => Part::gently(qcdcl(), share),
        };
        choice.contenders.iter().map(part).collect()
    }
}

/// Engines at work on one formula.
struct Race<'a> {
    matrix: &'a Matrix,
    gentler: Option<&'a Gentler<'a>>,
    /// The gentler form, once somebody has made it.
    made: Mutex<Option<Arc<Matrix>>>,
    wish: Wish,
    /// The first answer, and whose it is.
    first: Mutex<Option<(String, Answer)>>,
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
        let mut runs: Vec<(Part, Seat)> = Vec::new();
        for hand in hands {
            let all = seats(hand.iter().map(|part| part.share).collect());
            runs.extend(hand.into_iter().zip(all));
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
                .map(|(part, seat)| {
                    let (control, end) = (control.with_turn(seat.turn()), &end);
                    let run = move || {
                        seat.turn().wait();
                        let mut result = self.play(&part, &control, end);
                        result.0.add(&format!("looks_of_{}", part.name()), seat.turn().looks());
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
    fn play(&self, part: &Part, control: &Control, end: &impl Fn()) -> (Statistics, Option<StopReason>) {
        let mut statistics = Statistics::default();
        if control.is_interrupted() {
            return (statistics, Some(StopReason::Interrupted));
        }
        let own = match self.gentler.filter(|_| part.gentle).map(|gentler| self.make(gentler, control)) {
            None => None,
            Some(Ok(matrix)) => Some(matrix),
            Some(Err(reason)) => return (statistics, Some(reason)),
        };
        match part.engine.solve(own.as_deref().unwrap_or(self.matrix), self.wish, control, &mut statistics) {
            Ok(answer) => {
                let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert((part.name(), answer));
                drop(first);
                end();
                (statistics, None)
            }
            Err(reason) => (statistics, Some(reason)),
        }
    }

    /// The gentler form. If somebody else is still making it, it is made twice: a search that waits for one whose turn it is not
    /// would wait for ever.
    fn make(&self, gentler: &Gentler<'_>, control: &Control) -> Result<Arc<Matrix>, StopReason> {
        let made = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(matrix) = &*made() {
            return Ok(Arc::clone(matrix));
        }
        let matrix = Arc::new((gentler.make)(control)?);
        Ok(Arc::clone(made().insert(matrix)))
    }
}
