//! Boolean selection functions are quantifiers: thousands of random small formulas, evaluated as games of selections and by
//! the judge.

use crate::support::random_qbf;
use gamesat::check::evaluate_qbf;
use gamesat::control::Control;
use gamesat::formula::{Lit, Quantifier, Var};
use gamesat::selection::{any_false, any_true, play};

#[test]
fn a_formula_is_a_game_of_selections() {
    let mut values = [0; 2];
    for seed in 0..4000 {
        let qbf = random_qbf::random_qbf(seed);
        let quantified: Vec<(Quantifier, Var)> = qbf.prefix().quantified().collect();
        let plan = |history: &[Lit]| {
            let &(quantifier, var) = quantified.get(history.len())?;
            let candidates = vec![var.lit(false), var.lit(true)];
            Some(if quantifier == Quantifier::Exists { any_true(candidates) } else { any_false(candidates) })
        };
        let matrix = |history: &[Lit]| qbf.matrix().iter().all(|clause| clause.iter().any(|lit| history.contains(lit)));
        let found = play(&plan, &matrix);
        let (value, outer) = evaluate_qbf(&qbf, &Control::default()).unwrap();
        assert_eq!(found.value, value, "seed {seed}");
        // The outermost block of the play is a witness of the value, as the judge's own is.
        let outermost = outer.len();
        let rest = qbf.substitute(&found.moves[..outermost]);
        assert_eq!(evaluate_qbf(&rest, &Control::default()).unwrap().0, value, "seed {seed}");
        values[usize::from(value)] += 1;
    }
    assert!(values.iter().all(|&count| count > 500), "both values occur: {values:?}");
}
