//! The winner's functions under construction, as every engine builds them: a graph of gates with an input for each of the
//! loser's variables, and the signal of every variable so far.
//!
//! The winner's variables are false until an engine says otherwise. An engine sets them in the order of the prefix, so that a
//! function reads nothing that is quantified after its variable.

use super::matrix::Matrix;
use gamesat_core::formula::{Aig, Lit, Quantifier, Var};

/// A graph and what each variable of the matrix is in it.
pub(super) struct Signals {
    pub(super) aig: Aig,
    /// By dense number.
    of: Vec<Lit>,
    winner: Quantifier,
}

impl Signals {
    /// The loser's variables are inputs; nothing else is known.
    pub(super) fn new(matrix: &Matrix, verdict: bool) -> Self {
        let winner = if verdict { Quantifier::Exists } else { Quantifier::Forall };
        let loses = |(quantifier, _): &&(Quantifier, Var)| *quantifier != winner;
        let aig = Aig::new(matrix.original.iter().filter(loses).map(|&(_, var)| var).collect());
        let mut next = 0;
        let of = matrix.original.iter().map(|&(quantifier, _)| {
            if quantifier == winner {
                return Aig::FALSE;
            }
            next += 1;
            aig.input(next - 1)
        });
        let of = of.collect();
        Signals { aig, of, winner }
    }

    /// Functions that are constants.
    pub(super) fn constant(matrix: &Matrix, verdict: bool, values: &[bool]) -> Aig {
        let mut signals = Signals::new(matrix, verdict);
        for (index, &value) in values.iter().enumerate().filter(|&(_, &value)| value) {
            if matrix.original[index].0 == signals.winner {
                signals.set(Var::from_index(index), if value { Aig::TRUE } else { Aig::FALSE });
            }
        }
        signals.finish(matrix)
    }

    /// Whether variables of this quantifier have functions.
    pub(super) fn wins(&self, quantifier: Quantifier) -> bool {
        quantifier == self.winner
    }

    /// The signal of a literal.
    pub(super) fn get(&self, lit: Lit) -> Lit {
        let signal = self.of[lit.var().index()];
        if lit.is_negative() { !signal } else { signal }
    }

    /// Gives a variable its function.
    pub(super) fn set(&mut self, var: Var, signal: Lit) {
        self.of[var.index()] = signal;
    }

    /// The conjunction of signals, in one order, because conditions have much in common.
    pub(super) fn all(&mut self, signals: &mut [Lit]) -> Lit {
        signals.sort_unstable();
        signals.iter().fold(Aig::TRUE, |all, &signal| self.aig.and(all, signal))
    }

    /// The disjunction of signals, in their order and balanced, so that none of them is far from the whole.
    pub(super) fn one_of(&mut self, mut signals: Vec<Lit>) -> Lit {
        while signals.len() > 1 {
            for pair in 0..signals.len() / 2 {
                signals[pair] = self.aig.or(signals[2 * pair], signals[2 * pair + 1]);
            }
            if signals.len() % 2 == 1 {
                let last = signals.len() - 1;
                signals[last / 2] = signals[last];
            }
            signals.truncate(signals.len().div_ceil(2));
        }
        signals.first().copied().unwrap_or(Aig::FALSE)
    }

    /// Puts rules for reduced clauses in front of the universal player's others, for the variables of one level: if a clause of
    /// the matrix is falsified, falsify what universal reduction took from it. To be called when all signals before that
    /// level are known.
    ///
    /// Of the falsified clauses from which a variable was taken the first one counts. So what was taken from the first
    /// falsified clause of all is falsified, and one clause is enough.
    pub(super) fn falsify_reduced(&mut self, matrix: &Matrix, level: u32) {
        let mut taken: Vec<(Lit, usize)> = Vec::new();
        for (clause, gone) in matrix.reduced.iter().enumerate() {
            let here = gone.iter().filter(|lit| matrix.level_of[lit.var().index()] == level);
            taken.extend(here.map(|&lit| (lit, clause)));
        }
        taken.sort_unstable_by_key(|&(lit, clause)| (lit.var(), std::cmp::Reverse(clause)));
        for (lit, clause) in taken {
            let mut falsified: Vec<Lit> = matrix.clauses[clause].iter().map(|&lit| self.get(!lit)).collect();
            let falsified = self.all(&mut falsified);
            let value = if lit.is_negative() { Aig::TRUE } else { Aig::FALSE };
            let function = self.aig.select(falsified, value, self.of[lit.var().index()]);
            self.set(lit.var(), function);
        }
    }

    /// The universal player's functions, with the rules for what universal reduction took from clauses put in front.
    pub(super) fn finish_false(mut self, matrix: &Matrix) -> Aig {
        let levels = matrix.quantifiers.iter().enumerate();
        for (level, _) in levels.filter(|&(_, &quantifier)| quantifier == Quantifier::Forall) {
            self.falsify_reduced(matrix, level as u32);
        }
        self.falsify_reduced(matrix, Matrix::ABSENT);
        self.finish(matrix)
    }

    /// The functions of the winner's variables, and nothing that they do not need.
    pub(super) fn finish(self, matrix: &Matrix) -> Aig {
        let Signals { mut aig, of, winner } = self;
        for (&(_, var), signal) in matrix.original.iter().zip(of).filter(|((quantifier, _), _)| *quantifier == winner) {
            aig.output(var, signal);
        }
        aig.retain_used();
        aig
    }
}
