//! Proofs: what shows a verdict to somebody who does not trust the engine that found it.

use super::{Aig, Autotree, Confirmation, Refutation, Strategy};

/// A proof of a verdict. Which kind it is depends on the problem; `check::verify` judges all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Of a quantified formula: functions of the winner's variables, Skolem's if it is true, Herbrand's if it is false.
    Functions(Aig),
    /// Of a quantified formula in clauses that is false: resolutions that end in the empty clause.
    Refutation(Refutation),
    /// Of a quantified formula in clauses that is true: what makes it simpler, and rules that win what is left.
    Confirmation(Confirmation),
    /// Of a set colouring game, or a board that is one: what the winner answers to every move.
    Strategy(Strategy),
    /// Of a set colouring game, or a board that is one: the same as a tree that people can read.
    Autotree(Autotree),
    /// Of Shannon's game on edges: two trees or two forests, between which the winner always has an answer.
    Trees(Trees),
}

/// Why somebody wins Shannon's game on edges. Edges are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trees {
    /// The first move, if the winner is to move and needs it; the rest is about the position after it.
    pub key: Option<usize>,
    /// What the winner then has.
    pub reason: Reason,
}

/// What wins for the player who does not move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Short's edges join the terminals already.
    Joined,
    /// Two edge-disjoint trees of free edges which, with Short's edges contracted, span one set of vertices with both
    /// terminals. Short answers in one tree to a cut in the other.
    Trees([Vec<usize>; 2]),
    /// Two disjoint sets of free edges such that with Short's edges and the third set contracted the free edges that are
    /// left are these two, and each, with an edge between the terminals, is a forest. Cut answers in one set to a move in
    /// the other.
    Forests([Vec<usize>; 2], Vec<usize>),
}
