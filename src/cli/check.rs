//! `gamesat check`: is this a proof? Exit code 0 accepted, 3 rejected.

use super::args::CheckArgs;
use super::exit::{Exit, Failure};
use super::{command, input};
use gamesat::Problem;
use gamesat::check::{Judge, Judgement};
use gamesat::format;
use gamesat::formula::Var;
use gamesat::solve::Control;
use serde_json::json;
use std::io::Write;
use std::path::Path;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The element that a reduced game calls by a name.
fn element(problem: &Problem, name: &str) -> Option<Var> {
    match problem {
        Problem::Game(game) => game.names.find_label(name),
        Problem::Board(board) => board.find(name).map(Var::from_index),
        _ => None,
    }
}

/// Whether the proof stands where the problem should: what is said to be the problem can be read as a proof, and what is said to be the proof
/// cannot. Only files are read twice.
fn are_exchanged(args: &CheckArgs, control: &Control) -> bool {
    let is_proof = |path: &Path| {
        path.is_file()
            && input::open(path, control).is_ok_and(|mut text| format::read_proof(&mut text, "proof").is_ok())
    };
    is_proof(Path::new(&args.problem)) && !is_proof(&args.proof)
}

fn exchanged(args: &CheckArgs) -> Failure {
    let (problem, proof) = (&args.problem, args.proof.display());
    Failure::input(format!("{problem} is a proof; the problem comes first: gamesat check {proof} {problem}"))
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let reduced = args.reduced.as_deref().is_some_and(|path| path.as_os_str() == "-");
    let from_stdin = [args.problem == "-", args.proof.as_os_str() == "-", reduced];
    if from_stdin.iter().filter(|&&it| it).count() > 1 {
        return Err(Failure::usage("the problem and its proof cannot both come from standard input"));
    }
    let judge = match &args.backend {
        Some(name) => Judge::from_name(name),
        None => Judge::usual(),
    };
    let judge = judge.map_err(|error| Failure::usage(error.to_string()))?;
    let own = args.clone();
    command::run_with_object(&args.limits, &args.output, move |control, mut sink| {
        let args = own;
        let input = input::read(&args.input(), &args.game, args.output.quiet, control)
            .map_err(|failure| if are_exchanged(&args, control) { exchanged(&args) } else { failure })?;
        let problem = &input.parsed.problem;
        let name = input::path_name(&args.proof);
        let proof = format::read_proof(&mut input::open(&args.proof, control)?, &name)?;
        let judgement = match &args.reduced {
            None => judge.verify(problem, &proof, control)?,
            Some(path) => {
                let find = |name: &str| element(problem, name);
                let reduction =
                    format::read_reduction(&mut input::open(path, control)?, &input::path_name(path), find)?;
                judge.verify_reduced(problem, &reduction, &proof, control)?
            }
        };
        let (text, object, exit) = match judgement {
            Judgement::Accepted(verdict) => {
                let what = match (problem, verdict) {
                    (Problem::Game(_) | Problem::Board(_) | Problem::Colouring(_), true) => "max",
                    (Problem::Game(_) | Problem::Board(_) | Problem::Colouring(_), false) => "min",
                    (_, true) => "true",
                    (_, false) => "false",
                };
                (
                    format!("s accepted {what}\n"),
                    json!({ "version": VERSION, "judgement": "accepted", "verdict": what }),
                    Exit::Success,
                )
            }
            Judgement::Rejected(why) => {
                let comments: String = if args.output.quiet {
                    String::new()
                } else {
                    why.lines().map(|line| format!("c {line}\n")).collect()
                };
                (
                    format!("{comments}s rejected\n"),
                    json!({ "version": VERSION, "judgement": "rejected", "reason": why }),
                    Exit::Rejected,
                )
            }
        };
        match args.output.json {
            true => writeln!(sink, "{object:#}")?,
            false => sink.write_all(text.as_bytes())?,
        }
        match sink.finish() {
            Ok(()) | Err(Failure::BrokenPipe) => Ok(exit),
            Err(failure) => Err(failure),
        }
    })
}
