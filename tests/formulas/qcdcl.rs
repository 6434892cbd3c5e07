//! The conflict-driven engine against a small evaluator, on random, planted and structured formulas.

use crate::support::quantified::is_true;
use crate::support::random_qbf::random_qbf;
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::options::{QcdclOptions, SimplifyOptions};
use gamesat::statistics::Statistics;
use gamesat_qbf::engine::{QbfEngine, Wish};
use gamesat_qbf::matrix::Matrix;
use gamesat_qbf::pipeline::{self, QbfOptions};
use gamesat_qbf::qcdcl::Qcdcl;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Compares verdict and outer model with the definition; says which verdict it was.
fn compare(qbf: &Qbf, what: &str, statistics: &mut Statistics) -> bool {
    // The evaluator takes no tautologies.
    let evaluate = |qbf: &Qbf| {
        let mut clauses = ClauseArena::new();
        for clause in qbf.matrix().iter().filter(|clause| !clause.iter().any(|lit| clause.contains(&!*lit))) {
            clauses.push(clause);
        }
        is_true(&Qbf::new(qbf.prefix(), clauses).unwrap())
    };
    let mut wish = Wish::default();
    wish.outer_model = true;
    let matrix = Matrix::new(qbf);
    let expected = evaluate(qbf);
    // All techniques, a subset of them that differs from formula to formula, and axioms alone. Formulas are too small for axioms to
    // be paid for, so that some ask for them at any cost.
    let mut some = QcdclOptions::default();
    for (bit, technique) in QcdclOptions::TECHNIQUES.iter().enumerate() {
        some.set(technique.name, qbf.matrix().num_lits() >> bit & 1 == 1);
    }
    some.axiom_share = qbf.matrix().len() as u64 % 3;
    let mut axioms = QcdclOptions::none();
    (axioms.axioms, axioms.axiom_share) = (true, 0);
    let mut answers = [QcdclOptions::default(), some, axioms].map(|options| {
        let engine = Qcdcl { options };
        assert!(engine.answers(&matrix, wish));
        engine.solve(&matrix, wish, &Control::default(), statistics).unwrap()
    });
    assert!(answers.iter().all(|answer| answer.verdict == expected), "{what}: {qbf:?}");
    // Through the pipeline, where small formulas are tried before elimination.
    let options = QbfOptions { simplify: Some(SimplifyOptions::default()), ..QbfOptions::default() };
    let solved = pipeline::solve(qbf, &[&Qcdcl::default()], &options, &Control::default(), statistics).unwrap();
    assert_eq!(solved.answer.verdict, expected, "{what}: {qbf:?}");
    answers.rotate_left(qbf.matrix().len() % 3);
    let [answer, ..] = answers;
    if let Some(block) = qbf.prefix().blocks().next() {
        if (block.quantifier == Quantifier::Exists) == expected {
            let mut vars: Vec<Var> = answer.outer_model.iter().map(|lit| lit.var()).collect();
            vars.sort_unstable();
            assert_eq!(vars, block.vars, "{what}: {qbf:?}");
            assert_eq!(evaluate(&qbf.substitute(&answer.outer_model)), expected, "{what}: outer model of {qbf:?}");
        } else {
            assert!(answer.outer_model.is_empty());
        }
    }
    expected
}

fn prefix(rng: &mut impl Rng, vars: usize, blocks: usize) -> Prefix {
    let mut cuts: Vec<usize> = (1..blocks).map(|_| rng.random_range(0..=vars)).collect();
    cuts.extend([0, vars]);
    cuts.sort_unstable();
    let mut prefix = Prefix::new();
    let mut quantifier = if rng.random() { Quantifier::Exists } else { Quantifier::Forall };
    for pair in cuts.windows(2).filter(|pair| pair[0] < pair[1]) {
        prefix.push_block(quantifier, (pair[0]..pair[1]).map(Var::from_index));
        quantifier = !quantifier;
    }
    prefix
}

#[test]
fn odd_shapes() {
    let mut counts = [0; 2];
    for seed in 0..20_000 {
        let verdict = compare(&random_qbf(seed), &format!("seed {seed}"), &mut Statistics::default());
        counts[usize::from(verdict)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 2000), "{counts:?}");
}

/// Clauses with few universal literals, close to where both verdicts are likely: there is much to learn.
#[test]
fn random_clauses_of_many_blocks() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut counts = [0; 2];
    let mut statistics = Statistics::default();
    for round in 0..3_000 {
        let vars = rng.random_range(8..=18);
        let blocks = rng.random_range(2..=8);
        let prefix = prefix(&mut rng, vars, blocks);
        let (mut existential, mut universal) = (Vec::new(), Vec::new());
        for (quantifier, var) in prefix.quantified() {
            if quantifier == Quantifier::Exists { existential.push(var) } else { universal.push(var) }
        }
        if existential.is_empty() || universal.is_empty() {
            continue;
        }
        let mut matrix = ClauseArena::new();
        let density = rng.random_range(2..=7);
        for _ in 0..density * existential.len() {
            let mut clause: Vec<Lit> =
                (0..3).map(|_| existential[rng.random_range(0..existential.len())].lit(rng.random())).collect();
            for _ in 0..rng.random_range(1..=2) {
                clause.push(universal[rng.random_range(0..universal.len())].lit(rng.random()));
            }
            matrix.push(&clause);
        }
        let qbf = Qbf::new(&prefix, matrix).unwrap();
        counts[usize::from(compare(&qbf, &format!("round {round}"), &mut statistics))] += 1;
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    assert!(statistics.get("qcdcl_conflicts") > 2e3 && statistics.get("qcdcl_solutions") > 2e3, "{statistics:?}");
    assert!(statistics.get("qcdcl_early_wins") > 1e3 && statistics.get("qcdcl_axioms") > 2e2, "{statistics:?}");
}

/// Gates, parities and equivalences over variables of all blocks, and what they should say.
#[test]
fn circuits_of_many_blocks() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut counts = [0; 2];
    for round in 0..6_000 {
        let inputs = rng.random_range(4..=10);
        let gates = rng.random_range(1..=8);
        let blocks = rng.random_range(2..=6);
        let mut prefix = prefix(&mut rng, inputs, blocks);
        prefix.push_block(Quantifier::Exists, (inputs..inputs + gates).map(Var::from_index));
        let mut matrix = ClauseArena::new();
        let lit = |rng: &mut ChaCha8Rng, below: usize| Var::from_index(rng.random_range(0..below)).lit(rng.random());
        for gate in inputs..inputs + gates {
            let g = Var::from_index(gate).lit(rng.random());
            let (a, b, c) = (lit(&mut rng, gate), lit(&mut rng, gate), lit(&mut rng, gate));
            let clauses: &[&[Lit]] = match rng.random_range(0..4) {
                0 => &[&[g, !a, !b], &[!g, a], &[!g, b]],
                1 => &[&[!g, a, b], &[g, a, !b], &[g, !a, b], &[!g, !a, !b]],
                2 => &[&[!g, !a, b], &[g, !a, !b], &[!g, a, c], &[g, a, !c]],
                _ => &[&[g, !a], &[!g, a]],
            };
            clauses.iter().for_each(|clause| matrix.push(clause));
        }
        for _ in 0..rng.random_range(1..=3) {
            let clause: Vec<Lit> = (0..rng.random_range(1..=3)).map(|_| lit(&mut rng, inputs + gates)).collect();
            matrix.push(&clause);
        }
        let qbf = Qbf::new(&prefix, matrix).unwrap();
        counts[usize::from(compare(&qbf, &format!("round {round}"), &mut Statistics::default()))] += 1;
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}
