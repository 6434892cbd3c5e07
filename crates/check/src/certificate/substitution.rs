//! Functions in the place of variables, in [decision diagrams](super::diagrams) over the formula's variables.
//!
//! Assignments that *follow* the functions are all that matters: those in which every variable that has a function has the value that
//! its function says. The diagram of a function is over [points](super::points): where the function of another point that leaves
//! later is part of it, that point stands for it, which is the same in every assignment that follows. So functions are not
//! multiplied out.
//!
//! **A clause always holds** if its diagram becomes true when the points leave it one by one. That a diagram holds in all assignments
//! that follow stays as it is when a function is put in the place of its point. When an open variable leaves, no function that
//! is left reads it, so a diagram holds in all assignments if and only if it does so for both of its values. What is left
//! at the end is a constant.

use super::diagrams::{Diagram, Diagrams, Halt};
use super::placement::placement;
use super::points::{Points, selections};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Quantifier, Var};
use rustc_hash::FxHashMap;

/// A formula, and functions for variables of one player that stand behind all that they read.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) certificate: &'a Aig,
    pub(super) prefix: &'a [(Quantifier, Var)],
    /// The place of each variable in the prefix.
    pub(super) places: &'a FxHashMap<Var, usize>,
    pub(super) clauses: &'a [&'a [Lit]],
}

/// Variables, literals and gates for which diagrams have a chance (beyond, a good order alone takes too long to find), and the percentage of gates that must be parts of selections, three of which
/// make one: functions that were diagrams are made of them.
const VARIABLES: usize = 1_000;
const LITERALS: usize = 200_000;
const GATES: usize = 512;
const PERCENTAGE: usize = 80;

/// Whether functions look as if they had been diagrams.
pub(super) fn is_promising(certificate: &Aig, vars: usize, literals: usize) -> bool {
    let gates = certificate.ands().len();
    vars <= VARIABLES
        && literals <= LITERALS
        && gates >= GATES
        && 3 * selections(certificate) * 100 >= PERCENTAGE * gates
}

/// Clauses that a point with the points of its function counts for.
const FUNCTION: usize = 4;

/// Diagrams of functions.
pub(super) struct Substitution<'a> {
    pub(super) question: Question<'a>,
    pub(super) points: Points<'a>,
    pub(super) diagrams: Diagrams<'a>,
    /// The level of each point.
    pub(super) levels: Vec<u32>,
    /// Diagrams of nodes as they are in functions of points of some ranks.
    made: Vec<Option<Made>>,
    /// Diagrams of the points' functions.
    functions: Vec<Option<Diagram>>,
}

/// The diagram of a node in functions of points from the first rank up to the second one: only there do those points stand in it
/// that do, and no other ones could.
#[derive(Clone, Copy)]
struct Made(Diagram, u32, u32);

impl<'a> Substitution<'a> {
    /// So many steps may be taken; fewer if there is not much hope.
    pub(super) fn new(question: Question<'a>, work: u64, control: &'a Control) -> Self {
        let mut blocks = Vec::with_capacity(question.prefix.len());
        let mut block = 0;
        for (place, (quantifier, _)) in question.prefix.iter().enumerate() {
            block += u32::from(place > 0 && question.prefix[place - 1].0 != *quantifier);
            blocks.push(block);
        }
        let points = Points::new(question.certificate, &blocks, question.places);
        let place = |lit: &Lit| question.places[&lit.var()] as u32;
        let mut together: Vec<Vec<u32>> =
            question.clauses.iter().map(|clause| clause.iter().map(place).collect()).collect();
        for small in points.small_functions() {
            together.extend(std::iter::repeat_n(small, FUNCTION));
        }
        let (levels, is_good) = placement(points.len(), &together);
        let (made, functions) = (vec![None; question.certificate.num_nodes()], vec![None; points.len()]);
        let work = if is_good { work } else { work / 64 };
        let diagrams = Diagrams::new(work, control.poller());
        Substitution { question, points, diagrams, levels, made, functions }
    }

    /// The diagram of a clause.
    pub(super) fn clause(&mut self, clause: &[Lit]) -> Result<Diagram, Halt> {
        let place = |lit: &Lit| (self.levels[self.question.places[&lit.var()]], lit.is_positive());
        let mut lits: Vec<(u32, bool)> = clause.iter().map(place).collect();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Ok(Diagram::TRUE);
        }
        self.diagrams.clause(&mut lits)
    }

    /// The diagram of a point's function, which is the signal.
    pub(super) fn function(&mut self, point: usize, signal: Lit) -> Result<Diagram, Halt> {
        if let Some(diagram) = self.functions[point] {
            return Ok(diagram);
        }
        let rank = self.points.rank(point);
        let known = |made: &[Option<Made>], lit: Lit| {
            let Made(diagram, from, to) =
                made[lit.var().index()].filter(|&Made(_, from, to)| from <= rank && rank <= to)?;
            Some(Made(if lit.is_negative() { !diagram } else { diagram }, from, to))
        };
        self.made[Aig::FALSE.var().index()] = Some(Made(Diagram::FALSE, 0, u32::MAX));
        let mut open = vec![signal.var()];
        while let Some(&node) = open.last() {
            if known(&self.made, node.positive()).is_some() {
                open.pop();
                continue;
            }
            let standing = self.points.standing(node);
            let found = if let Some((other, negated)) = standing.filter(|&(other, _)| self.points.rank(other) < rank) {
                let diagram = self.diagrams.clause(&mut [(self.levels[other], true)])?;
                Made(if negated { !diagram } else { diagram }, self.points.rank(other) + 1, u32::MAX)
            } else {
                // Whatever is read by name leaves later, and so it stands for itself.
                let Some([left, right]) = self.question.certificate.operands(node) else { return Err(Halt::TooMuch) };
                match (known(&self.made, left), known(&self.made, right)) {
                    (Some(Made(left, from, to)), Some(Made(right, and_from, and_to))) => {
                        let to = standing.map_or(to, |(other, _)| to.min(self.points.rank(other)));
                        Made(self.diagrams.and(left, right)?, from.max(and_from), to.min(and_to))
                    }
                    (None, _) => {
                        open.push(left.var());
                        continue;
                    }
                    (_, None) => {
                        open.push(right.var());
                        continue;
                    }
                }
            };
            self.made[node.index()] = Some(found);
        }
        let Some(Made(diagram, ..)) = known(&self.made, signal) else { return Err(Halt::TooMuch) };
        self.functions[point] = Some(diagram);
        Ok(diagram)
    }

    /// Whether a clause holds in all assignments that follow.
    fn always_holds(&mut self, clause: &[Lit], order: &[usize]) -> Result<bool, Halt> {
        let mut diagram = self.clause(clause)?;
        let (mut support, _) = self.diagrams.support(diagram)?;
        for &point in order {
            let level = self.levels[point];
            if support.binary_search(&level).is_err() {
                continue;
            }
            if self.diagrams.is_crowded() {
                diagram = self.keep(diagram);
            }
            diagram = match self.points.function(point) {
                Some(signal) => {
                    let function = self.function(point, signal)?;
                    self.diagrams.compose(diagram, level, function)?
                }
                None => self.diagrams.for_all(diagram, level)?,
            };
            (support, _) = self.diagrams.support(diagram)?;
        }
        Ok(diagram == Diagram::TRUE)
    }

    /// Forgets everything but one diagram.
    fn keep(&mut self, diagram: Diagram) -> Diagram {
        self.made.fill(None);
        self.functions.fill(None);
        self.diagrams.keep(diagram)
    }
}

/// Steps for each clause at first.
const FIRST_STEPS: u64 = 300_000;

/// Shows that clauses hold in all assignments that follow, and says of which that is known then; `work` are the steps that it may take.
///
/// # Errors
/// The reason to stop.
pub(super) fn settle(
    question: Question<'_>,
    settled: &mut [bool],
    work: u64,
    control: &Control,
) -> Result<(), StopReason> {
    let mut substitution = Substitution::new(question, work, control);
    let work = substitution.diagrams.work_left();
    let order = substitution.points.order();
    let before = settled.iter().filter(|&&settled| settled).count();
    // All clauses at first, and then what turned out to be hard.
    'all: for steps in [FIRST_STEPS, work] {
        let (mut shown, mut hard) = (0, 0);
        for (clause, settled) in question.clauses.iter().zip(&mut *settled).filter(|(_, settled)| !**settled) {
            if substitution.diagrams.is_crowded() {
                substitution.keep(Diagram::TRUE);
            }
            let done = substitution.diagrams.work();
            substitution.diagrams.limit(work.min(done.saturating_add(steps)));
            match substitution.always_holds(clause, &order) {
                Ok(true) => {
                    *settled = true;
                    shown += 1;
                }
                // A clause that does not hold is for others to tell.
                Ok(false) => break 'all,
                Err(Halt::TooMuch) => hard += 1,
                Err(Halt::Stopped(reason)) => return Err(reason),
            }
            if substitution.diagrams.work() >= work || hard > 4 + shown / 4 {
                break 'all;
            }
        }
    }
    control.log(|| {
        let shown = settled.iter().filter(|&&settled| settled).count() - before;
        let (open, points, steps) = (settled.len() - before, order.len(), substitution.diagrams.work());
        format!("check by diagrams: {shown} of {open} clauses, {points} points, {steps} steps")
    });
    Ok(())
}
