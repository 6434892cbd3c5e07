//! One question, one answer: the best engine is chosen, the problem lowered if that engine needs it, the answer raised.

use super::choose::{Refusal, choose};
use super::colours::{in_every_colour, winner_of};
use super::engine::{Engine, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Wanted, peak_memory, plies, theorem};
use gamesat_core::formula::{Lit, Player};
use gamesat_core::problem::Problem;
use gamesat_encode::{EncodeError, Lowered, lower};
use gamesat_qbf::options::Certificate;

/// Answers a question.
///
/// The verdict is unknown, with a [`StopReason`], if a limit was reached or the run was cancelled.
///
/// # Errors
/// No engine answers such a question, or not the one named in the options.
pub fn ask(question: &Question<'_>, options: &Options, control: &Control) -> Result<Answer, Refusal> {
    let (engine, offer) = choose(question, options.engine.as_deref())?;
    control.log(|| format!("engine {}", engine.name()));
    Ok(match Work::begin(question.problem, engine, offer, options, control) {
        Ok(mut work) => work.answer(question.problem, question.wanted, control),
        Err(reason) => {
            let answer = theorem::instead(question.problem, question.wanted, options, Answer::stopped(reason));
            stamped(answer, engine, control)
        }
    })
}

/// An engine at work on a problem as it needs it.
pub(super) struct Work {
    engine: &'static dyn Engine,
    offer: Offer,
    options: Options,
    lowered: Option<Lowered>,
    /// `None` for problems that take several runs, one for each claim.
    run: Option<Box<dyn Run>>,
}

impl Work {
    /// Lowers the problem as far as the engine needs it.
    ///
    /// # Errors
    /// The reason why that was not possible.
    pub(super) fn begin(
        problem: &Problem,
        engine: &'static dyn Engine,
        offer: Offer,
        options: &Options,
        control: &Control,
    ) -> Result<Self, StopReason> {
        let mut work = Work { engine, offer, options: options.clone(), lowered: None, run: None };
        match (problem, offer.through) {
            (Problem::Board(board), Some(_)) if board.has_plies() => return Ok(work),
            (_, None) => {}
            (_, Some(target)) => work.lowered = Some(lower(problem, target, control).map_err(stop_reason)?),
        }
        work.run = Some(engine.begin(options));
        Ok(work)
    }

    /// Whether this is the work that an offer of an engine means.
    pub(super) fn is(&self, engine: &dyn Engine, offer: Offer) -> bool {
        self.engine.name() == engine.name() && self.offer == offer
    }

    /// Answers a question about the problem, whose present state the run has followed.
    pub(super) fn answer(&mut self, problem: &Problem, wanted: &Wanted, control: &Control) -> Answer {
        let answer = match (&mut self.run, problem) {
            (Some(run), _) => match &self.lowered {
                Some(lowered) => {
                    // Functions can be carried back, resolutions of clauses that the problem does not have cannot.
                    let wanted = Wanted { certificate: Certificate::Functions, ..wanted.clone() };
                    let mut answer = raise(lowered, run.answer(&lowered.problem, &wanted, control));
                    if let (Problem::Colouring(game), true) = (problem, wanted.all_moves) {
                        // The simpler game has two colours of each element only.
                        let options = Options { engine: Some(self.engine.name().to_owned()), ..self.options.clone() };
                        in_every_colour(game, &mut answer, |after| {
                            let problem = Problem::Colouring(after.clone());
                            let question = Question { problem: &problem, wanted: &Wanted::default() };
                            let refused = |refusal: Refusal| StopReason::Unsupported(refusal.to_string());
                            winner_of(ask(&question, &options, control).map_err(refused)?)
                        });
                    }
                    answer
                }
                None => run.answer(problem, wanted, control),
            },
            (None, Problem::Board(board)) => {
                plies::answer(board, self.engine, self.offer, &self.options, wanted, control)
            }
            (None, _) => unreachable!("only boards take several runs"),
        };
        stamped(theorem::instead(problem, wanted, &self.options, answer), self.engine, control)
    }

    /// Follows a move; false if it cannot.
    pub(super) fn play(&mut self, lit: Lit) -> bool {
        // A move in more colours than two is none of the simpler game's.
        !matches!(&self.lowered, Some(lowered) if lowered.has_colours())
            && self.run.as_mut().is_none_or(|run| run.play(lit))
    }

    /// Takes a move back; false if it cannot.
    pub(super) fn undo(&mut self) -> bool {
        self.run.as_mut().is_none_or(|run| run.undo())
    }
}

/// The reason to stop that a failed translation is.
pub(super) fn stop_reason(error: EncodeError) -> StopReason {
    match error {
        EncodeError::Stopped(reason) => reason,
        error => StopReason::Unsupported(error.to_string()),
    }
}

/// The answer about the lowered problem in terms of the original one.
fn raise(lowered: &Lowered, mut answer: Answer) -> Answer {
    if let Some(winner) = answer.verdict.winner() {
        answer.verdict = lowered.verdict(winner == Player::Max).into();
    }
    let choices = |lits: Vec<Lit>| lits.into_iter().map(|lit| lowered.choice(lit)).collect();
    (answer.moves, answer.variation) = (choices(answer.moves), choices(answer.variation));
    answer.outer_model = answer.outer_model.map(|values| lowered.outer_model(values));
    answer.proof = answer.proof.and_then(|proof| lowered.proof(proof));
    answer
}

/// The answer with what is counted of every run.
pub(super) fn stamped(mut answer: Answer, engine: &dyn Engine, control: &Control) -> Answer {
    answer.statistics.engine = engine.name();
    answer.statistics.time = control.elapsed();
    answer.statistics.peak_memory = peak_memory();
    answer
}
