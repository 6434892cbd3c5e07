//! Pigeonholes in the innermost block.
//!
//! The existential player excuses at most one pigeon, the universal player decides which of the pigeons come, and the
//! existential player houses those that came and were not excused, one to a hole.
//!
//! ```text
//! exists x1 ... xm  forall u1 ... um  exists p11 ... pmn:
//!   (not xi or not xj)                    for i < j
//!   (xi or not ui or pi1 or ... or pin)   for every pigeon i
//!   (not pih or not pjh)                  for i < j and every hole h
//! ```
//!
//! True exactly if all pigeons but one find a hole: `m - 1 <= n`. A false one needs the propositional pigeonhole
//! principle behind every choice of the excused pigeon.

use super::builder::QbfBuilder;
use super::{Family, GenerateError, Made, Parameter, Settings, check_size};
use gamesat_core::Problem;
use gamesat_core::formula::Quantifier::{Exists, Forall};

pub(super) const PIGEONHOLE: Family = Family {
    name: "pigeonhole",
    about: "m pigeons, one of them excused, n holes; true if m <= n+1; 3 blocks; pigeonhole principle innermost",
    source: "after S. A. Cook, R. A. Reckhow: The Relative Efficiency of Propositional Proof Systems. Journal of \
             Symbolic Logic 44, 1979; quantified here",
    parameters: &[
        Parameter::number("pigeons", "number of pigeons m", 7, 1, 10_000),
        Parameter::number("holes", "number of holes n", 5, 1, 10_000),
    ],
    seeded: false,
    build,
};

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let (pigeons, holes) = (settings.number("pigeons"), settings.number("holes"));
    check_size([pigeons, pigeons, holes + 1])?;
    let mut qbf = QbfBuilder::default();
    let excused = qbf.vars(Exists, pigeons);
    let comes = qbf.vars(Forall, pigeons);
    let house: Vec<_> = (0..pigeons).map(|_| qbf.vars(Exists, holes)).collect();
    let pairs = || (0..pigeons).flat_map(|j| (0..j).map(move |i| (i, j)));
    for (i, j) in pairs() {
        qbf.clause([!excused[i], !excused[j]]);
    }
    for i in 0..pigeons {
        qbf.clause([excused[i], !comes[i]].into_iter().chain(house[i].iter().copied()));
    }
    for (i, j) in pairs() {
        for (&one, &other) in house[i].iter().zip(&house[j]) {
            qbf.clause([!one, !other]);
        }
    }
    Ok(Made { problem: Problem::Qbf(qbf.finish()), answer: Some(pigeons <= holes + 1) })
}
