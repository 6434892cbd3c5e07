//! `gamesat stats`: the winning sets of both players, counted and weighed.

use super::args::{InputArgs, StatsArgs};
use super::exit::{Exit, Failure};
use super::{command, input};
use gamesat::Problem;
use gamesat::encode::{EncodeError, Form, Rows, Target, lower};
use gamesat::formula::{GameMatrix, Names, Player};
use gamesat::solve::{Control, Solver};
use gamesat::theory::evaluate::{RowStatistics, row_statistics};
use gamesat_rows::normal;
use serde_json::{Value, json};
use std::fmt::Write;

/// Rows up to which the second form of a formula is computed.
const ROWS: usize = 1_000_000;

/// Runs the command.
pub fn run(args: &StatsArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run_with_object(&args.limits, &args.output, move |control, sink| {
        let args = own;
        // Moves are made one by one, with a line for each.
        let plain = InputArgs { moves: None, ..args.input.clone() };
        let input = input::read(&plain, &args.game, args.output.quiet, control)?;
        let names = input.parsed.problem.names();
        let mut solver = Solver::new(input.parsed.problem);
        let mut found = vec![("start".to_owned(), statistics(solver.problem(), control)?)];
        let moves = args.input.moves.as_deref().unwrap_or_default();
        for name in moves.split([' ', ',']).filter(|name| !name.is_empty()) {
            solver.play_named(name).map_err(|error| Failure::usage(format!("--moves: {error}")))?;
            found.push((name.to_owned(), statistics(solver.problem(), control)?));
        }
        let text = if args.output.json { format!("{:#}\n", object(&found, &names)) } else { lines(&found, &names) };
        sink.write_text(&text)?;
        Ok(Exit::Success)
    })
}

/// The rows that each player wants to own all of: terms for MAX, clauses for MIN.
type Both = [Option<RowStatistics>; 2];

fn statistics(problem: &Problem, control: &Control) -> Result<Both, Failure> {
    let mut both = [None, None];
    for (at, form) in [Form::Dnf, Form::Cnf].into_iter().enumerate() {
        let rows = match problem {
            Problem::Game(game) if form == Form::Dnf => normal::game_dnf(game, ROWS, control)?,
            Problem::Game(game) => normal::game_cnf(game, ROWS, control)?,
            problem => match lower(problem, Target::Rows(Rows { form: Some(form), ..Rows::default() }), control) {
                Ok(lowered) => match lowered.problem {
                    Problem::Game(game) => match game.matrix() {
                        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows)
                            if game.is_irredundant() && game.played().is_empty() =>
                        {
                            Some(rows.clone())
                        }
                        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => {
                            // Stones are filled in by the engines; here only what is left counts.
                            let played = game.played().iter().map(|&lit| if form == Form::Cnf { lit } else { !lit });
                            let rows = normal::condition(rows, &played.collect::<Vec<_>>());
                            Some(normal::irredundant(&rows, control)?)
                        }
                        GameMatrix::Circuit(_) => None,
                    },
                    _ => None,
                },
                Err(error @ EncodeError::NotAGame(_)) => return Err(Failure::usage(error.to_string())),
                Err(error) => return Err(error.into()),
            },
        };
        both[at] = rows.as_ref().map(row_statistics);
    }
    if both.iter().all(Option::is_none) {
        return Err(Failure::refused(gamesat::solve::StopReason::Unsupported(
            "the formula has no affordable normal form".to_owned(),
        )));
    }
    Ok(both)
}

const PLAYERS: [(Player, &str); 2] = [(Player::Max, "max"), (Player::Min, "min")];

fn lines(found: &[(String, Both)], names: &Names) -> String {
    let mut text = String::new();
    for (name, both) in found {
        for ((_, player), rows) in PLAYERS.iter().zip(both) {
            let _ = match rows {
                Some(rows) => writeln!(
                    text,
                    "{name} {player} sets {} literals {} mean {:.2} longest {} weight {}",
                    rows.rows,
                    rows.literals,
                    rows.mean(),
                    rows.longest(),
                    rows.weight
                ),
                None => writeln!(text, "{name} {player} too many sets"),
            };
        }
    }
    let Some((_, last)) = found.last() else { return text };
    for ((_, player), rows) in PLAYERS.iter().zip(last) {
        let Some(rows) = rows else { continue };
        for (length, count) in rows.histogram.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let _ = writeln!(text, "length {player} {length} {count}");
        }
    }
    for (name, weights) in table(last, names) {
        let [max, min] = weights;
        let _ = writeln!(text, "element {name} max {max} min {min} both {}", max + min);
    }
    text
}

/// The weights of every element for both players.
fn table(both: &Both, names: &Names) -> Vec<(String, [f64; 2])> {
    let of = |at: usize| both[at].iter().flat_map(|rows| &rows.weights).map(move |&(var, weight)| (var, at, weight));
    let mut all: Vec<_> = of(0).chain(of(1)).collect();
    all.sort_by_key(|&(var, at, _)| (var, at));
    let mut table: Vec<(gamesat::formula::Var, [f64; 2])> = Vec::new();
    for (var, at, weight) in all {
        if table.last().is_none_or(|&(last, _)| last != var) {
            table.push((var, [0.0; 2]));
        }
        if let Some((_, weights)) = table.last_mut() {
            weights[at] = weight;
        }
    }
    table.into_iter().map(|(var, weights)| (names.display(var), weights)).collect()
}

fn object(found: &[(String, Both)], names: &Names) -> Value {
    let rows = |rows: &Option<RowStatistics>| match rows {
        Some(rows) => json!({
            "sets": rows.rows,
            "literals": rows.literals,
            "mean": rows.mean(),
            "longest": rows.longest(),
            "weight": rows.weight,
            "lengths": rows.histogram,
        }),
        None => Value::Null,
    };
    let positions: Vec<Value> =
        found.iter().map(|(name, [max, min])| json!({ "after": name, "max": rows(max), "min": rows(min) })).collect();
    let elements: Vec<Value> = found
        .last()
        .map(|(_, last)| table(last, names))
        .unwrap_or_default()
        .into_iter()
        .map(|(name, [max, min])| json!({ "name": name, "max": max, "min": min }))
        .collect();
    json!({ "positions": positions, "elements": elements })
}
