//! A good move without proof, until somebody says that it is time.
//!
//! - On a board where two terminals are joined: what a search on the graph engine's [looks](super::connected) finds.
//! - Where that sees only losses, and on other boards where both sides want to connect something: a narrow alpha-beta search,
//!   deepened as long as there is time, on the [resistances](gamesat_games::theory::evaluate::resistance) of both sides, where a bridge conducts
//!   like an edge; the cells that carry most current of both come first.
//! - Where rows are known: a row of `n` free elements is worth `2^-n` to whoever wants to fill it, and as much to whoever
//!   wants to break it (Erdős and Selfridge 1973), so the element with the heaviest rows is the best for either.
//! - In a quantified formula: the value that satisfies most clauses, or fewest.
//! - In a game with an order: a search one ply ahead, then two and so on; without time the move that gains most, less the best
//!   reply's gain.

use super::{Outcome, Position, connected};
use crate::play::players::{Setting, find};
use gamesat_core::control::Control;
use gamesat_core::formula::{ClauseArena, Game, GameMatrix, Lit, Player};
use gamesat_core::graph::Graph;
use gamesat_core::problem::Problem;
use gamesat_core::rules::sequential::Sequential;
use gamesat_core::rules::{Board, Goal, Side};
use gamesat_games::theory::evaluate::resistance::{Cell, Flow, resistance, value};
use std::time::Duration;

/// Moves looked at on the first level, and on the others.
const WIDTHS: [usize; 2] = [14, 7];
/// The deepest search.
const DEEPEST: usize = 6;
/// Bridges beyond this number are not looked at.
const MOST_BRIDGES: usize = 100_000;
/// Less time than this is not worth a search.
const SHORTEST: Duration = Duration::from_millis(5);
/// What a decided position is worth.
const DECIDED: f64 = 1e6;

/// A move for whoever is to move, about so long and not longer than until it is due; `None` when the game is over.
pub(super) fn guess(position: &Position, time: Duration, due: &dyn Fn() -> bool) -> Option<Lit> {
    let moves = position.moves();
    let first = *moves.first()?;
    let heaviest = |weights: &[f64]| {
        let weight = |lit: &Lit| weights.get(lit.var().index()).copied().unwrap_or(0.0);
        moves.iter().copied().max_by(|a, b| weight(a).total_cmp(&weight(b))).unwrap_or(first)
    };
    Some(match position.given() {
        Problem::Board(board) => match Networks::of(board) {
            Some(networks) => {
                let best = connected::search(board, due).or_else(|| networks.search(board, due));
                moves.iter().copied().find(|lit| Some(lit.var().index()) == best).unwrap_or(first)
            }
            None => heaviest(&set_weights(board)),
        },
        Problem::Game(game) => coloured(game, &moves, heaviest(&row_weights(game))),
        Problem::Sequential(game) => {
            let searched = (time > SHORTEST).then(|| searched(game, time)).flatten();
            moves
                .iter()
                .copied()
                .find(|lit| Some(lit.var().index()) == searched)
                .unwrap_or_else(|| greedy(position, &moves))
        }
        Problem::Qbf(_) | Problem::Circuit(_) => match position.problem() {
            Problem::Qbf(qbf) => by_occurrence(qbf.matrix(), &moves, position.turn() == Some(Player::Max)),
            _ => first,
        },
        Problem::Colouring(_) | Problem::Reordered(_) | Problem::Sudoku(_) => first,
    })
}

/// What the player that searches would do in a game with an order.
fn searched(game: &Sequential, time: Duration) -> Option<usize> {
    let mut player = find("search")?.player(Setting { seed: 0, time });
    player.choose(game, &Control::default()).ok().map(usize::from)
}

/// The networks of both sides.
struct Networks<'a>([Network<'a>; 2]);

/// A side's graph, its terminals, and pairs of vertices that are no neighbours but have two common ones at least: as long
/// as two of those are free the pair is as good as joined, for the opponent can take only one (a bridge).
struct Network<'a> {
    graph: &'a Graph,
    terminals: &'a [usize],
    bridges: Vec<([usize; 2], Vec<u32>)>,
}

impl<'a> Network<'a> {
    fn new(graph: &'a Graph, terminals: &'a [usize]) -> Self {
        let adjacency = graph.adjacency();
        let mut bridges = Vec::new();
        let mut common: Vec<Vec<u32>> = vec![Vec::new(); graph.vertices()];
        for u in 0..graph.vertices() {
            for &(between, _) in adjacency.of(u) {
                for &(v, _) in adjacency.of(between as usize) {
                    if (v as usize) > u && !terminals.contains(&(between as usize)) {
                        common[v as usize].push(between);
                    }
                }
            }
            for &(v, _) in adjacency.of(u) {
                common[v as usize].clear();
            }
            for (v, between) in common.iter_mut().enumerate().filter(|(_, between)| !between.is_empty()) {
                let ends = terminals.contains(&u) && terminals.contains(&v);
                if between.len() > 1 && !ends && bridges.len() < MOST_BRIDGES {
                    bridges.push(([u, v], std::mem::take(between)));
                }
                between.clear();
            }
        }
        Network { graph, terminals, bridges }
    }
}

impl<'a> Networks<'a> {
    fn of(board: &'a Board) -> Option<Self> {
        let of = |side: Side| match board.goal(side) {
            Some(Goal::Vertices { graph, terminals }) => Some(Network::new(graph, terminals)),
            _ => None,
        };
        (!board.is_race()).then_some(Networks([of(Side::First)?, of(Side::Second)?]))
    }

    /// The network of a side; with three terminals the sum over the pairs of them.
    fn flow(&self, board: &Board, side: Side) -> Flow {
        let Network { graph, terminals, bridges } = &self.0[side as usize];
        let cell = |vertex: usize| Cell::of(board, side, vertex);
        let mut graph = (*graph).clone();
        for ([u, v], between) in bridges {
            if between.iter().filter(|&&vertex| cell(vertex as usize) == Cell::Free).count() > 1 {
                graph.add_edge(*u, *v);
            }
        }
        let mut sum: Option<Flow> = None;
        for (at, &s) in terminals.iter().enumerate() {
            for &t in &terminals[at + 1..] {
                let flow = resistance(&graph, [s, t], cell);
                sum = Some(match sum {
                    None => flow,
                    Some(mut sum) => {
                        sum.resistance += flow.resistance;
                        sum.currents.iter_mut().zip(flow.currents).for_each(|(all, more)| *all += more);
                        sum
                    }
                });
            }
        }
        sum.unwrap_or(Flow { resistance: 0.0, currents: Vec::new() })
    }

    /// The best cell that is found in time.
    fn search(&self, board: &Board, due: &dyn Fn() -> bool) -> Option<usize> {
        let mut best = None;
        let mut board = board.clone();
        for depth in 1..=DEEPEST {
            match self.best(&mut board, depth, 0, [-f64::INFINITY, f64::INFINITY], due) {
                Some((_, found)) => best = found.or(best),
                None => break,
            }
            if due() {
                break;
            }
        }
        best.or_else(|| board.free().next())
    }

    /// The value for the side to move and its best cell; `None` when the time is over, but never on the first level of depth
    /// one, which is always finished.
    fn best(
        &self,
        board: &mut Board,
        depth: usize,
        level: usize,
        [mut alpha, beta]: [f64; 2],
        due: &dyn Fn() -> bool,
    ) -> Option<(f64, Option<usize>)> {
        let flows = [self.flow(board, board.turn), self.flow(board, !board.turn)];
        let worth = match flows.each_ref().map(|flow| flow.resistance) {
            // Bridges may overlap: both can look joined.
            [0.0, 0.0] => 0.0,
            [own, other] => value(own, other).clamp(-DECIDED, DECIDED),
        };
        if depth == 0 || board.ending().is_some() {
            return Some((worth, None));
        }
        if due() && (level > 0 || depth > 1) {
            return None;
        }
        let current =
            |cell: &usize| flows.iter().map(|flow| flow.currents.get(*cell).copied().unwrap_or(0.0)).sum::<f64>();
        let mut cells: Vec<usize> = board.free().collect();
        cells.sort_by(|a, b| current(b).total_cmp(&current(a)));
        cells.truncate(WIDTHS[level.min(1)]);
        let mut best = (-f64::INFINITY, None);
        for cell in cells {
            let Ok(played) = board.play(cell) else { continue };
            let reply = self.best(board, depth - 1, level + 1, [-beta, -alpha], due);
            board.undo(played);
            let reply = -reply?.0;
            if reply > best.0 {
                best = (reply, Some(cell));
            }
            alpha = alpha.max(reply);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// The weight of each element in the winning sets of both sides.
fn set_weights(board: &Board) -> Vec<f64> {
    let mut weights = vec![0.0; board.elements()];
    for side in [Side::First, Side::Second] {
        let Some(Goal::Sets(sets)) = board.goal(side) else { continue };
        for set in sets.iter().filter(|set| set.iter().all(|&element| board.stone(element) != Some(!side))) {
            let free = set.iter().filter(|&&element| board.stone(element).is_none());
            let weight = 0.5f64.powi(free.clone().count() as i32);
            free.for_each(|&element| weights[element] += weight);
        }
    }
    weights
}

/// The weight of each element in the rows that are not settled.
fn row_weights(game: &Game) -> Vec<f64> {
    let mut values: Vec<Option<bool>> = vec![None; game.elements()];
    game.played().iter().for_each(|lit| values[lit.var().index()] = Some(lit.is_positive()));
    let mut weights = vec![0.0; game.elements()];
    let (rows, settles) = match game.matrix() {
        GameMatrix::Cnf(rows) => (rows, true),
        GameMatrix::Dnf(rows) => (rows, false),
        GameMatrix::Circuit(_) => return weights,
    };
    for row in rows {
        let value = |lit: &Lit| values[lit.var().index()].map(|value| value == lit.is_positive());
        if row.iter().any(|lit| value(lit) == Some(settles)) {
            continue;
        }
        let free = row.iter().filter(|lit| value(lit).is_none());
        let weight = 0.5f64.powi(free.clone().count().min(1000) as i32);
        free.for_each(|lit| weights[lit.var().index()] += weight);
    }
    weights
}

/// The colour in which an element serves the mover in most rows.
fn coloured(game: &Game, moves: &[Lit], chosen: Lit) -> Lit {
    let (GameMatrix::Cnf(rows) | GameMatrix::Dnf(rows)) = game.matrix() else { return chosen };
    let count = |lit: Lit| rows.lits().iter().filter(|&&other| other == lit).count();
    let both = [chosen, !chosen].into_iter().filter(|lit| moves.contains(lit));
    let best =
        if game.turn == Player::Max { both.max_by_key(|&lit| count(lit)) } else { both.min_by_key(|&lit| count(lit)) };
    best.unwrap_or(chosen)
}

/// The literal that satisfies most clauses, or fewest.
fn by_occurrence(clauses: &ClauseArena, moves: &[Lit], most: bool) -> Lit {
    let mut counts: rustc_hash::FxHashMap<Lit, i64> = moves.iter().map(|&lit| (lit, 0)).collect();
    for lit in clauses.lits() {
        if let Some(count) = counts.get_mut(lit) {
            *count += 1;
        }
    }
    let sign = if most { 1 } else { -1 };
    moves
        .iter()
        .copied()
        .max_by_key(|lit| sign * (counts[lit] - counts.get(&!*lit).copied().unwrap_or(0)))
        .unwrap_or(moves[0])
}

/// The move that wins at once, or does not let the opponent do so, in a game with an order.
fn greedy(position: &Position, moves: &[Lit]) -> Lit {
    let mover = position.turn();
    let worth = |lit: Lit, position: &Position| {
        let mut next = position.clone();
        let before = next.gained();
        let sign = if position.turn() == Some(Player::Max) { 1 } else { -1 };
        if next.play(lit).is_err() {
            return (i64::MIN, next);
        }
        let ended = match next.outcome() {
            Some(Outcome::Win(winner)) if Some(winner) == position.turn() => 1000,
            Some(Outcome::Win(_)) => -1000,
            _ => 0,
        };
        (ended + sign * (next.gained() - before), next)
    };
    let after_reply = |lit: Lit| {
        let (own, next) = worth(lit, position);
        let replies = next.moves().into_iter().map(|reply| worth(reply, &next).0).max().unwrap_or(0);
        own.saturating_add(if next.turn() == mover { replies } else { -replies })
    };
    // The middle is worth most where nothing else is known.
    let middle = moves.len() / 2;
    let inwards = |at: &usize| std::cmp::Reverse(at.abs_diff(middle));
    (0..moves.len()).max_by_key(|at| (after_reply(moves[*at]), inwards(at))).map_or(moves[0], |at| moves[at])
}
