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

use super::Syntax;
use super::error::{ReadError, WriteError};
use super::labels::Labels;
use super::lexer::{Class, Lexer, MAX_WORD, alphanumeric_and, shortened};
use crate::Problem;
use crate::formula::{
    Circuit, CircuitBuilder, ClauseArena, Game, GameError, GameMatrix, GateKind, Lit, Names, Player, Prefix, Qbf,
    QuantifiedCircuit, Quantifier, Rule, Var, VarSet,
};
use std::io::{self, Write};

const OPERAND: &str = "a variable, '!', '(', 'true' or 'false'";
const SETTING: &str = "elements, stars, turn, rule or played";

/// What identifiers are made of in ASCII, behind their first byte.
static IDENTIFIER: Class = alphanumeric_and(b"_'");
static DIGITS: Class = {
    let mut class = [false; 256];
    let mut digit = b'0';
    while digit <= b'9' {
        class[digit as usize] = true;
        digit += 1;
    }
    class
};

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
                write_circuit(circuit.circuit(), &mut |var, out| write_label(&labels, var, out), out)
            }
            Problem::Game(game) => write_game(game, out),
            Problem::Board(_) | Problem::Colouring(_) | Problem::Sequential(_) | Problem::Sudoku(_) => {
                Err(WriteError::Unsupported("infix holds formulas; this is a board, to be encoded first".to_owned()))
            }
        }
    }
}

// ---- reading ----

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Name,
    /// A name between quotation marks; its text is in [`Reader::quoted`].
    Quoted,
    Number,
    Constant(bool),
    Not,
    Operator(Operator),
    Open,
    Close,
    Colon,
    Comma,
    Semicolon,
    Quantifier(Quantifier),
    End,
}

impl Token {
    fn is_name(self) -> bool {
        matches!(self, Token::Name | Token::Quoted)
    }
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

/// The words that are not names.
fn keyword(word: &[u8]) -> Option<Token> {
    Some(match word {
        b"forall" => Token::Quantifier(Quantifier::Forall),
        b"exists" => Token::Quantifier(Quantifier::Exists),
        b"true" => Token::Constant(true),
        b"false" => Token::Constant(false),
        b"and" => Token::Operator(Operator::And),
        b"or" => Token::Operator(Operator::Or),
        b"not" => Token::Not,
        _ => return None,
    })
}

/// Symbols, longer ones before those that they begin with; and near misses with what may have been meant.
const SYMBOLS: &[(&str, Result<Token, &str>)] = &[
    ("<-->", Err("'<->'")),
    ("<==>", Err("'<=>'")),
    ("&&&", Err("'&' or '&&'")),
    ("|||", Err("'|' or '||'")),
    ("===", Err("'=='")),
    ("-->", Err("'->'")),
    ("==>", Err("'=>'")),
    ("<->", Ok(Token::Operator(Operator::Equivalent))),
    ("<=>", Ok(Token::Operator(Operator::Equivalent))),
    ("==", Ok(Token::Operator(Operator::Equivalent))),
    ("≡", Ok(Token::Operator(Operator::Equivalent))),
    ("↔", Ok(Token::Operator(Operator::Equivalent))),
    ("->", Ok(Token::Operator(Operator::Implies))),
    ("=>", Ok(Token::Operator(Operator::Implies))),
    ("→", Ok(Token::Operator(Operator::Implies))),
    ("<-", Err("'->' or '<->'")),
    ("<=", Err("'=>' or '<=>'")),
    ("!=", Err("'^'")),
    ("<>", Err("'^'")),
    ("=", Err("'=='")),
    ("&&", Ok(Token::Operator(Operator::And))),
    ("||", Ok(Token::Operator(Operator::Or))),
    ("/\\", Err("'&'")),
    ("\\/", Err("'|'")),
    ("&", Ok(Token::Operator(Operator::And))),
    ("∧", Ok(Token::Operator(Operator::And))),
    ("|", Ok(Token::Operator(Operator::Or))),
    ("∨", Ok(Token::Operator(Operator::Or))),
    ("^", Ok(Token::Operator(Operator::Xor))),
    ("⊕", Ok(Token::Operator(Operator::Xor))),
    ("!", Ok(Token::Not)),
    ("~", Ok(Token::Not)),
    ("¬", Ok(Token::Not)),
    ("∀", Ok(Token::Quantifier(Quantifier::Forall))),
    ("∃", Ok(Token::Quantifier(Quantifier::Exists))),
];

/// Words where an operator should stand, and what may have been meant.
const NEAR_WORDS: &[(&str, &str)] = &[
    ("and", "'and' or '&'"),
    ("or", "'or' or '|'"),
    ("xor", "'^'"),
    ("iff", "'<->'"),
    ("equals", "'<->'"),
    ("implies", "'->'"),
    ("then", "'->'"),
];

/// What a game says before its colon.
#[derive(Default)]
struct Settings {
    /// There is a list of elements.
    listed: bool,
    stars: Option<usize>,
    turn: Option<Player>,
    rule: Option<Rule>,
    played: Option<Vec<Lit>>,
}

struct Reader<'r, 's> {
    lexer: &'r mut Lexer<'s>,
    names: Names,
    /// The name of the last [`Token::Quoted`].
    quoted: String,
    settings: Settings,
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
            quoted: String::new(),
            settings: Settings::default(),
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
        let output = match self.token()? {
            token @ Token::Quantifier(_) => {
                let token = self.prefix(token)?;
                self.formula(token)?
            }
            Token::Name if is_setting(self.lexer.token()) => {
                let word = self.lexer.token().to_vec();
                let token = self.token()?;
                if token.is_name() || matches!(token, Token::Not | Token::Number) {
                    let token = self.settings(word, token)?;
                    self.formula(token)?
                } else {
                    // It is a formula about that word.
                    let variable = self.variable_named(&word)?;
                    self.operand(variable);
                    self.rest(token)?
                }
            }
            token => self.formula(token)?,
        };
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
            game(inputs, circuit, names, self.settings).map_err(|e| e.to_string())
        };
        problem.map_err(|message| self.lexer.error(message, ""))
    }

    // ---- what stands before the colon ----

    /// Reads the settings of a game from the first word on, `token` being the one behind it, and returns the token
    /// after the colon.
    fn settings(&mut self, mut word: Vec<u8>, mut token: Token) -> Result<Token, ReadError> {
        loop {
            token = self.setting(&word, token)?;
            match token {
                Token::Semicolon => {}
                Token::Colon => return self.token(),
                _ => return Err(self.unexpected(token, "';' and another setting, or ':' and the formula")),
            }
            token = self.token()?;
            if token != Token::Name || !is_setting(self.lexer.token()) {
                return Err(self.unexpected(token, SETTING));
            }
            word.clear();
            word.extend_from_slice(self.lexer.token());
            let settings = &self.settings;
            let given = match &word[..] {
                b"elements" if settings.played.is_some() => {
                    return Err(self.lexer.unexpected_token("stand after what is played", "the elements before it"));
                }
                b"elements" => settings.listed,
                b"stars" => settings.stars.is_some(),
                b"turn" => settings.turn.is_some(),
                b"rule" => settings.rule.is_some(),
                _ => settings.played.is_some(),
            };
            if given {
                return Err(self.lexer.unexpected_token("is given twice", ""));
            }
            token = self.token()?;
        }
    }

    /// Reads what a setting says from its first token on, and returns the token behind it.
    fn setting(&mut self, word: &[u8], token: Token) -> Result<Token, ReadError> {
        match word {
            b"elements" => {
                let token = self.list(token, false, "an element", |reader, token| {
                    let known = reader.names.len();
                    if reader.variable(token)?.var().index() < known {
                        return Err(reader.lexer.unexpected_token("is listed twice", ""));
                    }
                    reader.token()
                })?;
                self.settings.listed = true;
                return Ok(token);
            }
            b"played" => {
                let mut coloured = VarSet::new();
                let mut played = Vec::new();
                let token = self.list(token, true, "an element, or '!' and an element", |reader, mut token| {
                    let negative = token == Token::Not;
                    if negative {
                        token = reader.token()?;
                    }
                    if !token.is_name() {
                        return Err(reader.unexpected(token, "an element"));
                    }
                    let element = reader.variable(token)?;
                    if !coloured.insert(element.var()) {
                        return Err(reader.lexer.unexpected_token("is played twice", ""));
                    }
                    played.push(if negative { !element } else { element });
                    reader.token()
                })?;
                self.settings.played = Some(played);
                return Ok(token);
            }
            b"stars" if token == Token::Number => {
                let largest = Self::INPUTS;
                let digits = std::str::from_utf8(self.lexer.token()).unwrap_or_default();
                match digits.parse() {
                    Ok(stars) if stars <= largest => self.settings.stars = Some(stars),
                    _ => return Err(self.lexer.unexpected_token("is too large", format!("at most {largest}"))),
                }
            }
            b"turn" if token == Token::Name && self.lexer.token() == b"max" => self.settings.turn = Some(Player::Max),
            b"turn" if token == Token::Name && self.lexer.token() == b"min" => self.settings.turn = Some(Player::Min),
            b"rule" if token == Token::Name && self.lexer.token() == b"any" => self.settings.rule = Some(Rule::Any),
            b"rule" if token == Token::Name && self.lexer.token() == b"own" => self.settings.rule = Some(Rule::Own),
            _ => {
                let expected = match word {
                    b"stars" => "a number",
                    b"turn" => "max or min",
                    _ => "any or own",
                };
                return Err(self.unexpected(token, expected));
            }
        }
        self.token()
    }

    /// Reads a list of names, `signed` or not, with commas or nothing between them. `item` gets the first token of each
    /// and returns the token behind it.
    fn list(
        &mut self,
        mut token: Token,
        signed: bool,
        expected: &str,
        mut item: impl FnMut(&mut Self, Token) -> Result<Token, ReadError>,
    ) -> Result<Token, ReadError> {
        let begins = |token: Token| token.is_name() || signed && token == Token::Not;
        if !begins(token) {
            return Err(self.unexpected(token, expected));
        }
        while begins(token) {
            token = item(self, token)?;
            if token == Token::Comma {
                token = self.token()?;
                if !begins(token) && !matches!(token, Token::Quantifier(_)) {
                    return Err(self.unexpected(token, expected));
                }
            }
        }
        Ok(token)
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
            token = self.list(token, false, "a variable", |reader, token| {
                let known = reader.names.len();
                let var = reader.variable(token)?.var();
                if var.index() < known {
                    let name = shortened(reader.lexer.token());
                    return Err(reader.lexer.error(format!("variable '{name}' is quantified twice"), ""));
                }
                reader.prefix.push_var(quantifier, var);
                reader.token()
            })?;
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

    // ---- the formula ----

    /// Reads the formula from its first token to the end of the input and returns its output.
    fn formula(&mut self, token: Token) -> Result<Lit, ReadError> {
        self.first_operand(token)?;
        let token = self.token()?;
        self.rest(token)
    }

    /// Reads what stands before an operand, which waits, and the operand.
    fn first_operand(&mut self, mut token: Token) -> Result<(), ReadError> {
        loop {
            match token {
                Token::Open => {
                    self.open += 1;
                    self.operators.push(Operator::Open);
                }
                // Two negations cancel, so they never pile up.
                Token::Not if self.operators.last() == Some(&Operator::Not) => drop(self.operators.pop()),
                Token::Not => self.operators.push(Operator::Not),
                Token::Name | Token::Quoted => {
                    let variable = self.variable(token)?;
                    if self.quantified && variable.var().index() >= self.prefix.vars().len() {
                        self.lexer.tolerate("this variable is not quantified")?;
                    }
                    self.operand(variable);
                    return Ok(());
                }
                Token::Constant(value) => {
                    let constant = self.gate(if value { GateKind::And } else { GateKind::Or }, 0)?;
                    self.operand(constant);
                    return Ok(());
                }
                _ => return Err(self.unexpected(token, OPERAND)),
            }
            token = self.token()?;
        }
    }

    /// Reads on after an operand, `token` being next, to the end of the input.
    fn rest(&mut self, mut token: Token) -> Result<Lit, ReadError> {
        loop {
            match token {
                Token::Operator(operator) => {
                    self.reduce(operator)?;
                    self.operators.push(operator);
                    token = self.token()?;
                    self.first_operand(token)?;
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

    /// The input whose name was just read.
    fn variable(&mut self, token: Token) -> Result<Lit, ReadError> {
        let name = if token == Token::Quoted { self.quoted.as_bytes() } else { self.lexer.token() };
        if let Some(var) = self.names.find_bytes(name) {
            return Ok(var.positive());
        }
        let name = name.to_vec();
        if self.settings.listed {
            self.lexer.tolerate("this element is not listed")?;
        }
        self.variable_named(&name)
    }

    /// The input of that name.
    fn variable_named(&mut self, name: &[u8]) -> Result<Lit, ReadError> {
        if self.names.len() >= Self::INPUTS {
            return Err(self.lexer.error("there are too many names", ""));
        }
        let var = Var::from_index(self.names.len());
        self.names.insert(var, String::from_utf8_lossy(name));
        Ok(var.positive())
    }

    #[cold]
    fn unexpected(&mut self, token: Token, expected: &str) -> ReadError {
        let what = match token {
            Token::End => {
                self.lexer.mark_end();
                let nothing = self.operands.is_empty() && self.operators.is_empty() && !self.quantified;
                let message = if nothing { "there is no formula" } else { "the formula ends too early" };
                return self.lexer.error(message, expected);
            }
            Token::Number => {
                self.lexer.rewind();
                let what = "is not a name (constants are true and false; DIMACS needs a 'p' line)";
                return self.lexer.unexpected(what, OPERAND);
            }
            Token::Name => {
                let word = String::from_utf8_lossy(self.lexer.token()).to_lowercase();
                if let Some((_, meant)) = NEAR_WORDS.iter().find(|(near, _)| *near == word) {
                    return self.lexer.unexpected_token("is not an operator", *meant);
                }
                "cannot stand here"
            }
            Token::Quantifier(_) => "stands inside the formula; quantifiers come first, before a ':'",
            Token::Close if self.open == 0 => "closes nothing",
            _ => "cannot stand here",
        };
        self.lexer.unexpected_token(what, expected)
    }

    // ---- tokens ----

    /// Reads the next token; its text is the lexer's current token.
    fn token(&mut self) -> Result<Token, ReadError> {
        let first = loop {
            self.lexer.skip_space()?;
            match self.lexer.peek()? {
                Some(b'#') => self.lexer.skip_line()?,
                None => return Ok(Token::End),
                Some(byte) => break byte,
            }
        };
        let token = match first {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => return self.word(),
            b'(' => Token::Open,
            b')' => Token::Close,
            b'&' if self.lexer.peek_at(1)? != Some(b'&') => Token::Operator(Operator::And),
            b'|' if self.lexer.peek_at(1)? != Some(b'|') => Token::Operator(Operator::Or),
            b'!' if self.lexer.peek_at(1)? != Some(b'=') => Token::Not,
            b':' => Token::Colon,
            b',' => Token::Comma,
            b';' => Token::Semicolon,
            b'"' => return self.quotation(),
            b'0'..=b'9' => {
                self.lexer.skip_class(&DIGITS)?;
                return Ok(Token::Number);
            }
            _ => return self.symbol(),
        };
        self.lexer.advance(1);
        Ok(token)
    }

    /// Reads a name or a keyword that begins here.
    #[inline]
    fn word(&mut self) -> Result<Token, ReadError> {
        loop {
            self.lexer.skip_class(&IDENTIFIER)?;
            if self.lexer.token().len() > MAX_WORD {
                return Err(self.lexer.unexpected_token("is too long a name", ""));
            }
            match self.lexer.peek()? {
                Some(0x80..) => match self.lexer.character()? {
                    letter if letter.is_alphanumeric() => self.lexer.advance(letter.len_utf8()),
                    _ => break,
                },
                _ => break,
            }
        }
        Ok(keyword(self.lexer.token()).unwrap_or(Token::Name))
    }

    /// Reads a name between quotation marks, of which one is doubled where it belongs to the name.
    fn quotation(&mut self) -> Result<Token, ReadError> {
        self.quoted.clear();
        self.lexer.advance(1);
        loop {
            match self.lexer.peek()? {
                None | Some(b'\n') => return Err(self.lexer.error("the name has no end", "'\"'")),
                Some(b'"') if self.lexer.peek_at(1)? == Some(b'"') => {
                    self.quoted.push('"');
                    self.lexer.advance(2);
                }
                Some(b'"') => break,
                Some(_) => {
                    let character = self.lexer.character()?;
                    if !is_quotable(character) {
                        self.lexer.mark();
                        self.lexer.advance(character.len_utf8());
                        return Err(self.lexer.unexpected_token("cannot stand in a name", "visible text or blanks"));
                    }
                    self.quoted.push(character);
                    self.lexer.advance(character.len_utf8());
                }
            }
            if self.quoted.len() > MAX_WORD {
                return Err(self.lexer.unexpected_token("is too long a name", ""));
            }
        }
        self.lexer.advance(1);
        if self.quoted.is_empty() { Err(self.lexer.error("an empty name", "")) } else { Ok(Token::Quoted) }
    }

    /// Reads what is neither a name nor one of the frequent symbols.
    fn symbol(&mut self) -> Result<Token, ReadError> {
        let first = self.lexer.character()?;
        if first.is_alphabetic() {
            self.lexer.advance(first.len_utf8());
            return self.word();
        }
        self.lexer.peek_at(3)?;
        let window = self.lexer.window();
        match SYMBOLS.iter().find(|(text, _)| window.starts_with(text.as_bytes())) {
            Some(&(text, token)) => {
                self.lexer.advance(text.len());
                token.map_err(|meant| self.lexer.unexpected_token("is not an operator", meant))
            }
            None => {
                self.lexer.advance(first.len_utf8());
                let expected = "a variable, an operator or a parenthesis";
                Err(self.lexer.unexpected_token("is not part of a formula", expected))
            }
        }
    }
}

/// Whether a word may begin what stands before a game's colon.
fn is_setting(word: &[u8]) -> bool {
    matches!(word, b"elements" | b"stars" | b"turn" | b"rule" | b"played")
}

/// The game of a formula and what its text said before the colon.
fn game(inputs: usize, circuit: Circuit, names: Names, settings: Settings) -> Result<Problem, GameError> {
    let mut game = Game::new(inputs, GameMatrix::Circuit(circuit))?;
    game.play(&settings.played.unwrap_or_default())?;
    game.add_stars(settings.stars.unwrap_or(0));
    game.turn = settings.turn.unwrap_or(Player::Max);
    game.rule = settings.rule.unwrap_or(Rule::Any);
    game.names = names;
    Ok(Problem::Game(game))
}

/// Whether a name can be written as it is.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'')
        && keyword(name.as_bytes()).is_none()
}

/// Whether a character can stand between quotation marks.
fn is_quotable(character: char) -> bool {
    character == ' ' || !character.is_whitespace() && !character.is_control()
}

/// Whether a name can be written as it is or between quotation marks.
fn is_writable(name: &str) -> bool {
    (1..=MAX_WORD).contains(&name.len()) && name.chars().all(is_quotable)
}

// ---- writing ----

fn labels(names: &Names) -> Labels<'_> {
    Labels::new(names, is_writable, "x")
}

/// Writes what a variable is called.
fn write_label(labels: &Labels<'_>, var: Var, out: &mut dyn Write) -> io::Result<()> {
    let label = labels.get(var);
    if is_identifier(&label) {
        out.write_all(label.as_bytes())
    } else {
        write!(out, "\"{}\"", label.replace('"', "\"\""))
    }
}

/// How the name of a variable comes into the text.
type WriteName<'a> = &'a mut dyn FnMut(Var, &mut dyn Write) -> io::Result<()>;

fn write_prefix(prefix: &Prefix, labels: &Labels<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    if prefix.is_empty() {
        // Without a prefix it would be a game. An unused variable changes nothing in a quantified formula.
        write!(out, "exists ")?;
        write_label(labels, Var::from_index(0), out)?;
    }
    for (index, block) in prefix.blocks().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        write!(out, "{gap}{}", if block.quantifier == Quantifier::Exists { "exists" } else { "forall" })?;
        for &var in block.vars {
            write!(out, " ")?;
            write_label(labels, var, out)?;
        }
    }
    write!(out, ": ")?;
    Ok(())
}

fn write_qbf(qbf: &Qbf, out: &mut dyn Write) -> Result<(), WriteError> {
    let labels = labels(&qbf.names);
    write_prefix(qbf.prefix(), &labels, out)?;
    write_rows(qbf.matrix(), true, &mut |var, out| write_label(&labels, var, out), out)
}

/// Writes a CNF, or a DNF with the operators exchanged.
fn write_rows(rows: &ClauseArena, cnf: bool, name: WriteName<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let (outer, inner): (&[u8], &[u8]) = if cnf { (b" & ", b" | ") } else { (b" | ", b" & ") };
    let constant = |empty_outer: bool| if empty_outer == cnf { "true" } else { "false" };
    if rows.is_empty() {
        write!(out, "{}", constant(true))?;
    }
    for (index, row) in rows.iter().enumerate() {
        let parentheses = row.len() > 1 && rows.len() > 1;
        out.write_all(if index == 0 { b"" } else { outer })?;
        out.write_all(if parentheses { b"(" } else { b"" })?;
        if row.is_empty() {
            write!(out, "{}", constant(false))?;
        }
        for (index, lit) in row.iter().enumerate() {
            out.write_all(if index == 0 { b"" } else { inner })?;
            out.write_all(if lit.is_negative() { b"!" } else { b"" })?;
            name(lit.var(), out)?;
        }
        out.write_all(if parentheses { b")" } else { b"" })?;
    }
    writeln!(out)?;
    Ok(())
}

fn write_game(game: &Game, out: &mut dyn Write) -> Result<(), WriteError> {
    let formula = |name: WriteName<'_>, out: &mut dyn Write| match game.matrix() {
        GameMatrix::Cnf(rows) => write_rows(rows, true, name, out),
        GameMatrix::Dnf(rows) => write_rows(rows, false, name, out),
        GameMatrix::Circuit(circuit) => write_circuit(circuit, name, out),
    };
    if let GameMatrix::Circuit(circuit) = game.matrix() {
        refuse_explosion(circuit)?;
    }
    // Elements are numbered by their first appearance. If they appear in order, the list goes without saying.
    let (mut met, mut named, mut in_order) = (0, 0, true);
    let mut meet = |var: Var| {
        in_order &= var.index() <= met;
        met += usize::from(var.index() == met);
        named = named.max(var.index() + 1);
    };
    game.played().iter().for_each(|lit| meet(lit.var()));
    let mut mentions = 0;
    formula(
        &mut |var, _| {
            mentions += 1;
            meet(var);
            Ok(())
        },
        &mut io::sink(),
    )?;
    game.names.iter().for_each(|(var, _)| named = named.max(var.index() + 1));
    named = named.min(game.elements());
    let listed = !in_order || met < named;
    refuse_emptiness(named, mentions + game.names.len() + game.played().len())?;
    let labels = labels(&game.names);
    let mut settings = Vec::new();
    if listed {
        settings.push(Setting::Elements(named));
    }
    if game.elements() > named {
        settings.push(Setting::Stars(game.elements() - named));
    }
    if game.turn != Player::Max {
        settings.push(Setting::Word("turn min"));
    }
    if game.rule != Rule::Any {
        settings.push(Setting::Word("rule own"));
    }
    if !game.played().is_empty() {
        settings.push(Setting::Played(game.played()));
    }
    for (index, setting) in settings.iter().enumerate() {
        out.write_all(if index == 0 { b"" } else { b"; " })?;
        setting.write(&labels, out)?;
    }
    out.write_all(if settings.is_empty() { b"" } else { b": " })?;
    formula(&mut |var, out| write_label(&labels, var, out), out)
}

/// What the writer says before a game's colon.
enum Setting<'a> {
    /// The first so many elements.
    Elements(usize),
    Stars(usize),
    Word(&'static str),
    Played(&'a [Lit]),
}

impl Setting<'_> {
    fn write(&self, labels: &Labels<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
        match *self {
            Setting::Elements(number) => {
                write!(out, "elements")?;
                for index in 0..number {
                    write!(out, " ")?;
                    write_label(labels, Var::from_index(index), out)?;
                }
            }
            Setting::Stars(number) if number > Reader::INPUTS => {
                let message = format!("an infix formula has room for {} dead elements; write GAME-SAT", Reader::INPUTS);
                return Err(WriteError::Unsupported(message));
            }
            Setting::Stars(number) => write!(out, "stars {number}")?,
            Setting::Word(words) => write!(out, "{words}")?,
            Setting::Played(lits) => {
                write!(out, "played")?;
                for lit in lits {
                    write!(out, "{}", if lit.is_negative() { " !" } else { " " })?;
                    write_label(labels, lit.var(), out)?;
                }
            }
        }
        Ok(())
    }
}

/// A list names every element up to the last that matters; a game on two billion elements may mention only that one.
fn refuse_emptiness(named: usize, mentions: usize) -> Result<(), WriteError> {
    const ALWAYS: usize = 1 << 20;
    if named > ALWAYS.max(16 * mentions) {
        return Err(WriteError::Unsupported(format!(
            "an infix formula would have to list {named} elements, nearly all of which occur nowhere; write GAME-SAT"
        )));
    }
    Ok(())
}

/// A piece of the text that is still to be written.
enum Piece {
    /// A subformula, in parentheses unless it binds more tightly than the operator around it.
    Formula(Lit, Operator),
    Text(&'static str),
}

fn write_circuit(circuit: &Circuit, name: WriteName<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
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
            out.write_all(if lit.is_negative() { b"!" } else { b"" })?;
            name(lit.var(), out)?;
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
