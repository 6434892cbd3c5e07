//! Contestants outside the program: commands that speak the [neutral protocol](super::Request), or the Hex Text Protocol.
//!
//! A line is waited for until the time is over; a program that has not answered by then, or has closed its output, has lost the
//! game. Each game starts the command anew, so that nothing of a broken one is left.

use super::referee::{Contestant, GRACE};
use super::{Position, Round};
use gamesat_core::control::Control;
use gamesat_core::formula::Player;
use gamesat_core::problem::Problem;
use gamesat_core::rules::{Board, Side};
use gamesat_format::Format;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time for whatever is not a move.
const PATIENCE: Duration = Duration::from_secs(10);
/// A line that is longer is no answer.
const LONGEST: u64 = 1 << 16;

/// What is wrong with a game that a program's protocol is not about.
const OTHER_GAME: &str = "its protocol is not about this game";

/// What a program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tongue {
    /// The neutral protocol.
    Neutral,
    /// The Hex Text Protocol.
    Htp,
}

/// A command.
pub struct Program {
    command: String,
    tongue: Tongue,
    format: Format,
    running: Option<Running>,
}

impl Program {
    /// A command for the shell, and how the game that it will be given is written.
    pub fn new(command: impl Into<String>, tongue: Tongue, format: Format) -> Self {
        Program { command: command.into(), tongue, format, running: None }
    }

    fn running(&mut self) -> Result<&mut Running, String> {
        self.running.as_mut().ok_or_else(|| "it is not running".to_owned())
    }

    fn colour(round: &Round, of_mover: bool) -> Option<&'static str> {
        let Problem::Board(board) = round.position().given() else { return None };
        let side = if of_mover { board.turn } else { !board.turn };
        Some(if side == Side::First { "black" } else { "white" })
    }
}

impl Contestant for Program {
    fn begin(&mut self, start: &Position) -> Result<(), String> {
        self.running = None;
        let mut running = Running::start(&self.command, self.tongue)?;
        match self.tongue {
            Tongue::Neutral => {
                running.give(start.given(), self.format)?;
                let path = running.file.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
                running.ask(&format!("game {path}"), PATIENCE)?;
            }
            Tongue::Htp => {
                let Problem::Board(board) = start.given() else { return Err(OTHER_GAME.to_owned()) };
                set_up(&mut running, board)?;
            }
        }
        self.running = Some(running);
        Ok(())
    }

    fn told(&mut self, round: &Round, name: &str) -> Result<(), String> {
        let line = match self.tongue {
            Tongue::Neutral => format!("play {name}"),
            Tongue::Htp => format!("play {} {name}", Self::colour(round, false).unwrap_or("black")),
        };
        self.running()?.ask(&line, PATIENCE).map(drop)
    }

    fn claim(&mut self, start: &Round, time: Duration) -> Option<Player> {
        if self.tongue != Tongue::Neutral {
            return None;
        }
        let answer = self.running().ok()?.ask("winner", time + PATIENCE).ok()?;
        start.position().find_player(answer.split([' ', ';']).next()?)
    }

    fn choose(&mut self, round: &Round, time: Duration, _: &Control) -> Result<String, String> {
        let line = match self.tongue {
            Tongue::Neutral => format!("genmove {}", time.as_secs_f64()),
            Tongue::Htp => format!("genmove {}", Self::colour(round, true).unwrap_or("black")),
        };
        let answer = self.running()?.ask(&line, time + GRACE)?;
        let name = answer.split_whitespace().next().unwrap_or_default().to_owned();
        if name.eq_ignore_ascii_case("resign") { Err("it resigns".to_owned()) } else { Ok(name) }
    }
}

/// The board, stone by stone.
fn set_up(running: &mut Running, board: &Board) -> Result<(), String> {
    let size = board.rules().protocol_size().ok_or(OTHER_GAME)?;
    running.ask(&format!("boardsize {} {}", size.columns, size.rows), PATIENCE)?;
    running.ask("clear_board", PATIENCE)?;
    for element in 0..board.elements() {
        if let Some(side) = board.stone(element) {
            let colour = if side == Side::First { "black" } else { "white" };
            running.ask(&format!("play {colour} {}", board.name(element)), PATIENCE)?;
        }
    }
    Ok(())
}

/// A command that was started.
struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    tongue: Tongue,
    /// The game it was given, which is removed in the end.
    file: Option<PathBuf>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(path) = &self.file {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Running {
    fn start(command: &str, tongue: Tongue) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("it does not start: {error}");
        // The shell hands over to the command, so that ending one ends the other.
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = shell.spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no pipes".to_owned());
        };
        let (sender, lines) = sync_channel(64);
        let reader = thread::Builder::new().name("referee".into()).spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut bytes = Vec::new();
                match output.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                if sender.send(String::from_utf8_lossy(&bytes).trim_end().to_owned()).is_err() {
                    return;
                }
            }
        });
        reader.map_err(failed)?;
        Ok(Running { child, input, lines, tongue, file: None })
    }

    /// Writes the game to a file that the program can read.
    fn give(&mut self, problem: &Problem, format: Format) -> Result<(), String> {
        let text = gamesat_format::to_string(problem, format).map_err(|error| error.to_string())?;
        let path = std::env::temp_dir().join(format!("gamesat-{}-{}.game", std::process::id(), self.child.id()));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        self.file = Some(path);
        Ok(())
    }

    /// A request, and its answer without the mark before it.
    fn ask(&mut self, line: &str, time: Duration) -> Result<String, String> {
        let died = || "it has ended".to_owned();
        self.input.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.input.flush()).map_err(|_| died())?;
        let deadline = Instant::now() + time;
        let mut answer: Option<Result<String, String>> = None;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(text) => {
                    if let Some(rest) = text.strip_prefix('=').filter(|_| answer.is_none()) {
                        answer = Some(Ok(rest.trim().to_owned()));
                    } else if let Some(rest) = text.strip_prefix('?').filter(|_| answer.is_none()) {
                        answer = Some(Err(format!("it refuses '{line}': {}", rest.trim())));
                    }
                    // In the Hex Text Protocol an answer ends with a blank line.
                    if let Some(answer) = answer.take_if(|_| self.tongue == Tongue::Neutral || text.is_empty()) {
                        return answer;
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(format!("it does not answer '{line}' in time")),
                Err(RecvTimeoutError::Disconnected) => return Err(died()),
            }
        }
    }
}
