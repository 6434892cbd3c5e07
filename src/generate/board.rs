//! Bounded games on boards, through the encoders of [`crate::encode`]: does the player who begins win within a number of
//! plies? Alternations grow with the depth, the matrix with the board, and the answers are known from the game.
//!
//! Who begins wins square Hex, since an extra stone never hurts and there are no draws (Nash's argument), so a depth that
//! fills the board makes the formula true. Too few stones for the shortest connection make it false. The least depths in
//! between are known for small boards only; tests compare them with the naive evaluator and the game engine.

use super::{Family, GenerateError, Made, Parameter, Settings};
use crate::Problem;
use crate::encode::Encoding;
use crate::encode::steps::board_qbf;
use crate::rules::{Board, Grid, Hex, Line};

const DEPTH: Parameter = Parameter::number("depth", "plies, both players counted; 0: to the end", 0, 0, 10_000);
const ENCODING: Parameter = Parameter::words("encoding", "how moves are written", &["explicit", "lifted"]);

pub(super) const HEX: Family = Family {
    name: "hex",
    about: "who begins wins n by n Hex within some plies; true if to the end, false if the stones cannot reach across; a \
            circuit with two blocks per two plies",
    source: "after I. Shaik, V. Mayer-Eichberger, J. van de Pol, A. Saffidine: Implicit State and Goals in QBF Encodings \
             for Positional Games. arXiv:2301.07345, 2023",
    parameters: &[Parameter::number("n", "side of the board", 3, 1, 30), DEPTH, ENCODING],
    seeded: false,
    build: build_hex,
};

pub(super) const LINE: Family = Family {
    name: "line",
    about: "Maker begins and gets some cells in a row on an n by n board within some plies; true or false where that is \
            known; a circuit with two blocks per two plies",
    source: "after J. Beck: Combinatorial Games: Tic-Tac-Toe Theory. Cambridge, 2008",
    parameters: &[
        Parameter::number("n", "side of the board", 3, 1, 30),
        Parameter::number("length", "cells in a row", 3, 1, 30),
        DEPTH,
        ENCODING,
    ],
    seeded: false,
    build: build_line,
};

fn build_hex(settings: &Settings) -> Result<Made, GenerateError> {
    let n = settings.number("n");
    let least = match n {
        1..=3 => 2 * n - 1,
        4 => 9,
        _ => n * n,
    };
    build(settings, Board::new(Hex(Grid { columns: n, rows: n })), n, Some(least), n <= 4)
}

fn build_line(settings: &Settings) -> Result<Made, GenerateError> {
    let (n, length) = (settings.number("n"), settings.number("length"));
    // A line of one cell is there at once; of the neighbours of a cell one is left after the answer; and three in a row
    // on the smallest board take one threat more than there are cells in the row.
    let least = match (n, length) {
        _ if length > n => None,
        (_, 1) => Some(1),
        (_, 2) => Some(3),
        (3, 3) => Some(7),
        _ => Some(usize::MAX),
    };
    build(
        settings,
        Board::new(Line { grid: Grid { columns: n, rows: n }, length, torus: false }),
        length,
        least,
        length <= 2 || n <= 3,
    )
}

/// `stones` are needed at least. `least` is a depth at which Maker is known to win, or `None` if there is no way to win;
/// `exact` if no smaller depth will do.
fn build(
    settings: &Settings,
    board: Board,
    stones: usize,
    least: Option<usize>,
    exact: bool,
) -> Result<Made, GenerateError> {
    let depth = match settings.number("depth") {
        0 => board.elements(),
        depth => depth.min(board.elements()),
    };
    let encoding = if settings.word("encoding") == "lifted" { Encoding::Lifted } else { Encoding::Explicit };
    let circuit =
        board_qbf(&board.bounded(depth), encoding).map_err(|error| GenerateError::Impossible(error.to_string()))?;
    let answer = match least {
        None => Some(false),
        _ if depth.div_ceil(2) < stones => Some(false),
        Some(least) if depth >= least => Some(true),
        Some(_) => exact.then_some(false),
    };
    Ok(Made { problem: Problem::Circuit(circuit), answer })
}
