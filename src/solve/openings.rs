//! Every first move of a board: which of them win.
//!
//! Moves that a symmetry of the position maps onto each other are solved once. An opening that loses is refuted inside a trace;
//! every opening outside the trace leaves the same game there, and loses too. The others take turns, each with a budget of
//! nodes that grows from round to round, so the easy ones come first; the engine keeps its table from one to the next, so
//! what a budget has paid for is not lost. Whoever knows some results already, from an earlier run, says so.

use super::ask::Work;
use super::choose::{Refusal, choose};
use super::{Control, Options, Question, StopReason, Trace, Verdict, Wanted};
use gamesat_core::formula::Var;
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Side};

/// Nodes that an opening may take in the first round, and how much more in every other.
const FIRST_BUDGET: u64 = 2_000;
const GROWTH: u64 = 4;

/// What is known of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Who wins after it.
    pub winner: Side,
    /// Nodes that it took, over all rounds; 0 if it follows from another one.
    pub nodes: u64,
}

/// Who wins after an opening, and inside which elements, if that is known.
type Solved = (Side, Option<Vec<Var>>);

/// The openings of a board, and the engine at work on them.
pub struct Openings {
    board: Board,
    options: Options,
    work: Option<Work>,
    /// For every element the first one that a symmetry maps it onto; itself if it stands for its class.
    classes: Vec<usize>,
    known: Vec<Option<Opening>>,
    /// Nodes so far.
    spent: Vec<u64>,
    budget: u64,
    /// Openings of this round that have not had their turn.
    waiting: Vec<usize>,
}

impl Openings {
    /// The openings of the side to move.
    pub fn new(board: &Board, options: &Options) -> Self {
        let elements = board.elements();
        Openings {
            classes: classes(board),
            board: board.clone(),
            options: options.clone(),
            work: None,
            known: vec![None; elements],
            spent: vec![0; elements],
            budget: FIRST_BUDGET / GROWTH,
            waiting: Vec::new(),
        }
    }

    /// What is known of each element; `None` also for those that cannot be taken.
    pub fn known(&self) -> &[Option<Opening>] {
        &self.known
    }

    /// How many openings are known, and how many there are.
    pub fn count(&self) -> (usize, usize) {
        (self.known.iter().flatten().count(), self.board.free().count())
    }

    /// Says what is known already of an element. False if it cannot be taken.
    pub fn learn(&mut self, element: usize, opening: Opening) -> bool {
        if element >= self.board.elements() || !self.board.is_free(element) {
            return false;
        }
        let class = self.classes[element];
        for other in (0..self.classes.len()).filter(|&other| self.classes[other] == class) {
            let nodes = if other == element { opening.nodes } else { 0 };
            self.known[other].get_or_insert(Opening { nodes, ..opening });
        }
        true
    }

    /// Works until one more opening is known, and says which. `None` if all are.
    ///
    /// # Errors
    /// The reason to stop before that, or why no engine answers.
    pub fn advance(&mut self, control: &Control) -> Result<Option<usize>, Unfinished> {
        let mut known = self.count();
        control.progress().set_steps(known.0 as u64, known.1 as u64);
        while known.0 < known.1 {
            let Some(element) = self.waiting.pop() else {
                let open = self.board.free().filter(|&e| self.classes[e] == e && self.known[e].is_none());
                self.waiting = open.collect();
                self.waiting.reverse();
                self.budget = self.budget.saturating_mul(GROWTH);
                continue;
            };
            if self.known[element].is_some() {
                continue;
            }
            if let Some((winner, trace)) = self.try_one(element, control)? {
                let nodes = self.spent[element];
                self.learn(element, Opening { winner, nodes });
                if let Some(trace) = trace.filter(|_| winner != self.board.turn) {
                    for outside in (0..self.board.elements()).filter(|&other| !trace.contains(&Var::from_index(other)))
                    {
                        self.learn(outside, Opening { winner, nodes: 0 });
                    }
                }
                known = self.count();
                control.progress().set_steps(known.0 as u64, known.1 as u64);
                return Ok(Some(element));
            }
        }
        Ok(None)
    }

    /// Solves an opening within the present budget: who wins after it, and inside which elements.
    fn try_one(&mut self, element: usize, control: &Control) -> Result<Option<Solved>, Unfinished> {
        let has_traces = !self.board.has_plies() && !self.board.is_race();
        let wanted = Wanted { trace: if has_traces { Trace::Any } else { Trace::No }, ..Wanted::default() };
        let mut after = self.board.clone();
        let Ok(_) = after.play(element) else { return Ok(None) };
        let problem = Problem::Board(after);
        let (engine, offer) = choose(&Question { problem: &problem, wanted: &wanted }, self.options.engine.as_deref())?;
        let lit = Var::from_index(element).lit(self.board.turn == self.board.max);
        let work = match &mut self.work {
            Some(work) if work.is(engine, offer) => work,
            none => {
                let root = Problem::Board(self.board.clone());
                none.insert(Work::begin(&root, engine, offer, &self.options, control)?)
            }
        };
        let budget = control.with_node_limit(self.budget);
        let answer = if work.play(lit) {
            let answer = work.answer(&problem, &wanted, &budget);
            if !work.undo() {
                self.work = None;
            }
            answer
        } else {
            // The engine cannot follow a move: it begins anew each time.
            self.work = None;
            Work::begin(&problem, engine, offer, &self.options, &budget)?.answer(&problem, &wanted, &budget)
        };
        self.spent[element] += answer.statistics.get("nodes") as u64;
        match (answer.verdict, answer.stop) {
            (Verdict::True, _) => Ok(Some((self.board.max, answer.trace))),
            (Verdict::False, _) => Ok(Some((!self.board.max, answer.trace))),
            (_, Some(StopReason::Nodes)) if control.limits().nodes.is_none_or(|most| self.budget < most) => Ok(None),
            (_, reason) => Err(Unfinished::Stopped(reason.unwrap_or(StopReason::Interrupted))),
        }
    }
}

/// Why openings are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfinished {
    /// A limit was reached, or someone interrupted.
    Stopped(StopReason),
    /// No engine answers such questions.
    Refused(Refusal),
}

impl From<StopReason> for Unfinished {
    fn from(reason: StopReason) -> Self {
        Unfinished::Stopped(reason)
    }
}

impl From<Refusal> for Unfinished {
    fn from(refusal: Refusal) -> Self {
        Unfinished::Refused(refusal)
    }
}

/// For every element the first one that symmetries of the position map it onto. Symmetries that exchange the sides would
/// exchange the mover too and are left out.
fn classes(board: &Board) -> Vec<usize> {
    let stones = board.stones();
    let keeps = |map: &[usize]| map.iter().enumerate().all(|(from, &to)| stones[from] == stones[to]);
    let symmetries = board.symmetries();
    let mut classes: Vec<usize> = (0..board.elements()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for symmetry in symmetries.iter().filter(|symmetry| !symmetry.exchanges && keeps(&symmetry.map)) {
            for (from, &to) in symmetry.map.iter().enumerate() {
                let least = classes[from].min(classes[to]);
                changed |= classes[from] != classes[to];
                (classes[from], classes[to]) = (least, least);
            }
        }
    }
    classes
}
