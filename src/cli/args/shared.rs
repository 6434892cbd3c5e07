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
    /// Refuse what the format's definition does not allow
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
    /// Print one JSON object, also of an error; in a batch one for each problem, on a line of its own
    #[arg(long)]
    pub json: bool,
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
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Stop after this much wall-clock time: seconds, or with a unit, such as 500ms, 10s, 5m, 1h
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// Stop when all threads together have used this much processor time
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = parse_time)]
    pub cpu_limit: Option<Duration>,
    /// Stop when more than this many megabytes are resident
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
    /// Stop after this many search nodes
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,
    /// Stop when standard input ends, which a process that has started this one holds open
    #[arg(long, hide = true)]
    pub tethered: bool,
}

impl LimitArgs {
    /// The limits in the library's units; those of the process are kept at the door.
    pub fn limits(&self) -> Limits {
        Limits {
            time: self.time_limit,
            memory: self.memory_limit.map(|megabytes| megabytes << 20),
            nodes: self.node_limit,
        }
    }
}

/// A length of time: a number of seconds, or a number with its unit.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let with_unit = UNITS.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = with_unit.unwrap_or((text, &1.0));
    let number: f64 = number.parse().map_err(|_| "expected a time, such as 10, 500ms, 10s, 5m or 1h".to_owned())?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| "not a possible length of time".to_owned())
}

/// How much is said on standard output.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct ReportArgs {
    /// Print one JSON object, also of an error
    #[arg(long)]
    pub json: bool,
    /// No comment lines, no warnings, no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say on standard error what is being done
    #[arg(short, long)]
    pub verbose: bool,
}

impl From<ReportArgs> for OutputArgs {
    fn from(args: ReportArgs) -> OutputArgs {
        OutputArgs { output: None, json: args.json, quiet: args.quiet, verbose: args.verbose }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_and_are_checked() {
        for (text, milliseconds) in
            [("1.5", 1500), ("500ms", 500), ("10s", 10_000), ("5m", 300_000), ("1h", 3_600_000), ("0.5h", 1_800_000)]
        {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for wrong in ["", "x", "-1", "nan", "inf", "1e300", "s", "1d", "5 m", "-1s", "1h30m", "1e300h"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
