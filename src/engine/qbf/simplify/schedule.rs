//! Which technique runs when: rounds from cheap to dear, until a round changes little or the effort is used up.

use super::options::Technique;
use super::store::{Halt, Simplifier};
use super::{autarky, blocked, depend, eliminate, equivalence, expand, probe, sat_checks, subsume, vivify};
use crate::formula::ClauseArena;
use crate::statistics::Statistics;
use std::time::Instant;

/// A technique as the schedule sees it.
struct Entry {
    technique: Technique,
    /// Is told the time of its last complete run.
    run: fn(&mut Simplifier<'_>, u32) -> Result<(), Halt>,
    /// What one run may cost, in percent of the total effort.
    share: u64,
    /// Runs again only after the formula has changed by a tenth.
    dear: bool,
}

const fn cheap(technique: Technique, run: fn(&mut Simplifier<'_>, u32) -> Result<(), Halt>, share: u64) -> Entry {
    Entry { technique, run, share, dear: false }
}

const fn dear(technique: Technique, run: fn(&mut Simplifier<'_>, u32) -> Result<(), Halt>, share: u64) -> Entry {
    Entry { technique, run, share, dear: true }
}

/// The techniques of a round, in order. Universal reduction, unit propagation and pure literals are everywhere.
const ROUND: &[Entry] = &[
    cheap(Technique::Equivalences, |s, _| equivalence::run(s), 5),
    cheap(Technique::Subsumption, |s, _| subsume::run(s), 10),
    dear(Technique::FailedLiterals, |s, _| probe::run(s), 8),
    cheap(Technique::BlockedClauses, blocked::run, 30),
    cheap(Technique::BlockedLiterals, |s, _| blocked::drop_literals(s), 5),
    cheap(Technique::Elimination, eliminate::run, 15),
    dear(Technique::Dependencies, |s, _| depend::run(s), 8),
    dear(Technique::Vivification, vivify::run, 8),
    dear(Technique::Autarkies, |s, _| autarky::run(s), 5),
    dear(Technique::SatChecks, |s, _| sat_checks::run(s), 10),
];

/// What makes the formula larger waits until the others are through.
const EXPANSION: Entry = cheap(Technique::Expansion, |s, _| expand::run(s, expansion_limit(s)), 20);

/// Loads the formula and simplifies it.
pub(super) fn run(s: &mut Simplifier<'_>, matrix: &ClauseArena, statistics: &mut Statistics) -> Result<(), Halt> {
    s.allot(u64::MAX);
    for clause in matrix {
        s.add_clause(clause)?;
        s.effort += clause.len() as u64;
        s.poll()?;
    }
    statistics.add(LOADED, 1);
    s.loaded_lits = s.num_lits();
    timed(s, Technique::UnitPropagation.name(), statistics, |s| {
        s.propagate()?;
        s.check_all_pure()
    })?;
    let mut last_runs = vec![(0, 0); ROUND.len()];
    shrink(s, &mut last_runs, statistics)?;
    if !s.options.expansion || s.num_lits() > MAX_EXPANDED {
        return Ok(());
    }
    // Expansion is a bet: if it neither decides the formula nor saves a block, it has only made the formula larger.
    let before = s.clone();
    let blocks = s.renumber_levels();
    let result = grow(s, &mut last_runs, statistics);
    let won = s.renumber_levels() < blocks && size(s) <= 3 * size(&before);
    if !matches!(result, Err(Halt::Decided(_))) && !won {
        statistics.add("simplify_expansions_undone", 1);
        let effort = s.effort;
        *s = before;
        s.effort = effort;
    }
    result
}

/// Larger formulas are not expanded.
const MAX_EXPANDED: usize = 2_000_000;

/// When a technique last began a complete run: the clock, and the size of the formula.
type LastRun = (u32, usize);

/// Rounds of everything that does not let the formula grow, until little happens.
fn shrink(s: &mut Simplifier<'_>, last_runs: &mut [LastRun], statistics: &mut Statistics) -> Result<(), Halt> {
    for _ in 0..s.options.rounds {
        let before = size(s);
        statistics.add("simplify_rounds", 1);
        for (entry, last) in ROUND.iter().zip(&mut *last_runs) {
            if entry.dear && last.1.abs_diff(size(s)) * 10 <= size(s) {
                continue;
            }
            if !step(s, entry, last, statistics)? {
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
fn grow(s: &mut Simplifier<'_>, last_runs: &mut [LastRun], statistics: &mut Statistics) -> Result<(), Halt> {
    for _ in 0..s.options.rounds {
        let before = s.num_universals();
        if !step(s, &EXPANSION, &mut (0, 0), statistics)? || s.num_universals() == before {
            return Ok(());
        }
        shrink(s, last_runs, statistics)?;
    }
    Ok(())
}

/// Runs a technique if it is on. False if it is time to end.
fn step(s: &mut Simplifier<'_>, entry: &Entry, last: &mut LastRun, statistics: &mut Statistics) -> Result<bool, Halt> {
    let technique = entry.technique;
    // Dropping dependencies and shifting blocks share their search.
    let on = s.options.is_on(technique) || (technique == Technique::Dependencies && s.options.shifting);
    if !on {
        return Ok(true);
    }
    let total = s.options.effort;
    if s.effort > total {
        return Ok(false);
    }
    s.allot(total / 100 * entry.share);
    let begun = (s.clock, size(s));
    let since = last.0;
    timed(s, technique.name(), statistics, |s| match (entry.run)(s, since) {
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

const LOADED: &str = "simplify_loads";

/// Whether the formula was loaded completely.
pub(super) fn is_loaded(statistics: &Statistics) -> bool {
    statistics.get(LOADED) > 0.0
}

/// What a round is judged by.
fn size(s: &Simplifier<'_>) -> usize {
    s.num_lits() + s.num_clauses()
}

/// Runs something and books what it removed.
fn timed(
    s: &mut Simplifier<'_>,
    name: &str,
    statistics: &mut Statistics,
    run: impl FnOnce(&mut Simplifier<'_>) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let started = Instant::now();
    let before = (s.num_clauses(), count_vars(s), s.renumber_levels());
    let result = run(s);
    let after = (s.num_clauses(), count_vars(s), s.renumber_levels());
    statistics.add(&format!("simplify_{name}_runs"), 1);
    statistics.add_signed(&format!("simplify_{name}_clauses"), before.0 as i64 - after.0 as i64);
    statistics.add_signed(&format!("simplify_{name}_variables"), before.1 as i64 - after.1 as i64);
    statistics.add_signed(&format!("simplify_{name}_blocks"), before.2 as i64 - after.2 as i64);
    statistics.add_time(&format!("simplify_{name}_seconds"), started.elapsed());
    result
}

fn count_vars(s: &Simplifier<'_>) -> usize {
    s.all_vars().filter(|&var| s.occurs(var)).count()
}
