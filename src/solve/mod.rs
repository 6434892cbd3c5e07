//! The façade: a [`Solver`] holds a problem and answers questions about it.
//!
//! ```
//! use gamesat::Problem;
//! use gamesat::solve::{Solver, Verdict};
//!
//! let mut solver = Solver::new(gamesat::parse("forall x exists y: x == y")?);
//! assert_eq!(solver.solve()?.verdict, Verdict::True);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abstraction;
mod alpha_beta;
mod answer;
mod ask;
mod assumptions;
mod choose;
mod colours;
mod engine;
mod enumeration;
mod expansion;
mod followed;
mod graph;
mod lehman;
mod naive;
mod openings;
mod options;
mod plies;
mod portfolio;
mod proof_number;
mod qcdcl;
mod question;
mod reordered;
mod sequential;
mod solver;
mod sudoku;
mod theorem;

pub use answer::{Answer, Verdict};
pub use ask::ask;
pub use choose::{Refusal, choose};
pub use engine::{Engine, Fit, Offer, Run, engines};
pub use gamesat_core::control::{
    Control, Interrupt, Limits, Poller, Progress, StopReason, peak_memory, resident_memory,
};
pub use gamesat_core::statistics::Statistics;
pub(crate) use graph::vertex_session;
pub use openings::{Opening, Openings, Unfinished};
pub use options::{Options, tables};
pub use question::{Question, Trace, Wanted};
pub use solver::{Solver, SolverError};
