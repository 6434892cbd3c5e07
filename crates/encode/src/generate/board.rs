//! Bounded games on boards, through the encoders of [`crate`]: does the player who begins win within a number of
//! plies? Alternations grow with the depth, the matrix with the board. Which boards there are and what is known about them is
//! the [games'](gamesat_core::rules::games) own knowledge; tests compare it with the naive evaluator and the game engine.

use super::{Family, GenerateError, Made, Parameter, Settings};
use crate::Encoding;
use crate::steps::board_qbf;
use gamesat_core::Problem;
use gamesat_core::rules::games;
use std::sync::LazyLock;

const DEPTH: Parameter = Parameter::number("depth", "plies, both players counted; 0: to the end", 0, 0, 10_000);
const ENCODING: Parameter = Parameter::words("encoding", "how moves are written", &["explicit", "lifted"]);

/// One family for each game that has instances.
pub(super) fn families() -> impl Iterator<Item = Family> {
    // By game: the numbers of its board, depth and encoding.
    static PARAMETERS: LazyLock<Vec<Vec<Parameter>>> = LazyLock::new(|| {
        let parameters = |game: &gamesat_core::rules::Game| {
            let sizes = game.instances.iter().flat_map(|instances| instances.sizes);
            let sizes = sizes.map(|&(name, about, default, most)| Parameter::number(name, about, default, 1, most));
            sizes.chain([DEPTH, ENCODING]).collect()
        };
        games().iter().map(parameters).collect()
    });
    games().iter().zip(PARAMETERS.iter()).filter_map(|(game, parameters)| {
        let instances = game.instances.as_ref()?;
        let (about, source) = (instances.about, instances.source);
        Some(Family { name: game.word, about, source, parameters, seeded: false, build })
    })
}

fn build(settings: &Settings) -> Result<Made, GenerateError> {
    let game = games().iter().find(|game| game.word == settings.family.name);
    let instances = game.and_then(|game| game.instances.as_ref()).expect("the family was made of a game");
    let sizes: Vec<usize> = instances.sizes.iter().map(|&(name, ..)| settings.number(name)).collect();
    let (board, depths) = instances.board(&sizes);
    let depth = match settings.number("depth") {
        0 => board.elements(),
        depth => depth.min(board.elements()),
    };
    let encoding = if settings.word("encoding") == "lifted" { Encoding::Lifted } else { Encoding::Explicit };
    let circuit =
        board_qbf(&board.bounded(depth), encoding).map_err(|error| GenerateError::Impossible(error.to_string()))?;
    Ok(Made { problem: Problem::Circuit(circuit), answer: depths.answer(depth) })
}
