//! Boards that are too large for the search: it is shown a region.
//!
//! Of a large board some cells are left free, and all others are given to one player. If the other one wins nevertheless, it
//! wins the whole game, and its move, trace and strategy in the region are right on the board, too. So regions are tried for
//! either player, small ones and few expansions first, then larger ones and more: the cells on the shortest ways between the
//! player's terminals, for Cut without a graph of its own those with most of Short's current, and for Cut those around each
//! terminal, too.
//!
//! What Short is given in a region of Cut's falls into pieces. A piece that touches only one vertex of the rest joins nothing,
//! and goes to Cut instead: so the branches of a tree do not count.
//!
//! That answers what is decided somewhere. A game that only the whole board decides stays unknown.

use super::board::{CUT, Plan, SHORT};
use super::session::{Questions, Session, VertexGame, VertexSolution};
use crate::options::GraphOptions;
use crate::theory::evaluate::resistance::{Cell, resistance};
use gamesat_core::control::{Control, StopReason};
use std::collections::VecDeque;

/// The sizes of regions.
const SIZES: [usize; 3] = [60, 120, 240];

/// Expansions in the first round; each round has eight times as many as the one before.
const FIRST_ROUND: u64 = 64;

/// A region for a player.
struct Region {
    player: usize,
    session: Session,
    /// Whether the player does not win in it.
    lost: bool,
}

/// Solves a position by regions.
///
/// # Errors
/// The reason to stop before the answer was known.
pub(super) fn solve_by_regions(
    game: &VertexGame<'_>,
    questions: Questions,
    options: &GraphOptions,
    control: &Control,
) -> Result<VertexSolution, StopReason> {
    let one = Questions { all_moves: false, ..questions };
    let mut solution = solve_once(game, &SIZES, one, options, control)?;
    if questions.all_moves && solution.short_wins == game.short_to_move {
        (solution.moves, solution.unlisted) = all_moves(game, &solution, options, control);
    }
    Ok(solution)
}

fn solve_once(
    game: &VertexGame<'_>,
    sizes: &[usize],
    questions: Questions,
    options: &GraphOptions,
    control: &Control,
) -> Result<VertexSolution, StopReason> {
    let plan = Plan::new(game, options.dual_graph);
    let mut rankings: Vec<(usize, Vec<usize>)> =
        [SHORT, CUT].map(|player| (player, ranked(game, &plan, player))).into();
    rankings.extend(game.terminals.iter().map(|&terminal| (CUT, around(game, terminal))));
    let mut regions: Vec<Region> = Vec::new();
    let mut expansions = FIRST_ROUND;
    for round in 0.. {
        control.poller().poll(0)?;
        if let Some(&size) = sizes.get(round) {
            for &(player, ref ranked) in &rankings {
                let (free, given) = ranked.split_at(size.min(ranked.len()));
                if !free.is_empty() {
                    regions.extend(region(game, player, given, options)?);
                }
            }
        }
        for region in regions.iter_mut().filter(|region| !region.lost) {
            let few = Questions { expansions: Some(expansions), ..Questions::default() };
            match region.session.solve(few, control) {
                Ok(found) if found.short_wins == (region.player == SHORT) => {
                    return region.session.solve(questions, control);
                }
                Ok(_) => region.lost = true,
                Err(StopReason::Nodes) => {}
                Err(reason) => return Err(reason),
            }
            control.poller().poll(0)?;
        }
        if round >= sizes.len() && regions.iter().all(|region| region.lost) {
            break;
        }
        if control.limits().nodes.is_some_and(|most| most <= expansions) {
            return Err(StopReason::Nodes);
        }
        expansions = expansions.saturating_mul(8);
    }
    let (cells, most) = (plan.cells(), sizes.last().unwrap_or(&0));
    Err(StopReason::Unsupported(format!("no region of {most} of {cells} cells decides the game")))
}

/// The board with these vertices given to the player's opponent; `None` if even that leaves too many cells.
fn region(
    game: &VertexGame<'_>,
    player: usize,
    given: &[usize],
    options: &GraphOptions,
) -> Result<Option<Region>, StopReason> {
    let (mut short, mut cut) = (game.short.to_vec(), game.cut.to_vec());
    match player {
        SHORT => cut.extend(given),
        _ => {
            let (joining, idle) = pieces(game, given);
            short.extend(joining);
            cut.extend(idle);
        }
    }
    match Session::new(&VertexGame { short: &short, cut: &cut, ..*game }, options) {
        Ok(session) => Ok(Some(Region { player, session, lost: false })),
        Err(StopReason::Unsupported(_)) => Ok(None),
        Err(reason) => Err(reason),
    }
}

/// Of vertices that Short is given, those that may join something, and those that do not: whole pieces that touch at most one
/// vertex beside themselves which is not Cut's. Short's own stones count as vertices beside them.
fn pieces(game: &VertexGame<'_>, given: &[usize]) -> (Vec<usize>, Vec<usize>) {
    const NOBODY: u32 = u32::MAX;
    const UNSEEN: u32 = u32::MAX - 1;
    let adjacency = game.graph.adjacency();
    let mut is_cut = vec![false; game.graph.vertices()];
    game.cut.iter().for_each(|&stone| is_cut[stone] = true);
    let mut piece_of = vec![NOBODY; game.graph.vertices()];
    given.iter().for_each(|&vertex| piece_of[vertex] = UNSEEN);
    let (mut joining, mut idle) = (Vec::new(), Vec::new());
    let mut stack = Vec::new();
    for (number, &start) in given.iter().enumerate() {
        if piece_of[start] != UNSEEN {
            continue;
        }
        let (number, mut piece, mut beside, mut joins) = (number as u32, Vec::new(), NOBODY, false);
        piece_of[start] = number;
        stack.push(start);
        while let Some(vertex) = stack.pop() {
            piece.push(vertex);
            for &(to, _) in adjacency.of(vertex) {
                match piece_of[to as usize] {
                    UNSEEN => {
                        piece_of[to as usize] = number;
                        stack.push(to as usize);
                    }
                    NOBODY if !is_cut[to as usize] => {
                        joins |= beside != NOBODY && beside != to;
                        beside = to;
                    }
                    _ => {}
                }
            }
        }
        if joins { &mut joining } else { &mut idle }.extend(piece);
    }
    (joining, idle)
}

/// The free vertices, the nearest to a terminal first; Short's stones are passed for nothing.
fn around(game: &VertexGame<'_>, terminal: usize) -> Vec<usize> {
    let adjacency = game.graph.adjacency();
    let mut seen = vec![false; game.graph.vertices()];
    game.cut.iter().chain(game.terminals).for_each(|&vertex| seen[vertex] = true);
    let mut is_short = vec![false; game.graph.vertices()];
    game.short.iter().for_each(|&stone| is_short[stone] = true);
    let mut queue = VecDeque::from([terminal]);
    let mut found = Vec::new();
    while let Some(vertex) = queue.pop_front() {
        if vertex != terminal && !is_short[vertex] {
            found.push(vertex);
        }
        for &(to, _) in adjacency.of(vertex) {
            let to = to as usize;
            if std::mem::replace(&mut seen[to], true) {
                continue;
            }
            if is_short[to] { queue.push_front(to) } else { queue.push_back(to) }
        }
    }
    // What cannot be reached comes last.
    let free = |vertex: &usize| !seen[*vertex] && !is_short[*vertex];
    found.extend((0..game.graph.vertices()).filter(free));
    found
}

/// The free vertices, those first that matter most to the player.
fn ranked(game: &VertexGame<'_>, plan: &Plan, player: usize) -> Vec<usize> {
    let mut ranks: Vec<(f64, usize)> = match plan.distances(player) {
        Some(sums) => plan.vertices.iter().zip(sums).map(|(&vertex, sum)| (f64::from(sum), vertex)).collect(),
        None => {
            let [s, t] = [game.terminals[0], game.terminals[game.terminals.len() - 1]];
            let mut cells = vec![Cell::Free; game.graph.vertices()];
            game.short.iter().for_each(|&stone| cells[stone] = Cell::Own);
            game.cut.iter().for_each(|&stone| cells[stone] = Cell::Enemy);
            let flow = resistance(game.graph, [s, t], |vertex| cells[vertex]);
            plan.vertices.iter().map(|&vertex| (-flow.currents[vertex], vertex)).collect()
        }
    };
    ranks.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    ranks.into_iter().map(|(_, vertex)| vertex).collect()
}

/// All winning moves, one winning move being known. A move that loses is refuted inside a trace, and so is every other move
/// outside it. If some were not looked at, the reason.
fn all_moves(
    game: &VertexGame<'_>,
    solution: &VertexSolution,
    options: &GraphOptions,
    control: &Control,
) -> (Vec<usize>, Option<StopReason>) {
    let mut taken = vec![false; game.graph.vertices()];
    for &vertex in game.short.iter().chain(game.cut).chain(game.terminals) {
        taken[vertex] = true;
    }
    let free: Vec<usize> = (0..taken.len()).filter(|&vertex| !taken[vertex]).collect();
    let mut winning = solution.moves.clone();
    let mut losing = vec![false; taken.len()];
    let mut unlisted = None;
    for (at, &vertex) in free.iter().enumerate() {
        control.progress().set_steps(at as u64, free.len() as u64);
        if losing[vertex] || winning.contains(&vertex) {
            continue;
        }
        let with = |stones: &[usize]| [stones, &[vertex]].concat();
        let (short, cut) = match game.short_to_move {
            true => (with(game.short), game.cut.to_vec()),
            false => (game.short.to_vec(), with(game.cut)),
        };
        let after = VertexGame { short: &short, cut: &cut, short_to_move: !game.short_to_move, ..*game };
        let found = match super::solve_vertex_game(&after, Questions::default(), options, control) {
            Ok(found) => found,
            Err(reason) => {
                unlisted = Some(reason);
                break;
            }
        };
        if found.short_wins == game.short_to_move {
            winning.push(vertex);
        } else {
            let outside = free.iter().filter(|vertex| !found.trace.contains(vertex));
            outside.for_each(|&vertex| losing[vertex] = true);
        }
    }
    winning.sort_unstable();
    (winning, unlisted)
}

impl Plan {
    /// For every free cell how many cells lie on a shortest way over it between the player's terminals, its own ends counted
    /// for each; `None` without a graph.
    fn distances(&self, player: usize) -> Option<Vec<u32>> {
        let lists = self.lists(player)?;
        let mut sums = vec![0u32; self.vertices.len()];
        for start in self.beside(player) {
            let mut distance = vec![u32::MAX; self.cells()];
            let mut queue: VecDeque<(u32, usize)> = start.iter().map(|&cell| (0, cell as usize)).collect();
            while let Some((before, cell)) = queue.pop_front() {
                let here = before + u32::from(cell < sums.len());
                if here >= distance[cell] {
                    continue;
                }
                distance[cell] = here;
                for &to in &lists[cell] {
                    match (to as usize) < sums.len() {
                        true => queue.push_back((here, to as usize)),
                        // Chains are passed for nothing.
                        false => queue.push_front((here, to as usize)),
                    }
                }
            }
            const FAR: u32 = 1 << 28;
            sums.iter_mut().zip(&distance).for_each(|(sum, &distance)| *sum += distance.min(FAR));
        }
        Some(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{Random, position};
    use super::*;
    use gamesat_core::graph::Graph;
    use gamesat_rows::mask::Mask;

    /// What small regions of small boards decide is so, and inside the trace.
    #[test]
    fn regions_decide_rightly() {
        let mut random = Random(53);
        let (mut decided, mut open) = (0, 0);
        for number in 0..900 {
            let position = position(&mut random, number, 12);
            let [short, cut] = &position.stones;
            let (graph, terminals) = (&position.graph, &position.terminals[..]);
            let game = VertexGame { graph, terminals, short, cut, short_to_move: number % 2 == 0 };
            let options = GraphOptions { dual_graph: number % 5 != 0, ..GraphOptions::default() };
            let control = Control::default();
            let Ok(found) = solve_once(&game, &[3, 6], Questions::default(), &options, &control) else {
                open += 1;
                continue;
            };
            decided += 1;
            let vertices = position.plan(false).vertices;
            let cells: Mask<1> = (0..vertices.len()).filter(|&cell| !found.trace.contains(&vertices[cell])).collect();
            let mut own = [Mask::default(); 2];
            own[usize::from(found.short_wins)] = cells;
            let truth = position.judge().winner(own, number % 2);
            assert_eq!(found.short_wins, truth == SHORT, "{position:?}");
        }
        assert!(decided > 200 && open > 5, "{decided} {open}");
    }

    /// Large graphs that a few cells decide: a way with branches, and two ways without.
    #[test]
    fn large_graphs_that_few_cells_decide() {
        const VERTICES: usize = 3000;
        let mut tree = Graph::new(VERTICES);
        for vertex in 1..VERTICES {
            tree.add_edge(if vertex < 9 { vertex - 1 } else { vertex / 2 }, vertex);
        }
        let mut cycle = Graph::new(VERTICES);
        for vertex in 0..VERTICES {
            cycle.add_edge(vertex, (vertex + 1) % VERTICES);
        }
        for (graph, terminals) in [(tree, [0, VERTICES - 1]), (cycle, [0, VERTICES / 2])] {
            let game = VertexGame { graph: &graph, terminals: &terminals, short: &[], cut: &[], short_to_move: true };
            let (questions, options) = (Questions::default(), GraphOptions::default());
            let found = solve_by_regions(&game, questions, &options, &Control::default()).unwrap();
            assert!(!found.short_wins);
        }
    }
}
