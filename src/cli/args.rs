//! Every option, declared once: help, man page and completions derive from here.

use super::door::{Manner, end_after, interrupt_on_signals};
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
use gamesat::solve::{Interrupt, Limits, Options, Trace, Wanted, engines};
use gamesat::split::Cutting;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  gamesat formula.qdimacs.gz                  is this QBF true?
  gamesat solve game.gsat --all-moves         who wins this game, and by which moves?
  gamesat solve board.hex                     who wins on this board?
  gamesat -e 'forall x exists y: x == y'      a formula on the command line
  cat formula.qcir | gamesat solve - --json   in a pipeline

Exit codes: 10 true / MAX wins, 20 false / MIN wins, 30 a draw, 0 unknown or success, 1 bad input, 2 wrong usage.
'gamesat COMMAND --help' says more about a command.";

const SOLVE_EXAMPLES: &str = "\
Examples:
  gamesat solve formula.qdimacs --qdo         with values of the outermost block
  gamesat solve game.gsat --turn min          MIN moves first
  gamesat solve -e 'x == y' --stars 1         a game with one element outside the formula
  gamesat solve big.qdimacs.xz --time-limit 60 --memory-limit 2000 --stats

Exit codes: 10 true / MAX wins, 20 false / MIN wins, 30 a draw, 0 unknown, 1 bad input, 2 wrong usage.";

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
  gamesat simplify hex 4 --moves 'd1 b3'      the game that is left, captured sets filled in

A formula that simplification decides is printed as 'p cnf 0 0' (true) or 'p cnf 0 1' and '0' (false).
Exit codes: 10 decided true, 20 decided false, 0 not decided, 1 bad input, 2 wrong usage.";

const ANALYSE_EXAMPLES: &str = "\
Examples:
  gamesat analyse -e 'x & (y | z)'            class, winning moves, and why the others are not
  gamesat analyse hex 4 --moves 'd1 b3'       captured, dominated and losing cells
  gamesat analyse hex 3 --set a1,b1           one set under the glass
  gamesat analyse board.hex --to html -o board.html
  gamesat analyse hex 6 --static              without any search

Exit codes: 0 success, 1 bad input or not finished, 2 wrong usage; with --verdict as 'solve'.";

const COMPOSE_EXAMPLES: &str = "\
Examples:
  gamesat compose and left.gsat right.gsat | gamesat classify -
  gamesat compose maj a.gsat b.gsat c.gsat -o match.infix

Elements with the same name are the same; elements without a name never are.";

const STATS_EXAMPLES: &str = "\
Examples:
  gamesat stats hex 5                         winning sets of both players: number, length, weight
  gamesat stats hex 4 --moves 'b2 c3'         the same after each move
  gamesat stats -e 'a & (b | c)' --json";

const VALUE_EXAMPLES: &str = "\
Examples:
  gamesat value hex 3 --coinflip              a coin says who moves
  gamesat value hex 8 --random-play --samples 20000 --seed 1
  gamesat value hex 11 --two-distance
  gamesat value y 6 --y-reduction";

const CLASSIFY_EXAMPLES: &str = "\
Examples:
  gamesat classify -e 'x == y'                who wins, with and without a star, and the canonical form
  gamesat classify -e '!x | y' --rule own
  gamesat classify hex 3 --moves b2
  gamesat classify --all 4                    how many functions of four elements have each form

Exit codes: 0 success, 1 bad input or not finished, 2 wrong usage.";

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

const SPLIT_EXAMPLES: &str = "\
Examples:
  gamesat split hex 7 --moves a2 --cubes 64 -o cut
  gamesat solve hex 7 --moves a2 --cube 3 --manifest cut      a result of its own for every cube
  gamesat join cut                                            who wins, or what is missing
  gamesat split formula.qdimacs --cubes 100 -o cut --slurm    and a script for sbatch
  gamesat split --again 3 --cubes 8 -o cut                    cut cube 3 once more";

const JOIN_EXAMPLES: &str = "\
Examples:
  gamesat join cut --proof whole.strategy && gamesat check board.hex whole.strategy
  gamesat join cut --prune                                    cubes that need not run any more

Exit codes: 10 true / MAX wins, 20 false / MIN wins, 0 not known yet, 1 bad input, 2 wrong usage.";

const PLAY_EXAMPLES: &str = "\
Examples:
  gamesat play hex 6                          you begin
  gamesat play hex 11 --side white --seconds 2
  gamesat play -e '(a | b) & (c | d) & (b | c)'
  gamesat play formula.qdimacs --side forall  choose the universal variables
  gamesat play hex 7 --web                    in a browser
  echo 'c3 quit' | tr ' ' '\\n' | gamesat play hex 5

'help' lists what can be said during a game. Exit codes: 10 MAX has won, 20 MIN has won, 30 a draw, 0 not over.";

const SERVE_EXAMPLES: &str = "\
Example:
  printf 'game hex 4\\nplay a1\\ngenmove 1\\nwinner\\nquit\\n' | gamesat serve

Requests: game FILE|BOARD, side max|min, play MOVE, genmove [SECONDS], undo, winner, analyse, moves, quit.";

const HTP_EXAMPLES: &str = "\
Example:
  printf 'boardsize 5 5\\nplay black c3\\ngenmove white\\nquit\\n' | gamesat htp

In HexGui: Program, New, and the command 'gamesat htp --seconds 10'.";
const OPENINGS_EXAMPLES: &str = "\
Examples:
  gamesat openings hex 5                      a map of the openings of 5x5
  gamesat openings hex 8 --record hex8.txt --time-limit 3600
                                              for an hour; once more goes on from there

In the map '+' is an opening that wins, '-' one that loses, '?' one that is not known. 'o' lines say the same, with the nodes
it took: a symmetric image takes none.";
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
    /// Print the preprocessed QBF or the reduced game, for use in front of other programs
    #[command(after_help = SIMPLIFY_EXAMPLES)]
    Simplify(SimplifyArgs),
    /// Say why: winning moves of both players, captured, dominated and losing elements with reasons
    #[command(after_help = ANALYSE_EXAMPLES)]
    Analyse(Box<AnalyseArgs>),
    /// Say who wins a game whoever starts, with and without a star, and what it is worth inside others
    #[command(after_help = CLASSIFY_EXAMPLES)]
    Classify(ClassifyArgs),
    /// Make one game of several: all, some, an odd number or most of them are to be won
    #[command(after_help = COMPOSE_EXAMPLES)]
    Compose(ComposeArgs),
    /// Count the winning sets of a game: their number, lengths and weights
    #[command(after_help = STATS_EXAMPLES)]
    Stats(StatsArgs),
    /// Evaluate a position by a number instead of solving it
    #[command(after_help = VALUE_EXAMPLES)]
    Value(ValueArgs),
    /// Verify a certificate of a quantified formula, or a strategy of a game
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Print an instance of a family, most of them with known answers
    #[command(after_help = GENERATE_EXAMPLES)]
    Generate(GenerateArgs),
    /// Turn a board or a game into a formula that other tools read
    #[command(after_help = encode_help())]
    Encode(EncodeArgs),
    /// Cut a hard question into cubes, for many machines
    #[command(after_help = SPLIT_EXAMPLES)]
    Split(Box<SplitArgs>),
    /// Join the answers of cubes, and their proofs
    #[command(after_help = JOIN_EXAMPLES)]
    Join(JoinArgs),
    /// Play against the program: boards, games on formulas, quantified formulas
    #[command(after_help = PLAY_EXAMPLES)]
    Play(PlayArgs),
    /// Play any game with another program, line by line on standard input and output
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(ServeArgs),
    /// Play Hex with HexGui, or whoever speaks the Hex Text Protocol
    #[command(after_help = HTP_EXAMPLES)]
    Htp(HtpArgs),
    /// Say which first moves on a board win, and go on where an earlier run has stopped
    #[command(after_help = OPENINGS_EXAMPLES)]
    Openings(Box<OpeningsArgs>),
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
#[derive(Clone, Debug, Default, Args)]
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

impl InputArgs {
    /// Whether the problem would come from standard input.
    pub fn is_standard_input(&self) -> bool {
        self.expression.is_none() && (self.words.is_empty() || self.words == ["-"])
    }
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
    /// Who moves when, instead of taking turns: '1,2*' for one move first and then two each, or 'max,min,min,max'
    #[arg(long, value_name = "SCHEDULE", help_heading = "Games", conflicts_with_all = ["strategy", "certificate", "qdo", "shrink_trace"])]
    pub order: Option<String>,
    /// Boards: whoever reaches the own goal loses
    #[arg(long, help_heading = "Games", conflicts_with = "order")]
    pub misere: bool,
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
    /// How the strategy is written: 'graph', in which positions are shared, or 'autotree', for people
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "graph",
        help_heading = "Answers",
        requires = "strategy"
    )]
    pub strategy_format: StrategyFormat,
    /// Solve this cube of a question that 'gamesat split' has cut, and file its result
    #[arg(long, value_name = "CUBE", requires = "manifest", help_heading = "Cubes")]
    pub cube: Option<u32>,
    /// The folder of the question that was cut
    #[arg(long, value_name = "FOLDER", requires = "cube", help_heading = "Cubes")]
    pub manifest: Option<PathBuf>,
    /// File a proof of the cube, too
    #[arg(long, requires = "cube", help_heading = "Cubes")]
    pub proofs: bool,
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

/// How a strategy is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyFormat {
    /// A graph of positions, numbered
    Graph,
    /// A tree of moves by name, with parts that are kept up at the same time
    Autotree,
}

/// How to search.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Engine to use instead of the best one for the problem
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(engine_names()))]
    pub engine: Option<String>,
    /// Number of threads: for set colouring, graph and ordered games, and for engines that race on a QBF
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
        wanted.tree = self.strategy_format == StrategyFormat::Autotree;
        wanted
    }

    /// Where the proof goes, if one is wanted.
    pub fn proof_path(&self) -> Option<&PathBuf> {
        self.certificate.as_ref().or(self.strategy.as_ref())
    }

    /// How to search.
    pub fn options(&self) -> Options {
        let mut options = self.search.options(&self.techniques);
        options.sequential.solutions = self.solutions as usize;
        options
    }
}

impl SearchArgs {
    /// How to search, with these techniques.
    pub fn options(&self, techniques: &TechniqueArgs) -> Options {
        let mut options = Options::default();
        options.engine = self.engine.clone();
        options.seed = self.seed;
        options.threads = usize::from(self.threads);
        techniques.apply(&mut options);
        if let Some(backend) = self.backend.as_deref().and_then(Backend::from_name) {
            options.abstraction.backend = backend;
        }
        if let Some(size) = self.capture_size {
            options.game.capture_size = usize::from(size);
        }
        if let Some(megabytes) = self.table {
            options.game.table = megabytes as usize;
            options.graph.graph_table = megabytes as usize;
            options.sequential.sequential_table = megabytes as usize;
        }
        options
    }
}

#[derive(Clone, Debug, Args)]
pub struct OpeningsArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// Keep what is known in this file, and go on from what it knows already
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub techniques: TechniqueArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
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
    /// Print one JSON object instead of the lines
    #[arg(long)]
    pub json: bool,
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
    /// Print one JSON object instead of the lines
    #[arg(long)]
    pub json: bool,
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
    /// Print one JSON object instead of the lines
    #[arg(long)]
    pub json: bool,
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
    /// Y boards, and square Hex boards, contracted cell by cell
    #[arg(long, group = "evaluation")]
    pub y_reduction: bool,
    /// How many samples to draw where there is too much to count
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub samples: u64,
    /// Seed of the samples
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Print one JSON object instead of the lines
    #[arg(long)]
    pub json: bool,
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
pub struct SplitArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// About how many cubes there shall be
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub cubes: u32,
    /// The folder for manifest, cubes and results
    #[arg(short = 'o', long = "folder", value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Cut this cube of the folder once more, instead of a new question
    #[arg(long, value_name = "CUBE", conflicts_with_all = ["words", "expression"])]
    pub again: Option<u32>,
    /// Settle what a search of so many nodes can settle at once
    #[arg(long, value_name = "NODES", default_value_t = 2_000)]
    pub look_ahead: u64,
    /// File a proof of every cube, and keep moves that cannot help, so that 'gamesat join --proof' can answer all of them
    #[arg(long)]
    pub proofs: bool,
    /// Write a script for sbatch into the folder: a job array over the cubes, and a job behind it that joins
    #[arg(long)]
    pub slurm: bool,
    /// Print a line for GNU parallel
    #[arg(long)]
    pub parallel: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub report: ReportArgs,
}

impl SplitArgs {
    /// How to cut.
    pub fn cutting(&self) -> Cutting {
        Cutting { cubes: self.cubes as usize, every_move: self.proofs, look_ahead: self.look_ahead }
    }
}

#[derive(Clone, Debug, Args)]
pub struct JoinArgs {
    /// The folder that 'gamesat split' made
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// List cubes that are not solved and need not be any more
    #[arg(long)]
    pub prune: bool,
    /// Write one proof of the whole to this file, if the cubes that it rests on have theirs
    #[arg(long, value_name = "FILE", conflicts_with = "prune")]
    pub proof: Option<PathBuf>,
    /// Print one JSON object instead of the lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub report: ReportArgs,
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

/// How a move is found.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Thinking")]
pub struct ThinkingArgs {
    /// Time for a move; what is not proven by then is guessed
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = parse_seconds)]
    pub seconds: Option<Duration>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Stop thinking about a move when more than this many megabytes are resident
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
    /// End the program after this many seconds, whatever it is doing
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
}

impl ThinkingArgs {
    /// How to search.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.threads = usize::from(self.threads);
        options
    }

    /// What ends a thought: signals, and the time limit.
    pub fn interrupt(&self) -> std::io::Result<Interrupt> {
        let interrupt = interrupt_on_signals()?;
        if let Some(limit) = self.time_limit {
            end_after(limit, &interrupt)?;
        }
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
    #[arg(long)]
    pub web: bool,
    /// The port of that page, instead of any that is free
    #[arg(long, value_name = "PORT", requires = "web", default_value_t = 0)]
    pub port: u16,
    #[command(flatten)]
    pub thinking: ThinkingArgs,
    /// No warnings, no progress
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// The game to begin with: a file, or a board, such as: hex 5
    #[arg(value_name = "GAME")]
    pub words: Vec<String>,
    /// Answer with one JSON object a line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub thinking: ThinkingArgs,
}

#[derive(Clone, Debug, Args)]
pub struct HtpArgs {
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
    /// How long a player may think about a move, in seconds
    #[arg(long, alias = "move-time", value_name = "SECONDS", default_value = "0.1", value_parser = parse_seconds)]
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
