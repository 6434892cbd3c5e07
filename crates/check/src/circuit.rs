//! Certificates of quantified circuits: functions for the inputs of one player, judged on the gates themselves.
//!
//! The same three things are verified as of clauses (see [`certificate`](super::certificate)): whose functions they are,
//! what they read, and that with them in place the circuit is never false (Skolem) or never true (Herbrand): one SAT call.

use super::certificate::CertificateFlaw;
use super::functions::Functions;
use super::gates::add_gates;
use super::judge::Judge;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, QuantifiedCircuit, Quantifier};

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
    let shows = |value: bool| -> Result<Result<bool, CertificateFlaw>, StopReason> {
        let mut sat = functions.in_place(judge, control)?;
        let circuit = formula.circuit();
        let inputs: Vec<Lit> = (0..circuit.inputs())
            .map(|input| functions.local(gamesat_core::formula::Var::from_index(input).positive()))
            .collect();
        let output = add_gates(&mut *sat, circuit, &inputs, &mut control.poller())?;
        sat.add_clause(&[if value { !output } else { output }]);
        if !sat.solve(&[], control)? {
            return Ok(Ok(value));
        }
        let assignment = functions.assignment(&*sat);
        let mut values = vec![false; circuit.inputs()];
        for lit in &assignment {
            values[lit.var().index()] = lit.is_positive();
        }
        assert_eq!(circuit.evaluate(&values), !value, "the backend's model is one of the circuit");
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
