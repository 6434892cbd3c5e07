//! `gamesat solve`: read, solve under limits, answer.

use super::answer::{Answer, Shape};
use super::args::{GameArgs, PlayerArg, SideArg, SolveArgs};
use super::exit::{Exit, Failure};
use super::watch::{Watched, watch};
use super::{input, output, signal};
use gamesat::Problem;
use gamesat::format::{self, Parsed};
use gamesat::formula::Player;
use gamesat::rules::{Board, Side};
use gamesat::solve::{Control, Outcome, StopReason, Verdict, solve};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Runs the command.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let interrupt = signal::interrupt_on_signals()?;
    let control = Control::new(args.limits.limits(), interrupt.clone());
    // Filled in as soon as the input is known, so that an abandoned run can still say what it was about.
    let shape = Arc::new(Mutex::new(Shape::default()));

    let job = {
        let (args, control, shape) = (args.clone(), control.clone(), Arc::clone(&shape));
        move || -> Result<Outcome, Failure> {
            let mut parsed = input::read(&args.input)?;
            let name = input::name(&args.input);
            output::warn(&args.output, &name, &parsed);
            set_up_game(&mut parsed, &args.game)?;
            if args.certificate.is_some() && !matches!(parsed.problem, Problem::Qbf(_) | Problem::Circuit(_)) {
                return Err(Failure::usage("--certificate is for quantified formulas; this is a game"));
            }
            if args.strategy.is_some() && matches!(parsed.problem, Problem::Qbf(_) | Problem::Circuit(_)) {
                return Err(Failure::usage("--strategy is for games; this is a quantified formula"));
            }
            let known = Shape::of(&parsed);
            output::narrate(&args.output, &format!("{name}: {known}"));
            *shape.lock().unwrap_or_else(PoisonError::into_inner) = known;
            Ok(solve(&parsed.problem, &args.options(), &control))
        }
    };
    let outcome = match watch(&control, &interrupt, !args.output.quiet, job)? {
        Watched::Finished(outcome, told) => {
            let mut outcome = outcome?;
            // A limit that is noticed here reaches the engine as an interrupt: say which limit it was.
            if outcome.stop == Some(StopReason::Interrupted) {
                outcome.stop = told.or(outcome.stop);
            }
            outcome
        }
        Watched::Abandoned(reason) => {
            let mut outcome = Outcome::stopped(reason);
            outcome.statistics.time = control.elapsed();
            outcome.statistics.peak_memory = gamesat::solve::peak_memory();
            outcome.statistics.add("nodes", control.progress().nodes());
            outcome
        }
    };
    if let Some(StopReason::Unsupported(why)) = &outcome.stop
        && outcome.statistics.engine.is_empty()
    {
        return Err(Failure::usage(why.clone()));
    }
    if let Some(path) = &args.certificate
        && outcome.verdict != Verdict::Unknown
    {
        write_certificate(path, &outcome)?;
    }
    if let Some(path) = &args.strategy
        && outcome.verdict != Verdict::Unknown
    {
        write_strategy(path, &outcome)?;
    }
    let shape = shape.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = Answer { args, shape: &shape, outcome: &outcome };
    match output::write(&args.output, &answer.to_text()) {
        // Whoever closed the pipe can still see the exit code.
        Ok(()) | Err(Failure::BrokenPipe) => Ok(outcome.verdict.into()),
        Err(failure) => Err(failure),
    }
}

/// Writes the certificate, or says why there is none; the verdict stands without it.
fn write_certificate(path: &Path, outcome: &Outcome) -> Result<(), Failure> {
    match (&outcome.certificate, &outcome.stop) {
        (Some(text), _) => {
            std::fs::write(path, text).map_err(|error| Failure::input(format!("{}: {error}", path.display())))
        }
        (None, Some(reason)) => {
            output::diagnose(&format!("c no certificate written: {reason}"));
            Ok(())
        }
        (None, None) => {
            let engine = outcome.statistics.engine;
            Err(Failure::usage(format!("the engine '{engine}' gives no certificates")))
        }
    }
}

/// Writes the strategy, or says why there is none; the verdict stands without it.
fn write_strategy(path: &Path, outcome: &Outcome) -> Result<(), Failure> {
    let Some(strategy) = &outcome.strategy else {
        let engine = outcome.statistics.engine;
        match &outcome.stop {
            Some(reason) => output::diagnose(&format!("c no strategy written: {reason}")),
            None => return Err(Failure::usage(format!("the engine '{engine}' gives no strategies"))),
        }
        return Ok(());
    };
    let failed = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    let mut file = BufWriter::new(File::create(path).map_err(|error| failed(&error))?);
    format::write_strategy(strategy, &mut file).map_err(|error| failed(&error))?;
    file.flush().map_err(|error| failed(&error))
}

/// Applies `--turn`, `--max`, `--rule` and `--stars`.
pub fn set_up_game(parsed: &mut Parsed, args: &GameArgs) -> Result<(), Failure> {
    let game = match &mut parsed.problem {
        Problem::Game(game) => game,
        Problem::Board(board) => return set_up_board(board, args),
        _ if args.is_used() => {
            return Err(Failure::usage(
                "--turn, --max, --rule and --stars are for games; this is a quantified formula",
            ));
        }
        _ => return Ok(()),
    };
    if args.max.is_some() {
        return Err(Failure::usage("--max is for boards; a formula has its MAX"));
    }
    match args.turn {
        Some(PlayerArg::Player(player)) => game.turn = player,
        Some(PlayerArg::Side(side)) => {
            return Err(Failure::usage(format!("--turn {}: a formula has only max and min", side.name())));
        }
        None => {}
    }
    if let Some(rule) = args.rule {
        game.rule = rule.into();
    }
    if game.elements() + args.stars as usize > gamesat::formula::Var::LIMIT {
        return Err(Failure::usage("--stars: too many elements"));
    }
    game.add_stars(args.stars as usize);
    Ok(())
}

/// A board knows its rule and its elements; its sides have names.
fn set_up_board(board: &mut Board, args: &GameArgs) -> Result<(), Failure> {
    if args.rule.is_some() || args.stars > 0 {
        return Err(Failure::usage("--rule and --stars are for formulas; this is a board"));
    }
    let find = |board: &Board, option: &str, side: SideArg| {
        board.find_side(side.name()).ok_or_else(|| {
            let (first, second) = (board.side_name(Side::First), board.side_name(Side::Second));
            Failure::usage(format!("{option} {}: the sides of this board are {first} and {second}", side.name()))
        })
    };
    if let Some(side) = args.max {
        board.max = find(board, "--max", side)?;
    }
    let turn = match args.turn {
        Some(PlayerArg::Player(Player::Max)) => board.max,
        Some(PlayerArg::Player(Player::Min)) => !board.max,
        Some(PlayerArg::Side(side)) => find(board, "--turn", side)?,
        None => board.turn,
    };
    if turn != board.turn && board.schedule.is_some() {
        return Err(Failure::usage("--turn: the #times and #blackturns of this game say who moves when"));
    }
    board.turn = turn;
    Ok(())
}
