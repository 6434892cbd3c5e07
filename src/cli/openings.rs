//! `gamesat openings`: which first moves win, one after the other, and on from where an earlier run has stopped.

use super::args::OpeningsArgs;
use super::door::{Passed, pass};
use super::exit::{Exit, Failure};
use super::input;
use super::output::{self, Sink};
use gamesat::Problem;
use gamesat::format::{self, Format};
use gamesat::rules::{Board, Side};
use gamesat::solve::{Control, Opening, Openings, StopReason, Unfinished};
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Runs the command.
pub fn run(args: &OpeningsArgs) -> Result<Exit, Failure> {
    let sink = Sink::open(args.output.output.as_deref())?.in_object(args.output.json);
    let _guard = sink.guard();
    // What is known, for the case that the rest has to be abandoned.
    let known = Arc::new(Mutex::new(String::new()));
    let job = {
        let (args, known) = (args.clone(), Arc::clone(&known));
        move |control: &Control| work(&args, control, &known)
    };
    let (passed, _) = pass(&args.limits, args.output.manner(), job)?;
    let stopped = match passed {
        Passed::Finished(Ok(stopped), told) => stopped.map(|reason| match reason {
            StopReason::Interrupted => told.unwrap_or(reason),
            reason => reason,
        }),
        Passed::Finished(Err(failure), _) => return Err(failure),
        Passed::Abandoned(reason) => Some(reason),
    };
    let mut text = std::mem::take(&mut *known.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(reason) = stopped.filter(|_| !args.output.quiet) {
        let _ = writeln!(text, "c incomplete: {reason}");
    }
    sink.write_text(&text)?;
    Ok(Exit::Success)
}

/// Solves one opening after the other; the reason if some are left.
fn work(args: &OpeningsArgs, control: &Control, known: &Mutex<String>) -> Result<Option<StopReason>, Failure> {
    let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
    let Problem::Board(board) = &input.parsed.problem else {
        return Err(Failure::usage("openings are those of a board"));
    };
    let mut openings = Openings::new(board, &args.search.options(&args.techniques));
    let position = position(board)?;
    if let Some(path) = &args.record
        && let Some(text) = input::kept_text(path, control)?
    {
        learn(&mut openings, board, &position, &text)
            .map_err(|why| Failure::input(format!("{}: {why}", path.display())))?;
    }
    loop {
        let text = report(&openings, board, &position);
        if let Some(path) = &args.record {
            output::replace(path, &text)?;
        }
        *known.lock().unwrap_or_else(PoisonError::into_inner) = text;
        match openings.advance(control) {
            Ok(Some(element)) => control.log(|| {
                let (done, all) = openings.count();
                let found = openings.known()[element];
                let winner = found.map_or("unknown", |found| board.side_name(found.winner));
                format!("{} {winner}, {done} of {all}", board.name(element))
            }),
            Ok(None) => return Ok(None),
            Err(Unfinished::Stopped(reason)) => return Ok(Some(reason)),
            Err(Unfinished::Refused(refusal)) => return Err(refusal.into()),
            Err(_) => return Ok(Some(StopReason::Interrupted)),
        }
    }
}

/// The position as comment lines.
fn position(board: &Board) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    format::write(&Problem::Board(board.clone()), Format::of_board(board), &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).lines().map(|line| format!("c {line}\n")).collect())
}

/// The position, a line for every opening that is known, and a map.
fn report(openings: &Openings, board: &Board, position: &str) -> String {
    let mut text = position.to_owned();
    let (mut wins, mut losses) = (0, 0);
    for (element, opening) in openings.known().iter().enumerate() {
        if let Some(Opening { winner, nodes, .. }) = opening {
            *(if *winner == board.turn { &mut wins } else { &mut losses }) += 1;
            let _ = writeln!(text, "o {} {} {nodes}", board.name(element), board.side_name(*winner));
        }
    }
    let symbols = board.symbols();
    for (indent, elements) in board.lines() {
        let _ = write!(text, "c {:indent$}", "");
        for element in elements {
            let symbol = match (board.stone(element), openings.known()[element]) {
                (Some(side), _) => symbols[side as usize],
                (None, Some(opening)) if opening.winner == board.turn => '+',
                (None, Some(_)) => '-',
                (None, None) => '?',
            };
            let _ = write!(text, " {symbol}");
        }
        text.push('\n');
    }
    let open = openings.count().1 - wins - losses;
    let mover = board.side_name(board.turn);
    let _ = writeln!(text, "c {mover} wins with {wins} openings, loses with {losses}, {open} unknown");
    text
}

/// Takes over what a record says about this position.
fn learn(openings: &mut Openings, board: &Board, position: &str, text: &str) -> Result<(), String> {
    if !text.starts_with(position) {
        return Err("this is a record of another position".to_owned());
    }
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with("o ")) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let opening = match words[..] {
            [_, name, side, nodes] => read(board, name, side, nodes),
            _ => None,
        };
        let taken = opening.is_some_and(|(element, opening)| openings.learn(element, opening));
        if !taken {
            return Err(format!("line {}: this is no opening, who wins after it and a number of nodes", number + 1));
        }
    }
    Ok(())
}

fn read(board: &Board, name: &str, side: &str, nodes: &str) -> Option<(usize, Opening)> {
    let winner: Side = board.find_side(side)?;
    Some((board.find(name)?, Opening { winner, nodes: nodes.parse().ok()? }))
}
