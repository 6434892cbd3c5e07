//! Certificates through the whole pipeline: simplification, engine and the way back. Those of small formulas are held to a
//! truth table, all of them to the checker that users run, and damaged ones must be refused.

#[path = "support/aiger.rs"]
mod aiger;
#[path = "support/random_circuit.rs"]
mod random_circuit;
#[path = "support/random_qbf.rs"]
mod random_qbf;

use gamesat::Problem;
use gamesat::check::evaluate_qbf;
use gamesat::control::{Control, Interrupt, Limits};
use gamesat::format::read_aiger;
use gamesat::formula::{Aig, ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::generate::generate;
use gamesat::internals::check::check_certificate;
use gamesat::internals::encode::clausify;
use gamesat::internals::qbf::pipeline::{QbfOptions, Solution, solve};
use gamesat::internals::qbf::simplify::{SimplifyOptions, Technique};
use gamesat::internals::sat::Backend;
use gamesat::statistics::Statistics;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use random_circuit::random_circuit_qbf;
use random_qbf::random_qbf;

fn certifying(simplify: SimplifyOptions) -> QbfOptions {
    let mut options = QbfOptions::default();
    options.simplify = Some(simplify);
    options.abstraction.certificate = true;
    options.outer_model = true;
    options
}

fn certified(qbf: &Qbf, options: &QbfOptions) -> (Solution, String) {
    let mut solution = solve(qbf, options, &Control::default(), &mut Statistics::default()).unwrap();
    assert_eq!(solution.missing, None, "{qbf:?}");
    let certificate = aiger::text(&solution.certificate.take().expect("a certificate"));
    (solution, certificate)
}

fn read(text: &str) -> Aig {
    read_aiger(&mut text.as_bytes(), "certificate").unwrap()
}

/// The verdict is right, the certificate wins every play, and so do the values of the outermost block.
fn hold_to_truth_table(qbf: &Qbf, options: &QbfOptions) -> (bool, String) {
    let (expected, witness) = evaluate_qbf(qbf, &Control::default()).unwrap();
    let (solution, text) = certified(qbf, options);
    assert_eq!(solution.verdict, expected, "{qbf:?}");
    aiger::check_certificate(qbf, expected, &text);
    assert_eq!(solution.outer_model.len(), witness.len(), "{qbf:?}");
    let rest = qbf.substitute(&solution.outer_model);
    assert_eq!(evaluate_qbf(&rest, &Control::default()).unwrap().0, expected, "outer model of {qbf:?}");
    (expected, text)
}

fn checker(qbf: &Qbf, certificate: &Aig) -> Option<bool> {
    check_certificate(qbf, certificate, Backend::default(), &Control::default()).unwrap().ok()
}

#[test]
fn of_random_formulas() {
    let options = certifying(SimplifyOptions::default());
    for seed in 100_000..106_000 {
        let qbf = random_qbf(seed);
        let (verdict, text) = hold_to_truth_table(&qbf, &options);
        // Without any function a certificate shows what the matrix alone shows.
        if qbf.prefix().quantified().any(|(quantifier, _)| (quantifier == Quantifier::Exists) == verdict) {
            assert_eq!(checker(&qbf, &read(&text)), Some(verdict), "seed {seed}: {qbf:?}");
        }
    }
}

#[test]
fn of_random_circuits() {
    let options = certifying(SimplifyOptions::default());
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    for _ in 0..8000 {
        hold_to_truth_table(&random_circuit_qbf(&mut rng), &options);
    }
}

#[test]
fn with_random_subsets_of_the_techniques() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    for seed in 110_000..120_000 {
        let mut simplify = SimplifyOptions::default();
        let share = [0.2, 0.5, 0.9][rng.random_range(0..3)];
        for technique in Technique::ALL {
            simplify.set(technique, rng.random_bool(share));
        }
        let qbf = if seed % 2 == 0 { random_qbf(seed) } else { random_circuit_qbf(&mut rng) };
        hold_to_truth_table(&qbf, &certifying(simplify));
    }
}

#[test]
fn of_every_family() {
    let instances = [
        "kbkf 1",
        "kbkf 6",
        "kbkf-ld 5",
        "qparity 3",
        "qparity 8",
        "equality 1",
        "equality 6",
        "cr 2",
        "cr 4",
        "pigeonhole 3 holes=2",
        "pigeonhole 5 holes=3",
        "pigeonhole 4 holes=4",
        "adder 3 inputs=3",
        "adder 3 inputs=2",
        "counter 3 squarings=3",
        "counter 3 squarings=2",
        "hex 2",
        "hex 3 depth=5",
        "line 3 depth=5",
        "random 60 blocks=3 vars=8",
        "random 30 blocks=4 vars=6",
    ];
    for line in instances {
        let mut words = line.split(' ');
        let family = words.next().unwrap();
        let instance = generate(family, &words.collect::<Vec<_>>(), 1).unwrap();
        let qbf = match instance.problem {
            Problem::Qbf(qbf) => qbf,
            Problem::Circuit(circuit) => clausify(&circuit),
            other => panic!("{line}: {other:?}"),
        };
        let (solution, text) = certified(&qbf, &certifying(SimplifyOptions::default()));
        assert!(instance.answer.is_none_or(|answer| answer == solution.verdict), "{line}");
        assert_eq!(checker(&qbf, &read(&text)), Some(solution.verdict), "{line}");
    }
}

fn with_only(text: &str, techniques: &[Technique]) {
    let parsed = gamesat::format::read(&mut text.as_bytes(), "text", &Default::default()).unwrap();
    let Problem::Qbf(qbf) = parsed.problem else { panic!("{parsed:?}") };
    let mut simplify = SimplifyOptions::none();
    techniques.iter().for_each(|&technique| simplify.set(technique, true));
    hold_to_truth_table(&qbf, &certifying(simplify));
}

/// Given 5, the clause (-5 | 2 | 3) is (2), but 5 is only a choice that 2 makes possible.
#[test]
fn an_autarky_satisfies_its_clauses_at_once() {
    let text = "p cnf 6 8\ne 1 2 0\na 3 0\ne 4 5 6 0\n-5 2 3 0\n5 -2 0\n5 2 -3 0\n-6 -3 0\n6 3 0\n4 5 0\n6 0\n1 0\n";
    with_only(text, &[Technique::UniversalReduction, Technique::Autarkies]);
}

/// The covering literal 2 of (2 | -4 | -7) must not be made true where the covered -1 is false.
#[test]
fn a_covering_literal_saves_only_what_it_covers() {
    let text = "p cnf 8 14\na 1 0\ne 2 0\na 3 4 0\ne 5 6 7 8 0\n-5 1 0\n5 -1 0\n-6 3 0\n6 -3 0\n-7 -2 4 0\n-7 2 -4 0\n\
                7 2 4 0\n7 -2 -4 0\n-8 -1 2 0\n-8 1 -2 0\n8 1 2 0\n8 -1 -2 0\n7 -8 0\n-3 4 -8 0\n";
    with_only(text, &[Technique::PureLiterals, Technique::BlockedClauses, Technique::CoveredLiterals]);
}

/// One operand of a gate, or one output, turned round: refused with a play that shows it, or still a winning strategy.
#[test]
fn damaged_ones_are_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let options = certifying(SimplifyOptions::default());
    let mut refused = 0;
    for seed in 120_000..122_000 {
        let qbf = random_qbf(seed);
        let (solution, text) = certified(&qbf, &options);
        let good = read(&text);
        if good.outputs().is_empty() {
            continue;
        }
        let hit = rng.random_range(0..good.outputs().len() + 2 * good.ands().len());
        let mut bad = Aig::new(good.inputs().to_vec());
        let turned = |lit: Lit, place: usize| if place == hit { !lit } else { lit };
        let outputs = good.outputs().len();
        for (index, &[left, right]) in good.ands().iter().enumerate() {
            bad.push_and(turned(left, outputs + 2 * index), turned(right, outputs + 2 * index + 1));
        }
        for (index, &(var, signal)) in good.outputs().iter().enumerate() {
            bad.output(var, turned(signal, index));
        }
        match check_certificate(&qbf, &bad, Backend::default(), &Control::default()).unwrap() {
            // Some functions may be anything; but never does one show the opposite.
            Ok(verdict) => assert_eq!(verdict, solution.verdict, "{qbf:?}"),
            Err(flaw) => {
                refused += 1;
                let play = flaw.assignment().expect("it is the functions that fail");
                let holds = |clause: &[Lit]| clause.iter().any(|lit| play.contains(lit));
                assert_eq!(qbf.matrix().iter().all(holds), !solution.verdict, "{flaw}: {qbf:?}");
            }
        }
    }
    assert!(refused > 400, "only {refused} were refused");
}

/// Ten thousand alternations, with and without the simplifier: every existential variable copies the universal one before
/// it, and in the false formula one clause asks for the opposite in the end.
#[test]
fn of_ten_thousand_alternations() {
    for truth in [true, false] {
        let (mut prefix, mut matrix) = (Prefix::new(), ClauseArena::new());
        for pair in 0..5_000 {
            let [a, e] = [2 * pair, 2 * pair + 1].map(Var::from_index);
            prefix.push_block(Quantifier::Forall, [a]);
            prefix.push_block(Quantifier::Exists, [e]);
            matrix.push(&[a.positive(), e.negative()]);
            matrix.push(&[a.negative(), e.positive()]);
        }
        if !truth {
            matrix.push(&[Lit::from_dimacs(1), Lit::from_dimacs(9_999), Lit::from_dimacs(10_000)]);
        }
        let qbf = Qbf::new(&prefix, matrix).unwrap();
        let with = certifying(SimplifyOptions::default());
        let mut without = with.clone();
        without.simplify = None;
        for options in [with, without] {
            let (solution, text) = certified(&qbf, &options);
            assert_eq!(solution.verdict, truth);
            assert_eq!(checker(&qbf, &read(&text)), Some(truth));
        }
    }
}

#[test]
fn a_verdict_stands_without_the_certificate_that_took_too_long() {
    // The first run refutes the formula by expansion; the node limit ends the second one, which has to do without.
    let Problem::Qbf(qbf) = generate("qparity", &["n=40"], 0).unwrap().problem else { panic!() };
    let control = Control::new(Limits { nodes: Some(5), ..Limits::default() }, Interrupt::new());
    let solution = solve(&qbf, &certifying(SimplifyOptions::default()), &control, &mut Statistics::default()).unwrap();
    assert!(!solution.verdict);
    assert!(solution.certificate.is_none() && solution.missing.is_some());
}
