//! `gamesat value`: a number for a position and for each of its elements, instead of a solution.

use super::args::ValueArgs;
use super::exit::{Exit, Failure};
use super::{command, input};
use gamesat::Problem;
use gamesat::encode::{Rows, Target, lower};
use gamesat::formula::{Game, Names, Var};
use gamesat::rules::{Board, Side};
use gamesat::solve::Control;
use gamesat::theory::evaluate::resistance::{Flow, network, value};
use gamesat::theory::evaluate::{
    EXACT_ELEMENTS, Estimate, coin_flip, coin_flip_on_board, potentials, random_play, random_play_on_board, y_reduction,
};
use serde_json::{Value, json};
use std::fmt::Write;

/// What was found: a name for the number, the number, and a number for each element.
struct Found {
    what: String,
    value: Number,
    elements: Vec<(String, Number)>,
}

enum Number {
    Share(Estimate),
    Real(f64),
    Distances([Option<u32>; 2]),
    Nothing,
}

/// Runs the command.
pub fn run(args: &ValueArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run_with_object(&args.limits, &args.output, move |control, sink| {
        let args = own;
        let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
        input::refuse_sequential(&input.parsed.problem, "value")?;
        let found = evaluate(&args, &input.parsed.problem, control)?;
        let text = if args.output.json { format!("{:#}\n", object(&found)) } else { lines(&found) };
        sink.write_text(&text)?;
        Ok(Exit::Success)
    })
}

fn evaluate(args: &ValueArgs, problem: &Problem, control: &Control) -> Result<Found, Failure> {
    let names = problem.names();
    if args.coinflip || args.random_play {
        // A board with many cells has too many winning sets to list: its own rules say who has won.
        if let Problem::Board(board) = problem
            && board.free().count() > EXACT_ELEMENTS
        {
            return sampled(args, board, &names, control);
        }
        let game = rows(problem, control)?;
        if args.coinflip {
            let found = coin_flip(&game, args.samples, args.seed, control).map_err(Failure::refused)?;
            return Ok(Found {
                what: "colourings that max wins".to_owned(),
                value: Number::Share(found.value),
                elements: shares(&found.pivotal, &names),
            });
        }
        let found = random_play(&game, args.samples, args.seed, control).map_err(Failure::refused)?;
        return Ok(Found {
            what: format!("playouts that {} wins, who moves first", game.turn),
            value: Number::Share(found.mover),
            elements: shares(&found.elements, &names),
        });
    }
    let Problem::Board(board) = problem else {
        return Err(Failure::usage("--two-distance, --resistance and --y-reduction are for boards"));
    };
    if args.two_distance {
        distances(board)
    } else if args.resistance {
        networks(board)
    } else {
        contraction(board)
    }
}

/// Samples on a board.
fn sampled(args: &ValueArgs, board: &Board, names: &Names, control: &Control) -> Result<Found, Failure> {
    if args.coinflip {
        let found = coin_flip_on_board(board, args.samples, args.seed, control).map_err(Failure::refused)?;
        return Ok(Found {
            what: "colourings that max wins".to_owned(),
            value: Number::Share(found.value),
            elements: shares(&found.pivotal, names),
        });
    }
    let found = random_play_on_board(board, args.samples, args.seed, control).map_err(Failure::refused)?;
    Ok(Found {
        what: format!("playouts that {} wins, who moves first", board.player(board.turn)),
        value: Number::Share(found.mover),
        elements: shares(&found.elements, names),
    })
}

/// The game of a formula or a board.
fn rows(problem: &Problem, control: &Control) -> Result<Game, Failure> {
    match problem {
        Problem::Game(game) => Ok(game.clone()),
        Problem::Board(board) if board.has_plies() || board.is_race() => {
            Err(Failure::usage("a race or a game of bounded length is no set colouring game"))
        }
        Problem::Board(_) | Problem::Colouring(_) => {
            match lower(problem, Target::Rows(Rows::default()), control)?.problem {
                Problem::Game(game) => Ok(game),
                _ => Err(Failure::usage("this is no set colouring game")),
            }
        }
        Problem::Sequential(_) => Err(Failure::usage("this is a sequential game, not a set colouring game")),
        _ => Err(Failure::usage("a quantified formula is no game")),
    }
}

fn shares(list: &[(Var, Estimate)], names: &Names) -> Vec<(String, Number)> {
    list.iter().map(|&(var, estimate)| (names.display(var), Number::Share(estimate))).collect()
}

fn distances(board: &Board) -> Result<Found, Failure> {
    let found = potentials(board);
    if found.of.iter().flatten().all(Option::is_none) {
        return Err(Failure::usage("--two-distance is for boards on which a side joins two others, with a way left"));
    }
    let cell = |element: usize| (board.name(element), Number::Distances([found.of[0][element], found.of[1][element]]));
    let what = format!("potentials of {} and {}", board.side_name(Side::First), board.side_name(Side::Second));
    let elements = board.free().map(cell).collect();
    Ok(Found { what, value: Number::Nothing, elements })
}

/// Both sides' networks: how the position stands for MAX, and the power in each cell.
fn networks(board: &Board) -> Result<Found, Failure> {
    let (Some(own), Some(enemy)) = (network(board, board.max), network(board, !board.max)) else {
        return Err(Failure::usage("--resistance is for boards on which both sides join two terminals"));
    };
    let cell = |element: usize| {
        let power = |flow: &Flow| flow.currents.get(element).map_or(0.0, |current| current * current);
        (board.name(element), Number::Real(power(&own) + power(&enemy)))
    };
    Ok(Found {
        what: format!("resistance {} {}, value for {}", own.resistance, enemy.resistance, board.side_name(board.max)),
        value: Number::Real(value(own.resistance, enemy.resistance)),
        elements: board.free().map(cell).collect(),
    })
}

fn contraction(board: &Board) -> Result<Found, Failure> {
    let found = y_reduction(board, board.max)
        .ok_or_else(|| Failure::usage("--y-reduction is for boards that are a triangle of Y, or part of one"))?;
    let cell = |element: usize| (board.name(element), Number::Real(found.gradient[element]));
    Ok(Found {
        what: format!("contraction for {}", board.side_name(board.max)),
        value: Number::Real(found.value),
        elements: board.free().map(cell).collect(),
    })
}

fn spoken(number: &Number) -> String {
    match number {
        Number::Share(estimate) if estimate.exact => {
            format!("{} of {} = {:.6}", estimate.wins, estimate.total, estimate.share())
        }
        Number::Share(estimate) => {
            format!("{:.6} +- {:.6} ({} samples)", estimate.share(), estimate.error(), estimate.total)
        }
        Number::Real(value) => value.to_string(),
        Number::Distances(both) => {
            let one = |distance: &Option<u32>| distance.map_or("-".to_owned(), |distance| distance.to_string());
            let total = match both {
                [Some(a), Some(b)] => (a + b).to_string(),
                _ => "-".to_owned(),
            };
            format!("{} + {} = {total}", one(&both[0]), one(&both[1]))
        }
        Number::Nothing => String::new(),
    }
}

fn lines(found: &Found) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", format!("{} {}", found.what, spoken(&found.value)).trim_end());
    for (name, number) in &found.elements {
        let _ = writeln!(text, "element {name} {}", spoken(number));
    }
    text
}

fn number(number: &Number) -> Value {
    match number {
        Number::Share(estimate) => json!({
            "wins": estimate.wins,
            "total": estimate.total,
            "share": estimate.share(),
            "error": estimate.error(),
            "exact": estimate.exact,
        }),
        Number::Real(value) => json!(value),
        Number::Distances(both) => json!(both),
        Number::Nothing => Value::Null,
    }
}

fn object(found: &Found) -> Value {
    let elements: Vec<Value> =
        found.elements.iter().map(|(name, value)| json!({ "name": name, "value": number(value) })).collect();
    json!({ "what": found.what, "value": number(&found.value), "elements": elements })
}
