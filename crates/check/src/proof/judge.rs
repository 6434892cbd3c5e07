//! The only judge of proofs. It takes the problem as it was given and never lowers it: quantified formulas clause by clause,
//! circuits gate by gate, games by their formula, boards by their own rules, plies and sides included. So a mistake on the
//! way from a problem to an engine cannot hide behind the same mistake here.
//!
//! **What is shared with the engines**: the data (formulas, graphs, boards and what they call a goal), the readers of
//! files, and nothing else. In particular the SAT solver is one that no engine uses, and a build without one has
//! no judge.

use super::autotree::{check_board_autotree, check_game_autotree};
use super::certificate::check_certificate;
use super::circuit::check_circuit;
use super::confirmation::check_confirmation;
use super::edge_game::check_trees;
use super::reduction::check_reduction;
use super::refutation::check_refutation;
use super::strategy::{StrategyError, check_board_strategy, check_colouring_strategy, check_game_strategy};
use crate::solver::SatSolver;
#[cfg(feature = "batsat")]
use crate::solver::batsat::Batsat;
#[cfg(feature = "varisat")]
use crate::solver::varisat::Varisat;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Player, Proof, Reduction};
use gamesat_core::problem::Problem;

/// What a judge finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The proof shows that the formula is true or MAX wins, or that it is false or MIN wins.
    Accepted(bool),
    /// The proof does not show anything about this problem; why, in one line or more.
    Rejected(String),
}

/// A SAT solver that judges: one that no engine uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// batsat, a port of Minisat; it notices interrupts and limits at once.
    #[cfg(feature = "batsat")]
    Batsat,
    /// varisat, which checks a proof of each of its own steps.
    #[cfg(feature = "varisat")]
    Varisat,
}

/// This build has no judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this build has no SAT solver that its engines do not use; build it with the feature batsat or varisat")]
pub struct NoJudge;

impl From<NoJudge> for StopReason {
    fn from(error: NoJudge) -> Self {
        StopReason::Unsupported(error.to_string())
    }
}

impl Judge {
    /// Every judge of this build, the usual one first.
    pub const ALL: &'static [Judge] = &[
        #[cfg(feature = "batsat")]
        Judge::Batsat,
        #[cfg(feature = "varisat")]
        Judge::Varisat,
    ];

    /// The usual judge.
    ///
    /// # Errors
    /// There is none in this build.
    pub fn usual() -> Result<Judge, NoJudge> {
        Judge::ALL.first().copied().ok_or(NoJudge)
    }

    /// The name by which users select it.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "batsat")]
            Judge::Batsat => "batsat",
            #[cfg(feature = "varisat")]
            Judge::Varisat => "varisat",
        }
    }

    /// The judge of this name.
    ///
    /// # Errors
    /// There is none of this name in this build.
    pub fn from_name(name: &str) -> Result<Judge, NoJudge> {
        Judge::ALL.iter().copied().find(|judge| judge.name() == name).ok_or(NoJudge)
    }

    /// Whether the solver wants all at once: varisat's check of its own proofs knows no assumptions.
    pub(super) fn takes_one_question(self) -> bool {
        match self {
            #[cfg(feature = "batsat")]
            Judge::Batsat => false,
            #[cfg(feature = "varisat")]
            Judge::Varisat => true,
        }
    }

    /// A SAT solver for questions under assumptions.
    pub(crate) fn incremental(self) -> Box<dyn SatSolver> {
        match self {
            #[cfg(feature = "batsat")]
            Judge::Batsat => Box::new(Batsat::new()),
            #[cfg(feature = "varisat")]
            Judge::Varisat => Box::new(Varisat::new(false)),
        }
    }

    /// A SAT solver without clauses.
    pub(super) fn solver(self) -> Box<dyn SatSolver> {
        match self {
            #[cfg(feature = "batsat")]
            Judge::Batsat => Box::new(Batsat::new()),
            #[cfg(feature = "varisat")]
            Judge::Varisat => Box::new(Varisat::new(true)),
        }
    }

    /// Judges a proof.
    ///
    /// # Errors
    /// The reason to stop before it was known.
    pub fn verify(self, problem: &Problem, proof: &Proof, control: &Control) -> Result<Judgement, StopReason> {
        let wrong_kind =
            |what: &str| Ok(Judgement::Rejected(format!("{what} proves nothing about this kind of problem")));
        match (problem, proof) {
            (Problem::Qbf(qbf), Proof::Functions(functions)) => {
                Ok(functional(check_certificate(qbf, functions, self, control)?))
            }
            (Problem::Qbf(qbf), Proof::Refutation(refutation)) => {
                Ok(match check_refutation(qbf, refutation, control)? {
                    Ok(()) => Judgement::Accepted(false),
                    Err(flaw) => Judgement::Rejected(flaw.to_string()),
                })
            }
            (Problem::Qbf(qbf), Proof::Confirmation(confirmation)) => {
                Ok(match check_confirmation(qbf, confirmation, control)? {
                    Ok(()) => Judgement::Accepted(true),
                    Err(flaw) => Judgement::Rejected(flaw.to_string()),
                })
            }
            (Problem::Circuit(circuit), Proof::Functions(functions)) => {
                Ok(functional(check_circuit(circuit, functions, self, control)?))
            }
            (Problem::Game(game), Proof::Strategy(strategy)) => {
                judged(check_game_strategy(game, strategy, self, control), strategy.winner())
            }
            (Problem::Board(board), Proof::Strategy(strategy)) => {
                judged(check_board_strategy(board, strategy, self, control), strategy.winner())
            }
            (Problem::Colouring(game), Proof::Strategy(strategy)) => {
                judged(check_colouring_strategy(game, strategy, self, control), strategy.winner())
            }
            (Problem::Game(game), Proof::Autotree(tree)) => {
                Ok(planted(check_game_autotree(game, tree, self, control)?, tree.winner()))
            }
            (Problem::Board(board), Proof::Autotree(tree)) => {
                Ok(planted(check_board_autotree(board, tree, self, control)?, tree.winner()))
            }
            (Problem::Board(board), Proof::Trees(trees)) => Ok(match check_trees(board, trees) {
                Ok(winner) => Judgement::Accepted(winner == board.max),
                Err(flaw) => Judgement::Rejected(flaw.to_string()),
            }),
            (_, Proof::Functions(_)) => wrong_kind("a circuit of functions"),
            (_, Proof::Refutation(_)) => wrong_kind("a refutation of clauses"),
            (_, Proof::Confirmation(_)) => wrong_kind("a confirmation of clauses"),
            (_, Proof::Strategy(_) | Proof::Autotree(_)) => wrong_kind("a strategy"),
            (_, Proof::Trees(_)) => wrong_kind("a pair of trees"),
        }
    }
}

impl Judge {
    /// Judges a proof about a smaller game, and whether winning that is winning the larger one.
    ///
    /// # Errors
    /// The reason to stop before it was known.
    pub fn verify_reduced(
        self,
        problem: &Problem,
        reduction: &Reduction,
        proof: &Proof,
        control: &Control,
    ) -> Result<Judgement, StopReason> {
        let verdict = match self.verify(&Problem::Game(reduction.game.clone()), proof, control)? {
            Judgement::Accepted(verdict) => verdict,
            Judgement::Rejected(why) => return Ok(Judgement::Rejected(format!("in the reduced game: {why}"))),
        };
        let winner = if verdict { Player::Max } else { Player::Min };
        Ok(match check_reduction(problem, reduction, winner, self, control)? {
            Ok(()) => Judgement::Accepted(verdict),
            Err(why) => Judgement::Rejected(format!("the reduced game does not stand for this one: {why}")),
        })
    }
}

fn functional(found: Result<bool, super::certificate::CertificateFlaw>) -> Judgement {
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

fn planted(found: Result<(), String>, winner: Player) -> Judgement {
    match found {
        Ok(()) => Judgement::Accepted(winner == Player::Max),
        Err(why) => Judgement::Rejected(why),
    }
}

fn judged(found: Result<super::strategy::Claim, StrategyError>, winner: Player) -> Result<Judgement, StopReason> {
    match found {
        Ok(_) => Ok(Judgement::Accepted(winner == Player::Max)),
        Err(StrategyError::Rejected(rejection)) => Ok(Judgement::Rejected(rejection.to_string())),
        Err(StrategyError::Stopped(reason)) => Err(reason),
    }
}

/// Judges a proof with the [usual judge](Judge::usual) of this build.
///
/// # Errors
/// There is no independent SAT solver in this build, or the reason to stop before it was known.
pub fn verify(problem: &Problem, proof: &Proof, control: &Control) -> Result<Judgement, VerifyError> {
    Ok(Judge::usual()?.verify(problem, proof, control)?)
}

/// Why a proof was not judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// There is no judge.
    #[error("{0}")]
    NoJudge(#[from] NoJudge),
    /// The judge was stopped.
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<StopReason> for VerifyError {
    fn from(reason: StopReason) -> Self {
        VerifyError::Stopped(reason)
    }
}
