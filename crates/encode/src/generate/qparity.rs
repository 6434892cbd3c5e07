//! QParity: is there an assignment whose parity differs from every bit?
//!
//! `exists x1 ... xn forall z exists t2 ... tn`: the `ti` compute the parity of `x1 ... xi` step by step, and `z` must
//! differ from `tn`. The universal player answers with the parity itself, so it is false. A universal response that is
//! the parity of all `xi` has no small circuit of bounded depth, which makes every Q-resolution refutation exponential;
//! expanding the single `z` leaves two contradicting chains and a short proof.

use super::builder::QbfBuilder;
use super::{Family, GenerateError, Made, Parameter, Settings};
use gamesat_core::Problem;
use gamesat_core::formula::Quantifier::{Exists, Forall};

pub(super) const QPARITY: Family = Family {
    name: "qparity",
    about: "a parity that differs from a universal bit; false; 3 blocks; hard for Q-resolution, easy by expansion",
    source: "O. Beyersdorff, L. Chew, M. Janota: Proof Complexity of Resolution-based QBF Calculi. STACS 2015",
    parameters: &[Parameter::number("n", "number of bits", 20, 1, 1_000_000)],
    seeded: false,
    build,
};

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let mut qbf = QbfBuilder::default();
    let bits = qbf.vars(Exists, settings.number("n"));
    let z = qbf.var(Forall);
    let mut parity = bits[0];
    for &bit in &bits[1..] {
        let next = qbf.var(Exists);
        qbf.xor(next, parity, bit);
        parity = next;
    }
    qbf.clause([z, parity]);
    qbf.clause([!z, !parity]);
    Ok(Made { problem: Problem::Qbf(qbf.finish()), answer: Some(false) })
}
