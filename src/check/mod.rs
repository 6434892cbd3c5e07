//! The judge: slow, obviously right evaluators, and checkers of certificates. They share no code with the engines, and
//! every engine and every rule is held to them.

mod certificate;
mod decided;
mod edge_game;
mod game;
mod network;
mod qbf;
mod strategy;

pub use certificate::{CertificateFlaw, Judge, NoJudge, check_certificate};
pub use edge_game::EdgePosition;
pub use game::{GameValue, evaluate_game, monotone_in};
pub use qbf::{Witnessed, evaluate_circuit, evaluate_qbf};
pub use strategy::{Claim, Rejection, StrategyError, check_strategy};
