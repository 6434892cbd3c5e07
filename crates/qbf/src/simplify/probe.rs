//! Failed literals.
//!
//! Assume a literal `x` and propagate with universal reduction. If that ends in a conflict, `-x` may be assigned. With
//! plain propagation on the QBF this would be wrong: reduction under an assumption in an inner block is not justified.
//! It is right on the *abstraction* in which all blocks up to that of `x` are existential: what follows there follows for
//! every choice of the outer variables, whoever makes it, and so adding the unit `-x` keeps the truth value (Lonsing and
//! Biere, *Failed literal detection for QBF*, SAT 2011, theorem 1). If `x` is universal, the formula is false.
//!
//! A literal that follows from both `x` and `-x` is true as well, by the same argument. Only literals that imply
//! something through a binary clause and are not implied themselves are tried: others fail no earlier than these.

use super::propagator::{Conflict, Propagator};
use super::store::{Halt, Simplifier};
use crate::options::Functions;
use gamesat_core::formula::{Lit, Var};

pub(super) fn run(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    // In a run that must explain itself by Herbrand functions all variables count as existential.
    let plain = s.options.functions == Functions::Both;
    let abstraction = |level: u32| if plain { u32::MAX } else { level };
    let Ok(mut propagator) = Propagator::new(s, abstraction(0)) else { return Err(refuted(s)) };
    let units: Vec<Lit> = propagator.trail().to_vec();
    for lit in units {
        learn(s, &mut propagator, lit)?;
    }
    let mut implied_by_binary = vec![false; 2 * s.num_vars()];
    for id in s.live_clause_ids() {
        if let &[a, b] = s.clause(id) {
            implied_by_binary[a.code()] = true;
            implied_by_binary[b.code()] = true;
        }
    }
    // Outer variables first: watches that were chosen under a weak abstraction stay good under a stronger one.
    let mut candidates: Vec<Var> = s
        .all_vars()
        .filter(|&var| {
            s.occurs(var) && (implied_by_binary[var.positive().code()] || implied_by_binary[var.negative().code()])
        })
        .collect();
    candidates.sort_by_key(|&var| s.level(var));
    let mut seen = vec![0u32; 2 * s.num_vars()];
    for (index, var) in candidates.into_iter().enumerate() {
        propagator.abstraction = abstraction(s.level(var));
        let stamp = index as u32 + 1;
        let mut both: Vec<Lit> = Vec::new();
        for (second, lit) in [var.positive(), var.negative()].into_iter().enumerate() {
            if propagator.value(lit).is_some() {
                break;
            }
            // `lit` implies something only if its negation is in a binary clause; otherwise still worth the other half.
            let root = propagator.trail().len();
            let failed = propagator.assume(lit).is_err() || propagator.propagate().is_err();
            if !failed {
                for &implied in &propagator.trail()[root + 1..] {
                    if second == 0 {
                        seen[implied.code()] = stamp;
                    } else if seen[implied.code()] == stamp {
                        both.push(implied);
                    }
                }
            }
            propagator.backtrack(root);
            if failed {
                learn(s, &mut propagator, !lit)?;
                both.clear();
                break;
            }
        }
        for lit in both {
            learn(s, &mut propagator, lit)?;
        }
        let effort = std::mem::take(&mut propagator.effort);
        s.work(effort as usize)?;
    }
    s.propagate()
}

/// Notes that a literal is true in the abstraction.
fn learn(s: &mut Simplifier<'_>, propagator: &mut Propagator, lit: Lit) -> Result<(), Halt> {
    if s.value(lit) == Some(true) {
        return Ok(());
    }
    if !s.exists(lit.var()) {
        s.record_assign(!lit);
        return Err(refuted(s));
    }
    forget_inner(s);
    s.assign(lit)?;
    let spread = |propagator: &mut Propagator| -> Result<(), Conflict> {
        propagator.assume(lit)?;
        propagator.propagate()
    };
    spread(propagator).map_err(|Conflict| refuted(s))
}

/// The abstraction is false, and so is the formula. With universal reduction on the way no Herbrand functions follow, but
/// the abstraction counts the outermost block as existential, so that its values are not touched.
fn refuted(s: &mut Simplifier<'_>) -> Halt {
    forget_inner(s);
    Halt::Decided(false)
}

fn forget_inner(s: &mut Simplifier<'_>) {
    if s.options.functions != Functions::Both {
        s.reconstruction.forget_universal(false);
    }
}
