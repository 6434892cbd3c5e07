//! The formula while it is being simplified.
//!
//! Clauses are ranges of one flat vector of literals. A removed clause is a tombstone; a strengthened one shrinks in
//! place. Occurrence lists may name tombstones, but `counts` is exact, so a list whose length differs from its count is
//! cleaned when somebody wants to read it. Variables are numbered densely; `level` is the number of the variable's block,
//! 0 being outermost, and only the order of levels matters between two calls of [`Simplifier::renumber_levels`].
//!
//! Invariants between any two calls of the methods below (with the respective techniques on):
//! * clauses are sorted, without repeated or complementary literals, universally reduced, and have at least two literals;
//! * no clause contains an assigned variable once [`Simplifier::propagate`](super::propagate) has run.

use super::super::matrix;
use super::reconstruction::Reconstruction;
use crate::options::{Functions, SimplifyOptions};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Qbf, Quantifier, Var};

/// Why a technique ends before it is through.
#[derive(Debug)]
pub(super) enum Halt {
    /// The truth of the formula is known.
    Decided(bool),
    /// The effort allotted to the technique is used up.
    Budget,
    /// A limit of the whole run, or an interrupt.
    Stop(StopReason),
}

/// The index of a clause, valid until the next [`Simplifier::collect_garbage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ClauseId(u32);

impl ClauseId {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy)]
struct Header {
    start: u32,
    len: u32,
    /// One bit per literal, hashed: a clause can only be contained in another if its bits are.
    signature: u64,
    live: bool,
    /// Whether the clause waits for the subsumption check.
    queued: bool,
}

/// What became of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// May occur.
    Active,
    /// Has a value; occurrences are being removed.
    Assigned(bool),
    /// Occurs no more: eliminated, substituted, expanded or never used.
    Gone,
}

#[derive(Clone, Copy)]
struct VarData {
    level: u32,
    exists: bool,
    state: State,
    /// The clock when a clause with this variable last came or went.
    touched: u32,
}

/// The formula, and the books about it.
#[derive(Clone)]
pub(super) struct Simplifier<'a> {
    pub(super) options: &'a SimplifyOptions,
    control: &'a Control,
    lits: Vec<Lit>,
    headers: Vec<Header>,
    occurrences: Vec<Vec<ClauseId>>,
    counts: Vec<u32>,
    vars: Vec<VarData>,
    live_clauses: usize,
    live_lits: usize,
    /// Assigned literals whose clauses are not yet updated.
    pub(super) pending: Vec<Lit>,
    /// Variables of which one literal lost its last occurrence.
    pub(super) thinned: Vec<Var>,
    /// Clauses to be checked for what they subsume.
    pub(super) fresh: Vec<ClauseId>,
    marks: Vec<u32>,
    mark: u32,
    /// Ticks once per technique run.
    pub(super) clock: u32,
    pub(super) reconstruction: Reconstruction,
    pub(super) effort: u64,
    /// Literals of the formula as it was read.
    pub(super) loaded_lits: usize,
    budget: u64,
    /// Clauses and literals that went so far.
    strikes: u64,
    /// Effort and strikes when the patience with the technique was last renewed.
    renewed: (u64, u64),
    next_poll: u64,
    scratch: Vec<Lit>,
}

/// Effort between two looks at the clock.
const POLL_PERIOD: u64 = 200_000;
/// A formula with more literals than this does not fit into a cache, so that the same effort takes far longer. There a
/// technique goes on only as long as ...
pub(super) const LARGE: usize = 500_000;
/// ... within every period of so much effort ...
const PATIENCE: u64 = 2_000_000;
/// ... so many clauses and literals go.
const LEAST_STRIKES: u64 = 200;

impl<'a> Simplifier<'a> {
    /// Takes over a formula whose variables are numbered densely in prefix order.
    pub(super) fn new(qbf: &Qbf, options: &'a SimplifyOptions, control: &'a Control) -> Self {
        let mut vars = Vec::with_capacity(qbf.prefix().vars().len());
        for (level, block) in qbf.prefix().blocks().enumerate() {
            let exists = block.quantifier == Quantifier::Exists;
            vars.extend(block.vars.iter().map(|_| VarData {
                level: level as u32,
                exists,
                state: State::Active,
                touched: 1,
            }));
        }
        let codes = 2 * vars.len();
        Simplifier {
            options,
            control,
            lits: Vec::with_capacity(qbf.matrix().num_lits()),
            headers: Vec::with_capacity(qbf.matrix().len()),
            occurrences: vec![Vec::new(); codes],
            counts: vec![0; codes],
            vars,
            live_clauses: 0,
            live_lits: 0,
            pending: Vec::new(),
            thinned: Vec::new(),
            fresh: Vec::new(),
            marks: vec![0; codes],
            mark: 0,
            clock: 1,
            reconstruction: Reconstruction::new(qbf),
            effort: 0,
            loaded_lits: 0,
            budget: options.effort,
            strikes: 0,
            renewed: (0, 0),
            next_poll: 0,
            scratch: Vec::new(),
        }
    }

    // ----- limits -----

    /// Counts effort. To be called where the formula is consistent, because the caller passes the error on.
    ///
    /// # Errors
    /// The budget of the technique is used up, or the run is to stop.
    #[inline]
    pub(super) fn work(&mut self, effort: usize) -> Result<(), Halt> {
        self.effort += effort as u64 + 1;
        if self.effort < self.next_poll && self.effort < self.budget {
            return Ok(());
        }
        self.check_limits()
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Halt> {
        if let Some(reason) = self.control.stop_reason(0) {
            return Err(Halt::Stop(reason));
        }
        self.control.progress().set_nodes(self.effort);
        self.next_poll = self.effort + POLL_PERIOD;
        if self.effort >= self.budget || self.is_idle() { Err(Halt::Budget) } else { Ok(()) }
    }

    /// Whether the technique is not worth its time on a large formula.
    fn is_idle(&mut self) -> bool {
        let (effort, strikes) = self.renewed;
        if self.live_lits < LARGE || self.effort - effort < PATIENCE {
            return false;
        }
        self.renewed = (self.effort, self.strikes);
        self.strikes - strikes < LEAST_STRIKES
    }

    /// Looks at the limits of the run now and then, but not at the budget of the technique.
    ///
    /// # Errors
    /// The run is to stop.
    #[inline]
    pub(super) fn poll(&mut self) -> Result<(), Halt> {
        if self.effort < self.next_poll {
            return Ok(());
        }
        match self.check_limits() {
            Err(Halt::Budget) => Ok(()),
            other => other,
        }
    }

    /// Lets the next technique spend this much.
    pub(super) fn allot(&mut self, effort: u64) {
        self.budget = self.effort.saturating_add(effort);
        self.renewed = (self.effort, self.strikes);
    }

    // ----- variables -----

    pub(super) fn num_vars(&self) -> usize {
        self.vars.len()
    }

    pub(super) fn all_vars(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.vars.len()).map(Var::from_index)
    }

    #[inline]
    pub(super) fn level(&self, var: Var) -> u32 {
        self.vars[var.index()].level
    }

    #[inline]
    pub(super) fn exists(&self, var: Var) -> bool {
        self.vars[var.index()].exists
    }

    #[inline]
    pub(super) fn is_active(&self, var: Var) -> bool {
        self.vars[var.index()].state == State::Active
    }

    /// Whether the variable is neither assigned nor gone, and some clause contains it.
    pub(super) fn occurs(&self, var: Var) -> bool {
        self.is_active(var) && self.count(var.positive()) + self.count(var.negative()) > 0
    }

    /// Number of universal variables that occur.
    pub(super) fn num_universals(&self) -> usize {
        self.all_vars().filter(|&var| !self.exists(var) && self.occurs(var)).count()
    }

    /// Whether a clause with this variable came or went since the clock showed `time`.
    pub(super) fn touched_since(&self, var: Var, time: u32) -> bool {
        self.vars[var.index()].touched >= time
    }

    pub(super) fn touch(&mut self, var: Var) {
        self.vars[var.index()].touched = self.clock;
    }

    /// The value of an assigned literal.
    #[inline]
    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        match self.vars[lit.var().index()].state {
            State::Assigned(value) => Some(value == lit.is_positive()),
            _ => None,
        }
    }

    /// The control of the run, for solvers a technique calls.
    /// The same with other options and another control.
    pub(super) fn under<'b>(&self, options: &'b SimplifyOptions, control: &'b Control) -> Simplifier<'b>
    where
        'a: 'b,
    {
        Simplifier { options, control, ..self.clone() }
    }

    pub(super) fn control(&self) -> &'a Control {
        self.control
    }

    /// A new variable at the level of an old one.
    pub(super) fn copy_var(&mut self, var: Var) -> Var {
        let copy = Var::from_index(self.vars.len());
        let VarData { level, exists, .. } = self.vars[var.index()];
        self.vars.push(VarData { level, exists, state: State::Active, touched: self.clock });
        for _ in 0..2 {
            self.occurrences.push(Vec::new());
            self.counts.push(0);
            self.marks.push(0);
        }
        copy
    }

    /// Moves a variable to another block.
    pub(super) fn set_level(&mut self, var: Var, level: u32) {
        self.vars[var.index()].level = level;
    }

    /// The variable occurs no more and needs no value, or one that the reconstruction knows.
    pub(super) fn set_gone(&mut self, var: Var) {
        debug_assert!(self.count(var.positive()) + self.count(var.negative()) == 0);
        self.vars[var.index()].state = State::Gone;
    }

    /// Whether the reconstruction wants to hear about this variable.
    pub(super) fn records(&self, var: Var) -> bool {
        self.options.functions != Functions::None || self.level(var) == 0
    }

    /// Notes that `lit` has to be true if the part of the clause that is chosen no later than it is false. `lit` itself
    /// and its negation are left out. So are literals whose value is known but has not reached the clauses yet: on the way
    /// back their turn comes later.
    pub(super) fn record_unless(&mut self, lit: Lit, clause: &[Lit]) {
        let level = self.level(lit.var());
        let is_outer = |other: &&Lit| other.var() != lit.var() && self.level(other.var()) <= level;
        if self.records(lit.var()) && !clause.iter().filter(is_outer).any(|&other| self.value(other) == Some(true)) {
            let outer = clause.iter().filter(is_outer).copied().filter(|&other| self.value(other).is_none());
            let outer: Vec<Lit> = outer.collect();
            self.reconstruction.unless(lit, outer);
        }
    }

    pub(super) fn record_assign(&mut self, lit: Lit) {
        if self.records(lit.var()) {
            self.reconstruction.assign(lit);
        }
    }

    pub(super) fn record_equal(&mut self, var: Var, lit: Lit) {
        if self.records(var) {
            self.reconstruction.equal(var, lit);
        }
    }

    /// Notes that `var` has the value of `copy` where the universal variable `u` is true.
    pub(super) fn record_select(&mut self, var: Var, u: Var, copy: Var) {
        if self.records(var) {
            self.reconstruction.select(var, u, copy);
        }
    }

    /// Makes a literal true; [`propagate`](super::propagate) updates the clauses later. Records nothing about universal
    /// duties: that is the caller's affair.
    ///
    /// # Errors
    /// The literal is already false.
    pub(super) fn assign(&mut self, lit: Lit) -> Result<(), Halt> {
        match self.value(lit) {
            Some(true) => Ok(()),
            Some(false) => Err(Halt::Decided(false)),
            None => {
                debug_assert!(self.is_active(lit.var()));
                if self.exists(lit.var()) {
                    self.mention(true, &[lit]);
                    self.mention(false, &[lit]);
                }
                self.record_assign(lit);
                self.vars[lit.var().index()].state = State::Assigned(lit.is_positive());
                self.pending.push(lit);
                Ok(())
            }
        }
    }

    /// Drops empty levels, merges neighbours with the same quantifier and numbers the levels from 0. Returns how many
    /// there are.
    pub(super) fn renumber_levels(&mut self) -> usize {
        let levels = self.vars.iter().map(|var| var.level as usize + 1).max().unwrap_or(0);
        // Which quantifier lives at a level, if any variable does.
        let mut quantifiers: Vec<Option<bool>> = vec![None; levels];
        for index in 0..self.vars.len() {
            if self.occurs(Var::from_index(index)) {
                quantifiers[self.vars[index].level as usize] = Some(self.vars[index].exists);
            }
        }
        let mut numbers = vec![0; levels];
        let (mut number, mut last) = (0, None);
        for (level, quantifier) in quantifiers.iter().enumerate() {
            if quantifier.is_some() && last.is_some() && *quantifier != last {
                number += 1;
            }
            last = quantifier.or(last);
            numbers[level] = number;
        }
        for var in &mut self.vars {
            var.level = numbers[var.level as usize];
        }
        if last.is_some() { number as usize + 1 } else { 0 }
    }

    // ----- clauses -----

    /// Number of clauses.
    pub(super) fn num_clauses(&self) -> usize {
        self.live_clauses
    }

    /// Number of literals in all clauses together.
    pub(super) fn num_lits(&self) -> usize {
        self.live_lits
    }

    #[inline]
    pub(super) fn is_live(&self, id: ClauseId) -> bool {
        self.headers[id.index()].live
    }

    /// The literals of a clause, sorted.
    #[inline]
    pub(super) fn clause(&self, id: ClauseId) -> &[Lit] {
        let header = &self.headers[id.index()];
        &self.lits[header.start as usize..(header.start + header.len) as usize]
    }

    #[inline]
    pub(super) fn signature(&self, id: ClauseId) -> u64 {
        self.headers[id.index()].signature
    }

    /// All clauses that are there now, tombstones included.
    pub(super) fn clause_ids(&self) -> impl Iterator<Item = ClauseId> + use<> {
        (0..self.headers.len() as u32).map(ClauseId)
    }

    /// The clauses that are there now.
    pub(super) fn live_clause_ids(&self) -> impl Iterator<Item = ClauseId> + '_ {
        self.clause_ids().filter(|&id| self.is_live(id))
    }

    /// In how many clauses the literal occurs.
    #[inline]
    pub(super) fn count(&self, lit: Lit) -> usize {
        self.counts[lit.code()] as usize
    }

    /// The clauses that contain the literal.
    pub(super) fn clauses_of(&mut self, lit: Lit) -> &[ClauseId] {
        self.clean(lit);
        &self.occurrences[lit.code()]
    }

    /// The clauses that contain the literal, to be read while nothing changes the formula; the list must be
    /// [cleaned](Self::clean).
    #[inline]
    pub(super) fn cleaned_clauses_of(&self, lit: Lit) -> &[ClauseId] {
        debug_assert_eq!(self.occurrences[lit.code()].len(), self.count(lit));
        &self.occurrences[lit.code()]
    }

    /// The entry at a place of an occurrence list, which may be a tombstone; for loops that change the formula.
    #[inline]
    pub(super) fn occurrence(&self, lit: Lit, place: usize) -> Option<ClauseId> {
        self.occurrences[lit.code()].get(place).copied()
    }

    /// Drops tombstones from an occurrence list.
    #[inline]
    pub(super) fn clean(&mut self, lit: Lit) {
        let code = lit.code();
        if self.occurrences[code].len() != self.counts[code] as usize {
            let headers = &self.headers;
            self.occurrences[code].retain(|id| headers[id.index()].live);
            debug_assert_eq!(self.occurrences[code].len(), self.counts[code] as usize);
        }
    }

    /// The occurrence list itself, emptied: for callers that are about to remove all its clauses or literals.
    pub(super) fn take_occurrences(&mut self, lit: Lit) -> Vec<ClauseId> {
        self.clean(lit);
        std::mem::take(&mut self.occurrences[lit.code()])
    }

    /// Puts a clause back into the list of a literal that it still contains.
    pub(super) fn relist(&mut self, id: ClauseId, lit: Lit) {
        self.occurrences[lit.code()].push(id);
    }

    /// Adds a clause: sorted, without assigned variables, reduced. A tautology is not added, a unit is assigned instead.
    ///
    /// # Errors
    /// The clause is false.
    pub(super) fn add_clause(&mut self, clause: &[Lit]) -> Result<Option<ClauseId>, Halt> {
        let mut lits = std::mem::take(&mut self.scratch);
        lits.clear();
        lits.extend_from_slice(clause);
        let result = self.add_normalised(&mut lits);
        self.scratch = lits;
        result
    }

    fn add_normalised(&mut self, lits: &mut Vec<Lit>) -> Result<Option<ClauseId>, Halt> {
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) || lits.iter().any(|&lit| self.value(lit) == Some(true)) {
            return Ok(None);
        }
        lits.retain(|&lit| self.value(lit).is_none());
        if self.options.universal_reduction {
            self.reduce(lits);
        }
        if lits.is_empty() {
            return Err(Halt::Decided(false));
        }
        if let [unit] = lits[..]
            && self.options.unit_propagation
            && self.exists(unit.var())
        {
            self.assign(unit)?;
            return Ok(None);
        }
        let start = u32::try_from(self.lits.len()).expect("clause store overflow");
        let id = ClauseId(self.headers.len() as u32);
        self.lits.extend_from_slice(lits);
        self.headers.push(Header {
            start,
            len: lits.len() as u32,
            signature: signature(lits),
            live: true,
            queued: true,
        });
        self.fresh.push(id);
        self.live_clauses += 1;
        self.live_lits += lits.len();
        self.note(true, id);
        for &lit in lits.iter() {
            self.occurrences[lit.code()].push(id);
            self.counts[lit.code()] += 1;
            self.touch(lit.var());
        }
        Ok(Some(id))
    }

    /// A clause of the store is there from now on, or until now.
    pub(super) fn note(&mut self, came: bool, id: ClauseId) {
        if self.options.functions != Functions::None {
            let Header { start, len, .. } = self.headers[id.index()];
            self.reconstruction.live(came, &self.lits[start as usize..(start + len) as usize]);
        }
    }

    /// A clause that is not in the store is there for some time, on paper only.
    pub(super) fn mention(&mut self, came: bool, clause: &[Lit]) {
        if self.options.functions != Functions::None {
            let mut clause = clause.to_vec();
            clause.sort_unstable();
            self.reconstruction.live(came, &clause);
        }
    }

    /// Universal reduction of a clause that is not in the store.
    fn reduce(&mut self, lits: &mut Vec<Lit>) {
        let dropped = self.reducible(lits);
        if dropped.is_empty() {
            return;
        }
        for (index, &lit) in dropped.iter().enumerate() {
            if self.records(lit.var()) {
                // One after the other, innermost first: the clause at this point is what is kept and what follows.
                let rest: Vec<Lit> = lits.iter().copied().filter(|l| !dropped[..=index].contains(l)).collect();
                self.record_unless(!lit, &rest);
            }
        }
        let depth = self.existential_depth(lits);
        lits.retain(|lit| self.exists(lit.var()) || depth.is_some_and(|depth| self.level(lit.var()) <= depth));
    }

    /// The universal literals to the right of every existential literal of a clause, innermost first.
    fn reducible(&self, lits: &[Lit]) -> Vec<Lit> {
        let depth = self.existential_depth(lits);
        let droppable = |lit: &Lit| !self.exists(lit.var()) && depth.is_none_or(|depth| self.level(lit.var()) > depth);
        let mut found: Vec<Lit> = lits.iter().copied().filter(droppable).collect();
        found.sort_by_key(|lit| std::cmp::Reverse(self.level(lit.var())));
        found
    }

    /// The level of the innermost existential literal, if there is one.
    pub(super) fn existential_depth(&self, lits: &[Lit]) -> Option<u32> {
        matrix::existential_depth(lits, |var| self.exists(var).then(|| self.level(var)))
    }

    /// Removes a clause.
    pub(super) fn remove_clause(&mut self, id: ClauseId) {
        self.note(false, id);
        let header = &mut self.headers[id.index()];
        debug_assert!(header.live);
        header.live = false;
        let range = header.start as usize..(header.start + header.len) as usize;
        self.live_clauses -= 1;
        self.live_lits -= range.len();
        self.strikes += 1;
        for index in range {
            self.forget_occurrence(self.lits[index]);
        }
    }

    /// Books for an occurrence that went.
    fn forget_occurrence(&mut self, lit: Lit) {
        self.counts[lit.code()] -= 1;
        if self.counts[lit.code()] == 0 {
            self.thinned.push(lit.var());
        }
        self.touch(lit.var());
    }

    /// Removes a literal from a clause, reduces what is left, and assigns it if it became a unit.
    ///
    /// # Errors
    /// The clause became empty.
    pub(super) fn strengthen(&mut self, id: ClauseId, lit: Lit) -> Result<(), Halt> {
        self.note(false, id);
        self.unlist(id, lit);
        self.shrink(id, lit);
        self.settle(id)
    }

    /// Removes literals from a clause that are useless only *together*, as the conclusion of one argument. Universal
    /// reduction waits until all of them are gone: what it records of the clause must be what the argument shows, and the
    /// argument may have used a universal literal that an earlier reduction would have taken away.
    ///
    /// # Errors
    /// The clause became empty.
    pub(super) fn strengthen_at_once(&mut self, id: ClauseId, dropped: &[Lit]) -> Result<(), Halt> {
        self.note(false, id);
        for &lit in dropped {
            self.unlist(id, lit);
            self.shrink(id, lit);
        }
        self.settle(id)
    }

    /// Takes a clause out of the list of a literal.
    fn unlist(&mut self, id: ClauseId, lit: Lit) {
        let list = &mut self.occurrences[lit.code()];
        if let Some(place) = list.iter().position(|&other| other == id) {
            list.swap_remove(place);
        }
    }

    /// Like [`strengthen`](Self::strengthen) for a literal whose occurrence list was taken.
    pub(super) fn strengthen_taken(&mut self, id: ClauseId, lit: Lit) -> Result<(), Halt> {
        self.note(false, id);
        self.shrink(id, lit);
        self.settle(id)
    }

    /// Removes the literal from the clause's range.
    fn shrink(&mut self, id: ClauseId, lit: Lit) {
        let Header { start, len, .. } = self.headers[id.index()];
        let range = &mut self.lits[start as usize..(start + len) as usize];
        let place = range.binary_search(&lit).expect("the literal is in the clause");
        range.copy_within(place + 1.., place);
        let header = &mut self.headers[id.index()];
        header.len -= 1;
        self.live_lits -= 1;
        self.strikes += 1;
        self.forget_occurrence(lit);
        // In a long clause the old signature, with a bit too many perhaps, does as well, and neighbours can wait: a clause
        // of a million literals may lose them one by one.
        if len <= 64 {
            let signature = signature(self.clause(id));
            self.headers[id.index()].signature = signature;
            for index in start..start + len - 1 {
                let var = self.lits[index as usize].var();
                self.touch(var);
            }
        }
        self.enqueue(id);
    }

    /// Puts a clause into the queue of the subsumption check.
    pub(super) fn enqueue(&mut self, id: ClauseId) {
        let header = &mut self.headers[id.index()];
        if !header.queued {
            header.queued = true;
            self.fresh.push(id);
        }
    }

    /// Takes the next clause from the queue of the subsumption check.
    pub(super) fn dequeue(&mut self) -> Option<ClauseId> {
        loop {
            let id = self.fresh.pop()?;
            self.headers[id.index()].queued = false;
            if self.is_live(id) {
                return Some(id);
            }
        }
    }

    /// Universal reduction, conflict and unit check of a clause that lost a literal.
    pub(super) fn settle(&mut self, id: ClauseId) -> Result<(), Halt> {
        if self.options.universal_reduction {
            for lit in self.reducible(self.clause(id)) {
                self.unlist(id, lit);
                self.shrink(id, lit);
                if self.records(lit.var()) {
                    let rest = self.clause(id).to_vec();
                    self.record_unless(!lit, &rest);
                }
            }
        }
        self.note(true, id);
        match *self.clause(id) {
            [] => Err(Halt::Decided(false)),
            [unit] if self.options.unit_propagation && self.exists(unit.var()) => self.assign(unit),
            _ => Ok(()),
        }
    }

    // ----- marks -----

    /// Forgets all marks.
    #[inline]
    pub(super) fn clear_marks(&mut self) {
        self.mark += 1;
        if self.mark == u32::MAX {
            self.marks.fill(0);
            self.mark = 1;
        }
    }

    /// Marks a literal; false if it was marked.
    #[inline]
    pub(super) fn set_mark(&mut self, lit: Lit) -> bool {
        let old = std::mem::replace(&mut self.marks[lit.code()], self.mark);
        old != self.mark
    }

    #[inline]
    pub(super) fn is_marked(&self, lit: Lit) -> bool {
        self.marks[lit.code()] == self.mark
    }

    /// Marks exactly the literals of a clause.
    pub(super) fn mark_clause(&mut self, id: ClauseId) {
        self.clear_marks();
        let Header { start, len, .. } = self.headers[id.index()];
        for index in start..start + len {
            let lit = self.lits[index as usize];
            self.set_mark(lit);
        }
    }

    // ----- upkeep -----

    /// Frees the memory of tombstones if there are many. Clause ids change.
    pub(super) fn collect_garbage(&mut self) {
        if self.lits.len() < 2 * self.live_lits + 1000 {
            return;
        }
        let mut lits = Vec::with_capacity(self.live_lits);
        let mut headers = Vec::with_capacity(self.live_clauses);
        self.fresh.clear();
        for list in &mut self.occurrences {
            list.clear();
        }
        for header in self.headers.iter().filter(|header| header.live) {
            let id = ClauseId(headers.len() as u32);
            let start = lits.len() as u32;
            lits.extend_from_slice(&self.lits[header.start as usize..(header.start + header.len) as usize]);
            headers.push(Header { start, ..*header });
            if header.queued {
                self.fresh.push(id);
            }
            for lit in &lits[start as usize..] {
                self.occurrences[lit.code()].push(id);
            }
        }
        self.lits = lits;
        self.headers = headers;
    }
}

/// One bit per literal, hashed.
#[inline]
pub(super) fn signature(lits: &[Lit]) -> u64 {
    lits.iter().fold(0, |bits, lit| bits | lit_signature(*lit))
}

/// The bit of one literal.
#[inline]
pub(super) fn lit_signature(lit: Lit) -> u64 {
    1 << ((lit.code() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}
