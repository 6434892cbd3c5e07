//! What the moves and answers of a finished search say about the winner's functions.
//!
//! **True**: the outer move is fixed, and against it every universal move is answered by one of the answers seen. An answer
//! *serves* a move if all clauses hold when the innermost definitions are filled in; the free innermost variables follow the
//! first answer that serves, and the defined ones follow their definitions. A SAT solver tells which answers are enough.
//!
//! **False**: every outer move that satisfies the clauses about it contains one of the parts that were found to fail against
//! some universal move; the first such part says which. Copies of the matrix rule out outer moves without naming such a
//! part: then it is their [refutation](super::super::interpolate) that says which, or the outer player must have been
//! [left without them](super).

use super::super::definitions::{Class, Definitions};
use super::super::interpolate::Refuting;
use super::super::matrix::Matrix;
use super::super::signals::Signals;
use super::instance::Instance;
use super::universal::Universal;
use super::{Expansion, Roles};
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Var};

/// What was found on the way, for functions.
#[derive(Default)]
pub(super) struct Record {
    /// Values of the free innermost variables.
    pub(super) answers: Vec<Vec<Lit>>,
    /// Parts of outer moves, and the universal moves against which they fail.
    pub(super) refuted: Vec<(Vec<Lit>, Vec<Lit>)>,
}

impl Refuting {
    /// A part of outer moves, and the universal move against which it fails.
    pub(super) fn of_part((part, plays): &(Vec<Lit>, Vec<Lit>)) -> Self {
        Refuting { plays: plays.clone(), clause: part.iter().map(|&lit| !lit).collect(), copy: true }
    }
}

/// The universal player's functions.
pub(super) fn herbrand(matrix: &Matrix, record: &Record) -> Aig {
    let mut signals = Signals::new(matrix, false);
    let conditions: Vec<Lit> = record
        .refuted
        .iter()
        .map(|(part, _)| {
            let mut lits: Vec<Lit> = part.iter().map(|&lit| signals.get(lit)).collect();
            signals.all(&mut lits)
        })
        .collect();
    let moves = |at: usize| record.refuted[at].1.iter();
    let Some(last) = record.refuted.len().checked_sub(1) else {
        // No move of the outer player satisfies its own clauses.
        return signals.finish_false(matrix);
    };
    // One of the parts is there, so that the last needs no condition.
    for (place, lit) in moves(last).enumerate() {
        let mut function = value(*lit);
        for at in (0..last).rev() {
            function = signals.aig.select(conditions[at], value(record.refuted[at].1[place]), function);
        }
        signals.set(lit.var(), function);
    }
    signals.finish_false(matrix)
}

fn value(lit: Lit) -> Lit {
    if lit.is_positive() { Aig::TRUE } else { Aig::FALSE }
}

/// The existential player's functions, given its outer move.
pub(super) fn skolem(
    engine: &Expansion,
    matrix: &Matrix,
    definitions: &Definitions,
    outer_move: &[Lit],
    record: &Record,
    control: &Control,
) -> Result<Aig, StopReason> {
    let mut signals = Signals::new(matrix, true);
    outer_move.iter().for_each(|lit| signals.set(lit.var(), value(*lit)));
    let outer = |var: &&Var| definitions.class[var.index()] != Class::Inner;
    for &var in definitions.order.iter().filter(outer) {
        define(&mut signals, matrix, definitions, var);
    }
    let enough = enough(engine, matrix, definitions, outer_move, record, control)?;
    let mut poller = control.poller();
    let mut serving = Vec::with_capacity(enough.len());
    // The last that is left must serve.
    for &at in enough.iter().take(enough.len().saturating_sub(1)) {
        poller.poll(at as u64)?;
        record.answers[at].iter().for_each(|lit| signals.set(lit.var(), value(*lit)));
        for &var in definitions.order.iter().filter(|&var| !outer(&var)) {
            define(&mut signals, matrix, definitions, var);
        }
        let mut holds = Vec::new();
        for (_, clause) in asserted(matrix, definitions) {
            let mut lits: Vec<Lit> = clause.iter().map(|&lit| signals.get(!lit)).collect();
            holds.push(!signals.all(&mut lits));
        }
        let serves = signals.all(&mut holds);
        serving.push(serves);
    }
    if let Some((&last, others)) = enough.split_last() {
        for (place, lit) in record.answers[last].iter().enumerate() {
            let mut function = value(*lit);
            for (&at, &serves) in others.iter().zip(&serving).rev() {
                function = signals.aig.select(serves, value(record.answers[at][place]), function);
            }
            signals.set(lit.var(), function);
        }
    }
    for &var in definitions.order.iter().filter(|&var| !outer(&var)) {
        define(&mut signals, matrix, definitions, var);
    }
    Ok(signals.finish(matrix))
}

/// Clauses that are no definitions and not about the outer block alone.
fn asserted<'a>(matrix: &'a Matrix, definitions: &'a Definitions) -> impl Iterator<Item = (usize, &'a [Lit])> {
    let inner = |lit: &Lit| definitions.class[lit.var().index()] != Class::Outer;
    matrix
        .clauses
        .iter()
        .enumerate()
        .filter(move |(index, clause)| !definitions.is_defining[*index] && clause.iter().any(inner))
}

/// Gives a defined variable its function: true if one of its clauses needs it.
fn define(signals: &mut Signals, matrix: &Matrix, definitions: &Definitions, var: Var) {
    let mut function = Aig::FALSE;
    for &clause in &definitions.defining[var.index()] {
        let clause = &matrix.clauses[clause as usize];
        if clause.contains(&var.positive()) {
            let others = clause.iter().filter(|lit| lit.var() != var);
            let mut falsified: Vec<Lit> = others.map(|&lit| signals.get(!lit)).collect();
            let needed = signals.all(&mut falsified);
            function = signals.aig.or(function, needed);
        }
    }
    signals.set(var, function);
}

/// Answers that together serve every universal move against the outer one, by their numbers.
fn enough(
    engine: &Expansion,
    matrix: &Matrix,
    definitions: &Definitions,
    outer_move: &[Lit],
    record: &Record,
    control: &Control,
) -> Result<Vec<usize>, StopReason> {
    let mut universal = Universal::new(engine.backend, &matrix.clauses, definitions);
    let mut instance = Instance::new(&matrix.clauses, definitions.class.len());
    // The latest ones were made for this move, so they are assumed first.
    let mut left: Vec<(usize, Lit)> = Vec::with_capacity(record.answers.len());
    for (at, answer) in record.answers.iter().enumerate().rev() {
        let counts = universal.new_switch();
        universal.refute(answer, Some(counts), &matrix.clauses, &mut instance, definitions);
        left.push((at, counts));
    }
    let switches: Vec<Lit> = left.iter().map(|&(_, counts)| counts).collect();
    if !universal.find_with(outer_move, &switches, control)? {
        let failed = universal.failed().to_vec();
        left.retain(|(_, counts)| failed.contains(counts));
    }
    Ok(left.into_iter().map(|(at, _)| at).collect())
}

impl Roles {
    /// The literals of a move that belong to the outer player.
    pub(super) fn outer_part(&self, lits: &[Lit]) -> Vec<Lit> {
        lits.iter().copied().filter(|lit| self.class[lit.var().index()] == Class::Outer).collect()
    }
}
