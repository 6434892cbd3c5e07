//! Every winning choice of the outermost block, by [abstraction](gamesat_qbf::abstraction), of formulas as they are:
//! simplification keeps some model, not all.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Verdict, Wanted};
use gamesat_core::formula::{ClauseArena, Lit, Qbf, Quantifier, Var, VarSet};
use gamesat_core::problem::Problem;
use gamesat_core::statistics::Statistics;
use gamesat_encode::steps::clausify;
use gamesat_qbf::abstraction::Abstraction;
use gamesat_qbf::matrix::Matrix;

pub(super) struct Enumeration;

impl Engine for Enumeration {
    fn name(&self) -> &'static str {
        "enumeration"
    }

    fn about(&self) -> &'static str {
        "QBF: every winning choice of the outermost block, by abstraction"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let is_formula = matches!(question.problem, Problem::Qbf(_) | Problem::Circuit(_));
        Offer::direct(Fit::Good).filter(|_| is_formula && *question.wanted == Wanted::default().and_all_models())
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { options: options.clone(), answer })
    }
}

fn answer(problem: &Problem, _: &Wanted, options: &Options, control: &Control) -> Answer {
    match problem {
        Problem::Qbf(qbf) => models(qbf, |_| true, options, control),
        Problem::Circuit(circuit) => {
            let inputs = circuit.circuit().inputs();
            models(&clausify(circuit), |var| var.index() < inputs, options, control)
        }
        _ => Answer::stopped(StopReason::Unsupported("not a quantified formula".to_owned())),
    }
}

fn models(qbf: &Qbf, asked_for: impl Fn(Var) -> bool, options: &Options, control: &Control) -> Answer {
    let engine = Abstraction { options: options.abstraction.clone() };
    let mut statistics = Statistics::default();
    let (mut cubes, mut count) = (Vec::new(), 0);
    let is_universal = qbf.prefix().blocks().next().is_some_and(|block| block.quantifier == Quantifier::Forall);
    let matrix = if is_universal { Matrix::new(&anchored(qbf)) } else { Matrix::new(qbf) };
    let take = |cube: Vec<Lit>| {
        count += 1;
        match control.give_model(&cube) {
            Some(true) => Ok(()),
            Some(false) => Err(StopReason::Interrupted),
            None => {
                cubes.push(cube);
                Ok(())
            }
        }
    };
    let result = engine.outer_models(&matrix, asked_for, control, &mut statistics, take);
    let mut answer = match result {
        Ok(verdict) => Answer::new(Verdict::from(verdict)),
        // One is enough for the verdict.
        Err(reason) if count > 0 => Answer { missing: Some(reason), ..Answer::new(Verdict::from(!is_universal)) },
        Err(reason) => Answer::stopped(reason),
    };
    answer.outer_models = Some(cubes);
    answer.statistics = statistics;
    answer
}

/// The same formula with an existential literal in every clause that is not empty: a new variable, innermost, which is false.
/// So universal reduction, which would lose sight of countermodels, takes nothing from the outermost block.
fn anchored(qbf: &Qbf) -> Qbf {
    let existential: VarSet = qbf
        .prefix()
        .quantified()
        .filter(|(quantifier, _)| *quantifier == Quantifier::Exists)
        .map(|(_, var)| var)
        .collect();
    let anchor = unbound(qbf).positive();
    let mut rest = qbf.clone();
    if rest.add_block(Quantifier::Exists, &[anchor.var()]).is_err() {
        unreachable!("the variable is new");
    }
    let mut matrix = ClauseArena::new();
    let mut longer = Vec::new();
    for clause in qbf.matrix() {
        longer.clear();
        longer.extend_from_slice(clause);
        if !clause.is_empty() && !clause.iter().any(|lit| existential.contains(lit.var())) {
            longer.push(anchor);
        }
        matrix.push(&longer);
    }
    matrix.push(&[!anchor]);
    rest.with_matrix(matrix)
}

/// The least variable that the prefix does not bind. (The one behind the greatest need not exist: that may have the largest number.)
fn unbound(qbf: &Qbf) -> Var {
    let bound: VarSet = qbf.prefix().vars().iter().copied().collect();
    let least = (0..Var::LIMIT).map(Var::from_index).find(|&var| !bound.contains(var));
    least.unwrap_or_else(|| unreachable!("no text binds every variable there can be"))
}
