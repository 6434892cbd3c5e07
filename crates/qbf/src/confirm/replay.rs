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
//! - Existential variables move outwards over a universal one when no clause has it any more and none is going to: a clause that is
//!   shortened goes before it comes again, and may have been the last one with the variable in between.

use super::super::simplify::{Lives, Reconstruction, Step};
use super::clauses::{Clauses, Number};
use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::{Confirmation, ConfirmationRow, Lit, Qbf, Quantifier, Var};
use rustc_hash::FxHashMap;

/// Literals whose negation is in more clauses are not tried.
const MAX_OCCURRENCES: usize = 2_000;
/// So many of the last steps say which literals a clause may be blocked on; of others so many are tried.
const RECENT: usize = 48;
const MAX_LITERALS: usize = 40;
/// Clauses of so few literals may be blocked on any of them.
const FEW: usize = 3;
/// Steps of propagation for a short look, and for a long one that serves all literals of a clause.
const SHORT: u64 = 3_000;
const LONG: u64 = 200_000;
/// Work that is too much.
const EFFORT: u64 = 2_000_000_000;

/// A clause that is to go.
struct Pending {
    number: Number,
    /// When it is tried again, and how often it was.
    due: usize,
    tries: u32,
    /// Variables of steps that were made before it went.
    recent: Vec<Var>,
    /// Whether it follows from others which are to go as well.
    comes_first: bool,
    /// What went before this event was not there for the simplifier.
    since: usize,
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
    /// Clauses of equivalences, each with the variable that was replaced: they go when nothing else speaks of it.
    defines: FxHashMap<Number, Var>,
    /// Whether something is to go that was not tried yet.
    is_untried: bool,
    /// Whether nothing more is going to happen; and whether clauses may rest on others that went before them.
    is_ending: bool,
    is_desperate: bool,
    /// The event at hand, and the first one after the last step.
    event: usize,
    batch: usize,
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
            defines: FxHashMap::default(),
            is_untried: false,
            is_ending: false,
            is_desperate: false,
            event: 0,
            batch: 0,
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
        let mut defined = lives.defined().peekable();
        let (mut done, mut is_loaded, mut is_news) = (0, false, false);
        let mut tried = 0;
        let last_comings = self.expect_universals(lives, &steps);
        let mut last_comings = last_comings.iter().peekable();
        for (index, (time, came, clause)) in lives.events().enumerate() {
            poller.poll(index as u64)?;
            self.event = index + 1;
            if done < time {
                self.batch = self.event;
                // Before the formula becomes another one.
                let is_new = |step: &Step<'_>| matches!(step, Step::Select(..) | Step::Equal(..));
                if is_loaded && self.is_untried && steps[done..time].iter().any(is_new) {
                    self.try_due(poller)?;
                }
            }
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
                // A value that is possible only since a clause has gone.
                if clause.len() == 1 && is_loaded && self.is_untried {
                    let lits = std::mem::take(&mut self.scratch);
                    self.try_due(poller)?;
                    self.scratch = lits;
                    tried = time;
                }
                self.come();
                while let Some(&(_, var)) = last_comings.next_if(|&&(event, _)| event <= index) {
                    self.clauses.expect_no_more(var);
                }
                is_news = true;
                continue;
            }
            if !is_loaded && clause.len() > 1 {
                is_loaded = true;
                // What was not loaded never was there for the simplifier: it may rest on values that are gone since.
                let before = self.pending.len();
                (0..self.clauses.len() as Number).for_each(|number| self.give_up(number, &[]));
                self.pending[before..].iter_mut().for_each(|pending| pending.since = 0);
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
            let definition = defined.next_if(|&(event, _)| event == index).map(|(_, belongs)| belongs);
            if let Some(number) = self.clauses.find(&self.scratch) {
                let wanted = &mut self.wanted[number as usize];
                *wanted = wanted.saturating_sub(1);
                let before = self.pending.len();
                self.give_up(number, &steps[time.saturating_sub(RECENT)..time]);
                self.pending[before..].iter_mut().for_each(|pending| pending.comes_first |= definition == Some(false));
            }
        }
        while done < steps.len() {
            done = self.step(&steps, done);
        }
        for (_, var, behind) in moves {
            self.place(var, behind);
        }
        Ok(true)
    }

    /// Universal variables are expected as long as clauses with them are going to come, and until they are expanded. Returns those of clauses that
    /// come, each with the last such event, in the order of events.
    fn expect_universals(&mut self, lives: &Lives, steps: &[Step<'_>]) -> Vec<(usize, Var)> {
        let mut expanded = None;
        for step in steps {
            let &Step::Select(_, u, _) = step else { continue };
            if expanded.replace(u) != Some(u)
                && let Some(var) = self.clauses.var(u)
            {
                self.clauses.expect(var);
            }
        }
        let mut last: FxHashMap<Var, usize> = FxHashMap::default();
        for (index, (_, _, clause)) in lives.events().enumerate().filter(|&(_, (_, came, _))| came) {
            let vars = clause.iter().filter_map(|lit| self.clauses.var(lit.var()));
            last.extend(vars.filter(|&var| !self.clauses.exists(var)).map(|var| (var, index)));
        }
        let mut last: Vec<(usize, Var)> = last.into_iter().map(|(var, index)| (index, var)).collect();
        last.sort_unstable();
        last.iter().for_each(|&(_, var)| self.clauses.expect(var));
        last
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
        self.is_ending = true;
        let mut numbers = Vec::new();
        for clause in left {
            if !self.translate(&clause) {
                return Ok(None);
            }
            // A clause that is left twice has two numbers.
            let lits = std::mem::take(&mut self.scratch);
            let known = self.clauses.find(&lits).filter(|&number| self.wanted[number as usize] == 0);
            let number = known.unwrap_or_else(|| self.add(&lits));
            self.wanted[number as usize] = 1;
            self.clauses.went(number, usize::MAX);
            self.scratch = lits;
            numbers.push(number);
        }
        for number in 0..self.clauses.len() as Number {
            self.give_up(number, &[]);
        }
        for is_desperate in [false, true] {
            self.is_desperate = is_desperate;
            let mut before = usize::MAX;
            while !self.pending.is_empty() && self.pending.len() < before && self.clauses.effort <= EFFORT {
                before = self.pending.len();
                self.pending.iter_mut().for_each(|pending| pending.due = 0);
                self.try_due(poller)?;
            }
        }
        self.move_outwards();
        Ok(self.pending.is_empty().then_some(numbers))
    }

    /// How many clauses could not be removed.
    pub(super) fn num_stuck(&self) -> usize {
        self.pending.len()
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
                        self.defines.insert(number, var);
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
        self.clauses.went(number, usize::MAX);
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
        if self.wanted[index] == 0
            && self.clauses.is_there(number)
            && !std::mem::replace(&mut self.is_pending[index], true)
        {
            let vars = steps.iter().rev().filter_map(|step| match *step {
                Step::Unless(lit, _) | Step::Assign(lit) => Some(lit.var()),
                Step::Equal(var, _) => Some(var),
                Step::Select(..) => None,
            });
            let recent = vars.filter_map(|var| self.clauses.var(var));
            let clause = self.clauses.clause(number);
            let mut found: Vec<Var> = Vec::new();
            for var in recent.filter(|&var| clause.iter().any(|lit| lit.var() == var)) {
                if !found.contains(&var) {
                    found.push(var);
                }
            }
            let recent = found;
            let was_eliminated = matches!(steps.last(), Some(Step::Assign(_) | Step::Equal(..)));
            let comes_first = matches!(steps.last(), Some(Step::Equal(..)));
            let since = if was_eliminated { self.batch } else { self.event };
            let is_definition = self.defines.contains_key(&number);
            self.clauses.went(number, if is_definition { usize::MAX } else { self.event });
            self.is_untried = true;
            self.pending.push(Pending { number, due: 0, tries: 0, recent, comes_first, since });
        }
    }

    /// Tries to remove what is to go, as far as its time has come.
    fn try_due(&mut self, poller: &mut Poller<'_>) -> Result<(), StopReason> {
        self.turn += 1;
        self.is_untried = false;
        self.clauses.effort += self.pending.len() as u64;
        self.move_outwards();
        // First what follows from others: of a definition whose variable was eliminated that is all that does not belong to it, as long as the
        // definition is there.
        for index in 0..self.pending.len() {
            let Pending { number, tries, comes_first, .. } = self.pending[index];
            if tries > 0
                || self.defines.contains_key(&number)
                || !comes_first
                || self.wanted[number as usize] > 0
                || !self.clauses.is_there(number)
            {
                continue;
            }
            poller.poll(self.clauses.effort)?;
            let clause = self.clauses.clause(number).to_vec();
            self.clauses.look_only_at_what_went_after(self.pending[index].since);
            if let Some(hints) = self.refute(&clause, number, SHORT) {
                self.drop_implied(number, &hints);
            } else {
                let recent = self.pending[index].recent.clone();
                self.remove_by_cases(number, &clause, &recent);
            }
        }
        for mut pending in std::mem::take(&mut self.pending) {
            let index = pending.number as usize;
            self.clauses.look_only_at_what_went_after(if self.is_desperate { 0 } else { pending.since });
            if self.wanted[index] > 0 || !self.clauses.is_there(pending.number) {
                self.is_pending[index] = false;
                continue;
            }
            poller.poll(self.clauses.effort)?;
            if let Some(&var) = self.defines.get(&pending.number)
                && [var.positive(), var.negative()].iter().any(|&lit| self.clauses.with(lit).len() > 1)
                && !self.is_ending
            {
                self.pending.push(pending);
                continue;
            }
            if pending.due <= self.turn && self.clauses.effort <= EFFORT && self.remove(pending.number, &pending.recent)
            {
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
        let literal_of = |var: &Var| clause.iter().copied().find(|lit| lit.var() == *var);
        let is_existential = |lit: &Lit| self.clauses.exists(lit.var());
        let mut meant: Vec<Lit> = recent.iter().filter_map(literal_of).filter(is_existential).collect();
        if clause.len() <= FEW {
            meant.extend(clause.iter().filter(|lit| !recent.contains(&lit.var()) && self.clauses.exists(lit.var())));
        }
        // 1. It is blocked as it is, by a literal that the simplifier may have meant.
        for &lit in &meant {
            if self.unclashing(number, &clause, lit).is_empty() {
                self.drop_blocked(number, lit);
                return true;
            }
        }
        // The value of a variable goes when the variable is gone.
        if clause.len() == 1 && !self.is_ending {
            return false;
        }
        // 2. It follows from others, or is blocked, at first after a short look.
        for steps in [SHORT, LONG] {
            if let Some(hints) = self.refute(&clause, number, steps) {
                self.drop_implied(number, &hints);
                return true;
            }
            let others = clause.iter().filter(|lit| steps == LONG && !meant.contains(lit)).take(MAX_LITERALS);
            let is_existential = |lit: &Lit| self.clauses.exists(lit.var());
            // What follows if the clause is false is found once, if there is enough time for it.
            let mut base = (steps == LONG).then(|| self.clauses.mark());
            for lit in meant.iter().chain(others).copied().filter(is_existential).collect::<Vec<Lit>>() {
                if let Some(reasons) = self.blocking(number, &clause, lit, steps, &mut base) {
                    for (other, of_own, hints) in reasons {
                        let other = other as i32 + 1;
                        let first = if of_own { -other } else { other };
                        let hints = hints.into_iter().map(|hint| hint as i32 + 1);
                        self.confirmation.push(ConfirmationRow::Beside, [first].into_iter().chain(hints));
                    }
                    self.drop_blocked(number, lit);
                    return true;
                }
                if steps == LONG && base.is_none() {
                    self.refute(&clause, number, steps);
                    base = Some(self.clauses.mark());
                }
            }
        }
        // 3. It follows in two cases.
        self.remove_by_cases(number, &clause, recent)
    }

    /// Why a clause follows from all but one, if that is seen within some steps.
    fn refute(&mut self, clause: &[Lit], but: Number, steps: u64) -> Option<Vec<Number>> {
        self.clauses.begin(self.clauses.innermost(clause.iter().copied()));
        self.clauses.refute(clause.iter().copied(), but, steps)
    }

    fn drop_blocked(&mut self, number: Number, lit: Lit) {
        let lit = self.clauses.written(lit);
        self.confirmation.push(ConfirmationRow::Blocked, [number as i32 + 1, lit]);
        self.clauses.backtrack(0);
        self.clauses.remove(number);
    }

    /// Clauses with the negation of a literal in which no other literal that is not beyond it clashes with the clause.
    fn unclashing(&mut self, number: Number, clause: &[Lit], lit: Lit) -> Vec<Number> {
        let level = self.clauses.level(lit.var());
        let mut others = self.clauses.with(!lit);
        self.clauses.effort += others.len() as u64;
        others.retain(|&other| {
            let lits = self.clauses.clause(other);
            let clashes =
                |&k: &Lit| k != !lit && self.clauses.level(k.var()) <= level && clause.binary_search(&!k).is_ok();
            other != number && !lits.iter().any(clashes)
        });
        others
    }

    fn drop_implied(&mut self, number: Number, hints: &[Number]) {
        let numbers = [number].into_iter().chain(hints.iter().copied()).map(|number| number as i32 + 1);
        self.confirmation.push(ConfirmationRow::Implied, numbers);
        self.clauses.backtrack(0);
        self.clauses.remove(number);
    }

    /// Why a clause is blocked on a literal, if that is seen within some steps for each clause beside it. The base, if there is one, is what follows from
    /// the clause's being false; it may get lost.
    fn blocking(
        &mut self,
        number: Number,
        clause: &[Lit],
        lit: Lit,
        steps: u64,
        base: &mut Option<usize>,
    ) -> Option<Vec<(Number, bool, Vec<Number>)>> {
        let others = self.unclashing(number, clause, lit);
        if others.len() > MAX_OCCURRENCES {
            return None;
        }
        let level = self.clauses.level(lit.var());
        let is_inner = |clauses: &Clauses, k: Lit| clauses.level(k.var()) > level;
        let has_inner = clause.iter().any(|&k| is_inner(&self.clauses, k));
        let (mut reasons, mut open) = (Vec::new(), Vec::new());
        for other in others {
            let lits = self.clauses.clause(other).to_vec();
            let outer = lits.iter().copied().filter(|&k| k != !lit && !is_inner(&self.clauses, k));
            let outer: Vec<Lit> = outer.collect();
            let found = match *base {
                Some(base) => {
                    let found = self.clauses.refute(outer.into_iter(), number, steps);
                    self.clauses.backtrack(base);
                    found
                }
                None => self.refute(&[clause, &outer].concat(), number, steps),
            };
            match found {
                Some(hints) => reasons.push((other, false, hints)),
                // With the outer literals of the clause and all of the other one, if that is a different question.
                None if has_inner || lits.iter().any(|&k| is_inner(&self.clauses, k)) => open.push((other, lits)),
                None => return None,
            }
        }
        for (other, lits) in open {
            let own = clause.iter().copied().filter(|&k| k != lit && !is_inner(&self.clauses, k)).chain([lit]);
            let whole: Vec<Lit> = own.chain(lits.into_iter().filter(|&k| k != !lit)).collect();
            *base = None;
            reasons.push((other, true, self.refute(&whole, number, steps)?));
        }
        Some(reasons)
    }

    /// Removes a clause that follows where some variable is true and where it is false.
    fn remove_by_cases(&mut self, number: Number, clause: &[Lit], recent: &[Var]) -> bool {
        let Some(&near) = recent.first() else { return false };
        self.refute(clause, number, SHORT);
        for var in self.clauses.neighbours(near) {
            let mut found = Vec::new();
            for lit in [var.positive(), var.negative()] {
                let mut whole: Vec<Lit> = clause.iter().copied().chain([lit]).collect();
                whole.sort_unstable();
                let Some(hints) = self.refute(&whole, number, SHORT) else { break };
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
        self.clauses.expect_no_more(own);
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
        let before = self.pending.len();
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
        // The simplifier is going to say which of them it wants.
        self.pending[before..].iter_mut().for_each(|pending| pending.due = self.turn + 2);
    }
}
