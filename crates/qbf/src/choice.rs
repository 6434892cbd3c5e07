//! Which engines a formula gets, in which order, and how long each may try: a rule that a person can read.
//!
//! What the rule looks at:
//! - the number of blocks of the simplified formula. With one, a SAT solver is all that is needed. Expansion copies everything
//!   beyond a universal block, so that it is for two and three. Conflict-driven search is at its best with many: from seven to twelve
//!   it does not wait until abstraction had its time; with still more the files at hand gave no reason to. Where the formula is no
//!   circuit four blocks are many: on random formulas of five blocks it is six to eight times as fast.
//! - the number of universal variables of the formula as it is. With up to eight all copies of everything, or those that a game
//!   of expansion asks for, are no more than a SAT solver takes. With more, and two or three blocks, expansion has a shorter trial on the
//!   formula as it is: where an encoder's definitions are still there a few moves decide many formulas that are hopeless without them.
//!   A longer one follows once abstraction had its trial on the simplified formula and a little more, and later it takes turns as the others do.
//! - the number of variables of the gentler form, before variable elimination. If there are few, decision diagrams (`symbolic`) get
//!   a trial: they fit into memory at once or hardly ever, and which of the two takes a tenth of a second.
//! - the gentler form, before variable elimination. Where it is a circuit, a win of the existential player rests on the inputs of
//!   that [circuit](super::circuit), which elimination mixes up. With two and three blocks abstraction on the gentler form decides
//!   such formulas at once or hardly ever, and the shape of the clauses does not tell which. So it has a short trial before elimination
//!   begins, which is then not needed; a longer one if the formula is small, since then it costs little. Of circuits hardly more than
//!   one clause in seven is asserted, of random formulas and sorting networks one in five or more: those have no trial.
//! - the size of the gentler form. If it is small and has more than three blocks, conflict-driven search has a trial on it: it decides
//!   many of these sooner than expansion copies them.
//!
//! Shares are numbers of looks at the control, fitted on 196 public files; `benchmarks/README.md` says how.

use super::circuit::Circuit;
use super::engine::{Forms, Gentler};
use super::matrix::Matrix;
use gamesat_core::formula::{Qbf, Quantifier};
use gamesat_core::turns::Share;
use std::ops::RangeInclusive;

/// An engine on a form of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contender {
    Abstraction,
    Expansion,
    Qcdcl,
    /// Abstraction on the gentler form, with its circuits.
    Circuits,
    /// Conflict-driven search on the gentler form.
    GentleQcdcl,
    /// Expansion on the formula as it was given.
    FirstExpansion,
}

/// Lengths of turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    /// Of a trial.
    pub(super) trial: u64,
    /// Looks of all together until the first engine is not preferred any more.
    pub(super) alone: u64,
    /// Of a turn from then on.
    pub(super) turn: u64,
    /// Of the second trial of expansion on the formula as it is, and looks of all together before it; zero for none.
    pub(super) second: u64,
    pub(super) since: u64,
}

/// With so many blocks conflict-driven search has its turns from the beginning.
const MANY: RangeInclusive<usize> = 7..=12;
/// With so many it has them if the formula is no circuit.
const SOME: RangeInclusive<usize> = 4..=6;
/// Literals of a gentler form that is too large for a trial, and of one so small that the trial may be longer, by what factor.
const LARGE: usize = 75_000;
const SMALL: usize = 10_000;
const LONGER: u64 = 3;
/// Of so many clauses of a circuit no more than one is asserted.
const ASSERTED: usize = 6;

/// Universal variables of a formula that is tried as it is.
const FEW: usize = 8;
/// By what factor expansion's trial on such a formula is longer than that of all copies at once, whose looks are longer.
pub(super) const PATIENCE: u64 = 10;

/// Whether a formula has so few universal variables that it is tried as it is.
pub(super) fn has_few_universals(qbf: &Qbf) -> bool {
    let universal = qbf.prefix().blocks().filter(|block| block.quantifier == Quantifier::Forall);
    qbf.prefix().blocks().nth(1).is_some() && universal.map(|block| block.vars.len()).sum::<usize>() <= FEW
}

/// Literals of a formula whose definitions take too long to find for a trial.
const HUGE: usize = 1_000_000;

/// Whether expansion has a trial on the formula as it is.
pub(super) fn has_expansion_trial(qbf: &Qbf) -> bool {
    (2..=3).contains(&qbf.prefix().len()) && qbf.matrix().num_lits() <= HUGE
}

/// Variables and literals of a gentler form for which decision diagrams are tried, and looks at the control.
pub(super) const VARIABLES: usize = 1_000;
const LITERALS: usize = 50_000;
const SYMBOLIC: u64 = 20_000;
/// Looks of conflict-driven search.
const SEARCH: u64 = 128;

/// How long the trial of decision diagrams on the gentler form may be, if there is one.
pub(super) fn symbolic_trial(gentler: &Gentler<'_>) -> Option<u64> {
    (gentler.variables <= VARIABLES && gentler.literals <= LITERALS).then_some(SYMBOLIC)
}

/// How long the trial of conflict-driven search on the gentler form may be, if that is so small that there is one.
pub(super) fn search_trial(gentler: &Gentler<'_>) -> Option<u64> {
    (gentler.blocks > 3 && gentler.literals <= SMALL).then_some(SEARCH)
}

/// How long the trial on the gentler form may be, if there is one.
pub(super) fn gentle_trial(gentler: &Gentler<'_>, length: u64) -> Option<u64> {
    let Gentler { blocks, literals, .. } = *gentler;
    match blocks {
        2 if literals <= SMALL => Some(LONGER * length),
        2..=3 if literals <= LARGE => Some(length),
        _ => None,
    }
}

/// Whether a formula is so much of a circuit that the trial on the gentler form is worth it.
pub(super) fn is_circuit(matrix: &Matrix) -> bool {
    let level = matrix.quantifiers().len().saturating_sub(2);
    let circuit = Circuit::beyond(level, matrix);
    ASSERTED * circuit.num_asserted() <= matrix.clauses.len() - circuit.others().len()
}

/// What was chosen, the first one first, and why.
pub(super) struct Choice {
    pub(super) contenders: Vec<(Contender, Share)>,
    pub(super) why: String,
}

impl Choice {
    /// Chooses for a formula, and its other forms if there are any.
    pub(super) fn new(matrix: &Matrix, forms: Option<&Forms<'_>>, lengths: Lengths) -> Self {
        let first = Share { trial: lengths.trial, since: 0, looks: lengths.turn, after: 0 };
        let joins = Share { after: lengths.alone, ..first };
        let later = Share { trial: 0, ..joins };
        let second = Share { trial: lengths.second, since: lengths.since, ..joins };
        let blocks = matrix.quantifiers().len();
        let loose = SOME.contains(&blocks) && !is_circuit(matrix);
        let why = format!("{blocks} blocks{}", if loose { ", no circuit" } else { "" });
        let mut contenders = vec![(Contender::Abstraction, first)];
        if blocks > 1 {
            if blocks <= 3 {
                contenders.push((Contender::Expansion, joins));
            }
            contenders.push((Contender::Qcdcl, if loose || MANY.contains(&blocks) { first } else { joins }));
            if lengths.second > 0 && forms.is_some_and(|forms| has_expansion_trial(forms.original)) {
                contenders.push((Contender::FirstExpansion, second));
            }
            if forms.is_some_and(|forms| forms.gentler.is_some()) {
                contenders.extend([(Contender::Circuits, later), (Contender::GentleQcdcl, later)]);
            }
        }
        Choice { contenders, why }
    }
}
