//! The expansion engine against the naive evaluator.

use gamesat::check::evaluate_qbf;
use gamesat::control::{Control, Interrupt, Limits, StopReason};
use gamesat::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::statistics::Statistics;
use gamesat_qbf::engine::{QbfEngine, Wish};
use gamesat_qbf::expansion::Expansion;
use gamesat_qbf::matrix::Matrix;
use gamesat_qbf::portfolio::Portfolio;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random formula of up to four blocks that the engine handles, with some gates in its innermost block.
fn random_qbf(rng: &mut impl Rng) -> Qbf {
    use Quantifier::{Exists, Forall};
    let shapes: [&[Quantifier]; 7] = [
        &[Exists],
        &[Forall],
        &[Forall, Exists],
        &[Exists, Forall],
        &[Exists, Forall, Exists],
        &[Forall, Exists, Forall],
        &[Exists, Forall, Exists, Forall],
    ];
    let shape = shapes[rng.random_range(0..shapes.len())];
    let mut prefix = Prefix::new();
    let mut next = 0;
    for &quantifier in shape {
        let size = rng.random_range(1..4);
        prefix.push_block(quantifier, (next..next + size).map(Var::from_index));
        next += size;
    }
    let lit = |rng: &mut dyn Rng| Var::from_index(rng.random_range(0..next)).lit(rng.random());
    let mut matrix = ClauseArena::new();
    for _ in 0..rng.random_range(0..14) {
        let clause: Vec<Lit> = (0..rng.random_range(1..5)).map(|_| lit(rng)).collect();
        matrix.push(&clause);
    }
    for _ in 0..rng.random_range(0..4) {
        let (g, a, b, c) = (lit(rng), lit(rng), lit(rng), lit(rng));
        let gate: &[&[Lit]] = match rng.random_range(0..4) {
            0 => &[&[g, !a, !b], &[!g, a], &[!g, b]],
            1 => &[&[!g, a, b], &[g, a, !b], &[g, !a, b], &[!g, !a, !b]],
            2 => &[&[!g, !a, b], &[g, !a, !b], &[!g, a, c], &[g, a, !c]],
            _ => &[&[g, !a], &[!g, a]],
        };
        for clause in gate {
            matrix.push(clause);
        }
    }
    Qbf::new(&prefix, matrix).unwrap()
}

/// A formula that takes many moves: whatever `y` says, `x` must say otherwise, and nothing short says why not.
#[test]
fn moves_count_as_nodes() {
    let bits = 8;
    let var = |block: usize, bit: usize| Var::from_index(block * bits + bit);
    let mut prefix = Prefix::new();
    prefix.push_block(Quantifier::Exists, (0..bits).map(|bit| var(0, bit)));
    prefix.push_block(Quantifier::Forall, (0..bits).map(|bit| var(1, bit)));
    prefix.push_block(Quantifier::Exists, (0..bits).map(|bit| var(2, bit)));
    let mut matrix = ClauseArena::new();
    for bit in 0..bits {
        let [x, y, z] = [0, 1, 2].map(|block| var(block, bit).positive());
        // z says that the bits differ; some bit must.
        [[x, y, !z], [!x, !y, !z]].iter().for_each(|clause| matrix.push(clause));
    }
    matrix.push(&(0..bits).map(|bit| var(2, bit).positive()).collect::<Vec<Lit>>());
    let qbf = Qbf::new(&prefix, matrix).unwrap();
    let run = |nodes: Option<u64>, engine: &dyn QbfEngine| {
        let control = Control::new(Limits { nodes, ..Limits::default() }, Interrupt::new());
        let mut statistics = Statistics::default();
        engine.solve(&Matrix::new(&qbf), Wish::default(), &control, &mut statistics).map(|answer| answer.verdict)
    };
    let engine = Expansion::default();
    assert_eq!(run(None, &engine), Ok(false));
    assert_eq!(run(Some(100_000), &engine), Ok(false));
    for nodes in [0, 1, 3] {
        assert_eq!(run(Some(nodes), &engine), Err(StopReason::Nodes), "{nodes}");
        assert_eq!(run(Some(nodes), &Portfolio::default()), Err(StopReason::Nodes), "{nodes}");
    }
}

#[test]
fn verdict_and_outer_model_agree_with_the_definition() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let control = Control::default();
    let mut counts = [0; 2];
    let mut wish = Wish::default();
    wish.outer_model = true;
    for round in 0..10_000 {
        let qbf = random_qbf(&mut rng);
        let matrix = Matrix::new(&qbf);
        assert!(Expansion::default().answers(&matrix, wish));
        let (expected, _) = evaluate_qbf(&qbf, &control).unwrap();
        let answer = Expansion::default().solve(&matrix, wish, &control, &mut Statistics::default()).unwrap();
        assert_eq!(answer.verdict, expected, "round {round}: {qbf:?}");
        counts[usize::from(expected)] += 1;
        let Some(block) = qbf.prefix().blocks().next() else { continue };
        if (block.quantifier == Quantifier::Exists) == expected {
            let mut vars: Vec<Var> = answer.outer_model.iter().map(|lit| lit.var()).collect();
            vars.sort_unstable();
            assert_eq!(vars, block.vars, "round {round}: {qbf:?}");
            let rest = qbf.substitute(&answer.outer_model);
            assert_eq!(evaluate_qbf(&rest, &control).unwrap().0, expected, "round {round}: {qbf:?}");
        } else {
            assert!(answer.outer_model.is_empty());
        }
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}
