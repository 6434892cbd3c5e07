//! `gamesat completions` and `gamesat man`: made from the same declarations as the help texts.

use super::args::{Cli, CompletionsArgs, ManArgs};
use super::exit::{Exit, Failure};
use super::output::Sink;
use clap::CommandFactory;
use std::io::Write;

/// Prints a completion script.
pub fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gamesat", &mut script);
    print(&script, args.json)
}

/// Prints a manual page.
pub fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let mut program = Cli::command();
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => program
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Failure::usage(format!("there is no command '{name}'")))?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    print(&page, args.json)
}

fn print(text: &[u8], json: bool) -> Result<Exit, Failure> {
    let mut out = Sink::open(None)?.in_object(json);
    out.write_all(text)?;
    out.finish()?;
    Ok(Exit::Success)
}
