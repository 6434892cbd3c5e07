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

pub mod analyse;
pub mod play;
pub mod solve;
pub mod split;

pub use gamesat_core::Problem;
pub use gamesat_format::{parse, read_file as read};
pub use solve::Solver;

/// The judge: slow, obviously right evaluators, and checkers of proofs. They share no code with the engines.
pub mod check {
    pub use gamesat_check::{
        BoardValue, CertificateFlaw, Claim, ColouringValue, ConfirmationFlaw, GameValue, Judge, Judgement, NoJudge,
        RefutationFlaw, Rejection, SequentialValue, StrategyError, VerifyError, Witnessed, evaluate_board,
        evaluate_circuit, evaluate_colouring, evaluate_game, evaluate_in_order, evaluate_qbf, evaluate_sequential,
        monotone_in, verify,
    };
}

/// Stopping: limits, interrupts and progress.
pub mod control {
    pub use gamesat_core::control::{
        Control, Interrupt, Limits, Poller, Progress, StopReason, peak_memory, resident_memory,
    };
}

/// Translators: circuits to clauses, boards to games, games to quantified formulas.
pub mod encode {
    pub use gamesat_encode::{
        EncodeError, Encoding, Form, Lowered, Plies, Rows, Target, carries_strategies, lower, minimised, misere,
        simpler, threshold_game, winning_sets,
    };
}

/// Text formats: one reader and writer for each.
pub mod format {
    #[cfg(feature = "compression")]
    pub use gamesat_format::decompress;
    pub use gamesat_format::{
        AigerForm, Format, Parsed, ReadError, ReadOptions, SyntaxError, Warning, WriteError, is_autotree,
        is_confirmation, is_refutation, is_strategy, is_trees, read, read_aiger, read_autotree, read_confirmation,
        read_proof, read_reduction, read_refutation, read_strategy, read_trees, sniff, to_string, within, write,
        write_aiger, write_autotree, write_confirmation, write_promises, write_proof, write_refutation, write_strategy,
        write_trees,
    };
}

/// Literals, clauses, formulas, games on formulas, and proofs.
pub mod formula {
    pub use gamesat_core::formula::{
        Aig, Autotree, AutotreePart, Block, Circuit, CircuitBuilder, ClauseArena, Clauses, Colouring, ColouringError,
        Confirmation, ConfirmationRow, Game, GameError, GameMatrix, Gate, GateKind, Lit, Names, Player, Prefix,
        PrefixError, Promise, Proof, Qbf, QuantifiedCircuit, Quantifier, Reason, Reduction, Refutation, RefutationStep,
        Rule, Strategy, StrategyNode, Trees, TurnOrder, TurnOrderError, Var,
    };
}

/// Seeded families of instances.
pub mod generate {
    pub use gamesat_encode::generate::{
        Family, GenerateError, Instance, Parameter, Random, Values, families, generate,
    };
}

/// Undirected graphs and the goals of games on them.
pub mod graph {
    pub use gamesat_core::graph::{Adjacency, Goal, Graph};
}

/// The switches of every engine.
pub mod options {
    pub use crate::solve::tables;
    pub use gamesat_core::options::Technique;
    pub use gamesat_games::options::{GameOptions, GraphOptions, SequentialOptions};
    pub use gamesat_qbf::options::{
        AbstractionOptions, Certificate, Functions, PortfolioOptions, QcdclOptions, SimplifyOptions,
    };
    pub use gamesat_sat::Backend;
}

/// What can be asked.
pub mod problem {
    pub use gamesat_core::problem::{Problem, ReorderError, Reordered};
}

/// Boards and their rules.
pub mod rules {
    pub use gamesat_core::rules::{
        Board, BoardError, Bridgit, Depths, Ending, Game, Goal, Grid, Harary, Header, Hex, Instances, Line, MAX_SIDE,
        Misfit, Played, Positional, Rules, Schedule, Shannon, Side, Sudoku, Symmetry, TriangleCell, Y, animal, animals,
        cell_name, games, parse_cell, protocol_board, sequential,
    };
}

/// Selection functions: the reference for games and quantifiers.
pub mod selection {
    pub use gamesat_games::selection::{
        Boolean, Choice, Generic, Judge, Outcome, ParallelGeneric, ParallelTuple, Plan, Play, Selection, Three, Tuple,
        any_false, any_true, mapped, max, min, parallel_max, parallel_min, parallel_tuple_max, parallel_tuple_min,
        play, play_after, product, three_max, three_min, tuple_max, tuple_min, unit,
    };
}

/// Counters.
pub mod statistics {
    pub use gamesat_core::statistics::Statistics;
}

/// What games are worth, without a search.
pub mod theory {
    pub use gamesat_games::theory::{canonical, evaluate};
}

/// The README's example, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
