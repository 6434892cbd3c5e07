//! Dots-and-Boxes: an empty board, the lines that are drawn, or the moves that were played. Grammar: `grammars/dots.ebnf`.
//!
//! ```text
//! dots 2x1                  boxes across and down
//! turn B                    who moves, A if nothing is said
//! +-+ +                     dots and lines; a box that is complete may carry its owner's letter
//! |A|
//! +-+-+
//! ```

use super::Syntax;
use super::drawn::{begins_with_size, next_line, read_side_name};
use super::error::{ReadError, WriteError};
use super::lexer::Lexer;
use gamesat_core::Problem;
use gamesat_core::rules::sequential::dots::MAX_STRINGS;
use gamesat_core::rules::sequential::{Dots, Sequential};
use gamesat_core::rules::{Side, sides};
use std::io::Write;

pub(super) struct DotsText;

impl Syntax for DotsText {
    fn name(&self) -> &'static str {
        "dots"
    }

    fn recognises(&self, line: &str) -> bool {
        begins_with_size(line, self.name())
    }

    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError> {
        next_line(lexer)?;
        if !lexer.word()?.eq_ignore_ascii_case(b"dots") {
            return Err(lexer.unexpected_token("is not this game's header", "'dots' and a size"));
        }
        let sides = sides(&String::from_utf8_lossy(lexer.header_word()?));
        let Some(mut board) = sides.and_then(|(across, down)| Dots::board(across, down)) else {
            let expected = format!("boxes across x boxes down, with at most {MAX_STRINGS} lines");
            return Err(lexer.unexpected_token("is no possible size", expected));
        };
        lexer.expect_line_end()?;
        let mut turn = None;
        while next_line(lexer)? {
            match lexer.word()? {
                b"turn" if turn.is_some() => return Err(lexer.error("turn is given twice", "")),
                b"turn" => {
                    turn = Some(read_side_name(lexer, ["A", "B"])?);
                    board.set_turn(turn.unwrap_or(Side::First));
                }
                b"moves" => {
                    moves(lexer, &mut board)?;
                    end(lexer)?;
                    break;
                }
                _ => {
                    drawing(lexer, &mut board)?;
                    end(lexer)?;
                    break;
                }
            }
        }
        Ok(Problem::Sequential(Sequential::Dots(board)))
    }

    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError> {
        let board = match problem {
            Problem::Sequential(Sequential::Dots(board)) => board.grid().map(|grid| (board, grid)),
            _ => None,
        };
        let Some((board, (across, down))) = board else {
            return Err(WriteError::Unsupported("this is not a board of Dots-and-Boxes".to_owned()));
        };
        writeln!(out, "dots {across}x{down}")?;
        writeln!(out, "turn {}", if board.turn() == Side::First { "A" } else { "B" })?;
        out.write_all(board.draw().as_bytes())?;
        Ok(())
    }
}

/// Nothing more may follow.
fn end(lexer: &mut Lexer<'_>) -> Result<(), ReadError> {
    if next_line(lexer)? {
        lexer.word()?;
        return Err(lexer.unexpected_token("is too much", "the end of the file"));
    }
    Ok(())
}

/// Lines by the two dots that they join.
fn moves(lexer: &mut Lexer<'_>, board: &mut Dots) -> Result<(), ReadError> {
    loop {
        lexer.skip_blanks()?;
        if matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
            return Ok(());
        }
        let name = String::from_utf8_lossy(lexer.word()?).into_owned();
        match board.find(&name) {
            None => return Err(lexer.unexpected_token("is no line", "two neighbouring dots, such as a1b1")),
            Some(line) if board.is_cut(line.into()) => {
                return Err(lexer.unexpected_token("is drawn already", "another line"));
            }
            Some(line) => board.play(line),
        };
    }
}

/// All rows, the first word of which is the current token.
fn drawing(lexer: &mut Lexer<'_>, board: &mut Dots) -> Result<(), ReadError> {
    let Some((across, down)) = board.grid() else { return Ok(()) };
    lexer.rewind();
    let mut owned = Vec::new();
    let mut lines = board.moves().into_iter();
    // Lines come in the order of their numbers twice: those of rows of dots, and those of rows of boxes.
    let mut upright = lines.clone().skip(across * (down + 1));
    for row in 0..=2 * down {
        if row > 0 && (!lexer.line_end()? || lexer.peek()?.is_none()) {
            lexer.mark();
            return Err(lexer.error(format!("the board ends after {row} rows"), format!("{} rows", 2 * down + 1)));
        }
        for column in 0..=2 * across {
            lexer.mark();
            let symbol = match lexer.peek()? {
                None | Some(b'\n' | b'\r' | b'\t') => ' ',
                Some(_) => {
                    let symbol = lexer.character()?;
                    lexer.advance(symbol.len_utf8());
                    symbol
                }
            };
            let (is_line, expected) = match (row % 2, column % 2) {
                (0, 0) if symbol == '+' => continue,
                (0, 0) => return Err(lexer.unexpected_token("stands where a dot is", "'+'")),
                (0, _) => (Some(lines.next()), "'-' or a space"),
                (_, 0) => (Some(upright.next()), "'|' or a space"),
                _ => (None, "A, B or a space"),
            };
            match (is_line, symbol) {
                (_, ' ') => {}
                (Some(Some(line)), '-') if row % 2 == 0 => board.set_cut(line.into()),
                (Some(Some(line)), '|') if row % 2 == 1 => board.set_cut(line.into()),
                (None, 'A' | 'B') => {
                    let coin = row / 2 * across + column / 2;
                    owned.push((coin, if symbol == 'A' { Side::First } else { Side::Second }, lexer.token_place()));
                }
                _ => return Err(lexer.unexpected_token("is no mark", expected)),
            }
        }
        lexer.skip_blanks()?;
        if !matches!(lexer.peek()?, None | Some(b'\n' | b'\r')) {
            return Err(lexer.unexpected("makes the row too long", format!("{} marks", 2 * across + 1)));
        }
    }
    for (coin, side, place) in owned {
        if board.degree(coin) > 0 {
            let message = "the box with this letter is not complete".to_owned();
            return Err(lexer.error_at(place, "A", message, "a box with four lines"));
        }
        board.set_owner(coin, side);
    }
    Ok(())
}
