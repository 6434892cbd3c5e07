//! Reading: operator precedence with two explicit stacks.

use super::tokens::{NEAR_WORDS, Operator, Token, Tokens};
use crate::error::ReadError;
use crate::labels::FreeNames;
use crate::lexer::{Lexer, shortened};
use crate::slip;
use gamesat_core::Problem;
use gamesat_core::formula::{
    Circuit, CircuitBuilder, Game, GameError, GameMatrix, GateKind, Lit, Names, Player, Prefix, QuantifiedCircuit,
    Rule, Var, VarSet,
};

const OPERAND: &str = "a variable, '!', '(', 'true' or 'false'";
const SETTING: &str = "elements, stars, turn, rule or played";

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

pub(super) struct Reader<'r, 's> {
    tokens: Tokens<'r, 's>,
    names: Names,
    settings: Settings,
    prefix: Prefix,
    quantified: bool,
    builder: CircuitBuilder,
    operators: Vec<Operator>,
    operands: Vec<Lit>,
    open: usize,
    /// Operands and gates built so far.
    size: usize,
    /// The first word and its place, if nothing says that the text is a formula: it must not be all there is.
    alone: Option<(String, (u64, u64))>,
    /// Variables that are not quantified.
    free: FreeNames,
}

impl<'r, 's> Reader<'r, 's> {
    /// Inputs and gates each get half of the variables until the number of inputs is known.
    pub(super) const INPUTS: usize = Var::LIMIT / 2;

    pub(super) fn new(lexer: &'r mut Lexer<'s>) -> Self {
        Reader {
            tokens: Tokens::new(lexer),
            names: Names::new(),
            settings: Settings::default(),
            prefix: Prefix::new(),
            quantified: false,
            builder: CircuitBuilder::new(Self::INPUTS),
            operators: Vec::new(),
            operands: Vec::new(),
            open: 0,
            size: 0,
            alone: None,
            free: FreeNames::default(),
        }
    }

    pub(super) fn read(mut self) -> Result<Problem, ReadError> {
        let first = self.tokens.next()?;
        if self.tokens.lexer.refuses_word && matches!(first, Token::Name | Token::Constant(_)) {
            let word = String::from_utf8_lossy(self.tokens.lexer.token()).into_owned();
            self.alone = Some((word, self.tokens.lexer.token_place()));
        }
        let output = match first {
            token @ Token::Quantifier(_) => {
                let token = self.prefix(token)?;
                self.formula(token)?
            }
            Token::Name if is_setting(self.tokens.lexer.token()) => {
                let word = self.tokens.lexer.token().to_vec();
                let token = self.tokens.next()?;
                if token.is_name() || matches!(token, Token::Not | Token::Number) {
                    self.alone = None;
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
        if let Some(message) = self.free.message() {
            self.tokens.lexer.note(message);
        }
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
        problem.map_err(|message| self.tokens.lexer.error(message, ""))
    }

    // ---- what stands before the colon ----

    /// Reads the settings of a game from the first word on, `token` being the one behind it, and returns the token
    /// after the colon.
    fn settings(&mut self, mut word: Vec<u8>, mut token: Token) -> Result<Token, ReadError> {
        loop {
            token = self.setting(&word, token)?;
            match token {
                Token::Semicolon => {}
                Token::Colon => return self.tokens.next(),
                _ => return Err(self.unexpected(token, "';' and another setting, or ':' and the formula")),
            }
            token = self.tokens.next()?;
            if token != Token::Name || !is_setting(self.tokens.lexer.token()) {
                return Err(self.unexpected(token, SETTING));
            }
            word.clear();
            word.extend_from_slice(self.tokens.lexer.token());
            let settings = &self.settings;
            let given = match &word[..] {
                b"elements" if settings.played.is_some() => {
                    return Err(self
                        .tokens
                        .lexer
                        .unexpected_token("stand after what is played", "the elements before it"));
                }
                b"elements" => settings.listed,
                b"stars" => settings.stars.is_some(),
                b"turn" => settings.turn.is_some(),
                b"rule" => settings.rule.is_some(),
                _ => settings.played.is_some(),
            };
            if given {
                return Err(self.tokens.lexer.unexpected_token("is given twice", ""));
            }
            token = self.tokens.next()?;
        }
    }

    /// Reads what a setting says from its first token on, and returns the token behind it.
    fn setting(&mut self, word: &[u8], token: Token) -> Result<Token, ReadError> {
        match word {
            b"elements" => {
                let token = self.list(token, false, "an element", |reader, token| {
                    let known = reader.names.len();
                    if reader.variable(token)?.var().index() < known {
                        return Err(reader.tokens.lexer.unexpected_token("is listed twice", ""));
                    }
                    reader.tokens.next()
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
                        token = reader.tokens.next()?;
                    }
                    if !token.is_name() {
                        return Err(reader.unexpected(token, "an element"));
                    }
                    let element = reader.variable(token)?;
                    if !coloured.insert(element.var()) {
                        return Err(reader.tokens.lexer.unexpected_token("is played twice", ""));
                    }
                    played.push(if negative { !element } else { element });
                    reader.tokens.next()
                })?;
                self.settings.played = Some(played);
                return Ok(token);
            }
            b"stars" if token == Token::Number => {
                let largest = Self::INPUTS;
                let digits = std::str::from_utf8(self.tokens.lexer.token()).unwrap_or_default();
                match digits.parse() {
                    Ok(stars) if stars <= largest => self.settings.stars = Some(stars),
                    _ => return Err(self.tokens.lexer.unexpected_token("is too large", format!("at most {largest}"))),
                }
            }
            b"turn" if token == Token::Name && self.tokens.lexer.token() == b"max" => {
                self.settings.turn = Some(Player::Max)
            }
            b"turn" if token == Token::Name && self.tokens.lexer.token() == b"min" => {
                self.settings.turn = Some(Player::Min)
            }
            b"rule" if token == Token::Name && self.tokens.lexer.token() == b"any" => {
                self.settings.rule = Some(Rule::Any)
            }
            b"rule" if token == Token::Name && self.tokens.lexer.token() == b"own" => {
                self.settings.rule = Some(Rule::Own)
            }
            _ => {
                let expected = match word {
                    b"stars" => "a number",
                    b"turn" => "max or min",
                    _ => "any or own",
                };
                return Err(self.unexpected(token, expected));
            }
        }
        self.tokens.next()
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
                token = self.tokens.next()?;
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
                self.tokens.lexer.tolerate("this block has the same quantifier as the one before")?;
            }
            last = Some(quantifier);
            token = self.tokens.next()?;
            token = self.list(token, false, "a variable", |reader, token| {
                let known = reader.names.len();
                let var = reader.variable(token)?.var();
                if var.index() < known {
                    let name = shortened(reader.tokens.lexer.token());
                    return Err(reader.tokens.lexer.error(format!("variable '{name}' is quantified twice"), ""));
                }
                reader.prefix.push_var(quantifier, var);
                reader.tokens.next()
            })?;
            match token {
                Token::Colon => {
                    token = self.tokens.next()?;
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
        let token = self.tokens.next()?;
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
                        self.tokens.lexer.tolerate("this variable is not quantified")?;
                        if variable.var().index() == self.prefix.vars().len() + self.free.len() {
                            self.free.add(self.names.get(variable.var()).unwrap_or_default());
                        }
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
            token = self.tokens.next()?;
        }
    }

    /// Reads on after an operand, `token` being next, to the end of the input.
    fn rest(&mut self, mut token: Token) -> Result<Lit, ReadError> {
        if let Some((word, place)) = self.alone.take().filter(|_| token == Token::End) {
            let short = shortened(word.as_bytes());
            let expected = format!("'({short})' if that is a formula, {}", slip::beginnings());
            let lexer = &self.tokens.lexer;
            return Err(lexer.error_at(place, &word, format!("'{short}' is a single word"), &expected));
        }
        loop {
            match token {
                Token::Operator(operator) => {
                    self.build(operator)?;
                    self.operators.push(operator);
                    token = self.tokens.next()?;
                    self.first_operand(token)?;
                }
                Token::Close if self.open > 0 => {
                    self.build(Operator::Open)?;
                    self.operators.pop();
                    self.open -= 1;
                    let Some(inner) = self.operands.pop() else { return Err(self.unexpected(token, OPERAND)) };
                    self.operand(inner);
                }
                Token::End if self.open == 0 => {
                    self.build(Operator::Open)?;
                    return self.operands.pop().ok_or_else(|| self.unexpected(token, OPERAND));
                }
                _ if self.open > 0 => return Err(self.unexpected(token, "an operator or ')'")),
                _ => return Err(self.unexpected(token, "an operator or the end of the formula")),
            }
            token = self.tokens.next()?;
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
    fn build(&mut self, next: Operator) -> Result<(), ReadError> {
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
            return Err(self.tokens.lexer.error("the formula is too long", ""));
        }
        let start = self.operands.len() - operands;
        let gate = self.builder.gate(kind, &self.operands[start..]);
        self.operands.truncate(start);
        Ok(gate)
    }

    /// The input whose name was just read.
    fn variable(&mut self, token: Token) -> Result<Lit, ReadError> {
        let name = if token == Token::Quoted { self.tokens.quoted.as_bytes() } else { self.tokens.lexer.token() };
        if let Some(var) = self.names.find_bytes(name) {
            return Ok(var.positive());
        }
        let name = name.to_vec();
        if self.settings.listed {
            self.tokens.lexer.tolerate("this element is not listed")?;
        }
        self.variable_named(&name)
    }

    /// The input of that name.
    fn variable_named(&mut self, name: &[u8]) -> Result<Lit, ReadError> {
        if self.names.len() >= Self::INPUTS {
            return Err(self.tokens.lexer.error("there are too many names", ""));
        }
        let var = Var::from_index(self.names.len());
        self.names.insert(var, String::from_utf8_lossy(name));
        Ok(var.positive())
    }

    #[cold]
    fn unexpected(&mut self, token: Token, expected: &str) -> ReadError {
        let what = match token {
            Token::End => {
                self.tokens.lexer.mark_end();
                let nothing = self.operands.is_empty() && self.operators.is_empty() && !self.quantified;
                let message = if nothing { "there is no formula" } else { "the formula ends too early" };
                return self.tokens.lexer.error(message, expected);
            }
            Token::Number => {
                self.tokens.lexer.rewind();
                let what = "is not a name (constants are true and false; DIMACS needs a 'p' line)";
                return self.tokens.lexer.unexpected(what, OPERAND);
            }
            Token::Name => {
                let word = String::from_utf8_lossy(self.tokens.lexer.token()).to_lowercase();
                if let Some((_, meant)) = NEAR_WORDS.iter().find(|(near, _)| *near == word) {
                    return self.tokens.lexer.unexpected_token("is not an operator", *meant);
                }
                "cannot stand here"
            }
            Token::Quantifier(_) => "stands inside the formula; quantifiers come first, before a ':'",
            Token::Close if self.open == 0 => "closes nothing",
            _ => "cannot stand here",
        };
        self.tokens.lexer.unexpected_token(what, expected)
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
