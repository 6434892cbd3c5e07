//! What the simplifier makes of a formula, held to the naive evaluator: the truth value, and the values of the outermost
//! block that come back.

use gamesat::check::evaluate_qbf;
use gamesat::control::Control;
use gamesat::formula::{Lit, Qbf, Quantifier, Var};
use gamesat::options::SimplifyOptions;
use gamesat_qbf::simplify::{complete, simplify};

fn value(qbf: &Qbf) -> (bool, Vec<Lit>) {
    evaluate_qbf(qbf, &Control::default()).unwrap()
}

/// Simplifies and compares with the judge. Returns whether the simplifier decided the formula alone.
pub fn check(qbf: &Qbf, options: &SimplifyOptions) -> bool {
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
