//! `gamesat book`: positions near the beginning of a board, or every position of a small game, solved once; and looking them up.

use super::args::{BookArgs, SolveArgs};
use super::classify::refused;
use super::exit::{Exit, Failure};
use super::output::{self, Sink};
use super::{command, input};
use gamesat::Problem;
use gamesat::analyse::{Book, Place, Strong, StrongError};
use gamesat::format::{self, Format};
use gamesat::formula::{Player, Var};
use gamesat::rules::Board;
use gamesat::solve::{Answer, Control, StopReason, Verdict};
use rustc_hash::FxHashSet;
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Openings that are listed as close calls.
const CLOSE_CALLS: usize = 5;

/// Runs the command.
pub fn run(args: &BookArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run(&args.limits, &args.output, move |control, sink| {
        let args = own;
        let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
        match &input.parsed.problem {
            problem if args.strong => strong(&args, problem, control, sink),
            Problem::Board(board) => openings(&args, board, control, sink),
            _ => Err(Failure::usage("a book is for boards; --strong is for small games of any kind")),
        }
    })
}

/// Every position of a small game.
fn strong(args: &BookArgs, problem: &Problem, control: &Control, sink: Sink) -> Result<Exit, Failure> {
    let Some(path) = &args.record else { return Err(Failure::usage("--strong needs --record FILE")) };
    let table = Strong::new(problem, control).map_err(not_strong)?;
    let bytes = table.to_bytes();
    fs::write(path, &bytes).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    let mut text = String::new();
    let _ = writeln!(text, "c {} positions in {} bytes", table.positions(), bytes.len());
    for turn in [Player::Max, Player::Min] {
        let _ = writeln!(text, "c with {turn} to move max wins {}", table.won_by_max(turn));
    }
    sink.write_text(&text)?;
    Ok(Exit::Success)
}

fn not_strong(error: StrongError) -> Failure {
    match error {
        StrongError::Stopped(reason) => refused(reason),
        error => Failure::usage(error.to_string()),
    }
}

/// The positions after the first moves.
fn openings(args: &BookArgs, board: &Board, control: &Control, sink: Sink) -> Result<Exit, Failure> {
    let mut book = Book::new(board, args.plies).map_err(|error| Failure::usage(error.to_string()))?;
    let position = position(board)?;
    if let Some(path) = &args.record {
        match fs::read_to_string(path) {
            Ok(text) => learn(&mut book, &position, &text)
                .map_err(|why| Failure::input(format!("{}: {why}", path.display())))?,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::input(format!("{}: {error}", path.display()))),
        }
    }
    let options = args.search.options(&args.techniques);
    let mut tried = FxHashSet::default();
    let stopped = loop {
        let places = book.places().len() as u64;
        control.progress().set_steps(book.places().iter().filter(|place| place.entry.is_some()).count() as u64, places);
        match book.advance(&mut tried, args.seconds, &options, control) {
            Ok(Some(_)) => {
                if let Some(path) = &args.record {
                    output::replace(path, &lines(&book, &position))?;
                }
            }
            Ok(None) => break None,
            Err(StopReason::Unsupported(why)) => return Err(refused(StopReason::Unsupported(why))),
            Err(reason) => break Some(reason),
        }
    };
    let mut text = lines(&book, &position);
    if !args.output.quiet {
        text += &advice(&book, board);
        if let Some(reason) = stopped {
            let _ = writeln!(text, "c incomplete: {reason}");
        }
    }
    sink.write_text(&text)?;
    Ok(Exit::Success)
}

/// The position as comment lines.
fn position(board: &Board) -> Result<String, Failure> {
    let text = format::to_string(&Problem::Board(board.clone()), Format::of_board(board))?;
    Ok(text.lines().map(|line| format!("c {line}\n")).collect())
}

/// What is known: a line for each position.
fn lines(book: &Book, position: &str) -> String {
    let mut text = position.to_owned();
    for Place { path, board, entry } in book.places() {
        let Some(entry) = entry else { continue };
        let names = |elements: &[usize], between: &str| {
            elements.iter().map(|&element| board.name(element)).collect::<Vec<_>>().join(between)
        };
        let path = if path.is_empty() { "-".to_owned() } else { names(path, ",") };
        let (mover, winner) = (board.side_name(board.turn), board.side_name(entry.winner));
        let _ = write!(text, "b {path} {mover} {winner} {} {}", entry.nodes, entry.trace);
        let _ = writeln!(text, "{}{}", if entry.moves.is_empty() { "" } else { " " }, names(&entry.moves, " "));
    }
    text
}

/// How much is known, and the openings after which it took longest to see who wins: good ones to offer a swap after.
fn advice(book: &Book, board: &Board) -> String {
    let known = book.places().iter().filter(|place| place.entry.is_some()).count();
    let mut text = format!("c {known} of {} positions are known\n", book.places().len());
    let mut calls: Vec<(u64, String, &str)> = book
        .places()
        .iter()
        .filter(|place| place.path.len() == 1)
        .filter_map(|place| {
            let entry = place.entry.as_ref()?;
            Some((entry.nodes, board.name(place.path[0]), board.side_name(entry.winner)))
        })
        .collect();
    calls.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    for (nodes, name, winner) in calls.into_iter().take(CLOSE_CALLS) {
        let _ = writeln!(text, "c swap {name}: a close call, {winner} wins after {nodes} nodes");
    }
    text
}

/// Takes over what a book says about this position.
fn learn(book: &mut Book, position: &str, text: &str) -> Result<(), String> {
    if !text.starts_with(position) {
        return Err("this is a book of another position".to_owned());
    }
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with("b ")) {
        let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
        book.learn(number + 1, &words).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The answer of a book, if it knows the position and what is asked for; `None` leaves it to a search.
pub fn look_up(path: &Path, problem: &Problem, args: &SolveArgs, control: &Control) -> Result<Option<Answer>, Failure> {
    let failed = |why: String| Failure::input(format!("{}: {why}", path.display()));
    let bytes = fs::read(path).map_err(|error| failed(error.to_string()))?;
    if args.trace || args.shrink_trace || args.strategy.is_some() {
        return Ok(None);
    }
    let mut answer = if Strong::is_table(&bytes) {
        let table = Strong::from_bytes(&bytes).map_err(|error| failed(error.to_string()))?;
        let Some((winner, moves)) = table.find(problem, control).map_err(not_strong)? else { return Ok(None) };
        let mut answer = Answer::new(Verdict::from(winner));
        answer.moves = moves;
        answer
    } else {
        let Problem::Board(board) = problem else {
            return Err(Failure::usage("--book: this is a book of boards"));
        };
        let text = String::from_utf8(bytes).map_err(|_| failed("this is no book".to_owned()))?;
        let root = root(&text).ok_or_else(|| failed("this is no book".to_owned()))?;
        let mut book = Book::new(&root, 0).map_err(|error| failed(error.to_string()))?;
        learn(&mut book, "", &text).map_err(failed)?;
        let mut empty = board.cleared();
        (empty.max, empty.turn) = (root.cleared().max, root.cleared().turn);
        if empty != root.cleared() {
            return Err(failed("this is a book of another board".to_owned()));
        }
        let Some(entry) = book.find(board) else { return Ok(None) };
        let colour = board.player(board.turn) == Player::Max;
        let mut answer = Answer::new(Verdict::from(board.player(entry.winner)));
        answer.moves = entry.moves.iter().map(|&element| Var::from_index(element).lit(colour)).collect();
        answer
    };
    answer.moves.truncate(if args.all_moves { usize::MAX } else { 1 });
    answer.theorem = Some("looked up in the book");
    answer.statistics.time = control.elapsed();
    Ok(Some(answer))
}

/// The board that a book begins with: its comment lines before the first position.
fn root(text: &str) -> Option<Board> {
    let lines = text.lines().take_while(|line| !line.starts_with("b ")).filter_map(|line| line.strip_prefix("c "));
    match (lines.collect::<Vec<_>>().join("\n") + "\n").parse() {
        Ok(Problem::Board(board)) => Some(board),
        _ => None,
    }
}
