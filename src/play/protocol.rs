//! The neutral protocol for any game: one request a line, one answer a line. Grammar: `grammars/serve.ebnf`.
//!
//! ```text
//! game hex 5            a file, or the words of a board
//! side min              the player that shall move when asked; without it, whoever's turn it is
//! play c3
//! genmove 2.5           a move within so many seconds; it is played, too
//! undo
//! winner                of best play from here, as far as it is found in time
//! analyse               winner, every winning move, and the elements that suffice
//! moves                 every legal move
//! quit
//! ```
//! Blank lines and what follows `#` say nothing. An answer begins with `=`, or with `?` if it is an error.

use gamesat_core::formula::Player;
use std::str::FromStr;
use std::time::Duration;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request {
    /// Another game: the words of a file name or of a board.
    Game(Vec<String>),
    /// Which player shall move when asked.
    Side(Player),
    /// The opponent's move, or anybody's.
    Play(String),
    /// A move, within this time.
    Genmove(Option<Duration>),
    /// Takes the last move back.
    Undo,
    /// Who wins.
    Winner,
    /// Who wins, by which moves, with which elements.
    Analyse,
    /// The legal moves.
    Moves,
    /// The end.
    Quit,
}

/// Why a line is no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// No request begins with this word.
    #[error("'{0}' is no request: game, side, play, genmove, undo, winner, analyse, moves or quit")]
    Unknown(String),
    /// Too few or too many words, or not these.
    #[error("expected '{0}'")]
    Words(&'static str),
    /// Something that is no text.
    #[error("the line is no text")]
    NoText,
}

impl Request {
    /// The request of a line; nothing where it says nothing.
    ///
    /// # Errors
    /// It says something else.
    pub fn read(line: &str) -> Result<Option<Request>, RequestError> {
        let line = line.split('#').next().unwrap_or_default();
        if line.trim_matches(SPACES).is_empty() { Ok(None) } else { line.parse().map(Some) }
    }
}

impl FromStr for Request {
    type Err = RequestError;

    fn from_str(line: &str) -> Result<Self, RequestError> {
        if line.contains(|c: char| (c.is_control() || c.is_whitespace()) && !SPACES.contains(&c)) {
            return Err(RequestError::NoText);
        }
        let mut words = line.split(SPACES).filter(|word| !word.is_empty());
        let name = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        let alone = |request: Request, usage: &'static str| match rest.is_empty() {
            true => Ok(request),
            false => Err(RequestError::Words(usage)),
        };
        match name {
            "game" if !rest.is_empty() => Ok(Request::Game(rest.iter().map(|&word| word.to_owned()).collect())),
            "game" => Err(RequestError::Words("game FILE, or game BOARD SIZE")),
            "side" => match rest[..] {
                ["max"] => Ok(Request::Side(Player::Max)),
                ["min"] => Ok(Request::Side(Player::Min)),
                _ => Err(RequestError::Words("side max|min")),
            },
            "play" => match rest[..] {
                [text] => Ok(Request::Play(text.to_owned())),
                _ => Err(RequestError::Words("play MOVE")),
            },
            "genmove" => match rest[..] {
                [] => Ok(Request::Genmove(None)),
                [text] => seconds(text).map(|time| Request::Genmove(Some(time))).ok_or(RequestError::Words(GENMOVE)),
                _ => Err(RequestError::Words(GENMOVE)),
            },
            "undo" => alone(Request::Undo, "undo"),
            "winner" => alone(Request::Winner, "winner"),
            "analyse" => alone(Request::Analyse, "analyse"),
            "moves" => alone(Request::Moves, "moves"),
            "quit" => alone(Request::Quit, "quit"),
            other => Err(RequestError::Unknown(other.chars().take(40).collect())),
        }
    }
}

/// What separates words.
const SPACES: [char; 3] = [' ', '\t', '\r'];
const GENMOVE: &str = "genmove [SECONDS]";

/// A number of seconds in digits, with a point or without, up to a day.
fn seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = text.parse().ok().filter(|_| plain && text.as_bytes()[0] != b'.' && !text.ends_with('.'))?;
    Duration::try_from_secs_f64(number).ok().filter(|time| *time <= Duration::from_secs(86_400))
}
