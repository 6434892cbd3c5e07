//! Learning from a constraint that fails, by long-distance resolution.
//!
//! The loser's forced literals are resolved away in the reverse order of the trail, each with the constraint that forced
//! it, until what is left would have forced the loser's hand at an earlier decision level (Zhang & Malik, "Conflict driven
//! learning in a quantified Boolean satisfiability solver", 2002). The other player's literals deeper than all of the
//! loser's fall at every step (universal reduction, and existential reduction for cubes).
//!
//! Two constraints may be resolved although the other player's variable `u` occurs in them with both signs, if `u` is
//! deeper than the pivot `p`; both literals are kept (long-distance resolution, sound by Balabanov & Jiang 2012; Egly,
//! Lonsing and Widl 2013 for clauses and cubes). Here that is always so: `u` cannot have been false before `p` was forced,
//! for then its negation is true in the constraint at hand, all of whose literals were false or open at that time; so it
//! was open, and did not keep `p` from being forced.
//!
//! Literals of level 0 are left out: they are forced in every play that their owner does not lose.

use super::constraints::{Place, Watch};
use super::{FALSE, OPEN, Search};
use gamesat_core::control::StopReason;
use gamesat_core::formula::{Lit, Quantifier, Var};

/// The constraint under construction.
#[derive(Debug, Default)]
pub(super) struct Analysis {
    owner: Option<Quantifier>,
    /// Which literals of a variable it contains: bit 1 the positive, bit 2 the negative one.
    pub(super) signs: Vec<u8>,
    /// Its variables, and some that it had before.
    owned: Vec<Var>,
    others: Vec<Var>,
    /// The owner's literals by decision level and by block.
    at_level: Vec<u32>,
    in_block: Vec<u32>,
    /// The owner's literals, and the deepest block of them.
    count: usize,
    deepest: usize,
    /// What is learnt.
    pub(super) learnt: Vec<Lit>,
}

impl Analysis {
    pub(super) fn new(vars: usize, blocks: usize) -> Self {
        Analysis { signs: vec![0; vars], at_level: vec![0; vars + 1], in_block: vec![0; blocks], ..Analysis::default() }
    }
}

/// What follows from a failed constraint.
pub(super) enum Lesson {
    /// Its owner has lost whatever was decided.
    Lost,
    /// Its owner's first learnt literal is forced once decisions beyond this level are taken back.
    Forced(usize),
}

/// Which literals of a variable are in a constraint, as a bit.
fn sign(lit: Lit) -> u8 {
    if lit.is_positive() { 1 } else { 2 }
}

impl Search<'_> {
    /// Learns from literals that fail for their owner; the result is in `analysis.learnt`. If the owner has lost, these are
    /// the literals of the other player's outermost block on which that rests.
    pub(super) fn analyse(&mut self, owner: Quantifier, failed: &[Lit]) -> Lesson {
        self.analysis.owner = Some(owner);
        failed.iter().for_each(|&lit| self.include(lit));
        self.reduce_others();
        let mut at = self.trail.len();
        let lesson = loop {
            if self.analysis.count == 0 {
                let rest: Vec<Lit> = self.contained().collect();
                self.analysis.learnt = rest;
                break Lesson::Lost;
            }
            // The loser's literal that became false last.
            at -= 1;
            let pivot = self.trail[at];
            let var = pivot.var();
            if self.analysis.signs[var.index()] == 0 || self.owner[var.index()] != owner {
                continue;
            }
            if self.forces(pivot) {
                self.analysis.learnt.clear();
                self.analysis.learnt.push(!pivot);
                let rest: Vec<Lit> = self.contained().filter(|&lit| lit != !pivot).collect();
                self.analysis.learnt.extend(rest);
                self.shorten();
                self.glue = self.spread();
                break Lesson::Forced(self.second_watch());
            }
            self.exclude(var);
            let Some(reason) = self.reasons[var.index()] else {
                unreachable!("what the loser decided is forced by what is left")
            };
            self.work += self.constraints.lits(reason).len() as u64;
            self.trace.iter_mut().for_each(|trace| trace.resolve(var, reason));
            for i in 0..self.constraints.lits(reason).len() {
                let lit = self.constraints.lits(reason)[i];
                if lit != pivot {
                    self.include(lit);
                }
            }
            self.reduce_others();
        };
        self.clear();
        lesson
    }

    /// The literals of the constraint at hand.
    fn contained(&self) -> impl Iterator<Item = Lit> + '_ {
        let Analysis { owned, others, signs, .. } = &self.analysis;
        owned.iter().chain(others).flat_map(|&var| {
            let signs = signs[var.index()];
            [var.positive(), var.negative()].into_iter().filter(move |&lit| signs & sign(lit) != 0)
        })
    }

    fn include(&mut self, lit: Lit) {
        let var = lit.var();
        if self.levels[var.index()] == 0 && self.values[lit.code()] != OPEN {
            if Some(self.owner[var.index()]) == self.analysis.owner {
                self.trace.iter_mut().for_each(|trace| trace.resolve_fact(var));
            }
            return;
        }
        let analysis = &mut self.analysis;
        let before = analysis.signs[var.index()];
        analysis.signs[var.index()] |= sign(lit);
        if before != 0 {
            return;
        }
        self.order.bump(var);
        if Some(self.owner[var.index()]) == analysis.owner {
            debug_assert_eq!(self.values[lit.code()], FALSE);
            let block = self.block[var.index()] as usize;
            analysis.owned.push(var);
            analysis.count += 1;
            analysis.at_level[self.levels[var.index()] as usize] += 1;
            analysis.in_block[block] += 1;
            analysis.deepest = analysis.deepest.max(block);
        } else {
            analysis.others.push(var);
        }
    }

    /// Takes one of the owner's variables out.
    fn exclude(&mut self, var: Var) {
        let analysis = &mut self.analysis;
        analysis.signs[var.index()] = 0;
        analysis.count -= 1;
        analysis.at_level[self.levels[var.index()] as usize] -= 1;
        analysis.in_block[self.block[var.index()] as usize] -= 1;
        // It stays in the list, without a sign. It cannot come back: reasons contain only what became false before.
    }

    /// Drops the other player's literals that are deeper than all of the owner's. If none of the owner's is left, those of
    /// the outermost block stay for the record.
    fn reduce_others(&mut self) {
        let analysis = &mut self.analysis;
        while analysis.deepest > 0 && analysis.in_block[analysis.deepest] == 0 {
            analysis.deepest -= 1;
        }
        let block = &self.block;
        let Analysis { others, signs, deepest, .. } = analysis;
        others.retain(|var| {
            let stays = block[var.index()] as usize <= *deepest;
            if !stays {
                signs[var.index()] = 0;
            }
            stays
        });
    }

    /// Whether the constraint at hand forces the negation of `pivot`, the last of its owner's literals on the trail, at an
    /// earlier decision level, and that owner decided on the pivot's level (or else it could not have chosen otherwise).
    fn forces(&self, pivot: Lit) -> bool {
        let (level, block) = (self.levels[pivot.var().index()], self.block[pivot.var().index()]);
        let analysis = &self.analysis;
        let decision = self.trail[self.decisions[level as usize - 1]];
        analysis.at_level[level as usize] == 1
            && Some(self.owner[decision.var().index()]) == analysis.owner
            && analysis.others.iter().all(|var| {
                let index = var.index();
                // Both signs mean that one of them is true or both are open.
                self.block[index] > block
                    || (self.levels[index] < level && analysis.signs[index] == sign_if_false(*var, &self.values))
            })
    }

    /// Leaves out literals of the owner whose reason contains nothing but what is in the constraint (self-subsuming
    /// resolution; Sörensson & Biere 2009, for one step).
    fn shorten(&mut self) {
        let Analysis { learnt, signs, deepest, owner, .. } = &mut self.analysis;
        let owner = *owner;
        let mut kept = 1;
        let mut dropped = Vec::new();
        for at in 1..learnt.len() {
            let lit = learnt[at];
            let var = lit.var();
            let useless = Some(self.owner[var.index()]) == owner
                && self.reasons[var.index()].is_some_and(|reason| {
                    self.constraints.lits(reason).iter().all(|&other| {
                        let index = other.var().index();
                        other.var() == var
                            || (self.levels[index] == 0 && self.values[other.code()] == FALSE)
                            || signs[index] == sign(other)
                    })
                });
            if !useless {
                learnt[kept] = lit;
                kept += 1;
            } else if self.trace.is_some() {
                dropped.push(var);
            }
        }
        learnt.truncate(kept);
        // The deepest literal of the owner may have gone, and others with it.
        let is_owned = |lit: &Lit| Some(self.owner[lit.var().index()]) == owner;
        let block_of = |lit: &Lit| self.block[lit.var().index()] as usize;
        let now = learnt.iter().filter(|lit| is_owned(lit)).map(block_of).max().unwrap_or(0);
        if now < *deepest {
            learnt.retain(|lit| block_of(lit) <= now);
        }
        self.trace_dropped(dropped);
    }

    /// Puts the literal that became false last, of those that keep the first one from being forced, in second place. Its
    /// level is the one to return to.
    fn second_watch(&mut self) -> usize {
        let Analysis { learnt, owner, .. } = &mut self.analysis;
        let block = self.block[learnt[0].var().index()];
        let mut best: Option<(u32, usize)> = None;
        for (at, lit) in learnt.iter().enumerate().skip(1) {
            let index = lit.var().index();
            if (Some(self.owner[index]) == *owner || self.block[index] < block)
                && best.is_none_or(|(level, _)| level < self.levels[index])
            {
                best = Some((self.levels[index], at));
            }
        }
        best.map_or(0, |(level, at)| {
            learnt.swap(1, at);
            level as usize
        })
    }

    fn clear(&mut self) {
        let analysis = &mut self.analysis;
        for var in analysis.owned.drain(..) {
            analysis.at_level[self.levels[var.index()] as usize] = 0;
            analysis.in_block[self.block[var.index()] as usize] = 0;
            analysis.signs[var.index()] = 0;
        }
        for var in analysis.others.drain(..) {
            analysis.signs[var.index()] = 0;
        }
        analysis.count = 0;
        analysis.deepest = 0;
    }

    /// Keeps what was learnt and lets it force its first literal. To be called at the level that the lesson names.
    ///
    /// # Errors
    /// There is no room for it.
    pub(super) fn keep(&mut self, owner: Quantifier) -> Result<(), StopReason> {
        let learnt = std::mem::take(&mut self.analysis.learnt);
        // What is forced without condition needs no reason.
        let mut place = None;
        if learnt.len() == 1
            && let Some(trace) = &mut self.trace
        {
            let id = trace.last();
            trace.note_fact(learnt[0].var(), id);
        }
        if learnt.len() > 1 {
            let kept = self.constraints.push(&learnt, owner, true, self.glue).ok_or(StopReason::Memory)?;
            self.learnt[owner as usize] += 1;
            self.watch(kept);
            if let Some(trace) = &mut self.trace {
                let id = trace.last();
                trace.name(kept, id);
            }
            place = Some(kept);
        }
        self.enqueue(learnt[0], place);
        self.analysis.learnt = learnt;
        Ok(())
    }

    /// Enters a constraint into the watch lists of its first two literals.
    pub(super) fn watch(&mut self, constraint: Place) {
        let lits = self.constraints.lits(constraint);
        let (first, second) = (lits[0], lits[1]);
        self.watches[first.code()].push(Watch { constraint, blocker: second });
        self.watches[second.code()].push(Watch { constraint, blocker: first });
    }

    /// Decision levels over which the false literals that are learnt are spread.
    fn spread(&mut self) -> u32 {
        self.stamp += 1;
        let mut glue = 0;
        for lit in &self.analysis.learnt {
            if self.values[lit.code()] == FALSE {
                let stamp = &mut self.stamps[self.levels[lit.var().index()] as usize];
                glue += u32::from(std::mem::replace(stamp, self.stamp) != self.stamp);
            }
        }
        glue
    }
}

/// The signs of a variable in a constraint if only its false literal is there; 0 if it has no value.
fn sign_if_false(var: Var, values: &[i8]) -> u8 {
    match values[var.positive().code()] {
        OPEN => 0,
        FALSE => 1,
        _ => 2,
    }
}
