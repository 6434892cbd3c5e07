//! A conflict-driven clause-learning solver made for refinement loops.
//!
//! It is the design of Minisat (Eén & Sörensson 2003) with the later findings that pay (blockers, glue, restarts by glue
//! averages) and one thing that libraries lack: **the trail survives between calls**. An engine that asks ten thousand
//! questions under nearly the same assumptions, adding a clause between two of them, only pays for what changed: a call
//! keeps the decision levels of the assumptions that it shares with the call before, and a clause added in between
//! undoes no more than it must. One assumption is one decision level, in the order given; so the assumptions that
//! change least should come first.

mod analyse;
mod clauses;
mod forget;
mod proof;
mod propagate;
mod restart;

use super::activity::ActivityOrder;
use super::{Capabilities, Effort, SatBackend};
use analyse::{Analysis, Conflict};
use clauses::{ClauseStore, Reason, Watch};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Var};
pub use proof::{Origin, Proof, Step};
use restart::Restart;

const TRUE: i8 = 1;
const FALSE: i8 = -1;
const OPEN: i8 = 0;

/// Ranks of variables in the order of decisions.
const PREFERRED: u32 = 0;
const OTHERS: u32 = 1;

/// Clauses looked at, propagations and conflicts between two looks at the control, counted over calls.
const POLL_INTERVAL: u64 = 1 << 15;

/// An incremental SAT solver.
///
/// ```
/// use gamesat_core::control::Control;
/// use gamesat_sat::{SatBackend, cdcl::Cdcl};
///
/// let mut solver = Cdcl::new();
/// let (a, b) = (solver.new_var(), solver.new_var());
/// solver.add_clause(&[a.positive(), b.positive()]);
/// let control = Control::default();
/// assert!(solver.solve(&[a.negative()], &control)?);
/// assert!(solver.value(b.positive()));
/// assert!(!solver.solve(&[a.negative(), b.negative()], &control)?);
/// assert_eq!(solver.failed().len(), 2);
/// # Ok::<(), gamesat_core::control::StopReason>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cdcl {
    store: ClauseStore,
    /// Clauses that watch a literal, by the literal.
    watches: Vec<Vec<Watch>>,
    /// Value of every literal.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<Reason>,
    /// The value each variable had last.
    phases: Vec<bool>,
    trail: Vec<Lit>,
    /// Where each decision level begins on the trail.
    trail_limits: Vec<usize>,
    /// The part of the trail before this is propagated.
    head: usize,
    /// The assumptions that the first decision levels stand for.
    assumed: Vec<Lit>,
    failed: Vec<Lit>,
    /// Preferred variables first.
    order: ActivityOrder,
    /// The preferred values: if a model is found after every one of these variables got a value, those that have the other
    /// one follow from those that were decided, so that no model makes fewer of them false (Di Rosa, Giunchiglia, Maratea,
    /// "Solving satisfiability problems with preferences", 2010).
    preferences: Vec<Option<bool>>,
    analysis: Analysis,
    restart: Restart,
    learned_clauses: usize,
    learned_limit: usize,
    conflicts: u64,
    propagations: u64,
    /// Clauses looked at during propagation.
    visits: u64,
    visit_limit: Option<u64>,
    next_poll: u64,
    /// The empty clause was derived.
    contradiction: bool,
    /// How everything was derived, if somebody wants to know.
    log: Option<Box<proof::Log>>,
}

impl Default for Cdcl {
    fn default() -> Self {
        Self::new()
    }
}

impl Cdcl {
    /// A solver without variables and clauses.
    pub fn new() -> Self {
        Cdcl {
            store: ClauseStore::default(),
            watches: Vec::new(),
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            phases: Vec::new(),
            trail: Vec::new(),
            trail_limits: Vec::new(),
            head: 0,
            assumed: Vec::new(),
            failed: Vec::new(),
            order: ActivityOrder::new(Vec::new()),
            preferences: Vec::new(),
            analysis: Analysis::default(),
            restart: Restart::default(),
            learned_clauses: 0,
            learned_limit: 3000,
            conflicts: 0,
            propagations: 0,
            visits: 0,
            visit_limit: None,
            next_poll: POLL_INTERVAL,
            contradiction: false,
            log: None,
        }
    }

    /// Conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Literals propagated so far.
    pub fn propagations(&self) -> u64 {
        self.propagations
    }

    /// Clauses looked at during propagation so far: the measure of work that repeats from run to run.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// A call with a conflict limit also ends, as if that were reached, when it has looked at this many clauses.
    pub fn limit_visits(&mut self, visits: Option<u64>) {
        self.visit_limit = visits;
    }

    fn level(&self) -> usize {
        self.trail_limits.len()
    }

    fn backtrack(&mut self, level: usize) {
        if self.level() <= level {
            return;
        }
        let start = self.trail_limits[level];
        for &lit in &self.trail[start..] {
            self.values[lit.code()] = OPEN;
            self.values[(!lit).code()] = OPEN;
            self.phases[lit.var().index()] = lit.is_positive();
            self.order.insert(lit.var());
        }
        self.trail.truncate(start);
        self.trail_limits.truncate(level);
        self.assumed.truncate(level);
        self.head = self.head.min(start);
    }

    fn open_level(&mut self) {
        self.trail_limits.push(self.trail.len());
    }

    /// Stores a clause of at least two literals; the first two are watched.
    fn attach(&mut self, lits: &[Lit], learned: bool, glue: u32) -> Reason {
        if let &[first, second] = lits {
            self.watches[first.code()].push(Watch::binary(second));
            self.watches[second.code()].push(Watch::binary(first));
            self.log.iter_mut().for_each(|log| log.store_binary(first, second));
            return Reason::Binary(second);
        }
        let clause = self.store.push(lits, learned, glue);
        self.learned_clauses += usize::from(learned);
        self.log.iter_mut().for_each(|log| log.store_long(clause));
        self.watches[lits[0].code()].push(Watch::long(clause, lits[1]));
        self.watches[lits[1].code()].push(Watch::long(clause, lits[0]));
        Reason::Clause(clause)
    }

    /// Adds a clause without repetitions and without literals that level 0 decided, at any decision level. Goes back
    /// only as far as is needed for the watches to be right: a watched literal may be false only if the other one is
    /// true at the same or an earlier level.
    fn insert(&mut self, lits: &mut [Lit]) {
        // The best two literals to watch come first: not false, or else false as late as possible.
        let rank = |solver: &Self, lit: Lit| match solver.values[lit.code()] {
            FALSE => solver.levels[lit.var().index()],
            _ => u32::MAX,
        };
        for i in 0..lits.len().min(2) {
            let best = (i..lits.len()).max_by_key(|&j| (rank(self, lits[j]), std::cmp::Reverse(j))).unwrap_or(i);
            lits.swap(i, best);
        }
        match lits.len() {
            0 => {
                self.contradiction = true;
                self.log.iter_mut().for_each(|log| log.end());
            }
            1 => {
                self.backtrack(0);
                self.log.iter_mut().for_each(|log| log.store_unit(lits[0]));
                self.enqueue(lits[0], Reason::Decision);
            }
            _ => {
                let reason = self.attach(lits, false, 0);
                let (first, second) = (rank(self, lits[0]), rank(self, lits[1]));
                if second == u32::MAX {
                    return;
                }
                if first == second {
                    // Both false at one level: before it both are open.
                    self.backtrack(second as usize - 1);
                    return;
                }
                let unit_since = second as usize;
                if self.values[lits[0].code()] != TRUE || self.levels[lits[0].var().index()] > second {
                    self.backtrack(unit_since);
                    self.enqueue(lits[0], reason);
                }
            }
        }
    }

    fn learn(&mut self, glue: u32) {
        let learned = std::mem::take(&mut self.analysis.learned);
        let reason = if let &[unit] = &learned[..] {
            self.log.iter_mut().for_each(|log| log.store_unit(unit));
            Reason::Decision
        } else {
            self.attach(&learned, true, glue)
        };
        self.enqueue(learned[0], reason);
        self.analysis.learned = learned;
        self.restart.learned(glue);
    }

    fn handle(&mut self, conflict: Conflict) {
        self.conflicts += 1;
        let (back, glue) = self.analyse(conflict);
        self.log_learned(conflict, false);
        self.backtrack(back);
        self.learn(glue);
    }

    fn poll(&mut self, control: &Control) -> Result<(), StopReason> {
        let work = self.visits + self.propagations + 64 * self.conflicts;
        if work < self.next_poll {
            return Ok(());
        }
        self.next_poll = work + POLL_INTERVAL;
        control.stop_reason(0).map_or(Ok(()), Err)
    }

    /// The next decision: the next assumption, else the most active open variable at its last value.
    fn decide(&mut self, assumptions: &[Lit]) -> Decision {
        while let Some(&assumption) = assumptions.get(self.level()) {
            match self.values[assumption.code()] {
                FALSE => return Decision::Failed(assumption),
                OPEN => return Decision::Lit(assumption),
                _ => {
                    // Already true: an empty level keeps one level per assumption.
                    self.assumed.push(assumption);
                    self.open_level();
                }
            }
        }
        while let Some(var) = self.order.pop() {
            if self.values[var.positive().code()] == OPEN {
                let value = self.preferences[var.index()].unwrap_or(self.phases[var.index()]);
                return Decision::Lit(var.lit(value));
            }
        }
        Decision::Model
    }

    fn search(
        &mut self,
        assumptions: &[Lit],
        limit: Option<u64>,
        control: &Control,
    ) -> Result<Option<bool>, StopReason> {
        let last_visit = self.visit_limit.filter(|_| limit.is_some()).map(|limit| self.visits.saturating_add(limit));
        let limit = limit.map(|limit| self.conflicts.saturating_add(limit));
        loop {
            // 1. Consequences, and what a conflict teaches.
            if let Some(conflict) = self.propagate() {
                if self.level() == 0 {
                    self.contradiction = true;
                    self.log_learned(conflict, true);
                    return Ok(Some(false));
                }
                self.handle(conflict);
                continue;
            }
            // 2. Stop?
            self.poll(control)?;
            if limit.is_some_and(|limit| self.conflicts >= limit) || last_visit.is_some_and(|last| self.visits > last) {
                return Ok(None);
            }
            // 3. Forget, restart.
            if self.forgetting_is_due() {
                self.forget();
            }
            if self.restart.is_due() && self.level() > assumptions.len() {
                self.restart.restarted();
                self.backtrack(assumptions.len());
            }
            // 4. Decide.
            match self.decide(assumptions) {
                Decision::Model => return Ok(Some(true)),
                Decision::Failed(assumption) => {
                    self.analyse_failure(assumption);
                    self.log_failure(assumption);
                    return Ok(Some(false));
                }
                Decision::Lit(lit) => {
                    if self.level() < assumptions.len() {
                        self.assumed.push(lit);
                    }
                    self.open_level();
                    self.enqueue(lit, Reason::Decision);
                }
            }
        }
    }
}

enum Decision {
    Lit(Lit),
    Failed(Lit),
    Model,
}

impl SatBackend for Cdcl {
    fn effort(&self) -> Effort {
        Effort { conflicts: self.conflicts, restarts: self.restart.restarts() }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { conflict_limit: true, interrupt: true, phases: true, preferences: true }
    }

    fn new_var(&mut self) -> Var {
        let var = Var::from_index(self.levels.len());
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.values.extend([OPEN, OPEN]);
        self.levels.push(0);
        self.reasons.push(Reason::Decision);
        self.phases.push(false);
        self.order.add_var(OTHERS);
        self.preferences.push(None);
        self.analysis.add_var();
        var
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.log.iter_mut().for_each(|log| log.calls += 1);
        if self.contradiction {
            return;
        }
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let fixed = |lit: &Lit| if self.levels[lit.var().index()] == 0 { self.values[lit.code()] } else { OPEN };
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) || lits.iter().any(|lit| fixed(lit) == TRUE) {
            return;
        }
        let left_out: Vec<Lit> = lits.extract_if(.., |lit| fixed(lit) == FALSE).collect();
        self.log_added(&left_out);
        self.insert(&mut lits);
    }

    fn solve_limited(
        &mut self,
        assumptions: &[Lit],
        conflicts: Option<u64>,
        control: &Control,
    ) -> Result<Option<bool>, StopReason> {
        self.failed.clear();
        self.log_call();
        if self.contradiction {
            return Ok(Some(false));
        }
        // Levels beyond the assumptions are decisions, worth keeping only if the assumptions are all the same.
        let common = self.assumed.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        if common < assumptions.len() || common < self.assumed.len() {
            self.backtrack(common);
        }
        self.search(assumptions, conflicts, control)
    }

    fn value(&self, lit: Lit) -> bool {
        self.values[lit.code()] == TRUE
    }

    fn failed(&self) -> &[Lit] {
        &self.failed
    }

    fn failed_clause(&self) -> Option<Step> {
        Cdcl::failed_clause(self)
    }

    fn take_proof(&mut self) -> Option<(Proof, usize)> {
        self.log.take().map(|log| log.into_proof())
    }

    fn set_phase(&mut self, lit: Lit) {
        self.phases[lit.var().index()] = lit.is_positive();
    }

    fn decide_first(&mut self, lit: Lit) {
        // Decisions that were made without this preference would spoil the next model.
        self.backtrack(0);
        self.preferences[lit.var().index()] = Some(lit.is_positive());
        self.order.promote(lit.var(), PREFERRED);
    }
}
