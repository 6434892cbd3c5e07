//! Every option, declared once: help, man page and completions derive from here.

use super::door::Manner;
use super::techniques::TechniqueArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use gamesat::check::Judge;
use gamesat::encode::Encoding;
use gamesat::format::Format;
use gamesat::formula::Rule;
use gamesat::generate::families;
use gamesat::options::Backend;
use gamesat::rules::games;
use gamesat::solve::{Limits, Options, Trace, Wanted, engines};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  gamesat formula.qdimacs.gz                  is this QBF true?
  gamesat solve game.gsat --all-moves         who wins this game, and by which moves?
  gamesat solve board.hex                     who wins on this board?
  gamesat -e 'forall x exists y: x == y'      a formula on the command line
  cat formula.qcir | gamesat solve - --json   in a pipeline

Exit codes: 10 true / MAX wins, 20 false / MIN wins, 0 unknown or success, 1 bad input, 2 wrong usage.
'gamesat COMMAND --help' says more about a command.";

const SOLVE_EXAMPLES: &str = "\
Examples:
  gamesat solve formula.qdimacs --qdo         with values of the outermost block
  gamesat solve game.gsat --turn min          MIN moves first
  gamesat solve -e 'x == y' --stars 1         a game with one element outside the formula
  gamesat solve big.qdimacs.xz --time-limit 60 --memory-limit 2000 --stats

Exit codes: 10 true / MAX wins, 20 false / MIN wins, 0 unknown, 1 bad input, 2 wrong usage.";

const CONVERT_EXAMPLES: &str = "\
Examples:
  gamesat convert game.gsat --to gamesat-dnf       CNF to prime DNF
  gamesat convert -e 'a & (b | c)' --to gamesat-cnf
  gamesat convert formula.qcir --to qdimacs -o formula.qdimacs
  gamesat convert formula.qdimacs --to qdimacs --minimise";

const SIMPLIFY_EXAMPLES: &str = "\
Examples:
  gamesat simplify formula.qdimacs | depqbf
  gamesat simplify formula.qdimacs --stats --without expansion,elimination
  gamesat simplify formula.qcir --only unit_propagation,pure_literals

A formula that simplification decides is printed as 'p cnf 0 0' (true) or 'p cnf 0 1' and '0' (false).
Exit codes: 10 decided true, 20 decided false, 0 not decided, 1 bad input, 2 wrong usage.";

const CHECK_EXAMPLES: &str = "\
Examples:
  gamesat check formula.qdimacs proof.aag     Skolem or Herbrand functions as ASCII AIGER
  gamesat check game.gsat proof.strategy      a player's strategy

Exit codes: 0 accepted, 3 rejected, 1 bad input or not finished, 2 wrong usage.";

const GENERATE_EXAMPLES: &str = "\
Examples:
  gamesat generate                            the families and their parameters
  gamesat generate kbkf n=12
  gamesat generate random clauses=260 vars=20 exists=3 forall=2 --seed 1
  gamesat generate counter bits=4 squarings=4 --to qcir
  gamesat generate game-random elements=30 rows=60 size=4 | gamesat solve -
  gamesat generate dots moves=12 --seed 5 | gamesat solve - --all-moves";

const ENCODE_EXAMPLES: &str = "\
Examples:
  gamesat encode hex 4 --to gamesat-cnf | gamesat solve -
  gamesat encode hex 5x4 --moves 'b2 c3' --to gamesat-dnf
  gamesat encode board.hex --to qdimacs --depth 11 > bounded.qdimacs
  gamesat encode game.sgf --moves 'a3' --to board
  gamesat encode line 3x3 3 --to qcir --encoding lifted
  gamesat encode connect 5x3 3 --depth 9 --to qdimacs
  gamesat encode dots 1x2 --threshold 1 --to qcir
  gamesat encode game.gsat --to qdimacs";

const MATCH_EXAMPLES: &str = "\
Examples:
  gamesat match policy random dots 5x5 --games 1000
  gamesat match search policy dots 5x5 --games 100 --move-time 0.1 --threads 2
  gamesat match search random position.connect --seed 7 --json

Players:
";

/// Examples, and the players that there are.
fn match_help() -> String {
    format!("{MATCH_EXAMPLES}{}", super::matches::list().trim_end())
}

/// Examples, and the boards that there are.
fn encode_help() -> String {
    let boards: Vec<String> = games().iter().map(|game| format!("{} {}", game.word, game.words)).collect();
    let files = "files also hold positions, SGF, Shannon graphs and positional games.";
    format!("{ENCODE_EXAMPLES}\n\nBoards: {};\n{files}", boards.join(", "))
}

/// Solver for quantified Boolean formulas and set colouring games.
#[derive(Debug, Parser)]
#[command(name = "gamesat", version, about, after_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub solve: SolveArgs,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say whether a quantified formula is true, or who wins a game [default]
    #[command(after_help = SOLVE_EXAMPLES)]
    Solve(Box<SolveArgs>),
    /// Translate between formula formats and normal forms
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(ConvertArgs),
    /// Print the preprocessed QBF, for use in front of other solvers
    #[command(after_help = SIMPLIFY_EXAMPLES)]
    Simplify(SimplifyArgs),
    /// Verify a certificate of a quantified formula, or a strategy of a game
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Print an instance of a family, most of them with known answers
    #[command(after_help = GENERATE_EXAMPLES)]
    Generate(GenerateArgs),
    /// Turn a board or a game into a formula that other tools read
    #[command(after_help = encode_help())]
    Encode(EncodeArgs),
    /// Let two players play a game with an order, many times
    #[command(after_help = match_help())]
    Match(MatchArgs),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  gamesat completions bash > ~/.local/share/bash-completion/completions/gamesat")]
    Completions(CompletionsArgs),
    /// Print the manual page, of the program or of one command
    #[command(after_help = "Examples:\n  gamesat man | man -l -\n  gamesat man solve > gamesat-solve.1")]
    Man(ManArgs),
}

/// Where the input comes from and how to read it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// File to read, compressed or not; '-' or nothing is standard input. Or a board, such as: hex 5
    #[arg(value_name = "FILE", help_heading = None)]
    pub words: Vec<String>,
    /// Read this infix formula instead of a file
    #[arg(short = 'e', long, value_name = "FORMULA", conflicts_with_all = ["words", "format"], allow_hyphen_values = true)]
    pub expression: Option<String>,
    /// Format of the input, instead of recognising it by content
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub format: Option<Format>,
    /// Refuse whatever the format's definition does not allow
    #[arg(long)]
    pub strict: bool,
    /// Play these moves first, the players taking turns, such as 'b2 c3'
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
    /// Of a game record, take the position after this many moves instead of the last one
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::all().iter().map(|format| format.name()))
        .try_map(|name| Format::from_name(&name).ok_or("unknown format"))
}

/// What of a game the text leaves open, or what to change in it.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Games")]
pub struct GameArgs {
    /// Who moves next: max or min, or on a board a side by its name, such as black or short
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

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a possible number of seconds".to_owned())
}

#[derive(Clone, Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// Print values of the outermost block's variables as 'V' lines
    #[arg(long, help_heading = "Answers")]
    pub qdo: bool,
    /// Count the solutions of a puzzle up to this many
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Answers", value_parser = clap::value_parser!(u32).range(1..))]
    pub solutions: u32,
    /// Print every winning move of a game
    #[arg(long, help_heading = "Answers")]
    pub all_moves: bool,
    /// Print elements of a game that suffice for the winner, as a 't' line
    #[arg(long, help_heading = "Answers")]
    pub trace: bool,
    /// Make that set as small as giving elements away one by one can; implies --trace
    #[arg(long, help_heading = "Answers")]
    pub shrink_trace: bool,
    /// Write a proof of a QBF's verdict to this file, for 'gamesat check': Skolem or Herbrand functions as an AIGER circuit,
    /// binary if the name ends in '.aig'
    #[arg(long, value_name = "FILE", help_heading = "Answers", conflicts_with = "strategy")]
    pub certificate: Option<PathBuf>,
    /// Write a proof of a game's verdict to this file, for 'gamesat check': the winner's strategy
    #[arg(long, value_name = "FILE", help_heading = "Answers")]
    pub strategy: Option<PathBuf>,
    /// Draw the board, with the winning moves marked, also where the output is no terminal
    #[arg(long, help_heading = "Answers")]
    pub picture: bool,
    /// Print counters and times as 'c' lines
    #[arg(long, help_heading = "Answers")]
    pub stats: bool,
    /// Print one JSON object instead of the lines
    #[arg(long, help_heading = "Answers")]
    pub json: bool,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub techniques: TechniqueArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How to search.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Engine to use instead of the best one for the problem
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(engine_names()))]
    pub engine: Option<String>,
    /// Number of threads; the set colouring engine and that of games with an order use them, the others work alone
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Seed of everything random; no engine draws lots today
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// SAT solver of the QBF engines, instead of their own
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Backend::ALL.iter().map(|backend| backend.name())))]
    pub backend: Option<String>,
    /// Look for captured sets of up to this many elements
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    pub capture_size: Option<u8>,
    /// Size of the transposition table of games in MiB; 0 for none
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(..=1 << 20))]
    pub table: Option<u32>,
}

fn engine_names() -> Vec<clap::builder::PossibleValue> {
    engines().iter().map(|engine| clap::builder::PossibleValue::new(engine.name()).help(engine.about())).collect()
}

impl SolveArgs {
    /// What is wanted beside the verdict.
    pub fn wanted(&self) -> Wanted {
        let mut wanted = Wanted::default();
        wanted.all_moves = self.all_moves;
        wanted.trace = match (self.shrink_trace, self.trace) {
            (true, _) => Trace::Small,
            (false, true) => Trace::Any,
            (false, false) => Trace::No,
        };
        wanted.outer_model = self.qdo;
        wanted.proof = self.proof_path().is_some();
        wanted
    }

    /// Where the proof goes, if one is wanted.
    pub fn proof_path(&self) -> Option<&PathBuf> {
        self.certificate.as_ref().or(self.strategy.as_ref())
    }

    /// How to search.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.engine = self.search.engine.clone();
        options.seed = self.search.seed;
        options.threads = usize::from(self.search.threads);
        self.techniques.apply(&mut options);
        if let Some(backend) = self.search.backend.as_deref().and_then(Backend::from_name) {
            options.abstraction.backend = backend;
        }
        if let Some(size) = self.search.capture_size {
            options.game.capture_size = usize::from(size);
        }
        if let Some(megabytes) = self.search.table {
            options.game.table = megabytes as usize;
            options.sequential.sequential_table = megabytes as usize;
        }
        options.sequential.solutions = self.solutions as usize;
        options
    }
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
pub struct CheckArgs {
    /// The problem: a file, compressed or not, or '-' for standard input
    #[arg(value_name = "PROBLEM")]
    pub problem: String,
    /// The proof: a file, compressed or not, or '-' for standard input
    #[arg(value_name = "PROOF")]
    pub proof: PathBuf,
    /// Format of the problem, instead of recognising it by content
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Input")]
    pub format: Option<Format>,
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
            strict: false,
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
    /// Seed of everything random
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
pub struct MatchArgs {
    /// The player who begins the first game
    #[arg(value_name = "PLAYER")]
    pub one: String,
    /// The other player; they begin in turn
    #[arg(value_name = "PLAYER")]
    pub two: String,
    /// A file with a position, '-' for standard input, or a board, such as: dots 5x5
    #[arg(value_name = "GAME", required = true)]
    pub words: Vec<String>,
    /// Format of the position, instead of recognising it by content
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), help_heading = "Input")]
    pub format: Option<Format>,
    /// Play these moves first
    #[arg(long, value_name = "MOVES", help_heading = "Input")]
    pub moves: Option<String>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of threads, each with a game of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// How long a player who searches may think about a move, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = parse_seconds)]
    pub move_time: Duration,
    /// Print one JSON object instead of the lines
    #[arg(long)]
    pub json: bool,
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
            strict: false,
            moves: self.moves.clone(),
            ply: None,
        }
    }
}

#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// The command whose page to print
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
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

    #[test]
    fn seconds_are_checked() {
        assert_eq!(parse_seconds("1.5"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "x", "-1", "nan", "inf", "1e300"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }
}
