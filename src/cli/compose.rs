//! `gamesat compose`: a game made of games.

use super::args::{ComposeArgs, CompositionArg, GameArgs, InputArgs};
use super::exit::{Exit, Failure};
use super::{command, input};
use gamesat::Problem;
use gamesat::analyse::{Composition, compose};
use gamesat::encode::{Rows, Target, lower};
use gamesat::format::{self, Format};

/// Runs the command.
pub fn run(args: &ComposeArgs) -> Result<Exit, Failure> {
    let own = args.clone();
    command::run(&args.limits, &args.output, move |control, mut sink| {
        let args = own;
        let mut games = Vec::new();
        for file in &args.files {
            let words = InputArgs {
                words: vec![file.clone()],
                expression: None,
                format: None,
                tolerance: args.tolerance.clone(),
                moves: None,
                ply: None,
            };
            let input = input::read(&words, &GameArgs::default(), args.output.quiet, control)?;
            games.push(match input.parsed.problem {
                Problem::Game(game) => game,
                problem @ (Problem::Board(_) | Problem::Colouring(_)) => {
                    match lower(&problem, Target::Rows(Rows::default()), control)?.problem {
                        Problem::Game(game) => game,
                        _ => return Err(Failure::usage(format!("{file}: this is no set colouring game"))),
                    }
                }
                _ => return Err(Failure::usage(format!("{file}: this is no set colouring game"))),
            });
        }
        let composition = match args.how {
            CompositionArg::And => Composition::And,
            CompositionArg::Or => Composition::Or,
            CompositionArg::Xor => Composition::Xor,
            CompositionArg::Maj => Composition::Majority,
            CompositionArg::Not => Composition::Not,
        };
        let game = compose(composition, &games).map_err(|error| Failure::usage(error.to_string()))?;
        format::write(&Problem::Game(game), Format::Infix, &mut sink)?;
        sink.finish()?;
        Ok(Exit::Success)
    })
}
