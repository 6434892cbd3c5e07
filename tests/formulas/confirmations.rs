//! Confirmations: found for true formulas, judged right row by row, and of no other formula.

use crate::support::certified::{
    any_qbf, certifying, engines, hold_confirmation, kernel_qbf, moves_and_copies, near_kernel_qbf, other_formula,
};
use gamesat::check::evaluate_qbf;
use gamesat::control::{Control, Interrupt, StopReason};
use gamesat::formula::ConfirmationRow::{
    Added, Beside, Blocked, Definition, Expanded, Implied, Last, Moved, Node, Picks, Resolvent, Rule, Saved,
};
use gamesat::formula::{ClauseArena, Confirmation, ConfirmationRow, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::options::{AbstractionOptions, SimplifyOptions};
use gamesat_check::steps::check_confirmation;
use gamesat_qbf::portfolio::Portfolio;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Row<'a> = (ConfirmationRow, &'a [i32]);

/// Rows, and what is wrong with them.
type Case<'a> = (&'a [Row<'a>], &'a str);

/// Blocks, the first of which is universal if the first number is negative, and clauses.
fn formula(blocks: &[&[i32]], clauses: &[&[i32]]) -> Qbf {
    let mut prefix = Prefix::new();
    for block in blocks {
        for &number in *block {
            let quantifier = if number < 0 { Quantifier::Forall } else { Quantifier::Exists };
            prefix.push_var(quantifier, Var::from_dimacs(number.abs()));
        }
    }
    let clause = |clause: &&[i32]| clause.iter().map(|&number| Lit::from_dimacs(number)).collect::<Vec<Lit>>();
    Qbf::new(&prefix, clauses.iter().map(clause).collect::<ClauseArena>()).unwrap()
}

fn judge(qbf: &Qbf, rows: &[Row<'_>]) -> Result<(), String> {
    let mut confirmation = Confirmation::new();
    rows.iter().for_each(|&(row, numbers)| confirmation.push(row, numbers.iter().copied()));
    check_confirmation(qbf, &confirmation, &Control::default()).unwrap().map_err(|flaw| flaw.to_string())
}

/// `forall 1 exists 2: 2 = 1`, and for all the same the other way round.
fn equal() -> Qbf {
    formula(&[&[-1], &[2]], &[&[1, -2], &[-1, 2]])
}

/// The rules of `equal`: where the one literal is true, so is the other.
const RULES: [Row<'_>; 9] = [
    (Node, &[1, 1]),
    (Node, &[2, 1]),
    (Picks, &[2]),
    (Last, &[1]),
    (Picks, &[-2]),
    (Last, &[2]),
    (Definition, &[1, 1]),
    (Definition, &[2, -1]),
    (Resolvent, &[1, 3, 4, 2]),
];

#[test]
fn what_is_right_is_accepted() {
    let equal = equal();
    assert_eq!(judge(&equal, &[(Blocked, &[1, -2]), (Blocked, &[2, 2])]), Ok(()));
    assert_eq!(judge(&equal, &RULES), Ok(()));
    // All of it follows if nothing is picked.
    assert_eq!(judge(&equal, &[(Saved, &[1, -2]), (Saved, &[2, 2]), (Last, &[])]), Ok(()));
    // The universal variable expanded: 2 without it, and its copy 3 with it.
    let units: &[Row<'_>] = &[(Expanded, &[1, 2, 3]), (Blocked, &[1, -2]), (Picks, &[3]), (Last, &[])];
    assert_eq!(judge(&equal, units), Ok(()));
    // A clause that follows: 3 from 2 and from 2 or 3; then nothing is in the way.
    let chain = formula(&[&[1, 2, 3]], &[&[1, 2], &[-1, 2], &[2, 3]]);
    let rows: &[Row<'_>] =
        &[(Added, &[2]), (Implied, &[1, 4]), (Implied, &[2, 4]), (Implied, &[3, 4]), (Blocked, &[4, 2])];
    assert_eq!(judge(&chain, rows), Ok(()));
    // Reasons of both kinds: with outer literals of the other clause, and with those of the clause itself.
    let outer = formula(&[&[1], &[-2], &[3]], &[&[1, 3], &[-1, 2, 3], &[2, 3]]);
    let rows: &[Row<'_>] = &[(Beside, &[-2, 3]), (Blocked, &[1, 1])];
    assert_eq!(judge(&outer, rows).unwrap_err(), "the last row does not show that what is left is true");
    // Three levels: 1 is chosen before 2, and 3 after it.
    let three = formula(&[&[1], &[-2], &[3]], &[&[1, 2, 3], &[1, -2, -3], &[-2, 3, 1]]);
    let rows: &[Row<'_>] = &[(Node, &[1, 1]), (Last, &[1]), (Picks, &[1]), (Rule, &[1])];
    assert_eq!(judge(&three, rows), Ok(()));
    // An existential variable outwards, which is stronger.
    let rows: &[Row<'_>] = &[(Moved, &[2, 1]), (Added, &[2]), (Implied, &[1, 2]), (Picks, &[2]), (Last, &[])];
    assert_eq!(judge(&formula(&[&[-1], &[2]], &[&[1, 2]]), rows), Ok(()));
}

#[test]
fn flaws_are_named() {
    let cases: &[Case<'_>] = &[
        (&[], "the last row does not show that what is left is true"),
        (&[(Added, &[7])], "row 1: variable 7 is not in the formula"),
        (&[(Implied, &[])], "row 1: which clause?"),
        (&[(Implied, &[3])], "row 1: there is no clause 3"),
        (&[(Implied, &[1, 2])], "row 1: the hints are not enough"),
        (&[(Implied, &[1, 1])], "row 1: clause 1 cannot be a hint"),
        (&[(Added, &[2]), (Implied, &[1, 3])], "row 2: the hints are not enough"),
        (&[(Blocked, &[1])], "row 1: a clause and a literal are wanted"),
        (&[(Blocked, &[1, 2])], "row 1: 2 is not an existential literal of clause 1"),
        (&[(Blocked, &[1, 1])], "row 1: 1 is not an existential literal of clause 1"),
        (&[(Added, &[2]), (Blocked, &[3, 2])], "row 2: clause 3 is not blocked beside clause 1"),
        (&[(Beside, &[2, 2]), (Node, &[1, 1])], "row 2: a blocked clause is expected after its reasons"),
        (&[(Beside, &[2]), (Beside, &[2])], "row 2: clause 2 has two reasons"),
        (&[(Beside, &[1]), (Blocked, &[1, -2])], "row 2: clause 1 needs no reason"),
        (&[(Moved, &[1, 1])], "row 1: variable 1 cannot move outwards to there"),
        (&[(Moved, &[2, 4])], "row 1: variable 2 cannot move outwards to there"),
        (&[(Moved, &[2, -1])], "row 1: there is no level -1"),
        (&[(Expanded, &[2])], "row 1: a universal variable and pairs of variables are wanted"),
        (&[(Expanded, &[1, 1, 3])], "row 1: variable 1 does not stand behind 1"),
        (&[(Expanded, &[1, 2, 1])], "row 1: 1 is not a new variable"),
        (&[(Expanded, &[1, 2, 3, 2, 4])], "row 1: variable 2 has two copies"),
        (&[(Added, &[]), (Last, &[])], "row 2: clause 3 is empty"),
        (&[(Added, &[1]), (Last, &[])], "row 2: clause 3 ends with universal literals"),
        (&[(Node, &[1, 1]), (Blocked, &[1, -2])], "row 2: clauses come and go before there are rules"),
        (&[(Node, &[1, 3])], "row 1: clause 1 has no cut 3"),
        (&[(Picks, &[2]), (Node, &[1, 1])], "row 2: a rule is expected after what it picks"),
        (&[(Picks, &[2, -2]), (Last, &[])], "row 2: a literal and its negation are picked"),
        (&[(Picks, &[1]), (Last, &[])], "row 2: something is picked that is not at the level of the rule"),
        (&[(Picks, &[2]), (Last, &[])], "row 2: clause 1 is not satisfied"),
        (&[(Node, &[1, 2]), (Last, &[1])], "row 2: a node does not end before the level of the rule"),
        (&[(Last, &[1])], "row 1: there is no node 1"),
        (&[(Rule, &[1])], "row 1: there is no clause 1 in this part"),
        (&[(Node, &[1, 1]), (Definition, &[1, -1])], "row 2: the node has no such literal"),
        (&[(Node, &[1, 1]), (Definition, &[1])], "row 2: there is no node before"),
        (&[(Node, &[1, 2]), (Definition, &[1, -2])], "row 2: the node ends at an existential level"),
        (&[(Resolvent, &[])], "row 1: there is nothing to resolve"),
        (&[(Saved, &[1, 1])], "row 1: 1 is not a literal of the innermost level in clause 1"),
        (&[(Saved, &[1, -2]), (Saved, &[1, -2])], "row 2: clause 1 is saved already"),
        (&[(Node, &[1, 1]), (Saved, &[1, -2])], "row 2: clauses are saved before anything else"),
        (
            &[RULES[0], RULES[1], RULES[2], RULES[3], RULES[6], (Rule, &[2])],
            "row 6: clause 2 is not about a level behind an existential one",
        ),
        (
            &[RULES[0], RULES[1], RULES[2], RULES[3], RULES[4], RULES[5], (Resolvent, &[1, 2])],
            "row 7: clause 2 clashes in 0 variables with what is left of those before it, instead of one",
        ),
    ];
    for (rows, expected) in cases {
        assert_eq!(judge(&equal(), rows).unwrap_err(), *expected);
    }
    // Without the last row, or one of the others, nothing is shown.
    for left_out in 0..RULES.len() {
        let rows: Vec<Row<'_>> = (0..RULES.len()).filter(|&row| row != left_out).map(|row| RULES[row]).collect();
        assert!(judge(&equal(), &rows).is_err(), "{left_out}");
    }
    // Saved clauses that are in each other's way.
    let twice = formula(&[&[1]], &[&[1], &[-1]]);
    let rows: &[Row<'_>] = &[(Saved, &[1, 1]), (Saved, &[2, -1]), (Last, &[])];
    assert_eq!(judge(&twice, rows).unwrap_err(), "row 3: clause 1 is not blocked beside clause 2");
    // A clause with both literals of a universal variable says nothing.
    let tautology = formula(&[&[1], &[-2]], &[&[1], &[-1], &[2, -2]]);
    assert_eq!(judge(&tautology, &[(Implied, &[1, 3])]).unwrap_err(), "row 1: the hints are not enough");
    assert_eq!(judge(&tautology, &[(Added, &[]), (Implied, &[4, 3])]).unwrap_err(), "row 2: the hints are not enough");
    // A universal literal before the only existential one does not go by itself.
    let early = formula(&[&[-1], &[2]], &[&[1, 2], &[-1, 2], &[-2, 1]]);
    let rows: &[Row<'_>] = &[(Added, &[]), (Implied, &[4, 1])];
    let said = judge(&early, rows).unwrap_err();
    assert_eq!(said, "row 2: hint 1 has a universal literal that cannot be left out");
}

#[test]
fn an_interrupt_is_noticed() {
    let mut confirmation = Confirmation::new();
    RULES.iter().for_each(|&(row, numbers)| confirmation.push(row, numbers.iter().copied()));
    let interrupt = Interrupt::new();
    interrupt.trigger();
    let stopped = check_confirmation(&equal(), &confirmation, &Control::default().with_interrupt(interrupt));
    assert_eq!(stopped, Err(StopReason::Interrupted));
}

/// Random formulas with definitions and without, by every engine, with all techniques and with random ones: see `hold_steps`.
#[test]
fn true_formulas_are_confirmed() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let [mut found, mut missing] = [0; 2];
    for _ in 0..600 {
        let qbf = any_qbf(&mut rng);
        if !evaluate_qbf(&qbf, &Control::default()).unwrap().0 {
            continue;
        }
        let mut simplify = SimplifyOptions::default();
        if rng.random() {
            SimplifyOptions::TECHNIQUES
                .iter()
                .for_each(|technique| assert!(simplify.set(technique.name, rng.random())));
        }
        let simplify = rng.random_bool(0.8).then_some(simplify);
        for engine in engines(AbstractionOptions::default()) {
            match hold_confirmation(&qbf, &*engine, &certifying(simplify.clone())) {
                Some(_) => found += 1,
                None => missing += 1,
            }
        }
    }
    assert!(found > 1_000 && missing * 100 < found, "{found} {missing}");
}

/// A clause that is shortened goes before it comes again. Meanwhile no clause may have a universal variable that is going to be expanded; what is behind it
/// must stay there, for it is copied.
#[test]
fn nothing_moves_over_what_is_going_to_be_expanded() {
    let options = |others: f64, rng: &mut ChaCha8Rng| certifying(Some(moves_and_copies(others, rng)));
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    let proof =
        hold_confirmation(&kernel_qbf(), &Portfolio::default(), &options(0.0, &mut rng)).expect("a confirmation");
    assert!(proof.rows().any(|(row, numbers)| row == Expanded && numbers.len() > 1), "{proof:?}");
    let mut found = 0;
    for _ in 0..300 {
        let qbf = near_kernel_qbf(&mut rng);
        let others = if rng.random() { 0.0 } else { 0.1 };
        let proof = hold_confirmation(&qbf, &Portfolio::default(), &options(others, &mut rng));
        found += usize::from(proof.is_some());
    }
    assert!(found > 100, "{found}");
}

/// A formula with clauses that always hold, and one that is false because one of these does not: what confirms the first says nothing about the second.
#[test]
fn clauses_that_always_hold_confirm_nothing() {
    let with = |clause: &[i32]| {
        let clauses: &[&[i32]] = &[&[4, 10], &[-10, 4], &[7, -1, -7], &[-1, -4], &[1, 7, 1], clause, &[10, 10, -10]];
        formula(&[&[1, 4, 7], &[-10]], clauses)
    };
    let (holds, fails) = (with(&[-7, -10, 10]), with(&[-7, 10, 10]));
    let options = certifying(Some(SimplifyOptions::default()));
    let proof = hold_confirmation(&holds, &Portfolio::default(), &options).expect("a confirmation");
    assert!(!evaluate_qbf(&fails, &Control::default()).unwrap().0);
    assert!(check_confirmation(&fails, &proof, &Control::default()).unwrap().is_err());
}

/// The same confirmation of a formula that is slightly different, and slightly different ones of the same: whatever is accepted is a
/// true formula.
#[test]
fn nothing_else_is_confirmed() {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    let [mut accepted, mut rejected, mut of_false] = [0; 3];
    for round in 0..2_500 {
        let qbf = any_qbf(&mut rng);
        let simplify = (round % 2 == 0).then(SimplifyOptions::default);
        let Some(proof) = hold_confirmation(&qbf, &Portfolio::default(), &certifying(simplify)) else { continue };
        for _ in 0..12 {
            let (qbf, proof) = if rng.random() {
                (other_formula(&qbf, &mut rng), proof.clone())
            } else {
                (other_formula(&qbf, &mut rng), other(&proof, &mut rng))
            };
            let verdict = evaluate_qbf(&qbf, &Control::default()).unwrap().0;
            of_false += usize::from(!verdict);
            match check_confirmation(&qbf, &proof, &Control::default()).unwrap() {
                Ok(()) => {
                    assert!(verdict, "{proof:?} of {qbf:?}");
                    accepted += 1;
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(accepted > 300 && rejected > 3_000 && of_false > 300, "{accepted} {rejected} {of_false}");
}

/// The same with a number changed, a row less, two rows exchanged, or one of another kind.
fn other(proof: &Confirmation, rng: &mut ChaCha8Rng) -> Confirmation {
    const KINDS: [ConfirmationRow; 13] =
        [Added, Implied, Beside, Blocked, Moved, Expanded, Saved, Node, Definition, Picks, Last, Rule, Resolvent];
    let mut rows: Vec<(ConfirmationRow, Vec<i32>)> =
        proof.rows().map(|(row, numbers)| (row, numbers.to_vec())).collect();
    if !rows.is_empty() {
        let [one, two] = [(); 2].map(|()| rng.random_range(0..rows.len()));
        match rng.random_range(0..4) {
            0 => {
                rows.remove(one);
            }
            1 => rows.swap(one, two),
            2 => rows[one].0 = KINDS[rng.random_range(0..KINDS.len())],
            _ => {
                let numbers = &mut rows[one].1;
                let place = rng.random_range(0..=numbers.len());
                let number = [-3, -2, -1, 1, 2, 3, 4, 5][rng.random_range(0..8)];
                match numbers.get_mut(place) {
                    Some(old) => *old = number,
                    None => numbers.push(number),
                }
            }
        }
    }
    let mut changed = Confirmation::new();
    rows.into_iter().for_each(|(row, numbers)| changed.push(row, numbers));
    changed
}
