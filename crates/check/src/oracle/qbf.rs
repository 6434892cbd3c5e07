//! The truth of a quantified formula by its definition: try both values of every variable, outermost first.
//!
//! The recursion is written as a loop with a stack of decisions, so that a prefix of a million variables costs memory in
//! proportion and no call stack. The matrix is looked at only when everything has a value. Nothing is cut off but the
//! second value of a variable whose first one already settles it.

use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Lit, Qbf, QuantifiedCircuit, Quantifier, Var};

/// A verdict and the values of the outermost block that show it: existential if true, universal if false. Empty if the
/// outermost block is of the other kind.
pub type Witnessed = (bool, Vec<Lit>);

/// Evaluates a QBF.
///
/// # Errors
/// The reason to stop before the value was known.
pub fn evaluate_qbf(qbf: &Qbf, control: &Control) -> Result<Witnessed, StopReason> {
    let (dense, old) = qbf.compact();
    let (value, model) = evaluate_prefix(dense.prefix(), control, |values| {
        dense.matrix().iter().all(|clause| clause.iter().any(|lit| values[lit.var().index()] == lit.is_positive()))
    })?;
    Ok((value, model.into_iter().map(|lit| old[lit.var().index()].lit(lit.is_positive())).collect()))
}

/// Evaluates a quantified circuit.
///
/// # Errors
/// The reason to stop before the value was known.
pub fn evaluate_circuit(circuit: &QuantifiedCircuit, control: &Control) -> Result<Witnessed, StopReason> {
    evaluate_prefix(circuit.prefix(), control, |values| circuit.circuit().evaluate(values))
}

/// Evaluates a prefix over densely numbered variables, given the matrix as a function of all values.
fn evaluate_prefix(
    prefix: &gamesat_core::formula::Prefix,
    control: &Control,
    matrix: impl Fn(&[bool]) -> bool,
) -> Result<Witnessed, StopReason> {
    let order: Vec<(Quantifier, Var)> = prefix.quantified().collect();
    let outer = prefix.blocks().next().map_or(0, |block| block.vars.len());
    let mut values = vec![false; order.len()];
    let mut model = Vec::new();
    let mut poller = control.poller();
    let mut leaves = 0;
    // `order[..depth]` have values; each of them is at `false` first and at `true` second.
    let mut depth = 0;
    loop {
        while depth < order.len() {
            values[order[depth].1.index()] = false;
            depth += 1;
        }
        leaves += 1;
        poller.poll(leaves)?;
        let result = matrix(&values);
        // Climb until a variable's other value could still change the result. `result` is settled for a variable if it
        // is what the variable's owner wants, or if both values were tried.
        loop {
            if depth == 0 {
                return Ok((result, model));
            }
            let (quantifier, var) = order[depth - 1];
            let wanted = (quantifier == Quantifier::Exists) == result;
            if wanted && depth == outer {
                // The owner of the outermost block reached its goal: these values are the witness.
                let block = &order[..outer];
                model = block.iter().map(|&(_, var)| var.lit(values[var.index()])).collect();
            }
            if !wanted && !values[var.index()] {
                values[var.index()] = true;
                break;
            }
            depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::control::{Interrupt, Limits};
    use gamesat_core::formula::{ClauseArena, Prefix};

    fn qbf(blocks: &[(Quantifier, &[i32])], clauses: &[&[i32]]) -> Qbf {
        let mut prefix = Prefix::new();
        for (quantifier, vars) in blocks {
            prefix.push_block(*quantifier, vars.iter().map(|&v| Var::from_dimacs(v)));
        }
        let matrix: ClauseArena =
            clauses.iter().map(|c| c.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>()).collect();
        Qbf::new(&prefix, matrix).unwrap()
    }

    const EQUAL: &[&[i32]] = &[&[1, -2], &[-1, 2]];

    #[test]
    fn the_order_of_quantifiers_matters() {
        use Quantifier::{Exists, Forall};
        let control = Control::default();
        let inner = qbf(&[(Forall, &[1]), (Exists, &[2])], EQUAL);
        assert_eq!(evaluate_qbf(&inner, &control).unwrap(), (true, vec![]));
        let outer = qbf(&[(Exists, &[2]), (Forall, &[1])], EQUAL);
        assert_eq!(evaluate_qbf(&outer, &control).unwrap(), (false, vec![]));
    }

    #[test]
    fn witnesses_of_the_outermost_block() {
        use Quantifier::{Exists, Forall};
        let control = Control::default();
        let sat = qbf(&[(Exists, &[1, 2])], &[&[1], &[-1, 2]]);
        let lits = |numbers: &[i32]| numbers.iter().map(|&n| Lit::from_dimacs(n)).collect::<Vec<_>>();
        assert_eq!(evaluate_qbf(&sat, &control).unwrap(), (true, lits(&[1, 2])));
        let refuted = qbf(&[(Forall, &[3, 1]), (Exists, &[2])], &[&[2, -1], &[-2, -3]]);
        assert_eq!(evaluate_qbf(&refuted, &control).unwrap(), (false, lits(&[3, 1])));
    }

    #[test]
    fn empty_matrix_and_empty_clause() {
        let control = Control::default();
        assert!(evaluate_qbf(&qbf(&[], &[]), &control).unwrap().0);
        assert!(!evaluate_qbf(&qbf(&[], &[&[]]), &control).unwrap().0);
    }

    #[test]
    fn a_long_prefix_stops_at_the_limit() {
        let vars: Vec<i32> = (1..=200_000).collect();
        let long = qbf(&[(Quantifier::Forall, &vars)], &[]);
        let control = Control::new(Limits { nodes: Some(5), ..Limits::default() }, Interrupt::new());
        assert_eq!(evaluate_qbf(&long, &control).unwrap_err(), StopReason::Nodes);
    }
}
