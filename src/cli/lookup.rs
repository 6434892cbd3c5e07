//! Looking a position up in a book that `gamesat book` has made, instead of solving it.

use super::answer::BOOK;
use super::args::SolveArgs;
use super::exit::Failure;
use super::input;
use gamesat::Problem;
use gamesat::analyse::{Book, Strong, StrongError};
use gamesat::formula::{Player, Var};
use gamesat::rules::Board;
use gamesat::solve::{Answer, Control, Verdict};
use std::path::Path;

/// Why there is no table, as a failure of the command.
pub fn not_strong(error: StrongError) -> Failure {
    match error {
        StrongError::Stopped(reason) => Failure::refused(reason),
        error => Failure::usage(error.to_string()),
    }
}

/// Takes over what a book says about this position.
pub fn learn(book: &mut Book, position: &str, text: &str) -> Result<(), String> {
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
    let bytes = input::kept(path, control)?.ok_or_else(|| failed("there is no such file".to_owned()))?;
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
        let mut book = Book::new(&root, 0, control).map_err(|error| failed(error.to_string()))?;
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
    answer.statistics.engine = BOOK;
    answer.statistics.time = control.elapsed();
    Ok(Some(answer))
}

/// The board that a book begins with: its comment lines before the first position.
fn root(text: &str) -> Option<Board> {
    let lines = text.lines().take_while(|line| !line.starts_with("b ")).filter_map(|line| line.strip_prefix("c "));
    match gamesat::parse(&(lines.collect::<Vec<_>>().join("\n") + "\n")) {
        Ok(Problem::Board(board)) => Some(board),
        _ => None,
    }
}
