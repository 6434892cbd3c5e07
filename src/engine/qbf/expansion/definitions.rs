//! Definitions of innermost variables, recovered from the clauses.
//!
//! Encoders introduce variables for gates, `g = a & b` and the like, and put them all into the innermost block. Taken at
//! face value they ruin refinement: an answer that fixes the values of gates is an answer to hardly any move of the
//! opponent. Once it is known that `g` is a *function* of variables that come before it, whoever fixes those fixes `g`,
//! and a copy of the definition moves into each player's solver.
//!
//! Recognised are conjunctions and disjunctions of any arity (equivalences being those of one input), exclusive
//! disjunctions of two inputs and multiplexers. Definitions are chosen so that they never go in circles.

use crate::formula::{ClauseArena, Lit, Var};
use rustc_hash::FxHashMap;

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
    let candidates = Finder::new(matrix, given).find();
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

struct Finder<'a> {
    matrix: &'a ClauseArena,
    given: &'a [Class],
    /// Clauses that contain a literal.
    occurrences: Vec<Vec<u32>>,
    /// Sorted binary and ternary clauses.
    short: FxHashMap<[Lit; 3], u32>,
    found: Vec<Candidate>,
}

/// A key for clauses of two or three literals.
fn key(clause: &[Lit]) -> Option<[Lit; 3]> {
    let mut key = match *clause {
        [a, b] => [a, b, b],
        [a, b, c] => [a, b, c],
        _ => return None,
    };
    key.sort_unstable();
    Some(key)
}

impl<'a> Finder<'a> {
    fn new(matrix: &'a ClauseArena, given: &'a [Class]) -> Self {
        let mut occurrences = vec![Vec::new(); 2 * given.len()];
        let mut short = FxHashMap::default();
        for (index, clause) in matrix.iter().enumerate() {
            for lit in clause {
                occurrences[lit.code()].push(index as u32);
            }
            if let Some(key) = key(clause) {
                short.insert(key, index as u32);
            }
        }
        Finder { matrix, given, occurrences, short, found: Vec::new() }
    }

    fn find(mut self) -> Vec<Candidate> {
        for index in 0..self.given.len() {
            if self.given[index] == Class::Inner {
                let var = Var::from_index(index);
                self.conjunctions(var.positive());
                self.conjunctions(var.negative());
                self.ternary(var);
            }
        }
        self.found
    }

    fn push(&mut self, output: Lit, inputs: &[Lit], clauses: Vec<u32>) {
        let mut inputs: Vec<Var> = inputs.iter().map(|lit| lit.var()).collect();
        inputs.sort_unstable();
        inputs.dedup();
        if !inputs.contains(&output.var()) {
            self.found.push(Candidate { output: output.var(), inputs, clauses });
        }
    }

    /// `output = a1 & .. & ak`: a clause `output | -a1 | .. | -ak`, and for each `ai` the clause `-output | ai`.
    fn conjunctions(&mut self, output: Lit) {
        for at in 0..self.occurrences[output.code()].len() {
            let long = self.occurrences[output.code()][at];
            let clause = &self.matrix[long as usize];
            if clause.len() < 2 {
                continue;
            }
            let inputs: Vec<Lit> = clause.iter().filter(|&&lit| lit != output).map(|&lit| !lit).collect();
            let mut clauses = vec![long];
            clauses
                .extend(inputs.iter().filter_map(|&input| key(&[!output, input]).and_then(|key| self.short.get(&key))));
            if clauses.len() == inputs.len() + 1 {
                self.push(output, &inputs, clauses);
            }
        }
    }

    /// Exclusive disjunctions and multiplexers: four ternary clauses.
    fn ternary(&mut self, var: Var) {
        let output = var.positive();
        for at in 0..self.occurrences[(!output).code()].len() {
            let first = self.occurrences[(!output).code()][at];
            let &[a, b, c] = &self.matrix[first as usize] else { continue };
            let [p, q] = match !output {
                lit if lit == a => [b, c],
                lit if lit == b => [a, c],
                _ => [a, b],
            };
            // -output | p | q, output | p | -q, output | -p | q, -output | -p | -q: output = p ^ q.
            let parity = [[!output, p, q], [output, p, !q], [output, !p, q], [!output, !p, !q]];
            if let Some(clauses) = self.all(&parity) {
                self.push(output, &[p, q], clauses);
            }
            // -output | -s | yes, output | -s | -yes, -output | s | no, output | s | -no: output = s ? yes : no.
            for (s, yes) in [(!p, q), (!q, p)] {
                let Some(half) = self.all(&[[!output, !s, yes], [output, !s, !yes]]) else { continue };
                for at in 0..self.occurrences[s.code()].len() {
                    let other = &self.matrix[self.occurrences[s.code()][at] as usize];
                    if other.len() != 3 || !other.contains(&!output) {
                        continue;
                    }
                    let Some(&no) = other.iter().find(|&&lit| lit != s && lit != !output) else { continue };
                    // `no = -yes` is the exclusive disjunction from above.
                    if no == !yes {
                        continue;
                    }
                    if let Some(rest) = self.all(&[[!output, s, no], [output, s, !no]]) {
                        self.push(output, &[s, yes, no], [half.clone(), rest].concat());
                    }
                }
            }
        }
    }

    /// The clauses with these literals, if all are there.
    fn all<const N: usize>(&self, wanted: &[[Lit; 3]; N]) -> Option<Vec<u32>> {
        wanted.iter().map(|clause| key(clause).and_then(|key| self.short.get(&key).copied())).collect()
    }
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
