//! Every model of an outermost existential block, or every countermodel of a universal one, by
//! [abstraction](crate::engine::qbf::abstraction), of formulas as they are: simplification keeps some model, not all.

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Verdict, Wanted};
use crate::encode::steps::clausify;
use crate::engine::qbf::abstraction::Abstraction;
use crate::engine::qbf::matrix::Matrix;
use crate::formula::{ClauseArena, Qbf, Quantifier, Var};
use crate::problem::Problem;
use crate::statistics::Statistics;

pub(super) struct Enumeration;

impl Engine for Enumeration {
    fn name(&self) -> &'static str {
        "enumeration"
    }

    fn about(&self) -> &'static str {
        "QBF: every model of the outermost block, or every countermodel if it is universal, by abstraction"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        let quantified = matches!(question.problem, Problem::Qbf(_) | Problem::Circuit(_));
        Offer::direct(Fit::Good).filter(|_| quantified && *question.wanted == Wanted::default().and_all_models())
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
    let mut cubes = Vec::new();
    let universal = qbf.prefix().blocks().next().is_some_and(|block| block.quantifier == Quantifier::Forall);
    let (dense, names) = qbf.compact();
    let matrix = Matrix::new(&if universal { guard(&dense) } else { dense });
    let asked_for = |var: Var| names.get(var.index()).is_some_and(|&var| asked_for(var));
    let result = engine.outer_models(&matrix, asked_for, control, &mut statistics, |cube| {
        cubes.push(cube.iter().map(|lit| names[lit.var().index()].lit(lit.is_positive())).collect());
    });
    let mut answer = match result {
        Ok(verdict) => Answer::new(Verdict::from(verdict)),
        // One is enough for the verdict.
        Err(reason) if !cubes.is_empty() => Answer { missing: Some(reason), ..Answer::new(Verdict::from(!universal)) },
        Err(reason) => Answer::stopped(reason),
    };
    answer.outer_models = Some(cubes);
    answer.statistics = statistics;
    answer
}

/// The same with one more variable, which is existential, innermost and false, in every clause that has no existential literal: so
/// universal reduction takes nothing of the outermost block away.
fn guard(dense: &Qbf) -> Qbf {
    let last = Var::from_index(dense.prefix().vars().len());
    let mut is_existential = vec![false; last.index()];
    for (quantifier, var) in dense.prefix().quantified() {
        is_existential[var.index()] = quantifier == Quantifier::Exists;
    }
    let mut matrix = ClauseArena::new();
    for clause in dense.matrix() {
        clause.iter().for_each(|&lit| matrix.push_lit(lit));
        if !clause.iter().any(|lit| is_existential[lit.var().index()]) {
            matrix.push_lit(last.positive());
        }
        matrix.finish();
    }
    matrix.push(&[last.negative()]);
    let mut prefix = dense.prefix().clone();
    prefix.push_var(Quantifier::Exists, last);
    Qbf::new(&prefix, matrix).expect("the last variable is new")
}
