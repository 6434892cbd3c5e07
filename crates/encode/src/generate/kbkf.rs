//! The formulas of Kleine Büning, Karpinski and Flögel: false, and exponential for Q-resolution.
//!
//! ```text
//! exists y0, y1, y1'  forall x1  exists y2, y2'  forall x2 ... forall xn  exists f1 ... fn:
//!   (not y0)   (y0 or not y1 or not y1')
//!   (yi  or not xi or not y(i+1) or not y(i+1)')    for 1 <= i < n
//!   (yi' or     xi or not y(i+1) or not y(i+1)')    for 1 <= i < n
//!   (yn  or not xn or not f1 ... or not fn)         (yn' or xn or not f1 ... or not fn)
//!   (xi or fi)   (not xi or fi)                     for 1 <= i <= n
//! ```
//!
//! One of `y1`, `y1'` must be false; against the false one the universal player answers with the value of `x1` that makes
//! one of the next pair false, and so on, until some `fi` would have to be false, which it cannot. Long-distance
//! resolution follows that argument in linear length. The variant KBKF-LD puts all `not fi` into every clause of the
//! chain, which keeps even long-distance resolution from merging universal literals.

use super::builder::QbfBuilder;
use super::{Family, GenerateError, Made, Parameter, Settings, check_size};
use gamesat_core::Problem;
use gamesat_core::formula::Quantifier::{Exists, Forall};

pub(super) const KBKF: Family = Family {
    name: "kbkf",
    about: "Kleine Büning, Karpinski and Flögel's chain; false; 2n+1 blocks; hard for Q-resolution",
    source: "H. Kleine Büning, M. Karpinski, A. Flögel: Resolution for Quantified Boolean Formulas. Information and \
             Computation 117, 1995",
    parameters: &[Parameter::number("n", "length of the chain", 10, 1, 10_000)],
    seeded: false,
    build: |settings| build(settings, false),
};

pub(super) const KBKF_LD: Family = Family {
    name: "kbkf-ld",
    about: "KBKF with the final literals in every clause of the chain; false; hard for long-distance Q-resolution",
    source: "V. Balabanov, M. Widl, J.-H. R. Jiang: QBF Resolution Systems and Their Proof Complexities. SAT 2014",
    parameters: &[Parameter::number("n", "length of the chain", 10, 1, 10_000)],
    seeded: false,
    build: |settings| build(settings, true),
};

fn build(settings: &Settings, everywhere: bool) -> Result<Made, GenerateError> {
    let n = settings.number("n");
    check_size([n, if everywhere { 2 * n + 8 } else { 16 }])?;
    let mut qbf = QbfBuilder::default();
    let start = qbf.var(Exists);
    let (mut pairs, mut choices) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for _ in 0..n {
        pairs.push([qbf.var(Exists), qbf.var(Exists)]);
        choices.push(qbf.var(Forall));
    }
    let finals = qbf.vars(Exists, n);
    let no_finals = || finals.iter().map(|&lit| !lit);
    // What a clause of the chain demands of the next pair, or, at the end, of the finals.
    let next = |index: usize| {
        let pair = pairs.get(index).into_iter().flatten().map(|&lit| !lit);
        pair.chain(no_finals().filter(move |_| everywhere || index == n))
    };

    qbf.clause([!start]);
    qbf.clause([start].into_iter().chain(next(0)));
    for (i, (&[left, right], &choice)) in pairs.iter().zip(&choices).enumerate() {
        qbf.clause([left, !choice].into_iter().chain(next(i + 1)));
        qbf.clause([right, choice].into_iter().chain(next(i + 1)));
    }
    for (&choice, &last) in choices.iter().zip(&finals) {
        qbf.clause([choice, last]);
        qbf.clause([!choice, last]);
    }
    Ok(Made { problem: Problem::Qbf(qbf.finish()), answer: Some(false) })
}
