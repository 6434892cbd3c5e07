//! Games with an order to quantified formulas: Connect-k within a number of plies, and Dots-and-Boxes with a threshold.
//!
//! Connect-k is a race on the empty cells in which a move is a column ([`race`](super::race)). In Dots-and-Boxes who moves
//! depends on the play, but the order of quantifiers does not: so at every ply both players say a string, and a gate for the
//! turn tells which of the two counts. Who says a string that is cut already, when it counts, has lost.

use super::layout::{Layout, bits, equals};
use super::race::{Choices, race};
use super::target::Target;
use super::within;
use crate::EncodeError;
use gamesat_core::formula::{CircuitBuilder, GateKind, Lit, Player, QuantifiedCircuit, Quantifier};
use gamesat_core::rules::Side;
use gamesat_core::rules::sequential::{Connect, Dots};
use rustc_hash::FxHashMap;

/// Whether the player to move, who is existential, completes a line within `depth` plies, or before the board is full, and
/// before the other one does.
pub fn connect_qbf(board: &Connect, depth: Option<usize>) -> Result<QuantifiedCircuit, EncodeError> {
    let Some(mover) = board.mover() else {
        return Err(EncodeError::NoEncoding("the game is over"));
    };
    let (columns, rows, length) = (board.columns(), board.rows(), board.length());
    let mut number: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let (mut names, mut drops) = (Vec::new(), Vec::new());
    for column in 0..columns {
        let mut cells = Vec::new();
        for row in (0..rows).filter(|&row| board.stone(column, row).is_none()) {
            number.insert((column, row), names.len());
            cells.push(names.len());
            names.push(format!("{}_{}", column + 1, row + 1));
        }
        drops.push(cells);
    }
    // Lines that a side can still complete, as the empty cells they lack.
    let lines = |side: Side| {
        let mut lines = Vec::new();
        for column in 0..columns {
            for row in 0..rows {
                for (right, up) in [(0isize, 1isize), (1, 0), (1, 1), (1, -1)] {
                    let cell = |step: usize| {
                        let column = column as isize + right * step as isize;
                        let row = row as isize + up * step as isize;
                        let inside = (0..columns as isize).contains(&column) && (0..rows as isize).contains(&row);
                        inside.then_some((column as usize, row as usize))
                    };
                    let cells: Option<Vec<(usize, usize)>> = (0..length).map(cell).collect();
                    let Some(cells) = cells else { continue };
                    if cells.iter().any(|&(column, row)| board.stone(column, row) == Some(!side)) {
                        continue;
                    }
                    lines.push(cells.iter().filter_map(|cell| number.get(cell).copied()).collect::<Vec<usize>>());
                }
            }
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    let (own, theirs) = (lines(mover), lines(!mover));
    let plies = depth.unwrap_or(usize::MAX).min(names.len());
    let size: usize = own.iter().chain(&theirs).map(Vec::len).sum();
    within(plies * (names.len() * (bits(columns) + 4) + size))?;
    let players: Vec<Player> = (0..plies).map(|ply| if ply % 2 == 0 { Player::Max } else { Player::Min }).collect();
    let formula = race(&names, Choices::Columns(&drops), &Target::Complete(own), &Target::Hit(theirs), &players);
    Ok(formula.circuit)
}

/// Whether the player to move, who is existential, gets at least `threshold` of the coins that are left.
pub fn dots_qbf(dots: &Dots, threshold: usize) -> Result<QuantifiedCircuit, EncodeError> {
    let strings = dots.moves();
    let plies = strings.len();
    let coins: Vec<Vec<usize>> = (0..dots.coins())
        .map(|coin| {
            let joins = |&at: &usize| dots.strings()[usize::from(strings[at])].contains(&Some(coin));
            (0..plies).filter(joins).collect::<Vec<usize>>()
        })
        .filter(|strings| !strings.is_empty())
        .collect();
    if !(1..=coins.len()).contains(&threshold) {
        return Err(EncodeError::Threshold(coins.len()));
    }
    within(plies * plies * (2 * bits(plies) + 6) + plies * coins.len() * 8)?;
    let mut layout = Layout::default();
    let said: Vec<[Vec<Lit>; 2]> = (1..=plies)
        .map(|ply| {
            let mine = layout.number(Quantifier::Exists, plies, &format!("mine{ply}"));
            // The first ply is the mover's.
            let theirs =
                if ply == 1 { Vec::new() } else { layout.number(Quantifier::Forall, plies, &format!("theirs{ply}")) };
            [mine, theirs]
        })
        .collect();
    let mut b = CircuitBuilder::new(layout.size());
    let (no, mut turn) = (b.constant(false), b.constant(true));
    let mut cut = vec![no; plies];
    let (mut taken, mut own) = (vec![no; coins.len()], vec![no; coins.len()]);
    let mut moments = Vec::new();
    for [mine, theirs] in &said {
        let mut legal = Vec::new();
        let before = cut.clone();
        for string in 0..plies {
            let mut one: Vec<Lit> = equals(mine, string).collect();
            one.push(turn);
            let mut chosen = vec![b.and(&one)];
            if !theirs.is_empty() {
                let mut two: Vec<Lit> = equals(theirs, string).collect();
                two.push(!turn);
                chosen.push(b.and(&two));
            }
            let chosen = b.or(&chosen);
            legal.push(b.and(&[chosen, !before[string]]));
            cut[string] = b.or(&[before[string], chosen]);
        }
        let legal = b.or(&legal);
        moments.push((turn, legal));
        let mut gains = Vec::new();
        for (coin, strings) in coins.iter().enumerate() {
            let all: Vec<Lit> = strings.iter().map(|&string| cut[string]).collect();
            let gone = b.and(&all);
            let gained = b.and(&[gone, !taken[coin]]);
            let mine = b.and(&[gained, turn]);
            own[coin] = b.or(&[own[coin], mine]);
            taken[coin] = gone;
            gains.push(gained);
        }
        let again = b.or(&gains);
        turn = b.xor(turn, !again);
    }
    // At least so many of those that were looked at so far.
    let yes = b.constant(true);
    let mut least = vec![no; threshold + 1];
    least[0] = yes;
    for &coin in &own {
        for count in (1..=threshold).rev() {
            let more = b.and(&[least[count - 1], coin]);
            least[count] = b.or(&[least[count], more]);
        }
    }
    let mut result = least[threshold];
    for (turn, legal) in moments.into_iter().rev() {
        let mine = b.and(&[legal, result]);
        let theirs = b.or(&[!legal, result]);
        result = b.gate(GateKind::Ite, &[turn, mine, theirs]);
    }
    Ok(layout.finish(b.finish(result)).circuit)
}
