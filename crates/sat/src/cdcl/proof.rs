//! Refutations: how the empty clause follows from the clauses that were added, by resolution.
//!
//! Every learned clause is the end of a chain: the clause that was falsified, resolved one after the other with the reasons of
//! literals on the trail, the last first. The chain is read off the trail once the learned clause is known, so that it
//! contains what shortened that clause as well. Literals that level 0 made false are resolved with their unit clauses, and those
//! have chains of their own. A call that fails under assumptions ends with the clause of their negations, a chain from the reason of one of
//! them to decisions.

use super::Cdcl;
use super::analyse::{Conflict, antecedents};
use super::clauses::{ClauseRef, Reason};
use gamesat_core::formula::Lit;
use rustc_hash::FxHashMap;

/// A clause in a [`Proof`]: clauses come after those that they follow from.
pub type Step = u32;

/// Where a clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// It was added, as the clause of this number.
    Added(usize),
    /// It is what is left of the first clause after resolution with others, each with the literal of theirs that goes.
    Resolved(Step, &'a [(Step, Lit)]),
}

/// What a clause begins with.
#[derive(Clone, Copy, Debug)]
enum Start {
    Added(u32),
    Clause(Step),
}

/// A refutation.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// Each clause, and where its links begin.
    steps: Vec<(Start, u32)>,
    links: Vec<(Step, Lit)>,
    /// The empty clause, once it is known.
    last: Option<Step>,
}

impl Proof {
    /// The empty clause, if it was found.
    pub fn empty_clause(&self) -> Option<Step> {
        self.last
    }

    /// Where a clause comes from.
    pub fn origin(&self, step: Step) -> Origin<'_> {
        let (start, begin) = self.steps[step as usize];
        match start {
            Start::Added(number) => Origin::Added(number as usize),
            Start::Clause(first) => {
                let end = self.steps.get(step as usize + 1).map_or(self.links.len(), |&(_, begin)| begin as usize);
                Origin::Resolved(first, &self.links[begin as usize..end])
            }
        }
    }

    fn push(&mut self, start: Start, links: impl IntoIterator<Item = (Step, Lit)>) -> Step {
        self.steps.push((start, self.links.len() as u32));
        self.links.extend(links);
        self.steps.len() as Step - 1
    }
}

/// Resolutions of a proof that is too long for those who want a short one: some forty megabytes.
const TOO_LONG: usize = 5_000_000;

/// The proof under construction, and which of its clauses the solver's are.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    proof: Proof,
    /// How many clauses were added, also those that say nothing.
    pub(super) calls: u32,
    /// The clause that is being stored.
    latest: Step,
    /// By literal, and by place of a clause.
    units: Vec<Option<Step>>,
    binaries: FxHashMap<[Lit; 2], Step>,
    longs: Vec<Step>,
    /// Whether it is given up when it becomes long.
    is_short: bool,
    /// The clause of the assumptions that failed in the last call.
    failed: Option<Step>,
    /// Literals of the trail at level 0 that have their unit clauses.
    fixed: usize,
    /// Scratch: variables of the clause at hand, and of the one that is wanted.
    open: Vec<bool>,
    kept: Vec<bool>,
}

fn pair(a: Lit, b: Lit) -> [Lit; 2] {
    [a.min(b), a.max(b)]
}

impl Log {
    /// The solver stores the latest clause as this unit.
    pub(super) fn store_unit(&mut self, lit: Lit) {
        let latest = self.latest;
        self.unit_mut(lit).get_or_insert(latest);
    }

    /// The solver stores the latest clause as one of two literals.
    pub(super) fn store_binary(&mut self, a: Lit, b: Lit) {
        self.binaries.entry(pair(a, b)).or_insert(self.latest);
    }

    /// The solver stores the latest clause here.
    pub(super) fn store_long(&mut self, clause: ClauseRef) {
        let place = clause.place() as usize;
        if self.longs.len() <= place {
            self.longs.resize(place + 1, 0);
        }
        self.longs[place] = self.latest;
    }

    /// The latest clause is empty.
    pub(super) fn end(&mut self) {
        self.proof.last = Some(self.latest);
    }

    /// Clauses have new places, each pair an old and a new one.
    pub(super) fn relocate(&mut self, moved: impl Iterator<Item = (ClauseRef, ClauseRef)>) {
        let old = std::mem::take(&mut self.longs);
        for (from, to) in moved {
            let place = to.place() as usize;
            self.longs.resize(self.longs.len().max(place + 1), 0);
            self.longs[place] = old[from.place() as usize];
        }
    }

    fn unit_mut(&mut self, lit: Lit) -> &mut Option<Step> {
        self.units.resize(self.units.len().max(lit.code() + 1), None);
        &mut self.units[lit.code()]
    }

    /// The unit clause of a literal that is true at level 0.
    fn unit(&self, lit: Lit) -> Step {
        self.units[lit.code()].expect("a literal of level 0 has its unit clause")
    }

    fn long(&self, clause: ClauseRef) -> Step {
        self.longs[clause.place() as usize]
    }

    /// Itself, unless it is too long.
    fn kept(self: Box<Self>) -> Option<Box<Self>> {
        (!self.is_short || self.proof.links.len() <= TOO_LONG).then_some(self)
    }

    /// The proof, and how many clauses were added.
    pub(super) fn into_proof(self) -> (Proof, usize) {
        (self.proof, self.calls as usize)
    }

    fn reason(&self, lit: Lit, reason: Reason) -> Step {
        match reason {
            Reason::Decision => self.unit(lit),
            Reason::Binary(other) => self.binaries[&pair(lit, other)],
            Reason::Clause(clause) => self.long(clause),
        }
    }
}

impl Cdcl {
    /// A solver that writes down a proof, but gives it up when that becomes long.
    pub fn with_short_proof() -> Self {
        Cdcl { log: Some(Box::new(Log { is_short: true, ..Log::default() })), ..Cdcl::new() }
    }

    /// A solver that writes down a proof.
    pub fn with_proof() -> Self {
        Cdcl { log: Some(Box::default()), ..Cdcl::new() }
    }

    /// The proof so far, if one is written down; it is a refutation once a call has found the clauses unsatisfiable.
    pub fn proof(&self) -> Option<&Proof> {
        self.log.as_ref().map(|log| &log.proof)
    }

    /// The clause of the negations of [`failed`](crate::SatBackend::failed) assumptions, if a proof is written down and the last call
    /// found no model: it follows from the clauses that were added. There is none if an assumption and its negation were assumed.
    pub fn failed_clause(&self) -> Option<Step> {
        let log = self.log.as_ref()?;
        if self.contradiction { log.proof.last } else { log.failed }
    }

    /// Nothing has failed yet.
    pub(super) fn log_call(&mut self) {
        self.log.iter_mut().for_each(|log| log.failed = None);
    }

    /// A clause was added, of which these literals are false at level 0 and left out.
    pub(super) fn log_added(&mut self, left_out: &[Lit]) {
        let Some(mut log) = self.log.take() else { return };
        log.latest = log.proof.push(Start::Added(log.calls - 1), []);
        if !left_out.is_empty() {
            self.log_fixed(&mut log);
            let links: Vec<(Step, Lit)> = left_out.iter().map(|&lit| (log.unit(!lit), !lit)).collect();
            log.latest = log.proof.push(Start::Clause(log.latest), links);
        }
        self.log = log.kept();
    }

    /// Gives every literal of level 0 its unit clause.
    fn log_fixed(&self, log: &mut Log) {
        let end = self.trail_limits.first().copied().unwrap_or(self.trail.len());
        for &lit in &self.trail[log.fixed..end] {
            let reason = self.reasons[lit.var().index()];
            if reason != Reason::Decision {
                let others = antecedents(&self.store, reason);
                let links: Vec<(Step, Lit)> = others.map(|other| (log.unit(!other), !other)).collect();
                let unit = log.proof.push(Start::Clause(log.reason(lit, reason)), links);
                *log.unit_mut(lit) = Some(unit);
            }
        }
        log.fixed = end;
    }

    /// The reasons of level 0 are going to be forgotten.
    pub(super) fn log_all_fixed(&mut self) {
        let Some(mut log) = self.log.take() else { return };
        self.log_fixed(&mut log);
        self.log = Some(log);
    }

    /// The clause that a conflict has taught, or the empty one if it is at level 0.
    pub(super) fn log_learned(&mut self, conflict: Conflict, ends: bool) {
        let Some(mut log) = self.log.take() else { return };
        let learned: &[Lit] = if ends { &[] } else { &self.analysis.learned };
        self.log_fixed(&mut log);
        let (first, lits) = match &conflict {
            Conflict::Binary(a, b) => (log.binaries[&pair(*a, *b)], vec![*a, *b]),
            Conflict::Clause(clause) => (log.long(*clause), self.store.lits(*clause).to_vec()),
        };
        log.kept.resize(self.levels.len(), false);
        learned.iter().for_each(|lit| log.kept[lit.var().index()] = true);
        let links = self.links(&mut log, lits.into_iter());
        learned.iter().for_each(|lit| log.kept[lit.var().index()] = false);
        log.latest = log.proof.push(Start::Clause(first), links);
        if ends {
            log.end();
        }
        self.log = log.kept();
    }

    /// The clause that says which assumptions cannot hold together: the reason of the negation of one, resolved until only decisions are
    /// left, which are assumptions.
    pub(super) fn log_failure(&mut self, assumption: Lit) {
        let Some(mut log) = self.log.take() else { return };
        self.log_fixed(&mut log);
        log.kept.resize(self.levels.len(), false);
        let (var, reason) = (assumption.var().index(), self.reasons[assumption.var().index()]);
        log.failed = if self.levels[var] == 0 {
            log.units.get((!assumption).code()).copied().flatten()
        } else if reason == Reason::Decision {
            // Its negation was assumed, too: this is no matter of clauses.
            None
        } else {
            let first = log.reason(!assumption, reason);
            let links = self.links(&mut log, antecedents(&self.store, reason));
            Some(if links.is_empty() { first } else { log.proof.push(Start::Clause(first), links) })
        };
        self.log = log.kept();
    }

    /// What a clause with these false literals is resolved with, one after the other, until only literals are left that are kept, and decisions.
    fn links(&self, log: &mut Log, lits: impl Iterator<Item = Lit>) -> Vec<(Step, Lit)> {
        log.open.resize(self.levels.len(), false);
        let (mut links, mut fixed, mut count) = (Vec::new(), Vec::new(), 0);
        let meet = |log: &mut Log, lit: Lit, fixed: &mut Vec<Lit>| {
            let var = lit.var().index();
            let is_decided = self.levels[var] > 0 && self.reasons[var] == Reason::Decision;
            if is_decided || log.kept[var] || std::mem::replace(&mut log.open[var], true) {
                return 0;
            }
            if self.levels[var] == 0 {
                fixed.push(!lit);
                return 0;
            }
            1
        };
        lits.for_each(|lit| count += meet(log, lit, &mut fixed));
        for &lit in self.trail.iter().rev() {
            if count == 0 {
                break;
            }
            let var = lit.var().index();
            if !log.open[var] || self.levels[var] == 0 {
                continue;
            }
            count -= 1;
            log.open[var] = false;
            let reason = self.reasons[var];
            links.push((log.reason(lit, reason), lit));
            antecedents(&self.store, reason).for_each(|other| count += meet(log, other, &mut fixed));
        }
        for lit in fixed {
            log.open[lit.var().index()] = false;
            links.push((log.unit(lit), lit));
        }
        links
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SatBackend;
    use gamesat_core::control::Control;
    use gamesat_core::formula::Var;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeSet;

    /// The literals of all clauses of a proof, which have to be the resolvents that their chains say.
    fn follow(proof: &Proof, clauses: &[Vec<Lit>], round: usize) -> Vec<BTreeSet<Lit>> {
        let mut lits: Vec<BTreeSet<Lit>> = Vec::new();
        for step in 0..proof.steps.len() as Step {
            lits.push(match proof.origin(step) {
                Origin::Added(number) => clauses[number].iter().copied().collect(),
                Origin::Resolved(first, links) => {
                    let mut left = lits[first as usize].clone();
                    for &(other, lit) in links {
                        assert!(left.remove(&!lit), "round {round}: {lit} is not there to go");
                        let other = &lits[other as usize];
                        assert!(other.contains(&lit), "round {round}: {lit} is not in the other clause");
                        left.extend(other.iter().filter(|&&other| other != lit));
                    }
                    left
                }
            });
        }
        lits
    }

    fn random_clause(rng: &mut ChaCha8Rng, vars: usize, length: usize) -> Vec<Lit> {
        (0..length).map(|_| Var::from_index(rng.random_range(0..vars)).lit(rng.random())).collect()
    }

    /// Random formulas, easy and hard ones: every clause of a refutation is the resolvent that its chain says.
    #[test]
    fn refutations_are_resolution() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut refuted, mut longest) = (0, 0);
        for round in 0..400 {
            // Some are so hard that clauses are forgotten.
            let vars = if round % 200 == 0 { 200 } else { rng.random_range(2..40) };
            let mut solver = Cdcl::with_proof();
            (0..vars).for_each(|_| {
                solver.new_var();
            });
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            for _ in 0..vars * 5 {
                let length = if round % 200 == 0 { 3 } else { [1, 2, 2, 3, 3, 3, 3, 4][rng.random_range(0..8)] };
                clauses.push(random_clause(&mut rng, vars, length));
                solver.add_clause(clauses.last().unwrap());
                if rng.random_ratio(1, 50) && solver.solve(&[], &Control::default()) == Ok(false) {
                    break;
                }
            }
            let found = solver.solve(&[], &Control::default()).unwrap();
            let proof = solver.proof().unwrap();
            assert_eq!(proof.empty_clause().is_none(), found);
            let Some(last) = proof.empty_clause() else { continue };
            refuted += 1;
            longest = longest.max(solver.conflicts());
            assert!(follow(proof, &clauses, round)[last as usize].is_empty(), "round {round}");
        }
        assert!(refuted > 200 && longest > 5_000, "{refuted} {longest}");
    }

    /// Random formulas under random assumptions, while clauses are added: what has failed is a clause that follows.
    #[test]
    fn what_fails_is_resolution() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let (mut failures, mut contradictory, mut fixed, mut longest) = (0, 0, 0, 0);
        for round in 0..300 {
            let vars = if round % 100 == 0 { 200 } else { rng.random_range(2..40) };
            let mut solver = Cdcl::with_proof();
            (0..vars).for_each(|_| {
                solver.new_var();
            });
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            let mut failed: Vec<(Step, BTreeSet<Lit>)> = Vec::new();
            for _ in 0..vars * 5 {
                let length = if round % 100 == 0 { 3 } else { [1, 2, 3, 3, 3, 3, 4, 5][rng.random_range(0..8)] };
                clauses.push(random_clause(&mut rng, vars, length));
                solver.add_clause(clauses.last().unwrap());
                if !rng.random_ratio(1, 8) {
                    continue;
                }
                let length = rng.random_range(0..8);
                let assumptions = random_clause(&mut rng, vars, length);
                let found = solver.solve(&assumptions, &Control::default()).unwrap();
                let negated: BTreeSet<Lit> = solver.failed().iter().map(|&lit| !lit).collect();
                match solver.failed_clause() {
                    None if found => {}
                    None => {
                        contradictory += 1;
                        assert!(negated.iter().any(|&lit| negated.contains(&!lit)), "round {round}");
                    }
                    Some(step) => {
                        assert!(!found, "round {round}");
                        assert!(negated.iter().all(|&lit| assumptions.contains(&!lit)), "round {round}");
                        fixed += u32::from(negated.len() == 1);
                        failed.push((step, negated));
                    }
                }
            }
            longest = longest.max(solver.conflicts());
            failures += failed.len();
            let lits = follow(solver.proof().unwrap(), &clauses, round);
            assert!(failed.iter().all(|(step, negated)| lits[*step as usize] == *negated), "round {round}");
        }
        assert!(failures > 1_500 && longest > 3_000, "{failures} {longest}");
        assert!(contradictory > 10 && fixed > 100, "{contradictory} {fixed}");
    }
}
