//! Where a problem comes from: a file, standard input, the command line; and what the command line changes in it.

use super::args::{GameArgs, InputArgs, ToleranceArgs};
use super::exit::Failure;
use super::{output, progress};
use gamesat::Problem;
use gamesat::format::{self, Format, Parsed, ReadOptions, decompress};
use gamesat::formula::{Colouring, Game, Player, Var};
use gamesat::rules::{Board, Side, games};
use gamesat::solve::Control;
use gamesat_format::slip::one_apart;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// A problem as the command line means it.
pub struct Input {
    /// What messages call it.
    pub name: String,
    /// What was read, with the changes of the command line.
    pub parsed: Parsed,
}

/// Reads the problem that the arguments name, warns of what was tolerated, and applies `--moves`, `--turn`, `--max`,
/// `--rule` and `--stars`.
pub fn read(args: &InputArgs, game: &GameArgs, quiet: bool, control: &Control) -> Result<Input, Failure> {
    let (name, mut parsed) = match source(args)? {
        Source::Text(name, text) => {
            let format = if args.expression.is_some() { Some(Format::Infix) } else { args.format };
            let parsed = format::read(&mut text.as_bytes(), &name, &options(args, format, None))?;
            (name, parsed)
        }
        Source::Path(path) => {
            let name = path_name(path);
            let parsed = format::read(&mut open(path, control)?, &name, &options(args, args.format, Some(path)))?;
            (name, parsed)
        }
    };
    if !quiet {
        output::warn(&name, &parsed);
    }
    change(&mut parsed.problem, game)?;
    play(&mut parsed.problem, args)?;
    Ok(Input { name, parsed })
}

/// What to read with: format, the name of the file, strictness, and the ply of a game record.
fn options(args: &InputArgs, format: Option<Format>, path: Option<&Path>) -> ReadOptions {
    let file_name = path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let ToleranceArgs { strict, tolerant } = args.tolerance;
    ReadOptions { format, file_name, strict, tolerant, ply: args.ply, ..ReadOptions::default() }
}

enum Source<'a> {
    /// What messages call it, and the text.
    Text(String, String),
    Path(&'a Path),
}

/// What the words on the command line mean: a formula, a board, or the name of a file.
fn source(args: &InputArgs) -> Result<Source<'_>, Failure> {
    if let Some(text) = &args.expression {
        return Ok(Source::Text("-e".to_owned(), text.clone()));
    }
    match &args.words[..] {
        [] => Ok(Source::Path(Path::new("-"))),
        [path] if path == "-" || Path::new(path).exists() => Ok(Source::Path(Path::new(path))),
        words => {
            let text = words.join(" ");
            let is_board = args.format.unwrap_or_else(|| format::sniff(text.as_bytes())) != Format::Infix;
            if is_board {
                return Ok(Source::Text(text.clone(), text + "\n"));
            }
            match words {
                [word] => match lonely(word) {
                    Some(message) => Err(Failure::usage(message)),
                    None => Ok(Source::Path(Path::new(word))),
                },
                _ => Err(Failure::usage(not_understood(words))),
            }
        }
    }
}

/// Boards that are known by other names, and how they are written here.
const OTHER_NAMES: [(&[&str], &str); 3] = [
    (&["tictactoe", "noughtsandcrosses", "ttt"], "line 3x3 3"),
    (&["connect4", "connectfour", "fourinarow"], "connect 7x6 4"),
    (&["dotsandboxes", "dotsboxes"], "dots 3x3"),
];

/// The board that a word is another name of.
fn other_name(word: &str) -> Option<String> {
    let plain: String = word.chars().filter(|c| !matches!(c, '-' | '_')).collect::<String>().to_ascii_lowercase();
    let (_, board) = OTHER_NAMES.iter().find(|(names, _)| names.contains(&plain.as_str()))?;
    Some(format!("there is no board '{word}': did you mean '{board}'?"))
}

/// The command that the user may have meant.
fn command_like(word: &str) -> Option<String> {
    super::args::command_names().into_iter().find(|name| one_apart(word.as_bytes(), name.as_bytes()))
}

/// What to say to one word that is no file, if it looks like the beginning of something else.
fn lonely(word: &str) -> Option<String> {
    if let Some(game) = games().iter().find(|game| game.word.eq_ignore_ascii_case(word)) {
        return Some(format!("a board has a size: {} {}", game.word, game.words));
    }
    if let Some(message) = other_name(word) {
        return Some(message);
    }
    let command = command_like(word)?;
    Some(format!("there is neither a file nor a command '{word}': did you mean '{command}'?"))
}

/// What to say to several words that are no board.
fn not_understood(words: &[String]) -> String {
    let (first, rest) = (&words[0], &words[1..]);
    if let Some(command) = command_like(first) {
        return format!("there is no command '{first}': did you mean '{command}'?");
    }
    if let Some(message) = other_name(first) {
        return message;
    }
    if words.iter().all(|word| Path::new(word).exists()) {
        return format!("one problem at a time: '{first}' or '{}'; 'gamesat solve' takes several", rest[0]);
    }
    let boards = games().iter().map(|game| game.word).collect::<Vec<_>>().join(", ");
    format!("'{}' is no board ({boards}, and a size), and no file of these names is there", words.join(" "))
}

/// Refuses a sequential game where only others can be treated, and says what can be asked of it.
pub fn refuse_sequential(problem: &Problem, command: &str) -> Result<(), Failure> {
    let Problem::Sequential(game) = problem else { return Ok(()) };
    let word = game.word();
    Err(Failure::usage(format!(
        "{command} is for set colouring games; {word} is a sequential game: gamesat solve --all-moves has its value and the best moves"
    )))
}

/// What messages call a path.
pub fn path_name(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// The text of a file, or of standard input for `-`, decompressed, as far as limits and signals allow.
pub fn open(path: &Path, control: &Control) -> Result<impl Read, Failure> {
    Ok(format::within(source_of(path)?, control))
}

/// The whole of a file that this program has written, if it is there, as far as limits and signals allow. A device has no end,
/// so it is none.
pub fn kept(path: &Path, control: &Control) -> Result<Option<Vec<u8>>, Failure> {
    let failed = |error: io::Error| Failure::input(format!("{}: {error}", path.display()));
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(failed(io::Error::from(io::ErrorKind::IsADirectory))),
        Ok(data) if !data.is_file() => Err(Failure::input(format!("{}: not a regular file", path.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        _ => {
            let mut bytes = Vec::new();
            format::within(File::open(path).map_err(failed)?, control).read_to_end(&mut bytes).map_err(failed)?;
            Ok(Some(bytes))
        }
    }
}

/// The same as text.
pub fn kept_text(path: &Path, control: &Control) -> Result<Option<String>, Failure> {
    let no_text = |_| Failure::input(format!("{}: not a text", path.display()));
    kept(path, control)?.map(|bytes| String::from_utf8(bytes).map_err(no_text)).transpose()
}

/// A text that a person is typing: no progress is shown until it ends.
struct Typed {
    _quiet: progress::Pause,
}

impl Typed {
    fn begin() -> Self {
        Typed { _quiet: progress::Pause::begin() }
    }
}

impl Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        io::stdin().read(buffer)
    }
}

fn source_of(path: &Path) -> Result<Box<dyn Read>, Failure> {
    let failed = |error: io::Error| Failure::input(format!("{}: {error}", path_name(path)));
    if path.as_os_str() == "-" {
        if io::stdin().is_terminal() {
            output::diagnose("c reading standard input, end with Ctrl-D");
            return decompress(Typed::begin()).map_err(failed);
        }
        return decompress(io::stdin()).map_err(failed);
    }
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    decompress(file).map_err(failed)
}

/// Applies `--turn`, `--max`, `--rule` and `--stars`.
fn change(problem: &mut Problem, args: &GameArgs) -> Result<(), Failure> {
    match problem {
        Problem::Game(game) => change_game(game, args),
        Problem::Board(board) => change_board(board, args),
        Problem::Colouring(game) => change_colouring(game, args),
        Problem::Sequential(_) if args.is_used() => Err(Failure::usage(
            "--turn, --max, --rule and --stars are for formulas and boards, not for sequential games",
        )),
        _ if args.is_used() => {
            Err(Failure::usage("--turn, --max, --rule and --stars are for games; this is a quantified formula"))
        }
        _ => Ok(()),
    }
}

fn change_game(game: &mut Game, args: &GameArgs) -> Result<(), Failure> {
    if args.max.is_some() {
        return Err(Failure::usage("--max is for boards; a formula has its MAX"));
    }
    if let Some(name) = &args.turn {
        let unknown = || Failure::usage(format!("--turn {name}: a formula has only max and min"));
        game.turn = player(name).ok_or_else(unknown)?;
    }
    if let Some(rule) = args.rule {
        game.rule = rule.into();
    }
    if game.elements() + args.stars as usize > Var::LIMIT {
        return Err(Failure::usage("--stars: too many elements"));
    }
    game.add_stars(args.stars as usize);
    Ok(())
}

/// A game with colours knows its rule; whose turn it is and dead elements can be changed.
fn change_colouring(game: &mut Colouring, args: &GameArgs) -> Result<(), Failure> {
    if args.max.is_some() || args.rule.is_some() {
        return Err(Failure::usage("--max and --rule are for boards and two-coloured games"));
    }
    if let Some(name) = &args.turn {
        let unknown = || Failure::usage(format!("--turn {name}: a formula has only max and min"));
        game.turn = player(name).ok_or_else(unknown)?;
    }
    game.add_stars(args.stars as usize).map_err(|error| Failure::usage(format!("--stars: {error}")))
}

/// The player of this name.
fn player(name: &str) -> Option<Player> {
    [Player::Max, Player::Min].into_iter().find(|player| player.to_string() == name)
}

/// A board knows its rule and its elements; its sides have names.
fn change_board(board: &mut Board, args: &GameArgs) -> Result<(), Failure> {
    if args.rule.is_some() || args.stars > 0 {
        return Err(Failure::usage("--rule and --stars are for formulas; this is a board"));
    }
    let find = |board: &Board, option: &str, name: &str| {
        board.find_side(name).ok_or_else(|| {
            let (first, second) = (board.side_name(Side::First), board.side_name(Side::Second));
            Failure::usage(format!("{option} {name}: the sides of this board are {first} and {second}"))
        })
    };
    if let Some(name) = &args.max {
        board.max = find(board, "--max", name)?;
    }
    let turn = match args.turn.as_deref().map(|name| (player(name), name)) {
        Some((Some(Player::Max), _)) => board.max,
        Some((Some(Player::Min), _)) => !board.max,
        Some((None, name)) => find(board, "--turn", name)?,
        None => board.turn,
    };
    if turn != board.turn && board.schedule.is_some() {
        return Err(Failure::usage("--turn: the #times and #blackturns of this game say who moves when"));
    }
    board.turn = turn;
    Ok(())
}

/// Plays `--moves`, the players taking turns: cells of a board, or elements of a game, `=TRUE` or `=FALSE` behind them
/// where it is not the mover's own colour.
fn play(problem: &mut Problem, args: &InputArgs) -> Result<(), Failure> {
    let Some(moves) = &args.moves else { return Ok(()) };
    for name in moves.split([' ', ',']).filter(|name| !name.is_empty()) {
        match problem {
            Problem::Board(board) => {
                let missing = || Failure::usage(format!("--moves: there is no '{name}' on this board"));
                let element = board.find(name).ok_or_else(missing)?;
                board.play(element).map_err(|error| Failure::usage(format!("--moves: {error}")))?;
            }
            Problem::Sequential(game) => {
                for name in game.names_in(name) {
                    game.play_named(name).map_err(|error| Failure::usage(format!("--moves: {error}")))?;
                }
            }
            Problem::Game(game) => {
                let (element, colour) = match name.split_once('=') {
                    Some((element, "TRUE" | "true")) => (element, true),
                    Some((element, "FALSE" | "false")) => (element, false),
                    _ => (name, game.turn.colour()),
                };
                let number = || element.parse().ok().filter(|&number: &i32| number > 0).map(Var::from_dimacs);
                let missing = || Failure::usage(format!("--moves: there is no element '{element}'"));
                let var = game.names.find(element).or_else(number).ok_or_else(missing)?;
                if !game.rule.allows(game.turn, colour) {
                    return Err(Failure::usage(format!("--moves: {} may not play {name}", game.turn)));
                }
                game.play(&[var.lit(colour)]).map_err(|error| Failure::usage(format!("--moves: {error}")))?;
                game.turn = !game.turn;
            }
            Problem::Colouring(game) => {
                let missing = || Failure::usage(format!("--moves: '{name}' is no element with a colour, such as 1=2"));
                let atom = game.named_atom(name).ok_or_else(missing)?;
                game.make_move(atom).map_err(|error| Failure::usage(format!("--moves: {error}")))?;
            }
            _ => return Err(Failure::usage("--moves is for games; this is a quantified formula")),
        }
    }
    Ok(())
}
