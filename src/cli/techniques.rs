//! Which techniques are used: `--with a,b`, `--without a,b`, `--only a,b`, made from the tables of the library. `--no-X` is
//! another way to write `--without X`: it is rewritten before the command line is parsed, so that help, manual pages and
//! completions show three options instead of one for each technique.

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use gamesat::options::{Technique, tables};
use gamesat::solve::Options;
use std::ffi::OsString;

/// Which techniques to use. None changes an answer.
#[derive(Clone, Debug, Default)]
pub struct TechniqueArgs {
    /// These, and no others of the tables that they stand in.
    only: Vec<String>,
    /// These, too.
    with: Vec<String>,
    /// All but these.
    without: Vec<String>,
}

impl TechniqueArgs {
    /// Switches techniques on and off.
    pub fn apply(&self, options: &mut Options) {
        for table in tables() {
            if table.iter().any(|technique| self.only.iter().any(|name| name == technique.name)) {
                for technique in table.iter() {
                    options.set(technique.name, self.only.iter().any(|name| name == technique.name));
                }
            }
        }
        for (names, on) in [(&self.with, true), (&self.without, false)] {
            for name in names {
                options.set(name, on);
            }
        }
    }
}

fn techniques() -> impl Iterator<Item = &'static Technique> {
    tables().iter().copied().flatten()
}

/// The command line with `--without=X` for `--no-X`, up to a `--`.
pub fn rewritten(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut is_over = false;
    let rewrite = |argument: OsString| {
        is_over |= argument == "--";
        let word = argument.to_str().filter(|_| !is_over);
        let name = match word {
            Some("--one-form") => Some("both_forms".to_owned()),
            word => word.and_then(|word| word.strip_prefix("--no-")).map(|name| name.replace('-', "_")),
        };
        match name.filter(|name| techniques().any(|technique| technique.name == name)) {
            Some(name) => format!("--without={name}").into(),
            None => argument,
        }
    };
    arguments.map(rewrite).collect()
}

fn list(name: &'static str, help: &'static str) -> Arg {
    let names = techniques().map(|technique| clap::builder::PossibleValue::new(technique.name).help(technique.about));
    Arg::new(name)
        .long(name)
        .value_name("TECHNIQUES")
        .value_delimiter(',')
        .action(ArgAction::Append)
        .value_parser(PossibleValuesParser::new(names))
        .hide_possible_values(true)
        .help_heading("Techniques")
        .help(help)
}

impl Args for TechniqueArgs {
    fn augment_args(command: Command) -> Command {
        command
            .arg(list("with", "Use these techniques, too, separated by commas; 'gamesat help techniques' lists them"))
            .arg(list("without", "Do not use these techniques"))
            .arg(list("only", "Use only these techniques of each engine named"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for TechniqueArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = TechniqueArgs::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let listed = |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect();
        (self.only, self.with, self.without) = (listed("only"), listed("with"), listed("without"));
        match self.without.iter().find(|name| self.with.contains(name) || self.only.contains(name)) {
            Some(name) => {
                let message = format!("the technique '{name}' is to be used, and not to be used\n");
                Err(clap::Error::raw(ErrorKind::ArgumentConflict, message))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_rewritten_up_to_two_dashes() {
        let line = ["gamesat", "--no-captured-pairs", "--one-form", "--no-such", "-e", "x", "--", "--no-capture"];
        let expected = [
            "gamesat",
            "--without=captured_pairs",
            "--without=both_forms",
            "--no-such",
            "-e",
            "x",
            "--",
            "--no-capture",
        ];
        assert_eq!(rewritten(line.iter().map(OsString::from)), expected);
    }
}
