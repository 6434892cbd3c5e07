//! What a conflict teaches: the clause of the first unique implication point (Marques-Silva & Sakallah 1996), shortened
//! by the literals that the others imply (Sörensson & Biere 2009), and the assumptions behind a failure.

use super::Cdcl;
use super::clauses::{ClauseRef, ClauseStore, Reason};
use gamesat_core::formula::{Lit, Var};

/// A falsified clause.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conflict {
    Binary(Lit, Lit),
    Clause(ClauseRef),
}

/// Marks of the analysis under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Analysis {
    seen: Vec<Mark>,
    /// Variables whose mark is to be wiped.
    marked: Vec<Var>,
    /// The learned clause, asserting literal first.
    pub(super) learned: Vec<Lit>,
    stack: Vec<Lit>,
    scratch: Vec<Lit>,
    /// Stamp per decision level, for counting the levels of a clause.
    stamps: Vec<u32>,
    stamp: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mark {
    #[default]
    Clear,
    /// In the learned clause, or resolved away.
    Seen,
    /// Follows from the learned clause's other literals.
    Redundant,
    /// Known not to follow.
    Needed,
}

impl Analysis {
    pub(super) fn add_var(&mut self) {
        self.seen.push(Mark::Clear);
    }

    fn wipe(&mut self) {
        for var in self.marked.drain(..) {
            self.seen[var.index()] = Mark::Clear;
        }
    }

    fn mark(&mut self, var: Var, mark: Mark) {
        if self.seen[var.index()] == Mark::Clear {
            self.marked.push(var);
        }
        self.seen[var.index()] = mark;
    }
}

/// The false literals that make a literal with this reason true.
pub(super) fn antecedents(store: &ClauseStore, reason: Reason) -> impl Iterator<Item = Lit> + '_ {
    let (one, many) = match reason {
        Reason::Decision => (None, &[][..]),
        Reason::Binary(other) => (Some(other), &[][..]),
        Reason::Clause(clause) => (None, &store.lits(clause)[1..]),
    };
    one.into_iter().chain(many.iter().copied())
}

impl Cdcl {
    /// Resolves the conflict back to the first unique implication point of the current level. Leaves the clause in
    /// `analysis.learned` and returns the level to go back to and the clause's glue.
    pub(super) fn analyse(&mut self, conflict: Conflict) -> (usize, u32) {
        let current = self.level() as u32;
        self.analysis.learned.clear();
        self.analysis.learned.push(Lit::from_code(0)); // place of the asserting literal
        let mut scratch = std::mem::take(&mut self.analysis.scratch);
        scratch.clear();
        match conflict {
            Conflict::Binary(a, b) => scratch.extend([a, b]),
            Conflict::Clause(clause) => {
                self.touch(clause);
                scratch.extend_from_slice(self.store.lits(clause));
            }
        }
        let mut open = 0;
        let mut index = self.trail.len();
        let asserting = loop {
            for &lit in &scratch {
                let var = lit.var();
                let level = self.levels[var.index()];
                if level == 0 || self.analysis.seen[var.index()] != Mark::Clear {
                    continue;
                }
                self.analysis.mark(var, Mark::Seen);
                self.order.bump(var);
                if level == current {
                    open += 1;
                } else {
                    self.analysis.learned.push(lit);
                }
            }
            let lit = loop {
                index -= 1;
                let lit = self.trail[index];
                if self.analysis.seen[lit.var().index()] == Mark::Seen && self.levels[lit.var().index()] == current {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                break lit;
            }
            let reason = self.reasons[lit.var().index()];
            if let Reason::Clause(clause) = reason {
                self.touch(clause);
            }
            scratch.clear();
            scratch.extend(antecedents(&self.store, reason));
        };
        self.analysis.scratch = scratch;
        self.analysis.learned[0] = !asserting;
        self.minimise();
        let learned = &mut self.analysis.learned;
        let mut back = 0;
        if learned.len() > 1 {
            let highest = (1..learned.len()).max_by_key(|&i| self.levels[learned[i].var().index()]).unwrap_or(1);
            learned.swap(1, highest);
            back = self.levels[learned[1].var().index()] as usize;
        }
        self.analysis.wipe();
        self.order.decay();
        let learned = std::mem::take(&mut self.analysis.learned);
        let glue = self.glue_of(&learned);
        self.analysis.learned = learned;
        (back, glue)
    }

    /// A learned clause took part in a conflict: recount its glue if it may have improved.
    fn touch(&mut self, clause: ClauseRef) {
        if self.store.is_learned(clause) && self.store.glue(clause) > 2 {
            let mut lits = std::mem::take(&mut self.analysis.stack);
            lits.clear();
            lits.extend_from_slice(self.store.lits(clause));
            let glue = self.glue_of(&lits);
            self.analysis.stack = lits;
            if glue < self.store.glue(clause) {
                self.store.set_glue(clause, glue);
            }
        }
    }

    /// Number of decision levels among the literals.
    fn glue_of(&mut self, lits: &[Lit]) -> u32 {
        self.analysis.stamp += 1;
        let stamp = self.analysis.stamp;
        if self.analysis.stamps.len() <= self.trail_limits.len() {
            self.analysis.stamps.resize(self.trail_limits.len() + 1, 0);
        }
        let mut glue = 0;
        for lit in lits {
            let level = self.levels[lit.var().index()] as usize;
            if self.analysis.stamps[level] != stamp {
                self.analysis.stamps[level] = stamp;
                glue += 1;
            }
        }
        glue
    }

    /// Drops literals of the learned clause that follow from the others.
    fn minimise(&mut self) {
        let mut learned = std::mem::take(&mut self.analysis.learned);
        // Only levels of the clause can support a redundant literal: a cheap filter, 32 levels to a bit.
        let levels = learned[1..].iter().fold(0u32, |set, lit| set | 1 << (self.levels[lit.var().index()] & 31));
        let mut kept = 1;
        for i in 1..learned.len() {
            if !self.is_redundant(learned[i], levels) {
                learned[kept] = learned[i];
                kept += 1;
            }
        }
        learned.truncate(kept);
        self.analysis.learned = learned;
    }

    /// Whether the (false) literal follows from literals that are marked as seen. Depth-first with its own stack; what it
    /// finds out about inner literals is kept in their marks.
    fn is_redundant(&mut self, lit: Lit, levels: u32) -> bool {
        if self.reasons[lit.var().index()] == Reason::Decision {
            return false;
        }
        let first_mark = self.analysis.marked.len();
        let mut stack = std::mem::take(&mut self.analysis.stack);
        stack.clear();
        stack.push(lit);
        let mut redundant = true;
        'search: while let Some(lit) = stack.pop() {
            for other in antecedents(&self.store, self.reasons[lit.var().index()]) {
                let var = other.var();
                let level = self.levels[var.index()];
                if level == 0 || matches!(self.analysis.seen[var.index()], Mark::Seen | Mark::Redundant) {
                    continue;
                }
                if self.reasons[var.index()] == Reason::Decision
                    || levels & 1 << (level & 31) == 0
                    || self.analysis.seen[var.index()] == Mark::Needed
                {
                    redundant = false;
                    break 'search;
                }
                // Optimistic: undone below if the search fails.
                self.analysis.seen[var.index()] = Mark::Redundant;
                self.analysis.marked.push(var);
                stack.push(other);
            }
        }
        self.analysis.stack = stack;
        if !redundant {
            for i in first_mark..self.analysis.marked.len() {
                let var = self.analysis.marked[i];
                self.analysis.seen[var.index()] = Mark::Needed;
            }
        }
        redundant
    }

    /// The assumptions that made `assumption` false, with itself: they are decisions, found by walking the trail down.
    pub(super) fn analyse_failure(&mut self, assumption: Lit) {
        self.failed.clear();
        self.failed.push(assumption);
        if self.levels[assumption.var().index()] == 0 {
            return;
        }
        self.analysis.mark(assumption.var(), Mark::Seen);
        let start = self.trail_limits[0];
        for index in (start..self.trail.len()).rev() {
            let lit = self.trail[index];
            if self.analysis.seen[lit.var().index()] != Mark::Seen {
                continue;
            }
            let reason = self.reasons[lit.var().index()];
            if reason == Reason::Decision && lit != assumption {
                self.failed.push(lit);
            }
            for other in antecedents(&self.store, reason) {
                if self.levels[other.var().index()] > 0 {
                    self.analysis.mark(other.var(), Mark::Seen);
                }
            }
        }
        self.analysis.wipe();
    }
}
