//! Text formats: one file per format, reader and writer side by side.
//!
//! A new format is one file that implements [`Syntax`], its `mod` line, and one line in the `formats!` list below. The
//! grammars that users read, and that the tests execute, are in `grammars/`.

mod aiger;
mod autotree;
mod coins;
mod colouring;
mod confirmation;
mod connect;
#[cfg(feature = "compression")]
mod decompress;
mod dominoes;
mod dots;
mod drawn;
mod error;
mod gamesat;
mod infix;
mod labels;
mod lexer;
mod minichess;
mod positional;
mod problem;
mod proof;
mod qcir;
mod qdimacs;
mod reduction;
mod refutation;
mod rows;
mod sgf;
mod shannon;
pub mod slip;
mod span;
mod strategy;
mod sudoku;
mod trees;
mod within;

pub use aiger::{AigerForm, read_aiger, write_aiger};
pub use autotree::{is_autotree, read_autotree, write_autotree};
pub use confirmation::{is_confirmation, read_confirmation, write_confirmation};
#[cfg(feature = "compression")]
pub use decompress::decompress;
pub use error::{ReadError, SyntaxError, Warning, WriteError};
pub use problem::{parse, read_file};
pub use proof::{read_proof, write_proof};
pub use reduction::{read_reduction, write_promises};
pub use refutation::{is_refutation, read_refutation, write_refutation};
pub use strategy::{is_strategy, read_strategy, write_strategy};
pub use trees::{is_trees, read_trees, write_trees};
pub use within::within;

use gamesat_core::Problem;
use gamesat_core::formula::Colouring;
use gamesat_core::rules::sequential::Sequential;
use gamesat_core::rules::{Board, Game, games};
use lexer::{BYTE_ORDER_MARK, Lexer};
use std::io::{BufWriter, Read, Write};
use std::sync::LazyLock;

/// Whether a line is a header in DIMACS style about this word.
fn is_header(line: &str, word: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    words.next() == Some("p") && words.next() == Some(word)
}

/// What a format is to the rest: a name, a way to recognise it, a reader and a writer.
trait Syntax: Sync {
    /// The name by which it is selected.
    fn name(&self) -> &'static str;

    /// Whether a file is in this format, by its first line that is neither blank nor a comment.
    fn recognises(&self, line: &str) -> bool;

    /// Reads a problem, to the end of the input.
    fn read(&'static self, lexer: &mut Lexer<'_>) -> Result<Problem, ReadError>;

    /// Writes a problem, or says why this format cannot hold it.
    fn write(&self, problem: &Problem, out: &mut dyn Write) -> Result<(), WriteError>;
}

macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident = $syntax:expr;)*) => {
        /// A text format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            /// A board in rows of symbols, one format for each of the [`games`].
            Drawn(&'static Game),
            $($(#[$doc])* $variant,)*
        }

        impl Format {
            /// Every format, in the order in which they are tried on a file.
            pub fn all() -> &'static [Format] {
                static ALL: LazyLock<Vec<Format>> =
                    LazyLock::new(|| games().iter().map(Format::Drawn).chain([$(Format::$variant,)*]).collect());
                &ALL
            }

            fn syntax(self) -> &'static dyn Syntax {
                match self {
                    Format::Drawn(game) => game,
                    $(Format::$variant => &$syntax,)*
                }
            }
        }
    };
}

formats! {
    /// GAME-SAT: a set colouring game in DIMACS style.
    Gamesat = gamesat::Gamesat;
    /// Set colouring games with any number of colours.
    Setcol = colouring::Setcol;
    /// Two-coloured games whose rows score.
    Score = colouring::Score;
    /// Shannon's games on the vertices or edges of a graph.
    Shannon = shannon::Shannon;
    /// Connect-k in rows or by the moves played.
    Connect = connect::ConnectText;
    /// Dots-and-Boxes as it is drawn, or by the moves played.
    Dots = dots::DotsText;
    /// Strings-and-Coins on a graph.
    Coins = coins::CoinsText;
    /// Mini-chess in FEN.
    MiniChess = minichess::MiniChessText;
    /// Dominoes.
    Dominoes = dominoes::DominoesText;
    /// Sudoku.
    Sudoku = sudoku::SudokuText;
    /// Hex games in SGF.
    Sgf = sgf::Sgf;
    /// Positional games, bounded in depth.
    Positional = positional::Pg;
    /// QDIMACS 1.1 and plain DIMACS CNF; after the other formats with a `p` line, as it explains unknown ones.
    Qdimacs = qdimacs::Qdimacs;
    /// QCIR-14 and QCIR-G14: quantified circuits.
    Qcir = qcir::Qcir;
    /// Infix formulas: a quantified one or a game.
    Infix = infix::Infix;
}

impl Format {
    /// The name by which it is selected.
    pub fn name(self) -> &'static str {
        self.syntax().name()
    }

    /// The format of a board's own text form.
    pub fn of_board(board: &Board) -> Format {
        Format::from_name(board.rules().word()).unwrap_or(Format::Positional)
    }

    /// The format of a game with colours or a score.
    pub fn of_colouring(game: &Colouring) -> Format {
        match game {
            _ if game.weights().is_some() => Format::Score,
            _ if game.rule == gamesat_core::formula::Rule::Own => Format::Gamesat,
            _ => Format::Setcol,
        }
    }

    /// The format of a game with an order.
    pub fn of_sequential(game: &Sequential) -> Format {
        match game {
            Sequential::Connect(_) => Format::Connect,
            Sequential::Dots(dots) if dots.grid().is_some() => Format::Dots,
            Sequential::Dots(_) => Format::Coins,
            Sequential::MiniChess(_) => Format::MiniChess,
            Sequential::Dominoes(_) => Format::Dominoes,
        }
    }

    /// What begins a comment that has a line of its own.
    pub fn comment(self) -> &'static str {
        match self {
            Format::Positional => "%",
            Format::Qcir | Format::Infix => "#",
            _ => "c",
        }
    }

    /// The format that the end of a file's name speaks of, compression aside; `None` if it speaks of none.
    pub fn of_file_name(name: &str) -> Option<Format> {
        let lower = name.to_ascii_lowercase();
        let compressed = [".gz", ".xz", ".zst", ".bz2"].iter().find_map(|end| lower.strip_suffix(end));
        let (_, end) = compressed.unwrap_or(&lower).rsplit_once('.')?;
        match end {
            "cnf" | "dimacs" | "dqdimacs" => Some(Format::Qdimacs),
            "gsat" => Some(Format::Gamesat),
            _ => Format::from_name(end),
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::all().iter().copied().find(|format| format.name() == name)
    }
}

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The format, or `None` to recognise it by content.
    pub format: Option<Format>,
    /// Take a single word for a formula, as in a text that a user has typed as one. In a file it may be anything.
    pub single_word: bool,
    /// The name of the file that is read: if its end speaks of another format than its content, that is an error.
    pub file_name: Option<String>,
    /// Make an error of every oddity that is tolerated by default.
    pub strict: bool,
    /// Tolerate, too, that there are fewer rows than the header announces, as in a file that was cut off.
    pub tolerant: bool,
    /// Game records: after how many moves of the main line to stop; `None` for all of them.
    pub ply: Option<usize>,
}

/// A problem and what was noticed while reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The problem.
    pub problem: Problem,
    /// The format it was read in.
    pub format: Format,
    /// Oddities that were tolerated and should be said.
    pub warnings: Vec<Warning>,
}

/// Reads a problem. `name` is what errors call the input.
///
/// The input is read in chunks and checked as it arrives, so that a wrong file is refused long before its end.
///
/// # Errors
/// Text that is not in the format, and input that cannot be read.
pub fn read(source: &mut dyn Read, name: &str, options: &ReadOptions) -> Result<Parsed, ReadError> {
    let mut lexer = Lexer::new(source, name, options.strict);
    (lexer.ply, lexer.tolerant) = (options.ply, options.tolerant);
    lexer.skip_byte_order_mark()?;
    let (format, slip, contradiction) = match options.format {
        Some(format) => (format, None, None),
        None => {
            let format = recognise(&mut lexer)?;
            lexer.refuses_word = format == FALLBACK && !options.single_word;
            let slip = if format == FALLBACK { slip::meant(&mut lexer)? } else { None };
            let named = options.file_name.as_deref().and_then(Format::of_file_name);
            let other = named.filter(|&named| named != format);
            (format, slip, other.map(|named| other_content(&mut lexer, named, format)))
        }
    };
    // What a misspelt header should be says more than that the content is another one; so that is said only if the text can be read.
    let contradiction = match contradiction {
        Some(error) if slip.is_none() => return Err(error),
        contradiction => contradiction,
    };
    if options.ply.is_some() && format != Format::Sgf {
        return Err(lexer.error("there are no moves to count here", "a game record in SGF"));
    }
    match format.syntax().read(&mut lexer) {
        Ok(problem) => match contradiction {
            Some(error) => Err(error),
            None => Ok(Parsed { problem, format, warnings: lexer.warnings }),
        },
        Err(ReadError::Syntax(mut error)) => {
            if let Some(header) = slip {
                error.expected = format!("{} (or is this to be '{header}'?)", error.expected);
            }
            Err(ReadError::Syntax(error))
        }
        Err(error) => Err(error),
    }
}

/// The error of a text whose file is named like one in another format.
fn other_content(lexer: &mut Lexer<'_>, named: Format, format: Format) -> ReadError {
    let (named, format) = (named.name(), format.name());
    let header = if format == FALLBACK.name() { " (it begins with no header)" } else { "" };
    let message = format!("by its name the file is in the format {named}, but by its content it is {format}{header}");
    lexer.error(message, format!("{named}, or {format} as the format by name"))
}

/// Writes a problem.
///
/// # Errors
/// A format that cannot hold the problem, and output that fails.
pub fn write(problem: &Problem, format: Format, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut out = BufWriter::new(out);
    format.syntax().write(problem, &mut out)?;
    out.flush()?;
    Ok(())
}

/// Writes a problem into a string.
///
/// # Errors
/// A format that cannot hold the problem.
pub fn to_string(problem: &Problem, format: Format) -> Result<String, WriteError> {
    let mut text = Vec::new();
    write(problem, format, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The format of a text that begins like this. Everything that nothing else recognises is infix.
pub fn sniff(first_bytes: &[u8]) -> Format {
    judge(first_bytes).unwrap_or(FALLBACK)
}

/// What everything is that nothing recognises.
const FALLBACK: Format = Format::Infix;

/// The longest beginning of blank lines and comments that is kept in memory to find the format. A longer one is passed
/// over for good.
const LONGEST_PREAMBLE: usize = 16 << 20;

/// How much of a line is looked at to recognise it.
const LONGEST_LINE: usize = 4096;

/// Reads as far as it takes to know the format, and consumes nothing.
fn recognise(lexer: &mut Lexer<'_>) -> Result<Format, ReadError> {
    let mut more = !lexer.window().is_empty();
    loop {
        let window = lexer.window();
        // Without its end a line's first word may be cut.
        let whole = window.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let known = if more && window.len() - whole < LONGEST_LINE { &window[..whole] } else { window };
        match judge(known) {
            Some(format) => return Ok(format),
            None if window.len() >= LONGEST_PREAMBLE => return pass_preamble(lexer),
            None if !more => return Ok(FALLBACK),
            None => {}
        }
        // Twice as much each time, so that judging anew from the beginning costs no more than reading.
        let enough = LONGEST_PREAMBLE.min(2 * window.len());
        more = false;
        while lexer.window().len() < enough {
            more = lexer.more()?;
            if !more {
                break;
            }
        }
    }
}

/// Consumes line after line until one tells the format. What was passed over was no part of any format but infix, where
/// a line may begin with a variable `c`: such a text is refused, not read without its beginning.
fn pass_preamble(lexer: &mut Lexer<'_>) -> Result<Format, ReadError> {
    let mut variable = false;
    loop {
        lexer.mark();
        while lexer.window().len() < LONGEST_LINE && lexer.more()? {}
        let window = lexer.window();
        let line = window.split(|&byte| byte == b'\n').next().unwrap_or_default();
        match judge(line) {
            None if window.is_empty() && !variable => return Ok(FALLBACK),
            None if !window.is_empty() => {
                variable |= line.trim_ascii_start().starts_with(b"c");
                lexer.skip_line()?;
                lexer.advance(lexer.window().len().min(1)); // the line feed, if there is one
            }
            Some(format) if format != FALLBACK || !variable => return Ok(format),
            _ => {
                let message = "after megabytes of lines that begin with 'c' comes neither a 'p' line nor a board";
                return Err(lexer.error(message, "a header, or infix as the format by name if these are no comments"));
            }
        }
    }
}

/// The format by the first line that is neither blank nor a comment; `None` if there is no such line.
///
/// A line that begins with `c` may be a comment of the DIMACS family or a formula about `c`: it is passed over, and if
/// nothing but such lines is found the text is a formula.
fn judge(text: &[u8]) -> Option<Format> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        // A parenthesis alone on its line belongs to what follows.
        let lone = rest[..end].trim_ascii() == b"(";
        let end = if lone { end + rest[end..].len().min(LONGEST_LINE) } else { end };
        let line = &rest[..end];
        rest = &rest[(end + 1).min(rest.len())..];
        if lone && line.trim_ascii() == b"(" {
            return None; // nothing follows yet
        }
        let line = String::from_utf8_lossy(&line[..line.len().min(LONGEST_LINE)]);
        let line = line.trim();
        if let Some(&format) = Format::all().iter().find(|format| format.syntax().recognises(line)) {
            return Some(format);
        }
        if !line.is_empty() && !line.starts_with(['c', '#', '%']) {
            return Some(FALLBACK);
        }
    }
    None
}
