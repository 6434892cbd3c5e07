//! Evaluators that are slow and obviously right, in `oracle`, and the judges of proofs, in `proof`. They share no code with
//! the engines, and every engine and every rule is held to them.
// Without a SAT solver there is no judge, and what only a judge calls is never reached.
#![cfg_attr(not(any(feature = "batsat", feature = "varisat")), allow(unreachable_code, unused_imports))]

mod oracle;
mod proof;
mod solver;

pub use oracle::{
    BoardValue, ColouringValue, GameValue, SequentialValue, Witnessed, evaluate_board, evaluate_circuit,
    evaluate_colouring, evaluate_game, evaluate_in_order, evaluate_qbf, evaluate_sequential, monotone_in,
};
pub use proof::{
    CertificateFlaw, Claim, ConfirmationFlaw, Judge, Judgement, NoJudge, RefutationFlaw, Rejection, StrategyError,
    VerifyError, verify,
};

/// The single judges behind [`verify`], for tests and benchmarks.
#[doc(hidden)]
pub mod steps {
    pub use super::oracle::VertexMinimax;
    use super::proof::check_game_strategy;
    pub use super::proof::{
        EdgePosition, TreesFlaw, check_certificate, check_confirmation, check_refutation, check_trees,
    };
    use super::{Claim, Judge, StrategyError};
    use gamesat_core::control::{Control, StopReason};
    use gamesat_core::formula::{Game, Strategy};

    /// Judges a strategy of a game.
    ///
    /// # Errors
    /// It is wrong, or the reason to stop.
    pub fn check_strategy(game: &Game, strategy: &Strategy, control: &Control) -> Result<Claim, StrategyError> {
        check_game_strategy(game, strategy, Judge::usual().map_err(StopReason::from)?, control)
    }
}
