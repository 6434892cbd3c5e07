//! Quantified formulas: every engine with random techniques, the simplifier on its own, and certificates.

use super::{Case, random_options};
use crate::support::aiger;
use crate::support::certified::{
    Steps, any_qbf, certify_random, certifying, deep_qbf, hold_steps, moves_and_copies, near_kernel_qbf,
};
use crate::support::other_questions::random_quantified_circuit;
use crate::support::simplified as simplifier;
use gamesat::Problem;
use gamesat::check::{Judge, Judgement, evaluate_circuit, evaluate_qbf};
use gamesat::control::Control;
use gamesat::formula::Proof;
use gamesat::options::{Backend, Functions, SimplifyOptions};
use gamesat::solve::{Options, Question, Verdict, Wanted, ask, engines};
use gamesat_qbf::portfolio::Portfolio;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

pub fn engines_of(problem: &Problem, wanted: &Wanted) -> Vec<&'static str> {
    let question = Question { problem, wanted };
    engines().iter().filter(|engine| engine.offer(&question).is_some()).map(|engine| engine.name()).collect()
}

/// Verdict, outer model and proof of a formula in clauses or of a circuit, from every engine that offers them.
pub fn engines_agree(problem: &Problem, expected: bool, options: &Options, case: &mut Case) {
    for wanted in [Wanted::default(), Wanted::default().and_outer_model(), Wanted::default().and_proof()] {
        for engine in engines_of(problem, &wanted) {
            let mut options = options.clone();
            options.engine = Some(engine.to_owned());
            case.problem(problem, &options);
            let answer = ask(&Question { problem, wanted: &wanted }, &options, &Control::default()).unwrap();
            assert_eq!(answer.verdict, Verdict::from(expected), "{engine}: {problem:?}\n{options:?}");
            assert_eq!(answer.missing, None, "{engine}: {problem:?}\n{options:?}");
            if let (Some(values), Problem::Qbf(qbf)) = (&answer.outer_model, problem) {
                let rest = evaluate_qbf(&qbf.substitute(values), &Control::default()).unwrap().0;
                assert_eq!(rest, expected, "{engine}: outer model {values:?} of {problem:?}\n{options:?}");
            }
            if !wanted.proof {
                continue;
            }
            let proof = answer.proof.expect("nothing is missing");
            for &judge in Judge::ALL {
                let judgement = judge.verify(problem, &proof, &Control::default()).unwrap();
                assert_eq!(judgement, Judgement::Accepted(expected), "{}: {problem:?}\n{options:?}", judge.name());
            }
            if let (Problem::Qbf(qbf), Proof::Functions(functions)) = (problem, &proof) {
                aiger::check_certificate(qbf, expected, &aiger::text(functions));
            }
        }
    }
    case.count(if expected { "true" } else { "false" });
}

pub fn answers(random: &mut ChaCha8Rng, case: &mut Case) {
    let (problem, expected) = if random.random_range(0..4) == 0 {
        let circuit = random_quantified_circuit(random);
        let expected = evaluate_circuit(&circuit, &Control::default()).unwrap().0;
        (Problem::Circuit(circuit), expected)
    } else {
        let qbf = any_qbf(random);
        let expected = evaluate_qbf(&qbf, &Control::default()).unwrap().0;
        (Problem::Qbf(qbf), expected)
    };
    let mut options = random_options(random);
    options.abstraction.backend = Backend::ALL[random.random_range(0..Backend::ALL.len())];
    engines_agree(&problem, expected, &options, case);
}

pub fn simplified(random: &mut ChaCha8Rng, case: &mut Case) {
    let qbf = any_qbf(random);
    let mut options = random_options(random);
    options.simplify.functions = [Functions::None, Functions::Skolem, Functions::Both][random.random_range(0..3)];
    case.problem(&Problem::Qbf(qbf.clone()), &options);
    let decided = simplifier::check(&qbf, &options.simplify);
    case.count(if decided { "decided" } else { "smaller" });
    if decided {
        let all = simplifier::check(&qbf, &SimplifyOptions::default());
        case.count(if all { "decided by all" } else { "not by all" });
    }
}

pub fn certificates(random: &mut ChaCha8Rng, case: &mut Case) {
    certify_random(random.random());
    case.count("right");
}

/// Proofs step by step of small formulas of many blocks, by way of few techniques: any formula, and one whose variables move while clauses come
/// and go, with small changes.
pub fn steps(random: &mut ChaCha8Rng, case: &mut Case) {
    let qbf = if random.random() { near_kernel_qbf(random) } else { deep_qbf(random) };
    let mut options = Options::default();
    let others = [0.0, 0.1, 0.3][random.random_range(0..3)];
    options.simplify = moves_and_copies(others, random);
    case.problem(&Problem::Qbf(qbf.clone()), &options);
    case.count(match hold_steps(&qbf, &Portfolio::default(), &certifying(Some(options.simplify))) {
        Some(Steps::Confirmation(_)) => "confirmed",
        Some(Steps::Refutation(_)) => "refuted",
        None => "by functions",
    });
}
