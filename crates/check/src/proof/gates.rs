//! A circuit inside a SAT solver, gate by gate, each gate equivalent to what it says.
//!
//! The engines see circuits as clauses that were made with some art. The judge must not share that art, so this is the
//! plainest translation there is: a variable for every gate, and both directions of its definition.

use crate::solver::SatSolver;
use gamesat_core::control::{Poller, StopReason};
use gamesat_core::formula::{Circuit, GateKind, Lit};

/// Adds a circuit's gates, with `inputs` as its inputs, and returns its output.
///
/// # Errors
/// The reason to stop.
pub(super) fn add_gates(
    sat: &mut dyn SatSolver,
    circuit: &Circuit,
    inputs: &[Lit],
    poller: &mut Poller<'_>,
) -> Result<Lit, StopReason> {
    let mut signals: Vec<Lit> = inputs.to_vec();
    let signed = |signals: &[Lit], lit: Lit| {
        let signal = signals[lit.var().index()];
        if lit.is_positive() { signal } else { !signal }
    };
    let mut operands: Vec<Lit> = Vec::new();
    let mut clause: Vec<Lit> = Vec::new();
    for (index, gate) in circuit.gates().enumerate() {
        poller.poll(index as u64)?;
        operands.clear();
        operands.extend(gate.operands.iter().map(|&lit| signed(&signals, lit)));
        let output = sat.new_var().positive();
        match gate.kind {
            GateKind::And => all_of(sat, output, &operands, &mut clause),
            GateKind::Or => {
                // Not all are false.
                operands.iter_mut().for_each(|lit| *lit = !*lit);
                all_of(sat, !output, &operands, &mut clause);
            }
            GateKind::Xor => {
                let parity = operands.split_first().map(|(&first, rest)| {
                    rest.iter().fold(first, |so_far, &lit| {
                        let next = sat.new_var().positive();
                        for [a, b, c] in
                            [[!so_far, !lit, !next], [so_far, lit, !next], [!so_far, lit, next], [so_far, !lit, next]]
                        {
                            sat.add_clause(&[a, b, c]);
                        }
                        next
                    })
                });
                match parity {
                    Some(parity) => {
                        sat.add_clause(&[!output, parity]);
                        sat.add_clause(&[output, !parity]);
                    }
                    None => sat.add_clause(&[!output]),
                }
            }
            GateKind::Ite => {
                let (test, yes, no) = (operands[0], operands[1], operands[2]);
                for [a, b, c] in
                    [[!test, !yes, output], [!test, yes, !output], [test, !no, output], [test, no, !output]]
                {
                    sat.add_clause(&[a, b, c]);
                }
            }
        }
        signals.push(output);
    }
    Ok(signed(&signals, circuit.output()))
}

/// `output` is true exactly if all operands are.
fn all_of(sat: &mut dyn SatSolver, output: Lit, operands: &[Lit], clause: &mut Vec<Lit>) {
    clause.clear();
    clause.push(output);
    for &lit in operands {
        sat.add_clause(&[!output, lit]);
        clause.push(!lit);
    }
    sat.add_clause(clause);
}
