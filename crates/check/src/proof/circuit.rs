//! Certificates of quantified circuits: functions for the inputs of one player, judged on the gates themselves.
//!
//! The same three things are verified as of clauses (see [`certificate`](super::certificate)): whose functions they are,
//! what they read, and that with them in place the circuit is never false (Skolem) or never true (Herbrand): one SAT call.

use super::certificate::{CertificateFlaw, wrong_model};
use super::functions::{Functions, InPlace};
use super::gates::add_gates;
use super::judge::Judge;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, QuantifiedCircuit, Quantifier, Var};

/// Checks a certificate: `Ok(Ok(true))` if it shows that the formula is true, `Ok(Ok(false))` if false. One without any
/// function may show either.
///
/// # Errors
/// The reason to stop before it was known.
pub(super) fn check_circuit(
    formula: &QuantifiedCircuit,
    certificate: &Aig,
    judge: Judge,
    control: &Control,
) -> Result<Result<bool, CertificateFlaw>, StopReason> {
    let functions = match Functions::new(formula.prefix(), certificate) {
        Ok(functions) => functions,
        Err(flaw) => return Ok(Err(flaw)),
    };
    let mut poller = control.poller();
    let mut shows = |value: bool| -> Result<Result<bool, CertificateFlaw>, StopReason> {
        let mut in_place = InPlace::new(&functions, judge);
        in_place.tell_all(&mut poller)?;
        let circuit = formula.circuit();
        let inputs: Vec<Lit> =
            (0..circuit.inputs()).map(|input| in_place.lit(Var::from_index(input).positive())).collect();
        let output = add_gates(&mut *in_place.sat, circuit, &inputs, &mut poller)?;
        in_place.sat.add_clause(&[if value { !output } else { output }]);
        if !in_place.sat.solve(&[], control)? {
            return Ok(Ok(value));
        }
        let assignment = functions.assignment(&*in_place.sat, control)?;
        let mut values = vec![false; circuit.inputs()];
        for lit in &assignment {
            values[lit.var().index()] = lit.is_positive();
        }
        if circuit.evaluate(&values) == value {
            return Err(wrong_model(judge));
        }
        Ok(Err(CertificateFlaw::WrongValue { value: !value, assignment }))
    };
    match functions.winner() {
        Some(Quantifier::Exists) => shows(true),
        Some(Quantifier::Forall) => shows(false),
        None => match shows(true)? {
            Ok(value) => Ok(Ok(value)),
            Err(flaw) => Ok(shows(false)?.map_err(|_| flaw)),
        },
    }
}
