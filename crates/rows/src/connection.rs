//! A graph on free vertices only, with what each of them touches.

/// The reduced graph, over free elements numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The board's element of each vertex, ascending.
    pub elements: Vec<usize>,
    /// Neighbours of each vertex, ascending.
    pub neighbours: Vec<Vec<usize>>,
    /// Bit `i`: the vertex touches terminal `i`.
    pub touches: Vec<u8>,
    /// Number of terminals: 2 or 3.
    pub terminals: usize,
}

impl Connection {
    /// The bits of all terminals.
    pub fn all(&self) -> u8 {
        (1 << self.terminals) - 1
    }
}
