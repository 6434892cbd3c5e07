//! Copies of a formula's clauses under plays, for a SAT solver that writes down its proof.
//!
//! What the plays decide is propagated first. Then gates are compared, within a copy and between copies: two with the same
//! [definition](super::super::definitions) of the same inputs are one variable, so that what does not depend on the universal variables, or only on some of
//! them, is not copied, and the solver need not find out again and again that the copies of it agree. That two gates are equal
//! is [derived](super::derive) by some resolutions from their definitions, and every clause that speaks of the second one is resolved to speak of the
//! first before the solver sees it.

use super::super::definitions::{self, Class, Definitions};
use super::derive::{self, derive};
use super::eliminate;
use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::{ClauseArena, Lit, Qbf, Quantifier, Refutation, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Gates of more clauses are not compared.
const MOST_CLAUSES: usize = 200;

/// What came of a play.
pub(super) enum Added {
    /// The solver has its clauses.
    Copy,
    /// Propagation alone shows that nobody survives it: the step of the empty clause.
    Refuted(u32),
}

/// What is known of a copy of a variable.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    /// Its value, and the step of the unit clause.
    Value(bool, u32),
    /// It is the same as a literal; the steps of `-copy | literal` and of `copy | -literal`.
    Same(Lit, [u32; 2]),
}

/// A clause of the formula, in dense numbers.
struct Clause {
    /// Its position in the formula.
    original: u32,
    /// Its literals up to the last existential one.
    lits: Vec<Lit>,
    /// Universal literals behind that.
    tail: Vec<Lit>,
    /// Universal variables on whose values its copies depend: so many of the first ones.
    depth: usize,
}

/// All copies together.
pub(super) struct Copies {
    pub(super) steps: Refutation,
    /// What the solver is to be told.
    pub(super) told: eliminate::Clauses,
    clauses: Vec<Clause>,
    /// By literal: its clauses.
    occurrences: Vec<Vec<u32>>,
    definitions: Definitions,
    dense: FxHashMap<Var, Var>,
    original: Vec<Var>,
    /// By variable: whether it is universal, and the number of universal ones before it.
    places: Vec<(bool, usize)>,
    universals: usize,
    /// The sequence that a sequence becomes with one more value.
    longer: FxHashMap<(u32, bool), u32>,
    /// Copies of variables, by sequence, and what is known of them.
    copies: FxHashMap<(Var, u32), Var>,
    known: Vec<Known>,
    /// Plays that have a number in the refutation, by their values.
    numbered: FxHashMap<Vec<bool>, u32>,
    /// Gates by their definitions, and the clauses of these.
    gates: FxHashMap<Vec<u32>, (Var, Vec<derive::Known>)>,
    /// Hashes of what the solver is told already. Should two ever be the same, a clause is missing and nothing wrong is said.
    known_clauses: FxHashSet<u128>,
}

/// One play, while its copies are made.
struct Here {
    /// The values of universal variables, by their place, and the number of the play in the refutation.
    values: Vec<bool>,
    number: u32,
    sequences: Vec<u32>,
    /// What depends on fewer universal variables is there already.
    new: usize,
    /// By variable: its copy.
    copies: Vec<Option<Var>>,
    /// By clause: the step of its copy.
    taken: Vec<Option<u32>>,
}

/// A number that hardly any two clauses have in common: each literal is spread over all bits before it is mixed in.
fn hash(lits: &[Lit]) -> u128 {
    const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    const FACTOR: u128 = 0x2d99_787a_8d6c_3f1d_9fb2_1c65_1e98_df25;
    let mix = |hash: u128, number: usize| {
        let mixed = (hash ^ (number as u128 + 1).wrapping_mul(SPREAD)).wrapping_mul(FACTOR);
        mixed ^ (mixed >> 61)
    };
    lits.iter().fold(mix(0, lits.len()), |hash, lit| mix(hash, lit.code()))
}

impl Copies {
    pub(super) fn new(qbf: &Qbf) -> Self {
        let (small, original) = qbf.compact();
        let mut places = Vec::with_capacity(original.len());
        let mut universals = 0;
        for (quantifier, _) in small.prefix().quantified() {
            places.push((quantifier == Quantifier::Forall, universals));
            universals += usize::from(quantifier == Quantifier::Forall);
        }
        let mut clauses: Vec<Clause> = Vec::new();
        let mut arena = ClauseArena::new();
        for (index, clause) in small.matrix().iter().enumerate() {
            let mut lits = clause.to_vec();
            lits.sort_unstable();
            lits.dedup();
            if lits.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
                continue;
            }
            // Numbers follow the prefix.
            let kept = lits.iter().rposition(|lit| !places[lit.var().index()].0).map_or(0, |last| last + 1);
            let tail = lits.split_off(kept);
            let depth = lits.last().map_or(0, |last| places[last.var().index()].1);
            arena.push(&lits);
            clauses.push(Clause { original: index as u32, lits, tail, depth });
        }
        let mut occurrences = vec![Vec::new(); 2 * places.len()];
        for (index, clause) in clauses.iter().enumerate() {
            clause.lits.iter().for_each(|lit| occurrences[lit.code()].push(index as u32));
        }
        let class = |&(is_universal, before): &(bool, usize)| match (is_universal, before) {
            (true, _) => Class::Universal,
            (false, 0) => Class::Outer,
            (false, _) => Class::Inner,
        };
        let classes: Vec<Class> = places.iter().map(class).collect();
        Copies {
            steps: Refutation::new(),
            told: eliminate::Clauses::default(),
            definitions: definitions::recover(&arena, &classes),
            clauses,
            occurrences,
            dense: original.iter().enumerate().map(|(index, &var)| (var, Var::from_index(index))).collect(),
            original,
            places,
            universals,
            longer: FxHashMap::default(),
            copies: FxHashMap::default(),
            known: Vec::new(),
            numbered: FxHashMap::default(),
            gates: FxHashMap::default(),
            known_clauses: FxHashSet::default(),
        }
    }

    /// Adds the copies for a play.
    pub(super) fn add(&mut self, play: &[Lit], poller: &mut Poller<'_>) -> Result<Added, StopReason> {
        let mut here = self.here(play);
        if let Some(last) = self.propagate(&mut here, poller)? {
            return Ok(Added::Refuted(last));
        }
        self.compare_gates(&mut here, poller)?;
        for index in 0..self.clauses.len() {
            poller.poll(index as u64)?;
            if self.clauses[index].depth < here.new {
                continue;
            }
            let Some((step, lits)) = self.left(index, &mut here) else { continue };
            if lits.is_empty() {
                return Ok(Added::Refuted(step));
            }
            if self.known_clauses.insert(hash(&lits)) {
                self.told.push(&lits, step);
            }
        }
        Ok(Added::Copy)
    }

    fn here(&mut self, play: &[Lit]) -> Here {
        let mut values = vec![false; self.universals];
        for lit in play {
            if let Some(&var) = self.dense.get(&lit.var())
                && let (true, place) = self.places[var.index()]
            {
                values[place] = lit.is_positive();
            }
        }
        let mut sequences = vec![0];
        let mut new = if self.numbered.is_empty() { 0 } else { usize::MAX };
        for (place, &value) in values.iter().enumerate() {
            let next = self.longer.len() as u32 + 1;
            let longer = *self.longer.entry((sequences[place], value)).or_insert(next);
            if longer == next {
                new = new.min(place + 1);
            }
            sequences.push(longer);
        }
        let number = self.number(&values);
        let (vars, clauses) = (self.places.len(), self.clauses.len());
        Here { values, number, sequences, new, copies: vec![None; vars], taken: vec![None; clauses] }
    }

    fn number(&mut self, values: &[bool]) -> u32 {
        if let Some(&number) = self.numbered.get(values) {
            return number;
        }
        let universals = self.places.iter().zip(&self.original).filter(|((is_universal, _), _)| *is_universal);
        let lits = universals.zip(values).map(|((_, var), &value)| var.lit(value)).collect();
        let number = self.steps.play(lits);
        self.numbered.insert(values.to_vec(), number);
        number
    }

    /// How many variables the solver needs.
    pub(super) fn num_vars(&self) -> usize {
        self.known.len()
    }

    fn copy(&mut self, var: Var, here: &mut Here) -> Var {
        if let Some(copy) = here.copies[var.index()] {
            return copy;
        }
        let sequence = here.sequences[self.places[var.index()].1];
        let copy = *self.copies.entry((var, sequence)).or_insert_with(|| {
            self.known.push(Known::Nothing);
            Var::from_index(self.known.len() - 1)
        });
        here.copies[var.index()] = Some(copy);
        copy
    }

    /// The literal that stands for a literal's copy, and the step of the clause that says so unless it is the copy itself.
    fn image(&mut self, lit: Lit, here: &mut Here) -> (Lit, Option<u32>) {
        let copy = self.copy(lit.var(), here);
        match self.known[copy.index()] {
            Known::Same(same, [forth, _]) if lit.is_positive() => (same, Some(forth)),
            Known::Same(same, [_, back]) => (!same, Some(back)),
            _ => (copy.lit(lit.is_positive()), None),
        }
    }

    /// The value of a literal, if the play or propagation gives it one.
    fn value(&mut self, lit: Lit, here: &mut Here) -> Option<bool> {
        if let (true, place) = self.places[lit.var().index()] {
            return Some(here.values[place] == lit.is_positive());
        }
        let (image, _) = self.image(lit, here);
        match self.known[image.var().index()] {
            Known::Value(value, _) => Some(value == image.is_positive()),
            _ => None,
        }
    }

    /// Gives a copy, or what stands for it, its value, by the step of a unit clause.
    fn fix(&mut self, lit: Lit, step: u32) {
        self.known[lit.var().index()] = Known::Value(lit.is_positive(), step);
        self.told.push(&[lit], step);
    }

    /// The step of a clause under the play, which makes none of its universal literals true.
    fn take(&mut self, index: usize, here: &mut Here) -> u32 {
        if let Some(step) = here.taken[index] {
            return step;
        }
        let mut play = here.number;
        if !self.clauses[index].tail.is_empty() {
            let mut values = here.values.clone();
            for lit in &self.clauses[index].tail {
                values[self.places[lit.var().index()].1] = lit.is_negative();
            }
            play = self.number(&values);
        }
        let step = self.steps.take(self.clauses[index].original, play);
        here.taken[index] = Some(step);
        step
    }

    /// Propagates in the copy; the step of the empty clause if that is a contradiction.
    fn propagate(&mut self, here: &mut Here, poller: &mut Poller<'_>) -> Result<Option<u32>, StopReason> {
        let mut queue: Vec<u32> = (0..self.clauses.len() as u32).collect();
        let mut next = 0;
        while let Some(&index) = queue.get(next) {
            next += 1;
            poller.poll(u64::from(index))?;
            let index = index as usize;
            let mut open = None;
            let mut is_unit = true;
            for at in 0..self.clauses[index].lits.len() {
                let lit = self.clauses[index].lits[at];
                match self.value(lit, here) {
                    Some(false) => {}
                    None if open.is_none() => open = Some(lit),
                    _ => {
                        is_unit = false;
                        break;
                    }
                }
            }
            if !is_unit {
                continue;
            }
            let Some((step, lits)) = self.left(index, here) else { continue };
            let (&[unit], Some(open)) = (&lits[..], open) else { return Ok(Some(step)) };
            self.fix(unit, step);
            queue.extend_from_slice(&self.occurrences[(!open).code()]);
        }
        Ok(None)
    }

    fn chain(&mut self, chain: &[u32]) -> u32 {
        if let [step] = *chain { step } else { self.steps.resolve(chain.iter().copied()) }
    }

    /// What is left of a clause, in the literals that stand for others; `None` if it holds.
    fn left(&mut self, index: usize, here: &mut Here) -> Option<derive::Known> {
        let (mut chain, mut facts) = (Vec::new(), Vec::new());
        let mut lits: Vec<Lit> = Vec::with_capacity(self.clauses[index].lits.len());
        for at in 0..self.clauses[index].lits.len() {
            let lit = self.clauses[index].lits[at];
            if let (true, place) = self.places[lit.var().index()] {
                if here.values[place] == lit.is_positive() {
                    return None;
                }
                continue;
            }
            let (image, because) = self.image(lit, here);
            chain.extend(because);
            match self.known[image.var().index()] {
                Known::Value(value, _) if value == image.is_positive() => return None,
                Known::Value(_, step) => facts.push(step),
                _ => lits.push(image),
            }
        }
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
            return None;
        }
        facts.sort_unstable();
        facts.dedup();
        let mut whole = vec![self.take(index, here)];
        whole.extend(chain);
        whole.extend(facts);
        Some((self.chain(&whole), lits))
    }

    /// Finds gates of this copy that are the same as others.
    fn compare_gates(&mut self, here: &mut Here, poller: &mut Poller<'_>) -> Result<(), StopReason> {
        for at in 0..self.definitions.order.len() {
            poller.poll(at as u64)?;
            let var = self.definitions.order[at];
            if self.places[var.index()].1 < here.new {
                continue;
            }
            let copy = self.copy(var, here);
            if !matches!(self.known[copy.index()], Known::Nothing) {
                continue;
            }
            let mut own: Vec<derive::Known> = Vec::new();
            for place in 0..self.definitions.defining[var.index()].len() {
                let index = self.definitions.defining[var.index()][place] as usize;
                own.extend(self.left(index, here));
            }
            match self.same(copy, own) {
                Some(Known::Value(value, step)) => self.fix(copy.lit(value), step),
                Some(same) => self.known[copy.index()] = same,
                None => {}
            }
        }
        Ok(())
    }

    /// What a gate with these clauses is the same as.
    fn same(&mut self, gate: Var, own: Vec<derive::Known>) -> Option<Known> {
        // A gate of one input is that.
        let other = |lits: &[Lit], lit: Lit| match *lits {
            [a, b] if a == lit => Some(b),
            [a, b] if b == lit => Some(a),
            _ => None,
        };
        for (forth, lits) in &own {
            let Some(input) = other(lits, gate.negative()) else { continue };
            if let Some((back, _)) = own.iter().find(|(_, lits)| other(lits, gate.positive()) == Some(!input)) {
                return Some(Known::Same(input, [*forth, *back]));
            }
        }
        // Derivations look at all pairs of clauses.
        if own.len() > MOST_CLAUSES {
            return None;
        }
        let mut rows: Vec<Vec<u32>> = Vec::with_capacity(own.len());
        for (_, lits) in &own {
            // The gate itself comes first, as 0 or 1, behind a mark.
            let sign = lits.iter().find(|lit| lit.var() == gate)?.is_positive();
            let mut row = vec![u32::MAX, u32::from(sign)];
            row.extend(lits.iter().filter(|lit| lit.var() != gate).map(|lit| lit.code() as u32));
            rows.push(row);
        }
        rows.sort_unstable();
        let key = rows.concat();
        let Some((twin, its)) = self.gates.get(&key) else {
            self.gates.insert(key, (gate, own));
            return None;
        };
        let all: Vec<derive::Known> = own.iter().chain(its).cloned().collect();
        let twin = *twin;
        let mut both = [0; 2];
        for (at, own) in [gate.negative(), gate.positive()].into_iter().enumerate() {
            let (step, lits) = derive(&[own, twin.lit(own.is_negative())], &all, &mut self.steps)?;
            match &lits[..] {
                [_, _] => both[at] = step,
                // Gates of contradictory inputs have a value.
                &[unit] if unit == own => return Some(Known::Value(own.is_positive(), step)),
                _ => return None,
            }
        }
        Some(Known::Same(twin.positive(), both))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// No two of all clauses of up to three among few literals, nor of small and large ones, have the same number.
    #[test]
    fn clauses_have_numbers_of_their_own() {
        let lits: Vec<Lit> = (0..20)
            .chain(1 << 20..(1 << 20) + 4)
            .flat_map(|index| [false, true].map(|sign| Var::from_index(index).lit(sign)))
            .collect();
        let mut clauses: Vec<Vec<Lit>> = vec![Vec::new()];
        for (first, &one) in lits.iter().enumerate() {
            clauses.push(vec![one]);
            for (second, &two) in lits.iter().enumerate().skip(first + 1) {
                clauses.push(vec![one, two]);
                clauses.extend(lits.iter().skip(second + 1).map(|&three| vec![one, two, three]));
            }
        }
        let numbers: BTreeSet<u128> = clauses.iter().map(|clause| hash(clause)).collect();
        assert_eq!(numbers.len(), clauses.len());
    }
}
