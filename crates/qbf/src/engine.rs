//! The seam between a formula and those who decide it: one matrix goes in, one kind of answer comes out.
//!
//! A new engine is one folder, one type that implements [`QbfEngine`], and one entry in the list that is handed to the
//! [pipeline](super::pipeline).

use super::abstraction::Book;
use super::exchange::Exchange;
use super::matrix::Matrix;
use super::signals::Signals;
use super::simplify::Reconstruction;
use crate::options::Functions;
use gamesat_core::control::{Control, StopReason};
use gamesat_core::formula::{Aig, Lit, Qbf, Quantifier, Var};
use gamesat_core::statistics::Statistics;
use std::sync::Arc;

/// What is wanted beside the verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wish {
    /// Values of the outermost block that show the verdict.
    pub outer_model: bool,
    /// The winner's functions; with [`Functions::Skolem`] Herbrand functions may get lost if that is quicker.
    pub functions: Functions,
    /// Whether an answer without these functions is worth nothing, because the verdict is known.
    pub insists: bool,
    /// Whether Herbrand functions are worth nothing if they are large, because a refutation will do.
    pub small: bool,
    /// Whether Herbrand functions are worth nothing at all, because they could not be carried back.
    pub one_sided: bool,
}

impl Wish {
    /// Whether an answer is what is wished for.
    pub(super) fn is_granted_by(self, answer: &Answer) -> bool {
        !self.insists || answer.functions.is_ok()
    }

    /// The same without functions, unless they are insisted on.
    pub(super) fn verdict_only(self) -> Option<Self> {
        (!self.insists).then_some(Wish { functions: Functions::None, ..self })
    }

    /// What is wished of a form of the formula. Herbrand functions are worth some effort if they can be carried back and there are
    /// so few blocks that nobody has to search without copies for them.
    pub(super) fn of(self, keeps_herbrand: bool, matrix: &Matrix) -> Self {
        let both = self.functions == Functions::Skolem && keeps_herbrand && matrix.quantifiers().len() <= 3;
        Wish { functions: if both { Functions::Both } else { self.functions }, one_sided: !keeps_herbrand, ..self }
    }
}

/// A verdict and what shows it, in the variables of the formula that the matrix was made of.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether the formula is true.
    pub verdict: bool,
    /// Values of the outermost block that show it: existential if true, universal if false; empty if the block belongs to
    /// the loser.
    pub outer_model: Vec<Lit>,
    /// The winner's functions, or why there are none.
    pub functions: Result<Aig, Missing>,
    /// Universal moves that were met on the way to a formula's being false, in the hope that nobody survives all of them. What a play
    /// does not mention does not matter.
    pub plays: Vec<Vec<Lit>>,
    /// Rules by which the existential player wins, about the matrix that was solved, if functions were wanted and the one who found the formula
    /// true has such rules.
    pub(super) book: Option<Arc<Book>>,
}

impl Answer {
    /// An answer without plays and rules.
    pub(super) fn new(verdict: bool, outer_model: Vec<Lit>, functions: Result<Aig, Missing>) -> Self {
        Answer { verdict, outer_model, functions, plays: Vec::new(), book: None }
    }

    /// Makes functions that were deferred, about the matrix that was solved.
    pub(super) fn make_deferred(&mut self, matrix: &Matrix) {
        if let (Err(Missing::Deferred), Some(book)) = (&self.functions, &self.book) {
            self.functions = Ok(book.functions(matrix));
        }
    }

    /// The answer to a formula of which values that never change show the verdict.
    pub(super) fn of_constants(matrix: &Matrix, verdict: bool, values: &[bool], wish: Wish) -> Self {
        let functions = match wish.functions {
            Functions::None => Err(Missing::Unwanted),
            _ => Ok(Signals::constant(matrix, verdict, values)),
        };
        let outer_model = if wish.outer_model { matrix.outer_model(verdict, values) } else { Vec::new() };
        let universal = |(quantifier, _): &(Quantifier, Var)| *quantifier == Quantifier::Forall;
        let pairs = matrix.original.iter().zip(values).filter(|(variable, _)| !verdict && universal(variable));
        let play: Vec<Lit> = pairs.map(|(&(_, var), &value)| var.lit(value)).collect();
        let plays = if verdict { Vec::new() } else { vec![play] };
        Answer { plays, ..Answer::new(verdict, outer_model, functions) }
    }
}

/// Why something that shows a verdict is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Nobody asked for it.
    Unwanted,
    /// It has not been made yet, since steps may be as good and there are many rules in the answer's book, of which it can be made.
    Deferred,
    /// It got lost on the way that was taken; a more careful run may find it.
    Lost,
    /// Time or memory did not suffice for it.
    Stopped(StopReason),
}

/// A way to decide quantified formulas.
pub trait QbfEngine: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Whether it decides this formula and can give what is wished for.
    fn answers(&self, matrix: &Matrix, wish: Wish) -> bool;

    /// Decides a formula. What was counted is added to the statistics, whether or not an answer was found.
    ///
    /// # Errors
    /// The reason to stop before the answer was known.
    fn solve(
        &self,
        matrix: &Matrix,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason>;

    /// Decides a formula while others do the same, and hears what they say. Whoever has no use for that works alone.
    ///
    /// # Errors
    /// The reason to stop before the answer was known.
    fn solve_among(
        &self,
        matrix: &Matrix,
        wish: Wish,
        _exchange: &Exchange,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Answer, StopReason> {
        self.solve(matrix, wish, control, statistics)
    }

    /// Decides a formula of which there are other forms, from before some of what was done to it. Whoever has no use for them
    /// takes the last. If the answer is about another one, that comes with it.
    ///
    /// # Errors
    /// The reason to stop before the answer was known.
    fn solve_either(
        &self,
        matrix: &Matrix,
        _forms: &Forms<'_>,
        wish: Wish,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<(Answer, Option<Arc<Form>>), StopReason> {
        Ok((self.solve(matrix, wish, control, statistics)?, None))
    }

    /// Is shown the gentler form before the other one exists, and may try its luck. `None` if it does not decide the formula at
    /// once.
    fn try_gentler(
        &self,
        _gentler: &Gentler<'_>,
        _wish: Wish,
        _control: &Control,
        _statistics: &mut Statistics,
    ) -> Option<(Answer, Form)> {
        None
    }

    /// Is shown the formula before anything is done to it, and may try its luck. `None` if it does not decide the formula at once.
    fn try_first(&self, _qbf: &Qbf, _wish: Wish, _control: &Control, _statistics: &mut Statistics) -> Option<Answer> {
        None
    }
}

/// A form of a formula, and the way back from it to the original.
#[derive(Debug)]
pub struct Form {
    /// The form.
    pub matrix: Matrix,
    /// The way back.
    pub reconstruction: Reconstruction,
}

/// Makes the gentler form of a formula, or says why it stopped.
pub type Make<'a> = dyn Fn(&Control) -> Result<Form, StopReason> + Sync + 'a;

/// Other forms of a simplified formula.
pub struct Forms<'a> {
    /// The formula as it was given.
    pub original: &'a Qbf,
    /// The formula before what dissolves definitions, if something did.
    pub gentler: Option<Gentler<'a>>,
}

impl Forms<'_> {
    /// The formula as it was given, with no way to go back.
    pub(super) fn original(&self) -> Form {
        Form { matrix: Matrix::new(self.original), reconstruction: Reconstruction::new(self.original) }
    }
}

/// The same formula before what dissolves definitions.
pub struct Gentler<'a> {
    /// Blocks in which variables occur.
    pub blocks: usize,
    /// Variables that occur.
    pub variables: usize,
    /// Its size.
    pub literals: usize,
    /// Makes it.
    pub make: Box<Make<'a>>,
}

/// When a line about the search is due: at powers of two of what it counts, and once a second.
#[derive(Debug, Default)]
pub(super) struct Pace {
    seconds: u64,
}

impl Pace {
    /// The first count that is worth a line.
    const FIRST: u64 = 1 << 10;
    /// Counts between two looks at the clock.
    const PERIOD: u64 = 1 << 8;

    pub(super) fn is_due(&mut self, count: u64, control: &Control) -> bool {
        if !count.is_multiple_of(Self::PERIOD) {
            return false;
        }
        let seconds = control.elapsed().as_secs();
        if (count >= Self::FIRST && count.is_power_of_two()) || seconds > self.seconds {
            self.seconds = seconds;
            return true;
        }
        false
    }
}
