//! A small evaluator of quantified formulas: values in prefix order, unit clauses under universal reduction. It shares
//! nothing with the engines.

use gamesat::formula::{Lit, Qbf, Quantifier};

pub fn is_true(qbf: &Qbf) -> bool {
    let (dense, _) = qbf.compact();
    let kinds: Vec<Quantifier> = dense.prefix().quantified().map(|(quantifier, _)| quantifier).collect();
    // Variables are numbered in prefix order: block numbers say what is inner.
    let mut blocks = Vec::new();
    for (index, block) in dense.prefix().blocks().enumerate() {
        blocks.extend(block.vars.iter().map(|_| index));
    }
    let clauses: Vec<Vec<Lit>> = dense.matrix().iter().map(<[Lit]>::to_vec).collect();
    let mut occurrences = vec![Vec::new(); 2 * kinds.len()];
    for (index, clause) in clauses.iter().enumerate() {
        for lit in clause {
            occurrences[lit.code()].push(index);
        }
    }
    let mut search = Search { kinds, blocks, clauses, occurrences, values: Vec::new(), trail: Vec::new() };
    search.values = vec![None; search.kinds.len()];
    let all: Vec<usize> = (0..search.clauses.len()).collect();
    if !search.propagate(all) {
        return false;
    }
    search.value(0)
}

struct Search {
    kinds: Vec<Quantifier>,
    blocks: Vec<usize>,
    clauses: Vec<Vec<Lit>>,
    occurrences: Vec<Vec<usize>>,
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
}

impl Search {
    fn value(&mut self, mut next: usize) -> bool {
        while next < self.kinds.len() && self.values[next].is_some() {
            next += 1;
        }
        if next == self.kinds.len() {
            return true; // propagation found no false clause
        }
        let wanted = self.kinds[next] == Quantifier::Exists;
        for value in [true, false] {
            let mark = self.trail.len();
            let lit = gamesat::formula::Var::from_index(next).lit(value);
            let result = self.assign(lit) && self.value(next + 1);
            for lit in self.trail.split_off(mark) {
                self.values[lit.var().index()] = None;
            }
            if result == wanted {
                return wanted;
            }
        }
        !wanted
    }

    fn assign(&mut self, lit: Lit) -> bool {
        self.values[lit.var().index()] = Some(lit.is_positive());
        self.trail.push(lit);
        self.propagate(self.occurrences[(!lit).code()].clone())
    }

    /// Follows unit clauses from these; false if a clause cannot hold any more.
    fn propagate(&mut self, mut waiting: Vec<usize>) -> bool {
        while let Some(index) = waiting.pop() {
            let clause = &self.clauses[index];
            if clause.iter().any(|lit| self.values[lit.var().index()] == Some(lit.is_positive())) {
                continue;
            }
            let open = || clause.iter().filter(|lit| self.values[lit.var().index()].is_none());
            let mut owned = open().filter(|lit| self.kinds[lit.var().index()] == Quantifier::Exists);
            let Some(&first) = owned.next() else { return false };
            let inner = |lit: &Lit| self.blocks[lit.var().index()] > self.blocks[first.var().index()];
            let unit = owned.next().is_none()
                && open().filter(|lit| self.kinds[lit.var().index()] == Quantifier::Forall).all(inner);
            if unit {
                self.values[first.var().index()] = Some(first.is_positive());
                self.trail.push(first);
                waiting.extend_from_slice(&self.occurrences[(!first).code()]);
            }
        }
        true
    }
}
