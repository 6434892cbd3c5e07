//! Skolem functions of defined variables are their definitions.
//!
//! If some clauses say that `g` is a function of `a` and `b`, every Skolem function of `g` is that function of those of `a` and
//! `b`. The one that comes back through the steps of a simplification is often far larger: it is put together from what was done to
//! the clauses. So functions are built anew: those of the innermost variables that are free to choose as they are, the others by
//! [their definitions](super::definitions). Where a function rests on that of a defined variable, the new one takes its place.
//!
//! Only the innermost block is treated so. Its functions may read everything that any function may read.

use super::definitions::{self, Class, Definitions};
use super::matrix::Matrix;
use gamesat_core::formula::{Aig, Lit, Quantifier, Var};
use rustc_hash::FxHashMap;

/// The same functions with fewer gates, if definitions help. `functions` must be Skolem functions of the matrix.
pub(super) fn redefine(functions: Aig, matrix: &Matrix) -> Aig {
    let innermost = matrix.quantifiers.len().wrapping_sub(1) as u32;
    let class = |(&level, &(quantifier, _)): (&u32, &(Quantifier, Var))| match quantifier {
        Quantifier::Exists if level == innermost => Class::Inner,
        Quantifier::Exists => Class::Outer,
        Quantifier::Forall => Class::Universal,
    };
    let classes: Vec<Class> = matrix.level_of.iter().zip(&matrix.original).map(class).collect();
    let definitions = definitions::recover(&matrix.clauses, &classes);
    if definitions.order.is_empty() {
        return functions;
    }
    let mut rebuilt = Rebuilt::new(&functions, matrix, &definitions);
    rebuilt.build(&classes);
    let aig = rebuilt.finish();
    if aig.ands().len() < functions.ands().len() { aig } else { functions }
}

/// Functions under construction.
struct Rebuilt<'a> {
    old: &'a Aig,
    matrix: &'a Matrix,
    definitions: &'a Definitions,
    aig: Aig,
    /// Signals of old nodes.
    here: Vec<Option<Lit>>,
    /// By dense number: the old function, and the new signal.
    functions: Vec<Option<Lit>>,
    signals: Vec<Option<Lit>>,
    /// By dense number: defined variables that wait for it; and for how many each of them waits.
    readers: Vec<Vec<Var>>,
    waiting: Vec<usize>,
}

impl<'a> Rebuilt<'a> {
    fn new(old: &'a Aig, matrix: &'a Matrix, definitions: &'a Definitions) -> Self {
        let vars = matrix.original.len();
        let outputs: FxHashMap<Var, Lit> = old.outputs().iter().copied().collect();
        let aig = Aig::new(old.inputs().to_vec());
        let inputs: FxHashMap<Var, Lit> =
            aig.inputs().iter().enumerate().map(|(index, &var)| (var, aig.input(index))).collect();
        let mut rebuilt = Rebuilt {
            old,
            matrix,
            definitions,
            aig,
            here: vec![None; old.num_nodes()],
            functions: matrix.original.iter().map(|(_, var)| outputs.get(var).copied()).collect(),
            signals: matrix.original.iter().map(|(_, var)| inputs.get(var).copied()).collect(),
            readers: vec![Vec::new(); vars],
            waiting: vec![0; vars],
        };
        for node in 0..=old.inputs().len() {
            rebuilt.here[node] = Some(Var::from_index(node).positive());
        }
        for &output in &definitions.order {
            let clauses = definitions.defining[output.index()].iter().map(|&clause| &matrix.clauses[clause as usize]);
            let mut reads: Vec<Var> = clauses.flatten().map(|lit| lit.var()).filter(|&var| var != output).collect();
            reads.sort_unstable();
            reads.dedup();
            rebuilt.waiting[output.index()] = reads.len();
            reads.into_iter().for_each(|var| rebuilt.readers[var.index()].push(output));
        }
        rebuilt
    }

    fn build(&mut self, classes: &[Class]) {
        let functions = self.functions.iter().enumerate().filter_map(|(var, &f)| Some((Var::from_index(var), f?)));
        let mut free: Vec<(bool, Lit, Var)> = functions
            .filter(|&(var, _)| !self.definitions.is_defined(var))
            .map(|(var, function)| (classes[var.index()] == Class::Inner, function, var))
            .collect();
        // Outer blocks first and as they are; then whatever rests on least.
        free.sort_unstable();
        let inner = free.split_off(free.partition_point(|&(inner, ..)| !inner));
        for (_, function, var) in free {
            self.signals[var.index()] = Some(self.import(function));
        }
        let known = (0..self.signals.len()).filter(|&var| self.signals[var].is_some()).map(Var::from_index);
        known.collect::<Vec<_>>().into_iter().for_each(|var| self.tell(var));
        for (_, function, var) in inner {
            self.signals[var.index()] = Some(self.import(function));
            self.tell(var);
        }
    }

    /// A variable has its signal: so have those that were waiting for nothing else.
    fn tell(&mut self, var: Var) {
        let mut told = vec![var];
        while let Some(var) = told.pop() {
            for at in 0..self.readers[var.index()].len() {
                let output = self.readers[var.index()][at];
                self.waiting[output.index()] -= 1;
                if self.waiting[output.index()] == 0 {
                    self.signals[output.index()] = Some(self.define(output));
                    told.push(output);
                }
            }
        }
    }

    /// The signal of a variable whose definition reads what has a signal: true if one of its clauses needs it. It takes the place
    /// of the old function.
    fn define(&mut self, var: Var) -> Lit {
        let old = self.functions[var.index()];
        if let Some(simple) = old.filter(|signal| self.old.operands(signal.var()).is_none()) {
            return simple;
        }
        let (definitions, matrix) = (self.definitions, self.matrix);
        let mut function = Aig::FALSE;
        for &clause in &definitions.defining[var.index()] {
            let clause = &matrix.clauses[clause as usize];
            if clause.contains(&var.positive()) {
                let others = clause.iter().filter(|lit| lit.var() != var);
                let mut needed: Vec<Lit> = others.map(|&lit| self.signal(!lit)).collect();
                needed.sort_unstable();
                let needed = needed.into_iter().fold(Aig::TRUE, |all, signal| self.aig.and(all, signal));
                function = self.aig.or(function, needed);
            }
        }
        if let Some(old) = old {
            self.here[old.var().index()] = Some(if old.is_negative() { !function } else { function });
        }
        function
    }

    fn signal(&self, lit: Lit) -> Lit {
        let signal = self.signals[lit.var().index()].unwrap_or(Aig::FALSE);
        if lit.is_negative() { !signal } else { signal }
    }

    /// An old signal here, with everything it rests on.
    fn import(&mut self, signal: Lit) -> Lit {
        let here = |here: &[Option<Lit>], lit: Lit| {
            here[lit.var().index()].map(|signal| if lit.is_negative() { !signal } else { signal })
        };
        let mut open = vec![signal.var()];
        while let Some(&node) = open.last() {
            if self.here[node.index()].is_some() {
                open.pop();
                continue;
            }
            // Constants and inputs are there from the start.
            let Some(operands) = self.old.operands(node) else { break };
            match operands.map(|operand| here(&self.here, operand)) {
                [Some(left), Some(right)] => self.here[node.index()] = Some(self.aig.and(left, right)),
                known => open.extend(
                    operands.iter().zip(known).filter(|(_, known)| known.is_none()).map(|(operand, _)| operand.var()),
                ),
            }
        }
        here(&self.here, signal).unwrap_or(Aig::FALSE)
    }

    fn finish(mut self) -> Aig {
        let places: FxHashMap<Var, usize> =
            self.matrix.original.iter().enumerate().map(|(index, &(_, var))| (var, index)).collect();
        for &(var, old) in self.old.outputs() {
            let new = places.get(&var).and_then(|&index| self.signals[index]);
            let signal = new.unwrap_or_else(|| self.import(old));
            self.aig.output(var, signal);
        }
        self.aig.retain_used();
        self.aig
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::formula::{Prefix, Qbf};

    /// forall 1 2 exists 3 4 5: 3 = 1 & 2, 4 = 3 ^ 1, and 5 is free; functions that were put together clumsily.
    #[test]
    fn functions_become_definitions() {
        let clauses: &[&[i32]] =
            &[&[3, -1, -2], &[-3, 1], &[-3, 2], &[-4, 3, 1], &[-4, -3, -1], &[4, 3, -1], &[4, -3, 1]];
        let mut prefix = Prefix::new();
        prefix.push_block(Quantifier::Forall, [1, 2].map(Var::from_dimacs));
        prefix.push_block(Quantifier::Exists, [3, 4, 5].map(Var::from_dimacs));
        let lits = clauses.iter().map(|clause| clause.iter().map(|&lit| Lit::from_dimacs(lit)).collect::<Vec<_>>());
        let matrix = Matrix::new(
            &Qbf::new(&prefix, lits.chain([vec![Lit::from_dimacs(5), Lit::from_dimacs(4)]]).collect()).unwrap(),
        );
        let mut old = Aig::new([1, 2].map(Var::from_dimacs).to_vec());
        let (a, b) = (old.input(0), old.input(1));
        // Gates as they are: nothing simplifies them.
        let both = old.push_and(a, b);
        let again = old.push_and(both, a);
        let third = old.push_and(again, b);
        let first = old.push_and(a, !b);
        let fourth = old.push_and(first, !third);
        let free = old.push_and(!fourth, !first);
        old.output(Var::from_dimacs(3), third);
        old.output(Var::from_dimacs(4), fourth);
        old.output(Var::from_dimacs(5), free);
        let new = redefine(old.clone(), &matrix);
        assert!(new.ands().len() < old.ands().len(), "{new:?}");
        for bits in 0..4 {
            let input = |var: Var| bits >> var.index() & 1 == 1;
            assert_eq!(new.evaluate(input), old.evaluate(input), "{bits}");
        }
        let outputs = |aig: &Aig| aig.outputs().iter().map(|&(var, _)| var).collect::<Vec<_>>();
        assert_eq!(outputs(&new), outputs(&old));
    }
}
