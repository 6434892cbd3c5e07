//! `gamesat generate`: print an instance of a family, or the list of families.

use super::args::{CircuitTarget, GenerateArgs};
use super::exit::{Exit, Failure};
use super::output;
use gamesat::Problem;
use gamesat::encode::clausify;
use gamesat::format::{self, Format};
use gamesat::generate::{Values, families, generate};
use std::io::Write;

/// Runs the command.
pub fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let Some(family) = &args.family else {
        output::write(&args.output, &list())?;
        return Ok(Exit::Success);
    };
    let instance = generate(family, &args.parameters, args.seed).map_err(|error| Failure::usage(error.to_string()))?;
    let (problem, format) = match instance.problem {
        Problem::Circuit(circuit) if args.to == CircuitTarget::Qdimacs => {
            (Problem::Qbf(clausify(&circuit)), Format::Qdimacs)
        }
        problem @ Problem::Circuit(_) => (problem, Format::Qcir),
        problem @ Problem::Qbf(_) => (problem, Format::Qdimacs),
        Problem::Board(board) => {
            let format = Format::of_board(&board);
            (Problem::Board(board), format)
        }
        problem => (problem, Format::Gamesat),
    };
    let mut out = output::open(&args.output)?;
    // QCIR must begin with its own header, and has no other comments.
    if !args.output.quiet && format != Format::Qcir {
        let answer = instance.answer.map_or("unknown".to_owned(), |answer| answer.to_string());
        writeln!(out, "c {}\nc answer {answer}", instance.title)?;
    }
    format::write(&problem, format, &mut out)?;
    out.flush()?;
    Ok(Exit::Success)
}

/// Every family with its parameters and source.
fn list() -> String {
    let mut text = String::new();
    for family in families() {
        text += &format!("{}\n    {}\n    {}\n", family.name, family.about, family.source);
        for parameter in family.parameters {
            let values = match parameter.values {
                Values::Number { default, least, greatest } => format!("{least} to {greatest}, default {default}"),
                Values::Words(words) => format!("{}, default {}", words.join(" or "), words[0]),
            };
            text += &format!("    {:10} {} ({values})\n", parameter.name, parameter.about);
        }
        text.push('\n');
    }
    text
}
