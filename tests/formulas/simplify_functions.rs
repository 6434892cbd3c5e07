//! Functions through the simplifier: whoever wins the simplified formula gets, by replaying the steps of the
//! reconstruction, a strategy that wins the original one, and no value of it depends on a later choice of the opponent.

use gamesat::check::evaluate_qbf;
use gamesat::control::Control;
use gamesat::formula::{ClauseArena, Lit, Prefix, Qbf, Quantifier, Var};
use gamesat::options::{Functions, SimplifyOptions};
use gamesat_qbf::simplify::{Simplified, Step, simplify};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

const VARS: usize = 7;

fn random_qbf(rng: &mut impl Rng) -> Qbf {
    let mut prefix = Prefix::new();
    for index in 0..VARS {
        let quantifier = if rng.random_bool(0.55) { Quantifier::Exists } else { Quantifier::Forall };
        prefix.push_var(quantifier, Var::from_index(index));
    }
    let mut matrix = ClauseArena::new();
    for _ in 0..rng.random_range(3..16) {
        for _ in 0..rng.random_range(1..=4) {
            matrix.push_lit(Var::from_index(rng.random_range(0..VARS)).lit(rng.random_bool(0.5)));
        }
        matrix.finish();
    }
    Qbf::new(&prefix, matrix).unwrap()
}

/// Values that the winner gives to his variables of the simplified formula, in order, against these values of the loser's.
fn play(formula: &Qbf, winner: Quantifier, verdict: bool, values: &mut [bool]) {
    let mut played: Vec<Lit> = Vec::new();
    for (quantifier, var) in formula.prefix().quantified() {
        if quantifier == winner {
            played.push(var.positive());
            let good = evaluate_qbf(&formula.substitute(&played), &Control::default()).unwrap().0 == verdict;
            if !good {
                played.pop();
                played.push(var.negative());
            }
            values[var.index()] = good;
        } else {
            played.push(var.lit(values[var.index()]));
        }
    }
}

/// Carries the winner's values back to the original formula. The loser's variables have their values already.
fn replay(simplified: &Simplified, owner: &HashMap<Var, Quantifier>, winner: Quantifier, values: &mut [bool]) {
    let is_true = |values: &[bool], lit: Lit| values[lit.var().index()] == lit.is_positive();
    for step in simplified.reconstruction.steps() {
        match step {
            Step::Assign(lit) if owner[&lit.var()] == winner => values[lit.var().index()] = lit.is_positive(),
            Step::Equal(var, lit) if owner[&var] == winner => values[var.index()] = is_true(values, lit),
            Step::Unless(lit, clause)
                if owner[&lit.var()] == winner && !clause.iter().any(|&other| is_true(values, other)) =>
            {
                values[lit.var().index()] = lit.is_positive();
            }
            Step::Select(var, u, copy) if values[u.index()] => values[var.index()] = values[copy.index()],
            _ => {}
        }
    }
}

/// Plays against every choice of the loser. Returns how many clauses redundancy took away.
fn check(qbf: &Qbf, options: &SimplifyOptions) -> usize {
    let (verdict, _) = evaluate_qbf(qbf, &Control::default()).unwrap();
    let winner = if verdict { Quantifier::Exists } else { Quantifier::Forall };
    let simplified = simplify(qbf, options, &Control::default());
    let redundant = simplified.statistics.get("simplify_redundancies_clauses") as usize;
    if !verdict && !simplified.reconstruction.keeps_herbrand() {
        assert_ne!(options.functions, Functions::Both, "{qbf:?}\nwith {options:?}\nHerbrand functions got lost");
        return redundant;
    }
    let order: Vec<(Quantifier, Var)> = qbf.prefix().quantified().collect();
    let owner: HashMap<Var, Quantifier> = order.iter().map(|&(quantifier, var)| (var, quantifier)).collect();
    let theirs: Vec<Var> = order.iter().filter(|(quantifier, _)| *quantifier != winner).map(|&(_, var)| var).collect();
    // What the winner answered to the loser's choices so far.
    let mut answers: HashMap<(Var, Vec<bool>), bool> = HashMap::new();
    for choice in 0..1u32 << theirs.len() {
        let mut values = vec![false; VARS];
        for (bit, var) in theirs.iter().enumerate() {
            values[var.index()] = choice >> bit & 1 != 0;
        }
        play(&simplified.formula, winner, verdict, &mut values);
        replay(&simplified, &owner, winner, &mut values);
        let holds = qbf.matrix().iter().all(|c| c.iter().any(|lit| values[lit.var().index()] == lit.is_positive()));
        assert_eq!(holds, verdict, "{qbf:?}\nwith {options:?}\nvalues {values:?}");
        let mut seen = Vec::new();
        for &(quantifier, var) in &order {
            if quantifier == winner {
                let answer = *answers.entry((var, seen.clone())).or_insert(values[var.index()]);
                assert_eq!(answer, values[var.index()], "{qbf:?}\nwith {options:?}\n{var} depends on the future");
            } else {
                seen.push(values[var.index()]);
            }
        }
    }
    redundant
}

#[test]
fn certifying_techniques_keep_strategies() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for round in 0..3000 {
        let mut options = SimplifyOptions::certifying();
        if round % 2 == 0 {
            for technique in SimplifyOptions::TECHNIQUES {
                let on = options.get(technique.name) == Some(true) && rng.random_bool(0.4);
                options.set(technique.name, on);
            }
        }
        let qbf = random_qbf(&mut rng);
        if qbf.prefix().vars().len() == VARS {
            check(&qbf, &options);
        }
    }
}

/// A literal that saved a redundant clause must not be made true where the clauses of its negation need theirs.
#[test]
fn redundant_clauses_and_literals_come_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut removed = 0;
    for round in 0..4000 {
        let mut options = SimplifyOptions::none();
        options.redundancies = true;
        options.universal_reduction = true;
        options.unit_propagation = round % 2 == 0;
        options.functions = if round % 3 == 0 { Functions::Both } else { Functions::Skolem };
        let qbf = random_qbf(&mut rng);
        if qbf.prefix().vars().len() == VARS {
            removed += check(&qbf, &options);
        }
    }
    assert!(removed > 500, "only {removed} clauses were redundant");
}
