//! Which engine answers a question: the one whose offer is best. What nobody can answer is refused before any work.

use super::engine::{Engine, Offer, engines};
use super::{Question, Wanted};
use gamesat_core::problem::Problem;
use std::fmt;

/// Why a question is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no engine of this name.
    NoSuchEngine(String),
    /// The named engine, or any if none was named, does not solve this kind of problem.
    Problem {
        /// The engine that was named.
        engine: Option<String>,
        /// What kind of problem it is.
        problem: &'static str,
    },
    /// The named engine does not take this problem, though it takes others of its kind.
    Limit {
        /// The engine that was named.
        engine: String,
        /// Why, in words that follow its name.
        why: String,
    },
    /// The named engine, or any if none was named, does not give what is wanted beside the verdict.
    Wish {
        /// The engine that was named.
        engine: Option<String>,
        /// What was wanted.
        wish: &'static str,
        /// What kind of problem it is.
        problem: &'static str,
    },
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoSuchEngine(name) => write!(f, "there is no engine '{name}'"),
            Refusal::Problem { engine: None, problem } => write!(f, "no engine solves {problem}"),
            Refusal::Problem { engine: Some(name), problem } => {
                write!(f, "the engine '{name}' does not solve {problem}")
            }
            Refusal::Limit { engine, why } => write!(f, "the engine '{engine}' {why}"),
            Refusal::Wish { engine: None, wish, problem } => write!(f, "{wish} are not available for {problem}"),
            Refusal::Wish { engine: Some(name), wish, problem } => {
                write!(f, "{wish} are not available from the engine '{name}' for {problem}")
            }
        }
    }
}

/// The engine that answers the question best, or the named one.
///
/// # Errors
/// No engine answers it.
pub fn choose(question: &Question<'_>, name: Option<&str>) -> Result<(&'static dyn Engine, Offer), Refusal> {
    if let Some(name) = name
        && !engines().iter().any(|engine| engine.name() == name)
    {
        return Err(Refusal::NoSuchEngine(name.to_owned()));
    }
    if let Some(best) = best(question, name) {
        return Ok(best);
    }
    let named = name.and_then(|name| engines().iter().find(|engine| engine.name() == name));
    if let Some((engine, why)) = named.and_then(|engine| Some((engine, engine.refusal(question.problem)?))) {
        return Err(Refusal::Limit { engine: engine.name().to_owned(), why });
    }
    // Which wish is it that no engine grants?
    let engine = name.map(str::to_owned);
    let problem = kind(question.problem);
    let granted = |wanted: &Wanted| best(&Question { wanted, ..*question }, name).is_some();
    match question.wanted.wishes().into_iter().find(|(_, rest)| granted(rest)) {
        Some((wish, _)) => Err(Refusal::Wish { engine, wish, problem }),
        None if granted(&Wanted::default()) => Err(Refusal::Wish { engine, wish: "these answers together", problem }),
        None => Err(Refusal::Problem { engine, problem }),
    }
}

fn best(question: &Question<'_>, name: Option<&str>) -> Option<(&'static dyn Engine, Offer)> {
    engines()
        .iter()
        .filter(|engine| name.is_none_or(|name| engine.name() == name))
        .filter(|engine| question.wanted.all_models == (engine.name() == super::enumeration::Enumeration.name()))
        .filter_map(|&engine| Some((engine, engine.offer(question)?)))
        .max_by_key(|(_, offer)| offer.fit)
}

/// What a problem is called.
fn kind(problem: &Problem) -> &'static str {
    match problem {
        Problem::Qbf(_) => "a quantified formula",
        Problem::Circuit(_) => "a quantified circuit",
        Problem::Game(_) => "a set colouring game",
        Problem::Colouring(game) if game.weights().is_some() => "a game with a score",
        Problem::Colouring(game) if game.is_restricted() => "a game with restricted elements",
        Problem::Colouring(_) => "a game with colours",
        Problem::Board(board) if board.is_race() => "a race",
        Problem::Board(board) if board.schedule.is_some() => "a bounded game",
        Problem::Board(_) => "a board",
        Problem::Reordered(_) => "a game in another order of turns",
        Problem::Sequential(_) => "a sequential game",
        Problem::Sudoku(_) => "a puzzle",
    }
}
