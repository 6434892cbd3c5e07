//! QCIR-14 and QCIR-G14: prenex quantified circuits. Grammar: `grammars/qcir.ebnf`.
//!
//! The format is from the QBF Gallery 2014 (Jordan, Klieber, Seidl: *Non-CNF QBF solving with QCIR*, 2016). G14 adds
//! names, `xor`, `ite` and `free` to QCIR-14; both are read alike unless strictness asks for the difference. Quantifiers
//! inside gates are refused. Gates are defined before they are used, so one pass builds the circuit.

use super::Syntax;
use super::error::{ReadError, WriteError};
use super::labels::{FreeNames, Labels};
use super::lexer::{Class, Lexer, MAX_WORD, alphanumeric_and, shortened};
use gamesat_core::Problem;
use gamesat_core::formula::{
    Circuit, CircuitBuilder, GateKind, Lit, Names, Prefix, Qbf, QuantifiedCircuit, Quantifier, Var,
};
use std::io::Write;

const HEADER: &str = "the header '#QCIR-14' or '#QCIR-G14'";
const STATEMENT: &str = "free(…), exists(…), forall(…), output(…) or a gate 'name = and(…)'";
const LITERAL: &str = "a name or '-' and a name";

/// What names and keywords are made of.
static NAME: Class = alphanumeric_and(b"_");

pub(super) struct Qcir;

impl Syntax for Qcir {
    fn name(&self) -> &'static str {
        "qcir"
    }

    /// In any case: the reader then says how it is written.
    fn recognises(&self, line: &str) -> bool {
        line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("#QCIR"))
    }

    fn read(&self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        let plain = read_header(lexer)?;
        let mut reader = Reader {
            plain,
            names: Names::new(),
            prefix: Prefix::new(),
            quantified: false,
            inputs: 0,
            circuit: None,
            size: 0,
            output: None,
            name: Vec::new(),
            scratch: Vec::new(),
            free: FreeNames::default(),
            lexer,
        };
        while reader.statement()? {}
        reader.finish()
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        match problem {
            Problem::Circuit(circuit) => write_circuit(circuit, out),
            Problem::Qbf(qbf) => write_qbf(qbf, out),
            _ => Err(WriteError::Unsupported(
                "QCIR holds quantified formulas; a game has no prefix (encode it as a QBF first)".to_owned(),
            )),
        }
    }
}

// ---- reading ----

/// Reads the header and says whether it announces plain QCIR-14. The number behind it is a hint for allocation.
fn read_header(lexer: &mut Lexer<'_>) -> Result<bool, ReadError> {
    loop {
        if lexer.strict {
            lexer.skip_blanks()?
        } else {
            lexer.skip_space()?
        }
        match lexer.peek()? {
            // A comment may stand before the header; anything that looks like a header may not.
            Some(b'#') if !looks_like_header(lexer.word()?) => lexer.skip_line()?,
            Some(b'#') => break,
            _ => return Err(lexer.unexpected("is not a header", HEADER)),
        }
        lexer.line_end()?;
    }
    let plain = match lexer.token() {
        b"#QCIR-14" => true,
        b"#QCIR-G14" => false,
        _ => return Err(lexer.unexpected_token("is an unknown header", HEADER)),
    };
    lexer.skip_blanks()?;
    if !matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
        lexer.number(u64::MAX - 1, "a number or the end of the line")?;
    }
    lexer.expect_line_end()?;
    Ok(plain)
}

/// Whether a word begins like the header, in any case.
fn looks_like_header(word: &[u8]) -> bool {
    word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"#QCIR"))
}

struct Reader<'r, 's> {
    lexer: &'r mut Lexer<'s>,
    /// The header says QCIR-14, not QCIR-G14.
    plain: bool,
    names: Names,
    prefix: Prefix,
    /// There was a block.
    quantified: bool,
    inputs: usize,
    /// Begun when the prefix is complete.
    circuit: Option<CircuitBuilder>,
    /// Inputs, gates and operands so far.
    size: usize,
    /// The output's name and sign, and the error to give if it is never defined.
    output: Option<(String, bool, ReadError)>,
    /// The name and the operands of the current gate.
    name: Vec<u8>,
    scratch: Vec<Lit>,
    free: FreeNames,
}

impl Reader<'_, '_> {
    /// Reads one statement; false at the end of the input.
    fn statement(&mut self) -> Result<bool, ReadError> {
        if !self.next_statement()? {
            return Ok(false);
        }
        if self.name()?.is_empty() {
            return Err(self.unexpected(STATEMENT));
        }
        // What the word is shows behind it; an error should still point at it.
        let mut ahead = 0;
        while matches!(self.lexer.peek_at(ahead)?, Some(b' ' | b'\t')) && ahead < MAX_WORD {
            ahead += 1;
        }
        match self.lexer.peek_at(ahead)? {
            Some(b'=') => {
                self.gate()?;
                return Ok(true);
            }
            Some(b'(') => {}
            _ => {
                self.gap()?;
                return Err(self.unexpected("'(' or '='"));
            }
        }
        match self.text().to_ascii_lowercase().as_str() {
            "free" => {
                if self.quantified {
                    return Err(self.lexer.error("free variables after a quantifier block", STATEMENT));
                }
                self.extension("free variables")?;
                self.block(None)?;
            }
            "exists" => self.block(Some(Quantifier::Exists))?,
            "forall" => self.block(Some(Quantifier::Forall))?,
            "output" => self.output()?,
            _ => return Err(self.lexer.unexpected_token("is not a statement", STATEMENT)),
        }
        Ok(true)
    }

    /// Moves to the first byte of the next statement, over comments; false at the end.
    fn next_statement(&mut self) -> Result<bool, ReadError> {
        if self.lexer.strict {
            self.lexer.expect_line_end()?;
            self.lexer.line_end()?;
            loop {
                self.lexer.skip_blanks()?;
                match self.lexer.peek()? {
                    Some(b'#') => {
                        self.lexer.skip_line()?;
                        self.lexer.line_end()?;
                    }
                    Some(b'\n' | b'\r') => return Err(self.lexer.error("a blank line", "")),
                    byte => return Ok(byte.is_some()),
                }
            }
        }
        self.gap()?;
        Ok(self.lexer.peek()?.is_some())
    }

    /// Moves to the next token of a statement. By default over line ends and comments, too.
    #[inline]
    fn gap(&mut self) -> Result<(), ReadError> {
        loop {
            if self.lexer.strict {
                self.lexer.skip_blanks()?
            } else {
                self.lexer.skip_space()?
            }
            match self.lexer.peek()? {
                Some(b'#') if !self.lexer.strict => self.lexer.skip_line()?,
                _ => return Ok(()),
            }
        }
    }

    /// Steps over a name and makes it the current token; empty if there is none.
    #[inline]
    fn name(&mut self) -> Result<&[u8], ReadError> {
        self.lexer.mark();
        self.lexer.skip_class(&NAME)?;
        if self.lexer.token().len() > MAX_WORD {
            return Err(self.lexer.unexpected_token("is too long a name", ""));
        }
        Ok(self.lexer.token())
    }

    /// The current token as text; names are ASCII.
    fn text(&self) -> String {
        String::from_utf8_lossy(self.lexer.token()).into_owned()
    }

    /// Steps over a character that must stand here.
    fn expect(&mut self, character: u8, expected: &str) -> Result<(), ReadError> {
        self.gap()?;
        if self.lexer.peek()? != Some(character) {
            return Err(self.unexpected(expected));
        }
        self.lexer.advance(1);
        Ok(())
    }

    /// An error about the next character.
    fn unexpected(&mut self, expected: &str) -> ReadError {
        self.lexer.mark();
        match self.lexer.peek() {
            Err(error) => return error,
            Ok(None | Some(b'\n' | b'\r')) => {}
            Ok(Some(_)) => match self.lexer.character() {
                Err(error) => return error,
                Ok(character) => self.lexer.advance(character.len_utf8()),
            },
        }
        self.lexer.unexpected_token("cannot stand here", expected)
    }

    /// Judges something that QCIR-G14 has and QCIR-14 has not.
    fn extension(&mut self, what: &str) -> Result<(), ReadError> {
        if !self.plain { Ok(()) } else { self.lexer.tolerate(&format!("{what} need the header '#QCIR-G14'")) }
    }

    /// Judges a name that is defined here: in QCIR-14 names are numbers.
    fn definition(&mut self) -> Result<(), ReadError> {
        if self.lexer.token().iter().all(u8::is_ascii_digit) { Ok(()) } else { self.extension("names") }
    }

    /// Reads `(a, b, …)`, handing each item to `item` with the lexer in front of it. The list may be empty.
    #[inline]
    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Result<(), ReadError>) -> Result<(), ReadError> {
        self.expect(b'(', "'('")?;
        self.gap()?;
        if self.lexer.peek()? == Some(b')') {
            self.lexer.advance(1);
            return Ok(());
        }
        loop {
            self.gap()?;
            item(self)?;
            self.gap()?;
            match self.lexer.peek()? {
                Some(b',') => self.lexer.advance(1),
                Some(b')') => {
                    self.lexer.advance(1);
                    return Ok(());
                }
                _ => return Err(self.unexpected("',' or ')'")),
            }
        }
    }

    /// Reads the variables of a block, or free ones.
    fn block(&mut self, quantifier: Option<Quantifier>) -> Result<(), ReadError> {
        if self.circuit.is_some() {
            return Err(self.lexer.error("a quantifier block after the output or a gate", "a gate"));
        }
        let last = self.prefix.blocks().next_back().map(|block| block.quantifier);
        if last.is_some() && last == quantifier {
            self.lexer.tolerate("this block has the same quantifier as the one before")?;
        }
        self.quantified |= quantifier.is_some();
        let before = self.inputs;
        self.list(|reader| {
            if reader.name()?.is_empty() {
                return Err(reader.unexpected("a variable"));
            }
            reader.definition()?;
            let var = Var::from_index(reader.inputs);
            let name = reader.text();
            if !reader.names.insert(var, &name) {
                let message = format!("variable '{}' is quantified twice", shortened(name.as_bytes()));
                return Err(reader.lexer.error(message, ""));
            }
            reader.inputs += 1;
            reader.grow(1)?;
            match quantifier {
                Some(quantifier) => reader.prefix.push_var(quantifier, var),
                None => reader.free.add(&name),
            }
            Ok(())
        })?;
        if self.inputs == before {
            self.lexer.tolerate("an empty quantifier block")?;
        }
        if let Some(message) = std::mem::take(&mut self.free).message() {
            self.lexer.note(message);
        }
        Ok(())
    }

    /// Counts what the circuit is made of.
    fn grow(&mut self, by: usize) -> Result<(), ReadError> {
        self.size += by;
        if self.size >= Var::LIMIT { Err(self.lexer.error("the circuit is too large", "")) } else { Ok(()) }
    }

    /// The circuit, which begins when the prefix is complete.
    fn circuit(&mut self) -> &mut CircuitBuilder {
        self.circuit.get_or_insert_with(|| CircuitBuilder::new(self.inputs))
    }

    /// Reads the sign of a literal and its name.
    #[inline]
    fn literal(&mut self) -> Result<bool, ReadError> {
        let negative = self.lexer.peek()? == Some(b'-');
        self.lexer.advance(usize::from(negative));
        if self.name()?.is_empty() { Err(self.unexpected(LITERAL)) } else { Ok(negative) }
    }

    fn output(&mut self) -> Result<(), ReadError> {
        if self.output.is_some() {
            return Err(self.lexer.error("a second output", "a gate"));
        }
        if self.circuit().gates() > 0 {
            self.lexer.tolerate("the output stands after a gate")?;
        }
        self.expect(b'(', "'('")?;
        self.gap()?;
        let negative = self.literal()?;
        let name = self.text();
        let message = format!("output '{}' is not defined", shortened(name.as_bytes()));
        let undefined = self.lexer.error(message, "a variable or a gate");
        self.output = Some((name, negative, undefined));
        self.expect(b')', "')'")
    }

    /// Reads a gate whose name is the current token.
    fn gate(&mut self) -> Result<(), ReadError> {
        self.definition()?;
        let var = {
            let inputs = self.inputs;
            Var::from_index(inputs + self.circuit().gates())
        };
        if self.names.find_bytes(self.lexer.token()).is_some() {
            return Err(self.lexer.unexpected_token("is defined twice", ""));
        }
        self.name.clear();
        self.name.extend_from_slice(self.lexer.token());
        self.expect(b'=', "'='")?;
        self.gap()?;
        let kind = {
            let word = self.name()?;
            let is = |keyword: &[u8]| word.eq_ignore_ascii_case(keyword);
            match word {
                _ if is(b"and") => GateKind::And,
                _ if is(b"or") => GateKind::Or,
                _ if is(b"xor") => GateKind::Xor,
                _ if is(b"ite") => GateKind::Ite,
                [] => return Err(self.unexpected("and, or, xor or ite")),
                _ => {
                    let quantifier = is(b"exists") || is(b"forall");
                    let prenex = "inside a gate is not supported (put the formula into prenex form)";
                    let what = if quantifier { prenex } else { "is not a gate" };
                    return Err(self.lexer.unexpected_token(what, "and, or, xor or ite"));
                }
            }
        };
        let arity = match kind {
            GateKind::Xor => 2,
            GateKind::Ite => 3,
            _ => usize::MAX,
        };
        if arity != usize::MAX {
            self.extension("xor and ite")?;
        }
        self.scratch.clear();
        self.list(|reader| {
            let negative = reader.literal()?;
            let Some(operand) = reader.names.find_bytes(reader.lexer.token()) else {
                return Err(reader
                    .lexer
                    .unexpected_token("is used before it is defined", "a variable or an earlier gate"));
            };
            if reader.scratch.len() == arity {
                return Err(reader.lexer.error("too many operands", format!("{arity}")));
            }
            reader.grow(1)?;
            reader.scratch.push(operand.lit(!negative));
            Ok(())
        })?;
        if arity != usize::MAX && self.scratch.len() < arity {
            self.lexer.mark();
            return Err(self.lexer.error("too few operands", format!("{arity}")));
        }
        self.grow(1)?;
        // Names are ASCII, so this cannot fail.
        self.names.insert(var, std::str::from_utf8(&self.name).unwrap_or_default());
        let operands = std::mem::take(&mut self.scratch);
        self.circuit().gate(kind, &operands);
        self.scratch = operands;
        Ok(())
    }

    fn finish(mut self) -> Result<Problem, ReadError> {
        let Some((name, negative, undefined)) = self.output.take() else {
            self.lexer.mark_end();
            return Err(self.lexer.error("there is no output", "output(…)"));
        };
        let Some(var) = self.names.find(&name) else { return Err(undefined) };
        let circuit = self.circuit.take().unwrap_or_else(|| CircuitBuilder::new(self.inputs));
        let circuit = circuit.finish(var.lit(!negative));
        let problem = QuantifiedCircuit::new(&self.prefix, circuit, self.names);
        problem.map(Problem::Circuit).map_err(|error| self.lexer.error(error.to_string(), ""))
    }
}

// ---- writing ----

/// Whether a name can be written as it is.
fn is_name(name: &str) -> bool {
    (1..=MAX_WORD).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn write_head(
    prefix: &Prefix,
    labels: &Labels<'_>,
    size: usize,
    output: &str,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    writeln!(out, "#QCIR-G14 {size}")?;
    for block in prefix.blocks() {
        write!(out, "{}(", if block.quantifier == Quantifier::Exists { "exists" } else { "forall" })?;
        for (index, &var) in block.vars.iter().enumerate() {
            write!(out, "{}{}", if index == 0 { "" } else { ", " }, labels.get(var))?;
        }
        writeln!(out, ")")?;
    }
    writeln!(out, "output({output})")?;
    Ok(())
}

fn write_literal(lit: Lit, labels: &Labels<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    write!(out, "{}{}", if lit.is_negative() { "-" } else { "" }, labels.get(lit.var()))?;
    Ok(())
}

fn write_gate(
    name: &str,
    kind: &str,
    operands: impl IntoIterator<Item = Lit>,
    labels: &Labels<'_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    write!(out, "{name} = {kind}(")?;
    for (index, lit) in operands.into_iter().enumerate() {
        write!(out, "{}", if index == 0 { "" } else { ", " })?;
        write_literal(lit, labels, out)?;
    }
    writeln!(out, ")")?;
    Ok(())
}

fn write_circuit(quantified: &QuantifiedCircuit, out: &mut dyn Write) -> Result<(), WriteError> {
    let circuit: &Circuit = quantified.circuit();
    let labels = Labels::new(&quantified.names, is_name, "");
    let size = circuit.inputs() + circuit.num_gates();
    let sign = if circuit.output().is_negative() { "-" } else { "" };
    let output = format!("{sign}{}", labels.get(circuit.output().var()));
    // A parity of more than two operands takes auxiliary gates, numbered behind all others.
    let long = circuit.gates().filter(|gate| gate.kind == GateKind::Xor);
    let auxiliaries: usize = long.map(|gate| gate.operands.len().saturating_sub(2)).sum();
    write_head(quantified.prefix(), &labels, size + auxiliaries, &output, out)?;
    let mut auxiliary = size;
    for (index, gate) in circuit.gates().enumerate() {
        let name = labels.get(Var::from_index(circuit.inputs() + index));
        let operands = gate.operands.iter().copied();
        match (gate.kind, gate.operands) {
            (GateKind::And, _) => write_gate(&name, "and", operands, &labels, out)?,
            (GateKind::Or, _) | (GateKind::Xor, []) => write_gate(&name, "or", operands, &labels, out)?,
            (GateKind::Ite, _) => write_gate(&name, "ite", operands, &labels, out)?,
            (GateKind::Xor, [_]) => write_gate(&name, "and", operands, &labels, out)?,
            (GateKind::Xor, &[mut left, ref middle @ .., last]) => {
                for &right in middle {
                    let sum = Var::from_index(auxiliary);
                    write_gate(&labels.get(sum), "xor", [left, right], &labels, out)?;
                    left = sum.positive();
                    auxiliary += 1;
                }
                write_gate(&name, "xor", [left, last], &labels, out)?;
            }
        }
    }
    Ok(())
}

/// A QBF as a conjunction of disjunctions. Its gates are numbered behind all variables.
fn write_qbf(qbf: &Qbf, out: &mut dyn Write) -> Result<(), WriteError> {
    let labels = Labels::new(&qbf.names, is_name, "");
    let bound = qbf.num_vars();
    let last = bound + qbf.matrix().len();
    if last >= Var::LIMIT {
        return Err(WriteError::Unsupported(
            "there is no number left for the gates; renumber the variables".to_owned(),
        ));
    }
    let (all, size) = (Var::from_index(last), qbf.prefix().vars().len() + qbf.matrix().len() + 1);
    write_head(qbf.prefix(), &labels, size, &labels.get(all), out)?;
    for (index, clause) in qbf.matrix().iter().enumerate() {
        let name = labels.get(Var::from_index(bound + index));
        write_gate(&name, "or", clause.iter().copied(), &labels, out)?;
    }
    let clauses = (bound..last).map(|index| Var::from_index(index).positive());
    write_gate(&labels.get(all), "and", clauses, &labels, out)
}
