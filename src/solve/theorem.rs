//! Verdicts without search.
//!
//! - *Self-dual positions*: a renaming exchanges the players, so whoever is to move wins; see
//!   [`gamesat_games::graph::is_self_dual`]. On boards the rules know such renamings, on free graphs they are looked for, and
//!   in a monotone formula one maps the rows of the CNF onto those of the DNF.
//! - *Pairings* that the rules of a board know, such as those of unequal sides: the pairs are the strategy.
//! - *Terminals apart*: on graphs of any size Cut has won once nothing that is left can join the terminals.
//!
//! A theorem on self-dual positions names no move, so it speaks where no search can be expected to: on large boards, and
//! for an engine that a limit has stopped.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::graph::vertex_game;
use super::{Answer, Control, Interrupt, Limits, Options, Question, StopReason, Trace, Verdict, Wanted};
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Player, Proof, Rule, Strategy, StrategyNode, Var};
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Goal, Side, Symmetry};
use gamesat_games::graph::{Session, VertexGame, are_renamed, is_self_dual};
use gamesat_rows::normal::{condition, dual, irredundant, is_unate};
use std::time::Duration;

/// Free elements up to which a search for the winning move is begun: two terminals, for which there is an engine, and
/// other boards.
const REACH: [usize; 2] = [64, 36];

/// Free vertices up to which a renaming of a graph is looked for, and rows of a formula.
const MOST_RENAMED: usize = 4096;

/// Elements beyond which a board is not looked at: a short text may announce millions.
const LARGEST: usize = 1 << 14;

/// How long a formula may be looked at once a limit has struck.
const BUDGET: Duration = Duration::from_millis(500);

const SELF_DUAL: &str = "self-dual: the player to move wins";
const APART: &str = "apart: nothing that is left joins the terminals";
const UNEQUAL_SIDES: &str = "unequal sides: the side that joins the nearer edges answers in pairs";

pub(super) struct Theorem;

impl Engine for Theorem {
    fn name(&self) -> &'static str {
        "theorem"
    }

    fn about(&self) -> &'static str {
        "boards on which a theorem names the winner: positions that are the same to both sides, unequal sides"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let Wanted { all_moves, trace, outer_model, proof, .. } = *question.wanted;
        let Problem::Board(board) = question.problem else { return None };
        if all_moves || outer_model || trace == Trace::Small || board.elements() > LARGEST {
            return None;
        }
        // Lehman's theorem decides games on edges, and names a move.
        if matches!(board.goal(Side::First), Some(Goal::Edges { .. })) {
            return None;
        }
        if paired(board).is_some() {
            return Offer::direct(Fit::Theorem);
        }
        if !proof && trace == Trace::No && is_apart(board) {
            return Offer::direct(Fit::Theorem);
        }
        let has_two_terminals = vertex_game(board).is_some_and(|(_, terminals)| terminals.len() == 2);
        let is_near = board.free().count() <= REACH[usize::from(!has_two_terminals)];
        let wishes = proof || trace != Trace::No;
        Offer::direct(if is_near { Fit::Naive } else { Fit::Theorem }).filter(|_| !wishes && is_mutual(board))
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        let answer = |problem: &Problem, wanted: &Wanted, _: &Options, _: &Control| {
            let none = || Answer::stopped(StopReason::Unsupported("no theorem names the winner".to_owned()));
            known(problem, wanted).unwrap_or_else(none)
        };
        Box::new(Afresh { options: options.clone(), answer })
    }
}

/// What is left to say when an engine was stopped: the verdict, if a theorem knows it. Whoever names an engine wants to know
/// what that one finds.
pub(super) fn instead(problem: &Problem, wanted: &Wanted, options: &Options, answer: Answer) -> Answer {
    let (Verdict::Unknown, Some(reason)) = (answer.verdict, &answer.stop) else { return answer };
    if matches!(reason, StopReason::Contradiction(_)) || wanted.outer_model || options.engine.is_some() {
        return answer;
    }
    match known(problem, wanted) {
        Some(found) => Answer { missing: answer.stop, statistics: answer.statistics, ..found },
        None => answer,
    }
}

fn known(problem: &Problem, wanted: &Wanted) -> Option<Answer> {
    match problem {
        Problem::Board(board) => {
            if let Some(pairing) = paired(board) {
                return Some(pairing.answer(board, wanted));
            }
            if is_apart(board) {
                return Some(apart(board));
            }
            is_mutual(board).then(|| by_symmetry(board.player(board.turn)))
        }
        Problem::Game(game) => {
            let limits = Limits { time: Some(BUDGET), ..Limits::default() };
            let control = Control::new(limits, Interrupt::new());
            is_mutual_formula(game, &control).ok()?.then(|| by_symmetry(game.turn))
        }
        _ => None,
    }
}

fn by_symmetry(mover: Player) -> Answer {
    Answer { theorem: Some(SELF_DUAL), ..Answer::new(Verdict::from(mover)) }
}

/// Whether nothing can join the terminals of a graph, one that is too large for the engine to look at: that one finds out by
/// itself, and has a strategy.
fn is_apart(board: &Board) -> bool {
    let goal = vertex_game(board).and(board.goal(Side::First));
    board.free().count() > Session::MOST_CELLS
        && goal.is_some_and(|goal| !goal.is_reached(|element| board.stone(element) != Some(Side::Second)))
}

/// Cut wins, with any move.
fn apart(board: &Board) -> Answer {
    let mut answer = Answer { theorem: Some(APART), ..Answer::new(Verdict::from(board.player(Side::Second))) };
    if board.turn == Side::Second {
        let own = board.max == Side::Second;
        answer.moves.extend(board.free().next().map(|element| Var::from_index(element).lit(own)));
    }
    answer
}

/// Whether the position looks the same to both sides. On a board that is played until it is full somebody wins, and an
/// extra stone does no harm.
fn is_mutual(board: &Board) -> bool {
    if board.elements() > LARGEST || board.has_plies() || board.winner().is_some() || board.free().next().is_none() {
        return false;
    }
    if exchanging(&board.symmetries(), board.elements()).any(|symmetry| maps_stones(board, &symmetry)) {
        return true;
    }
    // Rules that know symmetries of their boards know them all.
    let Some((graph, terminals)) = vertex_game(board).filter(|_| board.symmetries().is_empty()) else { return false };
    if board.free().count() > MOST_RENAMED {
        return false;
    }
    let of = |side: Side| (0..board.elements()).filter(|&e| board.stone(e) == Some(side)).collect::<Vec<usize>>();
    let (short, cut) = (of(Side::First), of(Side::Second));
    is_self_dual(&VertexGame { graph, terminals, short: &short, cut: &cut, short_to_move: board.turn == Side::First })
}

/// The symmetries that exchange the sides, of the group that these generate. There are few: none of our boards has more
/// than twelve symmetries and their exchanges.
fn exchanging(generators: &[Symmetry], elements: usize) -> impl Iterator<Item = Symmetry> {
    const MOST: usize = 64;
    let mut group = vec![Symmetry { map: (0..elements).collect(), exchanges: false }];
    let mut next = 0;
    while next < group.len() && group.len() < MOST && !generators.is_empty() {
        for generator in generators {
            let map = group[next].map.iter().map(|&to| generator.map[to]).collect();
            let product = Symmetry { map, exchanges: group[next].exchanges != generator.exchanges };
            if !group.contains(&product) {
                group.push(product);
            }
        }
        next += 1;
    }
    group.into_iter().filter(|symmetry| symmetry.exchanges)
}

fn maps_stones(board: &Board, symmetry: &Symmetry) -> bool {
    let stones = board.stones();
    symmetry.map.iter().enumerate().all(|(from, &to)| stones[to] == stones[from].map(|side| !side))
}

/// Whether a renaming maps the rows of a monotone formula's CNF onto those of its DNF.
///
/// # Errors
/// The reason to stop.
fn is_mutual_formula(game: &Game, control: &Control) -> Result<bool, StopReason> {
    let rows = match game.matrix() {
        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows,
        GameMatrix::Circuit(_) => return Ok(false),
    };
    if rows.len() > MOST_RENAMED || game.uncoloured() == 0 {
        return Ok(false);
    }
    // Clauses keep what is not true, terms what is not false.
    let in_clauses = matches!(game.matrix(), GameMatrix::Cnf(_));
    let played: Vec<Lit> = game.played().iter().map(|&lit| if in_clauses { lit } else { !lit }).collect();
    let rest = irredundant(&condition(rows, &played), control)?;
    // Nothing is left to win if there is no row, or one that is empty. Under rule own a colour cannot be chosen.
    let positive = rest.lits().iter().all(|lit| lit.is_positive());
    let is_open = !rest.is_empty() && rest.iter().all(|row| !row.is_empty());
    if !is_open || !(positive || game.rule == Rule::Any && is_unate(&rest)) {
        return Ok(false);
    }
    let Some(other) = dual(&rest, MOST_RENAMED, control)? else { return Ok(false) };
    let lists = |arena: &ClauseArena| -> Vec<Vec<u32>> {
        arena.iter().map(|row| row.iter().map(|lit| lit.var().index() as u32).collect()).collect()
    };
    Ok(are_renamed(&lists(&rest), &lists(&other)))
}

/// A pairing strategy on a board.
struct Pairing {
    winner: Side,
    /// Free cells, each two neighbours a pair.
    pairs: Vec<usize>,
    /// The winner's stones in the pairing.
    holds: Vec<usize>,
    /// The winner's move, if the winner is to move and a cell is free.
    first: Option<usize>,
}

/// The pairing of unequal sides, where it holds with the stones that are on the board: the winner has the partner of each of
/// the opponent's stones, or takes the last one missing now.
fn paired(board: &Board) -> Option<Pairing> {
    let (winner, cells) = board.rules().pairing().filter(|_| !board.has_plies())?;
    let mut pairing = Pairing { winner, pairs: Vec::new(), holds: Vec::new(), first: None };
    let mut missing = Vec::new();
    for two in cells {
        for (cell, partner) in [(two[0], two[1]), (two[1], two[0])] {
            match (board.stone(cell), board.stone(partner)) {
                (Some(side), _) if side == winner => pairing.holds.push(cell),
                (Some(_), None) => missing.push(partner),
                (Some(_), Some(side)) if side != winner => return None,
                _ => {}
            }
        }
        if two.iter().all(|&cell| board.stone(cell).is_none()) {
            pairing.pairs.extend(two);
        }
    }
    let moves = board.turn == winner;
    match missing[..] {
        [] if moves => {
            // Any cell will do: one outside the pairs if there is one, or in the middle.
            let free: Vec<usize> = board.free().collect();
            let mut in_pairs = vec![false; board.elements()];
            pairing.pairs.iter().for_each(|&cell| in_pairs[cell] = true);
            let spare = free.iter().copied().find(|&cell| !in_pairs[cell]);
            pairing.first = spare.or_else(|| free.get(free.len() / 2).copied());
        }
        [] => {}
        [last] if moves => pairing.first = Some(last),
        _ => return None,
    }
    Some(pairing)
}

impl Pairing {
    fn answer(self, board: &Board, wanted: &Wanted) -> Answer {
        let Pairing { winner, mut pairs, mut holds, first } = self;
        let player = board.player(winner);
        let mut answer = Answer { theorem: Some(UNEQUAL_SIDES), ..Answer::new(Verdict::from(player)) };
        let lit = |cell: usize| Var::from_index(cell).lit(player == Player::Max);
        if let Some(cell) = first {
            answer.moves = vec![lit(cell)];
            holds.push(cell);
            // The partner is not needed any more.
            if let Some(at) = pairs.iter().position(|&other| other == cell) {
                pairs.drain(at / 2 * 2..at / 2 * 2 + 2);
            }
        }
        if wanted.trace != Trace::No {
            let mut trace: Vec<usize> = pairs.iter().copied().chain(first).collect();
            trace.sort_unstable();
            answer.trace = Some(trace.into_iter().map(Var::from_index).collect());
        }
        if wanted.proof {
            let lits = |cells: &[usize]| cells.iter().map(|&cell| lit(cell)).collect::<Vec<Lit>>();
            let mut strategy = Strategy::new(player);
            let child = strategy.push(StrategyNode::Leaf { holds: &lits(&holds), pairs: &lits(&pairs) });
            if let Some(cell) = first {
                strategy.push(StrategyNode::Move { lit: lit(cell), child });
            }
            answer.proof = Some(Proof::Strategy(strategy));
        }
        answer
    }
}
