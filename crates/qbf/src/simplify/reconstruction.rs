//! The way back: from values (or functions) of the simplified formula's variables to those of the original.
//!
//! Every step that loses information about a variable leaves one of four entries on a stack, and undoing the
//! simplification is replaying the stack from its top:
//!
//! * `Assign(l)`: literal `l` is true.
//! * `Equal(x, l)`: variable `x` has the value of literal `l`.
//! * `Unless(l, C)`: make `l` true if every literal of `C` is false.
//! * `Select(x, u, y)`: `x` has the value of its copy `y` where the expanded universal variable `u` is true.
//!
//! `Unless` serves both players. For an existential `l` that blocked a removed clause `C | l`: if the part of the
//! clause that is chosen no later than `l` is false, `l` must save the clause, and the blocking condition says that the
//! clauses of `-l` do not mind (Biere, Lonsing, Seidl: *Blocked clause elimination for QBF*, CADE 2011). For a universal
//! literal `u` that was reduced from, or blocked, the clause `C | u` the entry is `Unless(-u, C)`: if the rest of the
//! clause is false, the universal player wants `u` false too (Balabanov and Jiang, *Unified QBF certification*, 2012).
//! Variable elimination is `Assign` of one side and `Unless` for each clause of the other.
//!
//! With the stack restricted to the outermost block, all entries speak of that block alone, because `C` is cut to the
//! literals chosen no later than `l`. With [`functions`](super::SimplifyOptions::functions) on, the entries of all
//! variables are kept and the same replay works on functions instead of values
//! ([`lift`](crate::lift::lift)).
//!
//! Some steps only make the formula stronger: dropping independent universal literals, moving existential blocks outwards,
//! failed literals found with universal reduction. Skolem functions of the stronger formula serve the weaker one as they
//! are; Herbrand functions do not survive them, nor do they survive expansion.

use super::lives::Lives;
use gamesat_core::formula::{Lit, Qbf, Quantifier, Var};
use rustc_hash::FxHashSet;

/// One entry of the stack, in the numbering of the original formula (new variables come after its largest).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// The literal is true.
    Assign(Lit),
    /// The variable has the value of the literal.
    Equal(Var, Lit),
    /// The literal is true if every literal of the clause is false; otherwise its variable stays as it is.
    Unless(Lit, &'a [Lit]),
    /// The first variable has the value of the third one if the second is true; otherwise it stays as it is.
    Select(Var, Var, Var),
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Assign,
    Equal,
    Unless,
    Select,
}

/// What is needed to get back to the original formula.
#[derive(Clone, Debug, Default)]
pub struct Reconstruction {
    steps: Vec<(Kind, Lit, u32)>,
    lits: Vec<Lit>,
    outer: Vec<Var>,
    universal: bool,
    inexact: bool,
    herbrand_lost: bool,
    lives: Lives,
}

/// Values of the original formula's outermost block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OuterModel {
    /// One literal per variable of the outermost block, in prefix order.
    pub values: Vec<Lit>,
    /// Whether the values are known to witness the verdict. If not, a step without repair (the expansion of an outermost
    /// universal variable, say) took place, and [`complete`] finds values with the help of a solver.
    pub exact: bool,
}

impl Reconstruction {
    /// No step at all.
    pub(crate) fn new(qbf: &Qbf) -> Self {
        let first = qbf.prefix().blocks().next();
        let outer = first.map_or_else(Vec::new, |block| block.vars.to_vec());
        let universal = first.is_some_and(|block| block.quantifier == Quantifier::Forall);
        Reconstruction { outer, universal, ..Reconstruction::default() }
    }

    /// A clause of the formula comes or goes.
    pub(super) fn live(&mut self, came: bool, clause: &[Lit]) {
        self.lives.push(self.steps.len(), came, clause);
    }

    /// An existential variable moves outwards, to right behind a universal one or before all.
    pub(super) fn moved(&mut self, var: Var, behind: Option<Var>) {
        self.lives.push_move(var, behind);
    }

    /// The next clause goes because one of its variables is defined; whether it belongs to the definition.
    pub(super) fn defined(&mut self, belongs: bool) {
        self.lives.push_defined(belongs);
    }

    /// Which clauses the formula had, and when.
    pub(crate) fn lives(&self) -> &Lives {
        &self.lives
    }

    pub(super) fn assign(&mut self, lit: Lit) {
        self.steps.push((Kind::Assign, lit, self.lits.len() as u32));
    }

    pub(super) fn equal(&mut self, var: Var, lit: Lit) {
        self.lits.push(lit);
        self.steps.push((Kind::Equal, var.positive(), self.lits.len() as u32));
    }

    pub(super) fn unless(&mut self, lit: Lit, clause: impl IntoIterator<Item = Lit>) {
        self.lits.extend(clause);
        self.steps.push((Kind::Unless, lit, self.lits.len() as u32));
    }

    pub(super) fn select(&mut self, var: Var, u: Var, copy: Var) {
        self.lits.extend([u.positive(), copy.positive()]);
        self.steps.push((Kind::Select, var.positive(), self.lits.len() as u32));
    }

    /// Something was done to a universal variable, outermost or not, that steps cannot undo.
    pub(super) fn forget_universal(&mut self, outermost: bool) {
        self.inexact |= self.universal && outermost;
        self.herbrand_lost = true;
    }

    /// Whether the steps carry Herbrand functions back. Skolem functions always come back, if they were recorded.
    pub fn keeps_herbrand(&self) -> bool {
        !self.herbrand_lost
    }

    /// Renames every variable, from the simplifier's numbering to the caller's.
    pub(super) fn rename(&mut self, name: impl Fn(Var) -> Var) {
        let rename = |lit: Lit| name(lit.var()).lit(lit.is_positive());
        for (_, lit, _) in &mut self.steps {
            *lit = rename(*lit);
        }
        for lit in &mut self.lits {
            *lit = rename(*lit);
        }
        self.lives.rename(&name);
        for var in &mut self.outer {
            *var = name(*var);
        }
    }

    /// The steps in the order in which they are to be replayed: last made, first undone.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        (0..self.steps.len()).rev().map(|index| {
            let (kind, lit, end) = self.steps[index];
            let start = if index == 0 { 0 } else { self.steps[index - 1].2 };
            let lits = &self.lits[start as usize..end as usize];
            match kind {
                Kind::Assign => Step::Assign(lit),
                Kind::Equal => Step::Equal(lit.var(), lits[0]),
                Kind::Unless => Step::Unless(lit, lits),
                Kind::Select => Step::Select(lit.var(), lits[0].var(), lits[1].var()),
            }
        })
    }

    /// Values of the original outermost block from values of the simplified formula's outermost block: of an existential
    /// block if the formula is true, of a universal one if it is false. Variables without a value may have any.
    pub fn outer_model(&self, model_of_simplified: &[Lit]) -> OuterModel {
        let mut values = Values::default();
        for &lit in model_of_simplified {
            values.make_true(lit);
        }
        for step in self.steps() {
            match step {
                Step::Assign(lit) => values.make_true(lit),
                Step::Equal(var, lit) => {
                    let value = values.is_true(lit);
                    values.make_true(var.lit(value));
                }
                Step::Unless(lit, clause) => {
                    if !clause.iter().any(|&other| values.is_true(other)) {
                        values.make_true(lit);
                    }
                }
                // Nothing outermost depends on a universal variable.
                Step::Select(..) => {}
            }
        }
        OuterModel {
            values: self.outer.iter().map(|&var| var.lit(values.is_true(var.positive()))).collect(),
            exact: !self.inexact,
        }
    }
}

/// Values of variables, `false` unless said otherwise. A set, because the caller's numbering may be sparse.
#[derive(Default)]
struct Values(FxHashSet<Var>);

impl Values {
    fn is_true(&self, lit: Lit) -> bool {
        self.0.contains(&lit.var()) == lit.is_positive()
    }

    fn make_true(&mut self, lit: Lit) {
        if lit.is_positive() {
            self.0.insert(lit.var());
        } else {
            self.0.remove(&lit.var());
        }
    }
}

/// Turns values of the outermost block that may or may not witness the verdict into values that do.
///
/// `solve` must decide formulas in which some variables of the outermost block of `qbf` have values; all of them are at
/// least as easy as `qbf` itself. If the guess is right this is one call, otherwise at most one per variable more.
///
/// # Errors
/// Whatever `solve` returns when it cannot decide.
pub fn complete<E>(
    qbf: &Qbf,
    verdict: bool,
    guess: &[Lit],
    mut solve: impl FnMut(&Qbf) -> Result<bool, E>,
) -> Result<Vec<Lit>, E> {
    if solve(&qbf.substitute(guess))? == verdict {
        return Ok(guess.to_vec());
    }
    let mut fixed: Vec<Lit> = Vec::with_capacity(guess.len());
    for &lit in guess {
        fixed.push(lit);
        if solve(&qbf.substitute(&fixed))? != verdict {
            fixed.pop();
            fixed.push(!lit);
        }
    }
    Ok(fixed)
}
