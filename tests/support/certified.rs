//! The differential driver of certificates: random small QBFs, random subsets of the techniques, and what comes out held
//! to truth tables. Tests run some thousands of seeds, `benchmarks/certificates.rs` as many as one likes.

pub use crate::support::random_circuit::random_circuit_qbf;
pub use crate::support::random_qbf::random_qbf;

use crate::support::aiger;
use gamesat::check::evaluate_qbf;
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Confirmation, Lit, Prefix, Qbf, Quantifier, Refutation, Var};
use gamesat::options::{AbstractionOptions, Certificate, SimplifyOptions};
use gamesat::statistics::Statistics;
use gamesat_check::steps::{check_confirmation, check_refutation};
use gamesat_qbf::abstraction::Abstraction;
use gamesat_qbf::engine::{Answer, QbfEngine};
use gamesat_qbf::expansion::Expansion;
use gamesat_qbf::ground::Ground;
use gamesat_qbf::matrix::Matrix;
use gamesat_qbf::pipeline::{QbfOptions, solve};
use gamesat_qbf::portfolio::Portfolio;
use gamesat_qbf::qcdcl::Qcdcl;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Everything that shows a verdict, by way of these techniques.
pub fn certifying(simplify: Option<SimplifyOptions>) -> QbfOptions {
    let mut options = QbfOptions::default();
    (options.simplify, options.outer_model, options.certificate) = (simplify, true, Some(Certificate::Functions));
    options
}

/// An answer with nothing missing; by abstraction if there are too many blocks for the engine.
pub fn certified(qbf: &Qbf, engine: &dyn QbfEngine, options: &QbfOptions) -> Answer {
    let solution =
        solve(qbf, &[engine, &Abstraction::default()], options, &Control::default(), &mut Statistics::default())
            .unwrap();
    assert_eq!(solution.missing(), None, "{qbf:?}");
    solution.answer
}

/// The verdict is right, the functions win every play, and so do the values of the outermost block. Returns the verdict
/// and the certificate.
pub fn hold_to_truth_table(qbf: &Qbf, engine: &dyn QbfEngine, options: &QbfOptions) -> (bool, String) {
    let (expected, witness) = evaluate_qbf(qbf, &Control::default()).unwrap();
    let answer = certified(qbf, engine, options);
    assert_eq!(answer.verdict, expected, "{qbf:?}");
    let text = aiger::text(&answer.functions.expect("functions"));
    aiger::check_certificate(qbf, expected, &text);
    assert_eq!(answer.outer_model.len(), witness.len(), "{qbf:?}");
    let rest = qbf.substitute(&answer.outer_model);
    assert_eq!(evaluate_qbf(&rest, &Control::default()).unwrap().0, expected, "outer model of {qbf:?}");
    (expected, text)
}

/// What shows a verdict step by step.
pub enum Steps {
    /// That a formula is false.
    Refutation(Refutation),
    /// That a formula is true.
    Confirmation(Confirmation),
}

/// A proof step by step is accepted; if the formula is false there is one if it has three blocks or fewer. What takes its place otherwise is accepted, too.
pub fn hold_steps(qbf: &Qbf, engine: &dyn QbfEngine, options: &QbfOptions) -> Option<Steps> {
    let (expected, _) = evaluate_qbf(qbf, &Control::default()).unwrap();
    let mut options = options.clone();
    options.certificate = Some(Certificate::Steps);
    let (control, mut statistics) = (Control::default(), Statistics::default());
    let solution = solve(qbf, &[engine, &Abstraction::default()], &options, &control, &mut statistics).unwrap();
    assert_eq!(solution.missing(), None, "{qbf:?}");
    assert_eq!(solution.answer.verdict, expected, "{qbf:?}");
    let few = Matrix::new(qbf).quantifiers().len() <= 3;
    assert!(solution.refutation.is_some() || expected || !few, "no refutation of {qbf:?}");
    match (solution.refutation, solution.confirmation) {
        (Some(refutation), None) => {
            assert!(!expected, "{qbf:?}");
            let judged = check_refutation(qbf, &refutation, &control).unwrap();
            assert_eq!(judged, Ok(()), "{refutation:?} of {qbf:?}");
            Some(Steps::Refutation(refutation))
        }
        (None, Some(confirmation)) => {
            assert!(expected, "{qbf:?}");
            let judged = check_confirmation(qbf, &confirmation, &control).unwrap();
            assert_eq!(judged, Ok(()), "{confirmation:?} of {qbf:?}");
            Some(Steps::Confirmation(confirmation))
        }
        (None, None) => {
            aiger::check_certificate(qbf, expected, &aiger::text(&solution.answer.functions.expect("functions")));
            None
        }
        (Some(_), Some(_)) => panic!("both verdicts are shown of {qbf:?}"),
    }
}

/// The refutation, if there is one: see [`hold_steps`].
pub fn hold_refutation(qbf: &Qbf, engine: &dyn QbfEngine, options: &QbfOptions) -> Option<Refutation> {
    match hold_steps(qbf, engine, options)? {
        Steps::Refutation(refutation) => Some(refutation),
        Steps::Confirmation(_) => None,
    }
}

/// The confirmation, if there is one: see [`hold_steps`].
pub fn hold_confirmation(qbf: &Qbf, engine: &dyn QbfEngine, options: &QbfOptions) -> Option<Confirmation> {
    match hold_steps(qbf, engine, options)? {
        Steps::Confirmation(confirmation) => Some(confirmation),
        Steps::Refutation(_) => None,
    }
}

/// One formula of this seed, one subset of all techniques, one certificate.
pub fn certify_random(seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut simplify = SimplifyOptions::default();
    let share = [0.2, 0.5, 0.9][rng.random_range(0..3)];
    for technique in SimplifyOptions::TECHNIQUES {
        simplify.set(technique.name, rng.random_bool(share));
    }
    let mut abstraction = AbstractionOptions::default();
    for technique in AbstractionOptions::TECHNIQUES {
        abstraction.set(technique.name, rng.random_bool(0.7));
    }
    let qbf = any_qbf(&mut rng);
    let options = certifying(rng.random_bool(0.8).then_some(simplify));
    for engine in engines(abstraction) {
        hold_to_truth_table(&qbf, &*engine, &options);
        hold_steps(&qbf, &*engine, &options);
    }
}

/// Every engine, and all of them together in short turns.
pub fn engines(abstraction: AbstractionOptions) -> Vec<Box<dyn QbfEngine>> {
    let portfolio = Portfolio {
        abstraction: abstraction.clone(),
        trial: 2,
        second: 2,
        since: 0,
        alone: 8,
        turn: 1,
        ..Portfolio::default()
    };
    let mut eager = portfolio.clone();
    (eager.options.trial_literals, eager.options.symbolic_literals) = (0, 0);
    // Small formulas do not pay for axioms.
    let mut search = Qcdcl::default();
    search.options.axiom_share = 0;
    let mut engines: Vec<Box<dyn QbfEngine>> = vec![
        Box::new(Abstraction { options: abstraction }),
        Box::new(Ground::default()),
        Box::new(eager),
        Box::new(Expansion::default()),
        Box::new(search),
        Box::new(portfolio),
    ];
    #[cfg(feature = "symbolic")]
    engines.push(Box::new(gamesat_qbf::symbolic::Symbolic));
    engines
}

/// A formula of one of three kinds: random clauses, a circuit, or many blocks.
pub fn any_qbf(rng: &mut ChaCha8Rng) -> Qbf {
    match rng.random_range(0..3) {
        0 => random_qbf(rng.random()),
        1 => random_circuit_qbf(rng),
        _ => deep_qbf(rng),
    }
}

/// Which variables are existential, and clauses, of a formula all of which the simplifier undoes by moves and copies: the clause of the first, seventh and eighth variable
/// loses the eighth while none but that one keeps the first apart from what is behind it.
const KERNEL: ([bool; 8], [&[i32]; 8]) = (
    [false, true, false, true, true, false, true, false],
    [&[3, -2], &[4, 3, 8], &[1, -5], &[6, -5], &[-1, 7, 8], &[-3, -5], &[-7, 5, 4], &[-6, -8, 4]],
);

/// A formula that depends on the order in which clauses come and go while it is simplified: the kernel.
pub fn kernel_qbf() -> Qbf {
    deep(KERNEL.0, KERNEL.1.iter().map(|clause| clause.to_vec()).collect())
}

/// The kernel with up to three small changes.
pub fn near_kernel_qbf(rng: &mut ChaCha8Rng) -> Qbf {
    let mut clauses: Vec<Vec<i32>> = KERNEL.1.iter().map(|clause| clause.to_vec()).collect();
    let literal = |rng: &mut ChaCha8Rng| rng.random_range(1..=8) * if rng.random() { 1 } else { -1 };
    for _ in 0..rng.random_range(0..=3) {
        let at = rng.random_range(0..clauses.len());
        let place = rng.random_range(0..clauses[at].len());
        match rng.random_range(0..5) {
            0 => clauses[at][place] *= -1,
            1 => clauses[at][place] = literal(rng),
            2 => clauses.push((0..rng.random_range(2..=3)).map(|_| literal(rng)).collect()),
            3 => clauses[at].push(literal(rng)),
            _ => clauses.swap(0, at),
        }
    }
    deep(KERNEL.0, clauses)
}

/// A formula whose variables are quantified one by one.
fn deep(exists: [bool; 8], clauses: Vec<Vec<i32>>) -> Qbf {
    let mut prefix = Prefix::new();
    for (index, exists) in exists.into_iter().enumerate() {
        prefix.push_var(if exists { Quantifier::Exists } else { Quantifier::Forall }, Var::from_index(index));
    }
    let lits = |clause: Vec<i32>| clause.into_iter().map(Lit::from_dimacs).collect::<Vec<Lit>>();
    Qbf::new(&prefix, clauses.into_iter().map(lits).collect()).expect("no variable is bound twice")
}

/// What moves and copies variables, and hardly anything else.
pub fn moves_and_copies(others: f64, rng: &mut ChaCha8Rng) -> SimplifyOptions {
    let mut options = SimplifyOptions::default();
    for technique in SimplifyOptions::TECHNIQUES {
        let is_kept = ["unit_propagation", "expansion", "shifting"].contains(&technique.name);
        assert!(options.set(technique.name, is_kept || rng.random_bool(others)));
    }
    options
}

/// Many short blocks and about as many clauses as make both verdicts likely: techniques meet here.
pub fn deep_qbf(rng: &mut ChaCha8Rng) -> Qbf {
    let vars = rng.random_range(7..=10);
    let mut prefix = Prefix::new();
    for index in 0..vars {
        let quantifier = if rng.random_bool(0.5) { Quantifier::Exists } else { Quantifier::Forall };
        prefix.push_var(quantifier, Var::from_index(index));
    }
    let mut matrix = ClauseArena::new();
    for _ in 0..rng.random_range(vars..=2 * vars) {
        for _ in 0..rng.random_range(2..=4) {
            matrix.push_lit(Var::from_index(rng.random_range(0..vars)).lit(rng.random()));
        }
        matrix.finish();
    }
    Qbf::new(&prefix, matrix).expect("no variable is bound twice")
}

/// A literal turned round, a clause less, a quantifier turned round, or two variables of the prefix exchanged.
pub fn other_formula(qbf: &Qbf, rng: &mut ChaCha8Rng) -> Qbf {
    let mut matrix = qbf.matrix().clone();
    let mut prefix: Vec<(Quantifier, Var)> = qbf.prefix().quantified().collect();
    match rng.random_range(0..4) {
        0 if matrix.num_lits() > 0 => {
            let place = rng.random_range(0..matrix.num_lits());
            let lit = &mut matrix.lits_mut()[place];
            *lit = !*lit;
        }
        1 if !matrix.is_empty() => {
            let gone = rng.random_range(0..matrix.len());
            matrix = matrix.iter().enumerate().filter(|&(index, _)| index != gone).map(|(_, clause)| clause).collect();
        }
        2 if !prefix.is_empty() => {
            let place = rng.random_range(0..prefix.len());
            prefix[place].0 = !prefix[place].0;
        }
        _ if !prefix.is_empty() => {
            let [one, other] = [(); 2].map(|()| rng.random_range(0..prefix.len()));
            prefix.swap(one, other);
        }
        _ => {}
    }
    let mut changed = Prefix::new();
    prefix.into_iter().for_each(|(quantifier, var)| changed.push_var(quantifier, var));
    Qbf::new(&changed, matrix).unwrap()
}
