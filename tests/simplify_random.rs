//! Every simplification alone, all together and in random subsets, against the naive evaluator: the truth value, and the
//! values of the outermost block that the reconstruction gives.

#[path = "support/random_circuit.rs"]
mod random_circuit;

use gamesat::check::evaluate_qbf;
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::internals::qbf::simplify::{complete, simplify};
use gamesat::options::{Functions, SimplifyOptions, Technique};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use random_circuit::random_circuit_qbf;

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

fn value(qbf: &Qbf) -> (bool, Vec<Lit>) {
    evaluate_qbf(qbf, &Control::default()).unwrap()
}

/// Simplifies and compares with the judge. Returns whether the simplifier decided the formula alone.
fn check(qbf: &Qbf, options: &SimplifyOptions) -> bool {
    let (expected, _) = value(qbf);
    let context = || format!("{qbf:?}\nwith {options:?}");
    let mut options = options.clone();
    options.expansion_bonus = 20; // the judge cannot cope with many copies
    let options = &options;
    let simplified = simplify(qbf, options, &Control::default());
    if simplified.formula.prefix().vars().len() > 16 {
        return false;
    }
    assert_eq!(simplified.stop, None);
    let (verdict, model) = value(&simplified.formula);
    assert_eq!(verdict, expected, "{}\nbecame {:?}", context(), simplified.formula);
    if let Some(decided) = simplified.verdict {
        assert_eq!(decided, expected, "{}", context());
    }
    let outer = qbf.prefix().blocks().next();
    if outer.is_some_and(|block| (block.quantifier == Quantifier::Exists) == expected) {
        let outer_model = simplified.reconstruction.outer_model(&model);
        let solve = |rest: &Qbf| Ok::<_, ()>(value(rest).0);
        let values = if outer_model.exact {
            outer_model.values
        } else {
            complete(qbf, expected, &outer_model.values, solve).unwrap()
        };
        let vars: Vec<Var> = values.iter().map(|lit| lit.var()).collect();
        assert_eq!(Some(&vars[..]), outer.map(|block| block.vars), "{}", context());
        let rest = value(&qbf.substitute(&values)).0;
        assert_eq!(rest, expected, "{}\nouter values {values:?} from {model:?}", context());
    }
    simplified.verdict.is_some()
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
