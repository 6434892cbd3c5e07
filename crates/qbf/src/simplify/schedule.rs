//! Which technique runs when: rounds from cheap to dear, until a round changes little or the effort is used up.

use super::circuits::Circuits;
use super::store::{Halt, Simplifier};
use super::{
    Trial, autarky, blocked, depend, eliminate, equivalence, expand, probe, redundant, sat_checks, subsume, vivify,
};
use crate::options::SimplifyOptions;
use gamesat_core::formula::{ClauseArena, Var};
use gamesat_core::statistics::Statistics;
use std::time::Duration;
use web_time::Instant;

type Run = fn(&mut Simplifier<'_>, u32) -> Result<(), Halt>;
type Switch = fn(&SimplifyOptions) -> bool;

/// A technique as the schedule sees it.
struct Entry {
    name: &'static str,
    is_on: Switch,
    /// Is told the time of its last complete run.
    run: Run,
    /// What one run may cost, in percent of the total effort.
    share: u64,
    /// Runs again only after the formula has changed by a tenth.
    dear: bool,
    /// Leaves nothing of the clauses that define a variable.
    dissolves: bool,
}

const fn cheap(name: &'static str, is_on: Switch, run: Run, share: u64) -> Entry {
    Entry { name, is_on, run, share, dear: false, dissolves: false }
}

const fn dear(name: &'static str, is_on: Switch, run: Run, share: u64) -> Entry {
    Entry { name, is_on, run, share, dear: true, dissolves: false }
}

/// The techniques of a round, in order. Universal reduction, unit propagation and pure literals are everywhere; dropping
/// dependencies and shifting blocks share their search.
const ROUND: &[Entry] = &[
    cheap("equivalences", |o| o.equivalences, |s, _| equivalence::run(s), 5),
    cheap("subsumption", |o| o.subsumption, |s, _| subsume::run(s), 10),
    dear("failed_literals", |o| o.failed_literals, |s, _| probe::run(s), 8),
    cheap("blocked_clauses", |o| o.blocked_clauses, blocked::run, 30),
    cheap("blocked_literals", |o| o.blocked_literals, |s, _| blocked::drop_literals(s), 5),
    Entry { dissolves: true, ..cheap("elimination", |o| o.elimination, eliminate::run, 15) },
    dear("dependencies", |o| o.dependencies || o.shifting, |s, _| depend::run(s), 8),
    dear("vivification", |o| o.vivification, vivify::run, 8),
    dear("redundancies", |o| o.redundancies, redundant::run, 4),
    dear("autarkies", |o| o.autarkies, |s, _| autarky::run(s), 5),
    dear("sat_checks", |o| o.sat_checks, |s, _| sat_checks::run(s), 10),
];

/// What makes the formula larger waits until the others are through.
const EXPANSION: Entry = cheap("expansion", |o| o.expansion, |s, _| expand::run(s, expansion_limit(s)), 20);

/// How large the formula is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Size {
    blocks: usize,
    variables: usize,
    clauses: usize,
    literals: usize,
}

impl Size {
    fn of(s: &mut Simplifier<'_>) -> Self {
        Size {
            blocks: s.renumber_levels(),
            variables: s.all_vars().filter(|&var| s.occurs(var)).count(),
            clauses: s.num_clauses(),
            literals: s.num_lits(),
        }
    }

    fn each(self) -> [(&'static str, usize); 4] {
        [("blocks", self.blocks), ("variables", self.variables), ("clauses", self.clauses), ("literals", self.literals)]
    }
}

/// What one technique did, all its runs together.
struct Deed {
    name: &'static str,
    runs: u64,
    /// Blocks, variables, clauses and literals that went.
    removed: [i64; 4],
    time: Duration,
}

/// The books of the schedule.
#[derive(Default)]
pub(super) struct Books<'a> {
    rounds: u64,
    undone: u64,
    before: Option<Size>,
    after: Option<Size>,
    deeds: Vec<Deed>,
    /// Whether the formula was loaded completely.
    pub(super) loaded: bool,
    /// Who wants to see the formula before definitions dissolve for the first time, and the names of its variables; then that
    /// formula.
    pub(super) trial: Option<(&'a mut Trial<'a>, Vec<Var>)>,
    pub(super) circuits: Option<Circuits<'a>>,
}

impl<'a> Books<'a> {
    /// Nothing has happened yet; somebody may want to see the formula before definitions dissolve.
    pub(super) fn new(trial: Option<(&'a mut Trial<'a>, Vec<Var>)>) -> Self {
        Books { trial, ..Books::default() }
    }

    /// Runs something and books what it removed. A line of the log tells if something went.
    fn keep(
        &mut self,
        s: &mut Simplifier<'_>,
        name: &'static str,
        run: impl FnOnce(&mut Simplifier<'_>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let started = Instant::now();
        let before = self.after.unwrap_or_else(|| Size::of(s));
        let result = run(s);
        let after = Size::of(s);
        self.after = Some(after);
        let index = self.deeds.iter().position(|deed| deed.name == name).unwrap_or_else(|| {
            self.deeds.push(Deed { name, runs: 0, removed: [0; 4], time: Duration::ZERO });
            self.deeds.len() - 1
        });
        let deed = &mut self.deeds[index];
        deed.runs += 1;
        deed.time += started.elapsed();
        for (removed, (before, after)) in deed.removed.iter_mut().zip(before.each().into_iter().zip(after.each())) {
            *removed += before.1 as i64 - after.1 as i64;
        }
        let decided = matches!(result, Err(Halt::Decided(_)));
        if before != after || decided {
            self.log(s, &name.replace('_', " "), after, started.elapsed());
        }
        result
    }

    /// Everything since these removals was undone; only the time is spent.
    fn forget(&mut self, s: &mut Simplifier<'_>, removed: &[[i64; 4]]) {
        self.undone += 1;
        self.after = Some(Size::of(s));
        let removed = removed.iter().copied().chain(std::iter::repeat([0; 4]));
        self.deeds.iter_mut().zip(removed).for_each(|(deed, removed)| deed.removed = removed);
    }

    fn log(&self, s: &Simplifier<'_>, what: &str, size: Size, time: Duration) {
        let Size { blocks, variables, clauses, literals } = size;
        let seconds = time.as_secs_f64();
        s.control().log(|| {
            format!(
                "simplify {:>2} {what:<17} {variables:>8} variables {clauses:>8} clauses {blocks:>3} blocks \
                 {literals:>9} literals {seconds:>7.2} s",
                self.rounds
            )
        });
    }

    /// What is worth telling: sizes before and after, and the techniques that struck.
    pub(super) fn report(&self, statistics: &mut Statistics) {
        for (when, size) in [("before", self.before), ("after", self.after)] {
            for (what, number) in size.into_iter().flat_map(Size::each) {
                statistics.add(&format!("{what}_{when}"), number as u64);
            }
        }
        statistics.add("simplify_rounds", self.rounds);
        if self.undone > 0 {
            statistics.add("simplify_expansions_undone", self.undone);
        }
        let mut idle = Duration::ZERO;
        for deed in &self.deeds {
            if deed.removed == [0; 4] {
                idle += deed.time;
                continue;
            }
            let name = deed.name;
            statistics.add(&format!("simplify_{name}_runs"), deed.runs);
            for (what, removed) in ["blocks", "variables", "clauses", "literals"].into_iter().zip(deed.removed) {
                if removed != 0 {
                    statistics.add_signed(&format!("simplify_{name}_{what}"), removed);
                }
            }
            statistics.add_time(&format!("simplify_{name}_seconds"), deed.time);
        }
        statistics.add_time("simplify_idle_seconds", idle);
    }
}

/// Loads the formula and simplifies it.
pub(super) fn run<'a>(s: &mut Simplifier<'a>, matrix: &ClauseArena, books: &mut Books<'a>) -> Result<(), Halt> {
    s.allot(u64::MAX);
    for clause in matrix {
        s.add_clause(clause)?;
        s.effort += clause.len() as u64;
        s.poll()?;
    }
    books.loaded = true;
    s.loaded_lits = s.num_lits();
    let loaded = Size::of(s);
    books.before = Some(loaded);
    books.after = Some(loaded);
    books.log(s, "as read", loaded, s.control().elapsed());
    books.keep(s, "unit_propagation", |s| {
        s.propagate()?;
        s.check_all_pure()
    })?;
    let mut last_runs = vec![(0, 0); ROUND.len()];
    shrink(s, &mut last_runs, books)?;
    if !s.options.expansion || s.num_lits() > MAX_EXPANDED {
        return Ok(());
    }
    // Expansion is a bet: if it neither decides the formula nor saves a block, it has only made the formula larger.
    let before = s.clone();
    let blocks = s.renumber_levels();
    let removed: Vec<[i64; 4]> = books.deeds.iter().map(|deed| deed.removed).collect();
    let result = grow(s, &mut last_runs, books);
    let won = s.renumber_levels() < blocks && size(s) <= 3 * size(&before);
    if !matches!(result, Err(Halt::Decided(_))) && !won {
        let effort = s.effort;
        *s = before;
        s.effort = effort;
        books.forget(s, &removed);
    }
    result
}

/// Larger formulas are not expanded.
const MAX_EXPANDED: usize = 2_000_000;

/// When a technique last began a complete run: the clock, and the size of the formula.
pub(super) type LastRun = (u32, usize);

/// Rounds of everything that does not let the formula grow, until little happens.
pub(super) fn shrink<'a>(s: &mut Simplifier<'a>, last_runs: &mut [LastRun], books: &mut Books<'a>) -> Result<(), Halt> {
    for _ in 0..s.options.rounds {
        let before = size(s);
        books.rounds += 1;
        for (index, entry) in ROUND.iter().enumerate() {
            if entry.dear && last_runs[index].1.abs_diff(size(s)) * 10 <= size(s) {
                continue;
            }
            if entry.dissolves
                && (entry.is_on)(s.options)
                && let Some((trial, names)) = books.trial.take()
            {
                let circuits = Circuits::new(s, last_runs, &names);
                if let Some(value) = trial(&circuits) {
                    return Err(Halt::Decided(value));
                }
                books.circuits = Some(circuits);
            }
            if !step(s, entry, &mut last_runs[index], books)? {
                return Ok(());
            }
        }
        if before.abs_diff(size(s)) * 100 <= before {
            break;
        }
    }
    Ok(())
}

/// Expands and simplifies in turn, as long as there is something to expand.
fn grow<'a>(s: &mut Simplifier<'a>, last_runs: &mut [LastRun], books: &mut Books<'a>) -> Result<(), Halt> {
    for _ in 0..s.options.rounds {
        let before = s.num_universals();
        if !step(s, &EXPANSION, &mut (0, 0), books)? || s.num_universals() == before {
            return Ok(());
        }
        shrink(s, last_runs, books)?;
    }
    Ok(())
}

/// Runs a technique if it is on. False if it is time to end.
fn step<'a>(s: &mut Simplifier<'a>, entry: &Entry, last: &mut LastRun, books: &mut Books<'a>) -> Result<bool, Halt> {
    if !(entry.is_on)(s.options) {
        return Ok(true);
    }
    let total = s.options.effort;
    if s.effort > total {
        return Ok(false);
    }
    s.allot(total / 100 * entry.share);
    let begun = (s.clock, size(s));
    let since = last.0;
    books.keep(s, entry.name, |s| match (entry.run)(s, since) {
        Ok(()) => {
            *last = begun;
            s.propagate()
        }
        Err(Halt::Budget) => {
            last.1 = begun.1;
            s.propagate()
        }
        decided_or_stopped => decided_or_stopped,
    })?;
    s.clock += 1;
    s.collect_garbage();
    if s.num_clauses() == 0 { Err(Halt::Decided(true)) } else { Ok(true) }
}

/// How many literals expansion may leave behind.
fn expansion_limit(s: &Simplifier<'_>) -> usize {
    s.loaded_lits * s.options.expansion_growth / 100 + s.options.expansion_bonus
}

/// What a round is judged by.
fn size(s: &Simplifier<'_>) -> usize {
    s.num_lits() + s.num_clauses()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The schedule's names are the option table's, and its switches read the options of these names.
    #[test]
    fn entries_obey_their_options() {
        for entry in ROUND.iter().chain([&EXPANSION]) {
            let mut options = SimplifyOptions::none();
            assert!(!(entry.is_on)(&options), "{}", entry.name);
            assert!(options.set(entry.name, true), "{}", entry.name);
            assert!((entry.is_on)(&options), "{}", entry.name);
        }
    }
}
