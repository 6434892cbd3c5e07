//! Every option, declared once: help, man page and completions derive from here.

mod examples;
mod files;
mod playing;
mod shared;
mod solving;

pub use examples::{PROGRAM as PROGRAM_EXAMPLES, of as example};
pub use files::apart;
pub use playing::{HtpArgs, MatchArgs, PlayArgs, ServeArgs};
pub use shared::{GameArgs, InputArgs, LimitArgs, OutputArgs, RuleArg, ToleranceArgs};
pub use solving::{
    BookArgs, CertificateFormat, JoinArgs, OpeningsArgs, SearchArgs, SolveArgs, SplitArgs, StrategyFormat,
};

use super::techniques::TechniqueArgs;
use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use gamesat::check::Judge;
use gamesat::encode::Encoding;
use gamesat::format::Format;
use gamesat::generate::families;
use shared::format_parser;
use std::path::PathBuf;

/// Solver for quantified Boolean formulas and set colouring games.
#[derive(Debug, Parser)]
#[command(name = "gamesat", version, about, after_help = examples::of(examples::PROGRAM))]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub solve: SolveArgs,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say whether a quantified formula is true, or who wins a game
    #[command(after_help = examples::of(examples::SOLVE))]
    Solve(Box<SolveArgs>),
    /// Translate between formula formats and normal forms
    #[command(after_help = examples::of(examples::CONVERT))]
    Convert(ConvertArgs),
    /// Print the preprocessed QBF or the reduced game
    #[command(after_help = examples::of(examples::SIMPLIFY))]
    Simplify(SimplifyArgs),
    /// Say why: winning moves, captured, dominated and losing elements
    #[command(after_help = examples::of(examples::ANALYSE))]
    Analyse(Box<AnalyseArgs>),
    /// Say who wins if MAX or MIN starts, and the canonical form
    #[command(after_help = examples::of(examples::CLASSIFY))]
    Classify(ClassifyArgs),
    /// Make one game of several: win all, one, an odd number or most
    #[command(after_help = examples::of(examples::COMPOSE))]
    Compose(ComposeArgs),
    /// Count the winning sets of a game, their lengths and weights
    #[command(after_help = examples::of(examples::STATS))]
    Stats(StatsArgs),
    /// Evaluate a position by a number instead of solving it
    #[command(after_help = examples::of(examples::VALUE))]
    Value(ValueArgs),
    /// Judge a proof of a verdict, independently of the engines
    #[command(after_help = examples::of(examples::CHECK))]
    Check(CheckArgs),
    /// Print an instance of a family, most of them with known answers
    #[command(after_help = examples::of(examples::GENERATE))]
    Generate(GenerateArgs),
    /// Turn a board or a game into a formula that other tools read
    #[command(after_help = examples::encode())]
    Encode(EncodeArgs),
    /// Cut a hard question into cubes, for many machines
    #[command(after_help = examples::of(examples::SPLIT))]
    Split(Box<SplitArgs>),
    /// Join the answers of cubes, and their proofs
    #[command(after_help = examples::of(examples::JOIN))]
    Join(JoinArgs),
    /// Play against the program, in the terminal or in a browser
    #[command(after_help = examples::of(examples::PLAY))]
    Play(PlayArgs),
    /// Play with another program, line by line
    #[command(after_help = examples::of(examples::SERVE))]
    Serve(ServeArgs),
    /// Play Hex with a program that speaks the Hex Text Protocol
    #[command(after_help = examples::of(examples::HTP))]
    Htp(HtpArgs),
    /// Say which first moves on a board win; resumable
    #[command(after_help = examples::of(examples::OPENINGS))]
    Openings(Box<OpeningsArgs>),
    /// Solve every position after the first moves; resumable
    #[command(after_help = examples::of(examples::BOOK))]
    Book(Box<BookArgs>),
    /// Let two players or programs play games under a referee
    #[command(after_help = examples::matches())]
    Match(MatchArgs),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  gamesat completions bash > ~/.local/share/bash-completion/completions/gamesat")]
    Completions(CompletionsArgs),
    /// Print the manual page, of the program or of one command
    #[command(after_help = "Examples:\n  gamesat man | man -l -\n  gamesat man solve > gamesat-solve.1")]
    Man(ManArgs),
    /// Say more about a COMMAND, about 'engines' or 'techniques'
    #[command(after_help = "Examples:\n  gamesat help solve\n  gamesat help engines\n  gamesat help techniques")]
    Help(HelpArgs),
}

#[derive(Clone, Debug, Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Target,
    /// Remove repeated literals, tautologies and rows that contain another
    #[arg(long)]
    pub minimise: bool,
    /// Give up on a normal form with more rows than this
    #[arg(long, value_name = "ROWS", default_value_t = 1_000_000)]
    pub row_limit: usize,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Debug, Args)]
pub struct SimplifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// Games: fill captured sets of up to this many elements
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4), help_heading = "Games")]
    pub set_size: u8,
    #[command(flatten)]
    pub techniques: TechniqueArgs,
    /// Print what each technique removed as 'c' lines
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// A format, and for games a normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// QDIMACS, for QBFs
    Qdimacs,
    /// GAME-SAT with clauses, for games
    GamesatCnf,
    /// GAME-SAT with terms, for games
    GamesatDnf,
    /// QCIR-G14, for QBFs
    Qcir,
    /// Infix, for everything
    Infix,
}

#[derive(Clone, Debug, Args)]
pub struct AnalyseArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// Look at one set of uncoloured elements, such as 'a1,b1', and nothing else
    #[arg(long, value_name = "NAMES", conflicts_with_all = ["to", "verdict", "only_static"])]
    pub set: Option<String>,
    /// Look at sets of up to this many elements
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=4))]
    pub set_size: u8,
    /// Only what needs no search
    #[arg(long = "static")]
    pub only_static: bool,
    /// How to show it
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    pub to: AnalyseTarget,
    /// Let the exit code say who wins, as 'solve' does
    #[arg(long, conflicts_with = "only_static")]
    pub verdict: bool,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub techniques: TechniqueArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How an analysis can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnalyseTarget {
    /// Lines, and pictures of letters for boards
    Text,
    /// A drawing of a board or a graph
    Svg,
    /// A page with the drawing and a table of reasons
    Html,
}

#[derive(Clone, Debug, Args)]
pub struct ClassifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// Count the forms of all functions of this many elements instead
    #[arg(long, value_name = "N", conflicts_with_all = ["words", "expression", "moves", "turn", "max", "stars"])]
    pub all: Option<u32>,
    /// How many colours an element can have in that count
    #[arg(long, value_name = "K", requires = "all", default_value_t = 2)]
    pub colours: u32,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Debug, Args)]
pub struct ComposeArgs {
    /// What MAX has to win
    #[arg(value_enum, value_name = "HOW")]
    pub how: CompositionArg,
    /// Files with games or boards
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How games can be combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompositionArg {
    /// All of them
    And,
    /// One of them
    Or,
    /// An odd number of them
    Xor,
    /// More than half of them
    Maj,
    /// It must be lost
    Not,
}

#[derive(Clone, Debug, Args)]
pub struct StatsArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Debug, Args)]
#[command(group = clap::ArgGroup::new("evaluation").required(true).multiple(false))]
pub struct ValueArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// The share of colourings that MAX wins: the value if a coin says who moves; and how often each element decides
    #[arg(long, group = "evaluation")]
    pub coinflip: bool,
    /// Random balanced playouts, and how good each element is as a move
    #[arg(long, group = "evaluation")]
    pub random_play: bool,
    /// Distances of every cell to both sides, the second best way counting
    #[arg(long, group = "evaluation")]
    pub two_distance: bool,
    /// Both sides' ways as networks of resistors: the power in every cell
    #[arg(long, group = "evaluation")]
    pub resistance: bool,
    /// Boards that are a triangle of Y, or part of one, contracted cell by cell
    #[arg(long, group = "evaluation")]
    pub y_reduction: bool,
    /// How many samples to draw where there is too much to count
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub samples: u64,
    /// Seed of the samples
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Clone, Debug, Args)]
pub struct CheckArgs {
    /// The problem: a file, compressed or not, or '-' for standard input
    #[arg(value_name = "PROBLEM")]
    pub problem: String,
    /// The proof: a file, compressed or not, or '-' for standard input
    #[arg(value_name = "PROOF")]
    pub proof: PathBuf,
    /// The proof is about this game, which 'gamesat simplify' has made of the problem
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub reduced: Option<PathBuf>,
    /// Format of the problem, instead of recognising it by content
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Input")]
    pub format: Option<Format>,
    #[command(flatten)]
    pub tolerance: ToleranceArgs,
    /// Play these moves first, the players taking turns, such as 'b2 c3'
    #[arg(long, value_name = "MOVES", help_heading = "Input")]
    pub moves: Option<String>,
    /// Of a game record, take the position after this many moves instead of the last one
    #[arg(long, value_name = "N", help_heading = "Input")]
    pub ply: Option<usize>,
    #[command(flatten)]
    pub game: GameArgs,
    /// The SAT solver of the judge
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Judge::ALL.iter().map(|judge| judge.name())))]
    pub backend: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl CheckArgs {
    /// Where the problem comes from.
    pub fn input(&self) -> InputArgs {
        InputArgs {
            words: vec![self.problem.clone()],
            expression: None,
            format: self.format,
            tolerance: self.tolerance.clone(),
            moves: self.moves.clone(),
            ply: self.ply,
        }
    }
}

#[derive(Clone, Debug, Args)]
pub struct GenerateArgs {
    /// The family; without one, all families are listed
    #[arg(value_name = "FAMILY", value_parser = PossibleValuesParser::new(family_names()))]
    pub family: Option<String>,
    /// Parameters of the family as NAME=VALUE; a value alone is that of the family's first parameter
    #[arg(value_name = "PARAMETER")]
    pub parameters: Vec<String>,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How to write the instance, instead of as it is; a circuit is written in clauses as a rule
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<CircuitTarget>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

fn family_names() -> Vec<clap::builder::PossibleValue> {
    families().iter().map(|family| clap::builder::PossibleValue::new(family.name).help(family.about)).collect()
}

/// What a quantified circuit can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CircuitTarget {
    /// QDIMACS, with new variables for gates
    Qdimacs,
    /// QCIR-G14
    Qcir,
}

#[derive(Clone, Debug, Args)]
pub struct EncodeArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: EncodeTarget,
    /// How a QBF is built
    #[arg(long, value_enum, value_name = "NAME", default_value = "explicit")]
    pub encoding: EncodingArg,
    /// QBF: MAX must have won within this many plies, both players counted
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<usize>,
    /// Dots-and-Boxes: the player to move must get so many of the boxes that are left; more than half by default
    #[arg(long, value_name = "BOXES")]
    pub threshold: Option<usize>,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What a board or a game can be turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EncodeTarget {
    /// GAME-SAT with clauses: the minimal winning sets of MIN
    GamesatCnf,
    /// GAME-SAT with terms: the minimal winning sets of MAX
    GamesatDnf,
    /// QDIMACS: true if MAX wins
    Qdimacs,
    /// QCIR-G14: true if MAX wins
    Qcir,
    /// Positional game, with --depth a bounded one
    Pg,
    /// The board in its own text form, with the moves on it
    Board,
    /// Hex in SGF
    Sgf,
}

/// How a QBF of a game is built.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EncodingArg {
    /// What MAX owns is written cell by cell
    Explicit,
    /// Moves are numbers, and one universal cell stands for all
    Lifted,
}

impl From<EncodingArg> for Encoding {
    fn from(arg: EncodingArg) -> Encoding {
        match arg {
            EncodingArg::Explicit => Encoding::Explicit,
            EncodingArg::Lifted => Encoding::Lifted,
        }
    }
}

#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
    /// Print one JSON object, also of an error
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// The command whose page to print
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
    /// Print one JSON object, also of an error
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Debug, Args)]
pub struct HelpArgs {
    /// A command, 'engines' or 'techniques'; without it, the program
    #[arg(value_name = "TOPIC")]
    pub topic: Option<String>,
    /// Print one JSON object, also of an error
    #[arg(long)]
    pub json: bool,
}

/// The names of all commands.
pub fn command_names() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
