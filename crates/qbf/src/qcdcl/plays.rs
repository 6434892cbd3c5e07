//! Won plays that are kept from one question of a [session](super::session) to the next.
//!
//! A learnt cube rests on all clauses, so that it does not survive new ones. But the literals that satisfied the clauses there were
//! still do: only what is new needs literals, and often propagation finds them among the variables that the play left open. If
//! it does, these literals together imply the matrix as it is now, whatever they come from: a cube to begin with. Where a formula
//! grows step by step (Lonsing & Egly, "Incremental QBF solving", 2014), this spares the search all plays that it has won before.

use super::session::Session;
use super::{FALSE, OPEN, Search, TRUE};
use gamesat_core::control::StopReason;
use gamesat_core::formula::{Lit, Quantifier};

/// Literals of a won play.
#[derive(Debug)]
pub(super) struct Play {
    lits: Vec<Lit>,
    /// So many of the first clauses have one of them.
    clauses: usize,
}

/// Plays that are kept, and literals of all together.
const MOST: usize = 64;
const MOST_LITERALS: usize = 1 << 20;
/// Literals that may be looked at to continue one of them.
const EFFORT: usize = 1 << 16;

/// What is kept, and scratch.
#[derive(Debug, Default)]
pub(super) struct Plays {
    kept: Vec<Play>,
    /// Value of each literal.
    values: Vec<i8>,
    open: Vec<u32>,
}

impl Plays {
    /// Clauses beyond this number are gone.
    pub(super) fn truncate(&mut self, clauses: usize) {
        self.kept.iter_mut().for_each(|play| play.clauses = play.clauses.min(clauses));
    }

    /// Keeps plays that satisfy so many clauses. The oldest go if there are too many.
    pub(super) fn keep(&mut self, won: Vec<Vec<Lit>>, clauses: usize) {
        self.kept.extend(won.into_iter().map(|lits| Play { lits, clauses }));
        let mut literals = 0;
        let newest = self.kept.iter().rev().take(MOST).take_while(|play| {
            literals += play.lits.len();
            literals <= MOST_LITERALS
        });
        self.kept.drain(..self.kept.len() - newest.count());
    }
}

impl Session {
    /// Continues the plays that are kept, as far as they can be, and lets a search begin with their cubes. False if these leave
    /// nothing to the universal player.
    pub(super) fn resume_plays(&mut self, search: &mut Search<'_>) -> Result<bool, StopReason> {
        let mut plays = std::mem::take(&mut self.plays);
        plays.values.resize(2 * self.matrix.original.len(), OPEN);
        let mut goes_on = Ok(true);
        plays.kept.retain_mut(|play| {
            let continued = self.resume_play(play, search, &mut plays.values, &mut plays.open);
            if continued == Some(true) && matches!(goes_on, Ok(true)) {
                goes_on = search.add_cube(&play.lits);
            }
            continued.is_some()
        });
        self.plays = plays;
        goes_on
    }

    /// Finds literals for the clauses that are new. `None` if there are none; false if what is assumed excludes the play.
    fn resume_play(
        &self,
        play: &mut Play,
        search: &Search<'_>,
        values: &mut [i8],
        open: &mut Vec<u32>,
    ) -> Option<bool> {
        let set = |values: &mut [i8], lit: Lit, value: i8| {
            values[lit.code()] = value;
            values[(!lit).code()] = -value;
        };
        // What is assumed may be chosen, but not its opposite.
        search.assumptions.iter().for_each(|lit| values[(!*lit).code()] = FALSE);
        let excluded = play.lits.iter().any(|lit| values[lit.code()] == FALSE);
        let before = play.lits.len();
        play.lits.iter().for_each(|&lit| set(values, lit, TRUE));
        let mut continued = None;
        if !excluded {
            open.clear();
            open.extend((play.clauses..self.matrix.clauses.len()).map(|index| index as u32));
            open.retain(|&index| !self.matrix.clauses[index as usize].is_empty());
            continued = self.satisfy(open, values, &mut play.lits);
        }
        for &lit in play.lits.iter().chain(&search.assumptions) {
            set(values, lit, OPEN);
        }
        match continued {
            Some(()) => {
                play.clauses = self.matrix.clauses.len();
                Some(true)
            }
            None => {
                play.lits.truncate(before);
                excluded.then_some(false)
            }
        }
    }

    /// Makes open literals true until every clause has one of the literals: those without a choice first. Existential ones, if
    /// there are any, since the cube is to hold against many moves.
    fn satisfy(&self, open: &mut Vec<u32>, values: &mut [i8], lits: &mut Vec<Lit>) -> Option<()> {
        let mut effort = 0;
        let mut may_choose = false;
        while !open.is_empty() {
            let (mut fails, mut changed) = (false, false);
            open.retain(|&index| {
                let clause = &self.matrix.clauses[index as usize];
                effort += clause.len();
                if clause.iter().any(|lit| values[lit.code()] == TRUE) {
                    return false;
                }
                let is_open = |lit: &&Lit| values[lit.code()] == OPEN;
                let is_existential = |lit: &&Lit| self.matrix.original[lit.var().index()].0 == Quantifier::Exists;
                let mut existential = clause.iter().rev().filter(is_open).filter(is_existential);
                let first = existential.next();
                if existential.next().is_some() && !may_choose {
                    return true;
                }
                let Some(&lit) = first.or_else(|| clause.iter().find(is_open)) else {
                    fails = true;
                    return true;
                };
                values[lit.code()] = TRUE;
                values[(!lit).code()] = FALSE;
                lits.push(lit);
                (may_choose, changed) = (false, true);
                false
            });
            if fails || effort > EFFORT {
                return None;
            }
            may_choose = !changed;
        }
        Some(())
    }
}

impl Search<'_> {
    /// Begins with a cube of these literals. False if the universal player has lost by it.
    fn add_cube(&mut self, lits: &[Lit]) -> Result<bool, StopReason> {
        let is_universal = |lit: &&Lit| self.owner[lit.var().index()] == Quantifier::Forall;
        let block = |lit: &Lit| self.block[lit.var().index()];
        // Existential reduction. Without universal literals the outermost block is all that counts: the winner's first move.
        let deepest = lits.iter().filter(is_universal).map(block).max().unwrap_or(0);
        let cube: Vec<Lit> = lits.iter().filter(|lit| block(lit) <= deepest).map(|&lit| !lit).collect();
        let goes_on = self.add_known(&cube, Quantifier::Forall)?;
        if !goes_on {
            self.analysis.learnt = cube;
        }
        Ok(goes_on)
    }

    /// Keeps the play that was just won, if it may be of use for the next question.
    pub(super) fn keep_play(&mut self, cover: &[Lit]) {
        if self.is_brief() {
            let won = self.complete(cover).into_iter().map(|lit| !lit).collect();
            self.won.push(won);
        }
    }
}
