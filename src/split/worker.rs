//! A worker on a board that was cut: one search of the whole question, which it shares with others.
//!
//! Whoever solves cubes in their order gets stuck at the first hard one, even if another move wins quickly: an opening of 8x8 Hex
//! that is solved in 14 s was not done after ten minutes. Whoever goes from cube to cube by their proof numbers may stay with a
//! wrong one for too long, as no threshold calls it back. So a worker searches the whole question, as the undivided search does, and
//! cubes are what comes of it on the way. After a slice of its search it tells the others what it has found out (see
//! `engine::graph::news`) and takes in what they have told, so that several search as threads do that share a table: who wins in
//! which position is a fact wherever it comes from, and where the others are at work keeps this one away from there.
//!
//! Where every cube needs a proof, the whole question is searched first, which says which cubes matter; then they are solved one
//! after the other with all that is known by then, and their strategies are made by this worker's own search: what others have
//! told says where to look, and no move of a strategy rests on it.

use super::bulletin::Bulletin;
use super::tree::open_children;
use super::{Node, Tree, Won};
use crate::solve::{Options, vertex_session};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Player, Proof, Var};
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Side};
use gamesat_games::graph::{Questions, Session};
use gamesat_games::options::GraphOptions;
use rustc_hash::FxHashMap;

/// No sum of proof numbers is greater.
const INFINITE: u64 = 1 << 40;

/// Expansions of a slice of one who works alone, and for each of several, as every one of them has to be read. What others have told is
/// the more worth the fresher it is (figures in `benchmarks/README.md`).
const ALONE: u64 = 64;
const FOR_EACH: u64 = 1;

/// What took fewer expansions is not told.
const LEAST: u32 = 2;

/// Expansions of a slice of one cube.
const PATIENT: u64 = 200;

/// Expansions after which a worker that tells nothing is taken to be gone.
const QUIET: u64 = 5000;

/// Another worker: where it is, and what this one had done when it told so.
#[derive(Debug, Default)]
struct Other {
    path: Vec<u128>,
    cube: Option<usize>,
    heard: u64,
}

/// Somebody who works on the cubes of a board.
#[derive(Debug)]
pub struct Worker<'p> {
    board: &'p Board,
    session: Session,
    tree: &'p Tree,
    manner: String,
    work: u64,
    /// The cube that it is at.
    cube: Option<usize>,
    others: FxHashMap<u64, Other>,
}

/// What is known at a node of the tree.
struct Sum {
    /// Proof numbers of MAX and of MIN.
    numbers: [u64; 2],
    /// Whether there is a cube below at which nobody else is at work.
    is_left: bool,
}

fn index(player: Player) -> usize {
    usize::from(player == Player::Min)
}

impl<'p> Worker<'p> {
    /// A worker for a board that the graph engine knows; `None` for anything else, and if another engine is asked for.
    ///
    /// # Errors
    /// A reason to stop.
    pub fn new(problem: &'p Problem, tree: &'p Tree, options: &Options) -> Result<Option<Self>, StopReason> {
        let Problem::Board(board) = problem else { return Ok(None) };
        if options.engine.as_deref().is_some_and(|engine| engine != "graph") {
            return Ok(None);
        }
        // Whoever wants threads starts a worker in each.
        let mut options: GraphOptions = options.graph.clone();
        options.graph_threads = 1;
        let mut session = match vertex_session(board, &options) {
            Some(Ok(session)) => session,
            Some(Err(StopReason::Unsupported(_))) | None => return Ok(None),
            Some(Err(reason)) => return Err(reason),
        };
        session.exchange(LEAST);
        options.graph_table = 0;
        let manner = format!("{options:?}");
        Ok(Some(Worker { board, session, tree, manner, work: 0, cube: None, others: FxHashMap::default() }))
    }

    /// Expansions so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// What decides whether what one worker has found out is of use to another one: the switches of the search.
    pub fn manner(&self) -> &str {
        &self.manner
    }

    /// From now on the others are told only what took so many expansions, or more.
    pub fn tell_from(&mut self, least: u32) {
        self.session.exchange(least.max(LEAST));
    }

    /// Goes on with the whole question for a while: who wins and where, if that is enough.
    ///
    /// # Errors
    /// A reason to stop other than that the while is over.
    pub fn search(&mut self, control: &Control) -> Result<Option<Won>, StopReason> {
        self.cube = None;
        let active = self.others.values().filter(|other| !other.path.is_empty()).count() as u64;
        let slice = if active == 0 { ALONE } else { FOR_EACH * (1 + active) };
        self.go_on(&[], slice, control)
    }

    /// Says that it is at a cube.
    pub fn begin(&mut self, cube: usize) {
        self.cube = Some(cube);
    }

    /// Goes on with a cube for a while: who wins and where, if that is enough, with the winner's strategy.
    ///
    /// # Errors
    /// A reason to stop other than that the while is over.
    pub fn prove(&mut self, cube: usize, control: &Control) -> Result<Option<(Won, Option<Proof>)>, StopReason> {
        let path = &self.tree.cubes[cube];
        let Some(won) = self.go_on(path, PATIENT, control)? else { return Ok(None) };
        let questions = Questions { strategy: true, ..Questions::default() };
        let found = self.after(path, |session| session.solve(questions, control))?;
        self.work += found.statistics.get("nodes") as u64;
        // The engine's strategies are Short's or Cut's; whoever is not MAX here sees everything the other way round.
        let is_max = self.board.max == Side::First;
        let strategy = found.strategy.map(|strategy| if is_max { strategy } else { strategy.exchanged() });
        Ok(Some((won, strategy.map(Proof::Strategy))))
    }

    fn go_on(&mut self, path: &[Lit], expansions: u64, control: &Control) -> Result<Option<Won>, StopReason> {
        // Whoever has not been heard of for long keeps nobody away.
        let (work, session) = (self.work, &mut self.session);
        for other in self.others.values_mut().filter(|other| other.heard + QUIET < work && !other.path.is_empty()) {
            session.move_other(&other.path, &[]);
            other.path.clear();
        }
        match self.after(path, |session| session.go_on(expansions, control)) {
            Ok((short_wins, trace)) => Ok(Some(self.won(short_wins, trace))),
            Err(StopReason::Nodes) => {
                self.work += expansions;
                control.stop_reason(self.work).map_or(Ok(None), Err)
            }
            Err(reason) => Err(reason),
        }
    }

    /// What it has found out since the last time, for the others.
    pub fn tell(&mut self) -> Bulletin {
        Bulletin { news: self.session.news(), cube: self.cube.map(|cube| cube as u32) }
    }

    /// Takes in what another worker has told. False if some of it cannot be.
    pub fn learn(&mut self, name: u64, told: &Bulletin) -> bool {
        let good = self.session.learn(&told.news.facts);
        let other = self.others.entry(name).or_default();
        self.session.move_other(&other.path, &told.news.path);
        let cube = told.cube.map(|cube| cube as usize);
        *other = Other { path: told.news.path.clone(), cube, heard: self.work };
        good
    }

    /// The cube to go on with where each needs a proof, by what is found: the numbers of the search lead to it. What others are
    /// at is left to them as long as there is something else. `None` if nothing is needed any more.
    pub fn choose(&mut self, found: &[Option<Won>]) -> Option<usize> {
        let tree = self.tree;
        let outcomes = tree.outcomes(found);
        let mut at = tree.nodes.len().checked_sub(1).filter(|&root| outcomes[root].is_none())?;
        let sums = self.sums(&outcomes);
        while let Node::Choice(player, children) = &tree.nodes[at] {
            let open = open_children(*player, children, &outcomes);
            at = open.into_iter().min_by_key(|&child| (sums[child].numbers[index(*player)], !sums[child].is_left))?;
        }
        match tree.nodes[at] {
            Node::Cube(cube) => Some(cube),
            _ => None,
        }
    }

    /// Adds up proof numbers along the tree.
    fn sums(&mut self, outcomes: &[Option<Won>]) -> Vec<Sum> {
        let (tree, board) = (self.tree, self.board);
        let mut sums: Vec<Sum> = Vec::with_capacity(tree.nodes.len());
        for (outcome, node) in outcomes.iter().zip(&tree.nodes) {
            let mut numbers = [INFINITE; 2];
            let mut is_left = false;
            match (outcome, node) {
                (Some(won), _) => numbers[index(won.winner)] = 0,
                (None, Node::Known(_)) => {}
                (None, Node::Cube(cube)) => {
                    is_left = self.others.values().all(|other| other.cube != Some(*cube));
                    let known = self.after(&tree.cubes[*cube], |session| match session.settled() {
                        Some((short_wins, _)) => Err(short_wins),
                        None => Ok((session.proof_numbers().unwrap_or((1, 1)), session.short_to_move())),
                    });
                    match known {
                        Ok(((win, loss), short_moves)) => {
                            let mover = index(board.player(if short_moves { Side::First } else { Side::Second }));
                            (numbers[mover], numbers[1 - mover]) = (win.into(), loss.into());
                        }
                        // It is known, but not filed: next to no work.
                        Err(short_wins) => {
                            numbers[index(board.player(if short_wins { Side::First } else { Side::Second }))] = 0;
                        }
                    }
                }
                (None, Node::Choice(player, children)) => {
                    let (own, open) = (index(*player), open_children(*player, children, outcomes));
                    let children = || open.iter().map(|&child| &sums[child]);
                    numbers[own] = children().map(|sum| sum.numbers[own]).min().unwrap_or(INFINITE);
                    numbers[1 - own] = children().map(|sum| sum.numbers[1 - own]).sum::<u64>().min(INFINITE);
                    is_left = children().any(|sum| sum.is_left);
                }
            }
            sums.push(Sum { numbers, is_left });
        }
        sums
    }

    /// Who wins a cube, if that has been found out.
    pub fn settled(&mut self, cube: usize) -> Option<Won> {
        let tree = self.tree;
        let (short_wins, trace) = self.after(&tree.cubes[cube], |session| session.settled())?;
        Some(self.won(short_wins, trace))
    }

    /// Takes in who wins a cube. False if it has found out otherwise.
    pub fn settle(&mut self, cube: usize, won: &Won) -> bool {
        let (tree, board) = (self.tree, self.board);
        let short_wins = won.winner == board.player(Side::First);
        let trace: Vec<usize> = match &won.trace {
            Some(trace) => trace.iter().map(|var| var.index()).collect(),
            None => (0..board.elements()).collect(),
        };
        self.after(&tree.cubes[cube], |session| session.settle(short_wins, &trace))
    }

    fn won(&self, short_wins: bool, trace: Vec<usize>) -> Won {
        let winner = self.board.player(if short_wins { Side::First } else { Side::Second });
        Won { winner, trace: Some(trace.into_iter().map(Var::from_index).collect()) }
    }

    fn after<T>(&mut self, path: &[Lit], doing: impl FnOnce(&mut Session) -> T) -> T {
        let played = path.iter().filter(|lit| self.session.play(lit.var().index())).count();
        let done = doing(&mut self.session);
        (0..played).for_each(|_| {
            self.session.undo();
        });
        done
    }
}
