//! Judges of proofs, and nothing else that is trusted: one file or folder for each kind of proof, and [`judge`] in front of them.

mod autotree;
mod board_decided;
mod certificate;
mod circuit;
mod colouring_decided;
mod confirmation;
mod decided;
mod edge_game;
mod functions;
mod gates;
mod judge;
mod propagation;
mod reduction;
mod refutation;
mod resolution;
mod strategy;

pub use certificate::{CertificateFlaw, check_certificate};
pub use confirmation::{ConfirmationFlaw, check_confirmation};
pub use edge_game::{EdgePosition, TreesFlaw, check_trees};
pub use judge::{Judge, Judgement, NoJudge, VerifyError, verify};
pub use refutation::{RefutationFlaw, check_refutation};
pub use strategy::{Claim, Rejection, StrategyError, check_game_strategy};
