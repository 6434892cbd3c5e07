//! Refutations by expansion, judged step by step: nothing is searched for.
//!
//! Two things are verified. A clause under a play is what that play makes of it: every universal literal is false there, and an
//! existential literal stands for the copy of its variable for the values of the universal variables *before* it, wherever they
//! stand in the prefix. And each resolvent is one: the two clauses clash in exactly one variable. If the last step is the empty
//! clause, the formula is false; why, is said in [`Refutation`].
//!
//! Shared with the engines are the data types and [`Control`].

use crate::control::{Control, Poller, StopReason};
use crate::formula::{Lit, Qbf, Quantifier, Refutation, RefutationStep, Var};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a refutation does not show anything about a formula. Steps, plays and clauses are numbered from 0 here and from 1 in
/// messages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    // The literals of all clauses, one after the other, and where each ends.
    let (mut lits, mut ends): (Vec<Lit>, Vec<usize>) = (Vec::new(), Vec::new());
    let range = |ends: &[usize], step: usize| step.checked_sub(1).map_or(0, |before| ends[before])..ends[step];
    // By literal: whether it is in the clause that is being resolved; and its literals, among them some that are not in it any more.
    let mut is_in: Vec<bool> = Vec::new();
    let mut met: Vec<Lit> = Vec::new();
    for (step, what) in refutation.steps().enumerate() {
        poller.poll(step as u64)?;
        match what {
            RefutationStep::Clause { clause, play } => {
                let not_there = |number| Ok(Err(RefutationFlaw::NotThere { step, number }));
                let Some(clause) = qbf.matrix().get(clause as usize) else { return not_there(clause) };
                let Some(play) = plays.values.get(play as usize) else { return not_there(play) };
                let start = lits.len();
                for &lit in clause {
                    match plays.places[&lit.var()] {
                        (Quantifier::Forall, place) if play.values[place] == lit.is_positive() => {
                            return Ok(Err(RefutationFlaw::Satisfied { step, lit }));
                        }
                        (Quantifier::Forall, _) => {}
                        (Quantifier::Exists, before) => lits.push(copies.lit(lit, play.sequences[before])),
                    }
                }
                is_in.resize(2 * copies.originals.len(), false);
                // Without repetitions; of clauses that are no tautologies and clash in one variable the resolvent is none either.
                let mut own = lits.split_off(start);
                own.sort_unstable();
                own.dedup();
                lits.append(&mut own);
                if let Some(pair) = lits[start..].windows(2).find(|pair| pair[0].var() == pair[1].var()) {
                    return Ok(Err(RefutationFlaw::Tautology { step, lit: copies.original(pair[0]) }));
                }
            }
            RefutationStep::Resolvent([]) => return Ok(Err(RefutationFlaw::Nothing { step })),
            RefutationStep::Resolvent(chain) => {
                for (at, &with) in chain.iter().enumerate() {
                    poller.poll(step as u64)?;
                    if with as usize >= step {
                        return Ok(Err(RefutationFlaw::NotThere { step, number: with }));
                    }
                    let clause = &lits[range(&ends, with as usize)];
                    let clashes = clause.iter().filter(|lit| is_in[(!**lit).code()]).count();
                    if at > 0 && clashes != 1 {
                        return Ok(Err(RefutationFlaw::Clash { step, with, variables: clashes }));
                    }
                    for &lit in clause {
                        if at > 0 && std::mem::replace(&mut is_in[(!lit).code()], false) {
                            continue;
                        }
                        if !std::mem::replace(&mut is_in[lit.code()], true) {
                            met.push(lit);
                        }
                    }
                }
                for lit in met.drain(..) {
                    if std::mem::replace(&mut is_in[lit.code()], false) {
                        lits.push(lit);
                    }
                }
            }
        }
        ends.push(lits.len());
    }
    match ends.len().checked_sub(1).map(|last| range(&ends, last).len()) {
        Some(0) => Ok(Ok(())),
        literals => Ok(Err(RefutationFlaw::NotEmpty { literals })),
    }
}

/// The values that plays give to the universal variables.
struct Plays {
    /// Of a universal variable, its place among the universal ones; of an existential one, how many of them come before it.
    places: FxHashMap<Var, (Quantifier, usize)>,
    values: Vec<Play>,
}

struct Play {
    /// By place of the universal variable.
    values: Vec<bool>,
    /// By length: the number of the sequence of the first values. Equal sequences have the same number in all plays.
    sequences: Vec<u32>,
}

impl Plays {
    fn new(
        qbf: &Qbf,
        refutation: &Refutation,
        poller: &mut Poller<'_>,
    ) -> Result<Result<Self, RefutationFlaw>, StopReason> {
        let mut places = FxHashMap::default();
        let mut universals = 0;
        for (quantifier, var) in qbf.prefix().quantified() {
            places.insert(var, (quantifier, universals));
            universals += usize::from(quantifier == Quantifier::Forall);
        }
        let mut longer: FxHashMap<(u32, bool), u32> = FxHashMap::default();
        let mut values = Vec::new();
        for (number, lits) in refutation.plays().iter().enumerate() {
            let mut given = vec![None; universals];
            for &lit in lits {
                let Some(&(Quantifier::Forall, place)) = places.get(&lit.var()) else {
                    return Ok(Err(RefutationFlaw::NotUniversal { play: number, lit }));
                };
                if given[place] == Some(!lit.is_positive()) {
                    return Ok(Err(RefutationFlaw::BothValues { play: number, var: lit.var() }));
                }
                given[place] = Some(lit.is_positive());
            }
            let play: Vec<bool> = given.into_iter().map(|value| value == Some(true)).collect();
            let mut sequences = vec![0];
            for &value in &play {
                poller.poll(number as u64)?;
                let next = longer.len() as u32 + 1;
                sequences.push(*longer.entry((sequences[sequences.len() - 1], value)).or_insert(next));
            }
            values.push(Play { values: play, sequences });
        }
        Ok(Ok(Plays { places, values }))
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
