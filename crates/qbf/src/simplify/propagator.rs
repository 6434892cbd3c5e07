//! A unit propagator of its own for techniques that try assumptions: watched literals on a copy of the clauses.
//!
//! It knows the prefix. A clause is *unit* under an assignment if one existential literal is open and every open
//! universal literal is to the right of it; it is *false* if no existential literal is open: what is left would be
//! reduced. Variables at levels up to [`Propagator::abstraction`] are all treated as existential.
//!
//! Each clause watches two open literals, of which one may be a universal literal to the left of the other. Universal
//! literals beyond the abstraction are never assigned, so they never wake a clause.

use super::store::{ClauseId, Simplifier};
use gamesat_core::formula::Lit;

/// Index of a clause in the copy.
pub(super) type Row = u32;

pub(super) struct Propagator {
    lits: Vec<Lit>,
    starts: Vec<u32>,
    /// Where each row came from.
    pub(super) sources: Vec<ClauseId>,
    /// Per literal, the rows that watch it, each with another literal of the row: if that is true, the row can wait.
    watches: Vec<Vec<(Row, Lit)>>,
    /// Per literal.
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
    head: usize,
    levels: Vec<u32>,
    exists: Vec<bool>,
    /// Variables at levels up to this one count as existential.
    pub(super) abstraction: u32,
    /// A row to be left out, for a test of itself.
    pub(super) ignored: Option<Row>,
    /// Rows that are left out for good.
    removed: Vec<bool>,
    pub(super) effort: u64,
}

/// A clause all of whose literals are false.
pub(super) struct Conflict;

/// What a row says under the current values.
enum RowState {
    /// Two open literals to watch.
    Open(usize, usize),
    Unit(Lit),
    Satisfied,
    False,
}

impl Propagator {
    /// Copies the formula. An error if it is false by propagation alone.
    pub(super) fn new(s: &Simplifier<'_>, abstraction: u32) -> Result<Self, Conflict> {
        let codes = 2 * s.num_vars();
        let mut propagator = Propagator {
            lits: Vec::with_capacity(s.num_lits()),
            starts: vec![0],
            sources: Vec::with_capacity(s.num_clauses()),
            watches: vec![Vec::new(); codes],
            values: vec![None; codes],
            trail: Vec::new(),
            head: 0,
            levels: s.all_vars().map(|var| s.level(var)).collect(),
            exists: s.all_vars().map(|var| s.exists(var)).collect(),
            abstraction,
            ignored: None,
            removed: vec![false; s.num_clauses()],
            effort: 0,
        };
        for id in s.live_clause_ids() {
            let row = propagator.sources.len() as Row;
            propagator.lits.extend_from_slice(s.clause(id));
            propagator.starts.push(propagator.lits.len() as u32);
            propagator.sources.push(id);
            propagator.watch_initially(row)?;
        }
        propagator.propagate()?;
        Ok(propagator)
    }

    fn watch_initially(&mut self, row: Row) -> Result<(), Conflict> {
        match self.state(row) {
            RowState::Open(a, b) => {
                self.put_in_front(row, a, b);
                let start = self.starts[row as usize] as usize;
                let (a, b) = (self.lits[start], self.lits[start + 1]);
                self.watches[a.code()].push((row, b));
                self.watches[b.code()].push((row, a));
                Ok(())
            }
            RowState::Unit(lit) => self.assume(lit),
            RowState::Satisfied => Ok(()),
            RowState::False => Err(Conflict),
        }
    }

    /// Leaves out a row from now on. Nothing may have followed from it that is still on the trail.
    pub(super) fn remove_row(&mut self, row: Row) {
        self.removed[row as usize] = true;
    }

    pub(super) fn num_rows(&self) -> usize {
        self.sources.len()
    }

    #[inline]
    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.code()]
    }

    /// The literals made true so far, in order.
    pub(super) fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// Makes a literal true without looking at the clauses yet.
    pub(super) fn assume(&mut self, lit: Lit) -> Result<(), Conflict> {
        match self.value(lit) {
            Some(true) => Ok(()),
            Some(false) => Err(Conflict),
            None => {
                self.values[lit.code()] = Some(true);
                self.values[(!lit).code()] = Some(false);
                self.trail.push(lit);
                Ok(())
            }
        }
    }

    /// Takes back everything after the first `length` literals of the trail.
    pub(super) fn backtrack(&mut self, length: usize) {
        for lit in self.trail.drain(length..) {
            self.values[lit.code()] = None;
            self.values[(!lit).code()] = None;
        }
        self.head = length;
    }

    /// Follows all implications.
    pub(super) fn propagate(&mut self) -> Result<(), Conflict> {
        while self.head < self.trail.len() {
            let false_lit = !self.trail[self.head];
            self.head += 1;
            let mut list = std::mem::take(&mut self.watches[false_lit.code()]);
            let mut kept = 0;
            let mut result = Ok(());
            for index in 0..list.len() {
                let (row, blocker) = list[index];
                self.effort += 1;
                if result.is_err() || self.value(blocker) == Some(true) || self.ignored == Some(row) {
                    list[kept] = list[index];
                    kept += 1;
                    continue;
                }
                if self.removed[row as usize] {
                    continue;
                }
                match self.state(row) {
                    RowState::Open(a, b) => {
                        self.rewatch(row, a, b, false_lit);
                        // The row left this list, unless its new watches still need it, which they do not: false_lit
                        // is false and watches are open.
                    }
                    RowState::Satisfied => {
                        list[kept] = (row, blocker);
                        kept += 1;
                    }
                    RowState::Unit(lit) => {
                        list[kept] = (row, lit);
                        kept += 1;
                        result = self.assume(lit);
                    }
                    RowState::False => {
                        list[kept] = (row, blocker);
                        kept += 1;
                        result = Err(Conflict);
                    }
                }
            }
            list.truncate(kept);
            self.watches[false_lit.code()] = list;
            if result.is_err() {
                self.head = self.trail.len();
                return result;
            }
        }
        Ok(())
    }

    /// What the row says under the current values, with places of literals to watch.
    fn state(&mut self, row: Row) -> RowState {
        let (mut first, mut second, mut outer_universal) = (None, None, None::<(usize, u32)>);
        let (start, end) = (self.starts[row as usize] as usize, self.starts[row as usize + 1] as usize);
        for place in start..end {
            let lit = self.lits[place];
            self.effort += 1;
            match self.value(lit) {
                Some(true) => return RowState::Satisfied,
                Some(false) => continue,
                None => {}
            }
            let var = lit.var().index();
            if self.exists[var] || self.levels[var] <= self.abstraction {
                if first.is_none() {
                    first = Some(place);
                } else {
                    second = Some(place);
                    break;
                }
            } else if outer_universal.is_none_or(|(_, level)| self.levels[var] < level) {
                outer_universal = Some((place, self.levels[var]));
            }
        }
        match (first, second, outer_universal) {
            (Some(a), Some(b), _) => RowState::Open(a, b),
            (Some(a), None, Some((b, level))) if level < self.levels[self.lits[a].var().index()] => {
                RowState::Open(a, b)
            }
            (Some(a), None, _) => RowState::Unit(self.lits[a]),
            (None, ..) => RowState::False,
        }
    }

    /// Brings the literals at two places to the front of the row.
    fn put_in_front(&mut self, row: Row, a: usize, b: usize) {
        let start = self.starts[row as usize] as usize;
        self.lits.swap(start, a);
        let b = if b == start { a } else { b };
        self.lits.swap(start + 1, b);
    }

    /// Replaces the watches of a row, one of which was `old` and is being dropped by the caller.
    fn rewatch(&mut self, row: Row, a: usize, b: usize, old: Lit) {
        let start = self.starts[row as usize] as usize;
        let other = if self.lits[start] == old { self.lits[start + 1] } else { self.lits[start] };
        let (new_a, new_b) = (self.lits[a], self.lits[b]);
        self.put_in_front(row, a, b);
        if other != new_a && other != new_b {
            // Both watches move: the row also leaves the list of the other old one.
            let list = &mut self.watches[other.code()];
            if let Some(place) = list.iter().position(|&(r, _)| r == row) {
                list.swap_remove(place);
            }
        }
        for (lit, blocker) in [(new_a, new_b), (new_b, new_a)] {
            if lit != other {
                self.watches[lit.code()].push((row, blocker));
            }
        }
    }
}
