//! The set colouring engine by alpha-beta, see [`gamesat_games::colouring`].

use super::engine::{Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Wanted};
use gamesat_core::formula::{Lit, Proof};
use gamesat_core::problem::Problem;
use gamesat_encode::{carries_strategies, simpler};
use gamesat_games::colouring::{self, Session};
use gamesat_games::options::GameOptions;

pub(super) struct AlphaBeta;

impl Engine for AlphaBeta {
    fn name(&self) -> &'static str {
        "alpha-beta"
    }

    fn about(&self) -> &'static str {
        "games: alpha-beta search with traces, capture and domination on the normal forms"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        offer(question, Fit::Good)
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        begin(options, false)
    }
}

/// Games as they are, boards without plies through their rows.
pub(super) fn offer(question: &Question<'_>, fit: Fit) -> Option<Offer> {
    if question.wanted.outer_model {
        return None;
    }
    match question.problem {
        Problem::Game(_) => Offer::direct(fit),
        Problem::Colouring(game) if question.wanted.proof && !carries_strategies(game) => None,
        Problem::Colouring(_) => Offer::through(simpler(question.problem)?, fit),
        Problem::Board(board) if !board.has_plies() => Offer::through(simpler(question.problem)?, fit),
        _ => None,
    }
}

pub(super) fn begin(options: &Options, proof_number: bool) -> Box<dyn Run> {
    let mut switches = options.game.clone();
    switches.threads = options.threads;
    switches.proof_number = proof_number;
    Box::new(Played { session: None, switches })
}

/// What was prepared and found out about a game; preparation waits for the first question, and its limits.
struct Played {
    session: Option<Session>,
    switches: GameOptions,
}

impl Played {
    fn session(&mut self, problem: &Problem, control: &Control) -> Result<&mut Session, StopReason> {
        match (&mut self.session, problem) {
            (Some(session), _) => Ok(session),
            (none, Problem::Game(game)) => Ok(none.insert(Session::new(game, &self.switches, control)?)),
            _ => unreachable!("the offer was for a game"),
        }
    }

    fn solve(&mut self, problem: &Problem, wanted: &Wanted, control: &Control) -> Result<Answer, StopReason> {
        let question = colouring::Question {
            all_moves: wanted.all_moves,
            strategy: wanted.proof,
            shrink_trace: wanted.trace == Trace::Small,
        };
        let found = self.session(problem, control)?.solve(question, control)?;
        let mut answer = Answer::new(found.winner.into());
        answer.missing = found.unlisted.or(found.unshrunk);
        match found.strategy {
            Some(Ok(strategy)) => answer.proof = Some(Proof::Strategy(strategy)),
            Some(Err(reason)) => answer.missing = Some(reason),
            None => {}
        }
        answer.moves = found.moves;
        answer.more_moves = found.omitted;
        answer.variation = found.variation;
        answer.trace = (wanted.trace != Trace::No).then_some(found.trace);
        answer.statistics = found.statistics;
        Ok(answer)
    }
}

impl Run for Played {
    fn answer(&mut self, problem: &Problem, wanted: &Wanted, control: &Control) -> Answer {
        self.solve(problem, wanted, control).unwrap_or_else(Answer::stopped)
    }

    fn play(&mut self, lit: Lit) -> bool {
        self.session.as_mut().is_some_and(|session| session.play(lit).is_ok())
    }

    fn undo(&mut self) -> bool {
        self.session.as_mut().is_some_and(|session| session.undo().is_some())
    }
}
