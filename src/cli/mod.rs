//! The command line: one file per command, the rest shared.

mod analyse;
mod answer;
mod args;
mod batch;
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
mod help;
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
use clap::{ArgMatches, FromArgMatches};
use exit::{Exit, Failure};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Arguments in, exit code out.
pub fn main() -> ExitCode {
    let line = techniques::rewritten(std::env::args_os());
    let json = line.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    let parsed =
        help::program().try_get_matches_from(line).and_then(|given| Ok((Cli::from_arg_matches(&given)?, given)));
    let (cli, given) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            // Help and version go to standard output and are a success.
            let _ = error.print();
            if json && error.use_stderr() {
                let message = error.to_string();
                let lines = message.lines().take_while(|line| !line.is_empty()).map(str::trim);
                let message = lines.collect::<Vec<_>>().join(" ");
                output::report_as_json(&Failure::usage(message.trim_start_matches("error: ")));
            }
            return if error.use_stderr() { Exit::Usage } else { Exit::Success }.into();
        }
    };
    match args::apart(&given).map_err(Failure::usage).and_then(|()| run(&cli, &given)) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::report(&failure);
            if json {
                output::report_as_json(&failure);
            }
            failure.exit().into()
        }
    }
}

fn run(cli: &Cli, given: &ArgMatches) -> Result<Exit, Failure> {
    match &cli.command {
        None if std::env::args_os().len() <= 1 && io::stdin().is_terminal() => {
            // Nothing given and nothing piped: the user wants to know what this is.
            output::diagnose(&help::program().render_help().to_string());
            Ok(Exit::Usage)
        }
        None if batch::is_meant(&cli.solve) => batch::run(&cli.solve, given),
        None => solve::run(&cli.solve),
        Some(Command::Solve(args)) if batch::is_meant(args) => batch::run(args, given),
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
        Some(Command::Help(args)) => help::run(args),
    }
}
