//! Random QBFs with blocks of equal size and clauses of one shape.
//!
//! Every clause has a fixed number of existential and of universal literals, over different variables, chosen uniformly
//! with random signs: the fixed-clause-length model of Chen and Interian, without which random QBFs are trivially false
//! because some clause soon has a single existential literal. The innermost block is existential.
//!
//! With `planted=yes` the formula is true: every existential variable is given a constant or a copy of a universal
//! literal to its left, and clauses that this strategy does not always satisfy are drawn again.

use super::builder::QbfBuilder;
use super::random::Random;
use super::{Family, GenerateError, Made, Parameter, Settings, check_size};
use gamesat_core::Problem;
use gamesat_core::formula::Lit;
use gamesat_core::formula::Quantifier::{Exists, Forall};

pub(super) const RANDOM: Family = Family {
    name: "random",
    about: "random clauses of one shape, innermost block existential; true if planted, else not known beforehand",
    source: "H. Chen, Y. Interian: A Model for Generating Random Quantified Boolean Formulas. IJCAI 2005",
    parameters: &[
        Parameter::number("clauses", "number of clauses", 100, 0, 10_000_000),
        Parameter::number("blocks", "number of blocks", 3, 1, 1_000),
        Parameter::number("vars", "variables in each block", 10, 1, 1_000_000),
        Parameter::number("exists", "existential literals in a clause", 3, 1, 100),
        Parameter::number("forall", "universal literals in a clause", 1, 0, 100),
        Parameter::words("planted", "whether a strategy is hidden in the formula, which makes it true", &["no", "yes"]),
    ],
    seeded: true,
    build,
};

/// A planted value: a constant, or the universal literal that the variable copies.
#[derive(Clone, Copy)]
enum Plan {
    Constant(bool),
    Copy(Lit),
}

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let (blocks, vars) = (settings.number("blocks"), settings.number("vars"));
    let (exists, forall) = (settings.number("exists"), settings.number("forall"));
    let planted = settings.word("planted") == "yes";
    check_size([settings.number("clauses"), exists + forall])?;
    check_size([blocks, vars])?;
    let (existential, universal) = (blocks.div_ceil(2) * vars, blocks / 2 * vars);
    if exists > existential || forall > universal {
        return Err(GenerateError::Impossible(format!(
            "{blocks} blocks of {vars} variables have {existential} existential and {universal} universal ones, \
             too few for {exists} and {forall} different literals in a clause"
        )));
    }
    let mut random = Random::new(settings.seed);
    let mut qbf = QbfBuilder::default();
    let (mut existentials, mut universals, mut plan) = (Vec::new(), Vec::new(), Vec::new());
    for block in 0..blocks {
        if (blocks - block) % 2 == 0 {
            universals.extend(qbf.vars(Forall, vars));
            continue;
        }
        existentials.extend(qbf.vars(Exists, vars));
        for index in 0..vars {
            // At least every other variable is constant, so that a quarter of all clauses fits the plan.
            let copies = planted && !universals.is_empty() && index % 2 == 1 && random.coin();
            plan.push(if copies {
                Plan::Copy(signed(&universals, &mut random))
            } else {
                Plan::Constant(random.coin())
            });
        }
    }
    let (mut chosen, mut clause) = (Vec::new(), Vec::new());
    for _ in 0..settings.number("clauses") {
        loop {
            clause.clear();
            random.sample(existentials.len(), exists, &mut chosen);
            let signs: Vec<bool> = chosen.iter().map(|_| random.coin()).collect();
            let values = chosen.iter().zip(&signs).map(|(&i, &sign)| match plan[i] {
                Plan::Constant(value) => Plan::Constant(value == sign),
                Plan::Copy(lit) => Plan::Copy(if sign { lit } else { !lit }),
            });
            let values: Vec<Plan> = values.collect();
            clause.extend(chosen.iter().zip(&signs).map(|(&i, &sign)| existentials[i].var().lit(sign)));
            random.sample(universals.len(), forall, &mut chosen);
            clause.extend(chosen.iter().map(|&i| universals[i].var().lit(random.coin())));
            if !planted || holds_always(&values, &clause[exists..]) {
                break;
            }
        }
        clause.sort_unstable();
        qbf.clause(clause.iter().copied());
    }
    let answer = planted.then_some(true);
    Ok(Made { problem: Problem::Qbf(qbf.finish()), answer })
}

/// One of the literals, with a random sign.
fn signed(lits: &[Lit], random: &mut Random) -> Lit {
    let lit = lits[random.below(lits.len())];
    lit.var().lit(random.coin())
}

/// Whether a clause is true under the plan for every value of the universal variables: it has a true constant, or it
/// contains some universal literal and its negation.
fn holds_always(values: &[Plan], universals: &[Lit]) -> bool {
    let copied = values.iter().filter_map(|value| match value {
        Plan::Copy(lit) => Some(*lit),
        Plan::Constant(_) => None,
    });
    let mut lits: Vec<Lit> = copied.chain(universals.iter().copied()).collect();
    lits.sort_unstable();
    values.iter().any(|value| matches!(value, Plan::Constant(true))) || lits.windows(2).any(|two| two[0] == !two[1])
}
