//! `gamesat book`: positions near the beginning of a board, or every position of a small game, solved once.

use super::args::BookArgs;
use super::exit::{Exit, Failure};
use super::lookup::{learn, not_strong};
use super::output::{self, Sink};
use super::{command, input};
use gamesat::Problem;
use gamesat::analyse::{Book, BookError, Place, Strong};
use gamesat::format::{self, Format};
use gamesat::formula::Player;
use gamesat::rules::Board;
use gamesat::solve::{Control, StopReason};
use rustc_hash::FxHashSet;
use std::fmt::Write;
use std::fs;

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

/// The positions after the first moves.
fn openings(args: &BookArgs, board: &Board, control: &Control, sink: Sink) -> Result<Exit, Failure> {
    let mut book = Book::new(board, args.plies, control).map_err(|error| match error {
        BookError::Stopped(reason) => Failure::Stopped(reason),
        error => Failure::usage(error.to_string()),
    })?;
    let position = position(board)?;
    if let Some(path) = &args.record
        && let Some(text) = input::kept_text(path, control)?
    {
        learn(&mut book, &position, &text).map_err(|why| Failure::input(format!("{}: {why}", path.display())))?;
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
            Err(StopReason::Unsupported(why)) => return Err(Failure::refused(StopReason::Unsupported(why))),
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
