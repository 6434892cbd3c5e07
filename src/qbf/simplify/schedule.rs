//! Which technique runs when: rounds from cheap to dear, until a round changes little or the effort is used up.

use super::options::Technique;
use super::store::{Halt, Simplifier};
use super::{autarky, blocked, depend, eliminate, equivalence, expand, probe, sat_checks, subsume, vivify};
use crate::formula::ClauseArena;
use crate::statistics::Statistics;
use std::time::Instant;

/// A technique as the schedule sees it: its name, its function, which is told the time of its last complete run, and its
/// share of the total effort in a round, in percent.
type Entry = (Technique, fn(&mut Simplifier<'_>, u32) -> Result<(), Halt>, u64);

/// The techniques of a round, in order. Universal reduction, unit propagation and pure literals are everywhere.
const ROUND: &[Entry] = &[
    (Technique::Equivalences, |s, _| equivalence::run(s), 2),
    (Technique::Subsumption, |s, _| subsume::run(s), 5),
    (Technique::FailedLiterals, |s, _| probe::run(s), 5),
    (Technique::BlockedClauses, blocked::run, 10),
    (Technique::BlockedLiterals, |s, _| blocked::drop_literals(s), 5),
    (Technique::Dependencies, |s, _| depend::run(s), 5),
    (Technique::Shifting, |s, _| depend::shift(s), 5),
    (Technique::Elimination, eliminate::run, 10),
    (Technique::Vivification, vivify::run, 5),
    (Technique::Autarkies, |s, _| autarky::run(s), 5),
    (Technique::SatChecks, |s, _| sat_checks::run(s), 10),
    (Technique::Expansion, |s, _| expand::run(s, expansion_limit(s)), 10),
];

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
    let started = Instant::now();
    let total = s.options.effort;
    let mut last_run = vec![0; ROUND.len()];
    for _ in 0..s.options.rounds {
        let before = size(s);
        statistics.add("simplify_rounds", 1);
        for (index, &(technique, run, share)) in ROUND.iter().enumerate() {
            if !s.options.is_on(technique) {
                continue;
            }
            let out_of_time = s.options.time.is_some_and(|time| started.elapsed() > time);
            if out_of_time || s.effort > total {
                return Ok(());
            }
            s.allot(total / 100 * share);
            let begun = s.clock;
            timed(s, technique.name(), statistics, |s| match run(s, last_run[index]) {
                Ok(()) => {
                    last_run[index] = begun;
                    s.propagate()
                }
                Err(Halt::Budget) => s.propagate(),
                decided_or_stopped => decided_or_stopped,
            })?;
            s.clock += 1;
            s.collect_garbage();
            if s.num_clauses() == 0 {
                return Err(Halt::Decided(true));
            }
        }
        let after = size(s);
        if before.abs_diff(after) * 200 <= before {
            break;
        }
    }
    Ok(())
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
