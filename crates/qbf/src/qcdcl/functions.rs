//! From a [trace](super::trace) to the winner's functions.
//!
//! The loser's constraints were derived by resolution and reduction until one without literals was left. The derivation is
//! repeated here, as far as that last constraint needs it, with all literals. Every reduction `C | u -> C` is a rule for
//! the winner: *if `C` is false, make `u` false*; the rules of a variable in the order of the derivation are a decision list, the
//! first one that applies counts (Balabanov & Jiang, "Unified QBF certification and its applications", 2012). Why it wins: in
//! the end some constraint is false, the last one at least. Consider the first in the order of the derivation. It is no
//! resolvent, for one of the two that were resolved would be false before it. If it were reduced, no rule before its own
//! would have applied to the variables that went, so that they are false, and what it was reduced from is false before it. So
//! it is a clause of the matrix, which the existential player has lost, or the negation of a cube that satisfies the matrix, or an
//! [axiom](super::axioms), which follows from the matrix, so that the existential player has lost as well.
//!
//! Long-distance resolution leaves both literals of one of the winner's variables `u` in a constraint. What they mean depends
//! on the pivot `x`, which comes before `u`: as `x` is true only the constraint with `-x` can be false, and its literal of `u`
//! counts; otherwise that of the other. So instead of a sign each literal of the winner has a *phase*, a function of the
//! loser's variables before it (Balabanov, Jiang, Janota and Widl, "Efficient extraction of QBF (counter)models from
//! long-distance resolution proofs", 2015), and the argument above goes through.
//!
//! Wins that rest on a [circuit](super::super::circuit) are [written down](super::trace) up to a level only. There the winner *commits* itself:
//! if the play has come to a level and the cube of such a win holds, what was picked for it is played from then on, and
//! everything else follows, whatever the other player does. As long as it has not committed itself the rules are followed. It does so in
//! the end: by the argument above the negation of some cube is false, and all literals of that cube come no later than its level.
//!
//! A reduction is put off until it must be made: before a resolution that brings in the loser's literals behind the variable,
//! or at the end. Pivots stay before the variable until then, so both literals may meet.

use super::super::matrix::Matrix;
use super::super::signals::Signals;
use super::Search;
use super::trace::{Id, Start, Trace};
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Aig, Lit, Var};
use rustc_hash::FxHashMap;

/// A constraint with everything that belongs to it.
#[derive(Clone, Debug, Default)]
struct Derived {
    /// The loser's literals, sorted.
    own: Vec<Lit>,
    /// The winner's variables, sorted, and the value that makes each of their literals true, as a signal.
    others: Vec<(Var, Lit)>,
}

/// What the winner does if a constraint is false.
struct Rule {
    when: Derived,
    /// Its signal, once somebody asked for it.
    condition: Option<Lit>,
}

/// A win from a level on.
struct Commitment {
    level: usize,
    /// The negation of what has to hold.
    cover: Vec<Lit>,
    picked: Vec<Lit>,
}

/// What the winner plays beyond a level if it has committed itself there.
struct Committed {
    /// Whether it has.
    signal: Lit,
    /// By variable, if it is free.
    values: Vec<Lit>,
}

/// Something to be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Goal {
    Learnt(Id),
    /// The constraint that fixes a variable at level 0, without the loser's other literals.
    Fact(Var),
}

/// The trace is not what it should be.
struct Gap;

struct Replay<'a> {
    search: &'a Search<'a>,
    trace: &'a Trace,
    signals: Signals,
    derived: FxHashMap<Goal, Derived>,
    rules: Vec<Rule>,
    /// By variable of the winner: its rules in order, with the phase of its literal.
    rules_of: Vec<Vec<(usize, Lit)>>,
    /// Clauses of the matrix whose reduction has its rule.
    reduced: Vec<bool>,
    commitments: Vec<Commitment>,
    /// Whether some win has a literal for every clause instead.
    is_complete: bool,
}

impl Search<'_> {
    /// The winner's functions, after the loser has lost.
    ///
    /// # Errors
    /// The reason to stop: the trace was too long, for example.
    pub(super) fn functions(&self, verdict: bool, control: &Control) -> Result<Aig, StopReason> {
        let Some(trace) = &self.trace else { return Err(StopReason::Memory) };
        let mut replay = Replay {
            search: self,
            trace,
            signals: Signals::new(self.matrix, verdict),
            derived: FxHashMap::default(),
            rules: Vec::new(),
            rules_of: vec![Vec::new(); self.owner.len()],
            reduced: vec![false; self.matrix.clauses.len()],
            commitments: Vec::new(),
            is_complete: false,
        };
        if !verdict && trace.has_axioms() {
            replay.reduce_matrix();
        }
        match replay.derive(trace.last(), control)? {
            Ok(()) => replay.follow(control),
            Err(Gap) => Err(StopReason::Contradiction("what qcdcl has learnt cannot be derived again".to_owned())),
        }
    }
}

impl Replay<'_> {
    /// Derives a constraint and all that it needs, what it needs first.
    fn derive(&mut self, last: Id, control: &Control) -> Result<Result<(), Gap>, StopReason> {
        let mut poller = control.poller();
        let mut open = vec![Goal::Learnt(last)];
        let mut missing = Vec::new();
        while let Some(&goal) = open.last() {
            poller.poll(self.derived.len() as u64)?;
            if self.derived.contains_key(&goal) {
                open.pop();
                continue;
            }
            missing.clear();
            let Ok(()) = self.missing(goal, &mut missing) else { return Ok(Err(Gap)) };
            if missing.is_empty() {
                let result = match goal {
                    Goal::Learnt(id) => self.learnt(id),
                    Goal::Fact(var) => self.fact(var),
                };
                let Ok(derived) = result else { return Ok(Err(Gap)) };
                self.derived.insert(goal, derived);
            } else {
                // What goes in circles derives nothing.
                if open.len() > self.rules_of.len() + self.trace.last() as usize + 1 {
                    return Ok(Err(Gap));
                }
                open.append(&mut missing);
            }
        }
        Ok(Ok(()))
    }

    /// What a goal needs that is not there yet.
    fn missing(&self, goal: Goal, into: &mut Vec<Goal>) -> Result<(), Gap> {
        let mut need = |goal: Goal| {
            if !self.derived.contains_key(&goal) {
                into.push(goal);
            }
        };
        let learnt = |id: Id| self.trace.clause(id).is_none().then_some(Goal::Learnt(id));
        match goal {
            Goal::Learnt(id) => {
                let (start, steps) = self.trace.derivation(id);
                if let Start::Known(id) = start {
                    learnt(id).into_iter().for_each(&mut need);
                }
                for (var, reason) in steps {
                    match reason {
                        Some(id) => learnt(id).into_iter().for_each(&mut need),
                        None => need(Goal::Fact(var)),
                    }
                }
            }
            Goal::Fact(var) => {
                let reason = self.search.fact(self.trace, var).ok_or(Gap)?;
                match learnt(reason).filter(|goal| !self.derived.contains_key(goal)) {
                    Some(goal) => need(goal),
                    None => {
                        let own = self.known(reason)?.own;
                        own.iter().filter(|lit| lit.var() != var).for_each(|lit| need(Goal::Fact(lit.var())));
                    }
                }
            }
        }
        Ok(())
    }

    /// A constraint that is there: a clause of the matrix, or one that was derived.
    fn known(&self, id: Id) -> Result<Derived, Gap> {
        match self.trace.clause(id) {
            Some(index) => Ok(self.split(self.search.matrix.clauses[index].iter().copied())),
            None => self.derived.get(&Goal::Learnt(id)).cloned().ok_or(Gap),
        }
    }

    /// Literals by owner.
    fn split(&self, lits: impl Iterator<Item = Lit>) -> Derived {
        let mut derived = Derived::default();
        for lit in lits {
            if self.signals.wins(self.search.owner[lit.var().index()]) {
                derived.others.push((lit.var(), if lit.is_positive() { Aig::TRUE } else { Aig::FALSE }));
            } else {
                derived.own.push(lit);
            }
        }
        derived.own.sort_unstable();
        derived.others.sort_unstable();
        derived
    }

    /// A constraint to work with. A clause of the matrix was reduced when the matrix was made, which is a rule, too.
    fn take(&mut self, id: Id) -> Result<Derived, Gap> {
        let derived = self.known(id)?;
        if let Some(index) = self.trace.clause(id).filter(|&index| !self.reduced[index]) {
            self.reduced[index] = true;
            let matrix = self.search.matrix;
            let gone = self.split(matrix.reduced[index].iter().copied());
            if !gone.others.is_empty() {
                self.rule(derived.clone(), &gone.others);
            }
        }
        Ok(derived)
    }

    /// Makes the rules of all clauses of the matrix, before any other. An axiom that is false makes some clause false as it was
    /// reduced, one that no derivation may need otherwise; so it is the clauses that are false first.
    fn reduce_matrix(&mut self) {
        for id in 0..self.reduced.len() as Id {
            // A clause of the matrix is always there.
            let _ = self.take(id);
        }
    }

    fn rule(&mut self, when: Derived, gone: &[(Var, Lit)]) {
        let rule = self.rules.len();
        gone.iter().for_each(|&(var, phase)| self.rules_of[var.index()].push((rule, phase)));
        self.rules.push(Rule { when, condition: None });
    }

    fn learnt(&mut self, id: Id) -> Result<Derived, Gap> {
        let trace = self.trace;
        let (start, steps) = trace.derivation(id);
        let lits = |codes: &[u32]| codes.iter().map(|&code| Lit::from_code(code as usize)).collect::<Vec<Lit>>();
        let mut derived = match start {
            Start::Known(id) => self.take(id)?,
            Start::Given(codes) => {
                self.is_complete = true;
                self.split(lits(codes).into_iter())
            }
            Start::Won(level, cover, picked) => {
                let (cover, picked) = (lits(cover), lits(picked));
                let derived = self.split(cover.iter().copied());
                self.commitments.push(Commitment { level, cover, picked });
                derived
            }
        };
        for (var, reason) in steps {
            let with = match reason {
                Some(id) => self.take(id)?,
                None if derived.own.iter().all(|lit| lit.var() != var) => continue,
                None => self.derived.get(&Goal::Fact(var)).cloned().ok_or(Gap)?,
            };
            derived = self.resolve(derived, with, var)?;
        }
        self.reduce(&mut derived, usize::MAX);
        Ok(derived)
    }

    fn fact(&mut self, var: Var) -> Result<Derived, Gap> {
        let reason = self.search.fact(self.trace, var).ok_or(Gap)?;
        let mut derived = self.take(reason)?;
        let others: Vec<Var> = derived.own.iter().map(|lit| lit.var()).filter(|&other| other != var).collect();
        for other in others {
            let with = self.derived.get(&Goal::Fact(other)).cloned().ok_or(Gap)?;
            derived = self.resolve(derived, with, other)?;
        }
        self.reduce(&mut derived, usize::MAX);
        Ok(derived)
    }

    /// Drops the winner's variables behind all of the loser's literals, if one of them comes before a place. All of them, since
    /// a rule must not rest on what is behind its variable.
    fn reduce(&mut self, derived: &mut Derived, before: usize) {
        let last = derived.own.last().map_or(0, |lit| lit.var().index() + 1);
        let stay = derived.others.partition_point(|&(var, _)| var.index() < last);
        if derived.others.get(stay).is_some_and(|&(var, _)| var.index() < before) {
            let gone = derived.others.split_off(stay);
            self.rule(derived.clone(), &gone);
        }
    }

    fn resolve(&mut self, mut left: Derived, right: Derived, pivot: Var) -> Result<Derived, Gap> {
        let find = |derived: &Derived| derived.own.iter().position(|lit| lit.var() == pivot);
        let (Some(here), Some(there)) = (find(&left), find(&right)) else { return Err(Gap) };
        let lit = left.own[here];
        if right.own[there] != !lit {
            return Err(Gap);
        }
        let last = right.own.iter().rev().find(|lit| lit.var() != pivot).map_or(0, |lit| lit.var().index());
        self.reduce(&mut left, last);
        let mut own: Vec<Lit> = left.own.iter().chain(&right.own).copied().filter(|lit| lit.var() != pivot).collect();
        own.sort_unstable();
        own.dedup();
        if own.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
            return Err(Gap);
        }
        let input = self.signals.get(lit);
        let mut others = Vec::with_capacity(left.others.len() + right.others.len());
        let (mut a, mut b) = (left.others.iter().peekable(), right.others.iter().peekable());
        loop {
            let next = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(&&one), None) => {
                    a.next();
                    one
                }
                (None, Some(&&other)) => {
                    b.next();
                    other
                }
                (Some(&&one), Some(&&other)) if one.0 == other.0 => {
                    a.next();
                    b.next();
                    if one.1 == other.1 {
                        one
                    } else if pivot < one.0 {
                        // Where the pivot's literal in the left one is true, the right one counts.
                        (one.0, self.signals.aig.select(input, other.1, one.1))
                    } else {
                        return Err(Gap);
                    }
                }
                (Some(&&one), Some(&&other)) if one.0 < other.0 => {
                    a.next();
                    one
                }
                (Some(_), Some(&&other)) => {
                    b.next();
                    other
                }
            };
            others.push(next);
        }
        Ok(Derived { own, others })
    }

    /// Commits the winner to the first of these wins that it can have; to the last in any case, if it has no other choice.
    fn commit(&mut self, wins: &[Commitment], has_to: bool, poller: &mut Poller<'_>) -> Result<Committed, StopReason> {
        let level = wins[0].level;
        let Search { matrix, circuits, .. } = self.search;
        let Some(circuit) = &circuits[level] else {
            return Err(StopReason::Contradiction("a win rests on a circuit that is not there".to_owned()));
        };
        // 1. What is picked: by literal, whether it is.
        let mut picked = vec![Aig::FALSE; 2 * self.rules_of.len()];
        let mut signal = Aig::FALSE;
        let mut holding = Vec::new();
        for (at, win) in wins.iter().enumerate() {
            poller.poll(at as u64)?;
            holding.clear();
            if !(has_to && at + 1 == wins.len()) {
                holding.extend(win.cover.iter().map(|&lit| self.signals.get(!lit)));
            }
            let holds = self.signals.all(&mut holding);
            let chosen = self.signals.aig.and(holds, !signal);
            for lit in &win.picked {
                let picked = &mut picked[lit.code()];
                *picked = self.signals.aig.or(*picked, chosen);
            }
            signal = self.signals.aig.or(signal, holds);
        }
        // 2. What follows. Nobody can know yet what is decided later, but what is picked is known now.
        let value = |values: &[Lit], signals: &Signals, lit: Lit| match circuit.is_free(lit.var()) {
            true if lit.is_negative() => !values[lit.var().index()],
            true => values[lit.var().index()],
            false => signals.get(lit),
        };
        let mut values: Vec<Lit> = picked.iter().step_by(2).copied().collect();
        for (clause, lit) in circuit.saved() {
            poller.poll(clause.into())?;
            let block = |lit: Lit| self.search.block[lit.var().index()];
            holding.clear();
            for &other in matrix.clauses[clause as usize].iter().filter(|&&other| other != lit) {
                if block(other) <= block(lit) {
                    holding.push(value(&values, &self.signals, !other));
                } else {
                    holding.push(!picked[other.code()]);
                }
            }
            let needed = self.signals.all(&mut holding);
            let now = value(&values, &self.signals, lit);
            let now = self.signals.aig.or(now, needed);
            values[lit.var().index()] = if lit.is_negative() { !now } else { now };
        }
        Ok(Committed { signal, values })
    }

    /// The winner's functions by the rules.
    fn follow(mut self, control: &Control) -> Result<Aig, StopReason> {
        let mut poller = control.poller();
        let mut falsified = Vec::new();
        let mut committed: Vec<Committed> = Vec::new();
        self.commitments.sort_by_key(|commitment| commitment.level);
        let mut commitments = std::mem::take(&mut self.commitments).into_iter().peekable();
        for index in 0..self.rules_of.len() {
            // What comes before a level is known: whoever can commits itself.
            let block = self.search.block[index];
            while let Some(first) = commitments.next_if(|next| block != Matrix::ABSENT && next.level < block as usize) {
                let mut here = vec![first];
                while let Some(next) = commitments.next_if(|next| next.level == here[0].level) {
                    here.push(next);
                }
                let is_last = commitments.peek().is_none() && !self.is_complete;
                committed.push(self.commit(&here, is_last, &mut poller)?);
            }
            let rules = std::mem::take(&mut self.rules_of[index]);
            // If none applies, any value will do: the last rule needs no condition.
            let mut function = rules.last().map_or(Aig::FALSE, |&(_, last)| !last);
            for &(rule, phase) in rules.iter().rev().skip(1) {
                poller.poll(index as u64)?;
                let condition = match self.rules[rule].condition {
                    Some(condition) => condition,
                    None => {
                        falsified.clear();
                        let when = std::mem::take(&mut self.rules[rule].when);
                        falsified.extend(when.own.iter().map(|&lit| self.signals.get(!lit)));
                        for &(var, phase) in &when.others {
                            let value = self.signals.get(var.positive());
                            falsified.push(self.signals.aig.select(value, !phase, phase));
                        }
                        let condition = self.signals.all(&mut falsified);
                        self.rules[rule].condition = Some(condition);
                        condition
                    }
                };
                function = self.signals.aig.select(condition, !phase, function);
            }
            if !self.signals.wins(self.search.owner[index]) {
                continue;
            }
            // The first commitment counts.
            for commitment in committed.iter().rev().filter(|_| block != Matrix::ABSENT) {
                function = self.signals.aig.select(commitment.signal, commitment.values[index], function);
            }
            self.signals.set(Var::from_index(index), function);
        }
        Ok(self.signals.finish(self.search.matrix))
    }
}
