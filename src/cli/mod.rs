//! The command line: one file per command, the rest shared.

mod analyse;
mod answer;
mod args;
mod book;
mod check;
mod claims;
mod classify;
mod command;
mod completions;
mod compose;
mod convert;
mod counters;
mod cube;
mod cubes;
mod door;
mod encode;
mod exchange;
mod exit;
mod generate;
mod htp;
mod inferior;
mod input;
mod join;
mod lines;
mod lookup;
mod matches;
mod models;
mod openings;
mod output;
mod play;
mod progress;
mod records;
mod results;
mod serve;
mod simplify;
mod solve;
mod speech;
mod split;
mod stats;
mod techniques;
mod value;
mod variants;
#[cfg(feature = "web")]
mod web;
mod worker;

use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};
use exit::{Exit, Failure};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Arguments in, exit code out.
pub fn main() -> ExitCode {
    let parsed = Cli::command().try_get_matches().and_then(|given| Ok((Cli::from_arg_matches(&given)?, given)));
    let (cli, given) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version go to standard output and are a success.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Success }.into();
        }
    };
    match args::apart(&given).map_err(Failure::usage).and_then(|()| run(&cli)) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::report(&failure);
            failure.exit().into()
        }
    }
}

fn run(cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        None if std::env::args_os().len() <= 1 && io::stdin().is_terminal() => {
            // Nothing given and nothing piped: someone wants to know what this is.
            output::diagnose(&Cli::command().render_help().to_string());
            Ok(Exit::Usage)
        }
        None => solve::run(&cli.solve),
        Some(Command::Solve(args)) => solve::run(args),
        Some(Command::Convert(args)) => convert::run(args),
        Some(Command::Simplify(args)) => simplify::run(args),
        Some(Command::Analyse(args)) => analyse::run(args),
        Some(Command::Classify(args)) => classify::run(args),
        Some(Command::Compose(args)) => compose::run(args),
        Some(Command::Stats(args)) => stats::run(args),
        Some(Command::Value(args)) => value::run(args),
        Some(Command::Check(args)) => check::run(args),
        Some(Command::Generate(args)) => generate::run(args),
        Some(Command::Encode(args)) => encode::run(args),
        Some(Command::Split(args)) => split::run(args),
        Some(Command::Join(args)) => join::run(args),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Htp(args)) => htp::run(args),
        Some(Command::Openings(args)) => openings::run(args),
        Some(Command::Book(args)) => book::run(args),
        Some(Command::Match(args)) => matches::run(args),
        Some(Command::Completions(args)) => completions::completions(args),
        Some(Command::Man(args)) => completions::man(args),
    }
}
