//! Lines that a user types or pipes: bounded in length, interruptible, and edited with history and completion where both
//! ends are a terminal.
//!
//! A read cannot be interrupted, so a thread of its own waits for the bytes, and the thread that wants a line looks at the signals
//! meanwhile.

use gamesat::solve::Interrupt;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// Longer lines are refused, and skipped to their end.
const LONGEST: u64 = 1 << 16;

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end.
    Text(String),
    /// A line that is too long, or no text.
    Noise,
    /// Nothing comes any more.
    End,
    /// A signal came.
    Interrupted,
}

/// Where lines come from.
pub enum Lines {
    /// A terminal.
    Edited(Box<Editor<Words, DefaultHistory>>),
    /// A pipe or a file.
    Piped(Receiver<Line>),
}

impl Lines {
    /// Standard input; edited if `edit` is set and both ends are a terminal.
    pub fn open(edit: bool) -> io::Result<Self> {
        if edit && io::stdin().is_terminal() && io::stdout().is_terminal() {
            let mut editor = Editor::new().map_err(io::Error::other)?;
            editor.set_helper(Some(Words::default()));
            return Ok(Lines::Edited(Box::new(editor)));
        }
        let (sender, receiver) = sync_channel(16);
        thread::Builder::new().name("input".into()).spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let line = next(&mut input);
                let end = line == Line::End;
                if sender.send(line).is_err() || end {
                    return;
                }
            }
        })?;
        Ok(Lines::Piped(receiver))
    }

    /// Whether a user sits at a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Lines::Edited(_))
    }

    /// Words that can be completed from now on.
    pub fn complete(&mut self, words: Vec<String>) {
        if let Lines::Edited(editor) = self
            && let Some(helper) = editor.helper_mut()
        {
            helper.words = words;
        }
    }

    /// The next line. On a terminal the prompt is shown.
    pub fn next(&mut self, prompt: &str, interrupt: &Interrupt) -> Line {
        match self {
            Lines::Edited(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    let _ = editor.add_history_entry(&line);
                    Line::Text(line)
                }
                Err(ReadlineError::Interrupted) => Line::Interrupted,
                Err(_) => Line::End,
            },
            Lines::Piped(receiver) => loop {
                if interrupt.is_triggered() {
                    return Line::Interrupted;
                }
                match receiver.recv_timeout(Duration::from_millis(50)) {
                    Ok(line) => return line,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Line::End,
                }
            },
        }
    }
}

/// A line of bounded length.
fn next(input: &mut impl BufRead) -> Line {
    let mut bytes = Vec::new();
    match input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => return Line::End,
        Ok(_) => {}
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() as u64 == LONGEST {
        // The rest of it, piece by piece.
        loop {
            let Ok(piece) = input.fill_buf() else { return Line::Noise };
            let end = piece.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(piece.len(), |end| end + 1);
            let over = end.is_some() || piece.is_empty();
            input.consume(used);
            if over {
                return Line::Noise;
            }
        }
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Line::Text(text),
        _ => Line::Noise,
    }
}

/// Writes an answer at once. A reader that went away is an error.
pub fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Words that the editor completes.
#[derive(Default)]
pub struct Words {
    words: Vec<String>,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let start = line[..at].rfind(' ').map_or(0, |space| space + 1);
        let begun = &line[start..at];
        Ok((start, self.words.iter().filter(|word| word.starts_with(begun)).cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut text: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| Some(next(&mut text)).filter(|line| *line != Line::End)).collect()
    }

    #[test]
    fn lines_are_cut_at_their_ends() {
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(all(b"a\r\n\nb"), [text("a"), text(""), text("b")]);
        assert_eq!(all(b"\xff\na\0b\nc\n"), [Line::Noise, Line::Noise, text("c")]);
    }

    #[test]
    fn a_long_line_is_noise_and_the_next_one_is_read() {
        let mut long = vec![b'x'; 1 << 20];
        long.extend(b"\nquit\n");
        assert_eq!(all(&long), [Line::Noise, Line::Text("quit".to_owned())]);
        assert_eq!(all(&vec![b'x'; 1 << 17]), [Line::Noise]);
    }
}
