//! All copies at once against the naive evaluator.

use crate::support::aiger;
use crate::support::certified::deep_qbf;
use crate::support::random_circuit::random_circuit_qbf;
use crate::support::random_qbf::random_qbf;
use gamesat::check::evaluate_qbf;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{ClauseArena, Prefix, Qbf, Quantifier, Var};
use gamesat::options::Functions;
use gamesat::statistics::Statistics;
use gamesat_qbf::engine::{Missing, QbfEngine, Wish};
use gamesat_qbf::ground::Ground;
use gamesat_qbf::matrix::Matrix;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[test]
fn verdict_model_and_functions_agree_with_the_definition() {
    let control = Control::default();
    let (mut counts, mut answered) = ([0; 2], 0);
    for seed in 0..4_000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let qbf = match seed % 3 {
            0 => random_qbf(seed),
            1 => random_circuit_qbf(&mut rng),
            _ => deep_qbf(&mut rng),
        };
        let (expected, witness) = evaluate_qbf(&qbf, &control).unwrap();
        let matrix = Matrix::new(&qbf);
        let mut wish = Wish::default();
        wish.functions = Functions::Skolem;
        assert!(Ground::default().answers(&matrix, wish), "seed {seed}: {qbf:?}");
        wish.outer_model = true;
        // Of the universal player's first moves nothing is known.
        wish.outer_model = Ground::default().answers(&matrix, wish);
        let answer = Ground::default().solve(&matrix, wish, &control, &mut Statistics::default()).unwrap();
        assert_eq!(answer.verdict, expected, "seed {seed}: {qbf:?}");
        if expected {
            aiger::check_certificate(&qbf, true, &aiger::text(&answer.functions.expect("functions")));
        } else {
            assert_eq!(answer.functions, Err(Missing::Lost), "seed {seed}");
            wish.functions = Functions::Both;
            if Ground::default().answers(&matrix, wish) {
                let answer = Ground::default().solve(&matrix, wish, &control, &mut Statistics::default()).unwrap();
                aiger::check_certificate(&qbf, false, &aiger::text(&answer.functions.expect("functions")));
                answered += 1;
            }
        }
        if wish.outer_model {
            assert_eq!(answer.outer_model.len(), witness.len(), "seed {seed}: {qbf:?}");
            let rest = qbf.substitute(&answer.outer_model);
            assert_eq!(evaluate_qbf(&rest, &control).unwrap().0, expected, "seed {seed}: outer model of {qbf:?}");
        }
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 500) && answered > 500, "{counts:?} {answered}");
}

/// Pigeons after universal variables that say nothing but stand in every clause: copies without end.
fn pigeons(universals: usize, holes: usize) -> Qbf {
    let mut prefix = Prefix::new();
    prefix.push_block(Quantifier::Forall, (0..universals).map(Var::from_index));
    let at = |pigeon: usize, hole: usize| Var::from_index(universals + pigeon * holes + hole);
    prefix.push_block(Quantifier::Exists, (0..(holes + 1) * holes).map(|index| Var::from_index(universals + index)));
    let mut matrix = ClauseArena::new();
    for pigeon in 0..=holes {
        let mut clause: Vec<_> = (0..holes).map(|hole| at(pigeon, hole).positive()).collect();
        clause.extend((0..universals.min(1)).map(|index| Var::from_index(index).positive()));
        matrix.push(&clause);
        for other in 0..pigeon {
            for hole in 0..holes {
                matrix.push(&[at(pigeon, hole).negative(), at(other, hole).negative()]);
            }
        }
    }
    for index in 1..universals {
        matrix.push(&[Var::from_index(index).positive(), at(0, 0).positive(), at(0, 1).positive()]);
    }
    Qbf::new(&prefix, matrix).unwrap()
}

#[test]
fn what_is_too_large_is_refused_and_limits_are_obeyed() {
    let answers = |universals| Ground::default().answers(&Matrix::new(&pigeons(universals, 11)), Wish::default());
    assert!(answers(2));
    assert!(!answers(12));
    assert!(!answers(40));
    let limits = Limits { time: Some(std::time::Duration::from_millis(30)), ..Limits::default() };
    let control = Control::new(limits, Interrupt::new());
    let matrix = Matrix::new(&pigeons(3, 11));
    let answer = Ground::default().solve(&matrix, Wish::default(), &control, &mut Statistics::default());
    assert_eq!(answer.unwrap_err(), StopReason::Time);
}
