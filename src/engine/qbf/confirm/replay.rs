//! The first part of a confirmation: what the simplifier did, with reasons.
//!
//! The simplifier has noted which clauses [came and went](super::super::simplify::Lives). Whatever came may be added. What went has to be shown to follow from what is
//! there, or to be blocked; that may be possible only after others have come or gone (resolvents come after the clauses they replace have gone), so that
//! each clause that went is tried again later, and in the end once more. What cannot be removed would have to be won as well: then there is no
//! confirmation.
//!
//! - Who substitutes a literal has the equivalence added, which goes when nothing else speaks of the variable.
//! - Covered literals: the extended clauses come first, and each clause is blocked as far as the next one says.
//! - Definitions whose variables were eliminated: their other clauses follow from resolvents, some only by a case distinction.

use super::super::simplify::{Lives, Reconstruction, Step};
use super::clauses::{Clauses, Number};
use crate::control::{Poller, StopReason};
use crate::formula::{Confirmation, ConfirmationRow, Lit, Qbf, Quantifier, Var};

/// Literals whose negation is in more clauses are not tried.
const MAX_OCCURRENCES: usize = 2_000;
/// So many of the last steps say which literals a clause may be blocked on; of others so many are tried.
const RECENT: usize = 48;
const MAX_LITERALS: usize = 40;
/// Work that is too much.
const EFFORT: u64 = 600_000_000;

/// A clause that is to go.
struct Pending {
    number: Number,
    /// When it is tried again, and how often it was.
    due: usize,
    tries: u32,
    /// Variables of steps that were made before it went.
    recent: Vec<Var>,
}

/// The first part under construction.
pub(super) struct Replay<'a> {
    confirmation: &'a mut Confirmation,
    pub(super) clauses: Clauses,
    /// By clause: how often the simplifier has it.
    wanted: Vec<u32>,
    pending: Vec<Pending>,
    is_pending: Vec<bool>,
    turn: usize,
    scratch: Vec<Lit>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(qbf: &Qbf, confirmation: &'a mut Confirmation) -> Self {
        let mut clauses = Clauses::default();
        for (block, level) in qbf.prefix().blocks().zip(1..) {
            for &var in block.vars {
                clauses.introduce(var, block.quantifier == Quantifier::Exists, level);
            }
        }
        let mut replay = Replay {
            confirmation,
            clauses,
            wanted: Vec::new(),
            pending: Vec::new(),
            is_pending: Vec::new(),
            turn: 0,
            scratch: Vec::new(),
        };
        for clause in qbf.matrix() {
            replay.translate(clause);
            let lits = std::mem::take(&mut replay.scratch);
            replay.clauses.add(&lits);
            replay.scratch = lits;
        }
        replay.wanted.resize(replay.clauses.len(), 0);
        replay.is_pending.resize(replay.clauses.len(), false);
        replay
    }

    /// The own literals of a clause, sorted and without repetitions, in `scratch`. False if a variable is not known.
    fn translate(&mut self, clause: &[Lit]) -> bool {
        self.scratch.clear();
        for &lit in clause {
            let Some(lit) = self.clauses.lit(lit) else { return false };
            self.scratch.push(lit);
        }
        self.scratch.sort_unstable();
        self.scratch.dedup();
        true
    }

    /// Goes through everything the simplifier did.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn run(&mut self, way: &Reconstruction, poller: &mut Poller<'_>) -> Result<bool, StopReason> {
        let lives: &Lives = way.lives();
        if !lives.is_known() {
            return Ok(false);
        }
        let mut steps: Vec<Step<'_>> = way.steps().collect();
        steps.reverse();
        let mut moves = lives.moves().peekable();
        let (mut done, mut is_loaded, mut is_news) = (0, false, false);
        let mut tried = 0;
        for (index, (time, came, clause)) in lives.events().enumerate() {
            poller.poll(index as u64)?;
            while done < time {
                done = self.step(&steps, done);
            }
            while let Some((_, var, behind)) = moves.next_if(|&(before, ..)| before <= index) {
                self.place(var, behind);
            }
            if !self.translate(clause) {
                return Ok(false);
            }
            if came {
                self.come();
                is_news = true;
                continue;
            }
            if !is_loaded && clause.len() > 1 {
                is_loaded = true;
                (0..self.clauses.len() as Number).for_each(|number| self.give_up(number, &[]));
            }
            if is_loaded && (is_news || tried != time) {
                let lits = std::mem::take(&mut self.scratch);
                self.try_due(poller)?;
                self.scratch = lits;
                (is_news, tried) = (false, time);
            }
            if self.clauses.effort > EFFORT {
                return Ok(false);
            }
            if let Some(number) = self.clauses.find(&self.scratch) {
                let wanted = &mut self.wanted[number as usize];
                *wanted = wanted.saturating_sub(1);
                self.give_up(number, &steps[time.saturating_sub(RECENT)..time]);
            }
        }
        while done < steps.len() {
            done = self.step(&steps, done);
        }
        while let Some((_, var, behind)) = moves.next() {
            self.place(var, behind);
        }
        Ok(true)
    }

    /// The clauses that are left in the end, each with its number; `None` if there are others that cannot be removed.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn end(
        &mut self,
        left: impl Iterator<Item = Vec<Lit>>,
        poller: &mut Poller<'_>,
    ) -> Result<Option<Vec<Number>>, StopReason> {
        self.wanted.fill(0);
        let mut numbers = Vec::new();
        for clause in left {
            if !self.translate(&clause) {
                return Ok(None);
            }
            numbers.push(self.come());
        }
        for number in 0..self.clauses.len() as Number {
            self.give_up(number, &[]);
        }
        let mut before = usize::MAX;
        while !self.pending.is_empty() && self.pending.len() < before && self.clauses.effort <= EFFORT {
            before = self.pending.len();
            self.pending.iter_mut().for_each(|pending| pending.due = 0);
            self.try_due(poller)?;
        }
        self.move_outwards();
        Ok(self.pending.is_empty().then_some(numbers))
    }

    /// How many clauses could not be removed.
    pub(super) fn num_stuck(&self) -> usize {
        self.pending.len()
    }

    /// Examples of clauses that could not be removed, as they are written.
    pub(super) fn stuck(&self) -> Vec<Vec<i32>> {
        let written = |pending: &Pending| {
            self.clauses.clause(pending.number).iter().map(|&lit| self.clauses.written(lit)).collect::<Vec<i32>>()
        };
        self.pending.iter().take(5).map(written).collect()
    }

    /// What a step adds. Returns the number of steps that are done then.
    fn step(&mut self, steps: &[Step<'_>], index: usize) -> usize {
        match steps[index] {
            Step::Equal(var, lit) => {
                let (Some(var), Some(lit)) = (self.clauses.var(var), self.clauses.lit(lit)) else { return index + 1 };
                if self.clauses.exists(var) {
                    for mut pair in [[var.negative(), lit], [var.positive(), !lit]] {
                        pair.sort_unstable();
                        let number = self.clauses.find(&pair).unwrap_or_else(|| self.add(&pair));
                        self.give_up(number, &steps[index..=index]);
                    }
                }
                index + 1
            }
            Step::Select(_, u, _) => {
                let same = |step: &&Step<'_>| matches!(step, Step::Select(_, other, _) if *other == u);
                let end = index + steps[index..].iter().take_while(same).count();
                self.expand(u, &steps[index..end]);
                end
            }
            _ => index + 1,
        }
    }

    /// The clause in `scratch` came.
    fn come(&mut self) -> Number {
        let lits = std::mem::take(&mut self.scratch);
        let number = self.clauses.find(&lits).unwrap_or_else(|| self.add(&lits));
        self.wanted[number as usize] += 1;
        self.scratch = lits;
        number
    }

    fn add(&mut self, lits: &[Lit]) -> Number {
        self.clauses.backtrack(0);
        self.confirmation.push(ConfirmationRow::Added, lits.iter().map(|&lit| self.clauses.written(lit)));
        self.wanted.push(0);
        self.is_pending.push(false);
        self.clauses.add(lits)
    }

    /// A clause is to go unless it is wanted.
    fn give_up(&mut self, number: Number, steps: &[Step<'_>]) {
        let index = number as usize;
        if self.wanted[index] == 0 && self.clauses.is_there(number) && !std::mem::replace(&mut self.is_pending[index], true) {
            let vars = steps.iter().rev().filter_map(|step| match *step {
                Step::Unless(lit, _) | Step::Assign(lit) => Some(lit.var()),
                Step::Equal(var, _) => Some(var),
                Step::Select(..) => None,
            });
            let recent = vars.filter_map(|var| self.clauses.var(var));
            let clause = self.clauses.clause(number);
            let recent = recent.filter(|&var| clause.iter().any(|lit| lit.var() == var)).collect();
            self.pending.push(Pending { number, due: 0, tries: 0, recent });
        }
    }

    /// Tries to remove what is to go, as far as its time has come.
    fn try_due(&mut self, poller: &mut Poller<'_>) -> Result<(), StopReason> {
        self.turn += 1;
        self.move_outwards();
        for mut pending in std::mem::take(&mut self.pending) {
            let index = pending.number as usize;
            if self.wanted[index] > 0 || !self.clauses.is_there(pending.number) {
                self.is_pending[index] = false;
                continue;
            }
            poller.poll(self.clauses.effort)?;
            if pending.due <= self.turn && self.clauses.effort <= EFFORT && self.remove(pending.number, &pending.recent) {
                self.is_pending[index] = false;
                continue;
            }
            if pending.due <= self.turn {
                pending.due = self.turn + (1 << pending.tries.min(20));
                pending.tries += 1;
            }
            self.pending.push(pending);
        }
        Ok(())
    }

    /// Removes a clause if that can be justified.
    fn remove(&mut self, number: Number, recent: &[Var]) -> bool {
        let clause = self.clauses.clause(number).to_vec();
        // 1. It follows from others.
        self.clauses.begin(self.clauses.innermost(clause.iter().copied()));
        if let Some(hints) = self.clauses.refute(clause.iter().copied(), number) {
            self.drop_implied(number, &hints);
            return true;
        }
        // 2. It is blocked.
        let base = self.clauses.mark();
        let is_recent = |lit: &&Lit| recent.contains(&lit.var());
        let first = clause.iter().filter(is_recent);
        let others = clause.iter().filter(|lit| !is_recent(lit)).take(MAX_LITERALS);
        for &lit in first.chain(others) {
            if self.clauses.exists(lit.var())
                && let Some(reasons) = self.blocking(number, &clause, lit, base)
            {
                for (other, of_own, hints) in reasons {
                    let other = other as i32 + 1;
                    let first = if of_own { -other } else { other };
                    let hints = hints.into_iter().map(|hint| hint as i32 + 1);
                    self.confirmation.push(ConfirmationRow::Beside, [first].into_iter().chain(hints));
                }
                let lit = self.clauses.written(lit);
                self.confirmation.push(ConfirmationRow::Blocked, [number as i32 + 1, lit]);
                self.clauses.backtrack(0);
                self.clauses.remove(number);
                return true;
            }
        }
        // 3. It follows in two cases.
        self.remove_by_cases(number, &clause, recent)
    }

    fn drop_implied(&mut self, number: Number, hints: &[Number]) {
        let numbers = [number].into_iter().chain(hints.iter().copied()).map(|number| number as i32 + 1);
        self.confirmation.push(ConfirmationRow::Implied, numbers);
        self.clauses.backtrack(0);
        self.clauses.remove(number);
    }

    /// Why a clause, whose literals are assumed to be false, is blocked on a literal.
    fn blocking(
        &mut self,
        number: Number,
        clause: &[Lit],
        lit: Lit,
        base: usize,
    ) -> Option<Vec<(Number, bool, Vec<Number>)>> {
        let others = self.clauses.with(!lit);
        if others.len() > MAX_OCCURRENCES {
            return None;
        }
        let level = self.clauses.level(lit.var());
        let is_inner = |clauses: &Clauses, k: Lit| clauses.level(k.var()) > level;
        let has_inner = clause.iter().any(|&k| is_inner(&self.clauses, k));
        let (mut reasons, mut open) = (Vec::new(), Vec::new());
        for other in others.into_iter().filter(|&other| other != number) {
            let lits = self.clauses.clause(other).to_vec();
            self.clauses.effort += lits.len() as u64;
            let outer = || lits.iter().copied().filter(|&k| k != !lit && !is_inner(&self.clauses, k));
            if outer().any(|k| clause.binary_search(&!k).is_ok()) {
                continue;
            }
            let outer: Vec<Lit> = outer().collect();
            let found = self.clauses.refute(outer.into_iter(), number);
            self.clauses.backtrack(base);
            match found {
                Some(hints) => reasons.push((other, false, hints)),
                // With the outer literals of the clause and all of the other one, if that is a different question.
                None if has_inner || lits.iter().any(|&k| is_inner(&self.clauses, k)) => open.push((other, lits)),
                None => return None,
            }
        }
        let all = open.len();
        for (other, lits) in open {
            let own = clause.iter().copied().filter(|&k| k != lit && !is_inner(&self.clauses, k)).chain([lit]);
            let whole: Vec<Lit> = own.chain(lits.into_iter().filter(|&k| k != !lit)).collect();
            self.clauses.begin(self.clauses.innermost(whole.iter().copied()));
            match self.clauses.refute(whole.into_iter(), number) {
                Some(hints) => reasons.push((other, true, hints)),
                None => {
                    self.assume(number, clause);
                    return None;
                }
            }
        }
        if all > 0 {
            self.assume(number, clause);
        }
        Some(reasons)
    }

    /// Assumes that the literals of a clause are false, which is not contradictory.
    fn assume(&mut self, number: Number, clause: &[Lit]) {
        self.clauses.begin(self.clauses.innermost(clause.iter().copied()));
        self.clauses.refute(clause.iter().copied(), number);
    }

    /// Removes a clause that follows where some variable is true and where it is false.
    fn remove_by_cases(&mut self, number: Number, clause: &[Lit], recent: &[Var]) -> bool {
        let Some(&near) = recent.first() else { return false };
        self.assume(number, clause);
        for var in self.clauses.neighbours(near) {
            let mut found = Vec::new();
            for lit in [var.positive(), var.negative()] {
                let mut whole: Vec<Lit> = clause.iter().copied().chain([lit]).collect();
                whole.sort_unstable();
                self.clauses.begin(self.clauses.innermost(whole.iter().copied()));
                let Some(hints) = self.clauses.refute(whole.iter().copied(), number) else { break };
                found.push((whole, hints));
            }
            if found.len() == 2 {
                let cases: Vec<Number> = found.iter().map(|(whole, _)| self.add(whole)).collect();
                self.drop_implied(number, &cases);
                for (case, (_, hints)) in cases.into_iter().zip(&found) {
                    self.drop_implied(case, hints);
                }
                return true;
            }
        }
        false
    }

    /// A variable stands right behind another one, or before all.
    fn place(&mut self, var: Var, behind: Option<Var>) {
        let Some(var) = self.clauses.var(var) else { return };
        let level = behind.and_then(|behind| self.clauses.var(behind)).map_or(0, |behind| self.clauses.level(behind));
        self.move_to(var, level);
    }

    fn move_to(&mut self, var: Var, level: u32) {
        if self.clauses.exists(var) && level < self.clauses.level(var) {
            self.clauses.backtrack(0);
            let name = self.clauses.written(var.positive());
            self.confirmation.push(ConfirmationRow::Moved, [name, level as i32 + 1]);
            self.clauses.set_level(var, level);
        }
    }

    /// Where no universal variable is left between existential ones, these are at the same level.
    fn move_outwards(&mut self) {
        let levels = self.clauses.num_levels();
        let mut last = 0;
        let earliest: Vec<u32> = (0..levels)
            .map(|level| {
                if self.clauses.is_level_used(level) {
                    last = level;
                }
                last
            })
            .collect();
        if !self.clauses.take_change() {
            return;
        }
        for var in self.clauses.vars() {
            let level = earliest[self.clauses.level(var) as usize];
            self.move_to(var, level);
        }
    }

    /// Expands a universal variable.
    fn expand(&mut self, u: Var, steps: &[Step<'_>]) {
        let Some(own) = self.clauses.var(u) else { return };
        self.clauses.backtrack(0);
        let mut row = vec![self.clauses.written(own.positive())];
        let mut copies: Vec<(Var, Var)> = Vec::new();
        for step in steps {
            let &Step::Select(var, _, copy) = step else { continue };
            let Some(old) = self.clauses.var(var) else { continue };
            row.extend([var, copy].map(|var| var.positive().to_dimacs()));
            let new = self.clauses.introduce(copy, true, self.clauses.level(old));
            copies.push((old, new));
        }
        self.confirmation.push(ConfirmationRow::Expanded, row);
        let mut touched: Vec<Number> = Vec::new();
        for var in copies.iter().map(|&(old, _)| old).chain([own]) {
            for lit in [var.positive(), var.negative()] {
                touched.extend(self.clauses.with(lit));
            }
        }
        touched.sort_unstable();
        touched.dedup();
        copies.sort_unstable();
        for number in touched {
            let old = self.clauses.clause(number).to_vec();
            let [is_true, is_false] = [own.positive(), own.negative()].map(|lit| old.contains(&lit));
            if is_false {
                self.clauses.remove(number);
            } else if is_true {
                self.clauses.shrink(number, own);
                self.wanted[number as usize] = 0;
                self.give_up(number, &[]);
            }
            if !is_true {
                let copy = |lit: &Lit| match copies.binary_search_by_key(&lit.var(), |&(old, _)| old) {
                    Ok(place) => copies[place].1.lit(lit.is_positive()),
                    Err(_) => *lit,
                };
                let mut new: Vec<Lit> = old.iter().filter(|lit| lit.var() != own).map(copy).collect();
                new.sort_unstable();
                self.wanted.push(0);
                self.is_pending.push(false);
                let number = self.clauses.add(&new);
                self.give_up(number, &[]);
            }
        }
    }
}
