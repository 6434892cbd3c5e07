//! `gamesat encode`: boards and games into formulas that any tool can read.

use super::args::{EncodeArgs, EncodeTarget};
use super::exit::{Exit, Failure};
use super::{command, input, output};
use gamesat::Problem;
use gamesat::encode::{EncodeError, Form, Plies, Rows, Target, lower};
use gamesat::format::Format;
use gamesat::rules::Board;
use gamesat::rules::sequential::Sequential;
use gamesat::solve::Control;
use std::io::Write;

/// Runs the command.
pub fn run(args: &EncodeArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run(&args.limits, &args.output, move |control, mut sink| {
        let args = own;
        let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
        let (comments, problem, format) = encode(input.parsed.problem, &args, control)?;
        // A QCIR file begins with its header, and says names itself.
        if !args.output.quiet && matches!(format, Format::Gamesat | Format::Qdimacs) {
            for comment in comments {
                writeln!(sink, "c {comment}")?;
            }
        }
        output::write_problem(problem, format, args.output.quiet, &mut sink)?;
        sink.finish()?;
        Ok(Exit::Success)
    })
}

/// A formula, the format it goes out in, and what should be said about it.
type Encoded = (Vec<String>, Problem, Format);

fn encode(problem: Problem, args: &EncodeArgs, control: &Control) -> Result<Encoded, Failure> {
    if args.threshold.is_some() && !matches!(problem, Problem::Sequential(Sequential::Dots(_))) {
        return Err(Failure::usage("--threshold is for Dots-and-Boxes"));
    }
    let plies =
        Plies { encoding: args.encoding.into(), depth: args.depth, threshold: args.threshold, ..Plies::default() };
    let form = |form| Target::Rows(Rows { form: Some(form), ..Rows::default() });
    let (target, format) = match (&problem, args.to) {
        (Problem::Qbf(_) | Problem::Circuit(_), _) => {
            return Err(Failure::usage("this is a quantified formula: gamesat convert"));
        }
        (Problem::Sequential(game), EncodeTarget::Board) => {
            let format = Format::of_sequential(game);
            return Ok((Vec::new(), problem, format));
        }
        (Problem::Sequential(Sequential::Dots(_)), _) if args.depth.is_some() => {
            return Err(Failure::usage("--depth is not for Dots-and-Boxes, where every line is drawn: --threshold"));
        }
        (_, EncodeTarget::Qdimacs) => (Target::Clauses(plies), Format::Qdimacs),
        (_, EncodeTarget::Qcir) => (Target::Circuit(plies), Format::Qcir),
        (Problem::Board(_), EncodeTarget::GamesatCnf) => (form(Form::Cnf), Format::Gamesat),
        (Problem::Board(_), EncodeTarget::GamesatDnf) => (form(Form::Dnf), Format::Gamesat),
        (Problem::Board(board), _) => return position(board, args),
        (Problem::Sequential(_) | Problem::Sudoku(_), _) => {
            return Err(Failure::usage("this is written as a quantified formula: --to qdimacs or qcir"));
        }
        _ => return Err(Failure::usage("this is a game in normal form or infix already: gamesat convert")),
    };
    let mut comments = Vec::new();
    if let Problem::Board(board) = &problem {
        comments.extend(describe(board));
        if let (Target::Rows(_), Some(_)) = (target, args.depth) {
            return Err(Failure::usage("--depth bounds a QBF; a set colouring game is played to its end"));
        }
    }
    let lowered = lower(&problem, target, control).map_err(hinted)?.problem;
    Ok((comments, lowered, format))
}

/// The position itself, as a board, a game record or a positional game.
fn position(board: &Board, args: &EncodeArgs) -> Result<Encoded, Failure> {
    let mut board = board.clone();
    let format = match (args.to, args.depth) {
        (EncodeTarget::Pg, depth) => {
            board = match depth {
                Some(depth) => board.bounded(depth),
                None => board,
            };
            Format::Positional
        }
        (_, Some(_)) => {
            return Err(Failure::usage("--depth bounds a QBF or a positional game; this is a position"));
        }
        (EncodeTarget::Sgf, None) => Format::Sgf,
        (_, None) => Format::of_board(&board),
    };
    Ok((Vec::new(), Problem::Board(board), format))
}

/// What the user can do about a board that the chosen target cannot hold.
fn hinted(error: EncodeError) -> Failure {
    let hint = match &error {
        EncodeError::TooLarge(_) | EncodeError::TooManyElements(_) => {
            "; as a QBF it is polynomial in the board (--to qdimacs or qcir)"
        }
        EncodeError::QbfTooLarge => "; --depth bounds the game, and --encoding lifted is smaller",
        EncodeError::TooManyRows(_) => "; take the other normal form, or a QBF (--to qdimacs or qcir)",
        EncodeError::NotAGame(_) => "; as a QBF it can be said (--to qdimacs or qcir)",
        EncodeError::NotLifted => "; take --encoding explicit",
        EncodeError::NoEncoding(_) => "; gamesat solve answers it as it is",
        _ => "",
    };
    // Asking for what the problem is not is a wrong command line; a formula that is too large is not.
    let exit = match &error {
        EncodeError::NotAGame(_) | EncodeError::NotLifted | EncodeError::NoEncoding(_) | EncodeError::Threshold(_) => {
            Exit::Usage
        }
        _ => Exit::BadInput,
    };
    match Failure::from(error) {
        Failure::Other(_, message) => Failure::Other(exit, message + hint),
        failure => failure,
    }
}

/// What the board is and who moves.
fn describe(board: &Board) -> Vec<String> {
    let mut lines = vec![format!("{} to move, {} is max", board.side_name(board.turn), board.side_name(board.max))];
    lines.extend(board.draw(&[]).lines().map(str::to_owned));
    lines
}
