//! Games to quantified formulas: a prenex QBF that is true exactly if MAX wins from the position.
//!
//! A formula of a board is polynomial in the board: connections are shown by a witness, not by listing paths. An isotone
//! game, and every board is one, takes one of two encodings ([`Encoding`]); other games are played out ply by ply.

mod explicit;
mod layout;
mod lifted;
mod playout;
mod race;
mod sequential;
mod target;

use super::EncodeError;
use super::contracted::{Contracted, contract};
use gamesat_core::formula::{
    Circuit, CircuitBuilder, Game, GameMatrix, GateKind, Lit, Player, QuantifiedCircuit, Rule, Var,
};
use gamesat_core::rules::{Board, Side};
use gamesat_rows::normal;
use layout::{Formula, Layout, bits};
use rustc_hash::{FxHashMap, FxHashSet};
pub use sequential::{connect_qbf, dots_qbf};
use target::{Target, relevant};

/// How a game is written as a formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// What each player owns is written cell by cell.
    #[default]
    Explicit,
    /// Moves are numbers, and one universal cell stands for all.
    Lifted,
}

/// Formulas with more operands than about this many are refused: they would take gigabytes.
const MAX_SIZE: usize = 25_000_000;

fn within(size: usize) -> Result<(), EncodeError> {
    if size > MAX_SIZE { Err(EncodeError::QbfTooLarge) } else { Ok(()) }
}

/// The board as a quantified circuit, true exactly if MAX gets what the board asks for: it wins, if it is the claimant
/// ([`Board::claimant`]), and otherwise it keeps the claimant from winning. Only in a race the second is less than to win.
///
/// # Errors
/// A formula that is too large, or a race in the lifted encoding.
pub fn board_qbf(board: &Board, encoding: Encoding) -> Result<QuantifiedCircuit, EncodeError> {
    let formula = board_formula(board, encoding)?;
    Ok(if formula.claimant == Player::Max { formula.circuit } else { formula.circuit.negated() })
}

/// A board as a formula, and how to read the first move from values of its outermost block.
pub struct BoardFormula {
    /// True exactly if the claimant wins, who is the existential player.
    pub circuit: QuantifiedCircuit,
    /// Who that is. If it is MIN, MAX gets what the board asks for exactly if the circuit is false; to solve it as it is and
    /// turn the verdict round is much quicker than to solve its negation, whose witnesses are universal.
    pub claimant: Player,
    /// The binary number of the first move, lowest digit first.
    pub first: Vec<Lit>,
    /// The elements by the numbers that moves have.
    pub elements: Vec<usize>,
}

/// The formula behind [`board_qbf`]: the victory of the claimant, for whom elements that nobody took are no help.
pub fn board_formula(board: &Board, encoding: Encoding) -> Result<BoardFormula, EncodeError> {
    let claimant = board.claimant();
    let player = |side: Side| if side == claimant { Player::Max } else { Player::Min };
    let plies: Vec<Player> = board.plies().into_iter().map(player).collect();
    let (elements, formula) = if board.is_race() {
        board_race(board, claimant, &plies, encoding)?
    } else {
        board_isotone(board, claimant, &plies, encoding)?
    };
    Ok(BoardFormula { circuit: formula.circuit, claimant: board.player(claimant), first: formula.first, elements })
}

/// Whether the claimant, here the existential player, wins a game that is no race.
fn board_isotone(
    board: &Board,
    claimant: Side,
    plies: &[Player],
    encoding: Encoding,
) -> Result<(Vec<usize>, Formula), EncodeError> {
    let moves = plies.iter().filter(|&&player| player == Player::Max).count();
    let own = contract(board, claimant)?;
    let other = if own.is_none() { contract(board, !claimant)? } else { None };
    let (elements, target) = match (own, other) {
        (Some(Contracted::Won), _) => (Vec::new(), Target::Decided(true)),
        (Some(Contracted::Connection(graph)), _) => {
            let graph = relevant(&graph, moves);
            (graph.elements.clone(), Target::Connect(graph))
        }
        (Some(Contracted::Sets(sets)), _) => local(sets, Target::Complete),
        (None, Some(Contracted::Won)) => (Vec::new(), Target::Decided(false)),
        (None, Some(Contracted::Connection(graph))) => {
            let graph = relevant(&graph, usize::MAX - 1);
            (graph.elements.clone(), Target::Separate(graph))
        }
        (None, Some(Contracted::Sets(sets))) => local(sets, Target::Hit),
        (None, None) => unreachable!("one of the sides has a goal"),
    };
    let names: Vec<String> = elements.iter().map(|&element| board.name(element)).collect();
    let formula = isotone(&names, &target, plies, encoding)?;
    Ok((elements, formula))
}

/// Whether the claimant, here the existential player, wins a race. The elements are all free cells.
fn board_race(
    board: &Board,
    claimant: Side,
    plies: &[Player],
    encoding: Encoding,
) -> Result<(Vec<usize>, Formula), EncodeError> {
    if encoding == Encoding::Lifted {
        return Err(EncodeError::NotLifted);
    }
    let elements: Vec<usize> = board.free().collect();
    if let Some(winner) = board.winner() {
        return Ok((elements, decided(winner == claimant)));
    }
    let number: FxHashMap<usize, usize> = elements.iter().enumerate().map(|(i, &e)| (e, i)).collect();
    let renumber = |sets: Vec<Vec<usize>>| -> Vec<Vec<usize>> {
        sets.into_iter().map(|set| set.iter().map(|element| number[element]).collect()).collect()
    };
    let mut size = 0;
    let mut goal = |side: Side| -> Result<Contracted, EncodeError> {
        let contracted = contract(board, side)?.unwrap_or_else(|| unreachable!("in a race both sides have a goal"));
        size += match &contracted {
            Contracted::Won => 0,
            Contracted::Connection(graph) => elements.len() + graph.neighbours.iter().map(Vec::len).sum::<usize>(),
            Contracted::Sets(sets) => sets.iter().map(Vec::len).sum(),
        };
        Ok(contracted)
    };
    let own = match goal(claimant)? {
        Contracted::Won => Target::Decided(true),
        // All free cells are vertices of the contracted graph, in their order.
        Contracted::Connection(graph) => Target::Connect(graph),
        Contracted::Sets(sets) => Target::Complete(renumber(sets)),
    };
    let against = match goal(!claimant)? {
        Contracted::Won => Target::Decided(false),
        Contracted::Connection(graph) => Target::Separate(graph),
        Contracted::Sets(sets) => Target::Hit(renumber(sets)),
    };
    within(elements.len() * plies.len() * bits(elements.len()) + plies.len() * size)?;
    let names: Vec<String> = elements.iter().map(|&element| board.name(element)).collect();
    Ok((elements, race::race(&names, race::Choices::Cells, &own, &against, plies)))
}

fn alternating(first: Player, plies: usize) -> Vec<Player> {
    (0..plies).map(|ply| if ply % 2 == 0 { first } else { !first }).collect()
}

/// Numbers the elements that occur in sets, ascending.
fn local<T>(sets: Vec<Vec<usize>>, target: impl Fn(Vec<Vec<usize>>) -> T) -> (Vec<usize>, T) {
    let mut elements: Vec<usize> = sets.iter().flatten().copied().collect();
    elements.sort_unstable();
    elements.dedup();
    let number: FxHashMap<usize, usize> = elements.iter().enumerate().map(|(i, &e)| (e, i)).collect();
    let sets = sets.into_iter().map(|set| set.iter().map(|element| number[element]).collect()).collect();
    (elements, target(sets))
}

/// An isotone game. Passing helps nobody, so there are no more plies than elements; and plies of MIN after the last one of
/// MAX change nothing.
fn isotone(
    names: &[String],
    target: &Target<'_>,
    plies: &[Player],
    encoding: Encoding,
) -> Result<Formula, EncodeError> {
    let plies = &plies[..plies.len().min(names.len())];
    let last = plies.iter().rposition(|&player| player == Player::Max).map_or(0, |last| last + 1);
    let plies = &plies[..last];
    within(match encoding {
        Encoding::Explicit => names.len() * plies.len() * (bits(names.len()) + target.degree()),
        Encoding::Lifted => (names.len() + plies.len()) * bits(names.len()) * (target.degree() + 1),
    })?;
    if let Target::Decided(value) = target {
        return Ok(decided(*value));
    }
    Ok(match encoding {
        Encoding::Explicit => explicit::explicit(names, target, plies),
        Encoding::Lifted if names.is_empty() || plies.is_empty() => explicit::explicit(names, target, plies),
        Encoding::Lifted => lifted::lifted(names, target, plies),
    })
}

fn decided(value: bool) -> Formula {
    let mut b = CircuitBuilder::new(0);
    let output = b.constant(value);
    Layout::default().finish(b.finish(output))
}

/// Any game as a quantified circuit: does MAX win, within `depth` plies if that is given, both players counted?
///
/// In a game that ends early MAX must have won whatever colours the uncoloured elements get.
///
/// # Errors
/// A formula that is too large.
pub fn game_qbf(game: &Game, encoding: Encoding, depth: Option<usize>) -> Result<QuantifiedCircuit, EncodeError> {
    if let Some((elements, target)) = isotone_target(game) {
        // Elements outside the formula can be left out: a pass helps nobody.
        let plies = alternating(game.turn, elements.len().min(depth.unwrap_or(usize::MAX)));
        let names: Vec<String> = elements.iter().map(|&element| game.names.display(element)).collect();
        return isotone(&names, &target, &plies, encoding).map(|formula| formula.circuit);
    }
    let elements = occurring(game);
    let outside = game.uncoloured() - elements.len();
    let depth = depth.unwrap_or(usize::MAX).min(game.uncoloured());
    // Pairs of elements outside the formula cancel in a game that is played to the end. A shorter one may need them all.
    let stars = if depth == game.uncoloured() { outside % 2 } else { outside.min(depth) };
    let size = elements.len() + stars;
    within(size.saturating_mul(size).saturating_mul(bits(size)))?;
    let mut names: Vec<String> = elements.iter().map(|&element| game.names.display(element)).collect();
    names.extend((1..=stars).map(|star| format!("star{star}")));
    let plies = alternating(game.turn, depth.min(size));
    Ok(playout::playout(game, &elements, &names, &plies, encoding).circuit)
}

/// The uncoloured elements that occur in the formula, ascending.
fn occurring(game: &Game) -> Vec<Var> {
    let played: FxHashSet<Var> = game.played().iter().map(|lit| lit.var()).collect();
    let mut elements: Vec<Var> = match game.matrix() {
        GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows) => rows.vars(),
        GameMatrix::Circuit(circuit) => (0..circuit.inputs()).map(Var::from_index).collect(),
    };
    elements.retain(|var| !played.contains(var));
    elements
}

/// The elements and the target of a game in which every element occurs in one sign only, as its text shows. Under rule
/// `own` that sign must be positive.
fn isotone_target(game: &Game) -> Option<(Vec<Var>, Target<'_>)> {
    let against: Vec<Lit> = game.played().iter().map(|&lit| !lit).collect();
    let rows = match game.matrix() {
        GameMatrix::Cnf(rows) => normal::condition(rows, game.played()),
        GameMatrix::Dnf(rows) => normal::condition(rows, &against),
        GameMatrix::Circuit(circuit) => {
            let signs = circuit_signs(circuit);
            let elements: Vec<Var> =
                occurring(game).into_iter().filter(|element| signs[element.index()] != Signs::default()).collect();
            let falling: Vec<bool> = elements.iter().map(|element| signs[element.index()].falls).collect();
            let fits = elements.iter().all(|element| signs[element.index()].fits(game.rule));
            return fits.then(|| (elements.clone(), Target::Formula { game, elements, falling }));
        }
    };
    let mut signs: FxHashMap<Var, Signs> = FxHashMap::default();
    for &lit in rows.lits() {
        signs.entry(lit.var()).or_default().add(lit.is_positive());
    }
    if !signs.values().all(|signs| signs.fits(game.rule)) {
        return None;
    }
    let sets = rows.iter().map(|row| row.iter().map(|lit| lit.var().index()).collect()).collect();
    let (elements, target) = match game.matrix() {
        GameMatrix::Cnf(_) => local(sets, Target::Hit),
        _ => local(sets, Target::Complete),
    };
    Some((elements.into_iter().map(Var::from_index).collect(), target))
}

/// In which signs an element occurs.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Signs {
    rises: bool,
    falls: bool,
}

impl Signs {
    fn add(&mut self, positive: bool) {
        *(if positive { &mut self.rises } else { &mut self.falls }) = true;
    }

    /// Whether the element is played in one colour only by a sensible player.
    fn fits(self, rule: Rule) -> bool {
        !(self.falls && (self.rises || rule == Rule::Own))
    }
}

/// The signs in which each input reaches the output.
fn circuit_signs(circuit: &Circuit) -> Vec<Signs> {
    let mut signs = vec![Signs::default(); circuit.inputs() + circuit.num_gates()];
    signs[circuit.output().var().index()].add(circuit.output().is_positive());
    for index in (0..circuit.num_gates()).rev() {
        let of_gate = signs[circuit.inputs() + index];
        let gate = circuit.gate(index);
        for (position, operand) in gate.operands.iter().enumerate() {
            let both = gate.kind == GateKind::Xor || gate.kind == GateKind::Ite && position == 0;
            for (occurs, sign) in [(of_gate.rises, true), (of_gate.falls, false)] {
                if occurs {
                    let at = &mut signs[operand.var().index()];
                    at.add(operand.is_positive() == sign);
                    if both {
                        at.add(operand.is_positive() != sign);
                    }
                }
            }
        }
    }
    signs.truncate(circuit.inputs());
    signs
}
