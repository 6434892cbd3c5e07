//! `gamesat help`, `gamesat --help`: the program on one screen, its commands in groups; and the topics that are no commands.

use super::args::{Cli, HelpArgs, PROGRAM_EXAMPLES, example};
use super::exit::{Exit, Failure};
use super::output::Sink;
use clap::{Command, CommandFactory};
use gamesat::options::{
    AbstractionOptions, GameOptions, GraphOptions, PortfolioOptions, QcdclOptions, SequentialOptions, SimplifyOptions,
    Technique,
};
use gamesat::solve::engines;
use gamesat_format::slip::one_apart;
use std::fmt::Write;

/// The groups of commands, in the order in which the screen shows them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Solve", &["solve"]),
    ("Formulas", &["convert", "simplify", "generate"]),
    (
        "Boards and games",
        &["encode", "analyse", "classify", "compose", "stats", "value", "openings", "book", "play", "match"],
    ),
    ("Proofs", &["check"]),
    ("Many machines", &["split", "join"]),
    ("Tools", &["serve", "htp", "completions", "man", "help"]),
];

/// The tables of techniques, with the engines that use them.
const TABLES: &[(&str, &[Technique])] = &[
    ("alpha-beta, proof-number, order (set colouring games)", GameOptions::TECHNIQUES),
    ("graph (Shannon's games, boards that join two or three terminals)", GraphOptions::TECHNIQUES),
    ("simplification of QBFs, before every QBF engine", SimplifyOptions::TECHNIQUES),
    ("abstraction", AbstractionOptions::TECHNIQUES),
    ("qcdcl", QcdclOptions::TECHNIQUES),
    ("portfolio", PortfolioOptions::TECHNIQUES),
    ("sequential", SequentialOptions::TECHNIQUES),
];

/// The declarations of the command line, with the screen as the help of the program.
pub fn program() -> Command {
    let command = Cli::command();
    let screen = screen(&command);
    command.override_help(screen)
}

/// Runs the command.
pub fn run(args: &HelpArgs) -> Result<Exit, Failure> {
    let text = match args.topic.as_deref() {
        None => screen(&Cli::command()) + "\n",
        Some("techniques") => techniques(),
        Some("engines") => engine_list(),
        Some(name) => command(name)?,
    };
    Sink::open(None)?.in_object(args.json).write_text(&text)?;
    Ok(Exit::Success)
}

/// What `--help` of a command prints.
fn command(name: &str) -> Result<String, Failure> {
    let names = super::args::command_names();
    if !names.iter().any(|command| command == name) {
        let topics = names.iter().map(String::as_str).chain(["engines", "techniques"]);
        let near = topics.into_iter().find(|topic| one_apart(name.as_bytes(), topic.as_bytes()));
        let hint = near.map_or("'gamesat help' lists them".to_owned(), |topic| format!("did you mean '{topic}'?"));
        return Err(Failure::usage(format!("there is neither a command nor a topic '{name}': {hint}")));
    }
    match program().try_get_matches_from(["gamesat", name, "--help"]) {
        Err(help) if !help.use_stderr() => Ok(help.render().to_string()),
        _ => unreachable!("--help of a command is help"),
    }
}

/// The program on one screen.
fn screen(program: &Command) -> String {
    let mut text = "Solver for quantified Boolean formulas and games of two players, with proofs\n\n\
        Usage: gamesat [solve] [OPTIONS] [FILE | BOARD]...\n       gamesat COMMAND [OPTIONS]...\n\n"
        .to_owned();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {:<12} {about}", command.get_name());
        }
    }
    text + "\n" + &example(PROGRAM_EXAMPLES)
}

/// Every engine with a line about it.
fn engine_list() -> String {
    let mut text = "Engines, for '--engine NAME'; without it, the best one for the question is asked.\n\n".to_owned();
    for engine in engines() {
        let _ = writeln!(text, "  {:<13} {}", engine.name(), engine.about());
    }
    text
}

/// Every technique with its default and a line about it, by engine.
fn techniques() -> String {
    let mut text = "\
Techniques, for '--with NAMES', '--without NAMES' and '--only NAMES' (separated by commas).
None changes an answer. 'on' and 'off' are the defaults.
"
    .to_owned();
    for (engine, table) in TABLES {
        let _ = writeln!(text, "\n{engine}:");
        for Technique { name, about, default } in *table {
            let _ = writeln!(text, "  {name:<20} {:<3}  {about}", if *default { "on" } else { "off" });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat::options::tables;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<String> =
            GROUPS.iter().flat_map(|(_, names)| *names).map(|&name| name.to_owned()).collect();
        let mut names = super::super::args::command_names();
        grouped.sort();
        names.sort();
        assert_eq!(grouped, names);
    }

    #[test]
    fn every_technique_is_listed_with_its_engine() {
        let listed: Vec<&Technique> = TABLES.iter().flat_map(|(_, table)| *table).collect();
        let all: Vec<&Technique> = tables().iter().copied().flatten().collect();
        assert_eq!(listed, all);
    }

    #[test]
    fn the_screen_is_one() {
        let text = screen(&Cli::command());
        assert!(text.lines().count() <= 48, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}
