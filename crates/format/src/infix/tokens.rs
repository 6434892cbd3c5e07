//! The tokens of infix formulas, and which names can be written how.

use crate::error::ReadError;
use crate::lexer::{Class, Lexer, MAX_WORD, alphanumeric_and};
use gamesat_core::formula::Quantifier;

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

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Name,
    /// A name between quotation marks; its text is in [`Tokens::quoted`].
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
    pub(super) fn is_name(self) -> bool {
        matches!(self, Token::Name | Token::Quoted)
    }
}

/// What waits on the operator stack, in ascending precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operator {
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
pub(super) const NEAR_WORDS: &[(&str, &str)] = &[
    ("and", "'and' or '&'"),
    ("or", "'or' or '|'"),
    ("xor", "'^'"),
    ("iff", "'<->'"),
    ("equals", "'<->'"),
    ("implies", "'->'"),
    ("then", "'->'"),
];

/// Cuts a text into tokens.
pub(super) struct Tokens<'r, 's> {
    pub(super) lexer: &'r mut Lexer<'s>,
    /// The name of the last [`Token::Quoted`].
    pub(super) quoted: String,
}

impl<'r, 's> Tokens<'r, 's> {
    pub(super) fn new(lexer: &'r mut Lexer<'s>) -> Self {
        Tokens { lexer, quoted: String::new() }
    }

    /// Reads the next token; its text is the lexer's current token.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Token, ReadError> {
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

/// Whether a name can be written as it is.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'')
        && keyword(name.as_bytes()).is_none()
}

/// Whether a character can stand between quotation marks.
fn is_quotable(character: char) -> bool {
    character == ' ' || !character.is_whitespace() && !character.is_control()
}

/// Whether a name can be written as it is or between quotation marks.
pub(super) fn is_writable(name: &str) -> bool {
    (1..=MAX_WORD).contains(&name.len()) && name.chars().all(is_quotable)
}
