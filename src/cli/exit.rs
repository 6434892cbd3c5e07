//! Exit codes, and errors that know theirs.

use gamesat::encode::EncodeError;
use gamesat::format::{ReadError, WriteError};
use gamesat::play::PlayError;
use gamesat::solve::{Refusal, StopReason, Verdict};
use std::io;
use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The command did what it was asked; also an unknown verdict.
    Success,
    /// The formula is true, MAX wins.
    True,
    /// The formula is false, MIN wins.
    False,
    /// Bad input or an I/O error.
    BadInput,
    /// Wrong command line.
    Usage,
    /// The proof was rejected.
    Rejected,
    /// A draw, or an equal score.
    Draw,
}

impl Exit {
    /// The number the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::True => 10,
            Exit::False => 20,
            Exit::BadInput => 1,
            Exit::Usage => 2,
            Exit::Rejected => 3,
            Exit::Draw => 30,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::True => Exit::True,
            Verdict::False => Exit::False,
            Verdict::Draw => Exit::Draw,
            Verdict::Value(value) => match value.signum() {
                1 => Exit::True,
                -1 => Exit::False,
                _ => Exit::Draw,
            },
            _ => Exit::Success,
        }
    }
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The input could not be read or parsed.
    Read(Box<ReadError>),
    /// Anything else, with its exit code.
    Other(Exit, String),
    /// A limit or a signal ended the run before it was finished.
    Stopped(StopReason),
    /// The reader of our output went away: nothing to say.
    BrokenPipe,
}

impl Failure {
    /// The command line asks for something that makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::Other(Exit::Usage, message.into())
    }

    /// The input cannot be treated as asked.
    pub fn input(message: impl Into<String>) -> Self {
        Failure::Other(Exit::BadInput, message.into())
    }

    /// A question that does not go with the problem is a wrong command line; another reason to stop is one.
    pub fn refused(reason: StopReason) -> Self {
        match reason {
            StopReason::Unsupported(why) => Failure::usage(why),
            reason => Failure::Stopped(reason),
        }
    }

    /// What went wrong, on one line.
    pub fn message(&self) -> String {
        match self {
            Failure::Read(error) => error.to_string(),
            Failure::Other(_, message) => message.clone(),
            Failure::Stopped(reason) => reason.to_string(),
            Failure::BrokenPipe => "the output is closed".to_owned(),
        }
    }

    /// The exit code that goes with it.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Read(_) | Failure::Stopped(_) => Exit::BadInput,
            Failure::Other(exit, _) => *exit,
            Failure::BrokenPipe => Exit::Success,
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Stopped(reason) => Failure::Stopped(reason),
            error => Failure::Read(Box::new(error)),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Failure::BrokenPipe } else { Failure::input(error.to_string()) }
    }
}

impl From<StopReason> for Failure {
    fn from(reason: StopReason) -> Self {
        Failure::Stopped(reason)
    }
}

/// A game that cannot be played is no mistake of the command line.
impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Self {
        Failure::input(error.to_string())
    }
}

/// A question that no engine can answer is a wrong command line: no work was begun.
impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::usage(refusal.to_string())
    }
}

/// A problem that the chosen target cannot hold is no bad input: another target can.
impl From<EncodeError> for Failure {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::Stopped(reason) => Failure::Stopped(reason),
            error => Failure::input(error.to_string()),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Io(error) => error.into(),
            WriteError::Unsupported(message) => Failure::input(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_documented_ones() {
        let codes = [Exit::Success, Exit::True, Exit::False, Exit::BadInput, Exit::Usage, Exit::Rejected, Exit::Draw]
            .map(Exit::code);
        assert_eq!(codes, [0, 10, 20, 1, 2, 3, 30]);
        let codes = [Verdict::Unknown, Verdict::Draw, Verdict::Value(3), Verdict::Value(-1), Verdict::Value(0)]
            .map(|verdict| Exit::from(verdict).code());
        assert_eq!(codes, [0, 30, 10, 20, 30]);
    }

    #[test]
    fn a_broken_pipe_is_not_an_error() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(failure.exit(), Exit::Success);
    }
}
