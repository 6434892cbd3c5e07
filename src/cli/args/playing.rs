//! Options of the commands that play: how a move is found, and who plays what.

use super::shared::{GameArgs, InputArgs, LimitArgs, OutputArgs, ToleranceArgs, format_parser, parse_time};
use crate::cli::door::{end_after, interrupt_on_signals};
use clap::Args;
use gamesat::format::Format;
use gamesat::solve::{Interrupt, Options};
use std::path::PathBuf;
use std::time::Duration;

/// How a move is found.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Thinking")]
pub struct ThinkingArgs {
    /// Time for a move; what is not proven by then is guessed
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = parse_time)]
    pub seconds: Option<Duration>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Stop thinking about a move when more than this many megabytes are resident
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
    /// End the program after this much time, such as 90, 10s, 5m or 1h, whatever it is doing
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// End the program when all its threads together have used this much processor time
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = parse_time)]
    pub cpu_limit: Option<Duration>,
}

impl ThinkingArgs {
    /// How to search.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.threads = usize::from(self.threads);
        options
    }

    /// What ends a thought: signals, and the limits of the program.
    pub fn interrupt(&self) -> std::io::Result<Interrupt> {
        let interrupt = interrupt_on_signals()?;
        end_after(self.time_limit, self.cpu_limit, &interrupt)?;
        Ok(interrupt)
    }

    /// In bytes.
    pub fn memory(&self) -> Option<u64> {
        self.memory_limit.map(|megabytes| megabytes << 20)
    }
}

#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// The side you play, instead of the one that begins: black, short, exists, max; 'both' or 'none'
    #[arg(long, value_name = "PLAYER")]
    pub side: Option<String>,
    /// Play in a browser: print the address of a page on this machine, and serve it until a signal comes
    #[cfg(feature = "web")]
    #[arg(long)]
    pub web: bool,
    /// The port of that page, instead of any that is free
    #[cfg(feature = "web")]
    #[arg(long, value_name = "PORT", requires = "web", default_value_t = 0)]
    pub port: u16,
    #[command(flatten)]
    pub thinking: ThinkingArgs,
    /// No warnings, no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Print an error as a JSON object; 'gamesat serve --json' plays with objects
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    #[arg(value_name = "GAME", help = super::examples::board("The game to begin with: a file, or a board"))]
    pub words: Vec<String>,
    /// Answer with one JSON object a line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub thinking: ThinkingArgs,
}

#[derive(Clone, Debug, Args)]
pub struct HtpArgs {
    /// Print an error as a JSON object; 'gamesat serve --json' plays with objects
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub thinking: ThinkingArgs,
}

#[derive(Clone, Debug, Args)]
pub struct MatchArgs {
    /// The player who begins the first game: a name, a command that speaks the protocol of 'gamesat serve', or htp:COMMAND
    #[arg(value_name = "PLAYER")]
    pub one: String,
    /// The other player; they begin in turn
    #[arg(value_name = "PLAYER")]
    pub two: String,
    /// Files with positions or formulas, '-' for standard input, or a board, such as: dots 5x5
    #[arg(value_name = "GAME", required = true)]
    pub words: Vec<String>,
    /// Format of the position, instead of recognising it by content
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Input")]
    pub format: Option<Format>,
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
    /// Play these moves first
    #[arg(long, value_name = "MOVES", help_heading = "Input")]
    pub moves: Option<String>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of threads, each with a game of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// How long a player may think about a move, in seconds
    #[arg(long, alias = "move-time", value_name = "SECONDS", default_value = "0.1", value_parser = parse_time)]
    pub seconds: Duration,
    /// Let the players change sides after every game, as they do anyway
    #[arg(long)]
    pub swap: bool,
    /// Let the first player begin every game
    #[arg(long, conflicts_with = "swap")]
    pub fixed: bool,
    /// Write a record of every game into this folder: SGF for Hex, else the game and its moves
    #[arg(long, value_name = "FOLDER")]
    pub records: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl MatchArgs {
    /// Where the position comes from.
    pub fn input(&self) -> InputArgs {
        InputArgs {
            words: self.words.clone(),
            expression: None,
            format: self.format,
            tolerance: self.tolerance.clone(),
            moves: self.moves.clone(),
            ply: None,
        }
    }
}
