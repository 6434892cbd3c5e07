//! The board of a vertex game in bit masks: what does not change during a search.
//!
//! Player 0 is Short, player 1 is Cut. Short joins the terminals in graph 0. If the board is planar, Cut joins two faces
//! in graph 1 on the same cells (see [`gamesat_rows::planar`]); otherwise there is graph 0 only, and Cut wins when Short's
//! terminals fall apart. Stones are chained first: a chain is one cell of its owner's graph and none of the opponent's,
//! and a chain at a terminal is part of the terminal. So the cells are the free vertices and the chains that touch none.
//!
//! Of three terminals one chain has to touch all, as in the game of Y. Then terminals do not conduct: a chain that touches
//! some of them is a cell like the other chains, and touches them. Cut's graph has the same three terminals.

use super::VertexGame;
use super::theorem::Coloured;
use gamesat_core::graph::Graph;
use gamesat_rows::mask::Mask;
use gamesat_rows::planar::{Faces, faces_among, faces_between};

/// The most pairs of neighbours in Cut's graph.
const MOST_LINKS: usize = 1 << 20;

/// Short.
pub(super) const SHORT: usize = 0;
/// Cut.
pub(super) const CUT: usize = 1;

/// What a cell is beyond touching terminals: a chain.
pub(super) const CHAIN: u8 = 8;

/// A player's graph as lists: before it is known how many words a mask needs.
#[derive(Clone, Debug, Default)]
struct Side {
    /// Pairs of neighbours among the cells.
    links: Vec<(u32, u32)>,
    /// Cells next to each terminal.
    touching: Vec<Vec<u32>>,
    /// Whether stones join the terminals.
    joined: bool,
}

/// A board of any size.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The vertex of each free cell; chains have none and come last.
    pub(super) vertices: Vec<usize>,
    /// The owner of each chain.
    chains: Vec<usize>,
    /// Number of terminals.
    pub(super) terminals: usize,
    sides: Vec<Side>,
}

impl Plan {
    /// Reads a position; with `dual` also Cut's graph, where there is one.
    pub(super) fn new(game: &VertexGame<'_>, dual: bool) -> Self {
        let vertices = game.graph.vertices();
        let mut owner = vec![None; vertices];
        for (player, stones) in [game.short, game.cut].into_iter().enumerate() {
            stones.iter().for_each(|&stone| owner[stone] = Some(player));
        }
        let is_free = |vertex: usize| owner[vertex].is_none() && !game.terminals.contains(&vertex);
        let free: Vec<usize> = (0..vertices).filter(|&vertex| is_free(vertex)).collect();
        let terminals = game.terminals.len();
        let mut plan = Plan { vertices: free, chains: Vec::new(), terminals, sides: Vec::new() };
        let edges: Vec<(u32, u32)> = game.graph.edges().to_vec();
        let ends: Vec<Vec<u32>> = game.terminals.iter().map(|&terminal| vec![terminal as u32]).collect();
        plan.add_side(SHORT, &owner, &edges, &ends);
        if dual && let Some(CutGraph { edges, ends }) = cut_graph(game, &owner) {
            plan.add_side(CUT, &owner, &edges, &ends);
        }
        plan
    }

    /// Number of cells.
    pub(super) fn cells(&self) -> usize {
        self.vertices.len() + self.chains.len()
    }

    /// Whether Cut has a graph.
    pub(super) fn has_dual(&self) -> bool {
        self.sides.len() == 2
    }

    /// Whether stones join a player's terminals.
    pub(super) fn is_over(&self) -> bool {
        self.sides.iter().any(|side| side.joined)
    }

    /// The neighbours of every cell in a player's graph, if there is one. Chains of the opponent have none.
    pub(super) fn lists(&self, player: usize) -> Option<Vec<Vec<u32>>> {
        let side = self.sides.get(player)?;
        let mut lists = vec![Vec::new(); self.cells()];
        for &(u, v) in &side.links {
            lists[u as usize].push(v);
            lists[v as usize].push(u);
        }
        Some(lists)
    }

    /// The cells next to each of a player's terminals.
    pub(super) fn beside(&self, player: usize) -> &[Vec<u32>] {
        &self.sides[player].touching
    }

    /// A player's graph with what its owner sees of every cell: bits 0 to 2 the terminals, bit 3 a chain. The cells are
    /// the free ones and the player's chains.
    pub(super) fn coloured(&self, player: usize) -> Coloured {
        let side = &self.sides[player];
        let free = self.vertices.len();
        let is_mine = |cell: usize| cell < free || self.chains[cell - free] == player;
        let mine: Vec<usize> = (0..self.cells()).filter(|&cell| is_mine(cell)).collect();
        let mut lists = vec![Vec::new(); mine.len()];
        let mut kinds: Vec<u8> = mine.iter().map(|&cell| if cell < free { 0 } else { CHAIN }).collect();
        let number = |cell: u32| mine.binary_search(&(cell as usize)).unwrap_or(usize::MAX);
        for &(u, v) in &side.links {
            let (u, v) = (number(u), number(v));
            lists[u].push(v as u32);
            lists[v].push(u as u32);
        }
        for (which, touching) in side.touching.iter().enumerate() {
            touching.iter().for_each(|&cell| kinds[number(cell)] |= 1 << which);
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        Coloured { lists, kinds }
    }

    /// Chains a player's stones, and adds the graph that is left. `ends` are the vertices that are, or for Cut touch, the
    /// terminals.
    fn add_side(&mut self, player: usize, owner: &[Option<usize>], edges: &[(u32, u32)], ends: &[Vec<u32>]) {
        const NOWHERE: u32 = u32::MAX;
        let mut chain: Vec<u32> = (0..owner.len() as u32).collect();
        let find = |chain: &mut Vec<u32>, mut vertex: u32| {
            while chain[vertex as usize] != vertex {
                chain[vertex as usize] = chain[chain[vertex as usize] as usize];
                vertex = chain[vertex as usize];
            }
            vertex
        };
        let owns = |vertex: u32| owner[vertex as usize] == Some(player);
        for &(u, v) in edges.iter().filter(|&&(u, v)| owns(u) && owns(v)) {
            let (a, b) = (find(&mut chain, u), find(&mut chain, v));
            chain[a as usize] = b;
        }
        // Terminal bits of every chain: Short's terminals are vertices, Cut's are sets of vertices.
        let mut touch = vec![0u8; owner.len()];
        let mut end_bits = vec![0u8; owner.len()];
        for (which, end) in ends.iter().enumerate() {
            end.iter().for_each(|&vertex| end_bits[vertex as usize] |= 1 << which);
        }
        let is_terminal = |vertex: u32| player == SHORT && end_bits[vertex as usize] != 0;
        let mut side = Side { touching: vec![Vec::new(); ends.len()], ..Side::default() };
        let (conducts, all) = (ends.len() == 2, (1u8 << ends.len()) - 1);
        if player == SHORT {
            for &(u, v) in edges {
                for (u, v) in [(u, v), (v, u)] {
                    if is_terminal(u) && owns(v) {
                        let root = find(&mut chain, v);
                        touch[root as usize] |= end_bits[u as usize];
                    }
                    let both = is_terminal(u) && is_terminal(v) && end_bits[u as usize] != end_bits[v as usize];
                    side.joined |= both && conducts;
                }
            }
        } else {
            for vertex in (0..owner.len() as u32).filter(|&vertex| owns(vertex)) {
                let root = find(&mut chain, vertex);
                touch[root as usize] |= end_bits[vertex as usize];
            }
        }
        side.joined |= touch.contains(&all);
        let mut cell = vec![NOWHERE; owner.len()];
        for (at, &vertex) in self.vertices.iter().enumerate() {
            cell[vertex] = at as u32;
        }
        // Chains without free neighbours are of no use to anybody.
        let mut beside_free = vec![false; owner.len()];
        for &(u, v) in edges {
            for (stone, other) in [(u, v), (v, u)] {
                if owns(stone) && cell[other as usize] != NOWHERE {
                    let root = find(&mut chain, stone);
                    beside_free[root as usize] = true;
                }
            }
        }
        for vertex in 0..owner.len() as u32 {
            let root = find(&mut chain, vertex);
            let counts = if conducts { touch[root as usize] == 0 } else { true };
            if owns(vertex) && root == vertex && counts && beside_free[root as usize] {
                cell[root as usize] = self.cells() as u32;
                self.chains.push(player);
            }
        }
        let mut place = |vertex: u32| -> (u32, u8) {
            if is_terminal(vertex) {
                return (NOWHERE, end_bits[vertex as usize]);
            }
            let root = if owns(vertex) { find(&mut chain, vertex) } else { vertex };
            (cell[root as usize], touch[root as usize])
        };
        for &(u, v) in edges {
            let ((a, at_a), (b, at_b)) = (place(u), place(v));
            for (cell, touched) in [(a, at_b), (b, at_a)] {
                for which in (0..ends.len()).filter(|which| cell != NOWHERE && touched >> which & 1 != 0) {
                    side.touching[which].push(cell);
                }
            }
            if a != b && a != NOWHERE && b != NOWHERE {
                side.links.push((a, b));
            }
        }
        if player == CUT {
            for (which, end) in ends.iter().enumerate() {
                side.touching[which].extend(end.iter().map(|&vertex| place(vertex).0).filter(|&cell| cell != NOWHERE));
            }
        }
        self.sides.push(side);
    }
}

/// What Cut plays on, in vertices of the board.
struct CutGraph {
    edges: Vec<(u32, u32)>,
    /// The vertices at each of the two faces that Cut joins, or at each of three terminals.
    ends: Vec<Vec<u32>>,
}

/// Cut's graph, if the board is planar as it is or once Cut's
/// stones are taken away.
fn cut_graph(game: &VertexGame<'_>, owner: &[Option<usize>]) -> Option<CutGraph> {
    let draw = |graph: &Graph| -> Option<Faces> {
        match *game.terminals {
            [s, t] => faces_between(graph, [s, t]),
            [a, b, c] => faces_among(graph, [a, b, c]),
            _ => None,
        }
    };
    let drawn = draw(game.graph).or_else(|| {
        let mut rest = Graph::new(game.graph.vertices());
        let is_cut = |vertex: u32| owner[vertex as usize] == Some(CUT);
        for &(u, v) in game.graph.edges().iter().filter(|&&(u, v)| !is_cut(u) && !is_cut(v)) {
            rest.add_edge(u as usize, v as usize);
        }
        draw(&rest)
    })?;
    let is_cell =
        |&vertex: &u32| (vertex as usize) < game.graph.vertices() && !game.terminals.contains(&(vertex as usize));
    // All cells at a face are neighbours: where faces are huge that is too much to write down.
    let inner = drawn.faces.iter().enumerate().filter(|(at, _)| !drawn.ends.contains(at));
    if inner.map(|(_, face)| face.len() * face.len() / 2).sum::<usize>() > MOST_LINKS {
        return None;
    }
    let mut edges = Vec::new();
    // Two cells at a face that Cut wants to join meet in the terminal, and no path needs both.
    for (_, face) in drawn.faces.iter().enumerate().filter(|(at, _)| !drawn.ends.contains(at)) {
        let cells: Vec<u32> = face.iter().copied().filter(is_cell).collect();
        for (at, &u) in cells.iter().enumerate() {
            edges.extend(cells[at + 1..].iter().map(|&v| (u, v)));
        }
    }
    let ends: Vec<Vec<u32>> = match drawn.ends[..] {
        [] => game.terminals.iter().map(|&terminal| cells_beside(&drawn, terminal, is_cell)).collect(),
        _ => drawn.ends.iter().map(|&end| drawn.faces[end].iter().copied().filter(is_cell).collect()).collect(),
    };
    Some(CutGraph { edges, ends })
}

/// The cells that share a face with a terminal.
fn cells_beside(drawn: &Faces, terminal: usize, is_cell: impl Fn(&u32) -> bool) -> Vec<u32> {
    let faces = drawn.faces.iter().filter(|face| face.contains(&(terminal as u32)));
    let mut cells: Vec<u32> = faces.flatten().copied().filter(is_cell).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// One player's graph.
#[derive(Clone, Debug)]
pub(super) struct Network<const W: usize> {
    /// Neighbours of each cell.
    pub(super) rows: Vec<Mask<W>>,
    /// The cells next to each terminal.
    pub(super) touching: Vec<Mask<W>>,
}

/// A board whose cells fit a mask.
#[derive(Clone, Debug)]
pub(super) struct Board<const W: usize> {
    /// Number of cells.
    pub(super) cells: usize,
    /// Number of terminals.
    pub(super) terminals: usize,
    /// The free cells.
    pub(super) free: Mask<W>,
    /// The chains of both players.
    pub(super) own: [Mask<W>; 2],
    /// Short's graph, and Cut's if there is one.
    pub(super) networks: Vec<Network<W>>,
    /// Who has won already.
    pub(super) winner: Option<usize>,
}

impl<const W: usize> Board<W> {
    /// # Panics
    /// If there are more than `64 * W` cells.
    pub(super) fn new(plan: &Plan) -> Self {
        let cells = plan.cells();
        assert!(cells <= Mask::<W>::BITS, "cells fit the mask");
        let mut own = [Mask::default(); 2];
        for (at, &player) in plan.chains.iter().enumerate() {
            own[player].insert(plan.vertices.len() + at);
        }
        let networks = plan.sides.iter().map(|side| {
            let mut rows = vec![Mask::default(); cells];
            for &(u, v) in &side.links {
                rows[u as usize].insert(v as usize);
                rows[v as usize].insert(u as usize);
            }
            let touching =
                side.touching.iter().map(|cells| cells.iter().map(|&cell| cell as usize).collect()).collect();
            Network { rows, touching }
        });
        let winner = plan.sides.iter().position(|side| side.joined);
        let terminals = plan.terminals;
        Board { cells, terminals, free: Mask::first(plan.vertices.len()), own, networks: networks.collect(), winner }
    }

    /// Whether Cut has a graph.
    #[inline]
    pub(super) fn has_dual(&self) -> bool {
        self.networks.len() == 2
    }
}
