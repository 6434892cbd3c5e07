//! Every simplification alone, all together and in random subsets, against the naive evaluator: the truth value, and the
//! values of the outermost block that the reconstruction gives.

use crate::support::random_circuit::random_circuit_qbf;
use crate::support::simplified::check;
use gamesat::formula::{ClauseArena, Prefix, Qbf, Quantifier, Var};
use gamesat::options::{Functions, SimplifyOptions, Technique};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TECHNIQUES: &[Technique] = SimplifyOptions::TECHNIQUES;

/// A formula with 1 to 6 blocks, some of them empty, some variables free, clauses with repeated and complementary
/// literals now and then, any quantifier innermost.
fn random_qbf(rng: &mut impl Rng) -> Qbf {
    let vars = rng.random_range(1..=8);
    let blocks = rng.random_range(1..=6);
    let mut members: Vec<Vec<Var>> = vec![Vec::new(); blocks];
    for index in 0..vars {
        // Index `blocks` leaves the variable free.
        let choices = blocks + usize::from(rng.random_bool(0.1));
        let block = rng.random_range(0..choices);
        if let Some(members) = members.get_mut(block) {
            members.push(Var::from_index(index));
        }
    }
    let mut prefix = Prefix::new();
    let mut quantifier = if rng.random_bool(0.5) { Quantifier::Exists } else { Quantifier::Forall };
    for block in members {
        prefix.push_block(quantifier, block);
        quantifier = !quantifier;
    }
    let clauses = rng.random_range(0..=(vars * 3 + 2));
    let longest = rng.random_range(1..=5);
    let mut matrix = ClauseArena::new();
    for _ in 0..clauses {
        let length = if rng.random_bool(0.02) { 0 } else { rng.random_range(1.min(longest)..=longest) };
        for _ in 0..length.max(usize::from(!rng.random_bool(0.1))) {
            matrix.push_lit(Var::from_index(rng.random_range(0..vars)).lit(rng.random_bool(0.5)));
        }
        matrix.finish();
    }
    Qbf::new(&prefix, matrix).unwrap()
}

/// Runs a choice of options on many formulas.
fn check_many(seed: u64, count: usize, mut options: impl FnMut(&mut ChaCha8Rng) -> SimplifyOptions) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut decided = 0;
    for round in 0..count {
        let qbf = if round % 2 == 0 { random_qbf(&mut rng) } else { random_circuit_qbf(&mut rng) };
        decided += usize::from(check(&qbf, &options(&mut rng)));
    }
    decided
}

#[test]
fn nothing_on_is_the_identity_in_truth() {
    check_many(1, 500, |_| SimplifyOptions::none());
}

#[test]
fn each_technique_alone() {
    let mut next = 0;
    check_many(2, 8000, |_| {
        let mut options = SimplifyOptions::none();
        options.set(TECHNIQUES[next % TECHNIQUES.len()].name, true);
        next += 1;
        options
    });
}

#[test]
fn all_techniques_together() {
    let decided = check_many(3, 6000, |_| SimplifyOptions::default());
    assert!(decided > 5000, "only {decided} of 6000 small formulas were decided by simplification alone");
}

#[test]
fn random_subsets() {
    check_many(4, 8000, |rng| {
        let mut options = SimplifyOptions::default();
        for technique in TECHNIQUES {
            options.set(technique.name, rng.random_bool(0.5));
        }
        options.functions = [Functions::None, Functions::Skolem, Functions::Both][rng.random_range(0..3)];
        options
    });
}

#[test]
fn all_but_one() {
    check_many(5, 4000, |rng| {
        let mut options = SimplifyOptions::default();
        options.set(TECHNIQUES[rng.random_range(0..TECHNIQUES.len())].name, false);
        options
    });
}

/// Redundant clauses and literals with little else around that would take them away first.
#[test]
fn redundancies_with_little_else() {
    check_many(6, 6000, |rng| {
        let mut options = SimplifyOptions::none();
        options.redundancies = true;
        for name in
            ["universal_reduction", "unit_propagation", "pure_literals", "elimination", "vivification", "dependencies"]
        {
            options.set(name, rng.random_bool(0.5));
        }
        options.functions = [Functions::None, Functions::Skolem, Functions::Both][rng.random_range(0..3)];
        options
    });
}
