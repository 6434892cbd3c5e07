//! The winner's functions: from a model of the ground formula, or from its refutation.
//!
//! **True**: a model has a value for each copy of a variable, which is a table over the universal variables before it.
//!
//! **False**: the refutation is [interpolated](super::super::interpolate), once for each universal variable `u` and each path `p` of values
//! of those before it. Copies whose paths go on from `p` with `u` false are one part, those with `u` true another, all that do not go
//! on from `p` a third; what is quantified before `u` is known there, as the copies for `p`. A clause that is copied for a path that
//! ends earlier counts as that path's continuation by zeros, unless it is about the first block alone. The part that is to blame
//! says what `u` does.
//!
//! That these answers fit together: if the interpolation before says that what goes on from `p` is to blame, then the one for `p` never
//! blames the third part. For both are made of one refutation, step by step: where a known variable is resolved both take the same
//! clause; where one is resolved that is unknown to the first only, it says `p` only if both clauses do; and where one of another part is
//! resolved, whichever clause does not blame that part counts. So along the path of all answers the blamed copy, alone and with all that
//! was chosen, cannot be satisfied.

use super::super::engine::{Missing, Wish};
use super::super::interpolate::{Role, blame, is_refuted, most_gates};
use super::super::matrix::Matrix;
use super::super::signals::Signals;
use super::{Copies, Path};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Quantifier, Var};
use gamesat_sat::SatBackend;
use gamesat_sat::cdcl::Cdcl;

/// Clauses of refutations that all interpolations together may go over.
const MAX_STEPS: usize = 50_000_000;

/// The parts of an interpolation: the universal variable is false or true, or the path is another one.
const TRUE_PART: u32 = 1;
const ELSEWHERE: u32 = 2;

impl Path {
    /// Whether another path goes on from this one, or is this one.
    fn leads_to(self, other: Path) -> bool {
        self.length <= other.length && other.values & ((1 << self.length) - 1) == self.values
    }

    /// The part of what this path leads to when those of `from` are told apart by the next variable.
    fn part(self, from: Path) -> u32 {
        let whole = Path { length: usize::MAX, ..self };
        if from.leads_to(whole) { (self.values >> from.length & 1) as u32 } else { ELSEWHERE }
    }
}

impl Copies {
    /// The existential player's functions, whose tables the model is.
    pub(super) fn skolem(&self, solver: &dyn SatBackend, matrix: &Matrix) -> Aig {
        let mut signals = Signals::new(matrix, true);
        let universals = Self::universals(matrix);
        for (index, &level) in matrix.level_of.iter().enumerate() {
            if matrix.quantifiers.get(level as usize) == Some(&Quantifier::Exists) {
                let before = self.universals_before[index];
                let constant = |values| if solver.value(self.lit(index, values)) { Aig::TRUE } else { Aig::FALSE };
                let table = (0..1 << before).map(constant).collect();
                let function = from_table(table, &universals[..before], &mut signals);
                signals.set(Var::from_index(index), function);
            }
        }
        signals.finish(matrix)
    }

    /// The universal player's functions.
    pub(super) fn herbrand(&self, matrix: &Matrix, wish: Wish, control: &Control) -> Result<Aig, Missing> {
        self.interpolated(matrix, wish, control).map_err(Missing::Stopped)?.ok_or(Missing::Lost)
    }

    /// The same; `None` if it takes too much.
    fn interpolated(&self, matrix: &Matrix, wish: Wish, control: &Control) -> Result<Option<Aig>, StopReason> {
        // 1. A refutation, and the paths of its clauses and variables.
        let mut solver = Cdcl::with_proof();
        let mut vars: Vec<(Var, Path)> = Vec::with_capacity(self.total);
        for (index, &level) in matrix.level_of.iter().enumerate() {
            if matrix.quantifiers.get(level as usize) == Some(&Quantifier::Exists) {
                let length = self.universals_before[index];
                vars.extend((0..1 << length).map(|values| (Var::from_index(index), Path { length, values })));
            }
        }
        vars.iter().for_each(|_| {
            solver.new_var();
        });
        let mut clauses: Vec<Path> = Vec::new();
        self.fill(matrix, control, &mut |clause, path| {
            solver.add_clause(clause);
            clauses.push(path);
        })?;
        match is_refuted(&mut solver, wish, control)? {
            Some(true) => {}
            Some(false) => {
                let what = "the ground formula was found unsatisfiable, and satisfiable once more".to_owned();
                return Err(StopReason::Contradiction(what));
            }
            None => return Ok(None),
        }
        let Some(proof) = solver.proof() else { return Ok(None) };
        let universals = Self::universals(matrix);
        let steps = proof.empty_clause().map_or(0, |last| last as usize);
        if steps.saturating_mul(1 << universals.len()) > MAX_STEPS {
            return Ok(None);
        }
        // 2. For each universal variable a table of who is to blame.
        let mut signals = Signals::new(matrix, false);
        for (place, &universal) in universals.iter().enumerate() {
            let mut table = Vec::with_capacity(1 << place);
            for values in 0..1 << place {
                let from = Path { length: place, values };
                let owner = |path: &Path| (path.length > 0).then(|| path.part(from));
                let owners: Vec<Option<u32>> = clauses.iter().map(owner).collect();
                let role = |&(var, path): &(Var, Path)| {
                    if path.leads_to(from) { Role::Outer(var) } else { Role::Copy(path.part(from)) }
                };
                let roles: Vec<Role> = vars.iter().map(role).collect();
                let Some(blame) = blame(proof, &owners, &roles, &mut signals, most_gates(wish), control)? else {
                    return Ok(None);
                };
                let is_true = blame.iter().find(|&&(part, _)| part == TRUE_PART).map(|&(_, signal)| signal);
                table.push(is_true.unwrap_or(Aig::FALSE));
            }
            let function = from_table(table, &universals[..place], &mut signals);
            signals.set(Var::from_index(universal), function);
            // 3. Those of its level that come behind it know nothing more; before the next level what was reduced has its rules.
            let level = matrix.level_of[universal];
            if universals.get(place + 1).is_none_or(|&next| matrix.level_of[next] != level) {
                signals.falsify_reduced(matrix, level);
            }
            if signals.aig.num_nodes() > most_gates(wish) {
                return Ok(None);
            }
        }
        signals.falsify_reduced(matrix, Matrix::ABSENT);
        Ok(Some(signals.finish(matrix)))
    }

    /// The universal variables in their order.
    pub(super) fn universals(matrix: &Matrix) -> Vec<usize> {
        let is_universal = |&index: &usize| Self::is_universal(matrix, Var::from_index(index).positive());
        (0..matrix.level_of.len()).filter(is_universal).collect()
    }
}

/// What a table says about these variables: the first one tells neighbours apart, the second one pairs of them, and so on.
fn from_table(mut table: Vec<Lit>, vars: &[usize], signals: &mut Signals) -> Lit {
    for &var in vars {
        let condition = signals.get(Var::from_index(var).positive());
        table = table.chunks(2).map(|pair| signals.aig.select(condition, pair[1], pair[0])).collect();
    }
    table[0]
}
