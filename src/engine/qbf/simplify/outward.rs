//! Definitions move outwards: a variable that is a function of others is chosen as soon as those are known.
//!
//! Encoders put the variables of gates into the innermost block, wherever the inputs are. If clauses define `g` by variables
//! that stand further left, the existential player has no choice in any play that satisfies the matrix, and may as well fix
//! `g` right after the last of its inputs: a strategy that wins with `g` at its old place sets it to the value of its
//! definition. To the left is the harder place, so the truth of the formula stays what it is. Every move is sound on its
//! own, for the prefix as the moves before it left it, so definitions may use each other, even in circles.
//!
//! Levels of an engine that works block by block thereby speak of what a play *means* (this player has won, that cell is
//! taken) instead of the inputs it is computed from (Reichl, Slivovsky and Szeider, "Definitions in QBF", 2021, measured it
//! with several solvers). Elimination wants gates innermost, so this comes last.
//!
//! Herbrand functions may read existential variables to their left, and after a move some do that were not there: they get
//! lost.

use super::super::definitions;
use super::depend::reduce_all;
use super::store::{Halt, Simplifier};
use crate::formula::{Lit, Var};
use std::ops::ControlFlow;

/// Gates of a variable that occurs more often are not looked for.
const MAX_OCCURRENCES: usize = 1000;

/// Moves every defined variable as far out as its definitions allow.
pub(super) fn run(s: &mut Simplifier<'_>) -> Result<(), Halt> {
    s.renumber_levels();
    let mut defined = Vec::new();
    let mut vars: Vec<Var> = s.all_vars().filter(|&var| s.exists(var) && s.occurs(var) && s.level(var) > 0).collect();
    // Outermost first: most inputs have found their place when their gates are looked at.
    vars.sort_by_key(|&var| (s.level(var), var));
    for var in vars {
        let count = s.count(var.positive()) + s.count(var.negative());
        if count > MAX_OCCURRENCES {
            continue;
        }
        s.clean(var.positive());
        s.clean(var.negative());
        s.work(count)?;
        let first = defined.len();
        let is_input = |lit: Lit| lit.var() != var;
        let _ = definitions::gates(s, var, is_input, |gate| {
            defined.push((var, gate.inputs));
            ControlFlow::Continue(())
        });
        s.work(defined[first..].iter().map(|(_, inputs)| inputs.len()).sum())?;
    }
    let mut moved = false;
    loop {
        let mut progress = false;
        for (var, inputs) in &defined {
            s.work(inputs.len())?;
            // Right after a universal input comes an existential block, for this variable was behind it.
            let known = |lit: &Lit| s.level(lit.var()) + u32::from(!s.exists(lit.var()));
            let place = inputs.iter().map(known).max().unwrap_or(0);
            if place < s.level(*var) {
                s.set_level(*var, place);
                s.touch(*var);
                progress = true;
            }
        }
        moved |= progress;
        if !progress {
            break;
        }
    }
    if !moved {
        return Ok(());
    }
    // What is known of the outermost universal block stays true: with any of its moves filled in the two formulas are
    // equally true.
    s.reconstruction.forget_universal(false);
    s.renumber_levels();
    reduce_all(s)
}
