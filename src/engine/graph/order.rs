//! Move ordering: how much of a current between the terminals runs through a cell.
//!
//! Anshelevich's circuit: every full connection is a wire, between empty cells of conductance 1, at a chain or terminal 2,
//! the less the more cells the opponent could put between to some avail. A cell is worth the current that passes it. The
//! mover's current counts twice, the opponent's once. Without it the openings of 6x6 Hex take nine times the nodes.
//!
//! Between three terminals a current flows from each in turn to the other two.
//!
//! The equations are solved by elimination without pivoting, in single precision: the matrix is symmetric and dominated
//! by its diagonal, and nothing but the order of moves depends on the result.

use super::connections::Connections;

/// Scratch space for [`currents`].
#[derive(Clone, Debug, Default)]
pub(super) struct Circuit {
    matrix: Vec<f32>,
    potentials: Vec<f32>,
    wires: Vec<(u32, u32, f32)>,
    places: Vec<u32>,
    /// Between the terminals, when each player's network was looked at last.
    pub(super) resistances: [f32; 2],
}

/// A small leak from every point, so that points without a way to the terminals have a potential too.
const LEAK: f32 = 1e-6;

impl Circuit {
    /// The current through every cell, one unit flowing between the terminals of these connections, which are a player's.
    pub(super) fn currents<const W: usize>(
        &mut self,
        connections: &Connections<W>,
        cells: usize,
        player: usize,
    ) -> Box<[f32]> {
        let terminals = connections.terminals();
        let mut currents = vec![0f32; cells + terminals];
        let sources = if terminals == 2 { cells..cells + 1 } else { cells..cells + terminals };
        self.resistances[player] = 0.0;
        for source in sources {
            self.resistances[player] += self.add_currents(connections, cells, source, &mut currents);
        }
        currents.truncate(cells);
        currents.into_boxed_slice()
    }

    /// Adds the currents from one terminal to the others; gives the resistance between them.
    fn add_currents<const W: usize>(
        &mut self,
        connections: &Connections<W>,
        cells: usize,
        source: usize,
        currents: &mut [f32],
    ) -> f32 {
        const GROUND: u32 = u32::MAX;
        self.places.clear();
        self.places.resize(currents.len(), GROUND);
        // The sinks are the ground; the source comes last, so that its row alone has a right-hand side.
        let mut size = 0;
        for end in connections.endpoints().filter(|&end| end < cells || end == source) {
            self.places[end] = size;
            size += 1;
        }
        let size = size as usize;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.wires.clear();
        for end in connections.endpoints() {
            let chain = connections.is_chain(end);
            for (other, other_chain, between) in connections.links(end) {
                if other < end || chain && other_chain {
                    continue;
                }
                let conductance = if chain || other_chain { 2.0 } else { 1.0 } / (1 + between) as f32;
                self.wires.push((end as u32, other as u32, conductance));
                let (i, j) = (self.places[end], self.places[other]);
                for (i, j) in [(i, j), (j, i)] {
                    if i != GROUND {
                        self.matrix[i as usize * size + i as usize] += conductance;
                        if j != GROUND {
                            self.matrix[i as usize * size + j as usize] -= conductance;
                        }
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
        let potential = |end: u32| match self.places[end as usize] {
            GROUND => 0.0,
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
