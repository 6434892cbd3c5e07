//! The contracted board: only free elements are left of a position.
//!
//! A vertex that its owner took is contracted: its neighbours become neighbours of each other and touch what it
//! touched. A vertex that the opponent took is deleted. A set of free vertices wins on the contracted graph exactly if,
//! together with the stones, it wins on the board, so formulas are made from the contracted board and stay small in the
//! middle of a game.

use super::EncodeError;
use gamesat_core::rules::{Board, Goal, Side};
use gamesat_rows::connection::Connection;

/// What is left of a position for one side that wants to reach its goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Contracted {
    /// The goal is reached already.
    Won,
    /// A connected set of free vertices that touches every terminal.
    Connection(Connection),
    /// All of one of these sets of elements, none containing another.
    Sets(Vec<Vec<usize>>),
}

/// Contracting a stone with many neighbours, or an edge game's vertex with many edges, makes all of them neighbours of
/// each other; beyond this many such pairs memory would be out of proportion to the board.
const MAX_LINKS: usize = 20_000_000;

/// Contracts a position for a side, if the side has a goal of its own.
///
/// # Errors
/// A graph that would become too dense.
pub(super) fn contract(board: &Board, side: Side) -> Result<Option<Contracted>, EncodeError> {
    let Some(goal) = board.goal(side) else { return Ok(None) };
    if goal.links() > MAX_LINKS {
        return Err(EncodeError::TooDense);
    }
    match goal.clone().on_vertices() {
        Goal::Sets(sets) => Ok(Some(contract_sets(board, side, sets))),
        goal => contract_graph(board, side, &goal).map(Some),
    }
}

fn contract_sets(board: &Board, side: Side, sets: Vec<Vec<usize>>) -> Contracted {
    let mut rest: Vec<Vec<usize>> = Vec::new();
    for mut set in sets {
        if set.iter().any(|&element| board.stone(element) == Some(!side)) {
            continue;
        }
        set.retain(|&element| board.stone(element).is_none());
        set.sort_unstable();
        set.dedup();
        if set.is_empty() {
            return Contracted::Won;
        }
        rest.push(set);
    }
    rest.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    rest.dedup();
    let mut minimal: Vec<Vec<usize>> = Vec::new();
    let mut marked = vec![false; board.elements()];
    for set in rest {
        for &element in &set {
            marked[element] = true;
        }
        if !minimal.iter().any(|small| small.len() < set.len() && small.iter().all(|&element| marked[element])) {
            minimal.push(set.clone());
        }
        for element in set {
            marked[element] = false;
        }
    }
    Contracted::Sets(minimal)
}

fn contract_graph(board: &Board, side: Side, goal: &Goal) -> Result<Contracted, EncodeError> {
    let Goal::Vertices { graph, terminals } = goal else { unreachable!("only connections are contracted as graphs") };
    let adjacency = graph.adjacency();
    let terminal = |vertex: usize| terminals.iter().position(|&t| t == vertex);
    let owner = |vertex: usize| if vertex < board.elements() { board.stone(vertex) } else { None };
    let is_free = |vertex: usize| terminal(vertex).is_none() && vertex < board.elements() && owner(vertex).is_none();
    let elements: Vec<usize> = (0..board.elements()).filter(|&vertex| is_free(vertex)).collect();
    let mut local = vec![usize::MAX; graph.vertices()];
    for (index, &element) in elements.iter().enumerate() {
        local[element] = index;
    }
    let mut contracted = Connection {
        neighbours: vec![Vec::new(); elements.len()],
        touches: vec![0; elements.len()],
        terminals: terminals.len(),
        elements,
    };
    if let [s, t] = terminals[..]
        && adjacency.of(s).iter().any(|&(to, _)| to as usize == t)
    {
        return Ok(Contracted::Won);
    }
    for (index, &element) in contracted.elements.iter().enumerate() {
        for &(to, _) in adjacency.of(element) {
            let to = to as usize;
            if let Some(which) = terminal(to) {
                contracted.touches[index] |= 1 << which;
            } else if local[to] != usize::MAX && local[to] != index {
                contracted.neighbours[index].push(local[to]);
            }
        }
    }
    // Contract each group of stones.
    let mut seen = vec![false; graph.vertices()];
    let mut links = 0;
    for start in (0..board.elements()).filter(|&vertex| owner(vertex) == Some(side)) {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let (mut stack, mut around, mut touches) = (vec![start], Vec::new(), 0u8);
        while let Some(vertex) = stack.pop() {
            for &(to, _) in adjacency.of(vertex) {
                let to = to as usize;
                if let Some(which) = terminal(to) {
                    touches |= 1 << which;
                } else if local[to] != usize::MAX {
                    around.push(local[to]);
                } else if owner(to) == Some(side) && !seen[to] {
                    seen[to] = true;
                    stack.push(to);
                }
            }
        }
        if touches == contracted.all() {
            return Ok(Contracted::Won);
        }
        around.sort_unstable();
        around.dedup();
        links += around.len() * around.len();
        if links > MAX_LINKS {
            return Err(EncodeError::TooDense);
        }
        for &vertex in &around {
            contracted.touches[vertex] |= touches;
            contracted.neighbours[vertex].extend(around.iter().copied().filter(|&other| other != vertex));
        }
    }
    for list in &mut contracted.neighbours {
        list.sort_unstable();
        list.dedup();
    }
    Ok(Contracted::Connection(contracted))
}
