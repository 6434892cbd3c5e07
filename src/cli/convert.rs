//! `gamesat convert`: between formula formats, CNF <-> DNF, irredundant form.

use super::args::{ConvertArgs, Target};
use super::exit::{Exit, Failure};
use super::{input, output, solve};
use gamesat::Problem;
use gamesat::control::{Control, StopReason};
use gamesat::encode::clausify;
use gamesat::format::{self, Format};
use gamesat::formula::{ClauseArena, Game, GameMatrix, Qbf};
use gamesat::internals::rows::normal;
use std::io::Write;

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let mut parsed = input::read(&args.input)?;
    output::warn(&args.output, &input::name(&args.input), &parsed);
    solve::set_up_game(&mut parsed, &args.game)?;
    let (problem, format) = translate(parsed.problem, args)?;
    let mut out = output::open(&args.output)?;
    format::write(&problem, format, &mut out)?;
    out.flush()?;
    Ok(Exit::Success)
}

fn translate(problem: Problem, args: &ConvertArgs) -> Result<(Problem, Format), Failure> {
    if matches!(problem, Problem::Board(_)) {
        return Err(Failure::usage("this is a board: gamesat encode"));
    }
    let is_game = matches!(problem, Problem::Game(_));
    let format = match args.to {
        Target::Qdimacs | Target::Qcir if is_game => {
            return Err(Failure::usage("a game is not a quantified formula: --to gamesat-cnf, gamesat-dnf or infix"));
        }
        Target::GamesatCnf | Target::GamesatDnf if !is_game => {
            return Err(Failure::usage("a quantified formula is not a game: --to qdimacs, qcir or infix"));
        }
        Target::Qdimacs => Format::Qdimacs,
        Target::Qcir => Format::Qcir,
        Target::Infix => Format::Infix,
        Target::GamesatCnf | Target::GamesatDnf => Format::Gamesat,
    };
    let problem = match problem {
        Problem::Game(game) => Problem::Game(game_form(game, args)?),
        Problem::Circuit(circuit) if args.to == Target::Qdimacs => Problem::Qbf(shrink(clausify(&circuit), args)?),
        Problem::Qbf(qbf) => Problem::Qbf(shrink(qbf, args)?),
        other => other,
    };
    Ok((problem, format))
}

/// The game in the normal form that is asked for. A form that it has already is kept as it is written, unless it is to be
/// minimised.
fn game_form(game: Game, args: &ConvertArgs) -> Result<Game, Failure> {
    let matrix = match (game.matrix(), args.to) {
        (GameMatrix::Cnf(rows), Target::GamesatCnf | Target::Infix) => GameMatrix::Cnf(kept(rows, args)?),
        (GameMatrix::Dnf(rows), Target::GamesatDnf | Target::Infix) => GameMatrix::Dnf(kept(rows, args)?),
        (_, Target::GamesatCnf) => {
            GameMatrix::Cnf(limited(normal::game_cnf(&game, args.row_limit, &Control::default()), args)?)
        }
        (_, Target::GamesatDnf) => {
            GameMatrix::Dnf(limited(normal::game_dnf(&game, args.row_limit, &Control::default()), args)?)
        }
        (GameMatrix::Circuit(_), _) if args.minimise => {
            GameMatrix::Cnf(limited(normal::game_cnf(&game, args.row_limit, &Control::default()), args)?)
        }
        (matrix, _) => matrix.clone(),
    };
    let mut converted = Game::new(game.elements(), matrix).map_err(|error| Failure::input(error.to_string()))?;
    converted.play(game.played()).map_err(|error| Failure::input(error.to_string()))?;
    converted.rule = game.rule;
    converted.turn = game.turn;
    converted.names = game.names;
    Ok(converted)
}

fn kept(rows: &ClauseArena, args: &ConvertArgs) -> Result<ClauseArena, Failure> {
    if args.minimise { irredundant(rows) } else { Ok(rows.clone()) }
}

fn irredundant(rows: &ClauseArena) -> Result<ClauseArena, Failure> {
    normal::irredundant(rows, &Control::default()).map_err(|reason| Failure::input(reason.to_string()))
}

fn limited<T>(rows: Result<Option<T>, StopReason>, args: &ConvertArgs) -> Result<T, Failure> {
    let rows = rows.map_err(|reason| Failure::input(reason.to_string()))?;
    rows.ok_or_else(|| Failure::input(format!("the normal form has more than {} rows (--row-limit)", args.row_limit)))
}

fn shrink(qbf: Qbf, args: &ConvertArgs) -> Result<Qbf, Failure> {
    if !args.minimise {
        return Ok(qbf);
    }
    let mut small =
        Qbf::new(qbf.prefix(), irredundant(qbf.matrix())?).map_err(|error| Failure::input(error.to_string()))?;
    small.names = qbf.names;
    Ok(small)
}
