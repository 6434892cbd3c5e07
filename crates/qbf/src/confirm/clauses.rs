//! The clauses of a confirmation's first part while it is written, and propagation in them that says why.
//!
//! It is what the judge will do, with a search for the hints: the literals of a clause are assumed to be false, and unit propagation with universal
//! reduction is carried on until some clause is false. A clause can be unit or false only if at most one of its existential literals is not false, which is counted;
//! only then it is looked at. Universal literals beyond the innermost level of the assumptions never get a value.

use gamesat_core::formula::{Lit, Var};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// A clause, numbered from 0.
pub(super) type Number = u32;

#[derive(Clone, Copy)]
struct Variable {
    name: Var,
    exists: bool,
    level: u32,
}

/// Clauses that come and go.
#[derive(Default)]
pub(super) struct Clauses {
    names: FxHashMap<Var, Var>,
    vars: Vec<Variable>,
    lits: Vec<Lit>,
    ranges: Vec<(u32, u32)>,
    is_there: Vec<bool>,
    /// By literal: clauses that had it when they came.
    occurrences: Vec<Vec<Number>>,
    /// By literal: how many of these are gone.
    gone: Vec<u32>,
    /// By content, as far as they are there.
    table: HashTable<Number>,
    /// Clauses that say something without any assumption, some of which are gone.
    units: Vec<Number>,
    /// By clause: existential literals that are not false.
    open: Vec<u32>,
    /// By literal.
    is_false: Vec<bool>,
    /// Literals that were made false, each with its reason; those before `head` have been looked at.
    trail: Vec<(Lit, Option<Number>)>,
    head: usize,
    place: Vec<u32>,
    /// The innermost level of what was assumed.
    innermost: u32,
    /// Work so far.
    pub(super) effort: u64,
    /// By clause: when it went, if it is only still there because nobody knows why; and clauses that went before are not looked at.
    went: Vec<usize>,
    since: usize,
    /// By universal variable: clauses with it, and what is expected; by level: universal variables with any of these.
    uses: Vec<u32>,
    used_levels: Vec<u32>,
    /// Whether a level has lost its last universal variable.
    has_changed: bool,
}

fn hash(lits: &[Lit]) -> u64 {
    let mut hasher = FxHasher::default();
    lits.hash(&mut hasher);
    hasher.finish()
}

impl Clauses {
    pub(super) fn introduce(&mut self, name: Var, exists: bool, level: u32) -> Var {
        let var = Var::from_index(self.vars.len());
        self.names.insert(name, var);
        self.vars.push(Variable { name, exists, level });
        for _ in 0..2 {
            self.occurrences.push(Vec::new());
            self.gone.push(0);
            self.is_false.push(false);
        }
        self.place.push(0);
        self.uses.push(0);
        let levels = self.used_levels.len().max(level as usize + 1);
        self.used_levels.resize(levels, 0);
        var
    }

    /// The own variable of this name.
    pub(super) fn var(&self, name: Var) -> Option<Var> {
        self.names.get(&name).copied()
    }

    pub(super) fn lit(&self, lit: Lit) -> Option<Lit> {
        self.var(lit.var()).map(|var| var.lit(lit.is_positive()))
    }

    /// The literal as it is written.
    pub(super) fn written(&self, lit: Lit) -> i32 {
        self.vars[lit.var().index()].name.lit(lit.is_positive()).to_dimacs()
    }

    pub(super) fn exists(&self, var: Var) -> bool {
        self.vars[var.index()].exists
    }

    pub(super) fn level(&self, var: Var) -> u32 {
        self.vars[var.index()].level
    }

    pub(super) fn set_level(&mut self, var: Var, level: u32) {
        self.vars[var.index()].level = level;
    }

    pub(super) fn vars(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.vars.len()).map(Var::from_index)
    }

    /// Clauses with a universal variable are still to come, or it is going to be expanded: its level is used until then.
    pub(super) fn expect(&mut self, var: Var) {
        self.use_universal(var, 1);
    }

    /// What was expected of a universal variable has happened.
    pub(super) fn expect_no_more(&mut self, var: Var) {
        self.use_universal(var, -1);
    }

    /// Whether universal variables of a level occur, or will.
    pub(super) fn is_level_used(&self, level: u32) -> bool {
        self.used_levels[level as usize] > 0
    }

    /// One more than the innermost level.
    pub(super) fn num_levels(&self) -> u32 {
        self.used_levels.len() as u32
    }

    /// Whether a level has lost its last universal variable since this was asked.
    pub(super) fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    pub(super) fn is_there(&self, number: Number) -> bool {
        self.is_there[number as usize]
    }

    pub(super) fn clause(&self, number: Number) -> &[Lit] {
        let (start, end) = self.ranges[number as usize];
        &self.lits[start as usize..end as usize]
    }

    /// The clause with these literals, sorted.
    pub(super) fn find(&self, lits: &[Lit]) -> Option<Number> {
        self.table.find(hash(lits), |&number| self.clause(number) == lits).copied()
    }

    /// Clauses with a literal.
    pub(super) fn with(&mut self, lit: Lit) -> Vec<Number> {
        let mut list = std::mem::take(&mut self.occurrences[lit.code()]);
        list.retain(|&number| self.is_there[number as usize] && self.clause(number).binary_search(&lit).is_ok());
        self.occurrences[lit.code()].clone_from(&list);
        list
    }

    /// Adds a clause without repeated literals, sorted.
    pub(super) fn add(&mut self, lits: &[Lit]) -> Number {
        let (number, start) = (self.ranges.len() as Number, self.lits.len() as u32);
        self.lits.extend_from_slice(lits);
        self.ranges.push((start, self.lits.len() as u32));
        self.is_there.push(false);
        self.open.push(0);
        self.went.push(usize::MAX);
        lits.iter().for_each(|lit| self.occurrences[lit.code()].push(number));
        self.enter(number);
        number
    }

    /// Books for a clause that is there from now on.
    fn enter(&mut self, number: Number) {
        let (start, end) = self.ranges[number as usize];
        self.is_there[number as usize] = true;
        let mut open = 0;
        for place in start..end {
            let lit = self.lits[place as usize];
            if self.exists(lit.var()) {
                open += 1;
            } else {
                self.use_universal(lit.var(), 1);
            }
        }
        self.open[number as usize] = open;
        let outermost =
            self.clause(number).iter().filter(|lit| !self.exists(lit.var())).map(|lit| self.level(lit.var())).min();
        let own = self.clause(number).iter().find(|lit| self.exists(lit.var())).map(|lit| self.level(lit.var()));
        if open == 0 || (open == 1 && outermost > own) || (open == 1 && outermost.is_none()) {
            self.units.push(number);
        }
        let key = hash(self.clause(number));
        let Clauses { table, ranges, lits, .. } = self;
        table.insert_unique(key, number, |&other| {
            let (start, end) = ranges[other as usize];
            hash(&lits[start as usize..end as usize])
        });
    }

    fn use_universal(&mut self, var: Var, change: i32) {
        let uses = &mut self.uses[var.index()];
        let was = *uses;
        *uses = was.wrapping_add_signed(change);
        let is = *uses;
        let level = self.vars[var.index()].level as usize;
        match (was, is) {
            (0, 1) => self.used_levels[level] += 1,
            (1, 0) => {
                self.used_levels[level] -= 1;
                self.has_changed |= self.used_levels[level] == 0;
            }
            _ => {}
        }
    }

    /// A clause goes.
    pub(super) fn remove(&mut self, number: Number) {
        self.is_there[number as usize] = false;
        let (start, end) = self.ranges[number as usize];
        for place in start..end {
            let lit = self.lits[place as usize];
            self.gone[lit.code()] += 1;
            if !self.exists(lit.var()) {
                self.use_universal(lit.var(), -1);
            }
        }
        if let Ok(entry) = self.table.find_entry(hash(self.clause(number)), |&other| other == number) {
            entry.remove();
        }
    }

    /// A clause that is there loses the literals of a variable.
    pub(super) fn shrink(&mut self, number: Number, var: Var) {
        self.remove(number);
        let (start, end) = self.ranges[number as usize];
        let kept: Vec<Lit> = self.clause(number).iter().copied().filter(|lit| lit.var() != var).collect();
        debug_assert!(kept.len() < (end - start) as usize);
        self.lits[start as usize..start as usize + kept.len()].copy_from_slice(&kept);
        self.ranges[number as usize].1 = start + kept.len() as u32;
        self.enter(number);
    }

    /// A clause that is there is to go since some time.
    pub(super) fn went(&mut self, number: Number, time: usize) {
        self.went[number as usize] = time;
    }

    /// Propagation does not look at clauses that were to go before some time.
    pub(super) fn look_only_at_what_went_after(&mut self, time: usize) {
        self.since = time;
    }

    // ----- propagation -----

    /// Forgets all assumptions but the first so many literals of the trail.
    pub(super) fn backtrack(&mut self, to: usize) {
        while self.trail.len() > to {
            let Some((lit, _)) = self.trail.pop() else { break };
            if self.trail.len() < self.head {
                self.count(lit, 1);
            }
            self.is_false[lit.code()] = false;
        }
        self.head = self.head.min(to);
    }

    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    fn count(&mut self, lit: Lit, change: i32) {
        if self.exists(lit.var()) {
            for index in 0..self.occurrences[lit.code()].len() {
                let number = self.occurrences[lit.code()][index] as usize;
                self.open[number] = self.open[number].wrapping_add_signed(change);
            }
        }
    }

    /// Begins with nothing assumed; universal literals beyond a level will get no values.
    pub(super) fn begin(&mut self, innermost: u32) {
        self.backtrack(0);
        self.innermost = innermost;
    }

    /// The innermost level of some literals.
    pub(super) fn innermost(&self, lits: impl Iterator<Item = Lit>) -> u32 {
        lits.map(|lit| self.level(lit.var())).max().unwrap_or(0)
    }

    /// Assumes that literals are false and propagates, for some steps, without a certain clause. `Some` if that is contradictory: the hints.
    pub(super) fn refute(&mut self, lits: impl Iterator<Item = Lit>, but: Number, steps: u64) -> Option<Vec<Number>> {
        for lit in lits {
            if self.is_false[(!lit).code()] {
                return Some(self.hints(None, Some(!lit)));
            }
            self.falsify(lit, None);
            // Many clauses go because of a value: this spares a look at all others.
            if let Some(unit) = self.find(&[lit]).filter(|&unit| self.is_looked_at(unit, but)) {
                return Some(self.hints(Some(unit), None));
            }
        }
        let most = self.effort + steps;
        if self.head == 0 {
            // What is unit or false without any assumption.
            self.units.retain(|&number| self.is_there[number as usize]);
            for index in 0..self.units.len() {
                if let Err(conflict) = self.visit(self.units[index], but) {
                    return Some(self.hints(Some(conflict), None));
                }
            }
        }
        while self.head < self.trail.len() && self.effort < most {
            let (lit, _) = self.trail[self.head];
            self.head += 1;
            self.tidy(lit);
            self.count(lit, -1);
            self.effort += self.occurrences[lit.code()].len() as u64;
            for index in 0..self.occurrences[lit.code()].len() {
                let number = self.occurrences[lit.code()][index];
                if self.open[number as usize] <= 1
                    && let Err(conflict) = self.visit(number, but)
                {
                    return Some(self.hints(Some(conflict), None));
                }
            }
        }
        None
    }

    /// Forgets clauses with a literal that are gone, if they are many. Nobody counts their literals any more.
    fn tidy(&mut self, lit: Lit) {
        let list = &mut self.occurrences[lit.code()];
        if 4 * self.gone[lit.code()] as usize > list.len() {
            list.retain(|&number| self.is_there[number as usize]);
            self.gone[lit.code()] = 0;
        }
    }

    fn falsify(&mut self, lit: Lit, reason: Option<Number>) {
        if !std::mem::replace(&mut self.is_false[lit.code()], true) {
            self.place[lit.var().index()] = self.trail.len() as u32;
            self.trail.push((lit, reason));
        }
    }

    /// Whether propagation that leaves out one clause looks at another.
    fn is_looked_at(&self, number: Number, but: Number) -> bool {
        number != but && self.is_there[number as usize] && self.went[number as usize] >= self.since
    }

    /// Looks at a clause. An error if it is false.
    fn visit(&mut self, number: Number, but: Number) -> Result<(), Number> {
        if !self.is_looked_at(number, but) {
            return Ok(());
        }
        let (start, end) = self.ranges[number as usize];
        self.effort += u64::from(end - start);
        let (mut open, mut reduced, mut last) = (None, u32::MAX, None);
        for place in start..end {
            let lit = self.lits[place as usize];
            if self.is_false[lit.code()] {
                continue;
            }
            if self.is_false[(!lit).code()] {
                return Ok(());
            }
            let Variable { exists, level, .. } = self.vars[lit.var().index()];
            if !exists && level > self.innermost {
                // Literals are sorted: a tautology is never false.
                if last.replace(lit.var()) == Some(lit.var()) {
                    return Ok(());
                }
                reduced = reduced.min(level);
            } else if open.replace(lit).is_some() {
                return Ok(());
            }
        }
        match open {
            None => Err(number),
            Some(lit) => {
                if self.level(lit.var()) < reduced {
                    self.falsify(!lit, Some(number));
                }
                Ok(())
            }
        }
    }

    /// The clauses behind a conflict, in the order of propagation: of a clause that is false, or of a literal that is false and should not be.
    fn hints(&mut self, conflict: Option<Number>, literal: Option<Lit>) -> Vec<Number> {
        let mut marked = vec![false; self.trail.len()];
        let mark = |clauses: &Clauses, number: Number, marked: &mut [bool]| {
            for lit in clauses.clause(number) {
                if clauses.is_false[lit.code()] {
                    marked[clauses.place[lit.var().index()] as usize] = true;
                }
            }
        };
        if let Some(number) = conflict {
            mark(self, number, &mut marked);
        }
        if let Some(lit) = literal {
            marked[self.place[lit.var().index()] as usize] = true;
        }
        let mut hints: Vec<Number> = conflict.into_iter().collect();
        for place in (0..self.trail.len()).rev() {
            if marked[place]
                && let (lit, Some(reason)) = self.trail[place]
            {
                hints.push(reason);
                for &other in self.clause(reason) {
                    if other != !lit && self.is_false[other.code()] {
                        marked[self.place[other.var().index()] as usize] = true;
                    }
                }
            }
        }
        hints.reverse();
        hints
    }

    /// Variables without a value in clauses with a variable, some of them: candidates for a case distinction.
    pub(super) fn neighbours(&self, var: Var) -> Vec<Var> {
        let mut found: Vec<Var> = Vec::new();
        for lit in [var.positive(), var.negative()] {
            for &number in &self.occurrences[lit.code()] {
                if !self.is_there[number as usize] {
                    continue;
                }
                let is_open = |lit: &&Lit| !self.is_false[lit.code()] && !self.is_false[(!**lit).code()];
                for lit in self.clause(number).iter().filter(is_open) {
                    if !found.contains(&lit.var()) {
                        found.push(lit.var());
                    }
                }
                if found.len() > 8 {
                    return found;
                }
            }
        }
        found
    }
}
