//! Cutting a question: the largest question that is left is opened, until there are enough.
//!
//! In a game every legal move is a child, less those that the mustplay argument rules out: if a move was refuted, another one
//! can help only if it meets the refutation's trace. Where the graph engine [looks](super::looks) at the board and knows the
//! promising moves, they come first, and without a proof to be made there are no others. A child is the less likely to be
//! needed the later it comes, so that the first ones are opened first and deepest: one worker does what a search would do, and
//! others find the replies to the best moves instead of moves that nobody needs. Positions that several orders of moves lead to
//! are one node; a position that a winning sibling has made superfluous is forgotten, so that other moves that lead to it find a
//! new one. In a quantified formula one variable of the outermost block is chosen by look-ahead, whoever's block it is:
//! unit propagation under both values says which variables leave the smallest product of sizes, and of the best of these the
//! simplifier makes what it can of both halves. A short search of each question settles what is easy. All of it counts
//! steps, not seconds, so that every machine cuts alike.

use super::looks::Looks;
use super::{Node, Tree};
use crate::play::Position;
use crate::solve::{Options, Question, Trace, Wanted, ask};
use gamesat_core::control::{Control, Interrupt, Limits, StopReason};
use gamesat_core::formula::{ClauseArena, Lit, Player, Qbf, Var};
use gamesat_core::problem::Problem;
use gamesat_qbf::options::SimplifyOptions;
use gamesat_qbf::simplify::simplify;
use rustc_hash::FxHashMap;

/// Variables that are propagated before one is chosen.
const CANDIDATES: usize = 24;
/// How many of the best of them the simplifier looks at.
const FINALISTS: usize = 2;
/// How much the simplifier may do about each half, and about each question before a short search.
const EFFORTS: [u64; 2] = [10_000, 20_000];

/// The share of a question that its first move promises to be, and that of each further one of the move before.
const SHARE: f64 = 0.5;
const FADING: f64 = 0.85;
/// What is not worth a cut.
const SLIGHT: f64 = 1e-3;

/// How to cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutting {
    /// About how many cubes there shall be.
    pub cubes: usize,
    /// The mustplay rules nothing out: a proof of the whole has to answer every move, and the proof of a cube may rest on
    /// other cells than the trace that ruled its siblings out.
    pub every_move: bool,
    /// Nodes of the short search of each question; 0 for none.
    pub look_ahead: u64,
}

impl Default for Cutting {
    fn default() -> Self {
        Cutting { cubes: 64, every_move: false, look_ahead: 30 }
    }
}

/// Why a question cannot be cut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CutError {
    /// There are draws or scores.
    #[error("only a question with two answers can be cut: this game knows draws or scores")]
    NotTwoValued,
    /// Limits or an interrupt.
    #[error("{0}")]
    Stopped(StopReason),
}

/// What identifies a position of a game or a board: what is on it, and who moves.
type Key = (Vec<Lit>, Player);

/// A question that is left.
struct Open {
    position: Position,
    /// Where it stands in the list of nodes.
    place: usize,
    /// How much work it promises to be.
    weight: f64,
    key: Option<Key>,
}

/// A node before the list is put into order.
enum Draft {
    /// A cube, with the moves that lead to it.
    Open(Vec<Lit>),
    Known(Player),
    Choice(Player, Vec<(Lit, usize)>),
}

/// Cuts a question.
///
/// # Errors
/// The question has more than two answers, or a reason to stop.
pub fn cut(problem: &Problem, cutting: Cutting, control: &Control) -> Result<Tree, CutError> {
    match problem {
        Problem::Board(board) if board.is_race() => return Err(CutError::NotTwoValued),
        Problem::Colouring(game) if game.weights().is_some() => return Err(CutError::NotTwoValued),
        Problem::Sequential(_) | Problem::Sudoku(_) | Problem::Reordered(_) => return Err(CutError::NotTwoValued),
        _ => {}
    }
    let root = Position::new(problem.clone());
    let looks = match cutting.look_ahead {
        0 => None,
        expansions => Looks::new(problem, expansions, control).map_err(CutError::Stopped)?,
    };
    let drafts = vec![Draft::Open(Vec::new())];
    let mut cutter = Cutter { drafts, known: FxHashMap::default(), looks, cutting, control };
    let weight = size(&root);
    let mut open = vec![Open { position: root, place: 0, weight, key: None }];
    if let Some(crate::play::Outcome::Win(winner)) = open[0].position.outcome() {
        cutter.drafts[0] = Draft::Known(winner);
        open.clear();
    } else if let Some((winner, _)) = cutter.glance(&open[0].position, &[])? {
        // What a short search answers is not worth a cut.
        cutter.drafts[0] = Draft::Known(winner);
        open.clear();
    }
    while !open.is_empty() && open.len() < cutting.cubes {
        if let Some(reason) = control.stop_reason(0) {
            return Err(CutError::Stopped(reason));
        }
        // The largest question that is left; of equal ones the first.
        let at =
            (0..open.len()).reduce(|best, at| if open[at].weight > open[best].weight { at } else { best }).unwrap_or(0);
        if open[at].weight <= SLIGHT {
            break;
        }
        let question = open.remove(at);
        open.extend(cutter.open(question)?);
    }
    Ok(cutter.finish())
}

/// How hard a question looks.
fn size(position: &Position) -> f64 {
    match position.problem() {
        Problem::Qbf(qbf) => propagated(&qbf, &[]).map_or(0.0, |clauses| clauses as f64),
        Problem::Circuit(circuit) => circuit.circuit().num_gates() as f64 * (position.moves().len() as f64 + 1.0),
        _ => position.moves().len() as f64,
    }
}

/// The winner of a question, and the trace of the win where there is one.
pub(super) type Settled = (Player, Option<Vec<Var>>);

struct Cutter<'c> {
    drafts: Vec<Draft>,
    /// Positions of boards and games, without those that were dropped.
    known: FxHashMap<Key, usize>,
    /// What the graph engine sees, where it knows the board.
    looks: Option<Looks<'c>>,
    cutting: Cutting,
    control: &'c Control,
}

impl Cutter<'_> {
    /// Opens a question: gives the questions behind it that are left.
    fn open(&mut self, question: Open) -> Result<Vec<Open>, CutError> {
        let Some(mover) = question.position.turn() else { return Ok(Vec::new()) };
        let Draft::Open(path) = &self.drafts[question.place] else { return Ok(Vec::new()) };
        let path = path.clone();
        let mut moves = match question.position.problem() {
            Problem::Qbf(qbf) => {
                let best = best_variable(&question.position, &qbf, self.cutting.look_ahead > 0);
                best.map_or(Vec::new(), |var| vec![var.positive(), var.negative()])
            }
            _ => self.ordered(&question.position, &path),
        };
        let last = moves.len().saturating_sub(1);
        if question.position.is_formula() {
            // One variable at a time; both of its values belong to the same player.
            moves.truncate(2);
        }
        let (mut children, mut left, mut won) = (Vec::new(), Vec::new(), false);
        let mut mustplay: Option<Vec<Var>> = None;
        for (rank, lit) in moves.into_iter().enumerate() {
            if mustplay.as_ref().is_some_and(|cells| !cells.contains(&lit.var())) {
                continue;
            }
            let mut next = question.position.clone();
            if next.play(lit).is_err() {
                continue;
            }
            let key = key(&next);
            if let Some(&place) = key.as_ref().and_then(|key| self.known.get(key)) {
                children.push((lit, place));
                continue;
            }
            let place = self.drafts.len();
            let path: Vec<Lit> = path.iter().copied().chain([lit]).collect();
            self.drafts.push(Draft::Open(path.clone()));
            if let Some(key) = &key {
                self.known.insert(key.clone(), place);
            }
            children.push((lit, place));
            match self.glance(&next, &path)? {
                Some((winner, trace)) => {
                    self.drafts[place] = Draft::Known(winner);
                    if winner == mover {
                        won = true;
                        break;
                    }
                    // Whatever helps must meet what refutes this.
                    if let Some(trace) = trace.filter(|_| !self.cutting.every_move) {
                        mustplay = Some(match mustplay {
                            None => trace,
                            Some(cells) => cells.into_iter().filter(|cell| trace.contains(cell)).collect(),
                        });
                    }
                }
                None => {
                    let weight = match next.is_formula() {
                        true => size(&next),
                        // An only move is as much work as the question itself.
                        false if last == 0 => question.weight,
                        false => question.weight * SHARE * FADING.powi(rank as i32),
                    };
                    let weight = if next.moves().len() > 1 { weight } else { 0.0 };
                    left.push(Open { weight, position: next, place, key });
                }
            }
        }
        if children.is_empty() {
            // Nothing to choose: it stays a cube.
            return Ok(Vec::new());
        }
        self.drafts[question.place] = if won { Draft::Known(mover) } else { Draft::Choice(mover, children) };
        if won {
            self.forget(left.drain(..));
        }
        // What the mustplay has ruled out since it was listed.
        if let (Some(cells), Draft::Choice(_, children)) = (mustplay, &mut self.drafts[question.place]) {
            let kept = |lit: Lit| cells.contains(&lit.var());
            let refuted: Vec<usize> = children.iter().filter(|(lit, _)| !kept(*lit)).map(|&(_, place)| place).collect();
            if children.iter().any(|&(lit, _)| kept(lit)) {
                children.retain(|&(lit, _)| kept(lit));
                self.forget(left.extract_if(.., |open| refuted.contains(&open.place)));
            }
        }
        Ok(left)
    }

    /// Questions that are dropped before they were opened: nothing leads to them, and nothing may lead to them later, as they
    /// are no longer in a list of questions.
    fn forget(&mut self, dropped: impl Iterator<Item = Open>) {
        for key in dropped.filter_map(|open| open.key) {
            self.known.remove(&key);
        }
    }

    /// The moves of a game, the promising ones first.
    fn ordered(&mut self, position: &Position, path: &[Lit]) -> Vec<Lit> {
        let mut moves = position.moves();
        if let Some(cells) = self.looks.as_mut().map(|looks| looks.promising(path)) {
            let rank = |lit: &Lit| cells.iter().position(|&cell| cell == lit.var().index());
            let known = moves.iter().any(|lit| rank(lit).is_some());
            if known && !self.cutting.every_move {
                moves.retain(|lit| rank(lit).is_some());
            }
            moves.sort_by_key(|lit| rank(lit).unwrap_or(usize::MAX));
        }
        moves
    }

    /// The winner, if a short search finds out, and the trace of the win where there is one.
    fn glance(&mut self, position: &Position, path: &[Lit]) -> Result<Option<Settled>, CutError> {
        if let Some(crate::play::Outcome::Win(winner)) = position.outcome() {
            // What is on the board has decided: nothing that is free matters, so no move of the mover's helps.
            return Ok(Some((winner, None)));
        }
        if self.cutting.look_ahead == 0 {
            return Ok(None);
        }
        if let Some(looks) = &mut self.looks {
            return looks.settle(path, self.control).map_err(CutError::Stopped);
        }
        let problem = position.problem();
        let limits = Limits { nodes: Some(self.cutting.look_ahead), ..Limits::default() };
        let control = Control::new(limits, Interrupt::new());
        let mut wanted = Wanted::default();
        if matches!(problem, Problem::Board(_)) {
            wanted.trace = Trace::Any;
        }
        if let Some(reason) = self.control.stop_reason(0) {
            return Err(CutError::Stopped(reason));
        }
        let question = Question { problem: &problem, wanted: &wanted };
        let mut options = Options::default();
        options.simplify.effort = EFFORTS[1];
        if position.is_formula() {
            // One engine whose steps are counted, instead of a race.
            options.engine = Some("abstraction".to_owned());
        }
        let answer = match ask(&question, &options, &control) {
            Ok(answer) => answer,
            Err(_) => return Ok(None),
        };
        Ok(answer.verdict.winner().map(|winner| (winner, answer.trace.filter(|_| answer.missing.is_none()))))
    }

    /// Numbers cubes and puts children before their parents; what nothing leads to is dropped.
    fn finish(self) -> Tree {
        let mut tree = Tree::default();
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let mut stack = vec![(0usize, false)];
        while let Some((place, entered)) = stack.pop() {
            if numbers.contains_key(&place) {
                continue;
            }
            let node = match &self.drafts[place] {
                Draft::Known(winner) => Node::Known(*winner),
                Draft::Open(path) => {
                    tree.cubes.push(path.clone());
                    Node::Cube(tree.cubes.len() - 1)
                }
                Draft::Choice(player, children) if entered => {
                    Node::Choice(*player, children.iter().map(|&(lit, child)| (lit, numbers[&child])).collect())
                }
                Draft::Choice(_, children) => {
                    stack.push((place, true));
                    stack.extend(children.iter().rev().map(|&(_, child)| (child, false)));
                    continue;
                }
            };
            numbers.insert(place, tree.nodes.len());
            tree.nodes.push(node);
        }
        tree
    }
}

/// The key of a position; `None` where no two orders of moves are taken to meet.
fn key(position: &Position) -> Option<Key> {
    let (mut played, turn) = match position.given() {
        Problem::Board(board) if board.schedule.is_none() => (board.played(), board.player(board.turn)),
        Problem::Game(game) => (game.played().to_vec(), game.turn),
        _ => return None,
    };
    played.sort_unstable();
    Some((played, turn))
}

/// The variable of the outermost block that leaves the smallest product of sizes: by unit propagation, and among the best by
/// what the simplifier leaves.
fn best_variable(position: &Position, qbf: &Qbf, simplifies: bool) -> Option<Var> {
    let mut counts: FxHashMap<Var, usize> = FxHashMap::default();
    let open: Vec<Var> = position.moves().iter().filter(|lit| lit.is_positive()).map(|lit| lit.var()).collect();
    qbf.matrix().lits().iter().for_each(|lit| *counts.entry(lit.var()).or_default() += 1);
    let mut candidates: Vec<Var> = open;
    candidates.sort_by_key(|var| (std::cmp::Reverse(counts.get(var).copied().unwrap_or(0)), *var));
    candidates.truncate(CANDIDATES);
    let ranked = |vars: Vec<Var>, left: &dyn Fn(Lit) -> f64| {
        let product = |var: Var| left(var.positive()) * left(var.negative());
        let mut weighed: Vec<(f64, Var)> = vars.into_iter().map(|var| (product(var), var)).collect();
        weighed.sort_by(|a, b| a.0.total_cmp(&b.0));
        weighed.into_iter().map(|(_, var)| var).collect::<Vec<Var>>()
    };
    let mut best = ranked(candidates, &|lit| propagated(qbf, &[lit]).map_or(0.0, |clauses| clauses as f64 + 1.0));
    if simplifies && best.len() > 1 {
        best.truncate(FINALISTS);
        let mut options = SimplifyOptions::default();
        options.effort = EFFORTS[0];
        best = ranked(best, &|lit| {
            let simplified = simplify(&qbf.substitute(&[lit]), &options, &Control::default());
            simplified.verdict.map_or(simplified.formula.matrix().num_lits() as f64 + 1.0, |_| 0.0)
        });
    }
    best.first().copied()
}

/// Clauses that are left under an assignment and its unit consequences; `None` if one of them is false.
fn propagated(qbf: &Qbf, lits: &[Lit]) -> Option<usize> {
    let mut assigned = lits.to_vec();
    loop {
        let rest = qbf.substitute(&assigned);
        let units: Vec<Lit> = units(rest.matrix(), &rest);
        if rest.matrix().iter().any(<[Lit]>::is_empty) || units.iter().any(|&lit| units.contains(&!lit)) {
            return None;
        }
        if units.is_empty() {
            return Some(rest.matrix().len());
        }
        assigned.extend(units);
    }
}

/// Unit clauses of existential variables; a universal one decides the formula.
fn units(clauses: &ClauseArena, qbf: &Qbf) -> Vec<Lit> {
    let existential: rustc_hash::FxHashSet<Var> = qbf
        .prefix()
        .quantified()
        .filter(|&(quantifier, _)| quantifier == gamesat_core::formula::Quantifier::Exists)
        .map(|(_, var)| var)
        .collect();
    let mut units: Vec<Lit> = clauses.iter().filter(|clause| clause.len() == 1).map(|clause| clause[0]).collect();
    units.retain(|lit| existential.contains(&lit.var()));
    units.sort_unstable();
    units.dedup();
    units
}
