//! What a search writes down so that [functions](super::functions) can be made of it: of every constraint that was learnt, what
//! it began with and what it was resolved with.
//!
//! Literals are not written down, since the derivation can be repeated without them. Only the literals of a [cover](super::cover)
//! are, all of them: also those that cost the search nothing because reduction drops them at once, for they say how the
//! existential player wins.
//!
//! Where a win rests on a [circuit](super::super::circuit), not all clauses have such a literal. Then the literals up to its level are
//! written down, and what is picked beyond it: all else follows.
//!
//! An [axiom](super::axioms) of the SAT solver is written down with its literals, too, and without its derivation: whatever makes it
//! false makes the matrix false.
//!
//! A search leaves out literals of level 0. In a derivation they are resolved away: each by its *fact*, the constraint that
//! forced it when nothing had been decided.

use super::constraints::Place;
use super::{Search, TRUE};
use gamesat_core::formula::{Lit, Quantifier, Var};
use rustc_hash::FxHashMap;

/// A constraint by its number: those of the matrix first, then the learnt ones in order.
pub(super) type Id = u32;

/// Instead of a number: what fixed the variable at level 0.
const FACT: Id = Id::MAX;
/// Instead of a number: the literals follow.
const GIVEN: Id = Id::MAX - 1;
/// The same, and how the rest is won.
const WON: Id = Id::MAX - 2;

/// More words than this are too many to make functions of.
const MAX_WORDS: usize = 1 << 27;

/// The derivations of all learnt constraints.
#[derive(Debug)]
pub(super) struct Trace {
    /// Clauses of the matrix.
    clauses: usize,
    /// Whether something was derived from an axiom.
    has_axioms: bool,
    words: Vec<u32>,
    /// Where the derivation of each learnt constraint ends.
    ends: Vec<usize>,
    /// The numbers of the constraints that the search has.
    ids: FxHashMap<Place, Id>,
    /// By variable: the constraint that fixed it at level 0, as far as the search has forgotten it.
    facts: FxHashMap<Var, Id>,
}

/// What a derivation begins with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start<'a> {
    /// A constraint.
    Known(Id),
    /// The codes of the literals of an axiom, or of those that are the negation of a cube.
    Given(&'a [u32]),
    /// The same of a cube up to a level, and what is picked beyond it.
    Won(usize, &'a [u32], &'a [u32]),
}

/// How a play is won beyond a level, once it has come so far.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    pub(super) level: usize,
    /// What is picked; everything else follows.
    pub(super) picked: Vec<Lit>,
}

/// A step of a derivation: the variable that is resolved away, and with what; `None` if by its fact.
pub(super) type Step = (Var, Option<Id>);

impl Trace {
    pub(super) fn new(clauses: usize) -> Self {
        Trace {
            clauses,
            has_axioms: false,
            words: Vec::new(),
            ends: Vec::new(),
            ids: FxHashMap::default(),
            facts: FxHashMap::default(),
        }
    }

    /// The index of the clause of the matrix, if it is one.
    pub(super) fn clause(&self, id: Id) -> Option<usize> {
        ((id as usize) < self.clauses).then_some(id as usize)
    }

    pub(super) fn name(&mut self, place: Place, id: Id) {
        self.ids.insert(place, id);
    }

    pub(super) fn id(&self, place: Place) -> Id {
        self.ids[&place]
    }

    /// What fixes a variable at level 0.
    pub(super) fn note_fact(&mut self, var: Var, id: Id) {
        self.facts.insert(var, id);
    }

    pub(super) fn begin(&mut self, place: Place) {
        self.words.push(self.id(place));
    }

    /// Writes down that a clause of the matrix contradicts what fixed its only literal.
    pub(super) fn contradict(&mut self, id: Id, var: Var) {
        self.words.push(id);
        self.resolve_fact(var);
        self.end();
    }

    fn begin_cover(&mut self, cover: &[Lit]) {
        self.words.extend([GIVEN, cover.len() as u32]);
        self.words.extend(cover.iter().map(|lit| lit.code() as u32));
    }

    fn begin_rest(&mut self, cover: &[Lit], rest: &Rest) {
        self.words.extend([WON, cover.len() as u32, rest.picked.len() as u32, rest.level as u32]);
        self.words.extend(cover.iter().chain(&rest.picked).map(|lit| lit.code() as u32));
    }

    pub(super) fn begin_axiom(&mut self, axiom: &[Lit]) {
        self.has_axioms = true;
        self.begin_cover(axiom);
    }

    pub(super) fn has_axioms(&self) -> bool {
        self.has_axioms
    }

    pub(super) fn resolve(&mut self, var: Var, reason: Place) {
        self.words.extend([var.index() as u32, self.ids[&reason]]);
    }

    pub(super) fn resolve_fact(&mut self, var: Var) {
        self.words.extend([var.index() as u32, FACT]);
    }

    /// Ends a derivation.
    pub(super) fn end(&mut self) {
        self.ends.push(self.words.len());
    }

    /// What was derived last.
    pub(super) fn last(&self) -> Id {
        (self.clauses + self.ends.len() - 1) as Id
    }

    pub(super) fn is_too_long(&self) -> bool {
        self.words.len() > MAX_WORDS
    }

    /// The constraints have moved; some are gone.
    pub(super) fn rename(&mut self, moved_to: impl Fn(Place) -> Option<Place>) {
        let ids = std::mem::take(&mut self.ids);
        self.ids = ids.into_iter().filter_map(|(place, id)| Some((moved_to(place)?, id))).collect();
    }

    /// How a learnt constraint was derived.
    pub(super) fn derivation(&self, id: Id) -> (Start<'_>, impl Iterator<Item = Step> + '_) {
        let index = id as usize - self.clauses;
        let from = if index == 0 { 0 } else { self.ends[index - 1] };
        let words = &self.words[from..self.ends[index]];
        let (start, steps) = match words[0] {
            GIVEN => {
                let (given, steps) = words[2..].split_at(words[1] as usize);
                (Start::Given(given), steps)
            }
            WON => {
                let [covering, picked, level] = [words[1], words[2], words[3]].map(|word| word as usize);
                let (cover, words) = words[4..].split_at(covering);
                let (picked, steps) = words.split_at(picked);
                (Start::Won(level, cover, picked), steps)
            }
            id => (Start::Known(id), &words[1..]),
        };
        let step = |pair: &[u32]| (Var::from_index(pair[0] as usize), (pair[1] != FACT).then_some(pair[1]));
        (start, steps.chunks_exact(2).map(step))
    }
}

impl Search<'_> {
    /// What fixed a variable at level 0.
    pub(super) fn fact(&self, trace: &Trace, var: Var) -> Option<Id> {
        trace.facts.get(&var).copied().or_else(|| Some(trace.id(self.reasons[var.index()]?)))
    }

    /// Writes down that constraints are to be learnt from this one.
    pub(super) fn trace_failed(&mut self, failed: Place) {
        self.trace.iter_mut().for_each(|trace| trace.begin(failed));
    }

    /// Keeps how the play is won beyond a level, if functions are wanted.
    pub(super) fn note_rest(&mut self, level: usize) {
        if self.trace.is_some() {
            self.rest = Some(Rest { level, picked: self.needs.picked().to_vec() });
        }
    }

    /// Writes down a cover with a true literal for every clause that needs one.
    pub(super) fn trace_cover(&mut self, cover: &[Lit]) {
        if self.trace.is_none() {
            return;
        }
        let rest = self.rest.take();
        let chosen = match &rest {
            Some(rest) => self.complete_before(cover, rest),
            None => self.complete(cover),
        };
        let Some(trace) = &mut self.trace else { return };
        match &rest {
            Some(rest) => trace.begin_rest(&chosen, rest),
            None => trace.begin_cover(&chosen),
        }
        for lit in chosen {
            if self.levels[lit.var().index()] == 0 && self.owner[lit.var().index()] == Quantifier::Forall {
                trace.resolve_fact(lit.var());
            }
        }
    }

    /// A cover with a true literal up to the level for every clause that the rest needs and nothing that is picked satisfies.
    fn complete_before(&mut self, cover: &[Lit], rest: &Rest) -> Vec<Lit> {
        let Some(circuit) = self.circuits[rest.level].take() else { return self.complete(cover) };
        rest.picked.iter().for_each(|lit| self.is_covering[lit.var().index()] = true);
        let chosen = self.completed(cover, circuit.needed(&rest.picked), rest.level);
        rest.picked.iter().for_each(|lit| self.is_covering[lit.var().index()] = false);
        self.circuits[rest.level] = Some(circuit);
        chosen
    }

    /// A cover with a true literal for every clause.
    pub(super) fn complete(&mut self, cover: &[Lit]) -> Vec<Lit> {
        self.completed(cover, 0..self.matrix.clauses.len() as u32, usize::MAX)
    }

    /// A cover with a true literal up to a level for each of these clauses: those it has, then inner ones of the existential player, and if
    /// need be one of level 0.
    fn completed(&mut self, cover: &[Lit], clauses: impl Iterator<Item = u32>, level: usize) -> Vec<Lit> {
        let mut chosen: Vec<Lit> = cover.to_vec();
        let universal = cover.iter().filter(|lit| self.owner[lit.var().index()] == Quantifier::Forall);
        let deepest = universal.map(|lit| self.block[lit.var().index()]).max().unwrap_or(0);
        chosen.iter().for_each(|lit| self.is_covering[lit.var().index()] = true);
        for clause in clauses.map(|index| &self.matrix.clauses[index as usize]) {
            let is_true = |lit: &&Lit| self.values[lit.code()] == TRUE;
            if clause.iter().filter(is_true).any(|lit| self.is_covering[lit.var().index()]) {
                continue;
            }
            let rank = |lit: &&Lit| {
                let index = lit.var().index();
                let existential = self.owner[index] == Quantifier::Exists;
                (existential && self.block[index] > deepest, self.levels[index] == 0, existential)
            };
            let is_before = |lit: &&Lit| self.block[lit.var().index()] as usize <= level;
            if let Some(&lit) = clause.iter().filter(is_true).filter(is_before).max_by_key(rank) {
                self.is_covering[lit.var().index()] = true;
                chosen.push(!lit);
            }
        }
        chosen.iter().for_each(|lit| self.is_covering[lit.var().index()] = false);
        chosen
    }

    /// Writes down that literals of these variables were left out, each because of its reason: the one that became false last
    /// first, since a reason has only what became false before.
    pub(super) fn trace_dropped(&mut self, mut dropped: Vec<Var>) {
        let Some(trace) = self.trace.as_mut().filter(|_| !dropped.is_empty()) else { return };
        dropped.sort_unstable();
        let mut left = dropped.len();
        for var in self.trail.iter().rev().map(|lit| lit.var()) {
            if left == 0 {
                break;
            }
            if dropped.binary_search(&var).is_err() {
                continue;
            }
            left -= 1;
            let Some(reason) = self.reasons[var.index()] else { continue };
            trace.resolve(var, reason);
            for lit in self.constraints.lits(reason) {
                let other = lit.var();
                if self.levels[other.index()] == 0 && self.owner[other.index()] == self.owner[var.index()] {
                    trace.resolve_fact(other);
                }
            }
        }
    }

    /// Keeps what fixed the variables of level 0, before the search forgets it.
    pub(super) fn trace_facts(&mut self, fixed: usize) {
        let Some(trace) = &mut self.trace else { return };
        for lit in &self.trail[..fixed] {
            if let Some(reason) = self.reasons[lit.var().index()] {
                let id = trace.id(reason);
                trace.note_fact(lit.var(), id);
            }
        }
    }
}
