//! The judge: slow, obviously right evaluators, and checkers of certificates. They share no code with the engines, and
//! every engine and every rule is held to them.

mod autotree;
mod board;
mod board_decided;
mod certificate;
mod circuit;
mod colouring;
mod colouring_decided;
mod confirmation;
mod decided;
mod edge_game;
mod functions;
mod game;
mod gates;
mod judge;
mod qbf;
mod reduction;
mod refutation;
mod resolution;
mod sequential;
mod solver;
mod strategy;
mod vertex_game;

pub use board::{BoardValue, evaluate_board};
pub use certificate::CertificateFlaw;
pub use colouring::{ColouringValue, evaluate_colouring};
pub use confirmation::ConfirmationFlaw;
pub use game::{GameValue, evaluate_game, evaluate_in_order, monotone_in};
pub use judge::{Judge, Judgement, NoJudge, VerifyError, verify};
pub use qbf::{Witnessed, evaluate_circuit, evaluate_qbf};
pub use refutation::RefutationFlaw;
pub use sequential::{SequentialValue, evaluate_sequential};
pub use strategy::{Claim, Rejection, StrategyError};

/// The single judges behind [`verify`], for tests and benchmarks.
#[doc(hidden)]
pub mod steps {
    pub use super::certificate::check_certificate;
    pub use super::confirmation::check_confirmation;
    pub use super::edge_game::{EdgePosition, TreesFlaw, check_trees};
    pub use super::refutation::check_refutation;
    use super::strategy::check_game_strategy;
    pub use super::vertex_game::VertexMinimax;
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
