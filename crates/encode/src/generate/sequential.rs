//! Random positions of games with an order, reached by random moves from the beginning, and random puzzles.
//!
//! A Sudoku is a solved grid, turned about at random (digits, rows and columns of boxes, rows and columns within them), of
//! which cells are emptied; so it has a solution, though perhaps not only one.

use super::random::Random;
use super::{Family, GenerateError, Made, Parameter, Settings};
use gamesat_core::Problem;
use gamesat_core::rules::sequential::dominoes::double_six;
use gamesat_core::rules::sequential::minichess::{Kind, Man};
use gamesat_core::rules::sequential::{Connect, Dominoes, Dots, MiniChess, Sequential};
use gamesat_core::rules::{Side, Sudoku};

const SOURCE: &str = "random play from the beginning";

pub(super) const CONNECT: Family = Family {
    name: "connect",
    about: "a position of Connect-k after random moves; not known beforehand",
    source: SOURCE,
    parameters: &[
        Parameter::number("moves", "random moves, fewer if the game ends", 12, 0, 40_000),
        Parameter::number("columns", "columns", 7, 1, 40_000),
        Parameter::number("rows", "rows", 6, 1, 40_000),
        Parameter::number("length", "how many in a line win", 4, 1, 40_000),
    ],
    seeded: true,
    build: |settings| {
        let [columns, rows, length] = ["columns", "rows", "length"].map(|name| settings.number(name));
        let board = Connect::new(columns, rows, length).ok_or_else(|| impossible("no such board"))?;
        played(Sequential::Connect(board), settings)
    },
};

pub(super) const DOTS: Family = Family {
    name: "dots",
    about: "a board of Dots-and-Boxes after random lines; not known beforehand",
    source: SOURCE,
    parameters: &[
        Parameter::number("moves", "random lines", 10, 0, 30_000),
        Parameter::number("across", "boxes across", 3, 1, 10_000),
        Parameter::number("down", "boxes down", 3, 1, 10_000),
    ],
    seeded: true,
    build: |settings| {
        let board = Dots::board(settings.number("across"), settings.number("down"));
        played(Sequential::Dots(board.ok_or_else(|| impossible("no such board"))?), settings)
    },
};

pub(super) const MINICHESS: Family = Family {
    name: "minichess",
    about: "kings, queens, rooks and bishops on random squares; not known beforehand",
    source: "after J. Hartmann: Finding optimal strategies in sequential games with the novel selection monad. 2018",
    parameters: &[
        Parameter::number("plies", "plies after which no player has won", 6, 1, 60),
        Parameter::number("men", "men of each side beside the king", 3, 0, 20),
    ],
    seeded: true,
    build: |settings| {
        let mut random = Random::new(settings.seed);
        let (men, mut places) = (settings.number("men"), Vec::new());
        random.sample(64, 2 * (men + 1), &mut places);
        random.shuffle(&mut places);
        let mut squares = [None; 64];
        for (at, &place) in places.iter().enumerate() {
            let side = if at % 2 == 0 { Side::First } else { Side::Second };
            let kind = match at / 2 {
                0 => Kind::King,
                more => [Kind::Queen, Kind::Rook, Kind::Bishop][(more - 1) % 3],
            };
            squares[place] = Some(Man { side, kind });
        }
        let chess = MiniChess::new(squares, Side::First, settings.number("plies") as u64);
        let chess = chess.map_err(|error| GenerateError::Impossible(error.to_string()))?;
        Ok(Made { problem: Problem::Sequential(Sequential::MiniChess(chess)), answer: None })
    },
};

pub(super) const DOMINOES: Family = Family {
    name: "dominoes",
    about: "a round of dominoes with both hands on the table, after random plays; not known beforehand",
    source: SOURCE,
    parameters: &[
        Parameter::number("hand", "tiles of a hand", 7, 1, 14),
        Parameter::number("moves", "random plays and knocks", 0, 0, 56),
        Parameter::number("target", "the score to be reached", 61, 1, 1000),
    ],
    seeded: true,
    build: |settings| {
        let mut set = double_six();
        Random::new(settings.seed).shuffle(&mut set);
        let game = Dominoes::new(settings.number("target") as u32).dealt(&set, settings.number("hand"), Side::First);
        played(Sequential::Dominoes(game), settings)
    },
};

pub(super) const SUDOKU: Family = Family {
    name: "sudoku",
    about: "a solved grid with gaps; it has a solution, perhaps not only one",
    source: "a grid of cyclic shifts, turned about at random",
    parameters: &[
        Parameter::number("gaps", "empty cells", 45, 0, 256),
        Parameter::number("order", "side of a box", 3, 2, 4),
    ],
    seeded: true,
    build: sudoku,
};

fn impossible(what: &str) -> GenerateError {
    GenerateError::Impossible(what.to_owned())
}

/// Random moves, as long as there are any.
fn played(start: Sequential, settings: &Settings) -> Result<Made, GenerateError> {
    let mut random = Random::new(settings.seed);
    let (mut game, mut made) = (start.clone(), Vec::new());
    for _ in 0..settings.number("moves") {
        let Some(mv) = random.one_of(&game.moves()) else { break };
        game.play(mv);
        // A position in which nobody moves has nothing to solve: the one before.
        if game.mover().is_none() {
            game = start;
            made.iter().for_each(|&mv| {
                game.play(mv);
            });
            break;
        }
        made.push(mv);
    }
    Ok(Made { problem: Problem::Sequential(game), answer: None })
}

fn sudoku(settings: &Settings) -> Result<Made, GenerateError> {
    let mut random = Random::new(settings.seed);
    let (order, gaps) = (settings.number("order"), settings.number("gaps"));
    let side = order * order;
    if gaps > side * side {
        return Err(GenerateError::Impossible(format!("there are {} cells", side * side)));
    }
    let mut digits: Vec<u8> = (1..=side as u8).collect();
    random.shuffle(&mut digits);
    // Bands in random order, and lines in random order within them.
    let mut lines = || {
        let mut bands: Vec<usize> = (0..order).collect();
        random.shuffle(&mut bands);
        let mut all = Vec::with_capacity(side);
        for band in bands {
            let mut within: Vec<usize> = (0..order).map(|line| band * order + line).collect();
            random.shuffle(&mut within);
            all.extend(within);
        }
        all
    };
    let (rows, columns) = (lines(), lines());
    let mut cells = Vec::with_capacity(side * side);
    for &row in &rows {
        cells.extend(columns.iter().map(|&column| digits[(row % order * order + row / order + column) % side]));
    }
    let mut empty = Vec::new();
    random.sample(side * side, gaps, &mut empty);
    empty.into_iter().for_each(|cell| cells[cell] = 0);
    let sudoku = Sudoku::new(cells).ok_or_else(|| impossible("no such grid"))?;
    Ok(Made { problem: Problem::Sudoku(sudoku), answer: Some(true) })
}
