//! GAME-SAT files: a CNF or DNF, whose turn it is, which colours are allowed and played. Grammar: `grammars/gamesat.ebnf`.

use super::colouring::{player, write_restrictions};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::rows::{LITERAL, RowChecks, RowWriter, check_count, read_rows};
use super::{Syntax, is_header};
use gamesat_core::Problem;
use gamesat_core::formula::{
    ClauseArena, Colouring, Game, GameError, GameMatrix, Lit, Names, Player, Rule, Var, VarSet,
};
use std::collections::BTreeMap;
use std::io::Write;

const HEADER: &str = "the header 'p gamesat cnf|dnf ELEMENTS ROWS'";
const ROW: &str = "turn, rule, played, only, name, a literal or 0";

/// The longest name, in bytes.
pub(super) const MAX_NAME: usize = 255;

pub(super) struct Gamesat;

impl Syntax for Gamesat {
    fn name(&self) -> &'static str {
        "gamesat"
    }

    fn recognises(&self, line: &str) -> bool {
        is_header(line, self.name())
    }

    fn read(&self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        lexer.preamble(HEADER)?;
        if lexer.header_word()? != b"gamesat" {
            return Err(lexer.unexpected_token("is an unknown header", HEADER));
        }
        let cnf = match lexer.header_word()? {
            b"cnf" => true,
            b"dnf" => false,
            _ => return Err(lexer.unexpected_token("is an unknown normal form", "cnf or dnf")),
        };
        let row = if cnf { "clause" } else { "term" };
        let elements = lexer.header_number(Var::LIMIT as u64, "the number of elements")?;
        let announced = lexer.header_number(i64::MAX as u64, &format!("the number of {row}s"))?;
        lexer.expect_line_end()?;
        let mut position = Position { elements: elements as i32, ..Position::default() };
        position.header(lexer)?;
        let rows = read_rows(lexer, row, elements as i32, &mut position)?;
        check_count(lexer, row, announced, rows.len())?;
        if !position.only.is_empty() {
            return position.restricted(lexer, cnf, &rows);
        }
        let matrix = if cnf { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
        let game = Game::new(elements, matrix).and_then(|mut game| {
            game.play(&position.played)?;
            Ok(game)
        });
        let mut game = game.map_err(|error| lexer.error(error.to_string(), ""))?;
        game.turn = position.turn.unwrap_or(Player::Max);
        game.rule = position.rule.unwrap_or(Rule::Any);
        game.names = position.names;
        Ok(Problem::Game(game))
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let game = match problem {
            Problem::Game(game) => game,
            Problem::Colouring(game) if game.has_truth_values() && game.weights().is_none() => {
                return write_restricted(game, out);
            }
            Problem::Qbf(_) | Problem::Circuit(_) => {
                let error = "GAME-SAT holds two-coloured games; this is a quantified formula";
                return Err(WriteError::Unsupported(error.to_owned()));
            }
            _ => return Err(WriteError::Unsupported("GAME-SAT holds two-coloured games; this is none".to_owned())),
        };
        let (form, rows) = match game.matrix() {
            GameMatrix::Cnf(rows) => ("cnf", rows),
            GameMatrix::Dnf(rows) => ("dnf", rows),
            GameMatrix::Circuit(_) => {
                let message = "GAME-SAT holds games in normal form; convert the circuit to a CNF or DNF first";
                return Err(WriteError::Unsupported(message.to_owned()));
            }
        };
        let unfit = |name: &str| !is_name(name.as_bytes());
        if let Some((var, name)) = game.names.iter().find(|(_, name)| unfit(name)) {
            return Err(WriteError::Unsupported(format!(
                "element {var}'s name '{name}' cannot stand in a GAME-SAT file"
            )));
        }
        writeln!(out, "p gamesat {form} {} {}", game.elements(), rows.len())?;
        writeln!(out, "turn {}", game.turn)?;
        writeln!(out, "rule {}", game.rule)?;
        let mut writer = RowWriter::new(out);
        if !game.played().is_empty() {
            writer.word("played");
            writer.row(game.played().iter().map(|lit| lit.to_dimacs()))?;
        }
        for (var, name) in game.names.iter() {
            writer.line(&format!("name {var} {name}"))?;
        }
        for row in rows {
            writer.row(row.iter().map(|lit| lit.to_dimacs()))?;
        }
        writer.flush()
    }
}

/// Writes a two-coloured game with elements for one player alone.
fn write_restricted(game: &Colouring, out: &mut dyn Write) -> Result<(), WriteError> {
    if game.domains().next().is_some() {
        return Err(WriteError::Unsupported("GAME-SAT has both colours for every element".to_owned()));
    }
    let truth = |&lit: &Lit| game.element(lit).lit((game.colour(lit) == 0) == lit.is_positive());
    let rows: ClauseArena = game.rows().iter().map(|row| row.iter().map(truth).collect::<Vec<Lit>>()).collect();
    let matrix = if game.is_conjunction() { GameMatrix::Cnf(rows) } else { GameMatrix::Dnf(rows) };
    let unfit = |error: GameError| WriteError::Unsupported(error.to_string());
    let mut plain = Game::new(game.elements(), matrix).map_err(unfit)?;
    plain.play(&game.played().iter().map(truth).collect::<Vec<Lit>>()).map_err(unfit)?;
    (plain.turn, plain.rule, plain.names) = (game.turn, game.rule, game.names.clone());
    let mut text = Vec::new();
    Gamesat.write(&Problem::Game(plain), &mut text)?;
    // The restrictions stand behind the header.
    let header = text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| end + 1);
    out.write_all(&text[..header])?;
    write_restrictions(game, out)?;
    out.write_all(&text[header..])?;
    Ok(())
}

/// Whether a name can stand in a file: printable text without white space.
pub(super) fn is_name(name: &[u8]) -> bool {
    (1..=MAX_NAME).contains(&name.len())
        && std::str::from_utf8(name).is_ok_and(|name| !name.contains(|c: char| c.is_whitespace() || c.is_control()))
}

/// What the lines between the header and the first row say.
#[derive(Default)]
struct Position {
    elements: i32,
    turn: Option<Player>,
    rule: Option<Rule>,
    played: Vec<Lit>,
    coloured: VarSet,
    only: BTreeMap<Var, Player>,
    names: Names,
}

impl Position {
    /// Reads the lines up to the first byte of the first row.
    fn header(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        loop {
            match lexer.next_row()? {
                None | Some(b'0'..=b'9' | b'-') => return Ok(()),
                Some(_) => {}
            }
            match lexer.word()? {
                b"turn" if self.turn.is_some() => return Err(lexer.error("turn is given twice", "")),
                b"turn" => {
                    self.turn = Some(player(lexer)?);
                    lexer.expect_line_end()?;
                }
                b"rule" if self.rule.is_some() => return Err(lexer.error("rule is given twice", "")),
                b"rule" => {
                    self.rule = Some(match lexer.header_word()? {
                        b"any" => Rule::Any,
                        b"own" => Rule::Own,
                        _ => return Err(lexer.unexpected_token("is an unknown rule", "any or own")),
                    });
                    lexer.expect_line_end()?;
                }
                b"played" => self.read_played(lexer)?,
                b"only" => self.read_only(lexer)?,
                b"name" => self.read_name(lexer)?,
                _ => return Err(lexer.unexpected_token("is not a number", ROW)),
            }
        }
    }

    fn read_played(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        loop {
            if lexer.next_in_row()?.is_none() {
                return Err(lexer.unfinished("line 'played'"));
            }
            let literal = lexer.literal(LITERAL)?;
            if literal == 0 {
                return Ok(());
            }
            let lit = Lit::from_dimacs(literal);
            if lit.var().to_dimacs() > self.elements {
                self.beyond(lexer, lit.var())?;
            }
            if !self.coloured.insert(lit.var()) {
                return Err(lexer.error(format!("element {} is played twice", lit.var()), ""));
            }
            self.played.push(lit);
        }
    }

    fn read_only(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        let player = player(lexer)?;
        loop {
            if lexer.next_in_row()?.is_none() {
                return Err(lexer.unfinished("line 'only'"));
            }
            let number = lexer.number(i32::MAX as u64, "an element or 0")?;
            if number == 0 {
                return Ok(());
            }
            let var = Var::from_index(number as usize - 1);
            if number > self.elements as u64 {
                self.beyond(lexer, var)?;
            }
            if self.only.insert(var, player).is_some() {
                return Err(lexer.error(format!("element {var} is restricted twice"), ""));
            }
        }
    }

    /// The game with elements for one player alone.
    fn restricted(self, lexer: &mut Lexer<'_>, cnf: bool, rows: &ClauseArena) -> Result<Problem, ReadError> {
        let atom = |lit: &Lit| Var::from_index(2 * lit.var().index() + usize::from(lit.is_negative())).positive();
        let atoms = rows.iter().map(|row| row.iter().map(atom).collect::<Vec<Lit>>()).collect();
        let game = Colouring::new(self.elements as usize, 2, cnf, atoms).and_then(|mut game| {
            self.only.iter().for_each(|(&var, &player)| game.restrict(var, player));
            game.play(&self.played.iter().map(atom).collect::<Vec<Lit>>())?;
            Ok(game)
        });
        let mut game = game.map_err(|error| lexer.error(error.to_string(), ""))?;
        game.turn = self.turn.unwrap_or(Player::Max);
        game.rule = self.rule.unwrap_or(Rule::Any);
        game.names = self.names;
        Ok(Problem::Colouring(game))
    }

    fn read_name(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        lexer.skip_blanks()?;
        let number = lexer.number(i32::MAX as u64, "an element")?;
        if number == 0 || number > self.elements as u64 {
            let message = format!("element {number} is out of range");
            return Err(lexer.error(message, format!("an element from 1 to {}", self.elements)));
        }
        let var = Var::from_index(number as usize - 1);
        if self.names.get(var).is_some() {
            return Err(lexer.error(format!("element {number} is named twice"), ""));
        }
        if !is_name(lexer.header_word()?) {
            return Err(lexer.unexpected_token("is not a name", format!("a name of at most {MAX_NAME} bytes")));
        }
        let name = String::from_utf8_lossy(lexer.token()).into_owned();
        if !self.names.insert(var, name) {
            return Err(lexer.unexpected_token("names two elements", "a name of its own"));
        }
        lexer.expect_line_end()
    }
}

impl RowChecks for Position {
    fn beyond(&mut self, lexer: &mut Lexer<'_>, var: Var) -> Result<i32, ReadError> {
        let expected = format!("an element from 1 to {}", self.elements);
        Err(lexer.error(format!("element {var} is out of range"), expected))
    }

    fn strict(&mut self, _: &mut Lexer<'_>, _: Lit) -> Result<(), ReadError> {
        Ok(())
    }

    fn other(&mut self, lexer: &mut Lexer<'_>) -> Result<bool, ReadError> {
        match lexer.word()? {
            b"turn" | b"rule" | b"played" | b"only" | b"name" => {
                Err(lexer.unexpected_token("stands after the first row", LITERAL))
            }
            b"p" => Err(lexer.error("a second header", LITERAL)),
            _ => Err(lexer.unexpected_token("is not a number", LITERAL)),
        }
    }
}
