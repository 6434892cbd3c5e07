//! Move ordering: how much of a current between the terminals runs through a cell.
//!
//! Anshelevich's circuit: every full connection is a wire, between empty cells of conductance 1, at a chain or terminal 2,
//! the less the more cells the opponent could put between to some avail. A cell is worth the current that passes it. The
//! mover's current counts twice, the opponent's once. Without it the openings of 6x6 Hex take nine times the nodes. What
//! flows in a network of wires is found out in [`crate::theory::evaluate::resistance`].
//!
//! Between three terminals a current flows from each in turn to the other two.

use super::connections::Connections;
use crate::theory::evaluate::resistance::Circuit;

/// The currents of connections.
#[derive(Clone, Debug, Default)]
pub(super) struct Currents {
    circuit: Circuit,
    /// Between the terminals, when each player's network was looked at last.
    pub(super) resistances: [f32; 2],
}

impl Currents {
    /// The current through every cell, one unit flowing between the terminals of these connections, which are a player's.
    pub(super) fn of<const W: usize>(
        &mut self,
        connections: &Connections<W>,
        cells: usize,
        player: usize,
    ) -> Box<[f32]> {
        self.circuit.wires.clear();
        for end in connections.endpoints() {
            let chain = connections.is_chain(end);
            for (other, other_chain, between) in connections.links(end) {
                if other >= end && !(chain && other_chain) {
                    let conductance = if chain || other_chain { 2.0 } else { 1.0 } / (1 + between) as f32;
                    self.circuit.wires.push((end as u32, other as u32, conductance));
                }
            }
        }
        let terminals = connections.terminals();
        let mut currents = vec![0f32; cells + terminals];
        let sources = if terminals == 2 { cells..cells + 1 } else { cells..cells + terminals };
        self.resistances[player] = 0.0;
        for source in sources {
            let points = connections.endpoints().filter(|&end| end < cells || end == source);
            self.resistances[player] += self.circuit.add_currents(points, &mut currents);
        }
        currents.truncate(cells);
        currents.into_boxed_slice()
    }
}
