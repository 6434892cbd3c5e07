//! Hex games in SGF (`GM[11]`): setup stones and the moves of the main line, or the first of them. Grammar:
//! `grammars/sgf.ebnf`.
//!
//! Cells are written `c3` as HexGui does, or with two letters as in other SGF games. Properties that say nothing about
//! the position are passed over. Variations are parsed, but only the first one at every branch, the main line, is played.

use super::Syntax;
use super::drawn::{board_of, unbounded, unfit};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use crate::Problem;
use crate::rules::{Board, Grid, Hex, MAX_SIDE, Side, parse_cell};
use std::io::Write;

const CELL: &str = "a cell such as c3";
/// The longest value of a property that matters here.
const MAX_VALUE: usize = 64;

pub(super) struct Sgf;

impl Syntax for Sgf {
    fn name(&self) -> &'static str {
        "sgf"
    }

    fn recognises(&self, line: &str) -> bool {
        line.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'))
    }

    fn read(&self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        let mut reader = Reader { ply: lexer.ply, ..Reader::default() };
        reader.tree(lexer)?;
        lexer.mark();
        if !reader.hex {
            lexer.tolerate("the file does not say that it is Hex")?;
        }
        if let Some(ply) = reader.ply.filter(|&ply| ply > reader.moves) {
            let moves = reader.moves;
            return Err(lexer.error(format!("the main line has {moves} moves"), format!("at least {ply} of them")));
        }
        let Some(mut board) = reader.board else {
            return Err(lexer.error("the board has no size", "the property SZ[n] or SZ[columns:rows]"));
        };
        board.turn = reader.turn.or(reader.moved.map(|side: Side| !side)).unwrap_or_else(|| board.turn_by_count());
        Ok(Problem::Board(board))
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let Some(board) = board_of(problem) else { return Err(unfit("hex")) };
        let Some(Hex(grid)) = board.rules_as() else { return Err(unfit("hex")) };
        unbounded(board)?;
        if board.max == Side::Second {
            return Err(WriteError::Unsupported("SGF cannot say that White is MAX".to_owned()));
        }
        write!(out, "(;FF[4]GM[11]")?;
        if grid.columns == grid.rows {
            write!(out, "SZ[{}]", grid.rows)?;
        } else {
            write!(out, "SZ[{}:{}]", grid.columns, grid.rows)?;
        }
        for (property, side) in [("AB", Side::First), ("AW", Side::Second)] {
            let stones: Vec<usize> = (0..board.elements()).filter(|&e| board.stone(e) == Some(side)).collect();
            if !stones.is_empty() {
                write!(out, "{property}")?;
            }
            for element in stones {
                write!(out, "[{}]", board.name(element))?;
            }
        }
        writeln!(out, "PL[{}])", if board.turn == Side::First { "B" } else { "W" })?;
        Ok(())
    }
}

/// What was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Nothing.
    Start,
    /// The beginning of a tree: a node must follow.
    Tree,
    /// A node or a property of it.
    Node,
    /// The end of a variation: more of them may follow.
    Variation,
}

#[derive(Default)]
struct Reader {
    /// How many moves to play.
    ply: Option<usize>,
    /// How many were played.
    moves: usize,
    /// Whether all that were asked for are played, and another one comes.
    done: bool,
    grid: Option<Grid>,
    hex: bool,
    board: Option<Board>,
    /// What PL says.
    turn: Option<Side>,
    /// Who made the last move.
    moved: Option<Side>,
}

impl Reader {
    /// The main line: everything up to the first closing parenthesis. What follows is only checked for balance.
    fn tree(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        let (mut depth, mut main) = (0usize, true);
        let mut at = At::Start;
        loop {
            lexer.skip_space()?;
            lexer.mark();
            match lexer.peek()? {
                Some(b'(') if at != At::Tree => {
                    lexer.advance(1);
                    depth += 1;
                    at = At::Tree;
                }
                Some(b')') if matches!(at, At::Node | At::Variation) => {
                    lexer.advance(1);
                    main = false;
                    depth -= 1;
                    at = At::Variation;
                    if depth == 0 {
                        return Ok(()); // a collection may hold more games: the first one counts
                    }
                }
                Some(b';') if matches!(at, At::Tree | At::Node) => {
                    lexer.advance(1);
                    at = At::Node;
                }
                Some(b'A'..=b'Z' | b'a'..=b'z') if at == At::Node => self.property(lexer, main)?,
                Some(_) => {
                    let character = lexer.character()?;
                    lexer.advance(character.len_utf8());
                    let expected = match at {
                        At::Start => "'(;'",
                        At::Tree => "';'",
                        At::Node => "';', '(', ')' or a property",
                        At::Variation => "'(' or ')'",
                    };
                    return Err(lexer.unexpected_token("is no part of a game tree", expected));
                }
                None => return Err(lexer.error("the file ends inside a game tree", "')'")),
            }
        }
    }

    fn property(&mut self, lexer: &mut Lexer<'_>, main: bool) -> Result<(), ReadError> {
        let mut name = String::new();
        while let Some(byte @ (b'A'..=b'Z' | b'a'..=b'z')) = lexer.peek()? {
            // Old files write lower-case letters in between, which do not count.
            if byte.is_ascii_uppercase() && name.len() < 8 {
                name.push(char::from(byte));
            }
            lexer.advance(1);
        }
        let mut values = 0;
        loop {
            lexer.skip_space()?;
            if lexer.peek()? != Some(b'[') {
                break;
            }
            lexer.advance(1);
            lexer.mark();
            let value = read_value(lexer)?;
            values += 1;
            if main && !self.done {
                self.value(lexer, &name, value.trim())?;
            }
            lexer.advance(1); // the closing bracket, which the error should not point at
        }
        lexer.mark();
        if values == 0 { Err(lexer.error(format!("property {name} has no value"), "'['")) } else { Ok(()) }
    }

    fn value(&mut self, lexer: &mut Lexer<'_>, name: &str, value: &str) -> Result<(), ReadError> {
        match name {
            "GM" => {
                self.hex = value == "11";
                if !self.hex {
                    return Err(refused(lexer, value, "is not Hex", "11, the number of Hex"));
                }
            }
            "SZ" => self.size(lexer, value)?,
            "PL" => {
                self.turn = Some(match value {
                    "B" | "b" | "1" | "black" | "Black" => Side::First,
                    "W" | "w" | "2" | "white" | "White" => Side::Second,
                    _ => return Err(refused(lexer, value, "is no player", "B or W")),
                });
            }
            "AB" | "AW" => {
                let side = if name == "AB" { Side::First } else { Side::Second };
                self.stone(lexer, value, side)?;
            }
            "AE" => return Err(lexer.error("stones cannot be taken off", "AB or AW")),
            "B" | "W" => {
                let side = if name == "B" { Side::First } else { Side::Second };
                if self.ply == Some(self.moves) {
                    (self.done, self.turn) = (true, Some(side));
                    return Ok(());
                }
                self.moves += 1;
                self.turn = None;
                self.moved = Some(side);
                match value {
                    "" | "pass" | "resign" | "forfeit" => {}
                    "swap-pieces" => self.swap_pieces(lexer)?,
                    // The players change places: the stone stays, and its colour has moved.
                    "swap" | "swap-sides" => self.moved = Some(self.opening(lexer)?.1),
                    _ => self.stone(lexer, value, side)?,
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn size(&mut self, lexer: &mut Lexer<'_>, value: &str) -> Result<(), ReadError> {
        let (columns, rows) = value.split_once(':').unwrap_or((value, value));
        let side = |text: &str| text.trim().parse::<usize>().ok().filter(|side| (1..=MAX_SIDE).contains(side));
        let (Some(columns), Some(rows)) = (side(columns), side(rows)) else {
            return Err(refused(lexer, value, "is no possible size", &format!("sides from 1 to {MAX_SIDE}")));
        };
        if self.grid.is_some() {
            return Err(lexer.error("the size is given twice", ""));
        }
        let grid = Grid { columns, rows };
        self.grid = Some(grid);
        self.board = Some(Board::new(Hex(grid)));
        Ok(())
    }

    fn stone(&mut self, lexer: &mut Lexer<'_>, value: &str, side: Side) -> Result<(), ReadError> {
        let (Some(board), Some(grid)) = (&mut self.board, self.grid) else {
            return Err(lexer.error("a stone before the size of the board", "SZ first"));
        };
        let letters = || match value.as_bytes() {
            &[column @ b'a'..=b'z', row @ b'a'..=b'z'] => Some((usize::from(column - b'a'), usize::from(row - b'a'))),
            _ => None,
        };
        let Some((column, row)) = parse_cell(value).or_else(letters) else {
            return Err(refused(lexer, value, "is no cell", CELL));
        };
        let Some(cell) = grid.cell(column as isize, row as isize) else {
            let expected = format!("a cell of the {}x{} board", grid.columns, grid.rows);
            return Err(lexer.unexpected_token("lies outside the board", expected));
        };
        board.place(cell, side).map_err(|error| lexer.error(error.to_string(), "an empty cell"))
    }

    /// The only stone on the board and its colour: what can be swapped.
    fn opening(&self, lexer: &mut Lexer<'_>) -> Result<(usize, Side), ReadError> {
        let Some(board) = &self.board else {
            return Err(lexer.error("a stone before the size of the board", "SZ first"));
        };
        let mut stones = (0..board.elements()).filter_map(|element| Some((element, board.stone(element)?)));
        match (stones.next(), stones.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(lexer.error("only the first stone can be swapped", "")),
        }
    }

    /// The second move took over the first stone: it changes colour and is mirrored.
    fn swap_pieces(&mut self, lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
        let (only, side) = self.opening(lexer)?;
        let (Some(board), Some(grid)) = (&mut self.board, self.grid) else { unreachable!("a stone lies on a board") };
        let (column, row) = grid.place(only);
        let Some(mirrored) = grid.cell(row as isize, column as isize) else {
            return Err(lexer.error("the stone cannot be mirrored on this board", "a square board"));
        };
        *board = board.cleared();
        board.place(mirrored, !side).map_err(|error| lexer.error(error.to_string(), ""))
    }
}

/// The error of a value, which is the current token.
fn refused(lexer: &mut Lexer<'_>, value: &str, what: &str, expected: &str) -> ReadError {
    if value.is_empty() {
        lexer.error(format!("an empty value {what}"), expected)
    } else if lexer.token().is_empty() {
        // A long value has left the window.
        lexer.error(format!("'{}' {what}", value.escape_debug()), expected)
    } else {
        lexer.unexpected_token(what, expected)
    }
}

/// The text up to the closing bracket, which is not consumed; a long one is cut.
fn read_value(lexer: &mut Lexer<'_>) -> Result<String, ReadError> {
    let mut value = String::new();
    loop {
        match lexer.peek()? {
            None => return Err(lexer.error("the file ends inside a value", "']'")),
            Some(b']') => return Ok(value),
            Some(b'\\') => {
                lexer.advance(1);
                if lexer.peek()?.is_some() {
                    lexer.advance(1);
                }
            }
            Some(byte) => {
                if value.len() < MAX_VALUE && byte.is_ascii() {
                    value.push(char::from(byte));
                }
                lexer.advance(1);
                if value.len() >= MAX_VALUE {
                    lexer.mark(); // a long comment need not stay in memory
                }
            }
        }
    }
}
