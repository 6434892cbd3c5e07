//! `gamesat check`: is this certificate a proof? Exit code 0 accepted, 3 rejected.

use super::args::CheckArgs;
use super::exit::{Exit, Failure};
use super::solve::set_up_game;
use super::{input, output, signal};
use gamesat::Problem;
use gamesat::check::{Judge, StrategyError, check_certificate, check_strategy};
use gamesat::encode::{DEFAULT_LITERALS, board_game, clausify, natural_form};
use gamesat::format::{self, ReadOptions, read_aiger, read_strategy};
use gamesat::formula::{Game, Player, Qbf};
use gamesat::solve::{Control, StopReason};
use std::fmt::Write;

/// What a check found: the lines to print and how to end.
struct Finding {
    text: String,
    exit: Exit,
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    if args.formula.as_os_str() == "-" && args.certificate.as_os_str() == "-" {
        return Err(Failure::usage("the formula and its certificate cannot both come from standard input"));
    }
    let control = Control::new(args.limits.limits(), signal::interrupt_on_signals()?);
    let name = input::path_name(&args.formula);
    let options = ReadOptions { format: args.format, ..ReadOptions::default() };
    let mut parsed = format::read(&mut input::open(&args.formula)?, &name, &options)?;
    output::warn(&args.output, &name, &parsed);
    set_up_game(&mut parsed, &args.game)?;
    let finding = match parsed.problem {
        Problem::Qbf(qbf) => certificate(&qbf, args, &control)?,
        // The engines see the clauses of a circuit, and so do certificates.
        Problem::Circuit(circuit) => certificate(&clausify(&circuit), args, &control)?,
        Problem::Game(game) => strategy(&game, args, &control)?,
        Problem::Board(board) => {
            let game = board_game(&board, natural_form(&board), DEFAULT_LITERALS, &control)
                .map_err(|error| Failure::input(format!("{name}: {error}")))?;
            strategy(&game, args, &control)?
        }
        _ => return Err(Failure::input(format!("{name}: there are no certificates for this kind of problem"))),
    };
    match output::write(&args.output, &finding.text) {
        Ok(()) | Err(Failure::BrokenPipe) => Ok(finding.exit),
        Err(failure) => Err(failure),
    }
}

/// Nothing was found out. That must not look like success.
fn unfinished(reason: &StopReason) -> Failure {
    Failure::input(format!("not finished: {reason}"))
}

fn accepted(what: &str) -> Finding {
    Finding { text: format!("s accepted {what}\n"), exit: Exit::Success }
}

fn rejected(why: &str, args: &CheckArgs) -> Finding {
    let why = if args.output.quiet { String::new() } else { format!("c {why}\n") };
    Finding { text: format!("{why}s rejected\n"), exit: Exit::Rejected }
}

fn certificate(qbf: &Qbf, args: &CheckArgs, control: &Control) -> Result<Finding, Failure> {
    let name = input::path_name(&args.certificate);
    let graph = read_aiger(&mut input::open(&args.certificate)?, &name)?;
    let judge = Judge::usual().map_err(|error| unfinished(&error.into()))?;
    let answer = check_certificate(qbf, &graph, judge, control).map_err(|stop| unfinished(&stop))?;
    Ok(match answer {
        Ok(verdict) => accepted(if verdict { "true" } else { "false" }),
        Err(flaw) => {
            let mut why = flaw.to_string();
            if let Some(assignment) = flaw.assignment() {
                why += "\nc under the values";
                for lit in assignment {
                    let _ = write!(why, " {lit}");
                }
            }
            rejected(&why, args)
        }
    })
}

fn strategy(game: &Game, args: &CheckArgs, control: &Control) -> Result<Finding, Failure> {
    let name = input::path_name(&args.certificate);
    let strategy = read_strategy(&mut input::open(&args.certificate)?, &name)?;
    match check_strategy(game, &strategy, control) {
        Ok(_) => Ok(accepted(if strategy.winner() == Player::Max { "max" } else { "min" })),
        Err(StrategyError::Rejected(rejection)) => Ok(rejected(&rejection.to_string(), args)),
        Err(StrategyError::Stopped(reason)) => Err(unfinished(&reason)),
    }
}
