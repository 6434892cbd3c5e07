//! Counterexample-guided expansion for formulas of at most three blocks, `exists X forall Y exists Z`.
//!
//! Three SAT solvers play (after Janota, Klieber, Marques-Silva and Clarke, *Solving QBF with counterexample guided
//! refinement*, 2012/2016; their RAReQS nests this for any number of blocks):
//! 1. the [outer](outer::Outer) player proposes a move `x` that survives all universal moves seen so far;
//! 2. the [universal](universal::Universal) player looks for a `y` against `x` that refutes all answers seen so far: if
//!    there is none, the formula is true and `x` shows it;
//! 3. the inner player looks for an answer `z` to `x` and `y` in the matrix itself: if there is one, the universal player
//!    has to refute it too (2), otherwise the outer player has to survive `y` (1).
//!
//! If [functions] of the universal player are wanted once no outer move survives the copies, a
//! [refutation](super::interpolate) of them says which universal move to make. Where that is too large, the outer player begins
//! anew: without copies, and without the parts of moves that are known to fail.
//!
//! Innermost variables that are functions of earlier ones are [recovered](super::definitions) first: an answer fixes only what is
//! free to choose, which makes it an answer to many moves instead of one.

mod functions;
mod instance;
mod outer;
mod universal;

use super::definitions::{self, Class, Definitions};
use super::engine::{Answer, Missing, Pace, QbfEngine, Wish};
use super::interpolate::{self, Refuting};
use super::matrix::Matrix;
use crate::options::Functions;
use functions::Record;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Quantifier, Var};
use gamesat_core::statistics::Statistics;
use gamesat_sat::{Backend, SatBackend};
use instance::Instance;
use outer::Outer;
use rustc_hash::FxHashMap;
use universal::Universal;

/// The engine: it decides formulas of at most three blocks and gives everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expansion {
    /// The SAT solver of the players.
    pub backend: Backend,
}

impl QbfEngine for Expansion {
    fn name(&self) -> &'static str {
        "expansion"
    }

    fn answers(&self, matrix: &Matrix, _: Wish) -> bool {
        matrix.quantifiers.len() <= 3
    }

    fn solve(
        &self,
        matrix: &Matrix,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        if let Some(values) = matrix.refutation() {
            return Ok(Answer::of_constants(matrix, false, &values, wish));
        }
        let (verdict, values, functions, plays) = self.decide(matrix, wish, control, statistics)?;
        let outer_model = if wish.outer_model { matrix.outer_model(verdict, &values) } else { Vec::new() };
        let functions = functions.unwrap_or(Err(Missing::Unwanted));
        Ok(Answer { plays, ..Answer::new(verdict, outer_model, functions) })
    }
}

/// Reasons of this many literals are made smaller, one SAT call for each of them, if they are to be conditions of functions.
const MAX_ATTEMPTS: usize = 64;
/// Conflicts of each of these calls.
const ATTEMPT_CONFLICTS: u64 = 200;

impl Expansion {
    /// The verdict, the winner's first move among the values of all variables, and the winner's functions if wanted.
    fn decide(
        &self,
        matrix: &Matrix,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Decision, StopReason> {
        let wanted = wish.functions != Functions::None;
        let roles = Roles::new(matrix);
        let definitions = definitions::recover(&matrix.clauses, &roles.class);
        statistics.add("expansion_definitions", definitions.order.len() as u64);
        control.stop_reason(0).map_or(Ok(()), Err)?;
        let mut game = Game::new(self.backend, matrix, &roles, &definitions, wanted);
        let (verdict, first_move) = game.play(true, control)?;
        let functions = match wish.functions {
            Functions::None => None,
            Functions::Skolem if !verdict => Some(Err(Missing::Lost)),
            _ => Some(game.functions(self, verdict, &first_move, wish, control)),
        };
        game.report(statistics);
        let mut values = vec![false; roles.class.len()];
        first_move.iter().for_each(|lit| values[lit.var().index()] = lit.is_positive());
        let plays = if verdict { Vec::new() } else { std::mem::take(&mut game.plays) };
        Ok((verdict, values, functions, plays))
    }
}

impl Expansion {
    /// Universal moves that no outer one survives, of a false formula, given some in its own variables that have to be survived from
    /// the beginning.
    ///
    /// # Errors
    /// The reason to stop.
    pub(super) fn complete(
        &self,
        matrix: &Matrix,
        known: &[Vec<Lit>],
        control: &Control,
    ) -> Result<Vec<Vec<Lit>>, StopReason> {
        if let Some(values) = matrix.refutation() {
            return Ok(Answer::of_constants(matrix, false, &values, Wish::default()).plays);
        }
        let roles = Roles::new(matrix);
        let definitions = definitions::recover(&matrix.clauses, &roles.class);
        let mut game = Game::new(self.backend, matrix, &roles, &definitions, false);
        for play in known.iter().filter(|_| !roles.outer.is_empty()) {
            control.stop_reason(0).map_or(Ok(()), Err)?;
            let values: FxHashMap<Var, bool> = play.iter().map(|lit| (lit.var(), lit.is_positive())).collect();
            let value = |var: Var| values.get(&matrix.original[var.index()].1) == Some(&true);
            let y: Vec<Lit> = roles.universal.iter().map(|&var| var.lit(value(var))).collect();
            game.outer.survive(&y, &mut game.instance, &definitions);
            game.plays.push(matrix.original_lits(&y));
        }
        if game.play(true, control)?.0 {
            let what = "the formula was found false, and true by expansion".to_owned();
            return Err(StopReason::Contradiction(what));
        }
        Ok(game.plays)
    }
}

/// The verdict, values of all variables, functions if they were wanted, and the universal moves against which outer ones failed.
type Decision = (bool, Vec<bool>, Option<Result<Aig, Missing>>, Vec<Vec<Lit>>);

/// The players and what they know.
struct Game<'a> {
    matrix: &'a Matrix,
    roles: &'a Roles,
    definitions: &'a Definitions,
    /// Innermost variables that are no functions of others.
    free: Vec<Var>,
    instance: Instance<'a>,
    outer: Outer,
    universal: Universal,
    inner: Box<dyn SatBackend>,
    /// What functions are made of, if they are wanted.
    record: Option<Record>,
    /// The universal moves against which outer ones failed, in the variables of the formula.
    plays: Vec<Vec<Lit>>,
    outer_moves: u64,
    universal_moves: u64,
    pace: Pace,
}

impl<'a> Game<'a> {
    fn new(
        backend: Backend,
        matrix: &'a Matrix,
        roles: &'a Roles,
        definitions: &'a Definitions,
        records: bool,
    ) -> Self {
        let vars = roles.class.len();
        let is_free = |&var: &Var| definitions.class[var.index()] == Class::Inner && !definitions.is_defined(var);
        let mut inner = backend.create();
        for _ in 0..vars {
            inner.new_var();
        }
        for clause in &matrix.clauses {
            inner.add_clause(clause);
        }
        Game {
            matrix,
            roles,
            definitions,
            free: (0..vars).map(Var::from_index).filter(is_free).collect(),
            instance: Instance::new(&matrix.clauses, vars),
            outer: Outer::new(backend, &matrix.clauses, definitions),
            universal: Universal::new(backend, &matrix.clauses, definitions),
            inner,
            record: records.then(Record::default),
            plays: Vec::new(),
            outer_moves: 0,
            universal_moves: 0,
            pace: Pace::default(),
        }
    }

    /// The verdict and the winner's first move. With `copies` the outer player has to survive every universal move seen.
    fn play(&mut self, copies: bool, control: &Control) -> Result<(bool, Vec<Lit>), StopReason> {
        loop {
            // 1. A move of the outer player.
            if !self.outer.find(control)? {
                return Ok((false, Vec::new()));
            }
            let x: Vec<Lit> = self.roles.outer.iter().map(|&var| self.outer.value(var)).collect();
            self.outer_moves += 1;
            control.count(self.nodes())?;
            loop {
                // 2. A move of the universal player.
                if !self.universal.find(&x, control)? {
                    return Ok((true, x));
                }
                let y: Vec<Lit> = self.roles.universal.iter().map(|&var| self.universal.value(var)).collect();
                self.universal_moves += 1;
                control.count(self.nodes())?;
                if self.pace.is_due(self.universal_moves, control) {
                    self.log(control);
                }
                // 3. An answer of the inner player. The outer move changes least often, so it is assumed first.
                let moves: Vec<Lit> = x.iter().chain(&y).copied().collect();
                if self.inner.solve(&moves, control)? {
                    let answer = |&var: &Var| var.lit(self.inner.value(var.positive()));
                    let z: Vec<Lit> = self.free.iter().map(answer).collect();
                    self.universal.refute(&z, None, &self.matrix.clauses, &mut self.instance, self.definitions);
                    self.record.iter_mut().for_each(|record| record.answers.push(z.clone()));
                    continue;
                }
                // The part of `x` that fails against `y` goes at once; the copy excludes what fails for the same reason.
                let mut part = self.roles.outer_part(self.inner.failed());
                if self.record.is_some() && !copies {
                    self.shrink(&mut part, &y, control)?;
                }
                let first = if self.roles.outer.is_empty() { Some(y.clone()) } else { None };
                self.outer.exclude(part.iter().copied());
                if copies && first.is_none() {
                    self.outer.survive(&y, &mut self.instance, self.definitions);
                }
                self.plays.push(self.matrix.original_lits(&y));
                self.record.iter_mut().for_each(|record| record.refuted.push((part.clone(), y.clone())));
                match first {
                    Some(y) => return Ok((false, y)),
                    None => break,
                }
            }
        }
    }

    /// Moves, and what the SAT solvers have gone through for them.
    fn nodes(&self) -> u64 {
        let conflicts = self.outer.conflicts() + self.universal.conflicts() + self.inner.effort().conflicts;
        self.outer_moves + self.universal_moves + conflicts
    }

    /// Drops literals from a part of an outer move while the rest still fails against a universal move.
    fn shrink(&mut self, part: &mut Vec<Lit>, y: &[Lit], control: &Control) -> Result<(), StopReason> {
        let mut at = part.len().min(MAX_ATTEMPTS);
        while at > 0 {
            at -= 1;
            let kept = part.iter().enumerate().filter(|&(place, _)| place != at).map(|(_, &lit)| lit);
            let trial: Vec<Lit> = kept.chain(y.iter().copied()).collect();
            if self.inner.solve_limited(&trial, Some(ATTEMPT_CONFLICTS), control)? == Some(false) {
                let failed = self.inner.failed();
                part.retain(|lit| failed.contains(lit));
                at = at.min(part.len());
            }
        }
        Ok(())
    }

    /// The winner's functions, after a play with copies.
    fn functions(
        &mut self,
        engine: &Expansion,
        verdict: bool,
        first_move: &[Lit],
        wish: Wish,
        control: &Control,
    ) -> Result<Aig, Missing> {
        let known = |game: &mut Self| game.record.take().unwrap_or_default();
        if verdict {
            let record = known(self);
            let functions = functions::skolem(engine, self.matrix, self.definitions, first_move, &record, control);
            return functions.map_err(Missing::Stopped);
        }
        let refuted = self.record.as_ref().map_or(&[][..], |record| &record.refuted);
        if !refuted.is_empty() && !self.roles.outer.is_empty() {
            let moves: Vec<Refuting> = refuted.iter().map(Refuting::of_part).collect();
            if let Some(functions) =
                interpolate::herbrand(self.matrix, &moves, wish, control).map_err(Missing::Stopped)?
            {
                return Ok(functions);
            }
            if wish.small {
                return Err(Missing::Lost);
            }
            control.log(|| "once more, without copies".to_owned());
            self.outer = Outer::new(engine.backend, &self.matrix.clauses, self.definitions);
            for (part, _) in self.record.iter().flat_map(|record| &record.refuted) {
                self.outer.exclude(part.iter().copied());
            }
            let (verdict, _) = self.play(false, control).map_err(Missing::Stopped)?;
            if verdict {
                let what = "expansion found the formula false, and true without copies".to_owned();
                return Err(Missing::Stopped(StopReason::Contradiction(what)));
            }
        }
        Ok(functions::herbrand(self.matrix, &known(self)))
    }

    fn log(&self, control: &Control) {
        control.log(|| {
            let seconds = control.elapsed().as_secs_f64();
            let Game { outer_moves, universal_moves, .. } = self;
            format!("expansion {outer_moves:>9} outer moves {universal_moves:>9} universal moves {seconds:>7.2} s")
        });
    }

    fn report(&self, statistics: &mut Statistics) {
        statistics.add("expansion_outer_moves", self.outer_moves);
        statistics.add("expansion_universal_moves", self.universal_moves);
        statistics.add("expansion_outer_literals", self.outer.literals());
        statistics.add("expansion_universal_literals", self.universal.literals());
    }
}

/// Who owns which variable.
struct Roles {
    class: Vec<Class>,
    outer: Vec<Var>,
    universal: Vec<Var>,
}

impl Roles {
    fn new(matrix: &Matrix) -> Self {
        let innermost = matrix.quantifiers.len().saturating_sub(1) as u32;
        let mut roles = Roles { class: Vec::new(), outer: Vec::new(), universal: Vec::new() };
        for (index, &level) in matrix.level_of.iter().enumerate() {
            let (class, list) = match matrix.quantifiers.get(level as usize) {
                // What does not occur is nobody's business.
                None => (Class::Outer, None),
                Some(Quantifier::Forall) => (Class::Universal, Some(&mut roles.universal)),
                Some(Quantifier::Exists) if level == innermost && level > 0 => (Class::Inner, None),
                Some(Quantifier::Exists) => (Class::Outer, Some(&mut roles.outer)),
            };
            roles.class.push(class);
            list.into_iter().for_each(|list| list.push(Var::from_index(index)));
        }
        roles
    }
}
