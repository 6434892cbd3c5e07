//! Several engines on one formula: which of them, and for how long.
//!
//! No paradigm is best everywhere, and where one is, it is often best by far. So every engine that takes the formula gets a
//! short trial: with few universal variables first [all copies at once](super::ground), and with two or three blocks expansion, on the
//! formula as it is, because whatever removes clauses of definitions stops propagation through the copies and makes functions of the
//! other variables into variables that anybody may choose; before variable elimination, if the formula is small,
//! conflict-driven search; with few variables decision diagrams (`symbolic`), and with two or three blocks abstraction, on the formula as it is before variable
//! elimination, because that dissolves its [circuits](super::circuit); then, on the simplified formula, abstraction, which decides most, expansion if
//! there are few blocks, and conflict-driven search; expansion on the formula as it is has a second, longer trial. Then abstraction goes on alone for a while, so that what it decides in
//! seconds takes hardly longer than before. At last all [take turns](gamesat_core::turns) in the time of one thread, each going on where it
//! stood, and abstraction and conflict-driven search begin once more with the formula before elimination. The first answer
//! counts. The rule is in [`choice`].
//!
//! Those who work on the same form of the formula [tell each other](super::exchange) what they find out about the outermost block.
//!
//! Shares are fixed numbers of looks at the control: the same formula is decided by the same engine after the same work
//! every time.
//!
//! With more threads the engines are dealt out to them, and those on one thread take turns as before. Which of them answers
//! first is then a matter of chance.

use super::abstraction::Abstraction;
use super::choice::{self, Choice, Contender, Lengths};
use super::engine::{Answer, Form, Forms, Gentler, QbfEngine, Wish};
use super::exchange::Exchange;
use super::expansion::Expansion;
use super::ground::Ground;
use super::matrix::Matrix;
use super::qcdcl::Qcdcl;
#[cfg(feature = "symbolic")]
use super::symbolic::Symbolic;
use super::trial::{attempts, patient};
use crate::options::{AbstractionOptions, Functions, PortfolioOptions, QcdclOptions};
use gamesat_core::control::{Control, Interrupt, StopReason};
use gamesat_core::formula::Qbf;
use gamesat_core::statistics::Statistics;
use gamesat_core::turns::{Seat, Share, seats};
use std::sync::{Arc, Mutex, PoisonError};

/// The engines together.
#[derive(Clone, Debug)]
pub struct Portfolio {
    /// Switches of abstraction.
    pub abstraction: AbstractionOptions,
    /// Switches of conflict-driven search.
    pub qcdcl: QcdclOptions,
    /// Switches of the portfolio itself.
    pub options: PortfolioOptions,
    /// Threads to use.
    pub threads: usize,
    /// Looks at the control in each of the trials on the formula as it is.
    pub first: u64,
    /// Looks at the control in the trial of expansion on the formula as it is, if it has more universal variables.
    pub expansion: u64,
    /// Looks at the control in the trial of each engine.
    pub trial: u64,
    /// Looks at the control in the second trial of expansion on the formula as it is.
    pub second: u64,
    /// Looks at the control, of all together, before that.
    pub since: u64,
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
            options: PortfolioOptions::default(),
            threads: 1,
            first: 200,
            expansion: 100,
            trial: 128,
            second: 768,
            since: 256,
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
    /// Which form of the formula it gets.
    form: Which,
}

/// A form of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// After everything that was done to it.
    Simplified,
    /// Before what dissolves definitions.
    Gentle,
    /// As it was given.
    Original,
}

impl Part {
    fn new(engine: impl QbfEngine + Send + 'static, share: Share) -> Self {
        Part { engine: Box::new(engine), share, form: Which::Simplified }
    }

    fn on(self, form: Which) -> Self {
        Part { form, ..self }
    }

    fn name(&self) -> String {
        let form = match self.form {
            Which::Simplified => "",
            Which::Gentle => "gentle_",
            Which::Original => "first_",
        };
        format!("{form}{}", self.engine.name())
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
        self.solve_forms(matrix, None, wish, control, statistics).map(|(answer, _)| answer)
    }

    fn solve_either(
        &self,
        matrix: &Matrix,
        forms: &Forms<'_>,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Solved, StopReason> {
        self.solve_forms(matrix, Some(forms), wish, control, statistics)
    }

    fn try_gentler(
        &self,
        gentler: &Gentler<'_>,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Option<(Answer, Form)> {
        let circuits = choice::gentle_trial(gentler, self.circuits).filter(|_| self.options.circuits_trial);
        let possible = cfg!(feature = "symbolic") && self.options.symbolic_trial;
        let enough = gentler.literals >= self.options.symbolic_literals;
        let symbolic = choice::symbolic_trial(gentler).filter(|_| possible && enough);
        let search = Qcdcl { options: self.qcdcl.clone() };
        let searches = choice::search_trial(gentler).filter(|_| search.options.gentle_trial);
        circuits.or(symbolic).or(searches)?;
        let form = (gentler.make)(control).ok()?;
        let circuits = circuits.filter(|_| choice::is_circuit(&form.matrix));
        let wish = wish.of(form.reconstruction.keeps_herbrand(), &form.matrix);
        let engine = self.circuits();
        let mut trials: Vec<(&dyn QbfEngine, u64)> = Vec::new();
        trials.extend(searches.map(|length| (&search as &dyn QbfEngine, patient(wish, length))));
        // Functions of diagrams are large: where functions are wanted abstraction comes first. There is more patience with it only
        // after diagrams, if there are any.
        let wanted = wish.functions != Functions::None;
        let twice = wish.insists && symbolic.is_some();
        let at_first = |length: u64| if twice { length } else { patient(wish, length) };
        trials.extend(circuits.filter(|_| wanted).map(|length| (&engine as &dyn QbfEngine, at_first(length))));
        #[cfg(feature = "symbolic")]
        trials.extend(symbolic.map(|length| (&Symbolic as &dyn QbfEngine, patient(wish, length))));
        let at_last = circuits.filter(|_| !wanted || twice).map(|length| patient(wish, length));
        trials.extend(at_last.map(|length| (&engine as &dyn QbfEngine, length)));
        let Gentler { blocks, variables, literals, .. } = gentler;
        let about = format!("before elimination, {blocks} blocks, {variables} variables, {literals} literals");
        let answer = attempts(&trials, &about, &form.matrix, wish, control, statistics)?;
        Some((answer, form))
    }

    fn try_first(&self, qbf: &Qbf, wish: Wish, control: &Control, statistics: &mut Statistics) -> Option<Answer> {
        let PortfolioOptions { ground_trial, expansion_trial, trial_literals, .. } = self.options;
        let is_large = qbf.matrix().num_lits() >= trial_literals;
        let ground = ground_trial && is_large && choice::has_few_universals(qbf);
        let expansion = expansion_trial && is_large && choice::has_expansion_trial(qbf);
        if !ground && !expansion {
            return None;
        }
        let matrix = Matrix::new(qbf);
        let wish = wish.of(true, &matrix);
        let backend = self.abstraction.backend;
        let engines = (Ground { backend }, Expansion { backend });
        let mut trials: Vec<(&dyn QbfEngine, u64)> = Vec::new();
        if ground {
            trials.extend([(&engines.0 as &dyn QbfEngine, self.first), (&engines.1, choice::PATIENCE * self.first)]);
        } else {
            trials.push((&engines.1, self.expansion));
        }
        trials.iter_mut().for_each(|(_, length)| *length = patient(wish, *length));
        attempts(&trials, "on the unsimplified formula", &matrix, wish, control, statistics)
    }
}

impl Portfolio {
    fn solve_forms(
        &self,
        matrix: &Matrix,
        forms: Option<&Forms<'_>>,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Solved, StopReason> {
        let Portfolio { trial, alone, turn, since, .. } = *self;
        let second = if self.options.expansion_trial { self.second } else { 0 };
        let choice = Choice::new(matrix, forms, Lengths { trial, alone, turn, second, since });
        let possible = self.parts(&choice).into_iter();
        // Whoever is to have the formula as it was given was chosen for that one.
        let fits = |part: &Part| part.form == Which::Original || part.engine.answers(matrix, wish);
        let (parts, unfit): (Vec<Part>, Vec<Part>) = possible.partition(fits);
        control.log(|| {
            let names = |parts: &[Part]| parts.iter().map(Part::name).collect::<Vec<_>>().join(", ");
            let left_out =
                if unfit.is_empty() { String::new() } else { format!("; no functions from {}", names(&unfit)) };
            format!("engines for {}: {}{left_out}", choice.why, names(&parts))
        });
        if let [part] = &parts[..] {
            return Ok((part.engine.solve(matrix, wish, control, statistics)?, None));
        }
        let exchange = if self.options.sharing { Exchange::open() } else { Exchange::default() };
        let race = Race { matrix, forms, made: Mutex::new(None), wish, exchange, first: Mutex::new(None) };
        race.run(parts, self.threads, control, statistics)
    }

    /// Abstraction for the gentler form.
    fn circuits(&self) -> Abstraction {
        Abstraction { options: AbstractionOptions { circuits: true, ..self.abstraction.clone() } }
    }

    /// Makes the engines that were chosen.
    fn parts(&self, choice: &Choice) -> Vec<Part> {
        let qcdcl = || Qcdcl { options: self.qcdcl.clone() };
        let expansion = || Expansion { backend: self.abstraction.backend };
        let part = |&(contender, share): &(Contender, Share)| match contender {
            Contender::Abstraction => Part::new(Abstraction { options: self.abstraction.clone() }, share),
            Contender::Expansion => Part::new(expansion(), share),
            Contender::Qcdcl => Part::new(qcdcl(), share),
            Contender::Circuits => Part::new(self.circuits(), share).on(Which::Gentle),
            Contender::GentleQcdcl => Part::new(qcdcl(), share).on(Which::Gentle),
            Contender::FirstExpansion => Part::new(expansion(), share).on(Which::Original),
        };
        choice.contenders.iter().map(part).collect()
    }
}

/// An answer, and the form it is about if that is not the simplified one.
type Solved = (Answer, Option<Arc<Form>>);

/// Engines at work on one formula.
struct Race<'a> {
    matrix: &'a Matrix,
    forms: Option<&'a Forms<'a>>,
    /// The gentler form, once somebody has made it.
    made: Mutex<Option<Arc<Form>>>,
    wish: Wish,
    /// Where those who have the same form meet.
    exchange: Exchange,
    /// The first answer, and whose it is.
    first: Mutex<Option<(String, Solved)>>,
}

impl Race<'_> {
    fn run(
        &self,
        parts: Vec<Part>,
        threads: usize,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Solved, StopReason> {
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
            turns.iter().for_each(gamesat_core::turns::Turn::end);
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
        if let Some((name, solved)) = first {
            control.log(|| format!("decided by {name}"));
            statistics.add(&format!("decided_by_{name}"), 1);
            return Ok(solved);
        }
        let reasons = results.into_iter().filter_map(|(_, reason)| reason);
        // An engine that cannot go on says less than one that was stopped, and one that was stopped because another one was says less than that one.
        let reason = reasons.min_by_key(|reason| match reason {
            StopReason::Unsupported(_) => 2,
            StopReason::Interrupted => 1,
            _ => 0,
        });
        Err(reason.unwrap_or(StopReason::Interrupted))
    }

    /// Lets one engine search; if it is the first to answer, the others shall stop.
    fn play(&self, part: &Part, control: &Control, end: &impl Fn()) -> (Statistics, Option<StopReason>) {
        let mut statistics = Statistics::default();
        if control.is_interrupted() {
            return (statistics, Some(StopReason::Interrupted));
        }
        let own = match self.form(part.form, control) {
            Ok(form) => form,
            Err(reason) => return (statistics, Some(reason)),
        };
        let result = match &own {
            Some(form) => {
                let wish = self.wish.of(form.reconstruction.keeps_herbrand(), &form.matrix);
                part.engine.solve(&form.matrix, wish, control, &mut statistics)
            }
            None => part.engine.solve_among(self.matrix, self.wish, &self.exchange, control, &mut statistics),
        };
        match result {
            Ok(answer) => {
                let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert((part.name(), (answer, own)));
                drop(first);
                end();
                (statistics, None)
            }
            Err(reason) => {
                // The node limit is one of the run: no other engine goes on without this one.
                if reason == StopReason::Nodes && control.limits().nodes.is_some() {
                    end();
                }
                (statistics, Some(reason))
            }
        }
    }

    /// Another form of the formula, if it is not the simplified one that is wanted.
    fn form(&self, which: Which, control: &Control) -> Result<Option<Arc<Form>>, StopReason> {
        let Some(forms) = self.forms else { return Ok(None) };
        match (which, &forms.gentler) {
            (Which::Original, _) => Ok(Some(Arc::new(forms.original()))),
            (Which::Gentle, Some(gentler)) => self.make(gentler, control).map(Some),
            (Which::Gentle, None) | (Which::Simplified, _) => Ok(None),
        }
    }

    /// The gentler form. If somebody else is still making it, it is made twice: a search that waits for one whose turn it is not
    /// would wait for ever.
    fn make(&self, gentler: &Gentler<'_>, control: &Control) -> Result<Arc<Form>, StopReason> {
        let made = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(form) = &*made() {
            return Ok(Arc::clone(form));
        }
        let form = Arc::new((gentler.make)(control)?);
        Ok(Arc::clone(made().insert(form)))
    }
}
