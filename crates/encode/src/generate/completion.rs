//! The completion principle CR: a matrix of bits has a row of ones or a column of zeros, in this sense:
//!
//! ```text
//! exists x11 ... xnn  forall z  exists a1 ... an, b1 ... bn:
//!   (xij or z or ai)   (not xij or not z or bj)   (not a1 or ... or not an)   (not b1 or ... or not bn)
//! ```
//!
//! With `z` false some `ai` must be false, so row `i` is all ones; then with `z` true every `bj` must be true. If no row
//! is all ones, `z` false wins at once. Hence false. Short by expansion; a separation for level-ordered Q-resolution.

use super::builder::QbfBuilder;
use super::{Family, GenerateError, Made, Parameter, Settings, check_size};
use gamesat_core::Problem;
use gamesat_core::formula::Quantifier::{Exists, Forall};

pub(super) const COMPLETION: Family = Family {
    name: "cr",
    about: "completion principle on an n by n matrix; false; 3 blocks; hard for level-ordered Q-resolution",
    source: "M. Janota, J. Marques-Silva: Expansion-based QBF Solving versus Q-resolution. Theoretical Computer \
             Science 577, 2015",
    parameters: &[Parameter::number("n", "rows and columns", 6, 1, 10_000)],
    seeded: false,
    build,
};

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let n = settings.number("n");
    check_size([n, n, 6])?;
    let mut qbf = QbfBuilder::default();
    let x = qbf.vars(Exists, n * n);
    let z = qbf.var(Forall);
    let a = qbf.vars(Exists, n);
    let b = qbf.vars(Exists, n);
    for (at, &x) in x.iter().enumerate() {
        qbf.clause([x, z, a[at / n]]);
    }
    for (at, &x) in x.iter().enumerate() {
        qbf.clause([!x, !z, b[at % n]]);
    }
    qbf.clause(a.iter().map(|&lit| !lit));
    qbf.clause(b.iter().map(|&lit| !lit));
    Ok(Made { problem: Problem::Qbf(qbf.finish()), answer: Some(false) })
}
