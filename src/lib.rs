//! Solver for quantified Boolean formulas and set colouring games.
//!
//! A formula comes in, a verdict, a winning move and a checkable proof go out.
//!
//! ```
//! use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit};
//! use gamesat::solve::{Solver, Verdict};
//! use gamesat::{Problem, check};
//!
//! // MAX and MIN alternately pick an element and give it a value; MAX wants all three clauses true.
//! let clauses: ClauseArena = [[1, 2], [2, 3], [2, 4]].map(|c| c.map(Lit::from_dimacs)).into_iter().collect();
//! let mut solver = Solver::new(Problem::Game(Game::new(4, GameMatrix::Cnf(clauses))?));
//! let answer = solver.solve()?;
//! assert_eq!(answer.verdict, Verdict::True);
//! assert_eq!(answer.moves, [Lit::from_dimacs(2)]);
//!
//! let proof = solver.proof()?.expect("no limit was set");
//! let judgement = check::verify(solver.problem(), &proof, &Default::default())?;
//! assert_eq!(judgement, check::Judgement::Accepted(true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
// The heads of files speak of their neighbours, for those who read the source.
#![allow(rustdoc::private_intra_doc_links)]

pub mod analyse;
// Without an independent SAT solver there is no judge, and what only a judge calls is never reached.
#[cfg_attr(not(any(feature = "batsat", feature = "varisat")), allow(unreachable_code, unused_imports))]
pub mod check;
pub mod control;
pub mod encode;
mod engine;
pub mod format;
pub mod formula;
pub mod generate;
pub mod graph;
pub mod options;
pub mod play;
pub mod problem;
mod rows;
pub mod rules;
mod sat;
pub mod selection;
pub mod solve;
pub mod split;
pub mod statistics;
pub mod theory;
mod turns;

/// What commands, benchmarks and tests need beyond the documented surface. It may change with every version.
#[doc(hidden)]
pub mod internals {
    pub use crate::check::steps as check;
    pub use crate::encode::steps as encode;
    pub use crate::engine::{colouring, graph as graph_engine, qbf, sequential};
    pub use crate::format::slip::one_apart;

    /// Rows of bits.
    pub mod rows {
        pub use crate::rows::*;
    }

    /// SAT backends.
    pub mod sat {
        pub use crate::sat::*;
    }
}

pub use problem::Problem;
pub use solve::Solver;

/// The README's example, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
