//! Options of the commands that ask a question and wait for its answer: how to search, what is wanted, cubes.

use super::shared::{GameArgs, InputArgs, LimitArgs, OutputArgs, ReportArgs, parse_time};
use crate::cli::techniques::TechniqueArgs;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
#[cfg(feature = "cadical")]
use gamesat::options::Backend;
use gamesat::options::Certificate;
use gamesat::solve::{Options, Trace, Wanted, engines};
use gamesat::split::Cutting;
use std::path::PathBuf;
use std::time::Duration;

/// How to search.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Engine to use instead of the best one for the problem; 'gamesat help engines' lists them
    #[arg(long, value_name = "NAME", hide_possible_values = true, value_parser = PossibleValuesParser::new(engine_names()))]
    pub engine: Option<String>,
    /// Number of threads: for set colouring, graph and sequential games, and for engines that race on a QBF
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// SAT solver of the QBF engines, instead of their own
    #[cfg(feature = "cadical")]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(Backend::ALL.iter().map(|backend| backend.name())))]
    pub backend: Option<String>,
    /// Look for captured sets of up to this many elements
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    pub capture_size: Option<u8>,
    /// Size of the transposition table of games in MiB; 0 for none. For sequential games it is what the memory limit leaves, or 256
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(..=1 << 20))]
    pub table: Option<u32>,
}

fn engine_names() -> Vec<clap::builder::PossibleValue> {
    engines().iter().map(|engine| clap::builder::PossibleValue::new(engine.name()).help(engine.about())).collect()
}

impl SearchArgs {
    /// How to search, with these techniques.
    pub fn options(&self, techniques: &TechniqueArgs) -> Options {
        let mut options = Options::default();
        options.engine = self.engine.clone();
        options.threads = usize::from(self.threads);
        techniques.apply(&mut options);
        #[cfg(feature = "cadical")]
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
pub struct SolveArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// Who moves when, instead of taking turns: '1,2*' for one move first and then two each, or 'max,min,min,max'
    #[arg(long, value_name = "SCHEDULE", help_heading = "Games", conflicts_with_all = ["strategy", "certificate", "qdo", "shrink_trace"])]
    pub order: Option<String>,
    /// Boards: the side that reaches its goal loses
    #[arg(long, help_heading = "Games", conflicts_with = "order")]
    pub misere: bool,
    /// Look the position up in a book that 'gamesat book' has made, and search only if it is not there
    #[arg(long, value_name = "FILE", help_heading = "Games", conflicts_with_all = ["order", "misere"])]
    pub book: Option<PathBuf>,
    /// Sequential games: look only so many plies ahead; say what is proven then, and give an estimate
    #[arg(long, value_name = "PLIES", help_heading = "Games", conflicts_with_all = ["order", "misere", "book"], value_parser = clap::value_parser!(u8).range(1..=250))]
    pub depth: Option<u8>,
    /// Print values of the outermost block's variables as 'V' lines
    #[arg(long, help_heading = "Answers")]
    pub qdo: bool,
    /// Print every winning choice of the outermost block, as 'V' lines of literals: all completions of a line win, and no two
    /// lines share one. These are the models of an existential block, and the countermodels of a universal one
    #[arg(long, help_heading = "Answers", conflicts_with_all = ["qdo", "certificate", "strategy", "order"])]
    pub all_models: bool,
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
    /// binary if the name ends in '.aig', or steps: a refutation if it is false, a confirmation if it is true
    #[arg(long, value_name = "FILE", help_heading = "Answers", conflicts_with = "strategy")]
    pub certificate: Option<PathBuf>,
    /// What shows the verdict on a QBF in clauses: 'functions', 'steps' of a refutation or a confirmation if one is found, or
    /// 'any': functions unless they are large
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "any",
        help_heading = "Answers",
        requires = "certificate"
    )]
    pub certificate_format: CertificateFormat,
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
    /// The folder of the question that was cut; without '--cube', work until the answer is known
    #[arg(long, value_name = "FOLDER", help_heading = "Cubes")]
    pub manifest: Option<PathBuf>,
    /// File a proof of the cube, too
    #[arg(long, requires = "manifest", help_heading = "Cubes")]
    pub proofs: bool,
    /// Draw the board, with the winning moves marked, also where the output is no terminal
    #[arg(long, help_heading = "Answers")]
    pub picture: bool,
    /// Print counters and times as 'c' lines
    #[arg(long, help_heading = "Answers")]
    pub stats: bool,
    /// Solve several problems, so many at a time: the files, and those in folders. Each has a process and limits of its own
    #[arg(long, value_name = "N", help_heading = "Batch", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub techniques: TechniqueArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// What shows a verdict on a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CertificateFormat {
    /// Functions unless they are large
    Any,
    /// Skolem or Herbrand functions
    Functions,
    /// A refutation or a confirmation, if one is found
    #[value(alias = "refutation")]
    Steps,
}

/// How a strategy is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyFormat {
    /// A graph of positions, numbered
    Graph,
    /// A tree of moves by name, with parts that are kept up at the same time
    Autotree,
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
        wanted.all_models = self.all_models;
        wanted.proof = self.proof_path().is_some();
        wanted.certificate = match self.certificate_format {
            CertificateFormat::Any => Certificate::Any,
            CertificateFormat::Functions => Certificate::Functions,
            CertificateFormat::Steps => Certificate::Steps,
        };
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
        // The rest of the program needs little: as many positions are remembered as fit, within reason.
        if let (None, Some(megabytes)) = (self.search.table, self.limits.memory_limit) {
            let rest = (megabytes / 8).max(24);
            options.sequential.sequential_table = megabytes.saturating_sub(rest).clamp(1, 4096) as usize;
        }
        options.sequential.solutions = self.solutions as usize;
        options.sequential.look_ahead = self.depth;
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
pub struct BookArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub game: GameArgs,
    /// Positions after up to this many moves
    #[arg(long, value_name = "K", default_value_t = 1, conflicts_with = "strong")]
    pub plies: usize,
    /// Give up on a position after this many seconds
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = parse_time, conflicts_with = "strong")]
    pub seconds: Option<Duration>,
    /// Every position of a game of at most 16 elements, as a table of bits
    #[arg(long, requires = "record")]
    pub strong: bool,
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
    /// Cut this cube of the folder again, instead of a new question
    #[arg(long, value_name = "CUBE", conflicts_with_all = ["words", "expression"])]
    pub again: Option<u32>,
    /// Settle what a search of so many nodes can settle at once
    #[arg(long, value_name = "NODES", default_value_t = 30)]
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
    /// List cubes that are not solved and no longer needed
    #[arg(long)]
    pub prune: bool,
    /// Write one proof of the whole to this file, if the cubes that it rests on have theirs
    #[arg(long, value_name = "FILE", conflicts_with = "prune")]
    pub proof: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub report: ReportArgs,
}
