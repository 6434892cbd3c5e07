//! Infix formulas: `forall x exists y: x == y`, or a game `(a == (b | c)) & (d | e)`. Grammar: `grammars/infix.ebnf`.
//!
//! Reading is operator precedence with two explicit stacks, one of pending operators (a byte each) and one of operands,
//! so a million parentheses are a megabyte and not a stack overflow. Writing walks the circuit with a stack of its own.
//! Negation is a literal's sign, an implication is a disjunction and an equivalence a negated exclusive or; operators of
//! one kind on one level become one gate. The writer prints exactly those shapes, so reading them again gives the same
//! circuit.

use super::Syntax;
use super::error::{ReadError, WriteError};
use super::labels::Labels;
use super::lexer::{Lexer, MAX_WORD, shortened};
use crate::Problem;
use crate::formula::{
    Circuit, CircuitBuilder, ClauseArena, Game, GameMatrix, GateKind, Lit, Names, Player, Prefix, Qbf,
    QuantifiedCircuit, Quantifier, Rule, Var,
};
use std::io::Write;

const OPERAND: &str = "a variable, '!', '(', 'true' or 'false'";

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
        match problem {
            Problem::Qbf(qbf) => write_qbf(qbf, out),
            Problem::Circuit(circuit) => {
                refuse_explosion(circuit.circuit())?;
                let labels = labels(&circuit.names);
                write_prefix(circuit.prefix(), &labels, out)?;
                write_circuit(circuit.circuit(), &labels, out)
            }
            Problem::Game(game) => write_game(game, out),
            Problem::Board(_) => {
                Err(WriteError::Unsupported("infix holds formulas; this is a board, to be encoded first".to_owned()))
            }
        }
    }
}

// ---- reading ----

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Name,
    Constant(bool),
    Not,
    Operator(Operator),
    Open,
    Close,
    Colon,
    Quantifier(Quantifier),
    End,
}

/// What waits on the operator stack, in ascending precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Operator {
    Open,
    Equivalent,
    Implies,
    Xor,
    Or,
    And,
    Not,
}

const KEYWORDS: &[(&str, Token)] = &[
    ("forall", Token::Quantifier(Quantifier::Forall)),
    ("exists", Token::Quantifier(Quantifier::Exists)),
    ("true", Token::Constant(true)),
    ("false", Token::Constant(false)),
];

const SYMBOLS: &[(&str, Token)] = &[
    ("(", Token::Open),
    (")", Token::Close),
    ("!", Token::Not),
    ("~", Token::Not),
    ("¬", Token::Not),
    ("&", Token::Operator(Operator::And)),
    ("∧", Token::Operator(Operator::And)),
    ("|", Token::Operator(Operator::Or)),
    ("∨", Token::Operator(Operator::Or)),
    ("^", Token::Operator(Operator::Xor)),
    ("⊕", Token::Operator(Operator::Xor)),
    ("->", Token::Operator(Operator::Implies)),
    ("→", Token::Operator(Operator::Implies)),
    ("<->", Token::Operator(Operator::Equivalent)),
    ("==", Token::Operator(Operator::Equivalent)),
    ("≡", Token::Operator(Operator::Equivalent)),
    ("↔", Token::Operator(Operator::Equivalent)),
    (":", Token::Colon),
    ("∀", Token::Quantifier(Quantifier::Forall)),
    ("∃", Token::Quantifier(Quantifier::Exists)),
];

struct Reader<'r, 's> {
    lexer: &'r mut Lexer<'s>,
    names: Names,
    prefix: Prefix,
    quantified: bool,
    builder: CircuitBuilder,
    operators: Vec<Operator>,
    operands: Vec<Lit>,
    open: usize,
    /// Operands and gates built so far.
    size: usize,
}

impl<'r, 's> Reader<'r, 's> {
    /// Inputs and gates each get half of the variables until the number of inputs is known.
    const INPUTS: usize = Var::LIMIT / 2;

    fn new(lexer: &'r mut Lexer<'s>) -> Self {
        Reader {
            lexer,
            names: Names::new(),
            prefix: Prefix::new(),
            quantified: false,
            builder: CircuitBuilder::new(Self::INPUTS),
            operators: Vec::new(),
            operands: Vec::new(),
            open: 0,
            size: 0,
        }
    }

    fn read(mut self) -> Result<Problem, ReadError> {
        let mut token = self.token()?;
        if let Token::Quantifier(_) = token {
            token = self.prefix(token)?;
        }
        let output = self.formula(token)?;
        // Free variables will be bound outermost, so they are the first inputs: the order in which the prefix is written.
        let (inputs, bound) = (self.names.len(), self.prefix.vars().len());
        let order: Vec<Var> = (0..inputs).map(|index| Var::from_index((index + inputs - bound) % inputs)).collect();
        let renumber = |names: &Names| {
            let mut renumbered = Names::new();
            for (var, name) in names.iter() {
                renumbered.insert(order[var.index()], name);
            }
            renumbered
        };
        let names = if bound == 0 || bound == inputs { self.names } else { renumber(&self.names) };
        let circuit = self.builder.finish_with_inputs(output, &order);
        let problem = if self.quantified {
            let mut prefix = Prefix::new();
            for (quantifier, var) in self.prefix.quantified() {
                prefix.push_var(quantifier, order[var.index()]);
            }
            QuantifiedCircuit::new(&prefix, circuit, names).map(Problem::Circuit).map_err(|e| e.to_string())
        } else {
            Game::new(inputs, GameMatrix::Circuit(circuit)).map_err(|e| e.to_string()).map(|mut game| {
                game.names = names;
                Problem::Game(game)
            })
        };
        problem.map_err(|message| self.lexer.error(message, ""))
    }

    /// Reads the prefix from its first quantifier on, and returns the token after its colon.
    fn prefix(&mut self, mut token: Token) -> Result<Token, ReadError> {
        self.quantified = true;
        let mut last = None;
        while let Token::Quantifier(quantifier) = token {
            if last == Some(quantifier) {
                self.lexer.tolerate("this block has the same quantifier as the one before")?;
            }
            last = Some(quantifier);
            token = self.token()?;
            if token != Token::Name {
                return Err(self.unexpected(token, "a variable"));
            }
            while token == Token::Name {
                let known = self.names.len();
                let var = self.variable()?.var();
                if var.index() < known {
                    let name = shortened(self.lexer.token());
                    return Err(self.lexer.error(format!("variable '{name}' is quantified twice"), ""));
                }
                self.prefix.push_var(quantifier, var);
                token = self.token()?;
            }
            match token {
                Token::Colon => {
                    token = self.token()?;
                    if !matches!(token, Token::Quantifier(_)) {
                        return Ok(token);
                    }
                }
                Token::Quantifier(_) => {}
                _ => return Err(self.unexpected(token, "a variable, a quantifier or ':'")),
            }
        }
        Ok(token)
    }

    /// Reads the formula from its first token to the end of the input and returns its output.
    fn formula(&mut self, mut token: Token) -> Result<Lit, ReadError> {
        loop {
            // An operand: what stands before it waits.
            loop {
                match token {
                    Token::Open => {
                        self.open += 1;
                        self.operators.push(Operator::Open);
                    }
                    // Two negations cancel, so they never pile up.
                    Token::Not if self.operators.last() == Some(&Operator::Not) => drop(self.operators.pop()),
                    Token::Not => self.operators.push(Operator::Not),
                    Token::Name => {
                        let variable = self.variable()?;
                        if self.quantified && variable.var().index() >= self.prefix.vars().len() {
                            self.lexer.tolerate("this variable is not quantified")?;
                        }
                        break self.operand(variable);
                    }
                    Token::Constant(value) => {
                        let constant = self.gate(if value { GateKind::And } else { GateKind::Or }, 0)?;
                        break self.operand(constant);
                    }
                    _ => return Err(self.unexpected(token, OPERAND)),
                }
                token = self.token()?;
            }
            // What may stand after an operand.
            loop {
                token = self.token()?;
                match token {
                    Token::Operator(operator) => {
                        self.reduce(operator)?;
                        self.operators.push(operator);
                        break;
                    }
                    Token::Close if self.open > 0 => {
                        self.reduce(Operator::Open)?;
                        self.operators.pop();
                        self.open -= 1;
                        let Some(inner) = self.operands.pop() else { return Err(self.unexpected(token, OPERAND)) };
                        self.operand(inner);
                    }
                    Token::End if self.open == 0 => {
                        self.reduce(Operator::Open)?;
                        return self.operands.pop().ok_or_else(|| self.unexpected(token, OPERAND));
                    }
                    _ if self.open > 0 => return Err(self.unexpected(token, "an operator or ')'")),
                    _ => return Err(self.unexpected(token, "an operator or the end of the formula")),
                }
            }
            token = self.token()?;
        }
    }

    /// Puts an operand on its stack, negated if a negation waits for it.
    fn operand(&mut self, lit: Lit) {
        let negated = self.operators.last() == Some(&Operator::Not);
        if negated {
            self.operators.pop();
        }
        self.operands.push(if negated { !lit } else { lit });
    }

    /// Builds the gates of all waiting operators that bind more tightly than `next`, down to the open parenthesis.
    fn reduce(&mut self, next: Operator) -> Result<(), ReadError> {
        while let Some(&operator) = self.operators.last() {
            let waits = match operator {
                Operator::Open => true,
                // One gate for operators of one kind on one level; implication associates to the right.
                Operator::And | Operator::Or | Operator::Xor | Operator::Implies => operator <= next,
                _ => operator < next,
            };
            if waits {
                break;
            }
            let mut operands = 1;
            while self.operators.last() == Some(&operator) {
                self.operators.pop();
                operands += 1;
                if matches!(operator, Operator::Implies | Operator::Equivalent) {
                    break;
                }
            }
            let result = match operator {
                Operator::And => self.gate(GateKind::And, operands)?,
                Operator::Or => self.gate(GateKind::Or, operands)?,
                Operator::Implies => {
                    let premise = self.operands.len() - 2;
                    self.operands[premise] = !self.operands[premise];
                    self.gate(GateKind::Or, operands)?
                }
                Operator::Equivalent => !self.gate(GateKind::Xor, operands)?,
                _ => self.gate(GateKind::Xor, operands)?,
            };
            self.operands.push(result);
        }
        Ok(())
    }

    /// A gate of the topmost operands.
    fn gate(&mut self, kind: GateKind, operands: usize) -> Result<Lit, ReadError> {
        self.size += operands + 1;
        if self.size > Self::INPUTS {
            return Err(self.lexer.error("the formula is too long", ""));
        }
        let start = self.operands.len() - operands;
        let gate = self.builder.gate(kind, &self.operands[start..]);
        self.operands.truncate(start);
        Ok(gate)
    }

    /// The input whose name is the current token.
    fn variable(&mut self) -> Result<Lit, ReadError> {
        let name = String::from_utf8_lossy(self.lexer.token());
        let known = self.names.find(&name);
        let var = match known {
            Some(var) => var,
            None if self.names.len() >= Self::INPUTS => return Err(self.lexer.error("there are too many names", "")),
            None => {
                let var = Var::from_index(self.names.len());
                self.names.insert(var, name);
                var
            }
        };
        Ok(var.positive())
    }

    fn unexpected(&mut self, token: Token, expected: &str) -> ReadError {
        let what = match token {
            Token::End => {
                self.lexer.mark_end();
                let nothing = self.operands.is_empty() && self.operators.is_empty() && !self.quantified;
                let message = if nothing { "there is no formula" } else { "the formula ends too early" };
                return self.lexer.error(message, expected);
            }
            Token::Quantifier(_) => "stands inside the formula; quantifiers come first, before a ':'",
            Token::Close if self.open == 0 => "closes nothing",
            _ => "cannot stand here",
        };
        self.lexer.unexpected_token(what, expected)
    }

    /// Reads the next token; its text is the lexer's current token.
    fn token(&mut self) -> Result<Token, ReadError> {
        loop {
            self.lexer.skip_space()?;
            match self.lexer.peek()? {
                Some(b'#') => self.lexer.skip_line()?,
                None => return Ok(Token::End),
                Some(_) => break,
            }
        }
        let first = self.lexer.character()?;
        if first.is_alphabetic() || first == '_' {
            self.lexer.advance(first.len_utf8());
            while let Some(byte) = self.lexer.peek()? {
                let width = match byte {
                    b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'\'' => 1,
                    0x80.. => match self.lexer.character()? {
                        c if c.is_alphanumeric() => c.len_utf8(),
                        _ => break,
                    },
                    _ => break,
                };
                self.lexer.advance(width);
                if self.lexer.token().len() > MAX_WORD {
                    return Err(self.lexer.unexpected_token("is too long a name", ""));
                }
            }
            let word = self.lexer.token();
            let keyword = KEYWORDS.iter().find(|(text, _)| text.as_bytes() == word);
            return Ok(keyword.map_or(Token::Name, |&(_, token)| token));
        }
        self.lexer.peek_at(2)?;
        let window = self.lexer.window();
        if let Some((text, token)) = SYMBOLS.iter().find(|(text, _)| window.starts_with(text.as_bytes())) {
            self.lexer.advance(text.len());
            return Ok(*token);
        }
        if first.is_ascii_digit() {
            return Err(self
                .lexer
                .unexpected("is not a name (constants are true and false; DIMACS needs a 'p' line)", OPERAND));
        }
        self.lexer.advance(first.len_utf8());
        Err(self.lexer.unexpected_token("is not part of a formula", "a variable, an operator or a parenthesis"))
    }
}

/// Whether a name can be written as it is.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'')
        && KEYWORDS.iter().all(|(keyword, _)| *keyword != name)
        && name.len() <= MAX_WORD
}

// ---- writing ----

fn labels(names: &Names) -> Labels<'_> {
    Labels::new(names, is_identifier, "x")
}

fn write_prefix(prefix: &Prefix, labels: &Labels<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    if prefix.is_empty() {
        // Without a prefix it would be a game. An unused variable changes nothing in a quantified formula.
        write!(out, "exists {}", labels.get(Var::from_index(0)))?;
    }
    for (index, block) in prefix.blocks().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        write!(out, "{gap}{}", if block.quantifier == Quantifier::Exists { "exists" } else { "forall" })?;
        for &var in block.vars {
            write!(out, " {}", labels.get(var))?;
        }
    }
    write!(out, ": ")?;
    Ok(())
}

fn write_qbf(qbf: &Qbf, out: &mut dyn Write) -> Result<(), WriteError> {
    let labels = labels(&qbf.names);
    write_prefix(qbf.prefix(), &labels, out)?;
    write_rows(qbf.matrix(), true, &labels, out)
}

/// Writes a CNF, or a DNF with the operators exchanged.
fn write_rows(rows: &ClauseArena, cnf: bool, labels: &Labels<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let (outer, inner) = if cnf { (" & ", " | ") } else { (" | ", " & ") };
    let constant = |empty_outer: bool| if empty_outer == cnf { "true" } else { "false" };
    if rows.is_empty() {
        write!(out, "{}", constant(true))?;
    }
    for (index, row) in rows.iter().enumerate() {
        let parentheses = row.len() > 1 && rows.len() > 1;
        write!(out, "{}{}", if index == 0 { "" } else { outer }, if parentheses { "(" } else { "" })?;
        if row.is_empty() {
            write!(out, "{}", constant(false))?;
        }
        for (index, lit) in row.iter().enumerate() {
            let sign = if lit.is_negative() { "!" } else { "" };
            write!(out, "{}{sign}{}", if index == 0 { "" } else { inner }, labels.get(lit.var()))?;
        }
        write!(out, "{}", if parentheses { ")" } else { "" })?;
    }
    writeln!(out)?;
    Ok(())
}

fn write_game(game: &Game, out: &mut dyn Write) -> Result<(), WriteError> {
    let refuse = |what: &str| {
        let message = format!("an infix formula cannot say {what}; write GAME-SAT instead");
        Err(WriteError::Unsupported(message))
    };
    if game.turn != Player::Max {
        return refuse("whose turn it is (read without --turn, it is MAX's)");
    }
    if game.rule != Rule::Any {
        return refuse("which colours a player may use (read without --rule, any)");
    }
    if !game.played().is_empty() {
        return refuse("which elements are coloured already");
    }
    let labels = labels(&game.names);
    let mut seen = crate::formula::VarSet::new();
    let mut elements = 0;
    let mut count = |lits: &[Lit]| {
        elements += lits.iter().filter(|lit| lit.var().index() < game.elements() && seen.insert(lit.var())).count();
    };
    match game.matrix() {
        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => count(rows.lits()),
        GameMatrix::Circuit(circuit) => {
            let reached = reached(circuit);
            let inputs = (0..circuit.inputs()).filter(|&index| reached[index]);
            inputs.for_each(|index| count(&[Var::from_index(index).positive()]));
        }
    }
    if elements < game.elements() {
        let lost = game.elements() - elements;
        return refuse(&format!("that {lost} of the elements occur nowhere in it (they count; see --stars)"));
    }
    match game.matrix() {
        GameMatrix::Cnf(rows) => write_rows(rows, true, &labels, out),
        GameMatrix::Dnf(rows) => write_rows(rows, false, &labels, out),
        GameMatrix::Circuit(circuit) => {
            refuse_explosion(circuit)?;
            write_circuit(circuit, &labels, out)
        }
    }
}

/// Which inputs and gates the output depends on by its wiring.
fn reached(circuit: &Circuit) -> Vec<bool> {
    let mut reached = vec![false; circuit.inputs() + circuit.num_gates()];
    reached[circuit.output().var().index()] = true;
    for index in (0..circuit.num_gates()).rev() {
        if reached[circuit.inputs() + index] {
            for lit in circuit.gate(index).operands {
                reached[lit.var().index()] = true;
            }
        }
    }
    reached
}

/// A piece of the text that is still to be written.
enum Piece {
    /// A subformula, in parentheses unless it binds more tightly than the operator around it.
    Formula(Lit, Operator),
    Text(&'static str),
}

fn write_circuit(circuit: &Circuit, labels: &Labels<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut pieces = vec![Piece::Formula(circuit.output(), Operator::Open)];
    while let Some(piece) = pieces.pop() {
        let (lit, around) = match piece {
            Piece::Text(text) => {
                out.write_all(text.as_bytes())?;
                continue;
            }
            Piece::Formula(lit, around) => (lit, around),
        };
        let Some(gate) = lit.var().index().checked_sub(circuit.inputs()).map(|index| circuit.gate(index)) else {
            write!(out, "{}{}", if lit.is_negative() { "!" } else { "" }, labels.get(lit.var()))?;
            continue;
        };
        let (operator, text) = match (gate.kind, gate.operands) {
            (kind, []) => {
                let value = kind == GateKind::And;
                write!(out, "{}{value}", if lit.is_negative() { "!" } else { "" })?;
                continue;
            }
            (_, &[only]) => {
                pieces.push(Piece::Formula(if lit.is_negative() { !only } else { only }, around));
                continue;
            }
            (GateKind::Xor, [_, _]) if lit.is_negative() => (Operator::Equivalent, " <-> "),
            (GateKind::And, _) => (Operator::And, " & "),
            (GateKind::Or | GateKind::Ite, _) => (Operator::Or, " | "),
            (GateKind::Xor, _) => (Operator::Xor, " ^ "),
        };
        let negated = lit.is_negative() && operator != Operator::Equivalent;
        let parentheses = negated || operator <= around;
        out.write_all(if negated { b"!" } else { b"" })?;
        out.write_all(if parentheses { b"(" } else { b"" })?;
        if parentheses {
            pieces.push(Piece::Text(")"));
        }
        if gate.kind == GateKind::Ite {
            let (condition, then, otherwise) = (gate.operands[0], gate.operands[1], gate.operands[2]);
            let and = |left, right| {
                [Piece::Formula(right, Operator::And), Piece::Text(" & "), Piece::Formula(left, Operator::And)]
            };
            pieces.extend(and(!condition, otherwise));
            pieces.push(Piece::Text(text));
            pieces.extend(and(condition, then));
            continue;
        }
        for (index, &operand) in gate.operands.iter().enumerate().rev() {
            pieces.push(Piece::Formula(operand, operator));
            if index > 0 {
                pieces.push(Piece::Text(text));
            }
        }
    }
    writeln!(out)?;
    Ok(())
}

/// Shared gates are written once for each use; a circuit may be exponentially smaller than its formula.
fn refuse_explosion(circuit: &Circuit) -> Result<(), WriteError> {
    const ALWAYS: u64 = 1 << 24;
    let mut sizes: Vec<u64> = Vec::with_capacity(circuit.num_gates());
    let size = |sizes: &[u64], lit: Lit| lit.var().index().checked_sub(circuit.inputs()).map_or(1, |gate| sizes[gate]);
    let mut wires = 0;
    for gate in circuit.gates() {
        let twice = gate.kind == GateKind::Ite;
        let operands = gate.operands.iter().chain(twice.then(|| &gate.operands[0]));
        sizes.push(operands.fold(1, |sum: u64, &lit| sum.saturating_add(size(&sizes, lit))));
        wires += 1 + gate.operands.len() as u64;
    }
    if size(&sizes, circuit.output()) > ALWAYS.max(4 * wires) {
        return Err(WriteError::Unsupported(
            "the circuit shares gates and would be too long as an infix formula; write QCIR instead".to_owned(),
        ));
    }
    Ok(())
}
