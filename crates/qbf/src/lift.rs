//! Functions of the simplified formula become functions of the original one: the steps of the simplification are replayed
//! on signals instead of values.
//!
//! Of a true formula these are Skolem functions of the existential variables, of a false one Herbrand functions of the
//! universal ones. Inputs are the loser's variables, outputs the winner's, each in prefix order. A function refers to
//! nothing that is quantified after its variable.

use super::simplify::{Reconstruction, Step};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Qbf, Quantifier, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The loser's and the winner's variables of a formula with this verdict, each in prefix order.
fn sides(qbf: &Qbf, verdict: bool) -> (Vec<Var>, Vec<Var>) {
    let winner = if verdict { Quantifier::Exists } else { Quantifier::Forall };
    let side = |quantifier| qbf.prefix().quantified().filter(|&(q, _)| q == quantifier).map(|(_, var)| var).collect();
    (side(!winner), side(winner))
}

/// The functions of the formula that was simplified, from those of what was left of it (`None` if nothing was). Entries
/// about the loser's variables say nothing here: those are inputs, and any value of them is answered.
///
/// # Errors
/// The reason to stop.
pub fn lift(
    simplified: Option<&Aig>,
    qbf: &Qbf,
    verdict: bool,
    reconstruction: &Reconstruction,
    control: &Control,
) -> Result<Aig, StopReason> {
    let (inputs, winners) = sides(qbf, verdict);
    let losers: FxHashSet<Var> = inputs.iter().copied().collect();
    let mut replay = Replay { signals: FxHashMap::default(), aig: Aig::new(inputs) };
    for index in 0..replay.aig.inputs().len() {
        replay.signals.insert(replay.aig.inputs()[index], replay.aig.input(index));
    }
    if let Some(simplified) = simplified {
        let Replay { aig, signals } = &mut replay;
        let imported = aig.import(simplified, |var| signals.get(&var).copied().unwrap_or(Aig::FALSE));
        signals.extend(simplified.outputs().iter().zip(imported).map(|(&(var, _), signal)| (var, signal)));
    }
    let mut poller = control.poller();
    let mut steps: Vec<Step<'_>> = reconstruction.steps().collect();
    steps.reverse();
    for (index, &step) in steps.iter().enumerate().rev() {
        poller.poll(index as u64)?;
        match step {
            Step::Assign(lit) if !losers.contains(&lit.var()) => replay.set(lit, Aig::TRUE),
            Step::Equal(var, lit) if !losers.contains(&var) => {
                let value = replay.signal(lit);
                replay.set(var.positive(), value);
            }
            Step::Unless(lit, clause) if !losers.contains(&lit.var()) => {
                // From the earliest signals to the latest, so that clauses that begin alike share gates.
                let value = replay.signal(lit);
                let mut others: Vec<Lit> = clause.iter().map(|&other| replay.signal(other)).collect();
                others.sort_unstable();
                let satisfied = others.into_iter().fold(Aig::FALSE, |sum, other| replay.aig.or(sum, other));
                let value = replay.aig.or(value, !satisfied);
                replay.set(lit, value);
            }
            Step::Select(var, u, copy) if !losers.contains(&var) => {
                let [condition, then, otherwise] = [u, copy, var].map(|var| replay.signal(var.positive()));
                let value = replay.aig.select(condition, then, otherwise);
                replay.set(var.positive(), value);
            }
            _ => {}
        }
    }
    for var in winners {
        let signal = replay.signal(var.positive());
        replay.aig.output(var, signal);
    }
    replay.aig.retain_used();
    Ok(replay.aig)
}

/// Functions of variables while steps are replayed; a variable that was not mentioned yet is false.
struct Replay {
    aig: Aig,
    signals: FxHashMap<Var, Lit>,
}

impl Replay {
    fn signal(&self, lit: Lit) -> Lit {
        let signal = self.signals.get(&lit.var()).copied().unwrap_or(Aig::FALSE);
        if lit.is_negative() { !signal } else { signal }
    }

    /// Gives a literal its function.
    fn set(&mut self, lit: Lit, signal: Lit) {
        self.signals.insert(lit.var(), if lit.is_negative() { !signal } else { signal });
    }
}
