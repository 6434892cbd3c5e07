//! QDIMACS 1.1, and plain DIMACS CNF, which is the case without a prefix. Grammar: `grammars/qdimacs.ebnf`.
//!
//! Comments `c name VARIABLE NAME` before the header name variables of the formula, so that names survive a translation.

use super::Syntax;
use super::error::{ReadError, WriteError};
use super::gamesat::is_name;
use super::lexer::Lexer;
use super::rows::{LITERAL, RowChecks, RowWriter, check_count, read_rows};
use gamesat_core::Problem;
use gamesat_core::formula::{Lit, Prefix, Qbf, Quantifier, Var, VarSet};
use std::io::Write;

const HEADER: &str = "the header 'p cnf VARIABLES CLAUSES'";

pub(super) struct Qdimacs;

impl Syntax for Qdimacs {
    fn name(&self) -> &'static str {
        "qdimacs"
    }

    /// Any `p` line that no other format knows: this one then explains what is wrong with it.
    fn recognises(&self, line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        words.next() == Some("p") && words.next().is_some_and(|word| word.starts_with(char::is_alphanumeric))
    }

    fn read(&self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        let mut names = Vec::new();
        lexer.preamble_with(HEADER, |line| names.extend(name(line)))?;
        if lexer.header_word()? != b"cnf" {
            return Err(lexer.unexpected_token("is an unknown header", HEADER));
        }
        let vars = lexer.header_number(Var::LIMIT as u64, "the number of variables")?;
        let clauses = lexer.header_number(i64::MAX as u64, "the number of clauses")?;
        lexer.expect_line_end()?;
        let mut reader = Reader { announced: vars as i32, prefix: Prefix::new(), bound: VarSet::new() };
        let beyond = reader.prefix(lexer)?;
        let matrix = read_rows(lexer, "clause", beyond, &mut reader)?;
        check_count(lexer, "clause", clauses, matrix.len())?;
        match Qbf::new(&reader.prefix, matrix) {
            Ok(mut qbf) => {
                // A comment is never an error: what is no name of a variable of this formula says nothing.
                if !names.is_empty() {
                    let own = variables(&qbf);
                    for (var, name) in names.into_iter().filter(|&(var, _)| own.contains(var)) {
                        qbf.names.insert(var, name);
                    }
                }
                Ok(Problem::Qbf(qbf.with_header(vars, clauses)))
            }
            Err(error) => Err(lexer.error(error.to_string(), "")),
        }
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Problem::Qbf(qbf) = problem else {
            return Err(WriteError::Unsupported(
                "QDIMACS holds quantified formulas in conjunctive normal form; this problem is not one".to_owned(),
            ));
        };
        let vars = qbf.num_vars().max(qbf.header().0);
        if !qbf.names.is_empty() {
            let own = variables(qbf);
            let fits = |(var, name): &(Var, &str)| own.contains(*var) && is_name(name.as_bytes());
            for (var, name) in qbf.names.iter().filter(fits) {
                writeln!(out, "c name {var} {name}")?;
            }
        }
        writeln!(out, "p cnf {vars} {}", qbf.matrix().len())?;
        let mut writer = RowWriter::new(out);
        for block in qbf.prefix().blocks() {
            writer.word(if block.quantifier == Quantifier::Exists { "e" } else { "a" });
            writer.row(block.vars.iter().map(|var| var.to_dimacs()))?;
        }
        for clause in qbf.matrix() {
            writer.row(clause.iter().map(|lit| lit.to_dimacs()))?;
        }
        writer.flush()
    }
}

/// The variables of a formula.
fn variables(qbf: &Qbf) -> VarSet {
    let mut own = VarSet::new();
    for &var in qbf.prefix().vars() {
        own.insert(var);
    }
    own
}

/// The variable and its name, if the comment is a line `c name VARIABLE NAME`.
fn name(line: &[u8]) -> Option<(Var, String)> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    if (words.next(), words.next()) != (Some("c"), Some("name")) {
        return None;
    }
    let number: i32 = words.next()?.parse().ok().filter(|&number| number > 0)?;
    let name = words.next().filter(|name| is_name(name.as_bytes()))?;
    words.next().is_none().then(|| (Var::from_dimacs(number), name.to_owned()))
}

/// The prefix as far as it is read.
struct Reader {
    /// Number of variables in the header.
    announced: i32,
    prefix: Prefix,
    bound: VarSet,
}

impl Reader {
    /// Reads the blocks up to the first byte of the first clause. Returns the bound beyond which a variable is worth a
    /// warning: the header's, or none if there was one already.
    fn prefix(&mut self, lexer: &mut Lexer<'_>) -> Result<i32, ReadError> {
        let mut beyond = self.announced;
        while let Some(first @ (b'a' | b'e')) = lexer.next_row()? {
            if lexer.word()?.len() != 1 {
                return Err(lexer.unexpected_token("is not a number", "a quantifier (a, e) or a literal"));
            }
            let quantifier = if first == b'e' { Quantifier::Exists } else { Quantifier::Forall };
            let last = self.prefix.blocks().next_back().map(|block| block.quantifier);
            if last == Some(quantifier) {
                lexer.tolerate("this block has the same quantifier as the one before")?;
            }
            let mut block = Vec::new();
            loop {
                if lexer.next_in_row()?.is_none() {
                    return Err(lexer.unfinished("quantifier block"));
                }
                let number = lexer.literal("a variable or 0")?;
                if number == 0 {
                    break;
                }
                if number < 0 {
                    return Err(lexer.unexpected_token("is negative", "a variable or 0"));
                }
                let var = Var::from_dimacs(number);
                if !self.bound.insert(var) {
                    return Err(lexer.error(format!("variable {number} is quantified twice"), ""));
                }
                if number > beyond {
                    beyond = self.beyond(lexer, var)?;
                }
                block.push(var);
            }
            if block.is_empty() {
                lexer.tolerate("an empty quantifier block")?;
            }
            self.prefix.push_block(quantifier, block);
        }
        if self.prefix.blocks().next_back().is_some_and(|block| block.quantifier == Quantifier::Forall) {
            lexer.tolerate("the innermost block is universal")?;
        }
        Ok(beyond)
    }
}

impl RowChecks for Reader {
    fn beyond(&mut self, lexer: &mut Lexer<'_>, var: Var) -> Result<i32, ReadError> {
        lexer.warn(format!(
            "wrong number of variables in the header: {} announced, but here is {var}",
            self.announced
        ))?;
        Ok(i32::MAX)
    }

    fn strict(&mut self, lexer: &mut Lexer<'_>, lit: Lit) -> Result<(), ReadError> {
        if !self.prefix.is_empty() && !self.bound.contains(lit.var()) {
            return Err(lexer.error(format!("variable {} is not quantified", lit.var()), ""));
        }
        Ok(())
    }

    fn other(&mut self, lexer: &mut Lexer<'_>) -> Result<bool, ReadError> {
        match lexer.word()? {
            b"a" | b"e" => Err(lexer.error("a quantifier block after the first clause", LITERAL)),
            b"p" => Err(lexer.error("a second header", LITERAL)),
            b"%" => {
                // The old SATLIB files end in a line '%' and a line '0'.
                lexer.warn("'%' ends the file".to_owned())?;
                if lexer.next_row()? == Some(b'0') && lexer.literal("0")? != 0 || lexer.next_row()?.is_some() {
                    return Err(lexer.unexpected("follows after '%'", "the end of the file"));
                }
                Ok(true)
            }
            _ => Err(lexer.unexpected_token("is not a number", LITERAL)),
        }
    }
}
