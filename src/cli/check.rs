//! `gamesat check`: is this a proof? Exit code 0 accepted, 3 rejected.

use super::args::CheckArgs;
use super::exit::{Exit, Failure};
use super::{command, input};
use gamesat::Problem;
use gamesat::check::{Judge, Judgement};
use gamesat::format;
use std::io::Write;

/// Runs the command.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    if args.problem == "-" && args.proof.as_os_str() == "-" {
        return Err(Failure::usage("the problem and its proof cannot both come from standard input"));
    }
    let judge = match &args.backend {
        Some(name) => Judge::from_name(name),
        None => Judge::usual(),
    };
    let judge = judge.map_err(|error| Failure::usage(error.to_string()))?;
    let own = args.clone();
    command::run(&args.limits, &args.output, move |control, mut sink| {
        let args = own;
        let input = input::read(&args.input(), &args.game, args.output.quiet, control)?;
        let problem = &input.parsed.problem;
        let name = input::path_name(&args.proof);
        let proof = format::read_proof(&mut input::open(&args.proof, control)?, &name)?;
        let (text, exit) = match judge.verify(problem, &proof, control)? {
            Judgement::Accepted(verdict) => {
                let what = match (problem, verdict) {
                    (Problem::Game(_) | Problem::Board(_), true) => "max",
                    (Problem::Game(_) | Problem::Board(_), false) => "min",
                    (_, true) => "true",
                    (_, false) => "false",
                };
                (format!("s accepted {what}\n"), Exit::Success)
            }
            Judgement::Rejected(why) => {
                let comments: String = if args.output.quiet {
                    String::new()
                } else {
                    why.lines().map(|line| format!("c {line}\n")).collect()
                };
                (format!("{comments}s rejected\n"), Exit::Rejected)
            }
        };
        sink.write_all(text.as_bytes())?;
        match sink.finish() {
            Ok(()) | Err(Failure::BrokenPipe) => Ok(exit),
            Err(failure) => Err(failure),
        }
    })
}
