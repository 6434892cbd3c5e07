//! The part of the clauses that behaves like a circuit, and what a won play needs of it.
//!
//! Encoders say `g = a & b` by clauses about an innermost variable `g`. A play that is won satisfies these as all others,
//! but it does not *need* them unless somebody uses `g`: whatever `a` and `b` are, `g` can follow. So a win rests on less than
//! on one true literal of every clause, which is what makes it a win against many moves of the opponent and not just one.
//!
//! What counts is not the shape of gates but that clauses are *blocked*. A clause `C` is blocked on its existential literal
//! `l` if every clause with `-l` contains the negation of another literal of `C` whose variable is not to the right of `l`'s
//! (Kullmann 1999; Biere, Lonsing and Seidl 2011). If nothing but such clauses is left, all can be satisfied one after the
//! other, the one removed last first: where what `C` says up to `l` is false, turn `l` over; this makes no clause false
//! that was removed after `C`. [`Circuit::beyond`] splits the clauses into *asserted* ones and others that are blocked one after the
//! other once the asserted ones are gone (a blocked set; Balyo, Fröhlich, Heule and Biere, *Everything you always wanted to
//! know about blocked sets*, 2014). Definitions that were [recovered](super::definitions) stay blocked as long as possible.
//!
//! [`Needs::justify`] then picks true literals of a won play: for every asserted clause one; and whenever `-l` is picked, for
//! every clause that is blocked on `l` another one. In the end every clause has a picked literal or is blocked on a variable
//! that nobody picked. Those follow in their order: all clauses that a clause is not blocked against are asserted, so
//! that they have a picked literal, or were removed before it.
//!
//! All this is about *free* variables: the existential ones beyond some universal level, which follow whatever is chosen up
//! to that level and, if they have to, what is chosen between. A play that can be won so is won at that level already. Picked
//! literals of free variables are constants, so that a win rests only on what is picked up to the level.

use super::definitions::{self, Class};
use super::matrix::Matrix;
use gamesat_core::formula::{ClauseArena, Lit, Quantifier, Var};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Literals that may be looked at to find the circuit.
const EFFORT: u64 = 10_000_000;
/// To take a clause of a definition out of the circuit is as bad as so many others.
const DEFINING: u32 = 8;

/// Clauses with literals of free variables, split into asserted and blocked ones, and the others.
#[derive(Debug)]
pub(super) struct Circuit {
    asserted: Vec<u32>,
    others: Vec<u32>,
    /// By literal: the clauses that are blocked on it.
    blocked_on: Vec<Vec<u32>>,
    /// Blocked clauses in the order in which they go, and the literals.
    order: Vec<(u32, Lit)>,
    is_free: Vec<bool>,
}

impl Circuit {
    /// Splits the clauses of a matrix; free are the existential variables beyond a level.
    pub(super) fn beyond(level: usize, matrix: &Matrix) -> Self {
        let quantifier = |level: u32| matrix.quantifiers.get(level as usize);
        let is_beyond = |&of: &u32| of as usize > level && quantifier(of) == Some(&Quantifier::Exists);
        let is_free: Vec<bool> = matrix.level_of.iter().map(is_beyond).collect();
        let mut split = Split::new(matrix, &is_free);
        split.begin();
        while split.effort < EFFORT && split.assert_some() {}
        let mut circuit = Circuit {
            asserted: Vec::new(),
            others: Vec::new(),
            blocked_on: vec![Vec::new(); 2 * is_free.len()],
            order: std::mem::take(&mut split.order),
            is_free: Vec::new(),
        };
        for (index, place) in (0u32..).zip(&split.place) {
            match *place {
                Place::Elsewhere => circuit.others.push(index),
                Place::Open | Place::Asserted => circuit.asserted.push(index),
                Place::Blocked(lit) => circuit.blocked_on[lit.code()].push(index),
            }
        }
        circuit.is_free = is_free;
        circuit
    }

    /// Clauses without literals of free variables.
    pub(super) fn others(&self) -> &[u32] {
        &self.others
    }

    /// The clauses that are blocked, with the literals, in the order in which they are saved: if one is false, its literal becomes
    /// true.
    pub(super) fn saved(&self) -> impl Iterator<Item = (u32, Lit)> {
        self.order.iter().rev().copied()
    }

    /// The blocked clauses with their literals in the order in which they go: each is blocked as far as those are concerned that go later.
    pub(super) fn order(&self) -> &[(u32, Lit)] {
        &self.order
    }

    /// The clauses that have to be satisfied by what is picked of free variables, or by others, if these literals are picked: the
    /// rest follows.
    pub(super) fn needed<'a>(&'a self, picked: &'a [Lit]) -> impl Iterator<Item = u32> + 'a {
        let used = picked.iter().flat_map(|&lit| &self.blocked_on[(!lit).code()]);
        self.others.iter().chain(&self.asserted).chain(used).copied()
    }

    /// Variables that follow.
    pub(super) fn is_free(&self, var: Var) -> bool {
        self.is_free[var.index()]
    }

    /// How many clauses with literals of free variables have to be satisfied in any case.
    pub(super) fn num_asserted(&self) -> usize {
        self.asserted.len()
    }
}

/// Where a clause belongs.
#[derive(Clone, Copy)]
enum Place {
    /// It has no literal of a free variable.
    Elsewhere,
    /// Not known yet.
    Open,
    Asserted,
    Blocked(Lit),
}

/// The split under construction.
struct Split<'a> {
    clauses: &'a ClauseArena,
    level_of: &'a [u32],
    is_free: &'a [bool],
    is_defining: Vec<bool>,
    place: Vec<Place>,
    /// By literal, if its variable is free: its clauses.
    occurrences: Vec<Vec<u32>>,
    /// By clause: clauses that are blocked on a literal unless this one is in their way, and where it stands among the
    /// occurrences of the negation.
    obstructs: Vec<Vec<(u32, Lit, u32)>>,
    /// By literal: what it costs to assert every open clause with it.
    cost: Vec<u32>,
    cheapest: BinaryHeap<Reverse<(u32, usize)>>,
    /// Clauses that went and may free others.
    gone: Vec<u32>,
    /// What was blocked so far, and on what.
    order: Vec<(u32, Lit)>,
    marked: Vec<bool>,
    effort: u64,
}

impl<'a> Split<'a> {
    fn new(matrix: &'a Matrix, is_free: &'a [bool]) -> Self {
        let class: Vec<Class> = is_free.iter().map(|&inner| if inner { Class::Inner } else { Class::Outer }).collect();
        let is_defining = definitions::recover(&matrix.clauses, &class).is_defining;
        let mut split = Split {
            clauses: &matrix.clauses,
            level_of: &matrix.level_of,
            is_free,
            is_defining,
            place: vec![Place::Elsewhere; matrix.clauses.len()],
            occurrences: vec![Vec::new(); 2 * is_free.len()],
            obstructs: vec![Vec::new(); matrix.clauses.len()],
            cost: vec![0; 2 * is_free.len()],
            cheapest: BinaryHeap::new(),
            gone: Vec::new(),
            order: Vec::new(),
            marked: vec![false; 2 * is_free.len()],
            effort: 0,
        };
        for (index, clause) in (0u32..).zip(&matrix.clauses) {
            for lit in clause.iter().filter(|lit| is_free[lit.var().index()]) {
                split.place[index as usize] = Place::Open;
                split.occurrences[lit.code()].push(index);
                split.cost[lit.code()] += split.weight(index);
            }
        }
        split.cheapest.extend((0..split.cost.len()).map(|code| Reverse((split.cost[code], code))));
        split
    }

    fn weight(&self, clause: u32) -> u32 {
        if self.is_defining[clause as usize] { DEFINING } else { 1 }
    }

    fn is_open(&self, clause: u32) -> bool {
        matches!(self.place[clause as usize], Place::Open)
    }

    fn free(&self, clause: u32) -> impl Iterator<Item = Lit> + use<'a> {
        let is_free = self.is_free;
        self.clauses[clause as usize].iter().copied().filter(move |lit| is_free[lit.var().index()])
    }

    /// Takes out what is blocked from the start.
    fn begin(&mut self) {
        for clause in 0..self.clauses.len() as u32 {
            for lit in self.free(clause) {
                self.try_to_block(clause, lit, 0);
            }
        }
        self.settle();
    }

    /// Takes an open clause out if nothing keeps it from being blocked on the literal. The occurrences of the negation before
    /// `start` do not.
    fn try_to_block(&mut self, clause: u32, lit: Lit, start: u32) {
        if !self.is_open(clause) || self.effort >= EFFORT {
            return;
        }
        self.mark(clause, true);
        let start = start as usize;
        let opposite = &self.occurrences[(!lit).code()][start..];
        let passed =
            opposite.iter().take_while(|&&other| !(self.is_open(other) && self.is_obstacle(other, lit))).count();
        let looked_at = opposite.iter().take(passed + 1);
        self.effort += looked_at.map(|&other| self.clauses[other as usize].len() as u64).sum::<u64>();
        let obstacle = opposite.get(passed).copied();
        self.mark(clause, false);
        match obstacle {
            Some(other) => self.obstructs[other as usize].push((clause, lit, (start + passed) as u32)),
            None => self.take_out(clause, Place::Blocked(lit)),
        }
    }

    fn mark(&mut self, clause: u32, mark: bool) {
        let lits = &self.clauses[clause as usize];
        self.effort += lits.len() as u64;
        lits.iter().for_each(|lit| self.marked[lit.code()] = mark);
    }

    /// Whether the resolvent on the literal of the marked clause with another is no tautology when the literal is chosen.
    fn is_obstacle(&self, other: u32, lit: Lit) -> bool {
        let level = |lit: Lit| self.level_of[lit.var().index()];
        !self.clauses[other as usize]
            .iter()
            .any(|&other| other != !lit && self.marked[(!other).code()] && level(other) <= level(lit))
    }

    /// Puts an open clause in its place.
    fn take_out(&mut self, clause: u32, place: Place) {
        self.place[clause as usize] = place;
        if let Place::Blocked(lit) = place {
            self.order.push((clause, lit));
        }
        let weight = self.weight(clause);
        for lit in self.free(clause) {
            let cost = &mut self.cost[lit.code()];
            *cost -= weight;
            self.cheapest.push(Reverse((*cost, lit.code())));
        }
        self.gone.push(clause);
    }

    /// Takes out what is blocked now that others are gone.
    fn settle(&mut self) {
        while let Some(gone) = self.gone.pop() {
            for (clause, lit, at) in std::mem::take(&mut self.obstructs[gone as usize]) {
                self.try_to_block(clause, lit, at + 1);
            }
        }
    }

    /// Asserts what keeps the clauses of a literal from being blocked, where the fewest clauses do. False if none is left.
    fn assert_some(&mut self) -> bool {
        let Some(Reverse((cost, code))) = self.cheapest.pop() else { return false };
        let lit = !Lit::from_code(code);
        if cost != self.cost[code] || cost == 0 {
            return true;
        }
        for at in 0..self.occurrences[lit.code()].len() {
            let clause = self.occurrences[lit.code()][at];
            if !self.is_open(clause) {
                continue;
            }
            self.mark(clause, true);
            let opposite = self.occurrences[code].iter().copied().filter(|&other| self.is_open(other));
            let obstacles: Vec<u32> = opposite.filter(|&other| self.is_obstacle(other, lit)).collect();
            self.effort += self.occurrences[code].len() as u64;
            self.mark(clause, false);
            for obstacle in obstacles {
                self.take_out(obstacle, Place::Asserted);
            }
        }
        self.settle();
        true
    }
}

/// What a won play needs; scratch that is used again and again.
#[derive(Debug)]
pub(super) struct Needs {
    /// Free variables whose literals were picked.
    is_picked: Vec<bool>,
    picked: Vec<Lit>,
    /// Clauses to be satisfied, first without a choice and then with one.
    plain: Vec<u32>,
    choices: Vec<u32>,
}

impl Needs {
    pub(super) fn new(vars: usize) -> Self {
        Needs { is_picked: vec![false; vars], picked: Vec::new(), plain: Vec::new(), choices: Vec::new() }
    }

    /// Given a play that satisfies every clause: calls `outer` with the clauses that other literals have to satisfy. A clause
    /// that other literals satisfy which are needed anyway `is_covered`. The result is the work it took.
    pub(super) fn justify<C>(
        &mut self,
        circuit: &Circuit,
        clauses: &ClauseArena,
        is_true: impl Fn(Lit) -> bool,
        context: &mut C,
        is_covered: impl Fn(&C, u32) -> bool,
        mut outer: impl FnMut(&mut C, u32),
    ) -> u64 {
        let means = |clause: u32| {
            let lits = clauses[clause as usize].iter().copied();
            lits.filter(|&lit| circuit.is_free[lit.var().index()] && is_true(lit))
        };
        let mut work = 0;
        self.picked.clear();
        self.plain.extend_from_slice(&circuit.asserted);
        loop {
            // Clauses with a choice wait until nothing else is left.
            let (clause, last) = match (self.plain.pop(), self.choices.pop()) {
                (Some(clause), choice) => {
                    self.choices.extend(choice);
                    (clause, false)
                }
                (None, Some(clause)) => (clause, true),
                (None, None) => break,
            };
            work += clauses[clause as usize].len() as u64;
            if means(clause).any(|lit| self.is_picked[lit.var().index()]) || is_covered(context, clause) {
                continue;
            }
            let cost = |lit: &Lit| circuit.blocked_on[(!*lit).code()].len();
            let Some(best) = means(clause).min_by_key(cost) else {
                outer(context, clause);
                continue;
            };
            if !last && cost(&best) > 0 && means(clause).nth(1).is_some() {
                self.choices.push(clause);
                continue;
            }
            self.is_picked[best.var().index()] = true;
            self.picked.push(best);
            self.plain.extend_from_slice(&circuit.blocked_on[(!best).code()]);
        }
        for lit in &self.picked {
            self.is_picked[lit.var().index()] = false;
        }
        work
    }

    /// The literals of free variables that were picked last. The other free variables follow when clauses are
    /// [saved](Circuit::saved).
    pub(super) fn picked(&self) -> &[Lit] {
        &self.picked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::{Prefix, Qbf};

    /// forall 1 2 exists 3 4 5: 3 = 1 & 2, 4 = 1 ^ 2, and (3 or 4 or 5).
    fn gates() -> Matrix {
        let clauses: &[&[i32]] =
            &[&[3, -1, -2], &[-3, 1], &[-3, 2], &[-4, 1, 2], &[-4, -1, -2], &[4, 1, -2], &[4, -1, 2], &[3, 4, 5]];
        let mut prefix = Prefix::new();
        prefix.push_block(Quantifier::Forall, [1, 2].map(Var::from_dimacs));
        prefix.push_block(Quantifier::Exists, [3, 4, 5].map(Var::from_dimacs));
        let clauses = clauses.iter().map(|clause| clause.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>());
        Matrix::new(&Qbf::new(&prefix, clauses.collect()).unwrap())
    }

    fn needed(matrix: &Matrix, circuit: &Circuit, play: [i32; 5]) -> Vec<u32> {
        let mut needed = Vec::new();
        let is_true = |lit: Lit| play[lit.var().index()] == lit.to_dimacs();
        assert!(matrix.clauses.iter().all(|clause| clause.iter().any(|&lit| is_true(lit))));
        let mut needs = Needs::new(5);
        needs.justify(
            circuit,
            &matrix.clauses,
            is_true,
            &mut needed,
            |_, _| false,
            |needed, clause| needed.push(clause),
        );
        assert!(needs.is_picked.iter().all(|picked| !picked));
        needed
    }

    #[test]
    fn nothing_is_asserted_of_gates_that_nobody_has_to_use() {
        let matrix = gates();
        let circuit = Circuit::beyond(0, &matrix);
        // Variable 5 is pure, so that everything is blocked one after the other.
        assert_eq!(circuit.num_asserted(), 0);
        assert_eq!(needed(&matrix, &circuit, [1, 2, 3, -4, 5]), []);
    }

    #[test]
    fn what_is_used_rests_on_its_inputs() {
        let mut matrix = gates();
        // Now one of the gates has to be true.
        matrix.clauses.push(&[Var::from_dimacs(5).negative()]);
        let circuit = Circuit::beyond(0, &matrix);
        assert!(circuit.num_asserted() <= 2);
        // The conjunction: both inputs. Its clauses have the numbers 1 and 2.
        let mut rests_on = needed(&matrix, &circuit, [1, 2, 3, -4, -5]);
        rests_on.sort_unstable();
        assert_eq!(rests_on, [1, 2]);
        // The exclusive disjunction: clauses 3 and 4.
        let mut rests_on = needed(&matrix, &circuit, [1, -2, -3, 4, -5]);
        rests_on.sort_unstable();
        assert_eq!(rests_on, [3, 4]);
    }
}
