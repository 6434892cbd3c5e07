//! `gamesat encode`: boards and games into formulas that any tool can read.

use super::args::{EncodeArgs, EncodeTarget};
use super::exit::{Exit, Failure};
use super::watch::{Watched, watch};
use super::{input, output, signal, solve};
use gamesat::Problem;
use gamesat::encode::{DEFAULT_LITERALS, EncodeError, Form, board_game, board_qbf, clausify, game_qbf};
use gamesat::format::{self, Format, Parsed, ReadOptions};
use gamesat::formula::QuantifiedCircuit;
use gamesat::rules::{Board, games};
use gamesat::solve::Control;
use std::io::Write;

/// Runs the command.
pub fn run(args: &EncodeArgs) -> Result<Exit, Failure> {
    let interrupt = signal::interrupt_on_signals()?;
    let control = Control::new(args.limits.limits(), interrupt.clone());
    let job = {
        let (args, control) = (args.clone(), control.clone());
        move || encode(&args, &control)
    };
    let (comments, problem, format) = match watch(&control, &interrupt, !args.output.quiet, job)? {
        Watched::Finished(encoded, _) => encoded?,
        Watched::Abandoned(reason) => {
            return Err(Failure::input(format!("{reason} before there was a formula to print")));
        }
    };
    let mut out = output::open(&args.output)?;
    // A QCIR file begins with its header, and says names itself.
    if !args.output.quiet && matches!(format, Format::Gamesat | Format::Qdimacs) {
        for comment in comments {
            writeln!(out, "c {comment}")?;
        }
    }
    format::write(&problem, format, &mut out)?;
    out.flush()?;
    Ok(Exit::Success)
}

/// A formula, the format it goes out in, and what should be said about it.
type Encoded = (Vec<String>, Problem, Format);

fn encode(args: &EncodeArgs, control: &Control) -> Result<Encoded, Failure> {
    let mut parsed = read(args)?;
    output::warn(&args.output, &source(args), &parsed);
    solve::set_up_game(&mut parsed, &args.game)?;
    let mut comments = Vec::new();
    let problem = match (parsed.problem, args.to) {
        (Problem::Board(mut board), target) => {
            play(&mut board, args)?;
            comments.extend(describe(&board));
            encode_board(board, target, args, control, &mut comments)?
        }
        (Problem::Game(game), EncodeTarget::Qdimacs | EncodeTarget::Qcir) => {
            if args.moves.is_some() {
                return Err(Failure::usage("--moves is for boards"));
            }
            quantified(game_qbf(&game, args.encoding.into(), args.depth).map_err(failure)?, args, &mut comments)
        }
        (Problem::Game(_), _) => {
            return Err(Failure::usage("this is a game in normal form or infix already: gamesat convert"));
        }
        _ => return Err(Failure::usage("this is a quantified formula: gamesat convert")),
    };
    let format = match (args.to, &problem) {
        (EncodeTarget::GamesatCnf | EncodeTarget::GamesatDnf, _) => Format::Gamesat,
        (EncodeTarget::Qdimacs, _) => Format::Qdimacs,
        (EncodeTarget::Qcir, _) => Format::Qcir,
        (EncodeTarget::Board, Problem::Board(board)) => Format::of_board(board),
        (EncodeTarget::Sgf, _) => Format::Sgf,
        (EncodeTarget::Pg | EncodeTarget::Board, _) => Format::Positional,
    };
    Ok((comments, problem, format))
}

fn encode_board(
    mut board: Board,
    target: EncodeTarget,
    args: &EncodeArgs,
    control: &Control,
    comments: &mut Vec<String>,
) -> Result<Problem, Failure> {
    let form = match target {
        EncodeTarget::GamesatCnf => Form::Cnf,
        EncodeTarget::GamesatDnf => Form::Dnf,
        EncodeTarget::Pg => {
            if let Some(depth) = args.depth {
                board = board.bounded(depth);
            }
            return Ok(Problem::Board(board));
        }
        EncodeTarget::Board | EncodeTarget::Sgf if args.depth.is_none() => return Ok(Problem::Board(board)),
        EncodeTarget::Board | EncodeTarget::Sgf => {
            return Err(Failure::usage("--depth bounds a QBF or a positional game; this is a position"));
        }
        EncodeTarget::Qdimacs | EncodeTarget::Qcir => {
            if let Some(depth) = args.depth {
                board = board.bounded(depth);
            }
            let circuit = board_qbf(&board, args.encoding.into()).map_err(failure)?;
            return Ok(quantified(circuit, args, comments));
        }
    };
    if args.depth.is_some() {
        return Err(Failure::usage("--depth bounds a QBF; a set colouring game is played to its end"));
    }
    if let Some(schedule) = &board.schedule {
        comments.push(format!("the bound of {} plies is left out: this is the game without it", schedule.plies.len()));
    }
    Ok(Problem::Game(board_game(&board, form, DEFAULT_LITERALS, control).map_err(failure)?))
}

/// The formula as clauses or as a circuit. Clauses carry their variables' names in comments.
fn quantified(circuit: QuantifiedCircuit, args: &EncodeArgs, comments: &mut Vec<String>) -> Problem {
    if args.to == EncodeTarget::Qcir {
        return Problem::Circuit(circuit);
    }
    let qbf = clausify(&circuit);
    comments.extend(qbf.names.iter().map(|(var, name)| format!("name {var} {name}")));
    Problem::Qbf(qbf)
}

/// A board that the chosen target cannot hold is no bad input: another target can.
fn failure(error: EncodeError) -> Failure {
    match error {
        EncodeError::Stopped(_) => Failure::input(error.to_string()),
        error => Failure::usage(error.to_string()),
    }
}

/// What the board is and who moves.
fn describe(board: &Board) -> Vec<String> {
    let mut lines = vec![format!("{} to move, {} is max", board.side_name(board.turn), board.side_name(board.max))];
    lines.extend(board.draw(&[]).lines().map(str::to_owned));
    lines
}

/// The words that begin boards.
fn words() -> String {
    let words: Vec<&str> = games().iter().map(|game| game.word).collect();
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// What messages call the input.
fn source(args: &EncodeArgs) -> String {
    match &args.board[..] {
        [] => "<stdin>".to_owned(),
        [only] if only == "-" => "<stdin>".to_owned(),
        words => words.join(" "),
    }
}

/// Reads a board that is spelled out on the command line, a file, or standard input.
fn read(args: &EncodeArgs) -> Result<Parsed, Failure> {
    let text = args.board.join(" ");
    let is_board = format::sniff(text.as_bytes()) != Format::Infix;
    if let [word, _, ..] = &args.board[..]
        && !is_board
        && args.format.is_none()
    {
        return Err(Failure::usage(format!(
            "'{word}' begins no board: {} and a size, or the name of one file",
            words()
        )));
    }
    if is_board || args.board.len() > 1 {
        let options = ReadOptions { format: args.format, strict: args.strict, ..ReadOptions::default() };
        return Ok(format::read(&mut format!("{text}\n").as_bytes(), &text, &options)?);
    }
    input::read(&args.input())
}

/// Plays `--moves`, the sides taking turns.
fn play(board: &mut Board, args: &EncodeArgs) -> Result<(), Failure> {
    let words = args.moves.as_deref().unwrap_or_default();
    for name in words.split([' ', ',']).filter(|name| !name.is_empty()) {
        let element =
            board.find(name).ok_or_else(|| Failure::usage(format!("--moves: there is no '{name}' on this board")))?;
        board.play(element).map_err(|error| Failure::usage(format!("--moves: {error}")))?;
    }
    Ok(())
}
