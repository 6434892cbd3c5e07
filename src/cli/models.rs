//! Models on their way to the user, each as it is found: there can be more than memory holds, and what was found before a limit
//! is not to be lost. One model is enough for the verdict, so its line comes before the first of them.

use super::exit::Failure;
use super::output::Sink;
use gamesat::Problem;
use gamesat::formula::{Lit, Names, Quantifier};
use gamesat::solve::Verdict;
use std::io::Write;
use std::sync::{Mutex, PoisonError, TryLockError};

/// Where the answer goes, and which part of it is there already.
pub struct Stream {
    state: Mutex<State>,
}

/// The state of a stream.
pub struct State {
    /// Taken away by the thread that writes the rest.
    pub sink: Option<Sink>,
    /// The verdict, once it is written.
    pub begun: Option<Verdict>,
    /// Why no more could be written.
    pub failure: Option<Failure>,
}

/// How the models of a formula are written.
pub struct Style {
    /// What one model shows.
    verdict: Verdict,
    /// The line of the verdict.
    head: String,
    names: Names,
    /// Whether comments are written, too.
    comments: bool,
}

impl Style {
    /// For a quantified formula whose verdict line begins the text; `None` for problems without models.
    pub fn of(problem: &Problem, comments: bool, head: impl FnOnce(Verdict) -> String) -> Option<Self> {
        let outer = match problem {
            Problem::Qbf(qbf) => qbf.prefix().blocks().next().map(|block| block.quantifier),
            Problem::Circuit(circuit) => circuit.prefix().blocks().next().map(|block| block.quantifier),
            _ => return None,
        };
        let verdict = Verdict::from(outer != Some(Quantifier::Forall));
        Some(Style { verdict, head: head(verdict), names: problem.names(), comments })
    }
}

impl Stream {
    pub fn new(sink: Sink) -> Self {
        Stream { state: Mutex::new(State { sink: Some(sink), begun: None, failure: None }) }
    }

    /// Writes one model; false if no more can be written.
    pub fn write(&self, style: &Style, cube: &[Lit]) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = if state.begun.is_none() { style.head.clone() } else { String::new() };
        text += &lines(cube, style.verdict, &style.names, style.comments);
        let Some(sink) = &mut state.sink else { return false };
        let written = sink.write_all(text.as_bytes()).and_then(|()| sink.flush());
        match written {
            Ok(()) => state.begun = Some(style.verdict),
            Err(error) => state.failure = Some(error.into()),
        }
        state.failure.is_none()
    }

    /// The state, for the thread that writes the rest. `None` if a job that was abandoned is still writing to a reader that does
    /// not read.
    pub fn end(&self) -> Option<State> {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(State { sink: state.sink.take(), begun: state.begun, failure: state.failure.take() })
    }
}

/// The lines of one model.
pub fn lines(cube: &[Lit], verdict: Verdict, names: &Names, comments: bool) -> String {
    let mut text = String::new();
    if comments && !names.is_empty() && !cube.is_empty() {
        let word = if verdict == Verdict::False { "countermodel" } else { "model" };
        let value = |lit: &Lit| if lit.is_positive() { "TRUE" } else { "FALSE" };
        let spoken = cube.iter().map(|lit| format!(" {}={}", names.display(lit.var()), value(lit)));
        text += &format!("c {word}{}\n", spoken.collect::<String>());
    }
    text + &format!("V {}0\n", cube.iter().map(|lit| format!("{lit} ")).collect::<String>())
}
