//! The only judge of proofs. It takes the problem as it was given and never lowers it: quantified formulas clause by clause,
//! circuits gate by gate, games by their formula, boards by their own rules, plies and sides included. So a mistake on the
//! way from a problem to an engine cannot hide behind the same mistake here.
//!
//! **What is shared with the engines**: the data (formulas, graphs, boards and what they call a goal), the readers of
//! files, and nothing else. In particular the SAT solver is one that no engine uses unless it is told to, and a build
//! without one has no judge.

use super::certificate::check_certificate;
use super::circuit::check_circuit;
use super::edge_game::check_trees;
use super::strategy::{StrategyError, check_board_strategy, check_game_strategy};
use crate::control::{Control, StopReason};
use crate::formula::{Player, Proof};
use crate::problem::Problem;
use crate::sat::Backend;

/// What a judge finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The proof shows that the formula is true or MAX wins, or that it is false or MIN wins.
    Accepted(bool),
    /// The proof does not show anything about this problem; why, in one line or more.
    Rejected(String),
}

/// Why there is no judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// This build contains no SAT solver but the engines' own.
    #[error("this build has no SAT solver that is independent of the engines")]
    NoIndependentBackend,
    /// The named SAT solver is not in this build, or is the engines' own.
    #[error("there is no SAT solver '{0}' that is independent of the engines")]
    NoSuchBackend(String),
}

/// A judge of proofs.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    backend: Backend,
}

impl Judge {
    /// A judge with the SAT solver that is best for it in this build.
    ///
    /// # Errors
    /// There is none.
    pub fn new() -> Result<Self, JudgeError> {
        let backend = independent().last().ok_or(JudgeError::NoIndependentBackend)?;
        Ok(Judge { backend })
    }

    /// A judge with the SAT solver of this name.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn with_backend(name: &str) -> Result<Self, JudgeError> {
        let backend = independent().find(|backend| backend.name() == name);
        Ok(Judge { backend: backend.ok_or_else(|| JudgeError::NoSuchBackend(name.to_owned()))? })
    }

    /// The names of the SAT solvers that a judge can have in this build.
    pub fn names() -> Vec<&'static str> {
        independent().map(Backend::name).collect()
    }

    /// Judges a proof.
    ///
    /// # Errors
    /// The reason to stop before it was known.
    pub fn verify(&self, problem: &Problem, proof: &Proof, control: &Control) -> Result<Judgement, StopReason> {
        let wrong_kind =
            |what: &str| Ok(Judgement::Rejected(format!("{what} proves nothing about this kind of problem")));
        match (problem, proof) {
            (Problem::Qbf(qbf), Proof::Functions(functions)) => {
                Ok(functional(check_certificate(qbf, functions, self.backend, control)?))
            }
            (Problem::Circuit(circuit), Proof::Functions(functions)) => {
                Ok(functional(check_circuit(circuit, functions, self.backend, control)?))
            }
            (Problem::Game(game), Proof::Strategy(strategy)) => {
                judged(check_game_strategy(game, strategy, self.backend, control), strategy.winner())
            }
            (Problem::Board(board), Proof::Strategy(strategy)) => {
                judged(check_board_strategy(board, strategy, self.backend, control), strategy.winner())
            }
            (Problem::Board(board), Proof::Trees(trees)) => Ok(match check_trees(board, trees) {
                Ok(winner) => Judgement::Accepted(winner == Player::Max),
                Err(why) => Judgement::Rejected(why),
            }),
            (_, Proof::Functions(_)) => wrong_kind("a circuit of functions"),
            (_, Proof::Strategy(_)) => wrong_kind("a strategy"),
            (_, Proof::Trees(_)) => wrong_kind("a pair of trees"),
        }
    }
}

/// The SAT solvers of this build that no engine uses by default, the best for a single hard question last.
fn independent() -> impl Iterator<Item = Backend> {
    Backend::ALL.iter().copied().filter(|&backend| backend != Backend::default())
}

fn functional(found: Result<bool, super::CertificateFlaw>) -> Judgement {
    match found {
        Ok(verdict) => Judgement::Accepted(verdict),
        Err(flaw) => {
            let mut why = flaw.to_string();
            if let Some(assignment) = flaw.assignment() {
                why += "\nunder the values";
                assignment.iter().for_each(|lit| why += &format!(" {lit}"));
            }
            Judgement::Rejected(why)
        }
    }
}

fn judged(found: Result<super::Claim, StrategyError>, winner: Player) -> Result<Judgement, StopReason> {
    match found {
        Ok(_) => Ok(Judgement::Accepted(winner == Player::Max)),
        Err(StrategyError::Rejected(rejection)) => Ok(Judgement::Rejected(rejection.to_string())),
        Err(StrategyError::Stopped(reason)) => Err(reason),
    }
}

/// Judges a proof with the [judge](Judge::new) of this build.
///
/// # Errors
/// There is no independent SAT solver in this build, or the reason to stop before it was known.
pub fn verify(problem: &Problem, proof: &Proof, control: &Control) -> Result<Judgement, VerifyError> {
    Ok(Judge::new()?.verify(problem, proof, control)?)
}

/// Why a proof was not judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// There is no judge.
    #[error("{0}")]
    NoJudge(#[from] JudgeError),
    /// The judge was stopped.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<StopReason> for VerifyError {
    fn from(reason: StopReason) -> Self {
        VerifyError::Stopped(reason)
    }
}
