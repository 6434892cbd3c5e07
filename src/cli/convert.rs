//! `gamesat convert`: between formula formats, CNF <-> DNF, irredundant form.

use super::args::{ConvertArgs, Target as To};
use super::exit::{Exit, Failure};
use super::{command, input, output};
use gamesat::Problem;
use gamesat::encode::{EncodeError, Form, Plies, Rows, Target, lower, minimised};
use gamesat::format::Format;
use gamesat::formula::GameMatrix;
use gamesat::solve::Control;

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run(&args.limits, &args.output, move |control, mut sink| {
        let args = own;
        let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
        let (problem, format) = translate(input.parsed.problem, &args, control)?;
        output::write_problem(problem, format, args.output.quiet, &mut sink)?;
        sink.finish()?;
        Ok(Exit::Success)
    })
}

fn translate(problem: Problem, args: &ConvertArgs, control: &Control) -> Result<(Problem, Format), Failure> {
    if let Problem::Sequential(game) = &problem {
        return Err(Failure::usage(format!("{} is a sequential game, not a formula", game.word())));
    }
    if matches!(problem, Problem::Sudoku(_)) {
        return Err(Failure::usage("this is a puzzle: gamesat encode"));
    }
    if matches!(problem, Problem::Board(_)) {
        return Err(Failure::usage("this is a board: gamesat encode"));
    }
    let is_game = matches!(problem, Problem::Game(_) | Problem::Colouring(_));
    let format = match args.to {
        To::Qdimacs | To::Qcir if is_game => {
            return Err(Failure::usage("a game is not a quantified formula: --to gamesat-cnf, gamesat-dnf or infix"));
        }
        To::GamesatCnf | To::GamesatDnf if !is_game => {
            return Err(Failure::usage("a quantified formula is not a game: --to qdimacs, qcir or infix"));
        }
        To::Qdimacs => Format::Qdimacs,
        To::Qcir => Format::Qcir,
        To::Infix => Format::Infix,
        To::GamesatCnf | To::GamesatDnf => Format::Gamesat,
    };
    let form = match args.to {
        To::GamesatCnf => Some(Form::Cnf),
        To::GamesatDnf => Some(Form::Dnf),
        _ => None,
    };
    let keeps_circuit = form.is_none() && !args.minimise;
    let target = match &problem {
        Problem::Game(game) if keeps_circuit && matches!(game.matrix(), GameMatrix::Circuit(_)) => None,
        Problem::Game(_) | Problem::Colouring(_) => {
            Some(Target::Rows(Rows { form, minimise: args.minimise, limit: args.row_limit }))
        }
        Problem::Circuit(_) if args.to == To::Qdimacs => Some(Target::Clauses(Plies::default())),
        _ => None,
    };
    let problem = match target {
        Some(target) => lower(&problem, target, control).map_err(hinted)?.problem,
        None => problem,
    };
    Ok(match problem {
        Problem::Qbf(qbf) if args.minimise => (Problem::Qbf(minimised(&qbf, control)?), format),
        problem => (problem, format),
    })
}

fn hinted(error: EncodeError) -> Failure {
    match error {
        EncodeError::TooManyRows(_) => Failure::input(format!("{error} (--row-limit)")),
        error => error.into(),
    }
}
