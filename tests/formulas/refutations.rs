//! Refutations by expansion: found for every false formula of three blocks, judged right, and of no other formula.

use crate::support::certified::{any_qbf, certifying, engines, hold_refutation, other_formula};
use gamesat::check::{RefutationFlaw, evaluate_qbf};
use gamesat::control::{Control, Interrupt, StopReason};
use gamesat::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Refutation, RefutationStep, Var};
use gamesat::options::{AbstractionOptions, SimplifyOptions};
use gamesat_check::steps::check_refutation;
use gamesat_qbf::portfolio::Portfolio;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|&number| Lit::from_dimacs(number)).collect()
}

/// `exists 1 forall 2 exists 3` before these clauses.
fn of_three(clauses: &[&[i32]]) -> Qbf {
    let mut prefix = Prefix::new();
    for (quantifier, number) in [(Quantifier::Exists, 1), (Quantifier::Forall, 2), (Quantifier::Exists, 3)] {
        prefix.push_var(quantifier, Var::from_dimacs(number));
    }
    Qbf::new(&prefix, clauses.iter().map(|clause| lits(clause)).collect::<ClauseArena>()).unwrap()
}

/// A clause and its play, or a resolvent.
type Step<'a> = Result<(u32, u32), &'a [u32]>;

/// Plays, steps, and what is wrong with them.
type Case<'a> = (&'a [&'a [i32]], &'a [Step<'a>], &'a str);

fn refutation(plays: &[&[i32]], steps: &[Step<'_>]) -> Refutation {
    let mut refutation = Refutation::new();
    for play in plays {
        refutation.play(lits(play));
    }
    for step in steps {
        match *step {
            Ok((clause, play)) => refutation.take(clause, play),
            Err(chain) => refutation.resolve(chain.iter().copied()),
        };
    }
    refutation
}

fn check(qbf: &Qbf, refutation: &Refutation) -> Result<(), RefutationFlaw> {
    check_refutation(qbf, refutation, &Control::default()).unwrap()
}

#[test]
fn whoever_moves_first_cannot_answer_both_moves() {
    let qbf = of_three(&[&[1, 2], &[-1, -2], &[3, 1]]);
    let plays: &[&[i32]] = &[&[2], &[-2]];
    assert_eq!(check(&qbf, &refutation(plays, &[Ok((1, 0)), Ok((0, 1)), Err(&[0, 1])])), Ok(()));
    // A variable that is not mentioned is false.
    assert_eq!(check(&qbf, &refutation(&[&[2], &[]], &[Ok((1, 0)), Ok((0, 1)), Err(&[0, 1])])), Ok(()));
    // Repeated literals are one.
    let repeated = of_three(&[&[1, 1, 2, 2], &[-1, -1, -2]]);
    assert_eq!(check(&repeated, &refutation(plays, &[Ok((1, 0)), Ok((0, 1)), Err(&[0, 1])])), Ok(()));
}

#[test]
fn copies_of_what_moves_later_are_different_variables() {
    // Whoever moves last answers each move: 3 is what 2 is not.
    let qbf = of_three(&[&[3, 2], &[-3, -2]]);
    let plays: &[&[i32]] = &[&[2], &[-2]];
    let proof = refutation(plays, &[Ok((1, 0)), Ok((0, 1)), Err(&[0, 1])]);
    assert_eq!(check(&qbf, &proof), Err(RefutationFlaw::Clash { step: 2, with: 1, variables: 0 }));
    // Of what is quantified before the plays part there is one copy.
    let mut prefix = Prefix::new();
    prefix.push_var(Quantifier::Exists, Var::from_dimacs(3));
    prefix.push_var(Quantifier::Forall, Var::from_dimacs(2));
    let other = Qbf::new(&prefix, qbf.matrix().clone()).unwrap();
    assert_eq!(check(&other, &proof), Ok(()));
}

#[test]
fn flaws_are_named() {
    let qbf = of_three(&[&[1, 2], &[-1, -2], &[3, -3, 1], &[-1, -3], &[1, 3]]);
    let plays: &[&[i32]] = &[&[2], &[-2]];
    let cases: &[Case<'_>] = &[
        (&[&[3]], &[], "play 1: 3 is not a universal variable of the formula"),
        (&[&[2], &[9]], &[], "play 2: 9 is not a universal variable of the formula"),
        (&[&[2, -2]], &[], "play 1: variable 2 has both values"),
        (plays, &[], "there is no step"),
        (plays, &[Ok((0, 1))], "the last step is not the empty clause, literals left: 1"),
        (plays, &[Ok((0, 0))], "step 1: the play makes 2 true, so that the clause says nothing"),
        (plays, &[Ok((5, 0))], "step 1: there is no 6 before it"),
        (plays, &[Ok((0, 2))], "step 1: there is no 3 before it"),
        (plays, &[Ok((2, 0))], "step 1: the clause has 3 and its negation, so that it says nothing"),
        (plays, &[Err(&[])], "step 1: nothing to resolve"),
        (plays, &[Err(&[0])], "step 1: there is no 1 before it"),
        (
            plays,
            &[Ok((3, 0)), Ok((4, 0)), Err(&[0, 1])],
            "step 3: step 2 clashes in 2 variables with what is left of those before it, instead of one",
        ),
        (
            plays,
            &[Ok((3, 0)), Ok((3, 0)), Err(&[0, 1])],
            "step 3: step 2 clashes in 0 variables with what is left of those before it, instead of one",
        ),
    ];
    for (plays, steps, expected) in cases {
        assert_eq!(check(&qbf, &refutation(plays, steps)).unwrap_err().to_string(), *expected);
    }
}

#[test]
fn a_judge_that_is_told_to_stop_stops() {
    let qbf = of_three(&[&[1, 2], &[-1, -2]]);
    let proof = refutation(&[&[2], &[-2]], &[Ok((1, 0)), Ok((0, 1)), Err(&[0, 1])]);
    let interrupt = Interrupt::new();
    interrupt.trigger();
    let stopped = check_refutation(&qbf, &proof, &Control::default().with_interrupt(interrupt));
    assert_eq!(stopped, Err(StopReason::Interrupted));
}

/// Random formulas with definitions and without, by every engine: see `hold_refutation`.
#[test]
fn false_formulas_of_three_blocks_are_refuted() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let [mut found, mut missing] = [0; 2];
    for _ in 0..600 {
        let qbf = any_qbf(&mut rng);
        let simplify = rng.random_bool(0.7).then(SimplifyOptions::default);
        for engine in engines(AbstractionOptions::default()) {
            match hold_refutation(&qbf, &*engine, &certifying(simplify.clone())) {
                Some(_) => found += 1,
                None => missing += 1,
            }
        }
    }
    assert!(found > 1_000 && missing > 1_000, "{found} {missing}");
}

/// The same refutation of a formula that is slightly different, and slightly different ones of the same: whatever is accepted is a
/// false formula.
#[test]
fn nothing_else_is_refuted() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    let [mut accepted, mut rejected, mut of_true] = [0; 3];
    for _ in 0..2_000 {
        let qbf = any_qbf(&mut rng);
        let options = certifying(Some(SimplifyOptions::default()));
        let Some(proof) = hold_refutation(&qbf, &Portfolio::default(), &options) else { continue };
        for _ in 0..12 {
            let (qbf, proof) = if rng.random() {
                (other_formula(&qbf, &mut rng), proof.clone())
            } else {
                (qbf.clone(), other(&proof, &mut rng))
            };
            let verdict = evaluate_qbf(&qbf, &Control::default()).unwrap().0;
            of_true += usize::from(verdict);
            match check(&qbf, &proof) {
                Ok(()) => {
                    assert!(!verdict, "{proof:?} of {qbf:?}");
                    accepted += 1;
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(accepted > 300 && rejected > 3_000 && of_true > 300, "{accepted} {rejected} {of_true}");
}

/// The same with a number changed, a step less, or a literal of a play turned round.
fn other(proof: &Refutation, rng: &mut ChaCha8Rng) -> Refutation {
    let mut changed = Refutation::new();
    let (way, place) = (rng.random_range(0..3), rng.random_range(0..proof.len()));
    for (index, play) in proof.plays().iter().enumerate() {
        let mut play = play.clone();
        if way == 0 && index == place % proof.plays().len() && !play.is_empty() {
            let lit = rng.random_range(0..play.len());
            play[lit] = !play[lit];
        }
        changed.play(play);
    }
    for (index, step) in proof.steps().enumerate() {
        let is_it = index == place;
        match step {
            RefutationStep::Clause { clause, play } => {
                let clause = if is_it && way == 1 { clause ^ 1 } else { clause };
                let play = if is_it && way == 2 { play ^ 1 } else { play };
                changed.take(clause, play);
            }
            RefutationStep::Resolvent(steps) => {
                let mut steps = steps.to_vec();
                let last = steps.len() - 1;
                match way {
                    1 if is_it => steps[last] = steps[last].saturating_sub(1),
                    2 if is_it => steps.truncate(last),
                    _ => {}
                }
                changed.resolve(steps);
            }
        }
    }
    changed
}
