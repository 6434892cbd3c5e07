//! A worker that takes one cube after the other, and leaves a cube when another one is more promising.
//!
//! Whoever solves cubes in their order gets stuck at the first hard one, even if another move wins quickly: an opening of 8x8 Hex
//! that is solved in 14 s was not done after ten minutes. A search by proof numbers leaves a move when they rise. A worker does
//! the same with cubes: it adds up their proof numbers along the tree of the question, as the search does along its own, and goes on
//! for a while where they lead. What it has found out about a cube it keeps for the next time, and what cubes have in common it
//! finds once.
//!
//! Several workers tell each other where they stand. A cube at which somebody is at work counts as harder than it is, so that the next
//! one looks elsewhere (the *virtual loss* of Kaneko 2010, as between threads), and of what was begun the numbers of the
//! worker are believed who has done most about it. All of that is advice: no verdict rests on it, whoever it comes from.

use super::tree::open_children;
use super::{Node, Tree, Won};
use crate::control::{Control, StopReason};
use crate::engine::graph::{Questions, Session};
use crate::formula::{Lit, Player, Proof, Var};
use crate::options::GraphOptions;
use crate::problem::Problem;
use crate::rules::{Board, Side};
use crate::solve::{Options, vertex_session};

/// No sum of proof numbers is greater.
const INFINITE: u64 = 1 << 40;

/// Expansions of a cube before another one is considered, and the part of those before that is added to them: whoever looks around
/// seldom does not notice that a move is wrong, whoever does so often has to read the folder all the time.
const FIRST: u64 = 200;
const PART: u64 = 4;

/// What a worker knows of a cube that it has not solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Expansions so far.
    pub work: u64,
    /// Proof numbers of a win of the player to move, and of a loss.
    pub numbers: (u32, u32),
    /// Whether the worker is at it.
    pub busy: bool,
}

/// What is known at a node of the tree.
struct Sum {
    /// Proof numbers of MAX and of MIN.
    numbers: [u64; 2],
    /// How many others are at work below.
    busy: u64,
    /// Whether there is a cube below at which nobody else is at work, and one about which nobody knows more.
    is_left: bool,
    is_fresh: bool,
}

fn index(player: Player) -> usize {
    usize::from(player == Player::Min)
}

/// Somebody who solves cubes of a board.
#[derive(Debug)]
pub struct Worker<'p> {
    board: &'p Board,
    session: Session,
    tree: &'p Tree,
    /// What it knows of each cube.
    standings: Vec<Standing>,
    widening: usize,
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
        let options = GraphOptions { graph_threads: options.threads, ..options.graph.clone() };
        let session = match vertex_session(board, &options) {
            Some(Ok(session)) => session,
            Some(Err(StopReason::Unsupported(_))) | None => return Ok(None),
            Some(Err(reason)) => return Err(reason),
        };
        let standings = vec![Standing { numbers: (1, 1), ..Standing::default() }; tree.cubes.len()];
        Ok(Some(Worker { board, session, tree, standings, widening: options.widening }))
    }

    /// What it knows of each cube, for the others.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// The cube to go on with, by what is found and by what the others know of each cube. `None` if nothing is needed any
    /// more, or somebody is at work at whatever is.
    ///
    /// Whoever is about to lose has to try every move, and so has whoever wants to show it: there, what others have begun is
    /// left to them as long as there is something else, as they know more about it. Elsewhere the numbers decide alone: to
    /// leave the best move to another worker would mean to work on wrong ones.
    pub fn choose(&self, found: &[Option<Won>], others: &[&[Standing]]) -> Option<usize> {
        let outcomes = self.tree.outcomes(found);
        let mut at = self.tree.nodes.len().checked_sub(1).filter(|&root| outcomes[root].is_none())?;
        let sums = self.sums(&outcomes, others);
        while let Node::Choice(player, children) = &self.tree.nodes[at] {
            let open = open_children(*player, children, &outcomes);
            let (wide, own) = (self.wide(open.len()), index(*player));
            let seeming = |&(rank, child): &(usize, usize)| (rank >= wide, sums[child].numbers[own] + sums[child].busy);
            let loses = sums[at].numbers[own] > sums[at].numbers[1 - own];
            let leaves_begun = loses && open.iter().any(|&child| sums[child].is_fresh);
            let is_left = |child: usize| if leaves_begun { sums[child].is_fresh } else { sums[child].is_left };
            at = open.into_iter().enumerate().filter(|&(_, child)| is_left(child)).min_by_key(seeming)?.1;
        }
        match self.tree.nodes[at] {
            Node::Cube(cube) if sums[at].is_left => Some(cube),
            _ => None,
        }
    }

    /// Adds up along the tree.
    fn sums(&self, outcomes: &[Option<Won>], others: &[&[Standing]]) -> Vec<Sum> {
        let mut sums: Vec<Sum> = Vec::with_capacity(self.tree.nodes.len());
        for (outcome, node) in outcomes.iter().zip(&self.tree.nodes) {
            let mut numbers = [INFINITE; 2];
            sums.push(match (outcome, node) {
                (Some(won), _) => {
                    numbers[index(won.winner)] = 0;
                    Sum { numbers, busy: 0, is_left: false, is_fresh: false }
                }
                (None, Node::Known(_)) => Sum { numbers, busy: 0, is_left: false, is_fresh: false },
                (None, Node::Cube(cube)) => {
                    let own = &self.standings[*cube];
                    let told = || others.iter().filter_map(|standings| standings.get(*cube));
                    let most = told().fold(own, |most, one| if one.work > most.work { one } else { most });
                    let at_work = told().filter(|standing| standing.busy).count() as u64;
                    // The player to move is not the one who moved last.
                    let mover = self.tree.cubes[*cube].last().map_or(0, |lit| usize::from(lit.is_positive()));
                    numbers[mover] = most.numbers.0.into();
                    numbers[1 - mover] = most.numbers.1.into();
                    let is_left = at_work == 0;
                    Sum { numbers, busy: at_work, is_left, is_fresh: is_left && most.work == own.work }
                }
                (None, Node::Choice(player, children)) => {
                    let (own, open) = (index(*player), open_children(*player, children, outcomes));
                    let children = || open.iter().map(|&child| &sums[child]);
                    let first = children().take(self.wide(open.len())).map(|sum| sum.numbers[own]).min();
                    numbers[own] = first.unwrap_or(INFINITE);
                    numbers[1 - own] = children().map(|sum| sum.numbers[1 - own]).sum::<u64>().min(INFINITE);
                    let busy = children().map(|sum| sum.busy).sum();
                    let (is_left, is_fresh) = (children().any(|sum| sum.is_left), children().any(|sum| sum.is_fresh));
                    Sum { numbers, busy, is_left, is_fresh }
                }
            });
        }
        sums
    }

    /// How many of so many moves are looked at first: as the search has it.
    fn wide(&self, live: usize) -> usize {
        (1 + (live * self.widening).div_ceil(100)).min(live)
    }

    /// Says that it is at work on a cube, or on none.
    pub fn begin(&mut self, cube: Option<usize>) {
        self.standings.iter_mut().enumerate().for_each(|(number, standing)| standing.busy = Some(number) == cube);
    }

    /// Goes on with a cube for a while, the longer the more was done about it already: who wins and where, if that is
    /// enough, and the winner's strategy if it is wanted.
    ///
    /// # Errors
    /// A reason to stop other than that the while is over.
    pub fn work(
        &mut self,
        cube: usize,
        proof: bool,
        control: &Control,
    ) -> Result<Option<(Won, Option<Proof>)>, StopReason> {
        let expansions = FIRST.max(self.standings[cube].work / PART);
        let played = self.play(&self.tree.cubes[cube].clone());
        let questions = Questions { expansions: Some(expansions), strategy: proof, ..Questions::default() };
        let found = self.session.solve(questions, control);
        let numbers = self.session.proof_numbers();
        (0..played).for_each(|_| {
            self.session.undo();
        });
        let standing = &mut self.standings[cube];
        standing.numbers = numbers.unwrap_or(standing.numbers);
        match found {
            Ok(found) => {
                standing.work += found.statistics.get("nodes") as u64;
                let winner = self.board.player(if found.short_wins { Side::First } else { Side::Second });
                let trace = Some(found.trace.into_iter().map(Var::from_index).collect());
                // The engine's strategies are Short's or Cut's; whoever is not MAX here sees everything the other way round.
                let is_max = self.board.max == Side::First;
                let strategy = found.strategy.map(|strategy| if is_max { strategy } else { strategy.exchanged() });
                Ok(Some((Won { winner, trace }, strategy.map(Proof::Strategy))))
            }
            Err(StopReason::Nodes) if control.stop_reason(0).is_none() => {
                standing.work += expansions;
                Ok(None)
            }
            Err(reason) => Err(reason),
        }
    }

    fn play(&mut self, path: &[Lit]) -> usize {
        path.iter().filter(|lit| self.session.play(lit.var().index())).count()
    }
}
