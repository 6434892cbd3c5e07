//! Translations into a simpler kind of problem, for engines that do not treat the original kind.

use super::Outcome;
use crate::encode::clausify;
use crate::problem::Problem;

/// The problem in the next simpler kind, if there is one: a circuit as clauses.
pub(super) fn lower(problem: &Problem) -> Option<Problem> {
    match problem {
        Problem::Circuit(circuit) => Some(Problem::Qbf(clausify(circuit))),
        Problem::Qbf(_) | Problem::Game(_) => None,
    }
}

/// The outcome of a lowered problem in terms of the original one.
pub(super) fn raise(problem: &Problem, mut outcome: Outcome) -> Outcome {
    if let (Problem::Circuit(circuit), Some(model)) = (problem, &mut outcome.outer_model) {
        model.retain(|lit| lit.var().index() < circuit.circuit().inputs());
    }
    outcome
}
