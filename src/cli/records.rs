//! Games with their moves in files: SGF for Hex, and for any other game the position it began with and its moves in a comment.

use super::args::{GameArgs, InputArgs};
use super::exit::Failure;
use super::input;
use gamesat::Problem;
use gamesat::format::{self, Format};
use gamesat::play::{Outcome, Position, Round};
use gamesat::rules::{Board, Side};
use gamesat::solve::Control;
use std::fs;

/// Whether a game can be written in SGF.
pub fn has_sgf(problem: &Problem) -> bool {
    format::to_string(problem, Format::Sgf).is_ok()
}

/// How a game ended, if it is over: by its rules, or because a player has lost it in another way.
#[derive(Clone, Copy)]
pub struct Ended {
    pub outcome: Outcome,
    pub by_fault: bool,
}

impl Ended {
    /// How the game has ended by its rules, if it has.
    pub fn by_rules(round: &Round) -> Option<Self> {
        round.position().outcome().map(|outcome| Ended { outcome, by_fault: false })
    }

    /// In words, for games that are written with remarks.
    pub fn remark(self, round: &Round) -> String {
        let fault = if self.by_fault { ", by a fault of the other player" } else { "" };
        match self.outcome {
            Outcome::Win(player) => format!("result {} wins{fault}", round.position().player_name(player)),
            Outcome::Draw => "result a draw".to_owned(),
        }
    }
}

/// A game of Hex in SGF, with the names of MAX and MIN if they have some, and its result if it is over.
pub fn sgf(round: &Round, players: Option<[&String; 2]>, ended: Option<Ended>) -> Result<String, Failure> {
    let mut text = format::to_string(round.start().given(), Format::Sgf)?;
    let Problem::Board(start) = round.start().given() else { return Ok(text) };
    text.truncate(text.trim_end().trim_end_matches(')').len());
    let quoted = |name: &str| name.replace('\\', "\\\\").replace(']', "\\]");
    if let Some([max, min]) = players {
        let (black, white) = if start.max == Side::First { (max, min) } else { (min, max) };
        text += &format!("PB[{}]PW[{}]", quoted(black), quoted(white));
    }
    if let Some(Ended { outcome, by_fault }) = ended {
        let result = match outcome {
            Outcome::Draw => "Draw".to_owned(),
            Outcome::Win(winner) => {
                let black = winner == start.player(Side::First);
                format!("{}+{}", if black { "B" } else { "W" }, if by_fault { "Forfeit" } else { "" })
            }
        };
        text += &format!("RE[{result}]");
    }
    let mut side = start.turn;
    for name in round.moves() {
        text += &format!(";{}[{name}]", if side == Side::First { "B" } else { "W" });
        side = !side;
    }
    Ok(text + ")\n")
}

/// Any game: as it is written, with remarks and the moves behind it.
pub fn written(round: &Round, format: Format, remarks: &[String]) -> Result<String, Failure> {
    let mut text = format::to_string(round.start().given(), format)?;
    let moves = format!("moves {}", round.moves().join(" "));
    for remark in remarks.iter().chain([&moves]) {
        // The name of a player must not end the comment.
        let line: String = remark.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        text += &format!("{} {line}\n", format.comment());
    }
    Ok(text)
}

/// A game that was saved, or any position; with the moves that led to it where the file has them.
pub fn load(path: &str, quiet: bool, control: &Control) -> Result<(Round, Format), Failure> {
    let read = |ply: Option<usize>, quiet: bool| {
        let args = InputArgs { words: vec![path.to_owned()], ply, ..InputArgs::default() };
        input::read(&args, &GameArgs::default(), quiet, control)
    };
    let input = read(None, quiet)?;
    let format = input.parsed.format;
    if let (Format::Sgf, Problem::Board(last)) = (format, &input.parsed.problem) {
        let board = |ply: usize| match read(Some(ply), true).ok()?.parsed.problem {
            Problem::Board(board) => Some(board),
            _ => None,
        };
        let boards: Vec<Board> = (0..).map_while(board).collect();
        if let Some(round) = followed(&boards, last) {
            return Ok((round, format));
        }
    }
    Position::fits(&input.parsed.problem)?;
    let mut round = Round::new(input.parsed.problem);
    let text = fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let behind = text.lines().last().and_then(|last| last.strip_prefix(format.comment())?.strip_prefix(" moves "));
    for name in behind.unwrap_or_default().split_whitespace() {
        round.play(name).map_err(|error| Failure::input(format!("{path}: {error}")))?;
    }
    Ok((round, format))
}

/// The game that leads through these boards, if each of them is one stone ahead of the one before.
fn followed(boards: &[Board], last: &Board) -> Option<Round> {
    let mut round = Round::new(Problem::Board(boards.first()?.clone()));
    for pair in boards.windows(2) {
        let placed = (0..pair[1].elements()).find(|&e| pair[0].is_free(e) && !pair[1].is_free(e))?;
        round.play(&pair[1].name(placed)).ok()?;
        match round.position().given() {
            Problem::Board(now) if now.stones() == pair[1].stones() => {}
            _ => return None,
        }
    }
    match round.position().given() {
        Problem::Board(now) if now == last => Some(round),
        _ => None,
    }
}
