//! Definitions that an encoder left in the clauses: some of them say that a variable is a function of others.
//!
//! Recognised are conjunctions and disjunctions of any arity (equivalences being those of one input), exclusive
//! disjunctions of two inputs and multiplexers. [`gates`] shows the ways in which one variable is defined; variable
//! elimination takes the first. [`recover`] chooses definitions for all variables so that they never go in circles, which
//! is what expansion wants: encoders put the variables of gates into the innermost block, and taken at face value they
//! ruin refinement, because an answer that fixes the values of gates is an answer to hardly any move of the opponent. Once
//! it is known that `g` is a *function* of variables that come before it, whoever fixes those fixes `g`, and a copy of the
//! definition moves into each player's solver.

use gamesat_core::formula::{ClauseArena, Lit, Var};
use std::ops::ControlFlow;

/// Which variables a variable depends on, smaller first: each class is a function of those up to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// An outer existential, or a function of them.
    Outer,
    /// A universal, or a function of universals and outer existentials.
    Universal,
    /// An innermost variable that is free to choose, or a function that needs one.
    Inner,
}

/// A definition: the clauses that say it and the variables it needs.
#[derive(Clone, Debug)]
struct Candidate {
    output: Var,
    inputs: Vec<Var>,
    clauses: Vec<u32>,
}

/// The outcome of the recovery.
#[derive(Clone, Debug)]
pub(super) struct Definitions {
    /// What each variable depends on.
    pub(super) class: Vec<Class>,
    /// The clauses that define a variable; empty for one that is not defined.
    pub(super) defining: Vec<Vec<u32>>,
    /// Defined variables, each after those it needs.
    pub(super) order: Vec<Var>,
    /// Whether a clause belongs to a definition.
    pub(super) is_defining: Vec<bool>,
}

impl Definitions {
    /// Whether the variable is defined by others.
    pub(super) fn is_defined(&self, var: Var) -> bool {
        !self.defining[var.index()].is_empty()
    }
}

/// Recovers definitions of the variables whose `given` class is `Inner`; the others keep their class.
pub(super) fn recover(matrix: &ClauseArena, given: &[Class]) -> Definitions {
    let candidates = candidates(matrix, given);
    let vars = given.len();
    let mut chosen = Choice {
        definitions: Definitions {
            class: given.to_vec(),
            defining: vec![Vec::new(); vars],
            order: Vec::new(),
            is_defining: vec![false; matrix.len()],
        },
        known: vec![false; vars],
        waiting: candidates.iter().map(|candidate| candidate.inputs.len()).collect(),
        uses: vec![Vec::new(); vars],
        candidates,
    };
    for (index, candidate) in chosen.candidates.iter().enumerate() {
        for input in &candidate.inputs {
            chosen.uses[input.index()].push(index);
        }
    }
    // Functions of the outer existentials first, then of the universals, so that each variable gets the smallest class
    // it can have.
    for class in [Class::Outer, Class::Universal] {
        let members = (0..vars).filter(|&var| given[var] == class).map(Var::from_index);
        chosen.learn(members.collect(), class);
    }
    let mut has_candidate = vec![false; vars];
    for candidate in &chosen.candidates {
        has_candidate[candidate.output.index()] = true;
    }
    let free = (0..vars).filter(|&var| given[var] == Class::Inner && !has_candidate[var]).map(Var::from_index);
    chosen.learn(free.collect(), Class::Inner);
    // What is left is defined in circles: cut each at the variable that most definitions wait for.
    let mut rest: Vec<Var> = (0..vars).filter(|&var| !chosen.known[var]).map(Var::from_index).collect();
    rest.sort_by_key(|var| std::cmp::Reverse(chosen.uses[var.index()].len()));
    for var in rest {
        if !chosen.known[var.index()] {
            chosen.learn(vec![var], Class::Inner);
        }
    }
    chosen.definitions
}

struct Choice {
    definitions: Definitions,
    candidates: Vec<Candidate>,
    known: Vec<bool>,
    /// Inputs of each candidate that are not known yet.
    waiting: Vec<usize>,
    /// Candidates that need a variable.
    uses: Vec<Vec<usize>>,
}

impl Choice {
    /// Takes variables as known, and every definition that thereby has all its inputs.
    fn learn(&mut self, mut queue: Vec<Var>, class: Class) {
        for var in &queue {
            self.known[var.index()] = true;
            self.definitions.class[var.index()] = class;
        }
        while let Some(var) = queue.pop() {
            for at in 0..self.uses[var.index()].len() {
                let index = self.uses[var.index()][at];
                self.waiting[index] -= 1;
                let output = self.candidates[index].output;
                if self.waiting[index] > 0 || self.known[output.index()] {
                    continue;
                }
                self.known[output.index()] = true;
                self.definitions.class[output.index()] = class;
                self.definitions.order.push(output);
                let clauses = std::mem::take(&mut self.candidates[index].clauses);
                for &clause in &clauses {
                    self.definitions.is_defining[clause as usize] = true;
                }
                self.definitions.defining[output.index()] = clauses;
                queue.push(output);
            }
        }
    }
}

/// Clauses with their occurrence lists, wherever they live.
pub(super) trait Occurrences {
    /// The name of a clause.
    type Id: Copy;

    /// The clauses with this literal.
    fn with(&self, lit: Lit) -> &[Self::Id];

    /// The literals of a clause.
    fn clause(&self, id: Self::Id) -> &[Lit];
}

/// The clauses that define a variable: those with it and those with its negation; and what it is a function of.
#[derive(Clone, Debug)]
pub(super) struct Gate<Id> {
    pub(super) positive: Vec<Id>,
    pub(super) negative: Vec<Id>,
    pub(super) inputs: Vec<Lit>,
}

impl<Id> Gate<Id> {
    fn new(output: Lit, with: Vec<Id>, without: Vec<Id>, inputs: Vec<Lit>) -> Self {
        let (positive, negative) = if output.is_positive() { (with, without) } else { (without, with) };
        Gate { positive, negative, inputs }
    }

    /// The clauses with this literal of the output.
    pub(super) fn side(&self, positive: bool) -> &[Id] {
        if positive { &self.positive } else { &self.negative }
    }
}

/// Shows every gate of a variable whose inputs `is_input` admits, until `found` says that it is enough.
pub(super) fn gates<C: Occurrences>(
    clauses: &C,
    var: Var,
    is_input: impl Fn(Lit) -> bool,
    mut found: impl FnMut(Gate<C::Id>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    conjunctions(clauses, var.positive(), &is_input, &mut found)?;
    conjunctions(clauses, var.negative(), &is_input, &mut found)?;
    let [with, without] = [var.positive(), var.negative()].map(|lit| Ternary::new(clauses, lit, &is_input));
    exclusive_or(var, &with, &without, &mut found)?;
    multiplexers(var, &with, &without, &mut found)
}

/// `output = a1 & .. & ak`: a clause `output | -a1 | .. | -ak`, and for each `ai` the clause `-output | ai`.
fn conjunctions<C: Occurrences>(
    clauses: &C,
    output: Lit,
    is_input: &impl Fn(Lit) -> bool,
    found: &mut impl FnMut(Gate<C::Id>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut binaries: Vec<(Lit, C::Id)> = Vec::new();
    for &id in clauses.with(!output) {
        if let &[a, b] = clauses.clause(id) {
            let input = if a == !output { b } else { a };
            if is_input(input) {
                binaries.push((input, id));
            }
        }
    }
    if binaries.is_empty() {
        return ControlFlow::Continue(());
    }
    binaries.sort_unstable_by_key(|&(input, _)| input);
    for &long in clauses.with(output) {
        let clause = clauses.clause(long);
        let inputs = clause.iter().filter(|&&lit| lit != output);
        let binary = |lit: &Lit| binaries.binary_search_by_key(&!*lit, |&(input, _)| input).ok();
        if clause.len() < 2 || !inputs.clone().all(|lit| binary(lit).is_some()) {
            continue;
        }
        let without = inputs.clone().filter_map(binary).map(|place| binaries[place].1).collect();
        found(Gate::new(output, vec![long], without, inputs.map(|&lit| !lit).collect()))?;
    }
    ControlFlow::Continue(())
}

/// The ternary clauses of a literal: their other two literals in both orders, sorted.
struct Ternary<Id>(Vec<(Lit, Lit, Id)>);

impl<Id: Copy> Ternary<Id> {
    fn new<C: Occurrences<Id = Id>>(clauses: &C, lit: Lit, is_input: &impl Fn(Lit) -> bool) -> Self {
        let mut list = Vec::new();
        for &id in clauses.with(lit) {
            let (a, b) = match *clauses.clause(id) {
                [a, b, c] if a == lit => (b, c),
                [a, b, c] if b == lit => (a, c),
                [a, b, c] if c == lit => (a, b),
                _ => continue,
            };
            if is_input(a) && is_input(b) {
                list.extend([(a, b, id), (b, a, id)]);
            }
        }
        list.sort_unstable_by_key(|&(a, b, _)| (a, b));
        Ternary(list)
    }

    /// The clause with exactly these two other literals.
    fn get(&self, a: Lit, b: Lit) -> Option<Id> {
        self.0.binary_search_by_key(&(a, b), |&(a, b, _)| (a, b)).ok().map(|place| self.0[place].2)
    }

    /// The clauses with this other literal.
    fn with(&self, a: Lit) -> &[(Lit, Lit, Id)] {
        let start = self.0.partition_point(|&(first, ..)| first < a);
        let length = self.0[start..].partition_point(|&(first, ..)| first == a);
        &self.0[start..start + length]
    }
}

/// `output = a ^ b`: `output | a | b` has the opposite meaning, so that one of the inputs is negated.
fn exclusive_or<Id: Copy>(
    var: Var,
    with: &Ternary<Id>,
    without: &Ternary<Id>,
    found: &mut impl FnMut(Gate<Id>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // Each gate shows itself from both its clauses and in both orders: look from the smallest.
    for &(a, b, first) in with.0.iter().filter(|&&(a, b, _)| a < b && a < !a) {
        if let Some(second) = with.get(!a, !b)
            && let Some(third) = without.get(a, !b)
            && let Some(fourth) = without.get(!a, b)
        {
            found(Gate::new(var.positive(), vec![first, second], vec![third, fourth], vec![a, b]))?;
        }
    }
    ControlFlow::Continue(())
}

/// `output = if -select then a else b`: `output | select | -a`, `output | -select | -b`, and the same negated.
fn multiplexers<Id: Copy>(
    var: Var,
    with: &Ternary<Id>,
    without: &Ternary<Id>,
    found: &mut impl FnMut(Gate<Id>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for &(select, then, first) in with.0.iter().filter(|&&(select, ..)| select < !select) {
        let Some(third) = without.get(select, !then) else { continue };
        for &(_, otherwise, second) in with.with(!select) {
            // That is the exclusive disjunction from above.
            if otherwise == !then {
                continue;
            }
            if let Some(fourth) = without.get(!select, !otherwise) {
                let inputs = vec![select, then, otherwise];
                found(Gate::new(var.positive(), vec![first, second], vec![third, fourth], inputs))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The occurrence lists of a matrix.
struct Lists<'a> {
    matrix: &'a ClauseArena,
    /// Clauses of each literal: `ids[starts[code]..starts[code + 1]]`.
    ids: Vec<u32>,
    starts: Vec<u32>,
}

impl<'a> Lists<'a> {
    fn new(matrix: &'a ClauseArena, vars: usize) -> Self {
        let mut starts = vec![0; 2 * vars + 1];
        matrix.lits().iter().for_each(|lit| starts[lit.code() + 1] += 1);
        for code in 0..2 * vars {
            starts[code + 1] += starts[code];
        }
        let mut next = starts.clone();
        let mut ids = vec![0; matrix.num_lits()];
        for (index, clause) in matrix.iter().enumerate() {
            for lit in clause {
                ids[next[lit.code()] as usize] = index as u32;
                next[lit.code()] += 1;
            }
        }
        Lists { matrix, ids, starts }
    }
}

impl Occurrences for Lists<'_> {
    type Id = u32;

    fn with(&self, lit: Lit) -> &[u32] {
        &self.ids[self.starts[lit.code()] as usize..self.starts[lit.code() + 1] as usize]
    }

    fn clause(&self, id: u32) -> &[Lit] {
        &self.matrix[id as usize]
    }
}

/// Every gate of the innermost variables.
fn candidates(matrix: &ClauseArena, given: &[Class]) -> Vec<Candidate> {
    let lists = Lists::new(matrix, given.len());
    let mut candidates = Vec::new();
    for (index, _) in given.iter().enumerate().filter(|&(_, &class)| class == Class::Inner) {
        let output = Var::from_index(index);
        let _ = gates(
            &lists,
            output,
            |_| true,
            |gate| {
                let mut inputs: Vec<Var> = gate.inputs.iter().map(|lit| lit.var()).collect();
                inputs.sort_unstable();
                inputs.dedup();
                candidates.push(Candidate { output, inputs, clauses: [gate.positive, gate.negative].concat() });
                ControlFlow::Continue(())
            },
        );
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(clauses: &[&[i32]]) -> ClauseArena {
        clauses.iter().map(|c| c.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn gates_are_found_with_the_smallest_class() {
        use Class::{Inner, Outer, Universal};
        // 4 = 1 & 2, 5 = 3 ^ 4, 6 = 3 ? 1 : 7, 8 = 1.
        let matrix = matrix(&[
            &[4, -1, -2],
            &[-4, 1],
            &[-4, 2],
            &[-5, 3, 4],
            &[5, 3, -4],
            &[5, -3, 4],
            &[-5, -3, -4],
            &[-6, -3, 1],
            &[6, -3, -1],
            &[-6, 3, 7],
            &[6, 3, -7],
            &[8, -1],
            &[-8, 1],
            &[5, 6, 7],
        ]);
        let given = [Outer, Outer, Universal, Inner, Inner, Inner, Inner, Inner];
        let definitions = recover(&matrix, &given);
        assert_eq!(definitions.class, [Outer, Outer, Universal, Outer, Universal, Inner, Inner, Outer]);
        assert_eq!(definitions.is_defining.iter().filter(|&&d| d).count(), 13);
        assert!(!definitions.is_defining[13]);
        assert!(!definitions.is_defined(Var::from_dimacs(7)));
        assert!(definitions.is_defined(Var::from_dimacs(6)));
    }

    #[test]
    fn circles_are_cut() {
        // 1 = 2 and 2 = 1: one of them stays free.
        let definitions = recover(&matrix(&[&[1, -2], &[-1, 2]]), &[Class::Inner, Class::Inner]);
        assert_eq!(definitions.order.len(), 1);
    }
}
