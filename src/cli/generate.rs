//! `gamesat generate`: print an instance of a family, or the list of families.

use super::args::{CircuitTarget, GenerateArgs};
use super::exit::{Exit, Failure};
use super::{command, output};
use gamesat::Problem;
use gamesat::encode::{Plies, Target, lower};
use gamesat::format::Format;
use gamesat::generate::{Values, families, generate};
use std::io::Write;

/// Runs the command.
pub fn run(args: &GenerateArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run(&args.limits, &args.output, move |control, mut sink| {
        let args = own;
        let Some(family) = &args.family else {
            sink.write_text(&list())?;
            return Ok(Exit::Success);
        };
        let instance =
            generate(family, &args.parameters, args.seed).map_err(|error| Failure::usage(error.to_string()))?;
        let (problem, format) = match (instance.problem, args.to) {
            (problem @ Problem::Circuit(_), Some(CircuitTarget::Qcir)) => (problem, Format::Qcir),
            (problem @ Problem::Circuit(_), _) => {
                (lower(&problem, Target::Clauses(Plies::default()), control)?.problem, Format::Qdimacs)
            }
            (problem @ Problem::Qbf(_), None | Some(CircuitTarget::Qdimacs)) => (problem, Format::Qdimacs),
            (problem @ Problem::Game(_), None) => (problem, Format::Gamesat),
            (Problem::Sequential(game), None) => {
                let format = Format::of_sequential(&game);
                (Problem::Sequential(game), format)
            }
            (Problem::Colouring(game), None) => {
                let format = Format::of_colouring(&game);
                (Problem::Colouring(game), format)
            }
            (problem @ Problem::Sudoku(_), None) => (problem, Format::Sudoku),
            (Problem::Board(board), None) => (Problem::Board(board.clone()), Format::of_board(&board)),
            _ => {
                return Err(Failure::usage(format!(
                    "--to: {family} makes no circuit; gamesat convert and gamesat encode translate the rest"
                )));
            }
        };
        // QCIR must begin with its own header, and has no other comments.
        if !args.output.quiet && format != Format::Qcir {
            let answer = instance.answer.map_or("unknown".to_owned(), |answer| answer.to_string());
            writeln!(sink, "c {}\nc answer {answer}", instance.title)?;
        }
        output::write_problem(problem, format, args.output.quiet, &mut sink)?;
        sink.finish()?;
        Ok(Exit::Success)
    })
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
