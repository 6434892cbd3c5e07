//! Infix formulas: `forall x exists y: x == y`, or a game `(a == (b | c)) & (d | e)`. Grammar: `grammars/infix.ebnf`.
//!
//! Reading is operator precedence with two explicit stacks, one of pending operators (a byte each) and one of operands,
//! so a million parentheses are a megabyte and not a stack overflow. Writing walks the circuit with a stack of its own.
//! Negation is a literal's sign, an implication is a disjunction and an equivalence a negated exclusive or; operators of
//! one kind on one level become one gate. The writer prints exactly those shapes, so reading them again gives the same
//! circuit.
//!
//! What a game is beside its formula stands before a colon, where a quantified formula has its prefix:
//! `elements a b c; stars 2; turn min; rule own; played a !c: a & b | c`. A text begins with such a setting only if two
//! words follow each other, which no formula does: so `turn & rule` is still a formula. The writer says what does not
//! go without saying, so that a game read again has the same elements under the same numbers. A name that is no
//! identifier stands between quotation marks.

mod reader;
mod tokens;
mod writer;

use super::Syntax;
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use gamesat_core::Problem;
use reader::Reader;
use std::io::Write;

pub(super) struct Infix;

impl Syntax for Infix {
    fn name(&self) -> &'static str {
        "infix"
    }

    /// Never: it is what remains when nothing else recognises the text.
    fn recognises(&self, _: &str) -> bool {
        false
    }

    fn read(&self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        Reader::new(lexer).read()
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        writer::write(problem, out)
    }
}
