//! Set colouring games with more colours, `p setcol`, and with a score, `p score`. Grammars: `grammars/setcol.ebnf` and
//! `grammars/score.ebnf`.
//!
//! ```text
//! p setcol cnf 3 2 3        normal form, elements, rows, colours
//! turn min                  who moves next, max if nothing is said
//! colours 2 1 3 0           element 2 has only colours 1 and 3
//! only max 3 0              only MAX may colour element 3
//! played 1=2 0              what is coloured already
//! name 1 a
//! 1=1 2=3 0                 element 1 has colour 1, or element 2 has colour 3
//! 1!=2 3=1 0
//! ```
//!
//! A row of `p score` begins with what it scores, and its literals are those of GAME-SAT: `5 1 -2 0`.

use super::drawn::next_line;
use super::error::{ReadError, WriteError};
use super::gamesat::{MAX_NAME, is_name};
use super::lexer::Lexer;
use super::rows::check_count;
use super::{Syntax, is_header};
use gamesat_core::Problem;
use gamesat_core::formula::{ClauseArena, Colouring, Lit, Names, Player, Rule, Var};
use std::collections::BTreeMap;
use std::io::Write;

/// Games whose elements have any number of colours.
pub(super) struct Setcol;

/// Two-coloured games whose rows score.
pub(super) struct Score;

impl Syntax for Setcol {
    fn name(&self) -> &'static str {
        "setcol"
    }

    fn recognises(&self, line: &str) -> bool {
        is_header(line, self.name())
    }

    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        read(lexer, self.name(), "the header 'p setcol cnf|dnf ELEMENTS ROWS COLOURS'")
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        match problem {
            Problem::Colouring(game) if game.weights().is_none() && game.rule == Rule::Any => write(game, out),
            _ => Err(WriteError::Unsupported("this is no game with colours and without a score".to_owned())),
        }
    }
}

impl Syntax for Score {
    fn name(&self) -> &'static str {
        "score"
    }

    fn recognises(&self, line: &str) -> bool {
        is_header(line, self.name())
    }

    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        read(lexer, self.name(), "the header 'p score cnf|dnf ELEMENTS ROWS'")
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        match problem {
            Problem::Colouring(game) if game.weights().is_some() && game.has_truth_values() => write(game, out),
            _ => Err(WriteError::Unsupported("this is no two-coloured game with a score".to_owned())),
        }
    }
}

/// What is read so far.
struct Reading {
    score: bool,
    elements: usize,
    colours: usize,
    turn: Option<Player>,
    rule: Option<Rule>,
    domains: BTreeMap<Var, u64>,
    only: BTreeMap<Var, Player>,
    played: BTreeMap<Var, usize>,
    order: Vec<Var>,
    names: Names,
}

fn read(lexer: &mut Lexer<'_>, word: &str, header: &str) -> Result<Problem, ReadError> {
    lexer.preamble(header)?;
    if lexer.header_word()? != word.as_bytes() {
        return Err(lexer.unexpected_token("is an unknown header", header));
    }
    let cnf = match lexer.header_word()? {
        b"cnf" => true,
        b"dnf" => false,
        _ => return Err(lexer.unexpected_token("is an unknown normal form", "cnf or dnf")),
    };
    let row_name = if cnf { "clause" } else { "term" };
    let elements = lexer.header_number(Colouring::MOST_ELEMENTS as u64, "the number of elements")?;
    let announced = lexer.header_number(i64::MAX as u64, &format!("the number of {row_name}s"))?;
    let score = word == "score";
    let colours = if score { 2 } else { lexer.header_number(i32::MAX as u64, "the number of colours")? };
    if !(2..=Colouring::MOST_COLOURS).contains(&colours) {
        let expected = format!("2 to {} colours", Colouring::MOST_COLOURS);
        return Err(lexer.error(format!("{colours} is no number of colours"), expected));
    }
    lexer.expect_line_end()?;
    let mut reading = Reading {
        score,
        elements,
        colours,
        turn: None,
        rule: None,
        domains: BTreeMap::new(),
        only: BTreeMap::new(),
        played: BTreeMap::new(),
        order: Vec::new(),
        names: Names::new(),
    };
    let (mut rows, mut weights) = (ClauseArena::new(), Vec::new());
    while next_line(lexer)? {
        if matches!(lexer.peek()?, Some(b'0'..=b'9' | b'-')) {
            weights.extend(if score { Some(weight(lexer)?) } else { None });
            while let Some(lit) = reading.literal(lexer, true)? {
                rows.push_lit(lit);
            }
            rows.finish();
        } else if rows.is_empty() {
            reading.setting(lexer)?;
        } else {
            lexer.word()?;
            return Err(lexer.unexpected_token("stands after the first row", "a row"));
        }
    }
    check_count(lexer, row_name, announced, rows.len())?;
    reading.finish(lexer, cnf, rows, weights)
}

/// What a row scores.
fn weight(lexer: &mut Lexer<'_>) -> Result<i64, ReadError> {
    let most = Colouring::MOST_WEIGHT;
    let number = std::str::from_utf8(lexer.word()?).ok().and_then(digits_with_sign);
    match number {
        Some(number) if (-most..=most).contains(&number) => Ok(number),
        _ => Err(lexer.unexpected_token("is no score of a row", format!("a number from -{most} to {most}"))),
    }
}

/// A number with or without a minus.
fn digits_with_sign(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // What is too long to be read is out of range in any case.
    plain.then(|| text.parse().unwrap_or(i64::MAX))
}

impl Reading {
    /// A line before the first row.
    fn setting(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        match lexer.word()? {
            b"turn" if self.turn.is_some() => return Err(lexer.error("turn is given twice", "")),
            b"rule" if self.rule.is_some() => return Err(lexer.error("rule is given twice", "")),
            b"turn" => {
                self.turn = Some(player(lexer)?);
                lexer.expect_line_end()?;
            }
            b"rule" if self.score => {
                self.rule = Some(match lexer.header_word()? {
                    b"any" => Rule::Any,
                    b"own" => Rule::Own,
                    _ => return Err(lexer.unexpected_token("is an unknown rule", "any or own")),
                });
                lexer.expect_line_end()?;
            }
            b"only" => {
                let player = player(lexer)?;
                while let Some(element) = self.element(lexer)? {
                    if self.only.insert(element, player).is_some() {
                        return Err(lexer.error(format!("element {element} is restricted twice"), ""));
                    }
                }
            }
            b"colours" if !self.score => self.domain(lexer)?,
            b"played" => {
                while let Some(lit) = self.literal(lexer, false)? {
                    let (index, colour) = (lit.var().index() / self.colours, lit.var().index() % self.colours);
                    let element = Var::from_index(index);
                    if self.domains.get(&element).is_some_and(|mask| mask >> colour & 1 == 0) {
                        let message = format!("element {element} cannot get colour {}", colour + 1);
                        return Err(lexer.error(message, "one of its colours"));
                    }
                    if self.played.insert(element, lit.var().index() % self.colours).is_some() {
                        return Err(lexer.error(format!("element {element} is played twice"), ""));
                    }
                    self.order.push(element);
                }
            }
            b"name" => self.name(lexer)?,
            _ if self.score => {
                return Err(lexer.unexpected_token("begins no line", "turn, rule, only, played, name or a row"));
            }
            _ => return Err(lexer.unexpected_token("begins no line", "turn, colours, only, played, name or a row")),
        }
        Ok(())
    }

    /// The colours of an element.
    fn domain(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        lexer.skip_blanks()?;
        let Some(element) = self.element(lexer)? else {
            return Err(lexer.error("element 0 is out of range", format!("an element from 1 to {}", self.elements)));
        };
        let mut mask = 0u64;
        loop {
            self.expect_more(lexer, "colours")?;
            let number = lexer.number(i32::MAX as u64, "a colour, or 0")? as usize;
            match number.checked_sub(1) {
                None => break,
                Some(colour) if colour < self.colours => mask |= 1 << colour,
                Some(_) => {
                    let expected = format!("a colour from 1 to {}", self.colours);
                    return Err(lexer.error(format!("colour {number} is out of range"), expected));
                }
            }
        }
        if mask == 0 {
            return Err(lexer.error(format!("element {element} has no colour"), "a colour before 0"));
        }
        if self.domains.insert(element, mask).is_some() {
            return Err(lexer.error(format!("the colours of element {element} are given twice"), ""));
        }
        lexer.expect_line_end()
    }

    fn name(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        lexer.skip_blanks()?;
        let Some(element) = self.element(lexer)? else {
            return Err(lexer.error("element 0 is out of range", format!("an element from 1 to {}", self.elements)));
        };
        if self.names.get(element).is_some() {
            return Err(lexer.error(format!("element {element} is named twice"), ""));
        }
        if !is_name(lexer.header_word()?) {
            return Err(lexer.unexpected_token("is not a name", format!("a name of at most {MAX_NAME} bytes")));
        }
        let name = String::from_utf8_lossy(lexer.token()).into_owned();
        if !self.names.insert(element, name) {
            return Err(lexer.unexpected_token("names two elements", "a name of its own"));
        }
        lexer.expect_line_end()
    }

    /// Something stands on this line yet.
    fn expect_more(&self, lexer: &mut Lexer<'_>, what: &str) -> Result<(), ReadError> {
        lexer.skip_blanks()?;
        if matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
            return Err(lexer.error(format!("the line of {what} has no final 0"), "0 before the end of the line"));
        }
        Ok(())
    }

    /// An element; `None` for 0, which must end the line unless a colour or a name comes next.
    fn element(&self, lexer: &mut Lexer<'_>) -> Result<Option<Var>, ReadError> {
        self.expect_more(lexer, "elements")?;
        let number = lexer.number(i32::MAX as u64, "an element, or 0")? as usize;
        match number.checked_sub(1) {
            None => {
                lexer.expect_line_end()?;
                Ok(None)
            }
            Some(index) if index < self.elements => Ok(Some(Var::from_index(index))),
            Some(_) => Err(self.out_of_range(lexer, number)),
        }
    }

    fn out_of_range(&self, lexer: &mut Lexer<'_>, number: usize) -> ReadError {
        lexer.error(format!("element {number} is out of range"), format!("an element from 1 to {}", self.elements))
    }

    /// A literal; `None` for the final 0, after which the line ends.
    fn literal(&self, lexer: &mut Lexer<'_>, in_row: bool) -> Result<Option<Lit>, ReadError> {
        self.expect_more(lexer, "literals")?;
        let expected = match (self.score, in_row) {
            (true, _) => "a literal or 0",
            (false, true) => "V=C, V!=C or 0",
            (false, false) => "V=C or 0",
        };
        let token = String::from_utf8_lossy(lexer.word()?).into_owned();
        if !token.is_empty() && token.bytes().all(|byte| byte == b'0') {
            lexer.expect_line_end()?;
            return Ok(None);
        }
        let wrong = |lexer: &mut Lexer<'_>| lexer.unexpected_token("is no literal", expected);
        if self.score {
            let Some(number) = digits_with_sign(&token).filter(|&number| number != 0) else { return Err(wrong(lexer)) };
            let element = usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX);
            if element > self.elements {
                return Err(self.out_of_range(lexer, element));
            }
            return Ok(Some(Var::from_index(2 * (element - 1) + usize::from(number < 0)).positive()));
        }
        let (text, colour, positive) = match (token.split_once("!="), token.split_once('=')) {
            (Some((element, colour)), _) if in_row => (element, colour, false),
            (None, Some((element, colour))) => (element, colour, true),
            _ => return Err(wrong(lexer)),
        };
        let number = |text: &str| digits_with_sign(text).filter(|&number| number >= 0 && !text.starts_with('-'));
        let (Some(element), Some(colour)) = (number(text), number(colour)) else { return Err(wrong(lexer)) };
        if element == 0 || element > self.elements as i64 {
            return Err(self.out_of_range(lexer, element as usize));
        }
        if colour == 0 || colour > self.colours as i64 {
            let expected = format!("a colour from 1 to {}", self.colours);
            return Err(lexer.error(format!("colour {colour} is out of range"), expected));
        }
        let atom = Var::from_index((element as usize - 1) * self.colours + colour as usize - 1);
        Ok(Some(atom.lit(positive)))
    }

    fn finish(
        self,
        lexer: &mut Lexer<'_>,
        cnf: bool,
        rows: ClauseArena,
        weights: Vec<i64>,
    ) -> Result<Problem, ReadError> {
        let built = Colouring::new(self.elements, self.colours, cnf, rows).and_then(|mut game| {
            if self.score {
                game = game.with_weights(weights);
            }
            self.domains.iter().for_each(|(&element, &mask)| game.set_domain(element, mask));
            self.only.iter().for_each(|(&element, &player)| game.restrict(element, player));
            let played: Vec<Lit> =
                self.order.iter().map(|&element| game.atom(element, self.played[&element])).collect();
            game.play(&played)?;
            Ok(game)
        });
        let mut game = built.map_err(|error| lexer.error(error.to_string(), ""))?;
        game.turn = self.turn.unwrap_or(Player::Max);
        game.rule = self.rule.unwrap_or(Rule::Any);
        game.names = self.names;
        Ok(Problem::Colouring(game))
    }
}

/// A player at the cursor.
pub(super) fn player(lexer: &mut Lexer<'_>) -> Result<Player, ReadError> {
    match lexer.header_word()? {
        b"max" => Ok(Player::Max),
        b"min" => Ok(Player::Min),
        _ => Err(lexer.unexpected_token("is no player", "max or min")),
    }
}

/// Writes a game in whichever of the two formats holds it.
fn write(game: &Colouring, out: &mut dyn Write) -> Result<(), WriteError> {
    if let Some((var, name)) = game.names.iter().find(|(_, name)| !is_name(name.as_bytes())) {
        return Err(WriteError::Unsupported(format!("element {var}'s name '{name}' cannot stand in such a file")));
    }
    let form = if game.is_conjunction() { "cnf" } else { "dnf" };
    let score = game.weights().is_some();
    if score {
        writeln!(out, "p score {form} {} {}", game.elements(), game.rows().len())?;
    } else {
        writeln!(out, "p setcol {form} {} {} {}", game.elements(), game.rows().len(), game.colours())?;
    }
    writeln!(out, "turn {}", game.turn)?;
    if score {
        writeln!(out, "rule {}", game.rule)?;
    }
    for (var, mask) in game.domains() {
        let colours: Vec<String> =
            (0..game.colours()).filter(|c| mask >> c & 1 != 0).map(|c| (c + 1).to_string()).collect();
        writeln!(out, "colours {var} {} 0", colours.join(" "))?;
    }
    write_restrictions(game, out)?;
    let literal = |lit: Lit| -> String {
        let (element, colour) = (game.element(lit), game.colour(lit));
        match (score, lit.is_positive()) {
            (true, positive) => format!("{}{element}", if (colour == 0) == positive { "" } else { "-" }),
            (false, true) => format!("{element}={}", colour + 1),
            (false, false) => format!("{element}!={}", colour + 1),
        }
    };
    if !game.played().is_empty() {
        let played: Vec<String> = game.played().iter().map(|&atom| literal(atom)).collect();
        writeln!(out, "played {} 0", played.join(" "))?;
    }
    for (var, name) in game.names.iter() {
        writeln!(out, "name {var} {name}")?;
    }
    for (at, row) in game.rows().iter().enumerate() {
        if let Some(weights) = game.weights() {
            write!(out, "{} ", weights[at])?;
        }
        for &lit in row {
            write!(out, "{} ", literal(lit))?;
        }
        writeln!(out, "0")?;
    }
    Ok(())
}

/// The lines `only`, one for each player who has elements alone.
pub(super) fn write_restrictions(game: &Colouring, out: &mut dyn Write) -> Result<(), WriteError> {
    for player in [Player::Max, Player::Min] {
        let own: Vec<String> =
            game.restrictions().filter(|&(_, owner)| owner == player).map(|(var, _)| var.to_string()).collect();
        if !own.is_empty() {
            writeln!(out, "only {player} {} 0", own.join(" "))?;
        }
    }
    Ok(())
}
