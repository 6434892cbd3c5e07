//! `gamesat simplify`: print the preprocessed QBF, for other solvers or to look at.

use super::args::SimplifyArgs;
use super::exit::{Exit, Failure};
use super::watch::{Watched, watch};
use super::{input, output, signal};
use gamesat::Problem;
use gamesat::encode::clausify;
use gamesat::format::{self, Format};
use gamesat::internals::qbf::simplify::{Simplified, simplify};
use gamesat::options::SimplifyOptions;
use gamesat::solve::{Control, Verdict};
use std::io::Write;

/// Runs the command.
pub fn run(args: &SimplifyArgs) -> Result<Exit, Failure> {
    let interrupt = signal::interrupt_on_signals()?;
    let control = Control::new(args.limits.limits(), interrupt.clone());
    let job = {
        let (args, control) = (args.clone(), control.clone());
        move || -> Result<Simplified, Failure> {
            let parsed = input::read(&args.input)?;
            output::warn(&args.output, &input::name(&args.input), &parsed);
            let qbf = match parsed.problem {
                Problem::Qbf(qbf) => qbf,
                Problem::Circuit(circuit) => clausify(&circuit),
                _ => return Err(Failure::usage("a game is not a quantified formula")),
            };
            Ok(simplify(&qbf, &args.options(), &control))
        }
    };
    let simplified = match watch(&control, &interrupt, !args.output.quiet, job)? {
        Watched::Finished(simplified, _) => simplified?,
        Watched::Abandoned(reason) => {
            return Err(Failure::input(format!("{reason} before there was a formula to print")));
        }
    };
    let exit = simplified.verdict.map_or(Exit::Success, |value| Verdict::from(value).into());
    match print(args, simplified) {
        Ok(()) | Err(Failure::BrokenPipe) => Ok(exit),
        Err(failure) => Err(failure),
    }
}

fn print(args: &SimplifyArgs, simplified: Simplified) -> Result<(), Failure> {
    let mut out = output::open(&args.output)?;
    if !args.output.quiet {
        if let Some(value) = simplified.verdict {
            writeln!(out, "c the formula is {value}")?;
        }
        if let Some(reason) = &simplified.stop {
            writeln!(out, "c stopped early: {reason}")?;
        }
    }
    if args.stats {
        for technique in SimplifyOptions::TECHNIQUES {
            let get = |what: &str| simplified.statistics.get(&format!("simplify_{}_{what}", technique.name));
            if get("runs") > 0.0 {
                writeln!(
                    out,
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
    format::write(&Problem::Qbf(simplified.formula), Format::Qdimacs, &mut out)?;
    out.flush()?;
    Ok(())
}
