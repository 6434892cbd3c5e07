//! Undirected multigraphs in two flat vectors: what Shannon's games are played on.

/// An undirected graph; parallel edges and loops are allowed. Vertices and edges are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Graph {
    vertices: usize,
    edges: Vec<(u32, u32)>,
}

impl Graph {
    /// A graph without edges.
    pub fn new(vertices: usize) -> Self {
        Graph { vertices, edges: Vec::new() }
    }

    /// Adds an edge and returns its number.
    ///
    /// # Panics
    /// If an end is not a vertex.
    pub fn add_edge(&mut self, u: usize, v: usize) -> usize {
        assert!(u < self.vertices && v < self.vertices, "an edge joins two vertices");
        self.edges.push((u as u32, v as u32));
        self.edges.len() - 1
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// The edges in the order they were added.
    pub fn edges(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// The adjacency lists: every vertex with its neighbours and the edges that lead to them.
    pub fn adjacency(&self) -> Adjacency {
        let mut starts = vec![0u32; self.vertices + 1];
        for &(u, v) in &self.edges {
            starts[u as usize + 1] += 1;
            starts[v as usize + 1] += 1;
        }
        for i in 0..self.vertices {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0); 2 * self.edges.len()];
        for (edge, &(u, v)) in self.edges.iter().enumerate() {
            for (from, to) in [(u, v), (v, u)] {
                entries[next[from as usize] as usize] = (to, edge as u32);
                next[from as usize] += 1;
            }
        }
        Adjacency { starts, entries }
    }
}

/// The neighbours of every vertex of a [`Graph`].
#[derive(Clone, Debug)]
pub struct Adjacency {
    starts: Vec<u32>,
    entries: Vec<(u32, u32)>,
}

impl Adjacency {
    /// The neighbours of a vertex, each with the edge that leads to it. A loop is listed twice.
    pub fn of(&self, vertex: usize) -> &[(u32, u32)] {
        &self.entries[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_come_with_their_edges() {
        let mut graph = Graph::new(3);
        graph.add_edge(0, 1);
        graph.add_edge(1, 2);
        graph.add_edge(1, 0);
        let adjacency = graph.adjacency();
        assert_eq!(adjacency.of(1), [(0, 0), (2, 1), (0, 2)]);
        assert_eq!(adjacency.of(2), [(1, 1)]);
        assert_eq!(adjacency.of(0).len(), 2);
    }
}
