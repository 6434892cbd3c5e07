//! Groups of options that several commands take, and what they mean in the library's words.

use crate::cli::door::Manner;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use gamesat::format::Format;
use gamesat::formula::Rule;
use gamesat::solve::Limits;
use std::path::PathBuf;
use std::time::Duration;

/// Where the input comes from and how to read it.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    #[arg(
        value_name = "FILE",
        help_heading = None,
        help = super::examples::board("File to read, compressed or not; '-' or nothing is standard input. Or a board")
    )]
    pub words: Vec<String>,
    /// Read this infix formula instead of a file
    #[arg(short = 'e', long, value_name = "FORMULA", conflicts_with_all = ["words", "format"], allow_hyphen_values = true)]
    pub expression: Option<String>,
    /// Format of the input, instead of recognising it by content
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub format: Option<Format>,
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
    /// Play these moves first, the players taking turns, such as 'b2 c3'
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Of a game record, take the position after this many moves instead of the last one
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
}

/// What of a text that is not quite as it should be is read all the same.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub struct ToleranceArgs {
    /// Refuse whatever the format's definition does not allow
    #[arg(long, conflicts_with = "tolerant")]
    pub strict: bool,
    /// Warn only, if there are fewer rows than the header announces
    #[arg(long)]
    pub tolerant: bool,
}

impl InputArgs {
    /// Whether the problem would come from standard input.
    pub fn is_standard_input(&self) -> bool {
        self.expression.is_none() && (self.words.is_empty() || self.words == ["-"])
    }
}

pub(super) fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::all().iter().map(|format| format.name()))
        .try_map(|name| Format::from_name(&name).ok_or("unknown format"))
}

/// What of a game the text leaves open, or what to change in it.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Games")]
pub struct GameArgs {
    /// Who moves next, or with --moves who makes the first of them: max or min, or on a board a side by its name, such as black or
    /// short
    #[arg(long, value_name = "PLAYER")]
    pub turn: Option<String>,
    /// Which side of a board is MAX, by its name
    #[arg(long, value_name = "SIDE")]
    pub max: Option<String>,
    /// Colours a player may use: 'any', or 'own' (MAX only TRUE, MIN only FALSE)
    #[arg(long, value_enum, value_name = "RULE")]
    pub rule: Option<RuleArg>,
    /// Add this many elements that occur in no clause
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=i64::from(i32::MAX)))]
    pub stars: u32,
}

impl GameArgs {
    /// Whether any of these options was given.
    pub fn is_used(&self) -> bool {
        self.turn.is_some() || self.max.is_some() || self.rule.is_some() || self.stars > 0
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RuleArg {
    Any,
    Own,
}

impl From<RuleArg> for Rule {
    fn from(arg: RuleArg) -> Rule {
        match arg {
            RuleArg::Any => Rule::Any,
            RuleArg::Own => Rule::Own,
        }
    }
}

/// Where the output goes and how much of it there is.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write to this file instead of standard output; '-' is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// No comment lines, no warnings, no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say on standard error what is being done
    #[arg(short, long)]
    pub verbose: bool,
}

impl OutputArgs {
    /// Whether to tell what is being done, and to show progress.
    pub fn manner(&self) -> Manner {
        Manner { log: self.verbose, progress: !self.quiet }
    }
}

/// How much a run may use.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Stop after this many seconds of wall-clock time
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
    /// Stop when more than this many megabytes are resident
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
    /// Stop after this many search nodes
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,
}

impl LimitArgs {
    /// The limits in the library's units.
    pub fn limits(&self) -> Limits {
        Limits {
            time: self.time_limit,
            memory: self.memory_limit.map(|megabytes| megabytes << 20),
            nodes: self.node_limit,
        }
    }
}

pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a possible number of seconds".to_owned())
}

/// How much is said on standard output.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct ReportArgs {
    /// No comment lines, no warnings, no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say on standard error what is being done
    #[arg(short, long)]
    pub verbose: bool,
}

impl From<ReportArgs> for OutputArgs {
    fn from(args: ReportArgs) -> OutputArgs {
        OutputArgs { output: None, quiet: args.quiet, verbose: args.verbose }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_checked() {
        assert_eq!(parse_seconds("1.5"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "x", "-1", "nan", "inf", "1e300"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }
}
