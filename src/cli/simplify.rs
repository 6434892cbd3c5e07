//! `gamesat simplify`: print the preprocessed QBF or the reduced game, for other programs or to look at.

use super::args::SimplifyArgs;
use super::exit::{Exit, Failure};
use super::output::{self, Sink};
use super::{command, counters, input};
use gamesat::Problem;
use gamesat::analyse::simplify_game;
use gamesat::encode::{Plies, Rows, Target, lower};
use gamesat::format::{self, Format};
use gamesat::solve::{Control, Options, Verdict};
use gamesat_qbf::simplify::{Simplified, simplify};
use std::io::Write;

/// Runs the command.
pub fn run(args: &SimplifyArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run(&args.limits, &args.output, move |control, sink| {
        let args = own;
        let input = input::read(&args.input, &args.game, args.output.quiet, control)?;
        let problem = match input.parsed.problem {
            Problem::Sequential(_) | Problem::Sudoku(_) => {
                return Err(Failure::usage("a sequential game has no formula to simplify"));
            }
            Problem::Colouring(_) => {
                return Err(Failure::usage("only two-coloured games are simplified: see gamesat convert"));
            }
            problem @ (Problem::Game(_) | Problem::Board(_)) => return reduce(&args, &problem, control, sink),
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

/// Prints the reduced game.
fn reduce(args: &SimplifyArgs, problem: &Problem, control: &Control, mut sink: Sink) -> Result<Exit, Failure> {
    let Problem::Game(game) = lower(problem, Target::Rows(Rows::default()), control)?.problem else {
        return Err(Failure::usage("this is no set colouring game"));
    };
    let found = simplify_game(&game, usize::from(args.set_size), control).map_err(Failure::refused)?;
    if !args.output.quiet {
        format::write_promises(&found.reduction().promises, |var| game.names.label(var), &mut sink)?;
        for fill in &found.fills {
            for lit in &fill.literals {
                let colour = if lit.is_positive() { "TRUE" } else { "FALSE" };
                writeln!(sink, "c filled {} {colour} {}", game.names.label(lit.var()), fill.captor)?;
            }
        }
        for &var in &found.dropped {
            writeln!(sink, "c dead {}", game.names.label(var))?;
        }
        if found.stars > 0 {
            writeln!(sink, "c {} elements outside the formula", found.stars)?;
        }
    }
    if args.stats {
        let rounds = found.fills.iter().map(|fill| fill.round).max().unwrap_or(0);
        let before = (game.uncoloured(), game.matrix_len());
        let after = (found.game.elements(), found.game.matrix_len());
        writeln!(sink, "c elements {} -> {}, rows {} -> {}, rounds {rounds}", before.0, after.0, before.1, after.1)?;
    }
    format::write(&Problem::Game(found.game), Format::Gamesat, &mut sink)?;
    sink.finish()?;
    Ok(Exit::Success)
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
        sink.write_all(counters::tables(&simplified.statistics).as_bytes())?;
        writeln!(sink, "c rounds {}", simplified.statistics.get("simplify_rounds"))?;
    }
    output::write_problem(Problem::Qbf(simplified.formula), Format::Qdimacs, args.output.quiet, &mut sink)?;
    sink.finish()
}
