//! Gates that an encoder left in the CNF: clauses that define a variable by others.
//!
//! Recognised are conjunctions and disjunctions of any arity (an equivalence being the case of one input), exclusive
//! disjunctions of two inputs, and multiplexers. A definition counts only if no input is to the right of the output:
//! otherwise the output could not be computed from them when its turn comes.

use super::store::{ClauseId, Simplifier};
use crate::formula::{Lit, Var};

/// The clauses that define a variable: those with it and those with its negation.
#[derive(Clone, Debug, Default)]
pub(super) struct Gate {
    pub(super) positive: Vec<ClauseId>,
    pub(super) negative: Vec<ClauseId>,
}

impl Gate {
    /// The clauses with this literal of the output.
    pub(super) fn side(&self, positive: bool) -> &[ClauseId] {
        if positive { &self.positive } else { &self.negative }
    }
}

/// A definition of the variable, if its clauses contain one.
pub(super) fn find(s: &mut Simplifier<'_>, var: Var) -> Option<Gate> {
    s.clean(var.positive());
    s.clean(var.negative());
    conjunction(s, var.positive())
        .or_else(|| conjunction(s, var.negative()))
        .or_else(|| exclusive_or(s, var))
        .or_else(|| multiplexer(s, var))
}

fn gate(output: Lit, with: Vec<ClauseId>, without: Vec<ClauseId>) -> Gate {
    if output.is_positive() {
        Gate { positive: with, negative: without }
    } else {
        Gate { positive: without, negative: with }
    }
}

/// Whether the literal's variable is not to the right of the output.
fn is_input(s: &Simplifier<'_>, lit: Lit, output: Lit) -> bool {
    s.level(lit.var()) <= s.level(output.var())
}

/// `output = a1 & .. & ak`: a clause `output | -a1 | .. | -ak` and clauses `-output | ai`.
fn conjunction(s: &mut Simplifier<'_>, output: Lit) -> Option<Gate> {
    s.clear_marks();
    let mut any = false;
    for index in 0..s.count(!output) {
        let id = s.occurrence(!output, index)?;
        if let &[a, b] = s.clause(id) {
            let input = if a == !output { b } else { a };
            if is_input(s, input, output) {
                s.set_mark(input);
                any = true;
            }
        }
    }
    if !any {
        return None;
    }
    let fits = |&&id: &&ClauseId| {
        let clause = s.clause(id);
        clause.len() > 1 && clause.iter().all(|&lit| lit == output || s.is_marked(!lit))
    };
    let long = *s.cleaned_clauses_of(output).iter().find(fits)?;
    let mut inputs: Vec<Lit> = s.clause(long).iter().filter(|&&lit| lit != output).map(|&lit| !lit).collect();
    let mut binaries = Vec::with_capacity(inputs.len());
    for &id in s.cleaned_clauses_of(!output) {
        if let &[a, b] = s.clause(id) {
            let input = if a == !output { b } else { a };
            if let Some(place) = inputs.iter().position(|&lit| lit == input) {
                inputs.swap_remove(place);
                binaries.push(id);
            }
        }
    }
    inputs.is_empty().then(|| gate(output, vec![long], binaries))
}

/// The other two literals of a ternary clause.
fn others(clause: &[Lit], lit: Lit) -> Option<(Lit, Lit)> {
    match *clause {
        [a, b, c] if a == lit => Some((b, c)),
        [a, b, c] if b == lit => Some((a, c)),
        [a, b, c] if c == lit => Some((a, b)),
        _ => None,
    }
}

/// A clause of `lit` with exactly these two other literals.
fn ternary(s: &Simplifier<'_>, lit: Lit, a: Lit, b: Lit) -> Option<ClauseId> {
    let fits = |&&id: &&ClauseId| others(s.clause(id), lit).is_some_and(|(x, y)| (x, y) == (a, b) || (x, y) == (b, a));
    s.cleaned_clauses_of(lit).iter().find(fits).copied()
}

/// `output = a ^ b`.
fn exclusive_or(s: &Simplifier<'_>, var: Var) -> Option<Gate> {
    let output = var.positive();
    for &id in s.cleaned_clauses_of(output) {
        let Some((a, b)) = others(s.clause(id), output) else { continue };
        if !is_input(s, a, output) || !is_input(s, b, output) {
            continue;
        }
        if let Some(second) = ternary(s, output, !a, !b)
            && let Some(third) = ternary(s, !output, a, !b)
            && let Some(fourth) = ternary(s, !output, !a, b)
        {
            return Some(gate(output, vec![id, second], vec![third, fourth]));
        }
    }
    None
}

/// `output = if c then t else e`.
fn multiplexer(s: &Simplifier<'_>, var: Var) -> Option<Gate> {
    let output = var.positive();
    let list = s.cleaned_clauses_of(output);
    if list.len() > 40 {
        return None;
    }
    for (index, &first) in list.iter().enumerate() {
        let Some((a, b)) = others(s.clause(first), output) else { continue };
        for (select, then) in [(a, b), (b, a)] {
            // output | select | then, output | -select | otherwise
            for &second in &list[index + 1..] {
                let Some((x, y)) = others(s.clause(second), output) else { continue };
                let otherwise = if x == !select {
                    y
                } else if y == !select {
                    x
                } else {
                    continue;
                };
                if [select, then, otherwise].iter().any(|&lit| !is_input(s, lit, output)) {
                    continue;
                }
                if let Some(third) = ternary(s, !output, select, !then)
                    && let Some(fourth) = ternary(s, !output, !select, !otherwise)
                {
                    return Some(gate(output, vec![first, second], vec![third, fourth]));
                }
            }
        }
    }
    None
}
