//! Forgetting: of the learnt clauses and cubes, each on their own, the half of worst glue (Audemard & Simon 2009) goes when
//! there are too many, and so does what level 0 satisfies.

use super::constraints::{Place, Watch};
use super::{Search, TRUE};
use gamesat_core::formula::{Lit, Quantifier};

/// Constraints up to this glue are kept for ever.
const KEEP_GLUE: u32 = 2;

impl Search<'_> {
    /// Forgets half of a player's learnt constraints if there are too many.
    pub(super) fn forget(&mut self, owner: Quantifier) {
        if self.learnt[owner as usize] < self.learnt_limit[owner as usize] {
            return;
        }
        let mut worst: Vec<Place> = self.constraints.places();
        worst.retain(|&place| {
            self.constraints.owner(place) == owner
                && self.constraints.is_learnt(place)
                && self.constraints.glue(place) > KEEP_GLUE
                && !self.is_reason(place)
        });
        // Worst first; among equals the longer, then the older (the sort is stable).
        worst.sort_by_key(|&place| {
            std::cmp::Reverse((self.constraints.glue(place), self.constraints.lits(place).len()))
        });
        worst.truncate(worst.len() / 2);
        worst.sort_unstable();
        self.collect_garbage(&worst);
        self.learnt_limit[owner as usize] += self.learnt_limit[owner as usize] / 10;
    }

    /// A reason forces one of its two watched literals.
    fn is_reason(&self, place: Place) -> bool {
        let is_forced = |lit: &Lit| self.values[lit.code()] == TRUE && self.reasons[lit.var().index()] == Some(place);
        self.constraints.lits(place).iter().take(2).any(is_forced)
    }

    /// Drops the constraints in `doomed`, which are in order, and what is satisfied at level 0.
    fn collect_garbage(&mut self, doomed: &[Place]) {
        // Nobody asks for the reasons of level 0; forget them, so that they may go.
        let fixed = self.decisions.first().copied().unwrap_or(self.trail.len());
        self.trace_facts(fixed);
        self.trail[..fixed].iter().for_each(|lit| self.reasons[lit.var().index()] = None);
        let mut doomed = doomed.iter().copied().peekable();
        let (values, levels) = (&self.values, &self.levels);
        let fixed_true = |lit: &Lit| values[lit.code()] == TRUE && levels[lit.var().index()] == 0;
        let mut learnt = [0; 2];
        let new = self.constraints.collect(|old, place| {
            let goes = doomed.next_if_eq(&place).is_some() || old.lits(place).iter().any(fixed_true);
            if !goes && old.is_learnt(place) {
                learnt[old.owner(place) as usize] += 1;
            }
            !goes
        });
        for list in &mut self.watches {
            list.retain_mut(|watch| {
                let to = self.constraints.moved_to(watch.constraint);
                to.is_some_and(|constraint| {
                    *watch = Watch { constraint, ..*watch };
                    true
                })
            });
        }
        for lit in &self.trail[fixed..] {
            let reason = &mut self.reasons[lit.var().index()];
            *reason = reason.and_then(|place| self.constraints.moved_to(place));
        }
        let old = &self.constraints;
        self.trace.iter_mut().for_each(|trace| trace.rename(|place| old.moved_to(place)));
        self.learnt = learnt;
        self.constraints = new;
    }
}
