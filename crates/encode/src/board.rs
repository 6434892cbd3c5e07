//! Boards to games: the minimal sets by which each side wins are the terms and the clauses of the formula.
//!
//! The terms of the DNF are the minimal winning sets of MAX; the clauses of the CNF are those of MIN, each of which MAX has
//! to hit. Where both sides want to connect, the opponent's winning sets are connectors too; elsewhere they are the minimal
//! separators, or the minimal transversals of explicit sets.

use super::contracted::{Contracted, contract};
use super::error::EncodeError;
use gamesat_core::control::Control;
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Var};
use gamesat_core::rules::{Board, Side};
use gamesat_rows::connection::Connection;
use gamesat_rows::connectors::Masks;
use gamesat_rows::mask::Mask;
use gamesat_rows::normal;

/// A normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Clauses: the minimal winning sets of MIN.
    Cnf,
    /// Terms: the minimal winning sets of MAX.
    Dnf,
}

/// Transversals of explicit sets that are listed at most.
const MAX_TRANSVERSALS: usize = 1_000_000;

/// Memory for the separators that were met, so that each is listed once.
const MAX_SEPARATOR_BYTES: usize = 1 << 29;

/// Literals that a formula may have if nothing else is said: less than a gigabyte of memory while it grows.
pub const DEFAULT_LITERALS: usize = 100_000_000;

/// The form that needs no dualising: the sets of the side that has a goal of its own shape, MAX's if both have.
pub fn natural_form(board: &Board) -> Form {
    if board.goal(board.max).is_some() { Form::Dnf } else { Form::Cnf }
}

/// The board as a game, with the elements' names, the stones as played colours, and the same numbering.
///
/// # Errors
/// More than `literals` literals are needed, the game is not a set colouring game, or a limit was reached.
pub fn board_game(board: &Board, form: Form, literals: usize, control: &Control) -> Result<Game, EncodeError> {
    if board.is_race() {
        return Err(EncodeError::NotAGame("a race for winning sets"));
    }
    let side = match form {
        Form::Dnf => board.max,
        Form::Cnf => !board.max,
    };
    let mut rows = ClauseArena::new();
    winning_sets(board, side, control, &mut |set| {
        if rows.num_lits() + set.len() > literals {
            return Err(EncodeError::TooLarge(literals));
        }
        for &element in set {
            rows.push_lit(Var::from_index(element).positive());
        }
        rows.finish();
        Ok(())
    })?;
    rows.shrink_to_fit();
    let matrix = match form {
        Form::Dnf => GameMatrix::Dnf(rows),
        Form::Cnf => GameMatrix::Cnf(rows),
    };
    let mut game = Game::new(board.elements(), matrix).unwrap_or_else(|_| unreachable!("sets are made of elements"));
    // The sets are minimal, and there are no stones in them.
    game.assume_irredundant();
    game.play(&board.played()).unwrap_or_else(|_| unreachable!("an element has one owner"));
    game.turn = board.player(board.turn);
    game.names = board.names();
    Ok(game)
}

/// Calls `found` with the elements of every minimal set of free elements that, once owned, decides the game for the side.
/// If the side has won already that is the empty set; if it has lost there is none.
///
/// # Errors
/// The error of `found`, a limit, or too many elements to list sets of.
pub fn winning_sets(
    board: &Board,
    side: Side,
    control: &Control,
    found: &mut dyn FnMut(&[usize]) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    if let Some(contracted) = contract(board, side)? {
        return match contracted {
            Contracted::Won => found(&[]),
            Contracted::Sets(sets) => sets.iter().try_for_each(|set| found(set)),
            Contracted::Connection(graph) => by_width(&graph, false, control, found),
        };
    }
    match contract(board, !side)?.unwrap_or_else(|| unreachable!("one of the sides has a goal")) {
        Contracted::Won => Ok(()),
        Contracted::Connection(graph) if graph.terminals == 2 => by_width(&graph, true, control, found),
        // What keeps three terminals apart need not separate any two of them.
        Contracted::Connection(graph) => {
            let mut rows = ClauseArena::default();
            let mut literals = 0;
            by_width(&graph, false, control, &mut |set| {
                literals += set.len();
                if literals > DEFAULT_LITERALS {
                    return Err(EncodeError::TooLarge(DEFAULT_LITERALS));
                }
                rows.push(&positive(set));
                Ok(())
            })?;
            transversals(&rows, control, found)
        }
        Contracted::Sets(sets) => transversals(&sets.iter().map(|set| positive(set)).collect(), control, found),
    }
}

/// The minimal sets that meet every row.
fn transversals(
    rows: &ClauseArena,
    control: &Control,
    found: &mut dyn FnMut(&[usize]) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    let transversals = normal::dual(rows, MAX_TRANSVERSALS, control)?;
    let transversals = transversals.ok_or(EncodeError::TooManyRows(MAX_TRANSVERSALS))?;
    let mut poller = control.poller();
    transversals.iter().enumerate().try_for_each(|(index, row)| {
        poller.poll(index as u64).map_err(EncodeError::Stopped)?;
        found(&row.iter().map(|lit| lit.var().index()).collect::<Vec<_>>())
    })
}

fn positive(set: &[usize]) -> Vec<Lit> {
    set.iter().map(|&element| Var::from_index(element).positive()).collect()
}

/// Chooses the width of the masks: connectors or separators.
fn by_width(
    graph: &Connection,
    separators: bool,
    control: &Control,
    found: &mut dyn FnMut(&[usize]) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    match graph.elements.len() {
        0..=64 => list::<1>(graph, separators, control, found),
        65..=128 => list::<2>(graph, separators, control, found),
        129..=256 => list::<4>(graph, separators, control, found),
        257..=1024 => list::<16>(graph, separators, control, found),
        many => Err(EncodeError::TooManyElements(many)),
    }
}

fn list<const W: usize>(
    graph: &Connection,
    separators: bool,
    control: &Control,
    found: &mut dyn FnMut(&[usize]) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    let masks = Masks::<W>::new(graph);
    let mut poller = control.poller();
    let mut count = 0;
    let mut set = Vec::with_capacity(graph.elements.len());
    let mut report = |mask: &Mask<W>| {
        count += 1;
        poller.poll(count).map_err(EncodeError::Stopped)?;
        set.clear();
        set.extend(mask.iter().map(|vertex| graph.elements[vertex]));
        found(&set)
    };
    if separators {
        let full = EncodeError::TooLarge(DEFAULT_LITERALS);
        masks.separators(MAX_SEPARATOR_BYTES / size_of::<Mask<W>>(), &full, &mut report)
    } else {
        masks.connectors(&mut report)
    }
}
