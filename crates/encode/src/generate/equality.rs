//! Equality: the universal player copies every existential bit.
//!
//! ```text
//! exists x1 ... xn  forall u1 ... un  exists t1 ... tn:
//!   (xi or ui or ti)   (not xi or not ui or ti)   for every i,     (not t1 or ... or not tn)
//! ```
//!
//! With `ui = xi` every `ti` must be true. Any strategy of the universal player needs all `2^n` responses, which bounds
//! proofs in calculi that cannot treat the columns apart.

use super::builder::QbfBuilder;
use super::{Family, GenerateError, Made, Parameter, Settings};
use gamesat_core::Problem;
use gamesat_core::formula::Quantifier::{Exists, Forall};

pub(super) const EQUALITY: Family = Family {
    name: "equality",
    about: "the universal player copies n bits; false; 3 blocks; every strategy has 2^n responses",
    source: "O. Beyersdorff, J. Blinkhorn, L. Hinde: Size, Cost and Capacity. ITCS 2018",
    parameters: &[Parameter::number("n", "number of bits", 12, 1, 1_000_000)],
    seeded: false,
    build,
};

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let n = settings.number("n");
    let mut qbf = QbfBuilder::default();
    let x = qbf.vars(Exists, n);
    let u = qbf.vars(Forall, n);
    let t = qbf.vars(Exists, n);
    for i in 0..n {
        qbf.clause([x[i], u[i], t[i]]);
        qbf.clause([!x[i], !u[i], t[i]]);
    }
    qbf.clause(t.iter().map(|&lit| !lit));
    Ok(Made { problem: Problem::Qbf(qbf.finish()), answer: Some(false) })
}
