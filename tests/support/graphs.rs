//! Random positions of vertex games, and plain minimax to judge them.
#![allow(dead_code)]

use gamesat::graph::Graph;
use gamesat::options::GraphOptions;
use gamesat_check::steps::VertexMinimax;
use gamesat_games::graph::VertexGame;

/// A small generator of its own, so that cases repeat.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A position with everything the engine and the judge need.
#[derive(Clone, Debug)]
pub struct Case {
    pub graph: Graph,
    pub terminals: Vec<usize>,
    pub short: Vec<usize>,
    pub cut: Vec<usize>,
    pub short_to_move: bool,
}

impl Case {
    pub fn game(&self) -> VertexGame<'_> {
        VertexGame {
            graph: &self.graph,
            terminals: &self.terminals,
            short: &self.short,
            cut: &self.cut,
            short_to_move: self.short_to_move,
        }
    }

    pub fn free(&self) -> Vec<usize> {
        let taken = |v: &usize| self.short.contains(v) || self.cut.contains(v) || self.terminals.contains(v);
        (0..self.graph.vertices()).filter(|v| !taken(v)).collect()
    }

    pub fn judge(&self) -> VertexMinimax {
        VertexMinimax::new(&self.graph, &self.terminals, &self.short, &self.cut).expect("few vertices are free")
    }

    /// Whether Short wins.
    pub fn truth(&self) -> bool {
        self.judge().short_wins(&[], &[], self.short_to_move)
    }

    pub fn after(&self, vertex: usize) -> Case {
        let mut after = self.clone();
        if self.short_to_move {
            after.short.push(vertex)
        } else {
            after.cut.push(vertex)
        }
        after.short_to_move = !self.short_to_move;
        after
    }
}

/// Any graph at all: loops, parallel edges, isolated vertices, terminals that are neighbours.
pub fn random_graph(random: &mut Random, vertices: usize) -> Graph {
    let mut graph = Graph::new(vertices);
    for _ in 0..vertices + random.below(2 * vertices) {
        graph.add_edge(random.below(vertices), random.below(vertices));
    }
    graph
}

/// A grid with some diagonals and some edges missing; the terminals touch its left and right columns.
pub fn planar_graph(random: &mut Random, columns: usize, rows: usize) -> Graph {
    let cells = columns * rows;
    let mut graph = Graph::new(cells + 2);
    for row in 0..rows {
        for column in 0..columns {
            let cell = row * columns + column;
            let right = column + 1 < columns;
            let down = row + 1 < rows;
            if right && random.chance(85) {
                graph.add_edge(cell, cell + 1);
            }
            if down && random.chance(85) {
                graph.add_edge(cell, cell + columns);
            }
            if right && down && random.chance(70) {
                if random.chance(50) {
                    graph.add_edge(cell, cell + columns + 1);
                } else {
                    graph.add_edge(cell + 1, cell + columns);
                }
            }
            if column == 0 {
                graph.add_edge(cell, cells);
            }
            if !right {
                graph.add_edge(cell, cells + 1);
            }
        }
    }
    graph
}

pub fn hex(columns: usize, rows: usize) -> Graph {
    let cells = columns * rows;
    let mut graph = Graph::new(cells + 2);
    for row in 0..rows {
        for column in 0..columns {
            let cell = row * columns + column;
            if column + 1 < columns {
                graph.add_edge(cell, cell + 1);
            }
            if row + 1 < rows {
                graph.add_edge(cell, cell + columns);
                if column > 0 {
                    graph.add_edge(cell, cell + columns - 1);
                }
            }
            if row == 0 {
                graph.add_edge(cell, cells);
            }
            if row + 1 == rows {
                graph.add_edge(cell, cells + 1);
            }
        }
    }
    graph
}

/// A triangle; the terminals are its sides.
pub fn y(side: usize) -> Graph {
    let cells = side * (side + 1) / 2;
    let mut graph = Graph::new(cells + 3);
    let mut cell = 0;
    for row in 0..side {
        for column in 0..=row {
            if row + 1 < side {
                graph.add_edge(cell, cell + row + 1);
                graph.add_edge(cell, cell + row + 2);
            } else {
                graph.add_edge(cell, cells + 2);
            }
            if column == 0 {
                graph.add_edge(cell, cells);
            }
            if column == row {
                graph.add_edge(cell, cells + 1);
            } else {
                graph.add_edge(cell, cell + 1);
            }
            cell += 1;
        }
    }
    graph
}

/// A random position with at most `most_free` free vertices.
pub fn random_case(random: &mut Random, most_free: usize) -> Case {
    let mut terminals = 2;
    let graph = match random.below(8) {
        0 => {
            let vertices = 3 + random.below(most_free);
            random_graph(random, vertices)
        }
        1 => {
            let (columns, rows) = (2 + random.below(4), 2 + random.below(4));
            planar_graph(random, columns, rows)
        }
        2 => hex(4, 4),
        3 => hex(5, 5),
        4 => hex(6, 6),
        5 => {
            terminals = 3;
            y(3 + random.below(4))
        }
        6 => {
            // Any graph, or a planar one of which the last cell is a terminal too.
            terminals = 3;
            let (columns, rows) = (2 + random.below(4), 2 + random.below(4));
            match random.below(2) {
                0 => planar_graph(random, columns, rows),
                _ => random_graph(random, 2 + columns * rows),
            }
        }
        _ => {
            let (columns, rows) = (2 + random.below(5), 2 + random.below(5));
            hex(columns, rows)
        }
    };
    let vertices = graph.vertices();
    let mut case = Case {
        graph,
        terminals: (vertices - terminals..vertices).collect(),
        short: vec![],
        cut: vec![],
        short_to_move: random.chance(50),
    };
    let mut free = case.free();
    let keep = random.below(most_free) + 1;
    while free.len() > keep {
        let stone = free.swap_remove(random.below(free.len()));
        if random.chance(50) { case.short.push(stone) } else { case.cut.push(stone) }
    }
    case
}

pub fn random_options(random: &mut Random) -> GraphOptions {
    let mut options = GraphOptions::default();
    match random.below(4) {
        0 => {}
        1 => {
            let technique = &GraphOptions::TECHNIQUES[random.below(GraphOptions::TECHNIQUES.len())];
            options.set(technique.name, !technique.default);
        }
        2 => {
            options = GraphOptions::none();
            let technique = &GraphOptions::TECHNIQUES[random.below(GraphOptions::TECHNIQUES.len())];
            options.set(technique.name, true);
        }
        _ => {
            for technique in GraphOptions::TECHNIQUES {
                options.set(technique.name, random.chance(50));
            }
        }
    }
    options.widening = [15, 0, 50, 100][random.below(4)];
    options
}
