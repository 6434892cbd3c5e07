//! Which existential variables really depend on a universal one: resolution paths.
//!
//! A *resolution path* from a literal `l` goes from clause to clause over complementary literals of existential variables
//! to the right of the universal variable `u`; it ends in any literal of its last clause. The existential variable `y`
//! depends on `u` only if paths lead from `u` to `y` and from `-u` to `-y`, or from `u` to `-y` and from `-u` to `y`
//! (the reflexive resolution-path scheme; Slivovsky and Szeider, *Soundness of Q-resolution with dependency schemes*,
//! TCS 2016). All other dependencies may be dropped at once without changing the truth value, also when the rest is not a
//! linear prefix any more (Wimmer, Scholl, Wimmer, Becker, *Dependency schemes for DQBF*, SAT 2016), so each `y` may see
//! any set of universal variables between those it depends on and those to its left. Three uses:
//!
//! * a universal literal is dropped from a clause none of whose existential variables depends on it;
//! * an existential block all of whose variables can move to the left of the universal block before it does so, which
//!   removes an alternation (technique *shifting*);
//! * [expansion](super::expand) copies only what depends on the expanded variable.

use super::store::{ClauseId, Halt, Simplifier};
use gamesat_core::formula::{Lit, Var};

/// Finds dependents, one universal variable after the other.
pub(super) struct Paths {
    /// Per literal, bit 1: reached from `u`, bit 2: reached from `-u`.
    reached: Vec<u8>,
    /// Per literal, the same bits for having been entered, that is, used as a connection.
    entered: Vec<u8>,
    touched: Vec<Lit>,
    open: Vec<Lit>,
}

impl Paths {
    pub(super) fn new(s: &Simplifier<'_>) -> Self {
        let codes = 2 * s.num_vars();
        Paths { reached: vec![0; codes], entered: vec![0; codes], touched: Vec::new(), open: Vec::new() }
    }

    /// The existential variables that depend on the universal variable `u`, in no particular order.
    pub(super) fn dependents(&mut self, s: &mut Simplifier<'_>, u: Var) -> Result<Vec<Var>, Halt> {
        self.reached.resize(2 * s.num_vars(), 0);
        self.entered.resize(2 * s.num_vars(), 0);
        for lit in self.touched.drain(..) {
            self.reached[lit.code()] = 0;
            self.entered[lit.code()] = 0;
            self.entered[(!lit).code()] = 0;
        }
        let mut effort = 0;
        for (start, bit) in [(u.positive(), 1), (u.negative(), 2)] {
            self.open.push(start);
            while let Some(entry) = self.open.pop() {
                s.clean(entry);
                for &id in s.cleaned_clauses_of(entry) {
                    effort += self.visit(s, id, entry, s.level(u), bit);
                }
            }
        }
        s.work(effort)?;
        let code = |lit: Lit| self.reached[lit.code()];
        let mut found = Vec::new();
        for &lit in &self.touched {
            // Each variable once: from its positive literal if that was reached at all.
            if lit.is_negative() && code(!lit) != 0 {
                continue;
            }
            let (positive, negative) = (code(lit), code(!lit));
            if (positive & 1 != 0 && negative & 2 != 0) || (positive & 2 != 0 && negative & 1 != 0) {
                found.push(lit.var());
            }
        }
        Ok(found)
    }

    /// Marks what a clause connects with the literal by which it was entered.
    fn visit(&mut self, s: &Simplifier<'_>, id: ClauseId, entry: Lit, level: u32, bit: u8) -> usize {
        for &lit in s.clause(id) {
            if lit == entry || !s.exists(lit.var()) || s.level(lit.var()) <= level {
                continue;
            }
            if self.reached[lit.code()] == 0 {
                self.touched.push(lit);
            }
            self.reached[lit.code()] |= bit;
            if self.entered[(!lit).code()] & bit == 0 {
                self.entered[(!lit).code()] |= bit;
                self.open.push(!lit);
            }
        }
        s.clause(id).len()
    }
}

/// The active universal variables, innermost first.
pub(super) fn universals(s: &Simplifier<'_>) -> Vec<Var> {
    let mut vars: Vec<Var> = s.all_vars().filter(|&var| !s.exists(var) && s.occurs(var)).collect();
    vars.sort_by_key(|&var| (std::cmp::Reverse(s.level(var)), var));
    vars
}

/// Drops universal literals from clauses without a variable that depends on them, then moves existential blocks to the
/// left where that makes a block disappear; each if it is switched on.
pub(super) fn run(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    s.renumber_levels();
    let mut paths = Paths::new(s);
    let mut depends = vec![false; s.num_vars()];
    // For each existential variable one more than the innermost level it depends on. Dropping literals only removes
    // paths, so what was found for one universal variable stays on the safe side while others are treated.
    let mut earliest = vec![0; s.num_vars()];
    for u in universals(s) {
        if !s.occurs(u) {
            continue;
        }
        let dependents = paths.dependents(s, u)?;
        for &var in &dependents {
            depends[var.index()] = true;
            earliest[var.index()] = earliest[var.index()].max(s.level(u) + 1);
        }
        if s.options.dependencies {
            drop_independent(s, u, &depends)?;
        }
        for &var in &dependents {
            depends[var.index()] = false;
        }
    }
    if s.options.shifting { shift(s, &earliest) } else { Ok(()) }
}

/// Drops the literals of `u` from clauses in which nothing depends on it.
fn drop_independent(s: &mut Simplifier<'_>, u: Var, depends: &[bool]) -> Result<(), Halt> {
    let mut dropped = Vec::new();
    for lit in [u.positive(), u.negative()] {
        for &id in s.clauses_of(lit).to_vec().iter() {
            if !s.clause(id).iter().any(|other| depends[other.var().index()]) {
                dropped.push((id, lit));
            }
        }
    }
    if !dropped.is_empty() {
        s.reconstruction.forget_universal(s.level(u) == 0);
    }
    for (id, lit) in dropped {
        // Only the clause itself is touched here, so the others on the list still have the literal.
        s.strengthen(id, lit)?;
    }
    s.propagate()
}

/// Moves every existential block whose variables all may be chosen earlier.
fn shift(s: &mut Simplifier<'_>, earliest: &[u32]) -> Result<(), Halt> {
    let levels = s.all_vars().map(|var| s.level(var) as usize + 1).max().unwrap_or(0);
    let mut members: Vec<Vec<Var>> = vec![Vec::new(); levels];
    for var in s.all_vars().filter(|&var| s.exists(var) && s.occurs(var)) {
        members[s.level(var) as usize].push(var);
    }
    let movable = |level: usize| {
        level > 0 && !members[level].is_empty() && members[level].iter().all(|var| earliest[var.index()] < level as u32)
    };
    let moving: Vec<usize> = (0..levels).filter(|&level| movable(level)).collect();
    if moving.is_empty() {
        return Ok(());
    }
    let outermost_universal = s.all_vars().any(|var| !s.exists(var) && s.occurs(var) && s.level(var) == 0);
    // What each of them stands behind from now on.
    for &var in moving.iter().flat_map(|&level| &members[level]) {
        let before = |&u: &Var| !s.exists(u) && s.occurs(u) && s.level(u) < earliest[var.index()];
        let behind = s.all_vars().filter(before).max_by_key(|&u| s.level(u));
        s.reconstruction.moved(var, behind);
    }
    // Room for an existential block to the left of an outermost universal one.
    for var in s.all_vars() {
        s.set_level(var, s.level(var) + 2);
    }
    for &var in moving.iter().flat_map(|&level| &members[level]) {
        // What depends on nothing goes to the left of an outermost universal block, else into the outermost block.
        let before_all = earliest[var.index()] == 0 && outermost_universal;
        s.reconstruction.forget_universal(before_all);
        s.set_level(var, if before_all { 1 } else { earliest[var.index()] + 2 });
        s.touch(var);
    }
    s.renumber_levels();
    reduce_all(s)
}

/// Universal reduction of every clause, after the prefix changed.
fn reduce_all(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    for id in s.clause_ids() {
        if s.is_live(id) {
            s.note(false, id);
            s.settle(id)?;
        }
    }
    s.propagate()
}
