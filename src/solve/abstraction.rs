//! QBFs by simplification and clausal abstraction, see [`gamesat_qbf`].

use super::engine::{Afresh, Engine, Fit, Offer, Run};
use super::{Answer, Control, Options, Question, StopReason, Trace, Verdict, Wanted};
use gamesat_core::formula::Proof;
use gamesat_core::problem::Problem;
use gamesat_core::statistics::Statistics;
use gamesat_encode::simpler;
use gamesat_qbf::abstraction as engine;
use gamesat_qbf::engine::QbfEngine;
use gamesat_qbf::options::SimplifyOptions;
use gamesat_qbf::pipeline::{QbfOptions, solve};

pub(super) struct Abstraction;

impl Engine for Abstraction {
    fn name(&self) -> &'static str {
        "abstraction"
    }

    fn about(&self) -> &'static str {
        "QBF: simplification, then one SAT solver per quantifier block (clausal abstraction)"
    }

    fn offer(&self, question: &Question<'_>) -> Option<Offer> {
        offer(question, Fit::Fair)
    }

    fn begin(&self, options: &Options) -> Box<dyn Run> {
        Box::new(Afresh { options: options.clone(), answer })
    }
}

/// Quantified formulas with all that can be wanted of them; boards with plies, of which no proof is known.
pub(super) fn offer(question: &Question<'_>, fit: Fit) -> Option<Offer> {
    let Wanted { all_moves, trace, outer_model, proof, .. } = *question.wanted;
    match question.problem {
        Problem::Qbf(_) | Problem::Circuit(_) if all_moves || trace != Trace::No => None,
        Problem::Qbf(_) => Offer::direct(fit),
        Problem::Circuit(_) => Offer::through(simpler(question.problem)?, fit),
        Problem::Board(board) if board.has_plies() && !outer_model && !proof && trace == Trace::No => {
            Offer::through(simpler(question.problem)?, fit)
        }
        _ => None,
    }
}

fn answer(problem: &Problem, wanted: &Wanted, options: &Options, control: &Control) -> Answer {
    let engine = engine::Abstraction { options: options.abstraction.clone() };
    through_pipeline(problem, &engine, Some(options.simplify.clone()), wanted, control)
}

/// Simplification, an engine, and the way back.
pub(super) fn through_pipeline(
    problem: &Problem,
    engine: &dyn QbfEngine,
    simplify: Option<SimplifyOptions>,
    wanted: &Wanted,
    control: &Control,
) -> Answer {
    let Problem::Qbf(qbf) = problem else {
        return Answer::stopped(StopReason::Unsupported("not a quantified formula in clauses".to_owned()));
    };
    let ways = QbfOptions {
        simplify,
        outer_model: wanted.outer_model,
        certificate: wanted.proof.then_some(wanted.certificate),
    };
    let mut statistics = Statistics::default();
    let mut answer = match solve(qbf, &[engine], &ways, control, &mut statistics) {
        Ok(solution) => {
            let mut answer = Answer::new(Verdict::from(solution.answer.verdict));
            answer.missing = solution.missing();
            answer.outer_model = wanted.outer_model.then_some(solution.answer.outer_model);
            let refutation = solution.refutation.map(Proof::Refutation);
            let confirmation = solution.confirmation.map(Proof::Confirmation);
            answer.proof = refutation.or(confirmation).or(solution.answer.functions.ok().map(Proof::Functions));
            answer
        }
        Err(reason) => Answer::stopped(reason),
    };
    answer.statistics = statistics;
    answer
}
