//! The judge: slow, obviously right evaluators, and checkers of certificates. They share no code with the engines, and
//! every engine and every rule is held to them.

mod board;
#[cfg_attr(not(test), expect(dead_code, reason = "the judge of proofs calls it"))]
mod board_decided;
mod certificate;
mod decided;
mod edge_game;
mod game;
mod qbf;
mod strategy;

pub use board::{BoardValue, evaluate_board};
pub use certificate::{CertificateFlaw, check_certificate, independent_backend};
pub use edge_game::{EdgePosition, TreesFlaw, check_trees};
pub use game::{GameValue, evaluate_game, monotone_in};
pub use qbf::{Witnessed, evaluate_circuit, evaluate_qbf};
pub use strategy::{Claim, Rejection, StrategyError, check_strategy};
