//! Clauses and universal literals that propagation shows to be redundant: QRAT+.
//!
//! Assume that every literal of a clause is false and propagate with universal reduction, on the *abstraction* in which all
//! blocks up to the innermost one of the clause are existential. If that ends in a conflict, the clause is an *asymmetric
//! tautology*: whoever plays by Skolem functions of the other clauses satisfies it in every play, since a play that makes it
//! false would be a position of the abstraction from which the rest is lost. So it may go, and nothing is to be recorded.
//!
//! Else let `l` be an existential literal of the clause `C`. For every clause `D` with `-l` the *outer resolvent* is `C` and those
//! literals of `D` other than `-l` that are not to the right of `l`. If each of them is an asymmetric tautology of the clauses
//! without `C`, then `C` may go (Lonsing and Egly, *QRAT+: Generalizing QRAT by a more powerful QBF redundancy property*, IJCAR
//! 2018; blocked clauses are those whose outer resolvents are plain tautologies). On the way back, should the literals of `C`
//! that are not to the right of `l` be false, then
//!
//! * if each `D` has a true literal not to the right of `l`, `l` is made true, and neither `C` nor any `D` minds;
//! * else `l` stays as it is: it is true, or the outer resolvent says that a later literal of `C` is.
//!
//! The second case cannot occur with `l` false if `C` has no literal to the right of `l`, or if `D` contains the negation of a
//! literal of `C` not to the right of `l`: only the other `D` need to be asked, by one step for every way to choose one
//! literal of each.
//!
//! *Universal* literals have the mirror image: `u` may be dropped from `C` if all outer resolvents, here without `u`, are
//! asymmetric tautologies, of all clauses this time: `C` says that `u` is true where its rest is false, and a player who
//! satisfies it satisfies the outer resolvents. On the way back `u` is made false in the first case, and stays in the second.
//! Herbrand functions survive only if no universal reduction was used, so that in a run which insists on them all variables
//! count as existential.

use super::propagator::{Propagator, Row};
use super::store::{ClauseId, Halt, Simplifier};
use crate::options::Functions;
use gamesat_core::formula::{Lit, Var};

/// Longer clauses are left alone.
const MAX_LENGTH: usize = 100;
/// Literals whose negation occurs more often are not tried.
const MAX_OCCURRENCES: usize = 50;
/// Most steps that one removal may leave on the way back.
const MAX_STEPS: usize = 16;

/// Removes redundant clauses, then redundant universal literals.
pub(super) fn run(s: &mut Simplifier<'_>, since: u32) -> Result<(), Halt> {
    remove_clauses(s, since)?;
    s.propagate()?;
    drop_literals(s, since)?;
    s.propagate()
}

/// What outer resolvents are tested with.
struct Test {
    propagator: Propagator,
    /// For clauses with `-l` that the way back must ask: their literals not to the right of `l`.
    asked: Vec<Vec<Lit>>,
}

impl Test {
    /// `None` if propagation alone has something to say, which is not this technique's affair: what follows from the
    /// clauses that are to be tested must not be used in the test.
    fn new(s: &Simplifier<'_>) -> Option<Self> {
        let propagator = Propagator::new(s, 0).ok()?;
        propagator.trail().is_empty().then(|| Test { propagator, asked: Vec::new() })
    }

    /// Assumes that the literals are false. Whether that ends in a conflict.
    fn refutes(&mut self, lits: impl IntoIterator<Item = Lit>) -> bool {
        lits.into_iter().any(|lit| self.propagator.assume(!lit).is_err()) || self.propagator.propagate().is_err()
    }

    /// Whether the outer resolvents of the clause `rest`, whose literals are assumed to be false, and the clauses with `-lit` are
    /// asymmetric tautologies.
    fn all_redundant(&mut self, s: &mut Simplifier<'_>, lit: Lit, rest: &[Lit]) -> bool {
        self.asked.clear();
        if s.count(!lit) > MAX_OCCURRENCES {
            return false;
        }
        s.clean(!lit);
        let level = s.level(lit.var());
        let is_outer = |other: Lit| other.var() != lit.var() && s.level(other.var()) <= level;
        // Something of the clause is chosen later.
        let open = rest.iter().any(|&other| s.level(other.var()) > level);
        let base = self.propagator.trail().len();
        let mut steps = 1;
        for &id in s.cleaned_clauses_of(!lit) {
            let outer = || s.clause(id).iter().copied().filter(|&other| is_outer(other));
            let redundant = outer().any(|other| self.propagator.value(other) == Some(true)) || {
                let refuted = outer().any(|other| self.propagator.value(other).is_none()) && self.refutes(outer());
                self.propagator.backtrack(base);
                refuted
            };
            if !redundant {
                return false;
            }
            // The same is refused whether or not somebody wants to go back, so that everybody gets the same formula.
            if open && !outer().any(|other| rest.contains(&!other)) {
                let choices: Vec<Lit> = outer().collect();
                steps *= choices.len();
                if steps > MAX_STEPS {
                    return false;
                }
                self.asked.push(choices);
            }
        }
        true
    }

    /// Notes that `lit` has to be true if the rest of its clause that is chosen no later is false, and every clause that must be
    /// asked has a true literal.
    fn record(&self, s: &mut Simplifier<'_>, lit: Lit, rest: &[Lit]) {
        let choices: usize = self.asked.iter().map(Vec::len).product();
        for choice in 0..choices {
            let mut condition = rest.to_vec();
            let mut number = choice;
            for lits in &self.asked {
                condition.push(!lits[number % lits.len()]);
                number /= lits.len();
            }
            s.record_unless(lit, &condition);
        }
    }
}

/// The clauses near which anything changed since the clock showed `since`, with their rows and the levels of their innermost
/// literals: watches that were chosen for an abstraction serve those with more existential blocks, so outer clauses come first.
fn candidates(s: &Simplifier<'_>, propagator: &Propagator, since: u32) -> Vec<(u32, Row)> {
    let mut found = Vec::new();
    for row in 0..propagator.num_rows() as Row {
        let clause = s.clause(propagator.sources[row as usize]);
        if clause.len() <= MAX_LENGTH && clause.iter().any(|lit| s.touched_since(lit.var(), since)) {
            found.push((innermost(s, clause), row));
        }
    }
    found.sort_by_key(|&(level, _)| level);
    found
}

fn innermost(s: &Simplifier<'_>, clause: &[Lit]) -> u32 {
    clause.iter().map(|lit| s.level(lit.var())).max().unwrap_or(0)
}

/// Removes clauses that are redundant by themselves or for an existential literal.
fn remove_clauses(s: &mut Simplifier<'_>, since: u32) -> Result<(), Halt> {
    let Some(mut test) = Test::new(s) else { return Ok(()) };
    for (level, row) in candidates(s, &test.propagator, since) {
        let id = test.propagator.sources[row as usize];
        let clause = s.clause(id).to_vec();
        test.propagator.abstraction = level;
        test.propagator.ignored = Some(row);
        let redundant = test.refutes(clause.iter().copied());
        let blocking = if redundant {
            None
        } else {
            let mut existential =
                clause.iter().copied().filter(|lit| s.exists(lit.var())).collect::<Vec<_>>().into_iter();
            existential.find(|&lit| test.all_redundant(s, lit, &clause))
        };
        test.propagator.backtrack(0);
        test.propagator.ignored = None;
        if redundant || blocking.is_some() {
            if let Some(lit) = blocking {
                test.record(s, lit, &clause);
            }
            s.remove_clause(id);
            test.propagator.remove_row(row);
        }
        let effort = std::mem::take(&mut test.propagator.effort);
        s.work(effort as usize)?;
    }
    Ok(())
}

/// Drops universal literals that are redundant, until one leaves a unit: what follows from it comes first.
fn drop_literals(s: &mut Simplifier<'_>, since: u32) -> Result<(), Halt> {
    let Some(mut test) = Test::new(s) else { return Ok(()) };
    let universal = |var: Var, s: &Simplifier<'_>| !s.exists(var) && s.occurs(var);
    let innermost_universal = s.all_vars().filter(|&var| universal(var, s)).map(|var| s.level(var)).max();
    let Some(innermost_universal) = innermost_universal else { return Ok(()) };
    for (level, row) in candidates(s, &test.propagator, since) {
        let id = test.propagator.sources[row as usize];
        test.propagator.abstraction = if s.options.functions == Functions::Both { u32::MAX } else { level };
        while let Some(lit) = droppable(s, &mut test, id) {
            if test.propagator.abstraction < innermost_universal {
                s.reconstruction.forget_universal(false);
            }
            s.strengthen(id, lit)?;
            if !s.pending.is_empty() {
                return Ok(());
            }
            // The row keeps the literal and says a little less than it could.
        }
        let effort = std::mem::take(&mut test.propagator.effort);
        s.work(effort as usize)?;
    }
    Ok(())
}

/// A universal literal of the clause that is redundant, after the steps of its way back were recorded: none if what is left of
/// the clause is an asymmetric tautology itself.
fn droppable(s: &mut Simplifier<'_>, test: &mut Test, id: ClauseId) -> Option<Lit> {
    let clause = s.clause(id).to_vec();
    for &lit in &clause {
        if s.exists(lit.var()) {
            continue;
        }
        let rest: Vec<Lit> = clause.iter().copied().filter(|&other| other != lit).collect();
        let implied = test.refutes(rest.iter().copied());
        let redundant = !implied && test.all_redundant(s, lit, &rest);
        test.propagator.backtrack(0);
        if redundant {
            test.record(s, !lit, &rest);
        }
        if implied || redundant {
            return Some(lit);
        }
    }
    None
}
