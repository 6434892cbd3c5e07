//! `gamesat classify`: the class and the canonical form of a game, or of all functions of a few elements.

use super::args::{ClassifyArgs, RuleArg};
use super::exit::{Exit, Failure};
use super::output::Sink;
use super::{command, input};
use gamesat::Problem;
use gamesat::analyse::{Classification, Found, classify};
use gamesat::formula::{Lit, Names, Player, Rule};
use gamesat::solve::{Control, Options, StopReason};
use gamesat::theory::canonical::{CanonicalForm, Census, CensusError, MOST_ELEMENTS, Outcome, census};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Runs the command.
pub fn run(args: &ClassifyArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run_with_object(&args.limits, &args.output, move |control, sink| match own.all {
        Some(elements) => count(elements, &own, control, sink),
        None => one(&own, control, sink),
    })
}

fn one(args: &ClassifyArgs, control: &Control, sink: Sink) -> Result<Exit, Failure> {
    let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
    let problem = &input.parsed.problem;
    input::refuse_sequential(problem, "classify")?;
    let found = classify(problem, &Options::default(), control).map_err(Failure::refused)?;
    let unfinished = [&found.outcome, &found.with_star].into_iter().find_map(|outcome| outcome.clone().err());
    let names = problem.names();
    let rule = if let Problem::Game(game) = problem { game.rule } else { Rule::Any };
    let text = if args.output.json {
        format!("{:#}\n", object(&found, &names, rule))
    } else {
        lines(&found, &names, rule, args)
    };
    sink.write_text(&text)?;
    match unfinished {
        Some(reason) => Err(Failure::Stopped(reason)),
        None => Ok(Exit::Success),
    }
}

fn spoken(lit: Lit, names: &Names) -> String {
    format!("{}={}", names.display(lit.var()), if lit.is_positive() { "TRUE" } else { "FALSE" })
}

/// The moves of a player, or of both under rule `any`, by the form they lead to.
fn options(found: &Classification, player: Option<Player>, names: &Names) -> Vec<(CanonicalForm, Vec<String>)> {
    let Some(form) = found.form.form() else { return Vec::new() };
    let all = CanonicalForm::all(form.rule(), !form.is_odd());
    let grouped = all.map(|form| {
        let moves = found.options.iter().filter(|(lit, after)| {
            *after == Found::Form(form) && player.is_none_or(|player| lit.is_positive() == player.colour())
        });
        (form, moves.map(|&(lit, _)| spoken(lit, names)).collect::<Vec<_>>())
    });
    grouped.filter(|(_, moves)| !moves.is_empty()).collect()
}

fn outcome(outcome: &Result<Outcome, StopReason>) -> String {
    match outcome {
        Ok(outcome) => outcome.to_string(),
        Err(_) => "unknown".to_owned(),
    }
}

/// Why there is no form.
fn formless(found: Found) -> Option<String> {
    match found {
        Found::Form(_) => None,
        Found::TooLarge(elements) => Some(format!(
            "a part of {elements} elements that falls into no smaller ones; forms are computed up to {MOST_ELEMENTS}"
        )),
        Found::Unknown => Some("none of the sixteen forms; such games begin with seven elements".to_owned()),
    }
}

fn lines(found: &Classification, names: &Names, rule: Rule, args: &ClassifyArgs) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "class {}", outcome(&found.outcome));
    let _ = writeln!(text, "class with star {}", outcome(&found.with_star));
    match found.form.form() {
        Some(form) => {
            let _ = writeln!(text, "form {form}");
            let _ = writeln!(text, "form with star {}", form.with_star());
        }
        None => {
            let _ = writeln!(text, "form unknown");
            if let (Some(why), false) = (formless(found.form), args.output.quiet) {
                let _ = writeln!(text, "c {why}");
            }
        }
    }
    for (word, player) in sides(rule) {
        for (form, moves) in options(found, player, names) {
            let _ = writeln!(text, "{word} {form}: {}", moves.join(" "));
        }
    }
    text
}

/// Whose options are listed together.
fn sides(rule: Rule) -> Vec<(&'static str, Option<Player>)> {
    match rule {
        Rule::Any => vec![("option", None)],
        Rule::Own => vec![("max option", Some(Player::Max)), ("min option", Some(Player::Min))],
    }
}

fn object(found: &Classification, names: &Names, rule: Rule) -> Value {
    let form = found.form.form();
    let mut options_of = Map::new();
    for (_, player) in sides(rule) {
        let name = player.map_or("both".to_owned(), |player| player.to_string());
        let groups = options(found, player, names);
        let groups = groups.into_iter().map(|(form, moves)| (form.to_string(), json!(moves))).collect::<Map<_, _>>();
        options_of.insert(name, Value::Object(groups));
    }
    json!({
        "class": outcome(&found.outcome),
        "class_with_star": outcome(&found.with_star),
        "form": form.map(CanonicalForm::name),
        "form_with_star": form.map(|form| form.with_star().name()),
        "formless": formless(found.form),
        "rule": rule.to_string(),
        "options": options_of,
    })
}

fn count(elements: u32, args: &ClassifyArgs, control: &Control, sink: Sink) -> Result<Exit, Failure> {
    let rule = Rule::from(args.game.rule.unwrap_or(RuleArg::Any));
    let census = census(elements, args.colours, rule, control).map_err(|error| match error {
        CensusError::Stopped(reason) => Failure::Stopped(reason),
        error => Failure::usage(error.to_string()),
    })?;
    let text = if args.output.json {
        format!("{:#}\n", census_object(&census, elements, args.colours, rule))
    } else {
        let mut text = String::new();
        for (form, count) in &census.forms {
            let _ = writeln!(text, "{form} {count}");
        }
        for (outcome, count) in classes(&census) {
            let _ = writeln!(text, "class {outcome} {count}");
        }
        if census.unknown > 0 {
            let _ = writeln!(text, "none of the sixteen {}", census.unknown);
        }
        text
    };
    sink.write_text(&text)?;
    Ok(Exit::Success)
}

fn classes(census: &Census) -> Vec<(Outcome, u64)> {
    let count = |outcome| census.forms.iter().filter(|(form, _)| form.outcome() == outcome).map(|&(_, n)| n).sum();
    Outcome::ALL.map(|outcome| (outcome, count(outcome))).into()
}

fn census_object(census: &Census, elements: u32, colours: u32, rule: Rule) -> Value {
    let forms = census.forms.iter().map(|(form, count)| (form.to_string(), json!(count))).collect::<Map<_, _>>();
    let classes =
        classes(census).into_iter().map(|(outcome, count)| (outcome.to_string(), json!(count))).collect::<Map<_, _>>();
    json!({
        "elements": elements,
        "colours": colours,
        "rule": rule.to_string(),
        "forms": forms,
        "classes": classes,
        "unknown": census.unknown,
    })
}
