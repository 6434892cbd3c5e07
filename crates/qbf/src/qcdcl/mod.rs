//! Conflict-driven search for quantified formulas (QCDCL; Zhang & Malik 2002, Giunchiglia, Narizzano and Tacchella 2002,
//! Letz 2002): decide block by block, propagate what either player is forced to do, and learn from every end of a play - a
//! clause if the existential player lost it, a cube if the universal player did.
//!
//! Both kinds are [constraints] of one of the players and go through the same code. The search ends when one
//! of the players is left with a constraint without literals of its own. What remains in it are literals of the winner's
//! outermost block, which the winner makes false to win: while the loser had literals there, reduction could not drop them.
//! Literals of level 0 were left out, but they are forced, so the winner has to make them true in any case; whatever else
//! is in the block does not matter.

mod analyse;
mod axioms;
mod constraints;
mod cover;
mod exchange;
mod forget;
mod functions;
mod lean;
mod plays;
mod propagate;
mod rest;
pub mod session;
mod trace;

use super::choice;
use super::circuit::{Circuit, Needs};
use super::engine::{Answer, Form, Gentler, Missing, Pace, QbfEngine, Wish};
use super::exchange::{Exchange, Member};
use super::matrix::Matrix;
use super::trial::{attempts, patient};
use crate::options::{Functions, QcdclOptions};
use analyse::{Analysis, Lesson};
use axioms::Axioms;
use constraints::{Constraints, Place, Watch};
use exchange::News;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Quantifier, Var};
use gamesat_core::statistics::Statistics;
use gamesat_sat::activity::ActivityOrder;
use lean::Occurrences;
use rest::Luck;
use session::Assumed;
use trace::{Rest, Trace};

const TRUE: i8 = 1;
const FALSE: i8 = -1;
const OPEN: i8 = 0;

/// The engine: it decides every formula and gives everything.
#[derive(Clone, Debug, Default)]
pub struct Qcdcl {
    /// Its switches.
    pub options: QcdclOptions,
}

impl QbfEngine for Qcdcl {
    fn name(&self) -> &'static str {
        "qcdcl"
    }

    fn answers(&self, _: &Matrix, _: Wish) -> bool {
        true
    }

    fn solve(
        &self,
        matrix: &Matrix,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        self.solve_among(matrix, wish, &Exchange::default(), control, statistics)
    }

    fn solve_among(
        &self,
        matrix: &Matrix,
        wish: Wish,
        exchange: &Exchange,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        let wanted = wish.functions != Functions::None;
        if let Some(values) = matrix.refutation() {
            return Ok(Answer::of_constants(matrix, false, &values, wish));
        }
        if matrix.quantifiers.is_empty() {
            return Ok(Answer::of_constants(matrix, true, &vec![false; matrix.original.len()], wish));
        }
        let mut search = Search::new(matrix, &self.options, wanted);
        search.meet(exchange);
        let loser = search.run(control);
        search.report(control, statistics);
        let loser = loser?;
        let verdict = loser == Quantifier::Forall;
        let functions =
            if wanted { search.functions(verdict, control).map_err(Missing::Stopped) } else { Err(Missing::Unwanted) };
        let outer_model =
            if wish.outer_model { matrix.outer_model(verdict, &search.first_move(loser)) } else { Vec::new() };
        Ok(Answer::new(verdict, outer_model, functions))
    }

    /// Small formulas are decided sooner than expansion copies them.
    fn try_gentler(
        &self,
        gentler: &Gentler<'_>,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Option<(Answer, Form)> {
        let length = choice::search_trial(gentler).filter(|_| self.options.gentle_trial)?;
        let form = (gentler.make)(control).ok()?;
        let wish = wish.of(form.reconstruction.keeps_herbrand(), &form.matrix);
        let answer =
            attempts(&[(self, patient(wish, length))], "before elimination", &form.matrix, wish, control, statistics)?;
        Some((answer, form))
    }
}

struct Search<'a> {
    options: QcdclOptions,
    matrix: &'a Matrix,
    /// Who owns each variable, and in which block it is.
    owner: Vec<Quantifier>,
    block: Vec<u32>,
    constraints: Constraints,
    /// By literal: who wants to know when it becomes false.
    watches: Vec<Vec<Watch>>,
    /// Value of each literal.
    values: Vec<i8>,
    /// Literals in the order they became true, and how many of them the propagation has seen.
    trail: Vec<Lit>,
    head: usize,
    /// Where each decision stands on the trail.
    decisions: Vec<usize>,
    /// By variable, as long as it has a value: its decision level, and what forced it.
    levels: Vec<u32>,
    reasons: Vec<Option<Place>>,
    /// The value that each variable had last.
    phases: Vec<bool>,
    /// Number of variables that occur.
    present: usize,
    /// The outermost block that has open variables first.
    order: ActivityOrder,
    analysis: Analysis,
    /// Glue of what was learnt last.
    glue: u32,
    /// Learnt constraints by owner, and how many there may be.
    learnt: [usize; 2],
    learnt_limit: [usize; 2],
    /// Scratch: marks of decision levels, valid if equal to the stamp.
    stamps: Vec<u64>,
    stamp: u64,
    /// Scratch of [`cover`](Self::cover).
    covering: Vec<Lit>,
    is_covering: Vec<bool>,
    uncovered: Vec<(u32, u32)>,
    /// What functions are made of, if they are wanted.
    trace: Option<Trace>,
    /// Literals that are decided first, up to how many decisions that goes, and how much work the search may do.
    assumptions: Vec<Lit>,
    assumed: usize,
    allowance: u64,
    /// Won plays for which nobody looks for circuits, and which are kept.
    brief: u64,
    won: Vec<Vec<Lit>>,
    /// By level, if it is universal and was asked for: the circuit beyond it.
    circuits: Vec<Option<Circuit>>,
    needs: Needs,
    to_cover: Vec<u32>,
    /// How the rest is won beyond the level of the last cover, if functions are wanted and not every clause has its literal.
    rest: Option<Rest>,
    /// How often plays ended early.
    luck: Luck,
    /// By literal: its clauses.
    clauses_of: Occurrences,
    /// What a SAT solver says about the matrix.
    axioms: Axioms,
    /// Others at work on the same formula.
    member: Option<Member>,
    /// Watches and literals looked at: the measure of time.
    work: u64,
    counters: Counters,
}

/// How a play has ended.
enum End {
    /// Every variable has a value: the existential player has won.
    Everything,
    /// The [rest](rest) is won, with this cover.
    Early(Vec<Lit>),
    /// The existential player has lost by an [axiom](axioms).
    Lost,
}

#[derive(Default)]
struct Counters {
    decisions: u64,
    propagations: u64,
    conflicts: u64,
    solutions: u64,
    restarts: u64,
    early_wins: u64,
}

impl<'a> Search<'a> {
    fn new(matrix: &'a Matrix, options: &QcdclOptions, traces: bool) -> Self {
        let vars = matrix.level_of.len();
        let mut search = Search {
            options: options.clone(),
            matrix,
            owner: matrix.original.iter().map(|&(quantifier, _)| quantifier).collect(),
            block: matrix.level_of.clone(),
            constraints: Constraints::default(),
            watches: vec![Vec::new(); 2 * vars],
            values: vec![OPEN; 2 * vars],
            trail: Vec::new(),
            head: 0,
            decisions: Vec::new(),
            levels: vec![0; vars],
            reasons: vec![None; vars],
            phases: matrix.good_values(),
            present: 0,
            order: ActivityOrder::new(matrix.level_of.clone()),
            analysis: Analysis::new(vars, matrix.quantifiers.len()),
            glue: 0,
            learnt: [0; 2],
            learnt_limit: [0; 2],
            stamps: vec![0; vars + 1],
            stamp: 0,
            covering: Vec::new(),
            is_covering: vec![false; vars],
            uncovered: Vec::new(),
            trace: traces.then(|| Trace::new(matrix.clauses.len())),
            assumptions: Vec::new(),
            assumed: 0,
            allowance: u64::MAX,
            brief: 0,
            won: Vec::new(),
            circuits: (0..matrix.quantifiers.len()).map(|_| None).collect(),
            needs: Needs::new(vars),
            to_cover: Vec::new(),
            rest: None,
            luck: vec![[0; 3]; matrix.quantifiers.len()],
            clauses_of: if options.active_values { Occurrences::new(matrix) } else { Occurrences::default() },
            axioms: Axioms::new(matrix.quantifiers.len()),
            member: None,
            work: 0,
            counters: Counters::default(),
        };
        search.learnt_limit = [2000 + matrix.clauses.len() / 2; 2];
        for index in (0..vars).filter(|&index| matrix.level_of[index] != Matrix::ABSENT) {
            search.order.insert(Var::from_index(index));
            search.present += 1;
        }
        search
    }

    /// Who loses.
    fn run(&mut self, control: &Control) -> Result<Quantifier, StopReason> {
        if !self.add_clauses()? {
            return Ok(Quantifier::Exists);
        }
        let mut next_look = 0;
        // What SAT calls do is work of this search, which looks at the control for them.
        let unhurried = control.without_turns();
        let mut pace = Pace::default();
        let mut restart_at = self.options.restart_period;
        loop {
            let ends = self.counters.conflicts + self.counters.solutions;
            if self.work >= next_look || control.limits().nodes.is_some() {
                next_look = self.work + LOOK;
                control.progress().set_nodes(ends);
                control.stop_reason(ends).map_or(Ok(()), Err)?;
                if self.work >= self.allowance {
                    return Err(StopReason::Interrupted);
                }
            }
            // 1. What is forced. If the play ends, learn.
            if let Some(failed) = self.propagate() {
                let owner = self.constraints.owner(failed);
                let lits = self.constraints.lits(failed).to_vec();
                self.trace_failed(failed);
                if self.learn(owner, &lits)? {
                    return Ok(owner);
                }
            // 2. What others have found out, before anything is decided.
            } else if let news @ (News::Something | News::Refutation) = self.hear()? {
                if news == News::Refutation {
                    return Ok(Quantifier::Exists);
                }
            // 3. Now and then: forget, and begin anew with what was learnt.
            } else if ends >= restart_at {
                self.counters.restarts += 1;
                restart_at = ends + self.options.restart_period * luby(self.counters.restarts);
                self.return_to(0);
                self.forget(Quantifier::Exists);
                self.forget(Quantifier::Forall);
                if pace.is_due(ends, control) {
                    self.log(control);
                }
            // 4. What is assumed.
            } else if let Some(assumed) = self.assume() {
                if let Assumed::Fails(owner) = assumed {
                    return Ok(owner);
                }
            // 5. A decision; if there is nothing to decide, or no need to, the play has ended.
            } else if let Some(end) = self.decide(&unhurried)? {
                let cover = match end {
                    End::Everything => self.cover(),
                    End::Early(cover) => cover,
                    End::Lost if self.learn_axiom()? => return Ok(Quantifier::Exists),
                    End::Lost => continue,
                };
                self.trace_cover(&cover);
                self.keep_play(&cover);
                let lost = self.learn(Quantifier::Forall, &cover)?;
                self.covering = cover;
                if lost {
                    return Ok(Quantifier::Forall);
                }
            }
        }
    }

    /// Takes over the matrix. False if two clauses of one literal contradict each other.
    fn add_clauses(&mut self) -> Result<bool, StopReason> {
        let matrix = self.matrix;
        for (index, clause) in matrix.clauses.iter().enumerate() {
            match *clause {
                [] => return Ok(false),
                [unit] => match self.values[unit.code()] {
                    OPEN => {
                        self.enqueue(unit, None);
                        self.trace.iter_mut().for_each(|trace| trace.note_fact(unit.var(), index as u32));
                    }
                    FALSE => {
                        self.trace.iter_mut().for_each(|trace| trace.contradict(index as u32, unit.var()));
                        return Ok(false);
                    }
                    _ => {}
                },
                // The last literal is existential and the one before it is no deeper: a proper pair to watch.
                _ => {
                    let place =
                        self.constraints.push(clause, Quantifier::Exists, false, 0).ok_or(StopReason::Memory)?;
                    self.constraints.lits_mut(place).reverse();
                    self.trace.iter_mut().for_each(|trace| trace.name(place, index as u32));
                    self.watch(place);
                }
            }
        }
        Ok(true)
    }

    /// Learns from literals that fail for their owner. True if that player has lost.
    fn learn(&mut self, owner: Quantifier, failed: &[Lit]) -> Result<bool, StopReason> {
        match owner {
            Quantifier::Exists => self.counters.conflicts += 1,
            Quantifier::Forall => self.counters.solutions += 1,
        }
        self.order.decay();
        let lesson = self.analyse(owner, failed);
        self.trace.iter_mut().for_each(Trace::end);
        if self.trace.as_ref().is_some_and(Trace::is_too_long) {
            // The verdict counts for more.
            self.trace = None;
        }
        match lesson {
            Lesson::Lost => Ok(true),
            Lesson::Forced(level) => {
                self.tell(owner);
                self.return_to(level);
                self.keep(owner)?;
                Ok(false)
            }
        }
    }

    /// Decides an open variable of the outermost block that has one, or says how the play has ended.
    fn decide(&mut self, control: &Control) -> Result<Option<End>, StopReason> {
        // What has a value need not be taken out of the order one by one to see that.
        if self.trail.len() == self.present {
            return Ok(Some(End::Everything));
        }
        while let Some(var) = self.order.pop() {
            if self.values[var.positive().code()] == OPEN {
                let block = self.block[var.index()];
                let last = self.decisions.last().map(|&at| self.block[self.trail[at].var().index()]);
                if last.is_none_or(|last| last < block) {
                    let end = match self.cover_early(block) {
                        Some(cover) => Some(End::Early(cover)),
                        None => self.find_axiom(block, control)?.then_some(End::Lost),
                    };
                    if end.is_some() {
                        self.order.insert(var);
                        return Ok(end);
                    }
                }
                self.counters.decisions += 1;
                self.decisions.push(self.trail.len());
                let lit = self.lean(var);
                self.enqueue(lit, None);
                return Ok(None);
            }
        }
        Ok(Some(End::Everything))
    }

    /// Takes back all decisions beyond a level.
    fn return_to(&mut self, level: usize) {
        let Some(&start) = self.decisions.get(level) else { return };
        for lit in self.trail.drain(start..) {
            self.values[lit.code()] = OPEN;
            self.values[(!lit).code()] = OPEN;
            self.phases[lit.var().index()] = lit.is_positive();
            self.order.insert(lit.var());
        }
        self.decisions.truncate(level);
        self.head = self.trail.len();
    }

    /// After the loser has lost: values of all variables, with a winning first move of the winner among them.
    fn first_move(&self, loser: Quantifier) -> Vec<bool> {
        let mut values = self.phases.clone();
        let fixed = self.decisions.first().copied().unwrap_or(self.trail.len());
        let forced = self.trail[..fixed].iter().copied();
        let learnt = self.analysis.learnt.iter().map(|&lit| !lit);
        for lit in learnt.chain(forced).filter(|lit| self.owner[lit.var().index()] != loser) {
            values[lit.var().index()] = lit.is_positive();
        }
        values
    }

    fn log(&self, control: &Control) {
        control.log(|| {
            let Counters { conflicts, solutions, restarts, .. } = self.counters;
            let [clauses, cubes] = self.learnt;
            let seconds = control.elapsed().as_secs_f64();
            format!(
                "qcdcl {conflicts:>9} conflicts {solutions:>9} solutions {clauses:>7} clauses {cubes:>7} cubes {restarts:>6} \
                 restarts {seconds:>7.2} s"
            )
        });
    }

    fn report(&self, control: &Control, statistics: &mut Statistics) {
        self.log(control);
        statistics.add("qcdcl_decisions", self.counters.decisions);
        statistics.add("qcdcl_propagations", self.counters.propagations);
        statistics.add("qcdcl_conflicts", self.counters.conflicts);
        statistics.add("qcdcl_solutions", self.counters.solutions);
        statistics.add("qcdcl_restarts", self.counters.restarts);
        statistics.add("qcdcl_early_wins", self.counters.early_wins);
        statistics.add("qcdcl_axiom_calls", self.axioms.calls);
        statistics.add("qcdcl_axioms", self.axioms.found);
        if let Some(member) = &self.member {
            statistics.add("told_by_qcdcl", member.told);
            statistics.add("heard_by_qcdcl", member.heard);
        }
    }
}

/// Work between two looks at the control.
const LOOK: u64 = 1 << 18;

/// The `n`-th number, from 1, of the sequence 1 1 2 1 1 2 4 ... (Luby, Sinclair and Zuckerman 1993).
fn luby(mut n: u64) -> u64 {
    loop {
        // The next power of two that is beyond n: at its end the sequence has half of it, before it repeats itself.
        let power = (n + 1).next_power_of_two();
        if n + 1 == power {
            return power / 2;
        }
        n -= power / 2 - 1;
    }
}
