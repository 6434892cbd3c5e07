//! Certificates through the whole pipeline: simplification, engine and the way back. Those of small formulas are held to a
//! truth table, all of them to the checker that users run, and damaged ones must be refused.

use crate::support::aiger::text as aiger_text;
use crate::support::certified::{
    certified, certify_random, certifying, deep_qbf, engines, hold_to_truth_table, random_circuit_qbf, random_qbf,
};
use gamesat::Problem;
use gamesat::check::{CertificateFlaw, Judge};
use gamesat::control::{Control, Interrupt, Limits};
use gamesat::format::read_aiger;
use gamesat::formula::{Aig, ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::generate::generate;
use gamesat::options::{AbstractionOptions, SimplifyOptions};
use gamesat::statistics::Statistics;
use gamesat_check::steps::check_certificate;
use gamesat_encode::steps::clausify;
use gamesat_qbf::abstraction::Abstraction;
use gamesat_qbf::pipeline::solve;
use gamesat_qbf::qcdcl::Qcdcl;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The verdict and the functions, with all techniques.
fn usual(qbf: &Qbf) -> (bool, Aig) {
    let answer = certified(qbf, &Abstraction::default(), &certifying(Some(SimplifyOptions::default())));
    (answer.verdict, answer.functions.expect("functions"))
}

fn read(text: &str) -> Aig {
    read_aiger(&mut text.as_bytes(), "certificate").unwrap()
}

fn checker(qbf: &Qbf, certificate: &Aig) -> Option<bool> {
    check_certificate(qbf, certificate, Judge::usual().unwrap(), &Control::default()).unwrap().ok()
}

#[test]
fn of_random_formulas() {
    let options = certifying(Some(SimplifyOptions::default()));
    let engines = engines(AbstractionOptions::default());
    for seed in 100_000..106_000 {
        let qbf = random_qbf(seed);
        let (verdict, text) = hold_to_truth_table(&qbf, &*engines[seed as usize % engines.len()], &options);
        // Without any function a certificate shows what the matrix alone shows.
        if qbf.prefix().quantified().any(|(quantifier, _)| (quantifier == Quantifier::Exists) == verdict) {
            assert_eq!(checker(&qbf, &read(&text)), Some(verdict), "seed {seed}: {qbf:?}");
        }
    }
}

/// Each engine on formulas as they are, where it has more to do.
#[test]
fn of_every_engine_without_the_simplifier() {
    let options = certifying(None);
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    let engines = engines(AbstractionOptions::default());
    for seed in 200_000..203_000 {
        for qbf in [random_qbf(seed), random_circuit_qbf(&mut rng), deep_qbf(&mut rng)] {
            for engine in &engines {
                hold_to_truth_table(&qbf, &**engine, &options);
            }
        }
    }
}

/// A formula of a universal and an existential block in which the answer depends on the move.
fn two_blocks(rng: &mut ChaCha8Rng) -> Qbf {
    let mut prefix = Prefix::new();
    prefix.push_block(Quantifier::Forall, (0..6).map(Var::from_index));
    prefix.push_block(Quantifier::Exists, (6..15).map(Var::from_index));
    let lit = |var: usize, sign: bool| Var::from_index(var).lit(sign);
    let copied = (0..10).map(|at| vec![lit(at / 2, at % 2 == 0), lit(6 + at / 2, at % 2 == 1)]);
    let others = (0..rng.random_range(0..12)).map(|_| {
        [0..6, 0..6, 6..15, 6..15].map(|block| Var::from_index(rng.random_range(block)).lit(rng.random())).to_vec()
    });
    let clauses = copied.chain(others);
    Qbf::new(&prefix, clauses.collect()).unwrap()
}

/// Whether the functions win all plays for this verdict, by trying all values of the variables without a function. The functions
/// read no variable that has one.
fn wins(qbf: &Qbf, functions: &Aig, verdict: bool) -> bool {
    let has_function = |var: &Var| functions.outputs().iter().any(|(other, _)| other == var);
    let open: Vec<Var> = qbf.prefix().vars().iter().copied().filter(|var| !has_function(var)).collect();
    (0..1usize << open.len()).all(|bits| {
        let mut values = vec![false; qbf.num_vars()];
        open.iter().enumerate().for_each(|(at, var)| values[var.index()] = bits >> at & 1 == 1);
        let found = functions.evaluate(|var| values[var.index()]);
        functions.outputs().iter().zip(found).for_each(|((var, _), value)| values[var.index()] = value);
        let holds = |clause: &[Lit]| clause.iter().any(|lit| values[lit.var().index()] == lit.is_positive());
        qbf.matrix().iter().all(holds) == verdict
    })
}

/// The text of functions, in which some output may have another signal.
fn damaged(functions: &Aig, signal: impl FnOnce(usize) -> usize, rng: &mut ChaCha8Rng) -> String {
    let mut lines: Vec<String> = aiger_text(functions).lines().map(str::to_owned).collect();
    if !functions.outputs().is_empty() {
        let output = 1 + functions.inputs().len() + rng.random_range(0..functions.outputs().len());
        lines[output] = signal(lines[output].parse().unwrap()).to_string();
    }
    lines.join("\n")
}

/// Lists of rules, half of them with another signal for an output: all assignments say what they are worth. Comments say nothing.
#[test]
fn of_rules() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let [mut accepted, mut refused] = [0; 2];
    for round in 0..1_500 {
        let qbf = two_blocks(&mut rng);
        let simplify = (round % 3 == 0).then(SimplifyOptions::default);
        let answer = certified(&qbf, &Abstraction::default(), &certifying(simplify));
        let functions = answer.functions.expect("functions");
        let other = rng.random_range(0..2 * functions.num_nodes());
        let is_other = rng.random();
        let text = damaged(&functions, |signal| if is_other { other } else { signal }, &mut rng);
        let functions = read(&text);
        let found = check_certificate(&qbf, &functions, Judge::usual().unwrap(), &Control::default()).unwrap();
        if is_other && matches!(found, Err(CertificateFlaw::ReadsTooMuch { .. })) {
            refused += 1;
            continue;
        }
        let wins = wins(&qbf, &functions, answer.verdict);
        let expected = wins.then_some(answer.verdict);
        assert_eq!(checker(&qbf, &functions), expected, "round {round}: {text}");
        assert_eq!(checker(&qbf, &read(&format!("{text}\nc\ncases 1\nlemma 0\n"))), expected, "round {round}: {text}");
        *if wins { &mut accepted } else { &mut refused } += 1;
    }
    assert!(accepted > 300 && refused > 100, "{accepted} {refused}");
}

/// Functions of decision diagrams, some hundred gates each: right ones, ones with an output turned over, and of another
/// formula. All assignments say what they are worth.
#[cfg(feature = "symbolic")]
#[test]
fn of_decision_diagrams() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let mut counts = [[0; 2]; 2];
    for round in 0..600 {
        // True ones mostly, and false ones mostly.
        let (blocks, clauses) = if round % 2 == 0 { ([0, 9, 12], 36..44) } else { ([7, 8, 5], 50..80) };
        let quantifiers = [Quantifier::Exists, Quantifier::Forall, Quantifier::Exists];
        let (mut prefix, mut vars) = (Prefix::new(), 0);
        for (quantifier, size) in quantifiers.into_iter().zip(blocks) {
            prefix.push_block(quantifier, (vars..vars + size).map(Var::from_index));
            vars += size;
        }
        let (universal, inner) = (blocks[0]..vars - blocks[2], vars - blocks[2]..vars);
        let outer = if blocks[0] > 0 { 0..blocks[0] } else { inner.clone() };
        let mut clauses: Vec<Vec<Lit>> = (0..rng.random_range(clauses))
            .map(|_| {
                [&outer, &universal, &inner, &inner]
                    .map(|range| Var::from_index(rng.random_range(range.clone())).lit(rng.random()))
                    .to_vec()
            })
            .collect();
        let qbf = |clauses: &[Vec<Lit>]| Qbf::new(&prefix, clauses.iter().collect()).unwrap();
        let answer = certified(&qbf(&clauses), &gamesat_qbf::symbolic::Symbolic, &certifying(None));
        let functions = answer.functions.expect("functions");
        if functions.ands().len() < 512 {
            continue;
        }
        // Half of the questions are others.
        let kind = rng.random_range(0..4);
        let functions = read(&damaged(&functions, |signal| signal ^ usize::from(kind == 0), &mut rng));
        if kind == 1 {
            let clause = rng.random_range(0..clauses.len());
            clauses[clause][1] = !clauses[clause][1];
        }
        let qbf = qbf(&clauses);
        let wins = wins(&qbf, &functions, answer.verdict);
        assert_eq!(checker(&qbf, &functions), wins.then_some(answer.verdict), "round {round}");
        counts[usize::from(answer.verdict)][usize::from(wins)] += 1;
    }
    assert!(counts.iter().flatten().all(|&count| count > 15), "{counts:?}");
}

/// Functions that rest on axioms: whoever makes one of them false has to make a clause false as it was before it was reduced, so
/// there are clauses to reduce. They hold for conflict-driven search alone, which has to find axioms for this to be a test.
#[test]
fn of_axioms() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let mut engine = Qcdcl::default();
    engine.options.axiom_share = 0;
    let mut statistics = Statistics::default();
    for round in 0..2_000 {
        let mut prefix = Prefix::new();
        let (mut existential, mut universal, mut vars) = (Vec::new(), Vec::new(), 0);
        for block in 0..rng.random_range(2..=5) {
            let size = rng.random_range(2..=6);
            let (quantifier, list) = match (round + block) % 2 {
                0 => (Quantifier::Exists, &mut existential),
                _ => (Quantifier::Forall, &mut universal),
            };
            list.extend((vars..vars + size).map(Var::from_index));
            prefix.push_block(quantifier, (vars..vars + size).map(Var::from_index));
            vars += size;
        }
        let mut matrix = ClauseArena::new();
        let density = rng.random_range(3..=8);
        for _ in 0..density * existential.len() {
            (0..3).for_each(|_| matrix.push_lit(existential[rng.random_range(0..existential.len())].lit(rng.random())));
            for _ in 0..rng.random_range(0..=2) {
                matrix.push_lit(universal[rng.random_range(0..universal.len())].lit(rng.random()));
            }
            matrix.finish();
        }
        let qbf = Qbf::new(&prefix, matrix).unwrap();
        let solved = solve(&qbf, &[&engine], &certifying(None), &Control::default(), &mut statistics).unwrap();
        let functions = solved.answer.functions.expect("functions");
        assert_eq!(checker(&qbf, &functions), Some(solved.answer.verdict), "round {round}: {qbf:?}");
    }
    assert!(statistics.get("qcdcl_axioms") > 300.0, "{statistics:?}");
}

#[test]
fn of_random_circuits() {
    let options = certifying(Some(SimplifyOptions::default()));
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let engines = engines(AbstractionOptions::default());
    for round in 0..4000 {
        hold_to_truth_table(&random_circuit_qbf(&mut rng), &*engines[round % engines.len()], &options);
    }
}

#[test]
fn with_random_subsets_of_the_techniques() {
    (0..5_000).for_each(certify_random);
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
        let (verdict, functions) = usual(&qbf);
        assert!(instance.answer.is_none_or(|answer| answer == verdict), "{line}");
        assert_eq!(checker(&qbf, &functions), Some(verdict), "{line}");
    }
}

fn with_only(text: &str, techniques: &[&str]) {
    let parsed = gamesat::format::read(&mut text.as_bytes(), "text", &Default::default()).unwrap();
    let Problem::Qbf(qbf) = parsed.problem else { panic!("{parsed:?}") };
    let mut simplify = SimplifyOptions::none();
    techniques.iter().for_each(|technique| assert!(simplify.set(technique, true)));
    hold_to_truth_table(&qbf, &Abstraction::default(), &certifying(Some(simplify)));
}

/// Given 5, the clause (-5 | 2 | 3) is (2), but 5 is only a choice that 2 makes possible.
#[test]
fn an_autarky_satisfies_its_clauses_at_once() {
    let text = "p cnf 6 8\ne 1 2 0\na 3 0\ne 4 5 6 0\n-5 2 3 0\n5 -2 0\n5 2 -3 0\n-6 -3 0\n6 3 0\n4 5 0\n6 0\n1 0\n";
    with_only(text, &["universal_reduction", "autarkies"]);
}

/// The covering literal 2 of (2 | -4 | -7) must not be made true where the covered -1 is false.
#[test]
fn a_covering_literal_saves_only_what_it_covers() {
    let text = "p cnf 8 14\na 1 0\ne 2 0\na 3 4 0\ne 5 6 7 8 0\n-5 1 0\n5 -1 0\n-6 3 0\n6 -3 0\n-7 -2 4 0\n-7 2 -4 0\n\
                7 2 4 0\n7 -2 -4 0\n-8 -1 2 0\n-8 1 -2 0\n8 1 2 0\n8 -1 -2 0\n7 -8 0\n-3 4 -8 0\n";
    with_only(text, &["pure_literals", "blocked_clauses", "covered_literals"]);
}

/// Vivification finds that (-4 | 5 | -8 | ..) can lose several literals; what universal reduction then records must not
/// mention one that is still to go.
#[test]
fn vivification_reduces_only_what_it_leaves() {
    let text = "p cnf 8 13\na 6 3 0\ne 1 0\na 2 0\ne 7 0\na 8 0\ne 4 5 0\n4 -7 -8 -6 0\n5 4 2 0\n-4 5 -8 0\n5 -1 8 0\n\
                5 -7 0\n5 1 -8 0\n1 -5 2 0\n-5 -3 -2 0\n-1 3 0\n7 -5 -8 0\n-4 -5 2 0\n-4 -3 8 0\n-5 6 2 0\n";
    with_only(text, &SimplifyOptions::TECHNIQUES.iter().map(|technique| technique.name).collect::<Vec<_>>());
    with_only(text, &["universal_reduction", "vivification"]);
}

/// One operand of a gate, or one output, turned round: refused with a play that shows it, or still a winning strategy.
#[test]
fn damaged_ones_are_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let mut refused = 0;
    for seed in 120_000..122_000 {
        let qbf = random_qbf(seed);
        let (right, good) = usual(&qbf);
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
        match check_certificate(&qbf, &bad, Judge::usual().unwrap(), &Control::default()).unwrap() {
            // Some functions may be anything; but never does one show the opposite.
            Ok(verdict) => assert_eq!(verdict, right, "{qbf:?}"),
            Err(flaw) => {
                refused += 1;
                let play = flaw.assignment().expect("it is the functions that fail");
                let holds = |clause: &[Lit]| clause.iter().any(|lit| play.contains(lit));
                assert_eq!(qbf.matrix().iter().all(holds), !right, "{flaw}: {qbf:?}");
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
        for simplify in [Some(SimplifyOptions::default()), None] {
            let answer = certified(&qbf, &Abstraction::default(), &certifying(simplify));
            assert_eq!(answer.verdict, truth);
            assert_eq!(checker(&qbf, &answer.functions.unwrap()), Some(truth));
        }
    }
}

#[test]
fn a_verdict_stands_without_the_certificate_that_took_too_long() {
    // The first run refutes the formula by expansion; the node limit ends the second one, which has to do without.
    let Problem::Qbf(qbf) = generate("qparity", &["n=40"], 0).unwrap().problem else { panic!() };
    let control = Control::new(Limits { nodes: Some(5), ..Limits::default() }, Interrupt::new());
    let options = certifying(Some(SimplifyOptions::default()));
    let solution = solve(&qbf, &[&Abstraction::default()], &options, &control, &mut Statistics::default()).unwrap();
    assert!(!solution.answer.verdict);
    assert!(solution.answer.functions.is_err() && solution.missing().is_some());
}
