//! Flags of techniques: `--without a,b`, `--only a,b`, and `--no-X` for each, made from the tables of the library.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use gamesat::options::{Technique, tables};
use gamesat::solve::Options;

/// Which techniques to use. None changes an answer.
#[derive(Clone, Debug, Default)]
pub struct TechniqueArgs {
    /// These, and no others of the tables that they stand in.
    only: Vec<String>,
    /// All but these.
    without: Vec<String>,
}

impl TechniqueArgs {
    /// Switches techniques off.
    pub fn apply(&self, options: &mut Options) {
        for table in tables() {
            if table.iter().any(|technique| self.only.iter().any(|name| name == technique.name)) {
                for technique in table.iter() {
                    options.set(technique.name, self.only.iter().any(|name| name == technique.name));
                }
            }
        }
        for name in &self.without {
            options.set(name, false);
        }
    }
}

fn techniques() -> impl Iterator<Item = &'static Technique> {
    tables().iter().copied().flatten()
}

/// The flag that switches a technique off.
fn flag(technique: &Technique) -> String {
    format!("no-{}", technique.name.replace('_', "-"))
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
        let mut command = command
            .arg(list("only", "Use these techniques and none of their kind besides, separated by commas"))
            .arg(list("without", "Use all techniques but these").conflicts_with("only"));
        for technique in techniques() {
            let mut arg = Arg::new(flag(technique))
                .long(flag(technique))
                .action(ArgAction::SetTrue)
                .hide_short_help(true)
                .help_heading("Techniques")
                .help(format!("Not: {}", technique.about));
            if technique.name == "both_forms" {
                arg = arg.alias("one-form");
            }
            command = command.arg(arg);
        }
        command
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
        let listed = |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned();
        self.only = listed("only").collect();
        self.without = listed("without").collect();
        let off = techniques().filter(|technique| matches.get_flag(&flag(technique)));
        self.without.extend(off.map(|technique| technique.name.to_owned()));
        Ok(())
    }
}
