//! Every family against the definition: at small sizes the announced answer is what the naive evaluators say.

use crate::support::ask::solve;
use gamesat::Problem;
use gamesat::check::{evaluate_circuit, evaluate_game, evaluate_qbf};
use gamesat::control::Control;
use gamesat::formula::Player;
use gamesat::generate::{GenerateError, Instance, Values, families, generate};
use gamesat::solve::Options;

fn evaluate(problem: &Problem) -> bool {
    let control = Control::default();
    match problem {
        Problem::Qbf(qbf) => evaluate_qbf(qbf, &control).unwrap().0,
        Problem::Circuit(circuit) => evaluate_circuit(circuit, &control).unwrap().0,
        Problem::Game(game) => evaluate_game(game, &control).unwrap().winner == Player::Max,
        other => panic!("no family makes {other:?}"),
    }
}

fn make(family: &str, parameters: &str, seed: u64) -> Instance {
    let parameters: Vec<&str> = parameters.split_whitespace().collect();
    generate(family, &parameters, seed).unwrap()
}

/// The announced answers of these instances are right; gives them back.
fn right(family: &str, parameters: &[&str]) -> Vec<bool> {
    let check = |parameters: &&str| {
        let instance = make(family, parameters, 0);
        let answer = instance.answer.expect("the family has known answers");
        assert_eq!(answer, evaluate(&instance.problem), "{}", instance.title);
        answer
    };
    parameters.iter().map(check).collect()
}

#[test]
fn false_families_are_false() {
    for family in ["kbkf", "kbkf-ld"] {
        assert_eq!(right(family, &["n=1", "n=2", "n=3", "n=4"]), [false; 4]);
    }
    assert_eq!(right("qparity", &["n=1", "n=2", "n=3", "n=6"]), [false; 4]);
    assert_eq!(right("equality", &["n=1", "n=2", "n=3", "n=4"]), [false; 4]);
    assert_eq!(right("cr", &["n=1", "n=2", "n=3"]), [false; 3]);
}

#[test]
fn pigeons_fit_if_all_but_one_have_holes() {
    let all = ["1 holes=1", "2 holes=1", "3 holes=1", "2 holes=2", "3 holes=2", "4 holes=1", "3 holes=3", "4 holes=2"];
    assert_eq!(right("pigeonhole", &all), [true, true, false, true, true, false, true, false]);
}

#[test]
fn circuits_have_their_answers() {
    assert_eq!(right("adder", &["2 inputs=3", "2 inputs=2", "3 inputs=3", "3 inputs=2"]), [true, false, true, false]);
    for bits in 1..=4 {
        let parameters: Vec<String> = (0..=4).map(|k| format!("{bits} squarings={k}")).collect();
        let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let expected: Vec<bool> = (0..=4).map(|k| 1u32 << k >= (1 << bits) - 1).collect();
        assert_eq!(right("counter", &parameters), expected);
    }
}

/// The answers of both encodings at every depth, by an engine that is not the evaluator: that one is too slow for these.
#[test]
fn bounded_board_games_have_their_answers() {
    let known = |line: &str, encoding: &str| {
        let (family, parameters) = line.split_once(' ').unwrap();
        let instance = make(family, &format!("{parameters} encoding={encoding}"), 0);
        let outcome = solve(&instance.problem, &Options::default());
        let answer = instance.answer.expect(line);
        assert_eq!(outcome.verdict, answer.into(), "{}", instance.title);
        answer
    };
    for (line, least, greatest) in [("hex 1", 1, 1), ("hex 2", 3, 4), ("hex 3", 5, 9)] {
        for depth in 1..=greatest {
            assert_eq!(known(&format!("{line} depth={depth}"), "explicit"), depth >= least, "{line} depth={depth}");
        }
        assert!(known(line, "lifted"));
    }
    assert!(!known("hex 4 depth=7", "explicit") && known("hex 4 depth=9", "explicit"));
    assert_eq!(make("hex", "5 depth=8", 0).answer, Some(false));
    assert_eq!(make("hex", "5 depth=9", 0).answer, None);
    for (line, least) in
        [("line 2 length=2", 3), ("line 3 length=1", 1), ("line 3 length=2", 3), ("line 3 length=3", 7)]
    {
        for depth in 1..=7 {
            assert_eq!(known(&format!("{line} depth={depth}"), "explicit"), depth >= least, "{line} depth={depth}");
        }
    }
    assert!(!known("line 2 length=3", "explicit"));
    // At sizes that it can treat the evaluator agrees.
    assert_eq!(right("hex", &["1", "2 depth=2"]), [true, false]);
}

#[test]
fn planted_random_formulas_are_true() {
    for seed in 0..100 {
        let blocks = 1 + seed % 4;
        let forall = if blocks == 1 { 0 } else { seed % 2 };
        let parameters = format!("25 blocks={blocks} vars=4 exists=2 forall={forall} planted=yes");
        let instance = make("random", &parameters, seed);
        assert_eq!(instance.answer, Some(true));
        assert!(evaluate(&instance.problem), "{}", instance.title);
    }
}

#[test]
fn random_formulas_are_of_both_kinds() {
    let verdicts: Vec<bool> =
        (0..60).map(|seed| evaluate(&make("random", "18 blocks=3 vars=4 exists=2 forall=1", seed).problem)).collect();
    let count = verdicts.iter().filter(|&&verdict| verdict).count();
    assert!((6..54).contains(&count), "{count} of 60 are true");
}

#[test]
fn random_formulas_have_the_shape_that_was_asked_for() {
    use gamesat::formula::Quantifier;
    let Problem::Qbf(qbf) = make("random", "50 blocks=4 vars=5 exists=3 forall=2", 3).problem else { panic!() };
    let kinds: Vec<Quantifier> = qbf.prefix().blocks().map(|block| block.quantifier).collect();
    assert_eq!(kinds, [Quantifier::Forall, Quantifier::Exists, Quantifier::Forall, Quantifier::Exists]);
    let universal = |index: usize| (index / 5).is_multiple_of(2);
    assert_eq!(qbf.matrix().len(), 50);
    for clause in qbf.matrix() {
        assert_eq!(clause.iter().filter(|lit| universal(lit.var().index())).count(), 2, "{clause:?}");
        assert!(clause.is_sorted_by(|a, b| a.var() < b.var()) && clause.len() == 5, "{clause:?}");
    }
}

#[test]
fn pairing_games_are_won_by_the_planted_player() {
    for seed in 0..24 {
        for form in ["cnf", "dnf"] {
            for turn in ["max", "min"] {
                for rule in ["any", "own"] {
                    let parameters = format!("4 rows=9 size=3 form={form} turn={turn} rule={rule}");
                    let instance = make("game-pairing", &parameters, seed);
                    assert_eq!(instance.answer, Some(form == "cnf"));
                    assert_eq!(instance.answer, Some(evaluate(&instance.problem)), "{}", instance.title);
                }
            }
        }
    }
}

#[test]
fn parity_games_have_their_winners() {
    let every = |n: usize| ["max", "min"].iter().flat_map(move |turn| ["any", "own"].map(|rule| (n, turn, rule)));
    for (n, turn, rule) in (1..=6).flat_map(every) {
        right("game-parity", &[&format!("{n} turn={turn} rule={rule}")]);
    }
}

#[test]
fn random_games_are_of_both_kinds() {
    for parameters in ["8 rows=7 size=2", "8 rows=5 size=3 signs=mixed turn=min"] {
        let count = (0..40).filter(|&seed| evaluate(&make("game-random", parameters, seed).problem)).count();
        assert!((3..37).contains(&count), "{count} of 40 are won by MAX: {parameters}");
    }
}

/// Instances are named by their seeds in tables of results: these must never change.
#[test]
fn instances_are_the_same_for_ever() {
    let Problem::Qbf(qbf) = make("random", "2 blocks=3 vars=10 exists=3 forall=2", 7).problem else { panic!() };
    assert_eq!(format!("{:?}", qbf.matrix()), "[[-8, 17, -20, 22, 24], [-5, -13, -20, 23, 26]]");
    let Problem::Game(game) = make("game-random", "10 rows=2 size=3 signs=mixed", 7).problem else { panic!() };
    assert_eq!(format!("{:?}", game.matrix()), "Cnf([[7, -8, -10], [-4, -6, 7]])");
    for family in families() {
        let [one, same, other] = [7, 7, 8].map(|seed| generate(family.name, &[] as &[&str], seed).unwrap());
        assert_eq!(one.problem, same.problem);
        assert_eq!(one.problem != other.problem, family.seeded, "{}", family.name);
    }
}

#[test]
fn wrong_parameters_are_explained() {
    let message = |family: &str, parameters: &[&str]| generate(family, parameters, 0).unwrap_err().to_string();
    assert!(message("kbfk", &[]).contains("no family 'kbfk'; the families are kbkf, kbkf-ld, qparity"));
    assert_eq!(message("kbkf", &["m=3"]), "kbkf has no parameter 'm'; it has n");
    assert_eq!(message("kbkf", &["n=-3"]), "n=-3: expected a number from 1 to 10000");
    assert_eq!(message("kbkf", &["99999999999999999999"]).split(':').next(), Some("n=99999999999999999999"));
    assert_eq!(message("game-random", &["turn=black"]), "turn=black: expected max or min");
    assert!(message("random", &["vars=2", "blocks=1"]).contains("too few for 3 and 1 different literals"));
    assert!(message("game-random", &["elements=2"]).contains("no row has 3 different elements of 2"));
}

/// The greatest value of every parameter, alone and all together, is made or refused, quickly.
#[test]
fn nothing_is_too_large_to_be_refused() {
    for family in families() {
        let greatest = |value: &Values| match *value {
            Values::Number { greatest, .. } => greatest.to_string(),
            Values::Words(words) => words[words.len() - 1].to_string(),
        };
        let all: Vec<String> =
            family.parameters.iter().map(|p| format!("{}={}", p.name, greatest(&p.values))).collect();
        match generate(family.name, &all, 0) {
            Ok(instance) => assert!(instance.title.starts_with(family.name)),
            Err(error) => assert!(matches!(error, GenerateError::Impossible(_)), "{error}"),
        }
    }
}
