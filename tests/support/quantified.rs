//! A small evaluator of quantified formulas: values in prefix order, unit clauses under universal reduction, and no value is
//! tried that no open clause minds. It shares nothing with the engines.

use gamesat::formula::{Lit, Qbf, Quantifier, Var};

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
        // A literal that no open clause has is of no use to the existential player, and whatever the universal one can do
        // with its opposite is done with it.
        let [positive, negative] = [true, false].map(|value| self.occurs(Var::from_index(next).lit(value)));
        let values: &[bool] = match (positive, negative) {
            (false, false) => return self.value(next + 1),
            (true, true) => &[true, false],
            _ => &[positive == wanted],
        };
        for &value in values {
            let mark = self.trail.len();
            let lit = Var::from_index(next).lit(value);
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

    /// Whether a clause that does not hold yet has this literal.
    fn occurs(&self, lit: Lit) -> bool {
        self.occurrences[lit.code()].iter().any(|&index| !self.holds(&self.clauses[index]))
    }

    fn holds(&self, clause: &[Lit]) -> bool {
        clause.iter().any(|lit| self.values[lit.var().index()] == Some(lit.is_positive()))
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
            if self.holds(clause) {
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
