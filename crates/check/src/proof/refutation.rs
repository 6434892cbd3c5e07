//! Refutations by expansion, judged step by step: nothing is searched for.
//!
//! Two things are verified. A clause under a play is what that play makes of it: every universal literal is false there, and an
//! existential literal stands for the copy of its variable for the values of the universal variables *before* it, wherever they
//! stand in the prefix. And each resolvent is one: the two clauses clash in exactly one variable. If the last step is the empty
//! clause, the formula is false; why, is said in [`Refutation`].
//!
//! Shared with the engines are the data types and [`Control`].

use super::resolution::{Broken, Resolution};
use gamesat_core::control::{Control, Poller, StopReason};
use gamesat_core::formula::{Lit, Qbf, Quantifier, Refutation, RefutationStep, Var};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a refutation does not show anything about a formula. Steps, plays and clauses are numbered from 0 here and from 1 in
/// messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefutationFlaw {
    /// A play has a literal of something that is not a universal variable of the formula.
    NotUniversal {
        /// The play.
        play: usize,
        /// The literal.
        lit: Lit,
    },
    /// A play gives a variable both values.
    BothValues {
        /// The play.
        play: usize,
        /// The variable.
        var: Var,
    },
    /// A step names a clause, a play or a step that is not there (yet).
    NotThere {
        /// The step.
        step: usize,
        /// The number it names.
        number: u32,
    },
    /// A clause is satisfied under the play.
    Satisfied {
        /// The step.
        step: usize,
        /// The universal literal that is true.
        lit: Lit,
    },
    /// A clause has an existential literal and its negation.
    Tautology {
        /// The step.
        step: usize,
        /// The literal.
        lit: Lit,
    },
    /// A resolvent is made of nothing.
    Nothing {
        /// The step.
        step: usize,
    },
    /// A clause to be resolved clashes in no variable with what the clauses before it have left, or in more than one.
    Clash {
        /// The step.
        step: usize,
        /// The earlier step that does not fit.
        with: u32,
        /// In how many variables it clashes.
        variables: usize,
    },
    /// There is no step, or the last one is not the empty clause.
    NotEmpty {
        /// How many literals the last clause has, if there is one.
        literals: Option<usize>,
    },
}

impl fmt::Display for RefutationFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefutationFlaw::NotUniversal { play, lit } => {
                write!(f, "play {}: {} is not a universal variable of the formula", play + 1, lit.var())
            }
            RefutationFlaw::BothValues { play, var } => write!(f, "play {}: variable {var} has both values", play + 1),
            RefutationFlaw::NotThere { step, number } => {
                write!(f, "step {}: there is no {} before it", step + 1, u64::from(*number) + 1)
            }
            RefutationFlaw::Satisfied { step, lit } => {
                write!(f, "step {}: the play makes {lit} true, so that the clause says nothing", step + 1)
            }
            RefutationFlaw::Tautology { step, lit } => {
                write!(f, "step {}: the clause has {lit} and its negation, so that it says nothing", step + 1)
            }
            RefutationFlaw::Nothing { step } => write!(f, "step {}: nothing to resolve", step + 1),
            RefutationFlaw::Clash { step, with, variables } => write!(
                f,
                "step {}: step {} clashes in {variables} variables with what is left of those before it, instead of one",
                step + 1,
                u64::from(*with) + 1
            ),
            RefutationFlaw::NotEmpty { literals: Some(literals) } => {
                write!(f, "the last step is not the empty clause, literals left: {literals}")
            }
            RefutationFlaw::NotEmpty { literals: None } => f.write_str("there is no step"),
        }
    }
}

/// Checks that a refutation shows a formula to be false.
///
/// # Errors
/// The reason to stop before it was known.
pub fn check_refutation(
    qbf: &Qbf,
    refutation: &Refutation,
    control: &Control,
) -> Result<Result<(), RefutationFlaw>, StopReason> {
    let mut poller = control.poller();
    let plays = match Plays::new(qbf, refutation, &mut poller)? {
        Ok(plays) => plays,
        Err(flaw) => return Ok(Err(flaw)),
    };
    let mut copies = Copies::default();
    let mut clauses = Resolution::default();
    for (step, what) in refutation.steps().enumerate() {
        poller.poll(step as u64)?;
        match what {
            RefutationStep::Clause { clause, play } => {
                let not_there = |number| Ok(Err(RefutationFlaw::NotThere { step, number }));
                let Some(clause) = qbf.matrix().get(clause as usize) else { return not_there(clause) };
                let Some(play) = plays.plays.get(play as usize) else { return not_there(play) };
                let mut lits = Vec::with_capacity(clause.len());
                for &lit in clause {
                    match plays.places[&lit.var()] {
                        Place::Universal(place) if play.makes_true(place, lit) => {
                            return Ok(Err(RefutationFlaw::Satisfied { step, lit }));
                        }
                        Place::Universal(_) => {}
                        Place::Existential(blocks) => lits.push(copies.lit(lit, play.sequences[blocks])),
                    }
                }
                if let Err(lit) = clauses.add(lits) {
                    return Ok(Err(RefutationFlaw::Tautology { step, lit: copies.original(lit) }));
                }
            }
            RefutationStep::Resolvent(chain) => {
                let flaw = match clauses.resolve(chain.iter().copied(), &mut poller)? {
                    Ok(()) => continue,
                    Err(Broken::Nothing) => RefutationFlaw::Nothing { step },
                    Err(Broken::NotThere(number)) => RefutationFlaw::NotThere { step, number },
                    Err(Broken::Clash(with, variables)) => RefutationFlaw::Clash { step, with, variables },
                };
                return Ok(Err(flaw));
            }
        }
    }
    match clauses.len().checked_sub(1).map(|last| clauses.clause(last).len()) {
        Some(0) => Ok(Ok(())),
        literals => Ok(Err(RefutationFlaw::NotEmpty { literals })),
    }
}

/// Where a variable stands.
#[derive(Clone, Copy)]
enum Place {
    /// Universal: its place in the prefix.
    Universal(usize),
    /// Existential: how many universal blocks come before it.
    Existential(usize),
}

/// What plays say. They take no more room than they were written with, and a number for each block.
struct Plays {
    places: FxHashMap<Var, Place>,
    plays: Vec<Play>,
}

struct Play {
    /// The places of the universal variables that are true, ascending.
    made_true: Vec<usize>,
    /// By number of universal blocks: the number of the values in the first ones. Equal values have the same number in all plays.
    sequences: Vec<u32>,
}

impl Play {
    fn makes_true(&self, place: usize, lit: Lit) -> bool {
        self.made_true.binary_search(&place).is_ok() == lit.is_positive()
    }
}

impl Plays {
    fn new(
        qbf: &Qbf,
        refutation: &Refutation,
        poller: &mut Poller<'_>,
    ) -> Result<Result<Self, RefutationFlaw>, StopReason> {
        let mut places = FxHashMap::default();
        // The places at which universal blocks end.
        let mut ends = Vec::new();
        let mut place = 0;
        for block in qbf.prefix().blocks() {
            for &var in block.vars {
                let here = if block.quantifier == Quantifier::Forall {
                    Place::Universal(place)
                } else {
                    Place::Existential(ends.len())
                };
                places.insert(var, here);
                place += 1;
            }
            ends.extend((block.quantifier == Quantifier::Forall).then_some(place));
        }
        // The number of what was played before and the places that are true in one more block.
        let mut longer: FxHashMap<(u32, Vec<usize>), u32> = FxHashMap::default();
        let mut plays = Vec::new();
        for (number, lits) in refutation.plays().iter().enumerate() {
            let mut given: Vec<(usize, Lit)> = Vec::with_capacity(lits.len());
            for &lit in lits {
                poller.poll(number as u64)?;
                let Some(&Place::Universal(place)) = places.get(&lit.var()) else {
                    return Ok(Err(RefutationFlaw::NotUniversal { play: number, lit }));
                };
                given.push((place, lit));
            }
            given.sort_unstable();
            given.dedup();
            if let Some(pair) = given.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Ok(Err(RefutationFlaw::BothValues { play: number, var: pair[0].1.var() }));
            }
            let made_true: Vec<usize> =
                given.iter().filter(|(_, lit)| lit.is_positive()).map(|&(place, _)| place).collect();
            let (mut sequences, mut start) = (vec![0], 0);
            for &end in &ends {
                poller.poll(number as u64)?;
                let length = made_true[start..].partition_point(|&place| place < end);
                let next = longer.len() as u32 + 1;
                let key = (sequences[sequences.len() - 1], made_true[start..start + length].to_vec());
                sequences.push(*longer.entry(key).or_insert(next));
                start += length;
            }
            plays.push(Play { made_true, sequences });
        }
        Ok(Ok(Plays { places, plays }))
    }
}

/// Copies of existential variables, numbered as they are met.
#[derive(Default)]
struct Copies {
    numbers: FxHashMap<(Var, u32), Var>,
    /// By number.
    originals: Vec<Var>,
}

impl Copies {
    /// The literal of the copy for a sequence of values.
    fn lit(&mut self, lit: Lit, sequence: u32) -> Lit {
        let copy = *self.numbers.entry((lit.var(), sequence)).or_insert_with(|| {
            self.originals.push(lit.var());
            Var::from_index(self.originals.len() - 1)
        });
        copy.lit(lit.is_positive())
    }

    /// The literal that was copied.
    fn original(&self, copy: Lit) -> Lit {
        self.originals[copy.var().index()].lit(copy.is_positive())
    }
}
