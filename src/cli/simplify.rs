//! `gamesat simplify`: print the preprocessed QBF, for other solvers or to look at.

use super::args::{GameArgs, SimplifyArgs};
use super::exit::{Exit, Failure};
use super::output::Sink;
use super::{command, input};
use gamesat::Problem;
use gamesat::encode::{Plies, Target, lower};
use gamesat::format::{self, Format};
use gamesat::internals::qbf::simplify::{Simplified, simplify};
use gamesat::options::SimplifyOptions;
use gamesat::solve::{Options, Verdict};
use std::io::Write;

/// Runs the command.
pub fn run(args: &SimplifyArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run(&args.limits, &args.output, move |control, sink| {
        let args = own;
        let input = input::read(&args.input, &GameArgs::default(), args.output.quiet, control)?;
        let problem = match input.parsed.problem {
            Problem::Game(_) | Problem::Board(_) | Problem::Sequential(_) | Problem::Sudoku(_) => {
                return Err(Failure::usage("a game is not a quantified formula"));
            }
            problem => lower(&problem, Target::Clauses(Plies::default()), control)?.problem,
        };
        let Problem::Qbf(qbf) = problem else { unreachable!("clauses are a quantified formula") };
        let mut options = Options::default();
        args.techniques.apply(&mut options);
        let simplified = simplify(&qbf, &options.simplify, control);
        let exit = simplified.verdict.map_or(Exit::Success, |value| Verdict::from(value).into());
        match print(&args, simplified, sink) {
            Ok(()) | Err(Failure::BrokenPipe) => Ok(exit),
            Err(failure) => Err(failure),
        }
    })
}

fn print(args: &SimplifyArgs, simplified: Simplified, mut sink: Sink) -> Result<(), Failure> {
    if !args.output.quiet {
        if let Some(value) = simplified.verdict {
            writeln!(sink, "c the formula is {value}")?;
        }
        if let Some(reason) = &simplified.stop {
            writeln!(sink, "c stopped early: {reason}")?;
        }
    }
    if args.stats {
        for technique in SimplifyOptions::TECHNIQUES {
            let get = |what: &str| simplified.statistics.get(&format!("simplify_{}_{what}", technique.name));
            let struck = ["clauses", "variables", "blocks"].iter().any(|what| get(what) != 0.0);
            if get("runs") > 0.0 && struck {
                writeln!(
                    sink,
                    "c {:<20} runs {:>3}, removed {:>8} clauses {:>7} variables {:>3} blocks, {:>7.3} s",
                    technique.name,
                    get("runs"),
                    get("clauses"),
                    get("variables"),
                    get("blocks"),
                    get("seconds"),
                )?;
            }
        }
    }
    format::write(&Problem::Qbf(simplified.formula), Format::Qdimacs, &mut sink)?;
    sink.finish()
}
