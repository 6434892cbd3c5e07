//! Solver for quantified Boolean formulas and set colouring games.
//!
//! A formula comes in, a verdict, a winning move and a checkable proof go out.
//!
//! ```
//! use gamesat::formula::{ClauseArena, Game, GameMatrix, Lit, Problem};
//! use gamesat::solve::{Control, Options, Verdict, solve};
//!
//! // MAX and MIN alternately pick an element and give it a value; MAX wants all three clauses true.
//! let clauses: ClauseArena = [[1, 2], [2, 3], [2, 4]].map(|c| c.map(Lit::from_dimacs)).into_iter().collect();
//! let game = Game::new(4, GameMatrix::Cnf(clauses))?;
//! let outcome = solve(&Problem::Game(game), &Options::default(), &Control::default());
//! assert_eq!(outcome.verdict, Verdict::True);
//! assert_eq!(outcome.moves, [Lit::from_dimacs(2)]);
//! # Ok::<(), gamesat::formula::GameError>(())
//! ```
#![forbid(unsafe_code)]

pub mod board;
pub mod check;
pub mod control;
pub mod encode;
pub mod format;
pub mod formula;
pub mod game;
pub mod generate;
pub mod problem;
pub mod qbf;
pub mod sat;
pub mod shannon;
pub mod solve;
pub mod statistics;

pub use problem::Problem;
/// The README's example, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
