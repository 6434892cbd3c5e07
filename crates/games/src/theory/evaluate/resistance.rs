//! Networks of resistors (Anshelevich, *A hierarchical approach to computer Hex*, 2002): a vertex game as a network, for
//! evaluation, and any list of wires, for whoever knows more of a position than its edges. The graph engine makes wires of
//! virtual connections, and orders its moves by the currents.
//!
//! A cell of the player whose view it is has resistance 0, a free one 1, one of the opponent's does not conduct. The wire
//! between two neighbours has the resistance of both, the one to a terminal that of the cell. So the resistance between the
//! terminals is 0 iff the player has joined them and infinite iff nothing can join them any more: it is exact on decided
//! positions, and a small one means many short ways. A cell is worth the current that passes it.
//!
//! Stones of resistance 0 are contracted, whatever the first terminal cannot reach is left out, and the equations that are
//! left, one unit of current in and out at the terminals, are solved by conjugate gradients: the matrix is symmetric,
//! positive and as sparse as the graph. A [`Circuit`] is for dense networks, of which many are solved: by elimination without
//! pivoting, in single precision, since the matrix is dominated by its diagonal.

use gamesat_core::graph::{Goal, Graph};
use gamesat_core::rules::{Board, Side};

/// What a vertex is to the player whose view is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The player's own.
    Own,
    /// Nobody's.
    Free,
    /// The opponent's.
    Enemy,
}

/// The network of one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Between the terminals: 0 if they are joined, infinite if they cannot be.
    pub resistance: f64,
    /// The part of the current that passes each free vertex, between 0 and 1; nothing if the position is decided.
    pub currents: Vec<f64>,
}

impl Flow {
    /// The power that a vertex turns into heat, if one unit of current flows.
    pub fn power(&self, vertex: usize) -> f64 {
        self.currents[vertex] * self.currents[vertex]
    }
}

/// How a player stands whose network has resistance `own`, against an opponent's: positive is good, infinite is decided.
pub fn value(own: f64, opponent: f64) -> f64 {
    (opponent / own).ln()
}

impl Cell {
    /// What a vertex of a board's graph is to a side; those beyond the elements belong to nobody.
    pub fn of(board: &Board, side: Side, vertex: usize) -> Cell {
        match board.stones().get(vertex) {
            Some(&Some(owner)) if owner == side => Cell::Own,
            Some(Some(_)) => Cell::Enemy,
            _ => Cell::Free,
        }
    }
}

/// The network of a side, if it has to join two terminals.
pub fn network(board: &Board, side: Side) -> Option<Flow> {
    let Some(Goal::Vertices { graph, terminals }) = board.goal(side) else { return None };
    let ends: [usize; 2] = terminals[..].try_into().ok()?;
    Some(resistance(graph, ends, |vertex| Cell::of(board, side, vertex)))
}

/// The network of the player for whom every vertex is what `cell` says. Terminals are asked about too and always conduct.
///
/// # Panics
/// If a terminal is no vertex.
pub fn resistance(graph: &Graph, terminals: [usize; 2], cell: impl Fn(usize) -> Cell) -> Flow {
    let vertices = graph.vertices();
    let cells: Vec<Cell> =
        (0..vertices).map(|vertex| if terminals.contains(&vertex) { Cell::Own } else { cell(vertex) }).collect();
    // 1. Wires, each edge of the graph once.
    let mut wires: Vec<(u32, u32)> = graph
        .edges()
        .iter()
        .filter(|&&(u, v)| u != v && [u, v].iter().all(|&end| cells[end as usize] != Cell::Enemy))
        .map(|&(u, v)| (u.min(v), u.max(v)))
        .collect();
    wires.sort_unstable();
    wires.dedup();
    // 2. Contraction of what has no resistance.
    let mut chain: Vec<u32> = (0..vertices as u32).collect();
    for &(u, v) in &wires {
        if cells[u as usize] == Cell::Own && cells[v as usize] == Cell::Own {
            let (u, v) = (find(&mut chain, u), find(&mut chain, v));
            chain[u as usize] = v;
        }
    }
    let [source, sink] = terminals.map(|terminal| find(&mut chain, terminal as u32));
    let nothing = || vec![0.0; vertices];
    if source == sink {
        return Flow { resistance: 0.0, currents: nothing() };
    }
    let ohms = |vertex: u32| if cells[vertex as usize] == Cell::Free { 1.0 } else { 0.0 };
    let links: Vec<(u32, u32, f64)> = wires
        .iter()
        .map(|&(u, v)| (find(&mut chain, u), find(&mut chain, v), 1.0 / (ohms(u) + ohms(v))))
        .filter(|&(u, v, _)| u != v)
        .collect();
    // 3. The equations of what the source reaches; the sink is the ground.
    let system = System::new(vertices, &links, source, sink);
    let Some(potentials) = system.potentials() else {
        return Flow { resistance: f64::INFINITY, currents: nothing() };
    };
    // 4. Half of what flows on the wires of a vertex comes in, half goes out.
    let potential = |vertex: u32| match system.places[vertex as usize] {
        NOWHERE => None,
        place if place as usize == potentials.len() => Some(0.0),
        place => Some(potentials[place as usize]),
    };
    let mut currents = nothing();
    for &(u, v, conductance) in &links {
        if let (Some(one), Some(other)) = (potential(u), potential(v)) {
            let current = (one - other).abs() * conductance / 2.0;
            currents[u as usize] += current;
            currents[v as usize] += current;
        }
    }
    for (current, &cell) in currents.iter_mut().zip(&cells) {
        *current = if cell == Cell::Free { current.min(1.0) } else { 0.0 };
    }
    Flow { resistance: potentials[0], currents }
}

fn find(chain: &mut [u32], mut vertex: u32) -> u32 {
    while chain[vertex as usize] != vertex {
        chain[vertex as usize] = chain[chain[vertex as usize] as usize];
        vertex = chain[vertex as usize];
    }
    vertex
}

const NOWHERE: u32 = u32::MAX;

/// Kirchhoff's equations: the source comes first, the sink has no row and the number after the last.
struct System {
    places: Vec<u32>,
    /// Conductance to everything, sink included.
    diagonal: Vec<f64>,
    /// Rows of the matrix without the diagonal: where each begins, columns, conductances.
    starts: Vec<u32>,
    columns: Vec<u32>,
    conductances: Vec<f64>,
    /// Whether the source reaches the sink.
    joined: bool,
}

impl System {
    fn new(vertices: usize, links: &[(u32, u32, f64)], source: u32, sink: u32) -> Self {
        // All links by vertex.
        let mut starts = vec![0u32; vertices + 1];
        for &(u, v, _) in links {
            starts[u as usize + 1] += 1;
            starts[v as usize + 1] += 1;
        }
        for at in 0..vertices {
            starts[at + 1] += starts[at];
        }
        let mut near = vec![(0u32, 0.0); 2 * links.len()];
        let mut next = starts.clone();
        for &(u, v, conductance) in links {
            for (one, other) in [(u, v), (v, u)] {
                near[next[one as usize] as usize] = (other, conductance);
                next[one as usize] += 1;
            }
        }
        let near_of = |vertex: u32| &near[starts[vertex as usize] as usize..starts[vertex as usize + 1] as usize];
        let mut places = vec![NOWHERE; vertices];
        let mut reached = vec![source];
        places[source as usize] = 0;
        let mut joined = false;
        let mut looked_at = 0;
        while let Some(&vertex) = reached.get(looked_at) {
            looked_at += 1;
            for &(to, _) in near_of(vertex) {
                joined |= to == sink;
                if to != sink && places[to as usize] == NOWHERE {
                    places[to as usize] = reached.len() as u32;
                    reached.push(to);
                }
            }
        }
        places[sink as usize] = reached.len() as u32;
        let mut system = System {
            places,
            diagonal: Vec::new(),
            starts: vec![0],
            columns: Vec::new(),
            conductances: Vec::new(),
            joined,
        };
        for &vertex in &reached {
            system.diagonal.push(near_of(vertex).iter().map(|&(_, conductance)| conductance).sum());
            for &(to, conductance) in near_of(vertex).iter().filter(|&&(to, _)| to != sink) {
                system.columns.push(system.places[to as usize]);
                system.conductances.push(conductance);
            }
            system.starts.push(system.columns.len() as u32);
        }
        system
    }

    fn multiply(&self, vector: &[f64], product: &mut [f64]) {
        for (row, entry) in product.iter_mut().enumerate() {
            let places = self.starts[row] as usize..self.starts[row + 1] as usize;
            let others = self.columns[places.clone()].iter().zip(&self.conductances[places]);
            let sum: f64 = others.map(|(&column, conductance)| conductance * vector[column as usize]).sum();
            *entry = self.diagonal[row] * vector[row] - sum;
        }
    }

    /// Potentials for one unit of current from the source to the sink; `None` if they are not connected.
    fn potentials(&self) -> Option<Vec<f64>> {
        if !self.joined {
            return None;
        }
        let size = self.diagonal.len();
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        // Scaled by the diagonal.
        let scale = |vector: &[f64]| -> Vec<f64> { vector.iter().zip(&self.diagonal).map(|(a, d)| a / d).collect() };
        let mut solution = vec![0.0; size];
        let mut rest = vec![0.0; size];
        rest[0] = 1.0;
        let mut scaled = scale(&rest);
        let mut direction = scaled.clone();
        let mut product = vec![0.0; size];
        let mut norm = dot(&rest, &scaled);
        let enough = norm * 1e-28;
        // In exact arithmetic as many steps as there are rows suffice.
        for _ in 0..2 * size + 20 {
            if norm <= enough {
                break;
            }
            self.multiply(&direction, &mut product);
            let step = norm / dot(&direction, &product);
            for at in 0..size {
                solution[at] += step * direction[at];
                rest[at] -= step * product[at];
            }
            scaled = scale(&rest);
            let next = dot(&rest, &scaled);
            for at in 0..size {
                direction[at] = scaled[at] + next / norm * direction[at];
            }
            norm = next;
        }
        Some(solution)
    }
}

/// A network that is given by its wires, and room to work in: one value serves many networks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Circuit {
    /// Two points and the conductance between them.
    pub(crate) wires: Vec<(u32, u32, f32)>,
    matrix: Vec<f32>,
    potentials: Vec<f32>,
    places: Vec<u32>,
}

/// A small leak from every point, so that points without a way to the sinks have a potential too.
const LEAK: f32 = 1e-6;

impl Circuit {
    /// Lets one unit of current flow from the source to the sinks, which are points below `currents.len()` that `points` does
    /// not name. Adds to `currents` what comes into and goes out of each point, and returns the resistance. The source must be
    /// the last of `points`.
    pub(crate) fn add_currents(&mut self, points: impl Iterator<Item = usize>, currents: &mut [f32]) -> f32 {
        self.places.clear();
        self.places.resize(currents.len(), NOWHERE);
        // The sinks are the ground; the source comes last, so that its row alone has a right-hand side.
        let mut size = 0;
        for point in points {
            self.places[point] = size;
            size += 1;
        }
        let size = size as usize;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        for &(one, other, conductance) in &self.wires {
            let (i, j) = (self.places[one as usize], self.places[other as usize]);
            for (i, j) in [(i, j), (j, i)] {
                if i != NOWHERE {
                    self.matrix[i as usize * size + i as usize] += conductance;
                    if j != NOWHERE {
                        self.matrix[i as usize * size + j as usize] -= conductance;
                    }
                }
            }
        }
        for i in 0..size {
            self.matrix[i * size + i] += LEAK;
        }
        // The right-hand side is zero but in the last row, which no other row is ever added to. The matrix stays
        // symmetric, so the upper half is enough.
        for k in 0..size {
            let (head, tail) = self.matrix.split_at_mut((k + 1) * size);
            let pivot = &head[k * size + k..(k + 1) * size];
            let inverse = 1.0 / pivot[0];
            for (i, row) in tail.chunks_exact_mut(size).enumerate() {
                let factor = pivot[i + 1] * inverse;
                if factor != 0.0 {
                    for (entry, &above) in row[k + 1 + i..].iter_mut().zip(&pivot[i + 1..]) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        self.potentials.clear();
        self.potentials.resize(size, 0.0);
        self.potentials[size - 1] = 1.0 / self.matrix[size * size - 1];
        for k in (0..size - 1).rev() {
            let row = &self.matrix[k * size..(k + 1) * size];
            let sum: f32 = row[k + 1..].iter().zip(&self.potentials[k + 1..]).map(|(a, v)| a * v).sum();
            self.potentials[k] = -sum / row[k];
        }
        let potential = |point: u32| match self.places[point as usize] {
            NOWHERE => 0.0,
            place => self.potentials[place as usize],
        };
        for &(one, other, conductance) in &self.wires {
            let current = (conductance * (potential(one) - potential(other))).abs();
            currents[one as usize] += current;
            currents[other as usize] += current;
        }
        self.potentials[size - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesat_core::rules::{Grid, Hex};

    fn of(board: &Board, side: Side) -> Flow {
        let Some(Goal::Vertices { graph, terminals }) = board.goal(side) else { panic!("Hex joins vertices") };
        resistance(graph, [terminals[0], terminals[1]], |vertex| match board.stones().get(vertex) {
            Some(Some(owner)) if *owner == side => Cell::Own,
            Some(Some(_)) => Cell::Enemy,
            _ => Cell::Free,
        })
    }

    fn hex(side: usize, stones: &[(&str, Side)]) -> Board {
        let mut board = Board::new(Hex(Grid { columns: side, rows: side }));
        for &(name, side) in stones {
            let cell = board.find(name).expect("the cell exists");
            board.place(cell, side).expect("it is free");
        }
        board
    }

    /// Computed with fractions.
    #[test]
    fn known_resistances_of_hex() {
        let near = |found: f64, exact: f64| assert!((found - exact).abs() < 1e-9 * exact, "{found} {exact}");
        for (side, exact) in [(1, 2.0), (2, 12.0 / 7.0), (3, 186.0 / 119.0), (4, 55612.0 / 37671.0)] {
            near(of(&hex(side, &[]), Side::First).resistance, exact);
            near(of(&hex(side, &[]), Side::Second).resistance, exact);
        }
        let board = hex(3, &[("b2", Side::First)]);
        near(of(&board, Side::First).resistance, 348.0 / 263.0);
        near(of(&board, Side::Second).resistance, 82.0 / 37.0);
        let stands = value(of(&board, Side::First).resistance, of(&board, Side::Second).resistance);
        near(stands, (82.0 / 37.0 * 263.0 / 348.0f64).ln());
    }

    /// Elimination and conjugate gradients find the same resistance and the same currents.
    #[test]
    fn both_ways_to_solve_the_equations_agree() {
        let mut circuit = Circuit::default();
        for side in 2..7 {
            let board = hex(side, &[]);
            let Some(Goal::Vertices { graph, terminals }) = board.goal(Side::First) else {
                panic!("Hex joins vertices")
            };
            let flow = of(&board, Side::First);
            let vertices = graph.vertices();
            let ohms = |vertex: u32| if terminals.contains(&(vertex as usize)) { 0.0 } else { 1.0 };
            circuit.wires.clear();
            circuit.wires.extend(graph.edges().iter().map(|&(u, v)| (u, v, 1.0 / (ohms(u) + ohms(v)) as f32)));
            let mut currents = vec![0.0; vertices];
            let points = (0..vertices).filter(|point| !terminals.contains(point)).chain([terminals[0]]);
            let resistance = circuit.add_currents(points, &mut currents);
            assert!((f64::from(resistance) - flow.resistance).abs() < 1e-3, "{resistance} {}", flow.resistance);
            for cell in (0..vertices).filter(|cell| !terminals.contains(cell)) {
                let [one, other] = [f64::from(currents[cell]) / 2.0, flow.currents[cell]];
                assert!((one - other).abs() < 1e-3, "{side} {cell}: {one} {other}");
            }
        }
    }

    #[test]
    fn decided_positions_have_no_or_infinite_resistance() {
        let board = hex(2, &[("a1", Side::First), ("a2", Side::First)]);
        let [black, white] = [Side::First, Side::Second].map(|side| of(&board, side).resistance);
        assert_eq!((black, white), (0.0, f64::INFINITY));
        assert_eq!((value(black, white), value(white, black)), (f64::INFINITY, f64::NEG_INFINITY));
    }

    /// One unit flows: through the cells of every row of Hex together, and all of it through a single way.
    #[test]
    fn currents_add_up() {
        let flow = of(&hex(5, &[]), Side::First);
        let middle: f64 = flow.currents[10..15].iter().sum();
        assert!((1.0 - 1e-9..1.5).contains(&middle), "{middle}");
        let mut path = Graph::new(4);
        for (u, v) in [(0, 2), (2, 3), (3, 1), (3, 3), (2, 0)] {
            path.add_edge(u, v);
        }
        let flow = resistance(&path, [0, 1], |_| Cell::Free);
        assert!((flow.resistance - 4.0).abs() < 1e-9 && (flow.power(2) - 1.0).abs() < 1e-9, "{flow:?}");
        let flow = resistance(&path, [0, 1], |vertex| if vertex == 2 { Cell::Own } else { Cell::Free });
        assert!((flow.resistance - 2.0).abs() < 1e-9 && flow.currents[2] == 0.0, "{flow:?}");
    }
}
