//! Hex games in SGF (`GM[11]`): setup stones and the moves of the main line, or the first of them. Grammar:
//! `grammars/sgf.ebnf`.
//!
//! Cells are written `c3` as HexGui does, or with two letters as in other SGF games. Properties that say nothing about
//! the position are passed over. Variations are parsed, but only the first one at every branch, the main line, is played.

use super::Syntax;
use super::drawn::{board_of, unbounded, unfit};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use super::span::{self, Judged, Parsed, flaw, white, wrong};
use gamesat_core::Problem;
use gamesat_core::rules::{Board, Grid, Hex, MAX_SIDE, Side, parse_cell};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take};
use nom::character::complete::alpha1;
use nom::combinator::{opt, recognize};
use nom::multi::{many0, many0_count};
use nom::sequence::preceded;
use std::io::Write;

const CELL: &str = "a cell such as c3";

pub(super) struct Sgf;

impl Syntax for Sgf {
    fn name(&self) -> &'static str {
        "sgf"
    }

    fn recognises(&self, line: &str) -> bool {
        line.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'))
    }

    fn read(&self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        let ply = lexer.ply;
        let (board, hex) = span::parse(lexer, |text| game(text, ply))?;
        if !hex {
            lexer.tolerate("the file does not say that it is Hex")?;
        }
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

/// The first game of the text, and whether it says that it is Hex.
fn game(input: &[u8], ply: Option<usize>) -> Parsed<'_, (Board, bool)> {
    let mut reader = Reader { ply, ..Reader::default() };
    let (rest, ()) = reader.tree(input)?;
    if let Some(ply) = ply.filter(|&ply| ply > reader.moves) {
        let moves = reader.moves;
        return flaw(rest, 0, format!("the main line has {moves} moves"), format!("at least {ply} of them"));
    }
    let Some(mut board) = reader.board else {
        return flaw(rest, 0, "the board has no size", "the property SZ[n] or SZ[columns:rows]");
    };
    board.turn = reader.turn.or(reader.moved.map(|side: Side| !side)).unwrap_or_else(|| board.turn_by_count());
    Ok((rest, (board, reader.hex)))
}

/// A property: its name, and at least one value in brackets.
fn property(input: &[u8]) -> Parsed<'_, (String, Vec<Value<'_>>)> {
    let (rest, letters) = alpha1(input)?;
    // Old files write lower-case letters in between, which do not count.
    let name: String =
        letters.iter().filter(|byte| byte.is_ascii_uppercase()).take(8).map(|&b| char::from(b)).collect();
    let (rest, values) = many0(preceded(white, value)).parse(rest)?;
    if values.is_empty() {
        let (rest, _) = white(rest)?;
        return flaw(rest, 0, format!("property {name} has no value"), "'['");
    }
    Ok((rest, (name, values)))
}

/// The text between brackets, in which a backslash takes the meaning from what follows it.
fn value(input: &[u8]) -> Parsed<'_, Value<'_>> {
    let (at, _) = tag("[").parse(input)?;
    let plain = is_not("\\]");
    let escaped = recognize(preceded(tag("\\"), opt(take(1usize))));
    let (rest, text) = recognize(many0_count(alt((plain, escaped)))).parse(at)?;
    match rest.first() {
        Some(_) => Ok((&rest[1..], Value { text, at })),
        None => flaw(at, text.len(), "the file ends inside a value", "']'"),
    }
}

/// A value where it stands: its text, and the whole text from its beginning.
#[derive(Clone, Copy)]
struct Value<'t> {
    text: &'t [u8],
    at: &'t [u8],
}

impl<'t> Value<'t> {
    /// What it says; nothing that is not plain text says anything here.
    fn word(self) -> &'t str {
        str::from_utf8(self.text).unwrap_or("\u{fffd}").trim()
    }

    /// The error of this value, by a phrase that follows it.
    fn wrong<T>(self, what: &'static str, expected: impl Into<String>) -> Judged<'t, T> {
        if self.word().is_empty() {
            return self.flaw(format!("an empty value {what}"), expected);
        }
        wrong(self.text, self.at, what, expected)
    }

    /// The error of this value in words of its own.
    fn flaw<T>(self, message: impl Into<String>, expected: impl Into<String>) -> Judged<'t, T> {
        flaw(self.at, self.text.len(), message, expected)
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
    /// The main line: everything up to the first closing parenthesis. What follows is only checked for balance, by counting:
    /// trees may be nested as deeply as they like.
    fn tree<'t>(&mut self, mut input: &'t [u8]) -> Parsed<'t, ()> {
        let (mut depth, mut main) = (0usize, true);
        let mut at = At::Start;
        loop {
            (input, _) = white(input)?;
            let Some(&byte) = input.first() else {
                return flaw(input, 0, "the file ends inside a game tree", "')'");
            };
            match byte {
                b'(' if at != At::Tree => {
                    depth += 1;
                    at = At::Tree;
                    input = &input[1..];
                }
                b')' if matches!(at, At::Node | At::Variation) => {
                    main = false;
                    depth -= 1;
                    at = At::Variation;
                    input = &input[1..];
                    if depth == 0 {
                        return Ok((input, ())); // a collection may hold more games: the first one counts
                    }
                }
                b';' if matches!(at, At::Tree | At::Node) => {
                    at = At::Node;
                    input = &input[1..];
                }
                b'A'..=b'Z' | b'a'..=b'z' if at == At::Node => {
                    let (rest, (name, values)) = property(input)?;
                    for value in values {
                        if main && !self.done {
                            self.value(&name, value)?;
                        }
                    }
                    input = rest;
                }
                _ => {
                    let expected = match at {
                        At::Start => "'(;'",
                        At::Tree => "';'",
                        At::Node => "';', '(', ')' or a property",
                        At::Variation => "'(' or ')'",
                    };
                    return wrong(span::character(input), input, "is no part of a game tree", expected);
                }
            }
        }
    }

    fn value<'t>(&mut self, name: &str, value: Value<'t>) -> Judged<'t, ()> {
        match name {
            "GM" => {
                self.hex = value.word() == "11";
                if !self.hex {
                    return value.wrong("is not Hex", "11, the number of Hex");
                }
            }
            "SZ" => self.size(value)?,
            "PL" => {
                self.turn = Some(match value.word() {
                    "B" | "b" | "1" | "black" | "Black" => Side::First,
                    "W" | "w" | "2" | "white" | "White" => Side::Second,
                    _ => return value.wrong("is no player", "B or W"),
                });
            }
            "AB" => self.stone(value, Side::First)?,
            "AW" => self.stone(value, Side::Second)?,
            "AE" => return value.flaw("stones cannot be taken off", "AB or AW"),
            "B" | "W" => {
                let side = if name == "B" { Side::First } else { Side::Second };
                if self.ply == Some(self.moves) {
                    (self.done, self.turn) = (true, Some(side));
                    return Ok(());
                }
                self.moves += 1;
                self.turn = None;
                self.moved = Some(side);
                match value.word() {
                    "" | "pass" | "resign" | "forfeit" => {}
                    "swap-pieces" => self.swap_pieces(value)?,
                    // The players change places: the stone stays, and its colour has moved.
                    "swap" | "swap-sides" => self.moved = Some(self.opening(value)?.1),
                    _ => self.stone(value, side)?,
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn size<'t>(&mut self, value: Value<'t>) -> Judged<'t, ()> {
        let (columns, rows) = value.word().split_once(':').unwrap_or((value.word(), value.word()));
        let side = |text: &str| text.trim().parse::<usize>().ok().filter(|side| (1..=MAX_SIDE).contains(side));
        let (Some(columns), Some(rows)) = (side(columns), side(rows)) else {
            return value.wrong("is no possible size", format!("sides from 1 to {MAX_SIDE}"));
        };
        if self.grid.is_some() {
            return value.flaw("the size is given twice", "");
        }
        let grid = Grid { columns, rows };
        self.grid = Some(grid);
        self.board = Some(Board::new(Hex(grid)));
        Ok(())
    }

    fn stone<'t>(&mut self, value: Value<'t>, side: Side) -> Judged<'t, ()> {
        let (Some(board), Some(grid)) = (&mut self.board, self.grid) else {
            return value.flaw("a stone before the size of the board", "SZ first");
        };
        let letters = || match value.word().as_bytes() {
            &[column @ b'a'..=b'z', row @ b'a'..=b'z'] => Some((usize::from(column - b'a'), usize::from(row - b'a'))),
            _ => None,
        };
        let Some((column, row)) = parse_cell(value.word()).or_else(letters) else {
            return value.wrong("is no cell", CELL);
        };
        let Some(cell) = grid.cell(column as isize, row as isize) else {
            let expected = format!("a cell of the {}x{} board", grid.columns, grid.rows);
            return value.wrong("lies outside the board", expected);
        };
        board.place(cell, side).or_else(|error| value.flaw(error.to_string(), "an empty cell"))
    }

    /// The only stone on the board and its colour: what can be swapped.
    fn opening<'t>(&self, value: Value<'t>) -> Judged<'t, (usize, Side)> {
        let Some(board) = &self.board else {
            return value.flaw("a stone before the size of the board", "SZ first");
        };
        let mut stones = (0..board.elements()).filter_map(|element| Some((element, board.stone(element)?)));
        match (stones.next(), stones.next()) {
            (Some(only), None) => Ok(only),
            _ => value.flaw("only the first stone can be swapped", ""),
        }
    }

    /// The second move took over the first stone: it changes colour and is mirrored.
    fn swap_pieces<'t>(&mut self, value: Value<'t>) -> Judged<'t, ()> {
        let (only, side) = self.opening(value)?;
        let (Some(board), Some(grid)) = (&mut self.board, self.grid) else { unreachable!("a stone lies on a board") };
        let (column, row) = grid.place(only);
        let Some(mirrored) = grid.cell(row as isize, column as isize) else {
            return value.flaw("the stone cannot be mirrored on this board", "a square board");
        };
        *board = board.cleared();
        board.place(mirrored, !side).or_else(|error| value.flaw(error.to_string(), ""))
    }
}
